"""Games, agents, components and importers for Agon in Python, and what is in its archives.

A game is a function that asks seats questions at a table and returns what each seat got:

    def play(table: agon.Table[OFFER, REPLY, OFFERED], s: Settings): ...
    agon.game("ultimatum", play, seats=(2, 2), rules="Seat 0 hands seat 1 some of {{pie}} coins ...")

Answers, views, events, settings and metrics are dataclasses whose members are described by
agon.field(). `agon play ./mygame.py` plays the file. docs/python.md of Agon is the reference; this
package needs nothing but Python's standard library, 3.9 or newer.
"""

import atexit
import copy
import dataclasses
import enum
import functools
import gc
import inspect
import io
import json
import math
import numbers
import operator
import os
import random
import re
import signal
import sys
import traceback
import typing

__all__ = [
    "Archive", "BadRow", "Ending", "Event", "Imported", "InputFile", "JsonNode", "Money", "Note", "Outcome", "Preset",
    "PrivateEvent", "Probe", "PublishedAnswer", "PublishedDraw", "PublishedFigure", "PublishedMatch",
    "PublishedScenario", "PublishedSeat", "Question", "Rate", "Refused", "Scene", "SeatCard", "SeatScore", "Stage",
    "Table", "UsageError", "agent", "allow", "asking", "counted", "draw", "draws_of", "field", "game", "importer",
    "json_text", "keys", "least", "limit", "limit_each", "limit_length", "limit_sum", "listed", "major", "one_of",
    "option", "plain", "presence", "read", "read_each", "read_json", "shuffle_draws", "speech", "usual",
    "write_data_file",
]


# What games and agents do without, so that they start without it: by file, what is there.
_LATER = {"archive": ("Archive", "Match", "read"),
          "components": ("Answer", "Beliefs", "Form", "Learning", "Memory", "Past", "Persona", "Planning", "Reasoning",
                        "Said", "Tools", "Turn", "component", "provider", "tools"),
          "environment": ("AECEnv", "ParallelEnv", "make"),
          "suite": ("Report", "Run", "branch", "check", "export", "plan", "replay", "report", "run"), "vector": ("VectorEnv",)}


if typing.TYPE_CHECKING:  # for editors and type checkers
    from .archive import Archive, Match, read
    from .components import (Answer, Beliefs, Form, Learning, Memory, Past, Persona, Planning, Reasoning, Said, Tools, Turn,
                            component, provider, tools)
    from .environment import AECEnv, ParallelEnv, make
    from .suite import Report, Run, branch, check, export, plan, replay, report, run
    from .vector import VectorEnv


def __getattr__(name):
    import importlib
    if name == "errors":
        return importlib.import_module(f"{__name__}.errors")
    for part, names in _LATER.items():
        if name in names:
            break
    else:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    try:
        found = getattr(importlib.import_module(f"{__name__}.{part}"), name)
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{part}":
            raise
        raise ImportError(f"agon.{name} is not in this copy of the module: {part}.py is missing in "
                          f"{os.path.dirname(__file__)}; take the whole folder from Agon, or its wheel") from None
    globals()[name] = found
    return found


def __dir__():
    return sorted({*__all__, "errors", *(name for names in _LATER.values() for name in names)})


class UsageError(Exception):
    """This module was used wrongly: what is wrong, and how to fix it."""

    place = None  # file and line that are to blame, where these are not those that raised it


# ---- money ---------------------------------------------------------------------------------------


@functools.total_ordering
class Money:
    """An amount in whole cents, so that sums are exact: Money(1250) is 12.50. Amounts are added,
    subtracted and compared with amounts and with 0, and multiplied by whole numbers. m // 3 is an
    amount, rounded down; m / n of two amounts is a float."""

    __slots__ = ("cents",)

    def __init__(self, cents=0):
        self.cents = operator.index(cents)

    def __eq__(self, other):
        return self._with(other, "==", operator.eq)

    def __lt__(self, other):
        return self._with(other, "<", operator.lt)

    def __hash__(self):
        return hash(("Money", self.cents)) if self.cents else hash(0)  # which it equals

    def __add__(self, other):
        return self._with(other, "+", lambda mine, others: Money(mine + others))

    __radd__ = __add__  # sum() begins with 0

    def __sub__(self, other):
        return self._with(other, "-", lambda mine, others: Money(mine - others))

    def __rsub__(self, other):
        return self._with(other, "-", lambda mine, others: Money(others - mine))

    def __mul__(self, n):
        if not isinstance(n, numbers.Number) or isinstance(n, int):
            return Money(self.cents * n) if isinstance(n, int) else NotImplemented
        raise TypeError(f"{self!r} * {n!r} need not be whole cents: say how to round, as in "
                        f"agon.Money(round({n!r} * m.cents))")

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, Money):
            return self.cents / other.cents
        if not isinstance(other, numbers.Number):
            return NotImplemented
        raise TypeError(f"{self!r} / {other!r} need not be whole cents: say how to round, as in m // 3, which "
                        f"rounds down, or agon.Money(round(m.cents / {other!r}))")

    def __floordiv__(self, other):
        if isinstance(other, Money):
            return self.cents // other.cents
        return Money(self.cents // other) if isinstance(other, int) else NotImplemented

    def __mod__(self, other):
        if isinstance(other, Money):
            return Money(self.cents % other.cents)
        return Money(self.cents % other) if isinstance(other, int) else NotImplemented

    def __neg__(self):
        return Money(-self.cents)

    def __abs__(self):
        return Money(abs(self.cents))

    def _with(self, other, sign, made):
        """Of both in cents. A number other than 0 may be meant as cents or as whole units."""
        if _is_amount(other):
            return made(self.cents, _cents(other))
        if not isinstance(other, numbers.Number):
            return NotImplemented
        raise TypeError(f"{self!r} {sign} {other!r}: {other!r} is no agon.Money; write agon.Money(...) for cents or "
                        "agon.major(...) for whole units")

    def __bool__(self):
        return self.cents != 0

    def __repr__(self):
        return f"Money({self.cents})"

    def __str__(self):
        return f"{'-' if self.cents < 0 else ''}${abs(self.cents) // 100:,}.{abs(self.cents) % 100:02}"


def _is_amount(value):
    """Money, or 0, which is the same amount in every unit."""
    return isinstance(value, Money) or (type(value) is int and value == 0)


def _cents(value):
    return value.cents if isinstance(value, Money) else 0


def major(units):
    """So many whole currency units: major(5) is 5.00."""
    return Money(operator.index(units) * 100)


# ---- descriptions: what members of dataclasses mean ----------------------------------------------

_FLAGS = ("left_out", "prose", "unshown", "seat", "phase", "apart")


def field(default, doc, *, min=None, max=None, unit="", length=None, source="", data="", better="",
          in_cents=False, left_out=False, prose=False, unshown=False, seat=False, phase=False,
          apart=False):
    """A member of a dataclass: its default and what it means.

    min, max   bounds of the number, or of each element of a list; Money for Money
    unit       what the number counts: "coins"
    length     (least, most) characters of a text, elements of a list or dict
    source     where a default or a rule comes from: paper and section
    data       settings: format of a data file that may fill the member, "agon.GAME.WHAT/1"
    better     metrics: "higher" or "lower"
    in_cents   metrics: a number of cents, shown as dollars
    left_out   an Optional that is not written where it is None
    prose      views: a text of the game's own making
    unshown    in the JSON, and in no text for players
    seat       the number of a seat, told as its name
    phase      facts: names the event that parts two phases
    apart      facts: names the member that parts plays of their own
    """
    if not isinstance(doc, str) or not doc:
        raise UsageError("a member needs words for what it means: agon.field(0, \"coins you hand over\")")
    if better not in ("", "higher", "lower"):
        raise UsageError(f"better is \"higher\" or \"lower\", not {better!r}")
    said = {"doc": doc, "min": min, "max": max, "unit": unit, "length": length, "source": source,
            "data": data, "better": better, "in_cents": in_cents}
    flags = dict(zip(_FLAGS, (left_out, prose, unshown, seat, phase, apart)))
    said["flags"] = [name for name in _FLAGS if flags[name]]
    caller = sys._getframe(1)
    said["place"] = (caller.f_code.co_filename, caller.f_lineno)
    if isinstance(default, (list, dict)) or dataclasses.is_dataclass(default):
        return dataclasses.field(default_factory=functools.partial(copy.deepcopy, default),
                                 metadata={"agon": said})
    return dataclasses.field(default=default, metadata={"agon": said})


class _Misfit(Exception):
    """A value that is not of its type: where in it, and what is wrong."""

    def __init__(self, what):
        super().__init__(what)
        self.path = ""
        self.what = what

    def within(self, step):
        self.path = step + ("." + self.path if self.path and self.path[0] != "[" else self.path)
        return self

    def __str__(self):
        return f"{self.path}: {self.what}" if self.path else self.what


def _tellable(text):
    """In characters that Unicode has, which half of a surrogate pair is not, as os.fsdecode() makes
    them; and without addresses: the same in every process."""
    return re.sub(" at 0x[0-9A-Fa-f]+", "", text.encode("utf-8", "backslashreplace").decode())


def _named(value):
    text = _tellable(repr(value))
    return text if len(text) <= 60 else text[:57] + "..."


_text_json = json.encoder.encode_basestring_ascii


def _dump(value):
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


class _Type:
    """What is known of a type of values: its description, and how values become JSON and back."""

    kind = ""
    element = None  # of optional, list and dict

    def step(self, name):
        """The type of what a limit's path leads to by a name; None: nothing."""
        return self.element.step(name) if self.element is not None else None

    def holds_money(self):
        return self.element is not None and self.element.holds_money()


class _Boolean(_Type):
    kind = "boolean"

    def describe(self):
        return {"kind": "boolean"}

    def write(self, value):
        if value is True:
            return "true"
        if value is False:
            return "false"
        raise _Misfit(f"{_named(value)} is neither True nor False")

    def read(self, value):
        return value


class _Integer(_Type):
    kind = "integer"

    def __init__(self, wide):
        self.low, self.high = (-(1 << 63), (1 << 63) - 1) if wide else (-(1 << 31), (1 << 31) - 1)

    def describe(self):
        return {"kind": "integer", "low": self.low, "high": self.high}

    def write(self, value):
        if type(value) is not int:
            if isinstance(value, bool) or not hasattr(value, "__index__"):
                raise _Misfit(f"{_named(value)} is no whole number")
            value = operator.index(value)
        if not self.low <= value <= self.high:
            raise _Misfit(f"{_named(value)} does not fit into {self.low} to {self.high}; a wider "
                          "number needs wider bounds: agon.field(..., max=10**12)")
        return str(value)

    def read(self, value):
        return value


class _Number(_Type):
    kind = "number"

    def describe(self):
        return {"kind": "number"}

    def write(self, value):
        if type(value) is not float:
            if isinstance(value, (bool, str)) or not hasattr(value, "__float__"):
                raise _Misfit(f"{_named(value)} is no number")
            value = float(value)
        if not math.isfinite(value):
            raise _Misfit(f"{value} is no finite number")
        return repr(value)

    def read(self, value):
        return float(value)


class _Amount(_Type):
    kind = "money"

    def describe(self):
        return {"kind": "money"}

    def write(self, value):
        if not _is_amount(value):
            raise _Misfit(f"{_named(value)} is no agon.Money: write agon.Money(...) for cents or agon.major(...) for "
                          "whole units")
        cents = _cents(value)
        if abs(cents) > 1 << 52:
            raise _Misfit(f"{value} is too large an amount")
        return _money_text(cents)

    def read(self, value):
        return Money(round(value * 100))

    def holds_money(self):
        return True


def _money_text(cents):
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}{cents // 100}.{cents % 100:02}" if cents % 100 else f"{sign}{cents // 100}"


class _Text(_Type):
    kind = "text"

    def describe(self):
        return {"kind": "text"}

    def write(self, value):
        if not isinstance(value, str):
            raise _Misfit(f"{_named(value)} is no text")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise _Misfit(f"{_named(value)} has a character that Unicode does not have") from None
        return _text_json(value)

    def read(self, value):
        return value


class _Enumeration(_Type):
    kind = "enumeration"

    def __init__(self, cls):
        self.cls = cls
        if len(cls.__members__) != len(list(cls)):
            raise UsageError(f"two values of {cls.__name__} have the same words; each is told apart "
                             "by its own: profit = \"the largest profit\"")
        for member in cls:
            if not isinstance(member.value, str) or not member.value:
                raise UsageError(f"{cls.__name__}.{member.name} needs words for what it means as its "
                                 f"value: {member.name} = \"...\"")
        self.written = {member: _text_json(member.name) for member in cls}

    def describe(self):
        return {"kind": "enumeration", "name": self.cls.__name__,
                "values": [{"name": m.name, "doc": m.value} for m in self.cls]}

    def write(self, value):
        try:
            return self.written[value]
        except (KeyError, TypeError):
            raise _Misfit(f"{_named(value)} is no {self.cls.__name__}") from None

    def read(self, value):
        return self.cls[value]


class _Optional(_Type):
    kind = "optional"

    def __init__(self, element):
        self.element = element

    def describe(self):
        return {"kind": "optional", "element": self.element.describe()}

    def write(self, value):
        return "null" if value is None else self.element.write(value)

    def read(self, value):
        return None if value is None else self.element.read(value)


class _List(_Type):
    kind = "list"

    def __init__(self, element):
        self.element = element

    def describe(self):
        return {"kind": "list", "element": self.element.describe()}

    def write(self, value):
        if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
            raise _Misfit(f"{_named(value)} is no list")
        write, parts = self.element.write, []
        try:
            for each in value:
                parts.append(write(each))
        except _Misfit as misfit:
            raise misfit.within(f"[{len(parts)}]")
        return "[" + ",".join(parts) + "]"

    def read(self, value):
        return [self.element.read(each) for each in value]


class _Map(_Type):
    kind = "map"

    def __init__(self, element):
        self.element = element

    def describe(self):
        return {"kind": "map", "element": self.element.describe()}

    def write(self, value):
        if not isinstance(value, dict):
            raise _Misfit(f"{_named(value)} is no dict")
        parts = []
        for key in value:
            if not isinstance(key, str):
                raise _Misfit(f"the key {_named(key)} is no text")
            try:
                parts.append(_text_json(key) + ":" + self.element.write(value[key]))
            except _Misfit as misfit:
                raise misfit.within(key)
        return "{" + ",".join(parts) + "}"

    def read(self, value):
        return {key: self.element.read(each) for key, each in value.items()}


class _Structure(_Type):
    kind = "structure"

    def __init__(self, cls, members):
        self.cls = cls
        self.members = members  # name -> (dataclass field, type)
        self.kind_name = re.sub(r"(?<=.)([A-Z])", r"_\1", cls.__name__).lower()
        self.prepared = []
        for name, (_, of) in members.items():
            comma = "," if self.prepared else ""
            self.prepared.append((name, comma + _text_json(name) + ":", of.write))
        self.readers = [(name, of.read) for name, (_, of) in members.items()]

    def describe(self):
        made = {"kind": "structure", "name": self.cls.__name__, "members": []}
        for name, (its_field, of) in self.members.items():
            said = its_field.metadata["agon"]
            one = {"name": name, "doc": said["doc"]}
            for key in ("unit", "source", "data"):
                if said[key]:
                    one[key] = said[key]
            for key in ("min", "max"):
                if said[key] is not None:
                    one[key] = said[key].cents if isinstance(said[key], Money) else said[key]
            if said["length"] is not None:
                one["min_length"], one["max_length"] = said["length"]
            if said["better"]:
                one["better"] = said["better"]
            if said["in_cents"]:
                one["decimals"] = 2
            one.update({flag: True for flag in said["flags"]})
            one["type"] = of.describe()
            made["members"].append(one)
        made["default"] = json.loads(self.write(self.cls()))
        return made

    def write(self, value, before="{"):
        if not isinstance(value, self.cls):
            raise _Misfit(f"{_named(value)} is no {self.cls.__name__}")
        out = before
        name = ""
        try:
            for name, start, write in self.prepared:
                out += start + write(getattr(value, name))
        except _Misfit as misfit:
            raise misfit.within(name)
        return out + "}"

    def read(self, value):
        return self.cls(**{name: read(value[name]) for name, read in self.readers if name in value})

    def step(self, name):
        return self.members[name][1] if name in self.members else None


class _Variant(_Type):
    kind = "variant"

    def __init__(self, alternatives):
        self.alternatives = {each.kind_name: each for each in alternatives}
        self.of_class = {each.cls: each for each in alternatives}
        if len(self.alternatives) != len(alternatives):
            raise UsageError("two alternatives have the same name: " +
                             ", ".join(each.cls.__name__ for each in alternatives))
        self.starts = {each.cls: f'{{"kind":{_text_json(kind)}' + ("," if each.members else "")
                       for kind, each in self.alternatives.items()}

    def describe(self):
        return {"kind": "variant", "alternatives": [each.describe() for each in self.alternatives.values()]}

    def write(self, value):
        of = self.of_class.get(type(value))
        if of is None:
            raise _Misfit(f"{_named(value)} is none of "
                          + ", ".join(each.__name__ for each in self.of_class))
        return of.write(value, self.starts[of.cls])

    def read(self, value):
        return self.alternatives[value["kind"]].read(value)

    def step(self, name):
        return self.alternatives.get(name)


_types = {}
_being_made = []


def _type_of(hint, said=None, where=""):
    """The type of a member or of an answer, from what its annotation says."""
    if hint is int:
        bounds = [b for b in ((said or {}).get("min"), (said or {}).get("max"), (said or {}).get("default"))
                  if isinstance(b, (int, float)) and math.isfinite(b)]
        return _Integer(any(not -(1 << 31) <= b < 1 << 31 for b in bounds))
    plain = {bool: _Boolean, float: _Number, str: _Text, Money: _Amount}.get(hint)
    if plain is not None:
        return plain()
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _Enumeration(hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _structure_of(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is list and arguments:
        return _List(_type_of(arguments[0], said, where))
    if origin is dict and arguments:
        if arguments[0] is not str:
            raise UsageError(f"{where}: keys of a dict are texts: dict[str, ...]")
        return _Map(_type_of(arguments[1], said, where))
    if origin is typing.Union or type(hint).__name__ == "UnionType":
        held = [each for each in arguments if each is not type(None)]
        of = _type_of(held[0], said, where) if len(held) == 1 else _variant_of(held, where)
        return _Optional(of) if len(held) < len(arguments) else of
    raise UsageError(
        f"{where}: {getattr(hint, '__name__', hint)} is no type that Agon knows: use bool, int, float, "
        "str, agon.Money, an enum.Enum, a dataclass, Optional, Union of dataclasses, list or "
        "dict[str, ...]")


def _variant_of(held, where):
    if not all(isinstance(each, type) and dataclasses.is_dataclass(each) for each in held):
        raise UsageError(f"{where}: the alternatives of a Union are dataclasses")
    return _Variant([_structure_of(each) for each in held])


def _member_type(member, hint, where):
    said = dict(member.metadata["agon"], default=member.default)
    of = _type_of(hint, said, where)
    for bound in (said["min"], said["max"]):
        fits = _is_amount(bound) if of.holds_money() else not isinstance(bound, Money)
        if bound is not None and not fits:
            raise UsageError(f"{where}: bounds of money are agon.Money, and those of numbers are "
                             f"numbers; {_named(bound)} is not")
    return of


def _structure_of(cls):
    if cls in _types:
        return _types[cls]
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        raise UsageError(f"{_named(cls)} is no dataclass: write @dataclass above the class")
    if cls in _being_made:
        raise UsageError(f"{cls.__name__} holds itself, which no record can")
    _being_made.append(cls)
    try:
        hints = typing.get_type_hints(cls)
        members = {}
        for each in dataclasses.fields(cls):
            where = f"{cls.__name__}.{each.name}"
            if "agon" not in each.metadata:
                raise UsageError(f"{where} does not say what it means: write "
                                 f"{each.name}: {getattr(hints[each.name], '__name__', '...')} = "
                                 "agon.field(DEFAULT, \"what it means\")")
            if not each.init:
                raise UsageError(f"{where} cannot be left out of __init__")
            try:
                members[each.name] = (each, _member_type(each, hints[each.name], where))
            except UsageError as error:
                error.place = error.place or each.metadata["agon"]["place"]
                raise
        made = _Structure(cls, members)
        default = cls()
        for name, (its_field, of) in members.items():
            try:
                if of.kind == "money" and type(getattr(default, name)) is int:
                    raise _Misfit(f"{getattr(default, name)} is no agon.Money: write agon.Money(0)")
                of.write(getattr(default, name))
            except _Misfit as misfit:
                error = UsageError(f"the default of {cls.__name__}.{misfit.within(name)}" + (
                    f"; what may be None is Optional: {name}: "
                    f"Optional[{getattr(hints[name], '__name__', '...')}]"
                    if getattr(default, name) is None else ""))
                error.place = its_field.metadata["agon"]["place"]
                raise error from None
    finally:
        _being_made.pop()
    _types[cls] = made
    return made


# ---- stages, probes and events -------------------------------------------------------------------

_PURPOSES = ("plan", "replan", "belief", "learn", "other")


def _checked_name(name, what):
    if not isinstance(name, str) or not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name):
        raise UsageError(f"{_named(name)} is no name for {what}: use a-z, 0-9 and '-'")
    return name


def _checked_doc(doc, what):
    if not isinstance(doc, str) or not doc:
        raise UsageError(f"{what} needs words for what it is")
    return doc


class Stage:
    """Where seats are asked for an answer: Stage("offer", Offer, "how many coins you hand over").

    view      dataclass of what the seat sees with the question
    who       which seats are asked: "buyer"; empty: all
    telling   telling(view, scene) puts the view into words; without it its members are shown
    ends      ends(answer) is True if the seat has no more to decide after it
    """

    _is_probe = False
    _purpose = "act"

    def __init__(self, name, answer, doc, *, view=None, who="", telling=None, ends=None):
        self.name = _checked_name(name, "a stage")
        self.doc = _checked_doc(doc, f"the stage '{name}'")
        self.who = who
        self.telling = telling
        self.ends = ends
        self._answer = _structure_of(answer)
        for taken in ("rejected", "illegal", "forced"):
            if taken in self._answer.members:
                raise UsageError(f"{answer.__name__}.{taken}: every answer has a '{taken}' of its own, how it "
                                 "came; choose another name")
        if not hasattr(answer(), "__dict__"):
            raise UsageError(f"{answer.__name__} has __slots__, and an answer keeps more than its members: "
                             "leave slots=True out")
        self._view = None if view is None else _structure_of(view)
        if telling is not None and view is None:
            raise UsageError(f"the stage '{name}' has a telling, and no view that it could tell")
        self._places = {}
        self._certain = set()  # places that every answer has: no Optional, list, dict or Union above them
        self._start = f'"stage":{_text_json(name)}'

    def __repr__(self):
        return f"agon.{type(self).__name__} '{self.name}'"

    def _card(self):
        card = {"name": self.name, "doc": self.doc, "answer": self._answer.describe()}
        if self.who:
            card["who"] = self.who
        if self._is_probe:
            card["probe"], card["purpose"] = True, self._purpose
        if self._view is not None:
            card["view"] = self._view.describe()
        if self.telling is not None:
            card["told"] = True
        if self.ends is not None:
            card["ends"] = True
        return card

    def _place(self, at):
        """The type at a limit's path; looked for once."""
        found = self._places.get(at)
        if found is None:
            found, certain = self._answer, True
            for step in at.split(".") if at else ():
                certain = certain and found.kind == "structure"
                inside, found = found, found.step(step)
                if found is None:
                    while inside.element is not None:
                        inside = inside.element
                    names = getattr(inside, "members", None) or getattr(inside, "alternatives", ())
                    has = "has only " + ", ".join(names) if names else "has no members"
                    raise UsageError(f"the limit at '{at}' of the stage '{self.name}': there is no '{step}'; "
                                     f"{'it' if inside is not self._answer else self._answer.cls.__name__} {has}")
            self._places[at] = found
            if certain:
                self._certain.add(at)
        return found


class Probe(Stage):
    """A question with no effect on play: a plan, a belief. `purpose`: plan, replan, belief, learn or
    other; the rest as Stage has it."""

    _is_probe = True

    def __init__(self, name, answer, doc, *, view=None, who="", purpose="other", telling=None):
        super().__init__(name, answer, doc, view=view, who=who, telling=telling)
        if purpose not in _PURPOSES:
            raise UsageError(f"the purpose of the probe '{name}' is one of {', '.join(_PURPOSES)}")
        self._purpose = purpose


class Event:
    """Something that is said to everybody: Event("offer", Offer, "what seat 0 hands over").

    telling(event, scene) puts it into words for people and models; what returns "" tells nothing.
    """

    _audience = "everybody"
    _how = "table.announce()"

    def __init__(self, name, said, doc, *, telling=None):
        self.name = _checked_name(name, "an event")
        self.doc = _checked_doc(doc, f"the event '{name}'")
        self.telling = telling
        self._said = _structure_of(said)
        self._start = f'"event":{_text_json(name)},"data":'

    def __repr__(self):
        return f"agon.{type(self).__name__} '{self.name}'"

    def _card(self):
        card = {"name": self.name, "doc": self.doc, "audience": self._audience, "type": self._said.describe()}
        if self.telling is not None:
            card["told"] = True
        return card


class PrivateEvent(Event):
    """Said to one seat: table.tell()."""

    _audience = "one-seat"
    _how = "table.tell()"


class Note(Event):
    """For the record alone, as true values are: table.note()."""

    _audience = "record"
    _how = "table.note()"


class Scene:
    """Where something is told: to whom, and at which table."""

    def __init__(self, seats, settings, reader):
        self.seats = seats  # their names, in order
        self.settings = settings
        self.reader = reader  # the seat that is told it; -1: nobody in particular

    def name(self, seat):
        """The seat's name."""
        return self.seats[seat]

    def is_reader(self, seat):
        """True if this seat is told it: what it did itself is told as "you"."""
        return seat == self.reader

    def does(self, seat, says, say):
        """How a sentence about a seat begins: "Bob says", and "You say" for Bob himself."""
        return f"You {say}" if self.is_reader(seat) else f"{self.seats[seat]} {says}"


class _Speaking:
    """What the function that is called now speaks: the game's sentences, and translations of them."""

    def __init__(self, sentences=(), translations=None):
        self.sentences = sentences
        self.translations = translations  # None: English


_speaking = _Speaking()


class _Said(str):
    """A text that is known to come from the game's sentences."""

    __slots__ = ()


_NAME = re.compile(r"\{([a-z_]+)\}")


def _sentence(english):
    """The sentence in the language that is spoken now."""
    if _speaking.sentences and english not in _speaking.sentences:
        raise UsageError(f"the game's sentences lack {_text_json(english)}: add it to sentences= of agon.game()")
    return english if _speaking.translations is None else _speaking.translations[english]


def _filled(text, names):
    for name in _NAME.findall(text):
        if name not in names:
            raise UsageError(f"nothing stands for {{{name}}} in {_text_json(text)}: agon.say(..., {name}=...)")
    return _Said(_NAME.sub(lambda found: str(names[found[1]]), text))


def say(sentence, /, **names):
    """A sentence of the game in the language of who is told it, its {names} filled:
    say("{who} hands over {n} coins.", who=scene.name(0), n=3). A game that says all it says so, and
    lists its sentences (agon.game(sentences=[...])), can be played in other languages."""
    return _filled(_sentence(sentence), names)


def then(*said):
    """Several sentences one after another, as the language parts them; what is empty is left out."""
    said = [each for each in said if each]
    for each in said:
        if _speaking.sentences and not isinstance(each, _Said):
            raise UsageError(f"{_text_json(each)} is none of the game's sentences: agon.then(agon.say(...), ...)")
    return _Said(_folded("{first} {second}", said))


def _folded(pattern, words):
    """Words two by two in a pattern of the arena's own."""
    if _speaking.translations is not None:
        pattern = _speaking.translations[pattern]
    folded = words[0] if words else ""
    for word in words[1:]:
        folded = _NAME.sub(lambda found: folded if found[1] in ("first", "some") else word, pattern)
    return folded


def speech(text):
    """What a player wrote: in quotes that it cannot end, on one line."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in text) + '"'


def listed(words):
    """"Alice", "Alice and Bob", "Alice, Bob and Eric"; empty for none."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return _folded("{some} and {last}", [_folded("{first}, {second}", words[:-1]), words[-1]])


def counted(n, one, many):
    """"1 unit", "3 units". A game with sentences lists "{n} unit" and "{n} units"."""
    return say("{n} " + (one if n == 1 else many), n=n)


# ---- what is said with a question ----------------------------------------------------------------


class _Limit:
    """One limit of the moment, which is written once the stage is known."""

    __slots__ = ("at", "kind", "write")

    def __init__(self, at, kind, write):
        if not isinstance(at, str):
            raise UsageError(f"a limit is at a member of the answer, by its name: not {_named(at)}")
        self.at = at
        self.kind = kind
        self.write = write  # write(stage, type at the place) -> JSON


_NUMBERS = ("integer", "number", "money")

# What each kind of type is called, and what limits it takes.
_KINDS = {
    "boolean": ("a bool", "agon.allow(at, False) leaves one of its values"),
    "integer": ("a whole number", "agon.limit(at, lo, hi) bounds it"),
    "number": ("a number", "agon.limit(at, lo, hi) bounds it"),
    "money": ("an amount", "agon.limit(at, lo, hi) bounds it"),
    "text": ("a text", "agon.one_of(at, names) lists what it may be, agon.limit_length(at, lo, hi) bounds it"),
    "enumeration": ("an enum", "agon.allow(at, ...) says which of its values are left"),
    "optional": ("an Optional", "agon.presence(at, absent, present) says whether it may be None"),
    "list": ("a list", "agon.limit_length(at, lo, hi) bounds its length"),
    "map": ("a dict", "agon.keys(at, names) says its keys"),
    "structure": ("a dataclass", "name one of its members"),
    "variant": ("a Union", "agon.allow(at, ...) says which alternatives are left; the name of one is a step "
                           "to its members"),
}


def _called(of):
    """"an Optional of a list of whole numbers", for messages."""
    words = _KINDS.get(of.kind, (of.kind, ""))[0]
    return words + (" of " + _called(of.element) if of.element is not None else "")


def _refused(stage, at, problem, hint):
    return UsageError(f"the limit at '{at}' of the stage '{stage.name}': {problem}; {hint}")


def _reached(stage, at, of, name, fits, what):
    """What a limit speaks of: the member, or what the Optional, the list or the dict that it is holds."""
    found = of
    while not fits(found):
        if found.element is None:
            raise _refused(stage, at, f"agon.{name} is for {what}, and this is {_called(of)}",
                           _KINDS.get(found.kind, ("", "use another limit"))[1])
        found = found.element
    return found


def _in_order(stage, at, lo, hi):
    if hi < lo:
        raise UsageError(f"the limit at '{at}' of the stage '{stage.name}': nothing lies between {lo} and "
                         f"{hi}; the lower bound comes first")


def _bounds(stage, at, of, lo, hi, certain):
    try:
        # Bounds of whole numbers need not fit into the member.
        low, high = (str(operator.index(b)) if of.kind == "integer" else of.write(b) for b in (lo, hi))
    except (_Misfit, TypeError) as wrong:
        raise UsageError(f"the limit at '{at}' of the stage '{stage.name}': {wrong}") from None
    if certain:
        _in_order(stage, at, lo, hi)
    return f'"low":{low},"high":{high}'


def _range(at, lo, hi, kind):
    def write(stage, place):
        of = _reached(stage, at, place, "limit" if kind == "range" else "usual", lambda of: of.kind in _NUMBERS,
                      "numbers")
        bounds = _bounds(stage, at, of, lo, hi, kind == "range" and of is place and at in stage._certain)
        return f'{{"at":{_text_json(at)},"kind":"{kind}",{bounds}}}'
    return _Limit(at, kind, write)


def limit_sum(at, lo, hi):
    """limit_sum("troops", 0, 20): all numbers of the list or the dict add up to lo..hi; lo == hi asks for
    exactly that. limit_sum(["roads", "schools"], 0, 100): these members together do, as all numbers of a
    dataclass do that is named as a whole. Numbers without a lower bound of their own are 0 or more."""
    many = not isinstance(at, str)
    names = list(at) if many else [at]

    def write(stage, of):
        kinds = set()
        for name in names:
            of = stage._place(name)
            while of.element is not None:
                of = of.element
            inside = [each for _, each in of.members.values()] if of.kind == "structure" else [of]
            if not inside or any(each.kind not in _NUMBERS for each in inside):
                raise _refused(stage, name, "agon.limit_sum is for numbers, for lists and dicts of them, and for "
                               f"dataclasses of nothing but numbers, and this is {_called(of)}",
                               "name the members that count: agon.limit_sum([\"a\", \"b\"], lo, hi)")
            kinds.update(each.kind for each in inside)
        if len(kinds) != 1:
            raise _refused(stage, ", ".join(names), "its numbers are of several kinds: "
                           + listed(_KINDS[kind][0] for kind in sorted(kinds)) if kinds else "it names nothing",
                           "name numbers of one kind")
        bounds = _bounds(stage, ", ".join(names), inside[0], lo, hi, True)
        return f'{{"at":{_dump(names if many else at)},"kind":"sum",{bounds}}}'
    return _Limit(names[0] if names else "", "sum", write)


def limit(at, lo, hi):
    """limit("give", 0, s.pie): the number at this place, or each element of the list, lies within.
    `at` is the member's name; that of a member of a member is "order.price", and through a Union the
    alternative is a step: "action.offer.price"."""
    return _range(at, lo, hi, "range")


def usual(at, lo, hi):
    """Where sensible answers lie within the limits. It is no rule, and may be empty: see agon::usual in
    docs/plugins.md."""
    return _range(at, lo, hi, "usual")


def limit_each(at, most):
    """limit_each("keep", [1, 2, 0]): a list of as many numbers, number i in 0..most[i]."""
    def write(stage, of):
        of = _reached(stage, at, of, "limit_each",
                      lambda of: of.kind == "list" and of.element.kind == "integer",
                      "lists of whole numbers")
        return f'{{"at":{_text_json(at)},"kind":"each","most":{_dump([operator.index(m) for m in most])}}}'
    return _Limit(at, "each", write)


def limit_length(at, lo, hi):
    """limit_length("text", 0, 500): characters of a text, elements of a list or a dict."""
    def write(stage, of):
        found = _reached(stage, at, of, "limit_length", lambda of: of.kind in ("text", "list", "map"),
                         "texts, lists and dicts")
        if found is of and at in stage._certain:
            _in_order(stage, at, lo, hi)
        return (f'{{"at":{_text_json(at)},"kind":"length","low":{operator.index(lo)},'
                f'"high":{operator.index(hi)}}}')
    return _Limit(at, "length", write)


def allow(at, *what):
    """allow("action", Offer, Agree): only these alternatives of the Union now; or these values of an
    enum; or allow("accept", False)."""
    def write(stage, of):
        of = _reached(stage, at, of, "allow", lambda of: of.kind in ("variant", "enumeration", "boolean"),
                      "Unions, enums and bools")
        if of.kind == "variant":
            allowed = [of.of_class[each].kind_name for each in what if each in of.of_class]
        elif of.kind == "enumeration":
            allowed = [each.name for each in what if isinstance(each, of.cls)]
        else:
            allowed = [each for each in what if isinstance(each, bool)]
        if len(allowed) != len(what):
            raise _refused(stage, at, f"agon.allow takes what {_called(of)} may be, not "
                           + listed(map(_named, what)), "name what its type lists")
        return f'{{"at":{_text_json(at)},"kind":"alternatives","allowed":{_dump(allowed)}}}'
    return _Limit(at, "alternatives", write)


def presence(at, absent, present):
    """presence("amount", True, False): whether the Optional may be None, and whether it may not."""
    def write(stage, of):
        _reached(stage, at, of, "presence", lambda of: of.kind == "optional", "Optionals")
        return (f'{{"at":{_text_json(at)},"kind":"presence","absent":{_dump(bool(absent))},'
                f'"present":{_dump(bool(present))}}}')
    return _Limit(at, "presence", write)


def keys(at, names):
    """keys("profits", names): the dict has exactly these keys; or the text is one of them."""
    def write(stage, of):
        _reached(stage, at, of, "keys", lambda of: of.kind in ("map", "text"), "dicts and texts")
        return f'{{"at":{_text_json(at)},"kind":"names","names":{_dump(list(names))}}}'
    return _Limit(at, "names", write)


def one_of(at, names):
    """one_of("target", names): the text is one of these, as is each text of a list and that of an
    Optional."""
    def write(stage, of):
        found = _reached(stage, at, of, "one_of", lambda of: of.kind in ("text", "map"),
                         "texts, and lists and Optionals of texts")
        if found.kind == "map":
            raise _refused(stage, at, "agon.one_of is for texts, and this is a dict", _KINDS["map"][1])
        return f'{{"at":{_text_json(at)},"kind":"names","names":{_dump(list(names))}}}'
    return _Limit(at, "names", write)


# Of each kind, for messages.
_GIVEN_AS = {"range": "limit()", "each": "limit_each()", "length": "limit_length()", "alternatives": "allow()",
             "presence": "presence()", "names": "keys() or one_of()", "usual": "usual()"}


def _refuse_ignored(stage, limits):
    """Two limits at one place of which one would not count."""
    seen = set()
    for each in limits:
        if each.kind != "sum" and (each.at, each.kind) in seen:
            raise _refused(stage, each.at, f"{_GIVEN_AS[each.kind]} is given twice, and only the first would count",
                           "give one that says both")
        seen.add((each.at, each.kind))
    for each in limits:
        if each.kind != "each":
            continue
        of = stage._place(each.at)
        while of.kind == "optional":
            of = of.element
        if of.kind != "list" or of.element.kind != "integer":
            continue  # of lists of lists, each limit is about others
        for other in ("range", "length"):
            if (each.at, other) in seen:
                raise _refused(stage, each.at, f"{_GIVEN_AS[other]} would not count beside limit_each(), which says "
                               "both the length and the bounds", "leave out one of the two")


class _Asking:
    """What is said with one seat's question."""

    __slots__ = ("limits", "view", "check", "fallback")

    def __init__(self, limits, view, check, fallback):
        self.limits = limits
        self.view = view
        self.check = check
        self.fallback = fallback

    def write(self, seat, stage):
        out = f'{{"seat":{seat}'
        if self.limits:
            written = []
            for each in self.limits:
                if not isinstance(each, _Limit):
                    raise UsageError(f"{_named(each)} is no limit; a question takes agon.limit(...) and the "
                                     "like, view=, check= and fallback=")
                written.append(each.write(stage, stage._place(each.at)))
            if len(written) > 1:
                _refuse_ignored(stage, self.limits)
            out += ',"limits":[' + ",".join(written) + "]"
        if self.view is not None:
            if stage._view is None:
                raise UsageError(f"the stage '{stage.name}' has no view: say which with "
                                 "agon.Stage(..., view=TYPE)")
            made = self.view() if callable(self.view) else self.view
            out += ',"view":' + _written(stage._view, made, f"the view of the stage '{stage.name}'")
        if self.fallback is not None:
            out += ',"fallback":' + _written(stage._answer, self.fallback,
                                             f"the fallback of the stage '{stage.name}'")
        if self.check is not None:
            out += ',"checks":true'
        return out + "}"


def _written(of, value, what):
    try:
        return of.write(value)
    except _Misfit as misfit:
        raise UsageError(f"{what}: {misfit}") from None


def asking(*limits, view=None, check=None, fallback=None):
    """What goes with one seat's question, for ask_all and probe_all.

    view       what the seat sees: the stage's view, or a function that makes one
    check      check(answer) says why it is not legal, "" if it is: for what limits cannot say
    fallback   what is played when no attempt is legal; default: a default answer
    """
    return _Asking(limits, view, check, fallback)


_NOTHING = _Asking((), None, None, None)


# ---- the table -----------------------------------------------------------------------------------


class _Stopped(BaseException):
    """The arena wants no more of this match. No Exception, so that games do not catch it."""


class _Chance:
    """Chance of the match at one place: see Table.chance()."""

    __slots__ = ("_table", "_start")

    def __init__(self, table, name, at):
        self._table = table
        table._streams += 1
        self._start = (table._streams, name, at)

    def _draw(self, rest):
        number, name, at = self._start
        if name is not None:
            self._table._drawn_at(name, at)
        said = f'{{"type":"draw","stream":{number},'
        if name is not None:
            said += f'"name":{_text_json(name)},"at":{_dump(list(at))},'
            self._start = (number, None, None)
        return self._table._ask(said + rest + "}", "drawn")["value"]

    def between(self, lo, hi):
        """Uniform over lo..hi, both included; over whole cents if they are Money."""
        if isinstance(lo, Money) or isinstance(hi, Money):
            for bound in (lo, hi):
                if not _is_amount(bound):
                    raise UsageError(f"between two amounts is drawn from agon.Money to agon.Money: not {_named(bound)}")
            return Money(self.between(_cents(lo), _cents(hi)))
        lo, hi = operator.index(lo), operator.index(hi)
        if hi < lo:
            raise ValueError(f"there is no whole number between {lo} and {hi}")
        if lo < -2**63 or hi >= 2**63:
            raise ValueError(f"whole numbers are drawn from -2**63 to 2**63 - 1: not from {lo} to {hi}")
        return self._draw(f'"what":"between","low":{lo},"high":{hi}')

    def below(self, n):
        """Uniform over 0..n-1."""
        return self.between(0, n - 1)

    def unit(self):
        """Uniform over [0, 1)."""
        return float(self._draw('"what":"unit"'))

    def one_of(self, seats):
        """One of these seats, evenly; a seat that is drawn stays the one when others leave."""
        seats = [operator.index(seat) for seat in seats]
        if not seats:
            raise ValueError("there is no seat to draw")
        return self._draw(f'"what":"one_of","seats":{_dump(seats)}')

    def happens(self, probability):
        """True with this probability."""
        return self.unit() < probability

    def shuffle(self, items):
        """Puts a list into a random order, in place."""
        if len(items) > 1_000_000:
            raise ValueError(f"at most a million things can be shuffled: not {len(items)}")
        if len(items) > 1:
            order = self._draw(f'"what":"shuffle","n":{len(items)}')
            items[:] = [items[i] for i in order]


class Table:
    """What a game talks to. Its list is what the game asks and says:

        def play(table: agon.Table[OFFER, REPLY, OFFERED], s: Settings): ...
    """

    _listed = None

    def __class_getitem__(cls, listed):
        listed = listed if isinstance(listed, tuple) else (listed,)
        seen = set()
        for each in listed:
            if not isinstance(each, (Stage, Event)):
                raise UsageError(f"a table lists stages, probes and events: {_named(each)} is none")
            key = (isinstance(each, Stage), each.name, None if isinstance(each, Stage) else each._said)
            if key in seen:
                raise UsageError(f"the table lists '{each.name}' twice")
            seen.add(key)
        return type("Table", (cls,), {"_listed": listed})

    def __init__(self, wire, names, listening, sentences):
        self._wire = wire
        self._sentences = sentences
        self._names = names
        self._listening = listening
        self._streams = 0
        self._drawn = set()  # places of chance

    @property
    def seats(self):
        """How many seats play."""
        return len(self._names)

    def name(self, seat):
        """The seat's name, as other seats see it."""
        return self._names[self._seat(seat)]

    def ask(self, seat, stage, *limits, view=None, check=None, fallback=None):
        """Asks one seat and waits for its answer: the stage's dataclass, which also knows how it came:
        `.rejected` attempts that were turned down, how many of them were `.illegal`, and whether it
        is the fallback (`.forced`). The rest as asking() has it."""
        return self._question(stage, (seat,), (_Asking(limits, view, check, fallback),), True, False)[0]

    def ask_all(self, seats, stage, make=None):
        """Asks several seats at once; nobody sees another's answer. `make(seat)` returns
        agon.asking(...). The answers stand in the order of `seats`."""
        seats = tuple(seats)
        return self._question(stage, seats, self._made(seats, make), False, False)

    def probe(self, seat, probe, *limits, view=None, check=None, fallback=None):
        """Asks without effect on play. None if the agent declines or gives nothing legal."""
        return self._question(probe, (seat,), (_Asking(limits, view, check, fallback),), True, True)[0]

    def probe_all(self, seats, probe, make=None):
        """probe() of several seats at once, in the order of `seats`."""
        seats = tuple(seats)
        return self._question(probe, seats, self._made(seats, make), False, True)

    def announce(self, event, said):
        """Says something to everybody: the event's dataclass, an answer of it, or a function that makes
        one and is only called if somebody listens."""
        self._say('{"type":"announce",', Event, event, said)

    def tell(self, seat, event, said):
        """Says something to one seat."""
        self._say(f'{{"type":"tell","seat":{self._seat(seat)},', PrivateEvent, event, said)

    def note(self, event, said):
        """For the record only: true values, yardsticks, reasons."""
        self._say('{"type":"note",', Note, event, said)

    def chance(self, name, *at):
        """Chance at a place: chance("supply", day).between(0, 5). It depends on the name and the
        indices (two at most), never on who plays: give each place its own."""
        if len(at) > 2:
            raise UsageError("a place of chance has at most two indices")
        return _Chance(self, _checked_name(name, "chance"), [operator.index(i) for i in at])

    def deal(self, name, n, how="in_turn"):
        """The position, 0 to n-1, of what is dealt among n things: "in_turn", so that n blocks have each
        once, or "by_draw"."""
        if how not in ("in_turn", "by_draw"):
            raise UsageError(f"things are dealt \"in_turn\" or \"by_draw\", not {_named(how)}")
        return self._ask(f'{{"type":"deal","name":{_text_json(name)},"n":{operator.index(n)},'
                         f'"how":"{how}"}}', "drawn")["value"]

    def carried(self, seat, cls):
        """What this seat carried over from the match before in a learning sequence, or None."""
        of = _structure_of(cls)
        value = self._ask(f'{{"type":"carried","seat":{self._seat(seat)},"as":{_dump(of.describe())}}}',
                          "carried")["value"]
        return None if value is None else of.read(value)

    def carry(self, seat, value):
        """Hands a value to the same seat in the next match of the sequence."""
        of = _structure_of(type(value))
        written = _written(of, value, "what is carried over")
        self._open().say(f'{{"type":"carry","seat":{self._seat(seat)},"as":{_dump(of.describe())},'
                         f'"value":{written}}}')

    def _drawn_at(self, name, at):
        place = (name, *at)
        if place in self._drawn:
            said = ", ".join([f'"{name}"', *map(str, at)])
            raise UsageError(f"table.chance({said}) is used a second time and would bring the same random numbers "
                             f"again: number the places, as in table.chance(\"{name}\", round), or keep what the "
                             "first call returned and draw from that")
        self._drawn.add(place)

    def _open(self):
        if self._wire is None:
            raise UsageError("the match is over: nothing more can be asked or said at its table")
        return self._wire

    def _seat(self, seat):
        number = operator.index(seat)
        if not 0 <= number < len(self._names):
            raise UsageError(f"there is no seat {number}, the seats are 0 to {len(self._names) - 1}")
        return number

    def _need(self, listed, kind, how):
        if not isinstance(listed, kind):
            what = "a probe" if how == "probe()" else "a stage"
            raise UsageError(f"{how} is for {what}: not for {_named(listed)}")
        if listed._is_probe != (how == "probe()"):
            raise UsageError(f"'{listed.name}' is a probe: use table.probe() or table.probe_all()"
                             if listed._is_probe else
                             f"'{listed.name}' is a stage: use table.ask() or table.ask_all()")
        if listed not in self._listed:
            raise UsageError(f"the game's table does not list the stage '{listed.name}': add it to "
                             "agon.Table[...]")

    def _made(self, seats, make):
        made = [_NOTHING if make is None else make(seat) for seat in seats]
        for each in made:
            if not isinstance(each, _Asking):
                raise UsageError(f"what is made for each seat is agon.asking(...): not {_named(each)}")
        return made

    def _question(self, stage, seats, made, single, probe):
        self._need(stage, Stage, "probe()" if probe else "ask()")
        if not seats:
            return []
        said = ",".join([one.write(self._seat(seat), stage) for seat, one in zip(seats, made)])
        reply = self._ask(f'{{"type":"ask",{stage._start},"single":{"true" if single else "false"},'
                          f'"questions":[{said}]}}', "answers", (stage, made))
        read, answers = stage._answer.read, []
        for given in reply["answers"]:
            if given.get("declined"):
                answers.append(None)
                continue
            answer = read(given["answer"])
            # Not a class of its own, so that an answer equals what it reads like.
            kept = answer.__dict__
            kept["rejected"] = given.get("rejected", 0)
            kept["illegal"] = given.get("illegal", 0)
            kept["forced"] = given.get("forced", False)
            answers.append(answer)
        return answers

    def _ask(self, said, wanted, asked=None):
        """Says something and waits for what comes back, checking answers meanwhile."""
        wire = self._open()
        wire.say(said)
        while True:
            message = wire.hear()
            kind = message["type"]
            if kind == wanted:
                return message
            if kind == "stop":
                self._wire = None
                raise _Stopped
            if kind == "check" and asked is not None:
                stage, made = asked
                answer = stage._answer.read(message["answer"])
                reason = _text_or_none(made[message["question"]].check(answer), "check")
                if reason and self._sentences and reason not in self._sentences:
                    raise UsageError(f"the reason {_text_json(reason)} is none of the game's sentences: add it to "
                                     "sentences= of agon.game(), without names")
                wire.say(f'{{"type":"checked","reason":{_text_json(reason)}}}')
            else:
                raise _Broken(f"the arena says '{kind}' where '{wanted}' was expected")

    def _say(self, head, kind, event, said):
        if type(event) is not kind:
            raise UsageError(f"'{getattr(event, 'name', event)}' is said with "
                             f"{getattr(event, '_how', 'agon.Event')}")
        if event not in self._listed:
            raise UsageError(f"the game's table does not list the event '{event.name}': add it to "
                             "agon.Table[...]")
        wire = self._open()
        if not self._listening:
            return
        if callable(said):
            said = said()
        wire.say(head + event._start + _written(event._said, said, f"the event '{event.name}'") + "}")


def _text(text, what):
    if not isinstance(text, str):
        raise UsageError(f"{what} returned {_named(text)}, not a text")
    return text


def _text_or_none(text, what):
    return "" if text is None else _text(text, what)


# ---- how a match comes out -----------------------------------------------------------------------


class SeatScore:
    """What one seat got: SeatScore(kept, disagreement=0, ideal=pie).

    disagreement   what staying outside gives: 0 of the normalised score
    ideal          the seat's best payoff with nobody else left worse off: 1 of it
    rank           1 is best; 0: by score
    metrics        the dataclass that the game names as seat_metrics
    """

    def __init__(self, score, disagreement=None, ideal=None, rank=0, metrics=None):
        self.score = score
        self.disagreement = disagreement
        self.ideal = ideal
        self.rank = rank
        self.metrics = metrics


class Outcome:
    """How a match came out: what each seat got, and the metrics of the match as a whole. A game
    without match metrics returns the list of its SeatScores."""

    def __init__(self, seats, metrics=None):
        self.seats = list(seats)
        self.metrics = metrics


def _score_text(value, what):
    if isinstance(value, Money):
        return str(value.cents)
    if isinstance(value, (bool, str)) or not hasattr(value, "__float__"):
        raise UsageError(f"{what} is {_named(value)}, which is no number")
    if not math.isfinite(value):
        raise UsageError(f"{what} is {value}, which is no finite number")
    # What 64 bits do not hold is no whole number to the arena.
    return str(value) if type(value) is int and abs(value) < 2**63 else repr(float(value))


def _metrics_text(of, value, what):
    if of is None:
        raise UsageError(f"{what} has metrics, and the game does not say of which type: "
                         "agon.game(..., seat_metrics=TYPE, match_metrics=TYPE)")
    if not isinstance(value, of.cls):
        raise UsageError(f"the metrics of {what} are no {of.cls.__name__}: {_named(value)}")
    parts = []
    for name, start, write in of.prepared:
        held = getattr(value, name)
        undefined = held is None or (isinstance(held, float) and math.isnan(held))
        try:
            parts.append(start + ("null" if undefined else write(held)))
        except _Misfit as misfit:
            raise UsageError(f"the metric '{name}' of {what}: {misfit}") from None
    return "{" + "".join(parts) + "}"


# ---- the game's card -----------------------------------------------------------------------------


def _check_texts(card, names):
    for name in names:
        if not isinstance(getattr(card, name), str):
            raise UsageError(f"agon.{type(card).__name__}: {name} is a text, not {_named(getattr(card, name))}")


@dataclasses.dataclass
class SeatCard:
    """A seat of a match: its name, and its role if seats are not alike."""

    name: str
    role: str = ""

    def __post_init__(self):
        _check_texts(self, ("name", "role"))


@dataclasses.dataclass
class Preset:
    """A named set of settings: Preset("short", "one round", {"rounds": 1}) says which members differ
    from the defaults. `reasks`: how often a turned-down attempt is asked again."""

    name: str
    doc: str
    settings: dict = dataclasses.field(default_factory=dict)
    reasks: int = 3

    def __post_init__(self):
        like = "agon.Preset(\"short\", \"one round\", {\"rounds\": 1})"
        for name, kind, words in (("name", str, "a text"), ("doc", str, "a text, what the preset is"),
                                  ("settings", dict, "a dict of what differs from the defaults"),
                                  ("reasks", int, "a whole number")):
            if not isinstance(getattr(self, name), kind):
                raise UsageError(f"{name} of a preset is {words}, as in {like}: not {_named(getattr(self, name))}")


def _preset_value(of, value, where):
    """A preset's value as JSON: it may hold what members hold (Money, enumerators, dataclasses), or be
    JSON already. The arena sees to it that it fits."""
    while of is not None and of.kind == "optional":
        of = of.element
    if isinstance(value, dict):
        if of is not None and of.kind == "variant":
            of = of.step(value.get("kind"))
        steps = {name: of.element if of is not None and of.kind == "map" else of and of.step(name) for name in value}
        return {name: _preset_value(steps[name], each, f"{where}: {name}") for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_preset_value(of and of.element, each, where) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)) and not isinstance(value, enum.Enum):
        return value
    if of is None:
        raise UsageError(f"{where}: {_named(value)} is for no member of the settings")
    return json.loads(_written(of, value, where))


@dataclasses.dataclass
class Rate:
    """A rate for reports: Rate("failed bids", above="failed", below="bids") divides the sum of one
    seat metric by the sum of another, over all seats of an agent. Without `below`: by the number of
    seats for which `above` is defined. `what` says what is counted."""

    name: str
    above: str
    below: str = ""
    what: str = ""
    source: str = ""

    def __post_init__(self):
        _check_texts(self, ("name", "above", "below", "what", "source"))


@dataclasses.dataclass
class _NoSettings:
    """Of games that have none."""


class _Game:
    def __init__(self, id, play, card, functions, settings, table, metrics, facts, sentences):
        self.id = id
        self.play = play
        self.card = card
        self.functions = functions  # name -> function, those that the card wants to be asked for
        self.settings = settings
        self.table = table
        self.seat_metrics, self.match_metrics = metrics
        self.facts = facts
        self.sentences = sentences
        self.translations = {}  # by language
        self.stages = {each.name: each for each in table._listed if isinstance(each, Stage)}
        self.events = [each for each in table._listed if isinstance(each, Event)]

    def outcome(self, made, expected):
        if not isinstance(made, Outcome):
            if not isinstance(made, (list, tuple)):
                raise UsageError(f"play returns a list of agon.SeatScore, or an agon.Outcome: not {_named(made)}")
            made = Outcome(made)
        seats = []
        amount = other = None  # a score that is an agon.Money, and one that is none
        for number, got in enumerate(made.seats):
            what = f"seat {number}"
            if not isinstance(got, SeatScore):
                raise UsageError(f"what {what} got is an agon.SeatScore: not {_named(got)}")
            for name in ("score", "disagreement", "ideal"):
                value = getattr(got, name)
                if isinstance(value, Money):
                    amount = amount or f"the {name} of {what} is {value}"
                elif value:
                    other = other or f"the {name} of {what} is {_named(value)}"
            if amount and other:
                raise UsageError(f"{amount}, and {other}: scores of one match are all amounts (agon.Money) or none "
                                 "are")
            out = f'{{"score":{_score_text(got.score, "the score of " + what)}'
            if got.disagreement is not None:
                out += f',"disagreement":{_score_text(got.disagreement, "the disagreement point of " + what)}'
            if got.ideal is not None:
                out += f',"ideal":{_score_text(got.ideal, "the ideal of " + what)}'
            if got.rank:
                out += f',"rank":{operator.index(got.rank)}'
            if got.metrics is not None:
                out += ',"metrics":' + _metrics_text(self.seat_metrics, got.metrics, what)
            elif self.seat_metrics is not None:
                raise UsageError(f"{what} has no metrics, and the game says that there are: "
                                 f"agon.SeatScore(..., metrics={self.seat_metrics.cls.__name__}(...))")
            seats.append(out + "}")
        if len(seats) != expected:
            raise UsageError(f"play returned {counted(len(seats), 'SeatScore', 'SeatScores')}, and the match has "
                             f"{counted(expected, 'seat', 'seats')}: return one for each, in their order")
        out = '{"type":"outcome","seats":[' + ",".join(seats) + "]"
        if made.metrics is not None:
            out += ',"metrics":' + _metrics_text(self.match_metrics, made.metrics, "the match")
        elif self.match_metrics is not None:
            raise UsageError("the match has no metrics, and the game says that there are: return "
                             f"agon.Outcome(SEATS, {self.match_metrics.cls.__name__}(...))")
        return out + "}"


_games = {}


def game(id, play, *, title="", seats=(2, 2), rules="", seating=None, check=None, source="", score="",
         disagreement="", ideal="", score_range=(None, None), seat_metrics=None, match_metrics=None,
         presets=(), cluster="", stake="", score_decimals=0, version=1, facts=None, rates=(), reference="",
         persona=None, sentences=()):
    """A game of this file: game("ultimatum", play, seats=(2, 2), rules="...").

    play           play(table: agon.Table[...], settings: Settings), or without settings
    title          for people: "Alternating offers"
    seats          (fewest, most); a match has the fewest, unless `seating` makes more
    rules          what players are told, with {{name}} for settings; or rules(settings)
    seating        seating(settings) -> list of names or SeatCards, one a seat: how many play, and
                   in which roles
    check          check(settings) -> why they make no sense together, "" if they do
    source         the paper
    score          what a seat's score is, with its unit
    disagreement   what a seat's disagreement point is; ideal: likewise
    score_range    bounds of the normalised score, None where there is none
    seat_metrics   dataclass of the metrics of each seat; match_metrics: of the match
    presets        list of Preset; the first is the default
    cluster        match metric that names the item played for
    stake          match metric that says how large a match is, such as a list price: normalised scores
                   add up shares of it
    score_decimals 2: scores are cents (agon.Money), shown as 12.50
    version        raise it with any change that can change a record or a score
    facts          facts(settings) -> a dataclass, public figures for prompts; its annotation says
                   which: def facts(s: Settings) -> Figures
    rates          list of Rate
    reference      the agent that the others are measured against
    persona        persona(settings, seat) -> who the seat is to be, "" for nobody in particular
    sentences      list of all that the game says with agon.say(), so that it can be played in other
                   languages; reasons of check= are among them
    """
    _checked_name(id, "a game")
    if id in _games:
        raise UsageError(f"this file has two games called '{id}'")
    if not callable(play):
        raise UsageError(f"agon.game(\"{id}\", play): {_named(play)} is no function")
    parameters = list(inspect.signature(play).parameters)
    hints = typing.get_type_hints(play)
    table = hints.get(parameters[0]) if parameters else None
    if len(parameters) not in (1, 2) or not isinstance(table, type) or not issubclass(table, Table) or \
            table._listed is None:
        raise UsageError(f"the game '{id}' has to say what it asks and says, and its settings: write "
                         f"def {getattr(play, '__name__', 'play')}(table: agon.Table[OFFER, OFFERED], "
                         "s: Settings)")
    if len(parameters) == 2 and parameters[1] not in hints:
        raise UsageError(f"the game '{id}' has to say what its settings are: write "
                         f"{parameters[1]}: Settings")
    settings = _structure_of(hints[parameters[1]] if len(parameters) == 2 else _NoSettings)
    functions = {}
    for name, given in (("seating", seating), ("check", check), ("persona", persona), ("facts", facts)):
        if given is not None:
            if not callable(given):
                raise UsageError(f"{name} of the game '{id}' is a function of its settings: not {_named(given)}")
            functions[name] = given
    if callable(rules):
        functions["rules"] = rules
    for name, pair, of, words in (("seats", seats, (int,), "the fewest and the most, as in seats=(2, 2)"),
                                  ("score_range", score_range, (int, float, type(None)),
                                   "the least and the largest, as in score_range=(None, 1)")):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(each, of) for each in pair):
            raise UsageError(f"{name} of the game '{id}': {words}, and not {_named(pair)}")
    for name, number in (("version", version), ("score_decimals", score_decimals)):
        if type(number) is not int:
            raise UsageError(f"{name} of the game '{id}' is a whole number: not {_named(number)}")
    card = {"id": id, "seats": {"min": seats[0], "max": seats[1]}}
    texts = {"title": title, "rules": "" if callable(rules) else rules, "source": source, "score": score,
             "disagreement": disagreement, "ideal": ideal, "cluster": cluster, "stake": stake,
             "reference": reference}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise UsageError(f"{name} of the game '{id}' is a text: not {_named(text)}")
        if text:
            card[name] = text
    if tuple(score_range) != (None, None):
        card["score_range"] = list(score_range)
    card["settings"] = settings.describe()
    metrics = []
    for name, cls in (("seat_metrics", seat_metrics), ("match_metrics", match_metrics)):
        metrics.append(None if cls is None else _structure_of(cls))
        if cls is not None:
            card[name] = metrics[-1].describe()
    facts_type = None
    if facts is not None:
        facts_type = typing.get_type_hints(facts).get("return")
        if facts_type is None:
            raise UsageError(f"facts of the game '{id}' has to say what it returns: write "
                             f"def {getattr(facts, '__name__', 'facts')}(s: Settings) -> Facts")
        facts_type = _structure_of(facts_type)
        card["facts"] = facts_type.describe()
    for each in presets:
        if not isinstance(each, Preset):
            raise UsageError(f"presets of the game '{id}' are agon.Preset: {_named(each)} is none")
    for each in rates:
        if not isinstance(each, Rate):
            raise UsageError(f"rates of the game '{id}' are agon.Rate: {_named(each)} is none")
    if presets:
        card["presets"] = [dict(name=each.name, doc=each.doc, reasks=each.reasks,
                                settings=_preset_value(settings, each.settings, f"the preset '{each.name}'"))
                           for each in presets]
    if rates:
        card["rates"] = [dataclasses.asdict(each) for each in rates]
    if score_decimals:
        card["score_decimals"] = score_decimals
    card["version"] = version
    if isinstance(sentences, str) or not all(isinstance(each, str) and each for each in sentences):
        raise UsageError(f"sentences of the game '{id}' is a list of texts, none of them empty")
    if sentences:
        card["sentences"] = list(sentences)
    card["functions"] = sorted(functions)
    card["stages"] = [each._card() for each in table._listed if isinstance(each, Stage)]
    card["events"] = [each._card() for each in table._listed if isinstance(each, Event)]
    run_alone = sys._getframe(1).f_globals
    if not _games and run_alone.get("__name__") == "__main__" and "__file__" in run_alone:
        atexit.register(print, "play it with: agon play " + os.path.join(".", os.path.relpath(run_alone["__file__"])),
                        file=sys.stderr)
    _games[id] = _Game(id, play, card, functions, settings, table, metrics, facts_type, frozenset(sentences))


# ---- importers: what others published ------------------------------------------------------------


class Refused(Exception):
    """A file that cannot be read: the problem, where it is ("log.json:3"), and what helps."""

    def __init__(self, problem, where="", hint=""):
        super().__init__(problem)
        self.problem, self.where, self.hint = problem, where, hint


@dataclasses.dataclass
class InputFile:
    """A file for an importer: its name as the person gave it, for messages, and its bytes. The arena
    reads it; importers open none."""

    name: str
    bytes: bytes

    def lines(self):
        """The lines that are not blank, each with its number from 1. What is not UTF-8 is kept, as
        os.fsdecode() does."""
        text = self.bytes.decode("utf-8", "surrogateescape")
        return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip(" \t\r")]

    def json(self):
        """The whole file, as a JsonNode."""
        return read_json(self.bytes, self.name)


@dataclasses.dataclass
class BadRow:
    """A row that an importer could not take: its file's name, its line or entry from 1, and why."""

    file: str
    line: int
    reason: str


@dataclasses.dataclass
class PublishedAnswer:
    """An answer of a published match: `answer` as the game's stage takes it, {"bid": 30} or its JSON
    text; None: a probe that was declined. `reason`: what was said with it in private; it is recorded
    and shown to no other seat."""

    answer: object
    reason: str = ""


@dataclasses.dataclass
class PublishedSeat:
    """Who played a seat, as it was published ("gpt-4-32k"), and what it was beyond its name, as a
    suite's "factors" would say it: {"persona": "friendly"}. `answers`: lists of PublishedAnswer, in
    order, by the name of a stage or a probe. Probes beyond them are declined."""

    agent: str
    factors: dict = dataclasses.field(default_factory=dict)
    answers: dict = dataclasses.field(default_factory=dict)

    def say(self, stage, answer, reason=""):
        """Adds the seat's next answer at that stage."""
        self.answers.setdefault(stage, []).append(PublishedAnswer(answer, reason))


@dataclasses.dataclass
class PublishedDraw:
    """What chance brought at one place of the game, as the log has it: the whole numbers that the game
    draws at chance(name, *at), in order. What a game does not draw is not used."""

    name: str
    at: list
    values: list


@dataclasses.dataclass
class PublishedFigure:
    """A figure of the log, to be compared with what comes out when the match is played again.

    what       for people: "day 3: balance of Alex"
    event      of the game, in which it is; "": it is in the outcome
    nth        which of the events of that name, from 0
    place      JSON pointer to it (RFC 6901): "/residents/0/balance" of an event, "/seats/0/score",
               "/seats/0/metrics/spent" or "/metrics/survivors" of the outcome
    value      numbers are the same up to 1e-9
    line       of the log; 0: not known
    """

    what: str
    event: str
    nth: int
    place: str
    value: object
    line: int = 0


@dataclasses.dataclass
class PublishedScenario:
    """What published matches are matches of: a name for reports, a game's id, and settings as in a
    suite: {"preset": "paper", ...}."""

    name: str
    game: str
    settings: dict


@dataclasses.dataclass
class PublishedMatch:
    """A match that others played and published, ready to be played again by the arena's rules.

    file, line   the name of its file, and where it begins there, from 1
    scenario     which of Imported.scenarios
    seats        who played, in the order of the seats
    draws        what the log fixes of chance; figures: to be compared, in the order of play
    goes_on      what comes after a figure that differs follows from it, and is not compared: in games
                 whose state goes on
    """

    file: str
    line: int
    scenario: int = 0
    seats: list = dataclasses.field(default_factory=list)
    draws: list = dataclasses.field(default_factory=list)
    figures: list = dataclasses.field(default_factory=list)
    goes_on: bool = False


@dataclasses.dataclass
class Imported:
    """What an importer makes of its files: `data`, a file that write_data_file() wrote, or scenarios
    and matches; `summary`, a sentence with the counts; and the bad rows, in the order of the files."""

    data: str = ""
    scenarios: list = dataclasses.field(default_factory=list)
    matches: list = dataclasses.field(default_factory=list)
    summary: str = ""
    bad_rows: list = dataclasses.field(default_factory=list)

    def place(self, scenario):
        """The place of a scenario in the list; it is added where it is not there."""
        if scenario not in self.scenarios:
            self.scenarios.append(scenario)
        return self.scenarios.index(scenario)


def _reason_of(refused):
    """What is wrong with a log, where in it, and what helps. Nobody adds a member to what others
    published, as the reader of JSON would have it."""
    reason, path = refused.problem, refused.where.find("($")
    if path >= 0:
        reason += " at " + refused.where[path + 1:-1]
    if refused.hint.startswith('add "'):
        return reason + "; the log is of another version, or was edited: give it as it was published"
    if path < 0 and refused.where.count(":") > 1:
        return reason + "; the log is cut, or was edited: fetch it again as it was published"
    return f"{reason}; {refused.hint}" if refused.hint else reason


def read_each(files, read):
    """Reads logs one after another with read(file, imported): what is Refused of a file makes it a bad
    row, and no match of the file is kept."""
    imported = Imported()
    for file in files:
        before = len(imported.matches)
        try:
            read(file, imported)
        except Refused as refused:
            del imported.matches[before:]
            line = re.match(r":(\d+)", refused.where[len(file.name):]) if refused.where.startswith(file.name) else None
            imported.bad_rows.append(BadRow(file.name, int(line[1]) if line else 1, _reason_of(refused)))
    return imported


json_text = json.JSONEncoder(ensure_ascii=False).encode  # {"bid": 30}: as lines of data files are written


def write_data_file(format, version, rows, *, name="", how="", licence="", note=""):
    """One of Agon's data files: its format ("agon.bargaining.products"), and one row a line, each a
    dict or JSON already. Where the rows come from is free text for people: `name` of a file or a
    collection, `how` they were written there."""
    source = json.dumps({"name": name, "format": how, "licence": licence, "note": note}, ensure_ascii=False,
                        separators=(",", ":"))
    lines = ",\n".join(row if isinstance(row, str) else json_text(row) for row in rows)
    return (f'{{\n  "format": "{format}",\n  "version": {version},\n  "source": {source},\n  "rows": ['
            + ("\n" + lines if lines else "") + "\n  ]\n}\n")


def shuffle_draws(order):
    """What dice.shuffle() of a game draws to bring 0, 1, 2, ... into this order."""
    things, draws = list(range(len(order))), []
    for last in range(len(order) - 1, 0, -1):
        at = things.index(order[last])
        draws.append(at)
        things[last], things[at] = things[at], things[last]
    return draws


def draws_of(seat, seats):
    """What dice.one_of() of a game draws so that this seat of so many is drawn, if it is among those
    that may be."""
    return [(1 << 32) - 1 if each == seat else 0 for each in range(seats)]


class JsonNode:
    """A value of a JSON text. What is asked of it is what must be there: anything else is Refused, with
    file, line and path. `value` is the value as Python's json has it."""

    __slots__ = ("value", "_text", "_file", "_path")

    def __init__(self, value, text, file, path=()):
        self.value, self._text, self._file, self._path = value, text, file, path

    def __getitem__(self, step):
        """The element of a list, or the member of an object."""
        if isinstance(step, str):
            found = self.find(step)
            return self.fail(f'missing key "{step}"', f'add "{step}"') if found is None else found
        if step >= len(self):
            self.fail(f"this list has {len(self)} elements, too few", "add the missing ones")
        return JsonNode(self.value[step], self._text, self._file, self._path + (step,))

    def __len__(self):
        if not isinstance(self.value, list):
            self.fail("expected a list", "write [...]")
        return len(self.value)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __bool__(self):
        return True

    def find(self, name):
        """The member of an object, which may be null; None if there is none."""
        if name not in self._members():
            return None
        return JsonNode(self.value[name], self._text, self._file, self._path + (name,))

    def items(self):
        """Names and members of an object, in the order of the text."""
        return [(name, self[name]) for name in self._members()]

    def _members(self):
        if not isinstance(self.value, dict):
            self.fail("expected an object", "write {...}")
        return self.value

    def text(self):
        if not isinstance(self.value, str):
            self.fail("expected a text", "write it in double quotes")
        return self.value

    def number(self):
        """The number; 33 where the text has 33.0."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            self.fail("expected a number", "write a number without quotes")
        return plain(self.value)

    def whole(self):
        if type(self.value) is not int or not -(1 << 63) <= self.value < 1 << 63:
            self.fail("expected a whole number", "write a whole number")
        return self.value

    def fail(self, problem, hint):
        """Refuses the file at this place."""
        path = "".join(f"[{step}]" if isinstance(step, int) else
                       "." + step if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", step) else f"[{json_text(step)}]"
                       for step in self._path)
        raise Refused(problem, f"{self._file}:{_position(self._text, self._offset())} (${path})", hint)

    def line(self):
        """The line in which it begins (for a member: its name), from 1."""
        return self._text.count("\n", 0, self._offset()) + 1

    def element_lines(self):
        """The lines in which the elements of a list begin, all with one look at the text."""
        lines, line, before = [], 1, 0
        for begin, _ in _inside(self._text, self._offset(value=True)):
            line += self._text.count("\n", before, begin)
            before = begin
            lines.append(line)
        return lines

    def _offset(self, value=False):
        """Where it begins in the text. With `value`: behind its name."""
        name_at = at = _JSON_SPACE.match(self._text, 0).end()
        for step in self._path:
            for number, (begin, name) in enumerate(_inside(self._text, at)):
                if step == (number if name is None else name):
                    name_at = at = begin
                    if name is not None:
                        at = _behind_name(self._text, begin)
                    break
        return at if value else name_at


def plain(number):
    """33 for 33.0."""
    return int(number) if isinstance(number, float) and number.is_integer() and abs(number) < 1e16 else number


_JSON_SPACE = re.compile(r"[ \t\n\r]*")
_json_decoder = json.JSONDecoder()


def _behind_name(text, at):
    """Where the value of the member begins whose name begins there."""
    at = _JSON_SPACE.match(text, json.decoder.scanstring(text, at + 1)[1]).end()
    return _JSON_SPACE.match(text, at + 1).end()


def _inside(text, at):
    """Where the elements of the list that begins there begin, or the members of the object and what
    their names are."""
    is_object = text[at] == "{"
    at = _JSON_SPACE.match(text, at + 1).end()
    while text[at] not in "]}":
        yield at, json.decoder.scanstring(text, at + 1)[0] if is_object else None
        at = _json_decoder.raw_decode(text, _behind_name(text, at) if is_object else at)[1]
        at = _JSON_SPACE.match(text, at).end()
        if text[at] == ",":
            at = _JSON_SPACE.match(text, at + 1).end()


def _position(text, at):
    return f"{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


_JSON_PROBLEMS = {
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "':' is missing between a name and its value",
    "Expecting property name enclosed in double quotes": "a name in double quotes is due here",
    "Extra data": "there is more text after the end of the value",
    "Unterminated string starting at": "this string is never closed",
}


def _json_problem(text, error):
    if error.msg != "Expecting value":
        return _JSON_PROBLEMS.get(error.msg, error.msg[0].lower() + error.msg[1:])
    word = re.compile(r"[\w$+.-]+|.?", re.DOTALL).match(text, error.pos)[0]
    return f"'{word[:40]}' is not a value" if word else "the text ends too soon"


def read_json(text, file):
    """The value that a JSON text or its bytes are, as a JsonNode: names are unique within their object,
    and NaN is refused. `file` names it where something is wrong."""
    if not isinstance(text, str):
        text = text.decode("utf-8", "surrogateescape")
    if text.startswith("\ufeff"):
        text = " " + text[1:]

    def refuse(problem, at=0):
        raise Refused(problem, f"{file}:{_position(text, at)}", "give it as it was published")

    def members(pairs):
        made = dict(pairs)
        if len(made) < len(pairs):
            refuse("a name appears twice in one object")
        return made

    bad = re.search("[\ud800-\udfff]", text)
    if bad:
        refuse(f"the text is not valid UTF-8: byte '\\x{ord(bad[0]) & 0xff:02x}'", bad.start())
    try:
        value = json.loads(text, object_pairs_hook=members,
                           parse_constant=lambda word: refuse(f"'{word}' is not a number that JSON can hold"))
        if re.search(r"\\u[dD][89a-fA-F]", text):
            json_text(value).encode()
    except json.JSONDecodeError as error:
        refuse(_json_problem(text, error), error.pos)
    except UnicodeEncodeError:
        refuse("a \\u escape is half of a surrogate pair")
    except RecursionError:
        refuse("arrays and objects are nested too deep")
    return JsonNode(value, text, file)


_importers = {}
_components = {}  # by kind and id: card and class, see components.py
_providers = {}  # card and function, likewise


def importer(id, doc, read, *, extension="", imports="data", source="", licence=""):
    """An importer of this file: importer("cournot-logs", "reads ...", read, extension=".json", ...).

    doc        what it reads and what it makes
    read       read(files: list of InputFile) -> Imported; raises Refused for what cannot be taken as a
               whole
    extension  of the files taken from a folder: ".json"; "": one file
    imports    "data": a data file for scenarios; "matches": matches for an archive
    source     of matches: where they were published; licence: under which terms, as far as is known
    """
    _checked_name(id, "an importer")
    if id in _importers:
        raise UsageError(f"this file has two importers called '{id}'")
    if not callable(read):
        raise UsageError(f"agon.importer(\"{id}\", doc, read): {_named(read)} is no function")
    if imports not in ("data", "matches"):
        raise UsageError(f"imports of the importer '{id}' is \"data\" or \"matches\", not {_named(imports)}")
    card = {"id": id, "doc": _checked_doc(doc, f"the importer '{id}'"), "extension": extension, "imports": imports,
            "source": source, "licence": licence}
    for name, text in card.items():
        if not isinstance(text, str):
            raise UsageError(f"{name} of the importer '{id}' is a text: not {_named(text)}")
    _importers[id] = (card, read)


def _as_bytes(text):
    """What the arena wrote with one character a byte."""
    return text.encode("latin-1")


def _wire_members(value):
    """A part of Imported as the arena hears it."""
    if type(value) is PublishedAnswer:
        said = value.answer
        return {"json": said if isinstance(said, str) else "" if said is None else json_text(said),
                "reason": value.reason}
    if dataclasses.is_dataclass(value):
        return vars(value)
    raise UsageError(f"{_named(value)} is no part of agon.Imported that JSON can hold")


def _import(message):
    """What an importer makes of the files of a message, as JSON."""
    gc.disable()  # rows are many, and none is dropped
    card, read = _importers[message["importer"]]
    files = [InputFile(_as_bytes(each["name"]).decode("utf-8", "surrogateescape"), _as_bytes(each["bytes"]))
             for each in message["files"]]
    try:
        imported = read(files)
        if not isinstance(imported, Imported):
            raise UsageError(f"read of the importer '{card['id']}' returns an agon.Imported: not {_named(imported)}")
    except Refused as refused:
        imported = {"refused": vars(refused)}
    text = json.dumps(imported, default=_wire_members, separators=(",", ":"), allow_nan=False)
    if "\\ud" not in text:
        return text
    # Bytes that are no text are told as such: \xff.
    return re.sub(r"(\\\\|\\ud[89ab]..\\ud[c-f]..)|\\ud.(..)",
                  lambda found: found[1] or f"\\\\x{found[2]}", text)


# ---- the process of a file of games --------------------------------------------------------------


class _Gone(BaseException):
    """The arena says no more: the process is to end."""


class _Broken(BaseException):
    """The arena does not keep to the protocol."""


class _Wire:
    """Lines of JSON to and from the arena. What is said waits until something is to be heard."""

    def __init__(self, ours, theirs):
        self.ours = ours
        self.theirs = theirs

    def say(self, line):
        self.ours.write(line.encode("ascii", "backslashreplace") + b"\n")

    def hear(self):
        """The next message."""
        return json.loads(self.hear_line())

    def hear_line(self):
        try:
            self.ours.flush()
        except BrokenPipeError:
            raise _Gone from None
        line = self.theirs.readline()
        if not line.endswith(b"\n"):
            raise _Gone
        return line[:-1]


class _Printed(io.TextIOWrapper):
    """Standard output of the file: it goes to standard error, and its end is kept for a fault."""

    end = ""
    _MOST = 400

    def write(self, text):
        self.end = (self.end + text)[-self._MOST:]
        return super().write(text)


def _take_standard_streams():
    """The protocol gets descriptors of its own: what the file prints goes to standard error, and
    what it reads is empty, whichever way it goes about it."""
    ours = open(os.dup(1), "wb", buffering=1 << 16)
    theirs = open(os.dup(0), "rb", buffering=1 << 16)
    nothing, end = os.pipe()
    os.close(end)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = _Printed(open(1, "wb", buffering=0, closefd=False), "utf-8", "backslashreplace",
                          write_through=True)
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    return _Wire(ours, theirs)


def _where(error, folder):
    """File and line of the game's own code that an error comes from; "" where there is none."""
    if isinstance(error, UsageError) and error.place:
        frames = [error.place]
    elif isinstance(error, SyntaxError) and error.filename:
        frames = [(error.filename, error.lineno or 1)]
    else:
        frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return _own_line(reversed(frames), folder)


def _own_line(frames, folder):
    """The first of these files and lines that is the game's own code."""
    for name, line in frames:
        path = os.path.abspath(name)
        if os.path.exists(path) and path != os.path.abspath(__file__) and \
                os.path.commonpath([folder, path]) == folder:
            return f"{os.path.relpath(path, folder)}:{line}"
    return ""


def _say_where(folder, number, frame):
    """The arena ends the process for what it takes, and quotes what is written here before."""
    where = _own_line(((each.f_code.co_filename, line) for each, line in traceback.walk_stack(frame)), folder)
    if where:
        os.write(2, f"it was at {where}\n".encode("utf-8", "backslashreplace"))
    os._exit(1)


_LONGEST_FAULT = 2000  # characters


def _fault(error, folder, called=None, printing=None):
    """What went wrong in the game's code, as a message with the end of what it printed meanwhile; the
    whole story goes to standard error. What no line of the game's is to blame for is so for how the
    function that was `called` takes what it is given, or for what it returned."""
    try:
        said = str(error)
    except Exception as again:  # its __str__ is the game's code, too
        said = f"(its text cannot be had: {type(again).__name__})"
    text = said if isinstance(error, UsageError) else f"{type(error).__name__}: {said}"
    if isinstance(error, SyntaxError):
        text = f"{type(error).__name__}: {error.msg}"
    if isinstance(error, SystemExit):
        text = "it leaves the process with exit(), where it should return or raise an error"
    if isinstance(error, KeyboardInterrupt):
        text = "KeyboardInterrupt: nobody pressed a key; raise an error of another kind"
    text = _tellable(text)
    if len(text) > _LONGEST_FAULT:
        text = text[:_LONGEST_FAULT] + "..."
    print("Traceback (most recent call last):", file=sys.stderr)
    frame = error.__traceback__
    while frame and frame.tb_next and frame.tb_frame.f_code.co_filename == _fault.__code__.co_filename:
        frame = frame.tb_next  # how this module came to the game's code helps nobody
    traceback.print_tb(frame, file=sys.stderr)
    print(text, file=sys.stderr)
    where = _where(error, folder)
    if not where and hasattr(called, "__code__"):
        where = f"{os.path.relpath(called.__code__.co_filename, folder)}:{called.__code__.co_firstlineno}"
    fault = {"type": "fault", "problem": text, "where": where}
    printed = _tellable(printing.end if printing is not None else "").strip()
    return _dump(dict(fault, printed=printed) if printed else fault)


def _load(path):
    """Runs the file of games and returns its name and version."""
    import importlib.util
    stem = os.path.splitext(os.path.basename(path))[0]
    # Beside it, and not where the process was started, lies what it imports.
    sys.path[0] = os.path.dirname(path)
    spec = importlib.util.spec_from_file_location("agon_game_" + re.sub(r"\W", "_", stem), path)
    if spec is None:
        raise UsageError(f"'{os.path.basename(path)}' is no Python file: its name has to end with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not any((_games, _importers, _components, _providers)):
        raise UsageError("the file has no game: end it with agon.game(\"name\", play, ...), or, for model "
                         "agents, with agon.component(...), agon.tools(...) or agon.provider(...)")
    name = re.sub("[^a-z0-9]+", "-", stem.lower()).strip("-")
    return name or "game", str(getattr(module, "__version__", "1"))


def _function_for(game, message):
    """Which of the game's functions the message is answered by."""
    if message.get("what") in ("component", "complete"):
        return None
    if game is None:
        return _importers[message["importer"]][1]
    if message["type"] == "play":
        return game.play
    what = message.get("what")
    if what == "tell_event":
        return game.events[message["number"]].telling
    if what in ("tell_view", "ends"):
        stage = game.stages[message["stage"]]
        return stage.ends if what == "ends" else stage.telling
    return game.functions.get(what)


def _told(game, text, what):
    """A text for players. Where there are sentences it is one of them, or translations would lack it."""
    _text(text, what)
    if game.sentences and text and not isinstance(text, _Said):
        raise UsageError(f"{what} returns a text that is none of the game's sentences: return agon.say(...), and "
                         "agon.then(...) for several")
    return text


def _reply_to(game, message):
    """What a question outside of a match is answered with, in the language that it is asked in."""
    global _speaking
    language = message.get("language")
    _speaking = _Speaking(game.sentences, None if language is None else game.translations[language])
    try:
        return _reply(game, message)
    finally:
        _speaking = _Speaking()


def _reply(game, message):
    what = message["what"]
    settings = game.settings.read(message["settings"])
    if what == "rules":
        return _told(game, game.functions["rules"](settings), "rules")
    if what == "check":
        return _text_or_none(game.functions["check"](settings), "check")
    if what == "persona":
        return _told(game, _text_or_none(game.functions["persona"](settings, message["seat"]), "persona"), "persona")
    if what == "seating":
        cards = [SeatCard(each) if isinstance(each, str) else each
                 for each in game.functions["seating"](settings)]
        for each in cards:
            if not isinstance(each, SeatCard):
                raise UsageError(f"seating returns names or agon.SeatCards: not {_named(each)}")
        return [dataclasses.asdict(each) for each in cards]
    if what == "facts":
        return json.loads(_written(game.facts, game.functions["facts"](settings), "what facts returns"))
    if what == "tell_event":
        scene = Scene(message["names"], settings, message.get("reader", -1))
        event = game.events[message["number"]]  # names are shared by events for different ears
        return _told(game, event.telling(event._said.read(message["data"]), scene),
                     f"the telling of the event '{event.name}'")
    if what == "tell_view":
        scene = Scene(message["names"], settings, message.get("reader", -1))
        stage = game.stages[message["stage"]]
        return _told(game, stage.telling(stage._view.read(message["view"]), scene),
                     f"the telling of the stage '{stage.name}'")
    if what == "ends":
        stage = game.stages[message["stage"]]
        return bool(stage.ends(stage._answer.read(message["answer"])))
    raise _Broken(f"the arena asks for '{what}', which this module does not know")


def _play(wire, game, message):
    table = game.table(wire, message["names"], message.get("listening", True), game.sentences)
    try:
        made = game.play(*((table, game.settings.read(message["settings"])) if game.settings.cls is not _NoSettings
                           else (table,)))
        stopped = table._wire is None
    finally:
        table._wire = None
    if stopped:  # a game that caught what should have ended it
        raise _Stopped
    wire.say(game.outcome(made, table.seats))


def _serve(wire, path):
    folder = os.path.dirname(path)
    failed = None
    printing = sys.stdout  # the file may put another in its place
    try:
        name, version = _load(path)
    except BaseException as error:
        failed = _fault(error, folder, printing=printing)
    while True:
        message = wire.hear()
        kind = message["type"]
        if kind == "hello":
            if message.get("protocol") != 1:
                failed = _dump({"type": "fault", "where": "", "problem": "this agon_arena speaks protocol 1, the "
                                f"arena {message.get('protocol')}; take the one that ships with it"})
            wire.say(failed or _dump({
                "type": "hello", "protocol": 1, "name": name, "version": version,
                "language": "python %d.%d" % sys.version_info[:2],
                "games": [each.card for each in _games.values()],
                "importers": [card for card, _ in _importers.values()],
                **{name: [card for card, _ in held.values()] for name, held in
                   (("components", _components), ("providers", _providers)) if held}}))
            continue
        if kind == "language":  # nothing comes back
            _games[message["game"]].translations[message["language"]] = message["sentences"]
            continue
        printing.end = ""
        try:
            if kind == "play":
                _play(wire, _games[message["game"]], message)
            elif kind == "request" and message["what"] == "import":
                wire.say('{"type":"reply","value":' + _import(message) + "}")
            elif kind == "request" and message["what"] in ("component", "complete"):
                from .components import reply_to
                wire.say('{"type":"reply","value":' + _dump(reply_to(wire, message)) + "}")
            elif kind == "request":
                wire.say('{"type":"reply","value":' + _dump(_reply_to(_games[message["game"]], message)) + "}")
            elif kind == "stop":  # it met the outcome on the way
                raise _Stopped
            else:
                raise _Broken(f"the arena says '{kind}', which this module does not know")
        except _Stopped:
            wire.say('{"type":"stopped"}')
        except (_Gone, _Broken):
            raise
        except BaseException as error:
            wire.say(_fault(error, folder, _function_for(_games.get(message.get("game")), message), printing))


def main():
    """Serves the games and importers of a file to the arena: python3 -B -c "import agon; agon.main()" FILE.py"""
    if len(sys.argv) != 2:
        sys.exit("agon.main() is started by agon: play a file with 'agon play ./FILE.py'")
    wire = _take_standard_streams()
    code = 0
    path = os.path.abspath(sys.argv[1])
    signal.signal(signal.SIGXCPU, functools.partial(_say_where, os.path.dirname(path)))
    try:
        _serve(wire, path)
    except (_Gone, KeyboardInterrupt):
        pass
    except _Broken as broken:
        print(f"agon_arena: {broken}", file=sys.stderr)
        code = 1
    sys.stderr.flush()
    os._exit(code)  # what a game left running, or in a buffer, has nobody to wait for it


# ---- agents: programs that play a seat -----------------------------------------------------------


# The type of a message, and the id where it comes next, as the arena writes them.
_HEAD = re.compile(rb'{"type":"(\w+)"(?:,"id":("[\w.]+"))?')


_decode = json.JSONDecoder().raw_decode


def _history_of(told, number):
    """What the first of the pieces tell, each some lines, or what was read of them."""
    history = []
    for i in range(number):
        piece = told[i]
        if type(piece) is bytes:
            read = [_decode(line)[0] for line in piece.decode().split("\n")]  # texts may hold other breaks of lines
            piece = told[i] = [message for message in read if message["type"] in ("event", "asked", "answered")]
        history += piece
    return history


class _Member:
    """A member of a message of the arena: of a list of one, which is read when it is first asked for.
    Then it is the object's own."""

    def __init__(self, message):
        self._message = message

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, told, _owner=None):
        if told is None:
            return self
        message = getattr(told, self._message)
        read = message[0]
        if type(read) is bytes:
            read = message[0] = _decode(read.decode())[0]
        value = told.__dict__[self._name] = read.get(self._name)
        return value


def _member_of(message) -> typing.Any:
    """As whatever type the member is declared."""
    return _Member(message)


class Question:
    """What an agent is asked, and all that it may know.

    game, title, rules, facts      of the match; `facts` are figures that all know, or None
    match                          its label, for people
    seat, name, role, seats        which seat this is, its name and role, the names of all
    options                        values of the agent's options
    history                        what was told, asked and answered before, as the arena said it
    number, stage, doc, probe      the question; `probe` is True if it has no effect on play
    view                           what the seat sees now, or None
    schema                         JSON Schema of the answer, with the limits of the moment in it
    attempt, complaint             how often it was asked before, and why the last answer was refused
    asked_at_once, asked_index     how many seats are asked now, and which of them this is, from 0
    seed, dice                     the same whenever this question is put: a number, and random.Random
    seconds                        how long the answer may take, or None
    rendered                       the messages that a language model would be sent, dicts with "role" and
                                   "content"; None for an agent that did not ask for them
    memo                           what was kept with the last answer; what it is set to is kept
    thought                        set it to a private reason: it is recorded and shown to nobody
    """

    game: str = _member_of("_match")
    title: str = _member_of("_match")
    rules: str = _member_of("_match")
    facts: typing.Any = _member_of("_match")
    match: str = _member_of("_match")
    seat: int = _member_of("_match")
    name: str = _member_of("_match")
    role: str = _member_of("_match")
    seats: typing.List[str] = _member_of("_match")
    options: dict = _member_of("_match")
    number: int = _member_of("_message")
    stage: str = _member_of("_message")
    doc: str = _member_of("_message")
    probe: bool = _member_of("_message")
    view: typing.Any = _member_of("_message")
    schema: dict = _member_of("_message")
    attempt: int = _member_of("_message")
    complaint: typing.Optional[str] = _member_of("_message")
    asked_at_once: int = _member_of("_message")
    asked_index: int = _member_of("_message")
    seed: int = _member_of("_message")
    seconds: typing.Optional[float] = _member_of("_message")
    rendered: typing.Optional[typing.List[dict]] = _member_of("_message")
    memo: str = _member_of("_message")
    thought: str = ""

    def __init__(self, match, told, message):
        self._match, self._told, self._message = match, told, message
        self._number_told = len(told)  # more is told later

    @functools.cached_property
    def history(self) -> list:
        return _history_of(self._told, self._number_told)

    @functools.cached_property
    def dice(self):
        return random.Random(self.seed)

    def draw(self):
        """A random answer within what the schema allows."""
        return draw(self.schema, self.dice)

    def least(self):
        """The least answer that the schema allows."""
        return least(self.schema)

    def _said(self, given, id, write):
        """The message that gives an answer, or, for None, declines. `id`: as JSON; `write` makes it."""
        if given is None:
            said = '{"type":"decline","id":' + id
        else:
            if dataclasses.is_dataclass(given) and not isinstance(given, type):
                given = dataclasses.asdict(given)
            said = '{"type":"answer","id":' + id + ',"answer":' + write(given)
        if self.thought:
            said += ',"thought":' + write(self._text("thought"))
        if ("memo" in self.__dict__ or self._has_memo()) and self.memo:
            said += ',"memo":' + write(self._text("memo"))
        return said + "}"

    def _text(self, name):
        value = getattr(self, name)
        if not isinstance(value, str):
            raise UsageError(f"question.{name} is a text, not {_named(value)}")
        return value

    def _has_memo(self):
        """False if all members called so, one of them its own, are empty: nothing has to be read."""
        line = self._message[0]
        return type(line) is not bytes or line.count(b'"memo":') != line.count(b'"memo":""')


def draw(schema, dice):
    """A random value that fits a question's JSON Schema."""
    return _drawn(schema, dice, False)


def least(schema):
    """The least value that fits: the lowest numbers, no more than has to be, and of several kinds the
    last, which is null or the way out of a game."""
    return _drawn(schema, None, True)


# What a schema says in words of what numbers add up to: no keyword can.
_SUM = re.compile(r"(?:([\w.]+(?: \+ [\w.]+)+): )?(?:(exactly|at most|at least) (-?[\d.]+\d|\d)|"
                  r"(-?[\d.]+\d|\d) to (-?[\d.]+\d|\d)) in total")


def _summed(schema, value, dice):
    """The value with its numbers moved until they add up as the schema's description says."""
    for names, bound, n, lo, hi in _SUM.findall(schema.get("description", "")):
        low = float(lo or (n if bound in ("exactly", "at least") else "-inf"))
        high = float(hi or (n if bound in ("exactly", "at most") else "inf"))
        places = []

        def walk(schema, holder, key, path):
            inside = holder[key]
            if isinstance(inside, dict):
                for name, each in schema.get("properties", {}).items():
                    walk(each, inside, name, f"{path}.{name}" if path else name)
            elif isinstance(inside, list):
                for i in range(len(inside)):
                    walk(schema["items"], inside, i, path)
            elif isinstance(inside, (int, float)) and not isinstance(inside, bool):
                if not names or path in names.split(" + "):
                    schema = next((s for s in schema.get("anyOf", ()) if "null" != s.get("type")), schema)
                    places.append((holder, key, schema.get("minimum", 0), schema.get("maximum", math.inf)))

        walk(schema, [value], 0, "")
        if dice is not None:
            dice.shuffle(places)
        for holder, key, least, most in places:
            total = round(sum(place[0][place[1]] for place in places), 9)
            if total > high:
                holder[key] = max(least, holder[key] - (total - high))
            elif total < low:
                holder[key] = min(most, holder[key] + (low - total))
            if isinstance(holder[key], float) and holder[key].is_integer():
                holder[key] = int(holder[key])
    return value


def _drawn(schema, dice, timid):
    value = _drawn_part(schema, dice, timid)
    return _summed(schema, value, dice) if "in total" in schema.get("description", "") else value


def _drawn_part(schema, dice, timid):
    if "const" in schema:
        return schema["const"]
    for kinds, at in (("enum", 0), ("anyOf", -1)):
        if kinds in schema:
            choice = schema[kinds][at if timid else dice.randrange(len(schema[kinds]))]
            return choice if kinds == "enum" else _drawn(choice, dice, timid)
    kind = schema["type"]
    if kind == "object":
        return {name: _drawn(each, dice, timid) for name, each in schema["properties"].items()}
    if kind == "array":
        fewest = schema.get("minItems", 0)
        length = fewest if timid else dice.randint(fewest, min(schema.get("maxItems", 3), fewest + 3))
        return [_drawn(schema["items"], dice, timid) for _ in range(length)]
    if kind in ("integer", "number"):
        low = schema.get("minimum", min(0, schema.get("maximum", 0)))
        high = max(low, min(schema.get("maximum", low + 100), low + 100))
        return low if timid or high - low < 1 else dice.randint(math.ceil(low), int(high))
    if kind == "string":
        return "hello"[:schema.get("maxLength", 5)]
    if kind == "boolean":
        return False if timid else dice.random() < 0.5
    return None


def option(name, default, doc):
    """An option of an agent, for suites to set: a bool, a whole number, a number or a text."""
    kinds = {bool: "boolean", int: "integer", float: "number", str: "text"}
    if type(default) not in kinds:
        raise UsageError(f"the default of the option '{name}' is a bool, an int, a float or a text: not "
                         f"{_named(default)}")
    return {"name": name, "type": kinds[type(default)], "default": default, "doc": doc}


class Ending:
    """How a match ended, for over(ending) of an agent.

    match, seat, options           of the match, as Question has them
    finished                       False: it was stopped, or the game broke; then the rest is None
    payoff, normalised_score       what the seat got: 0 is the disagreement point, 1 the ideal
    rank, metrics                  of the seat, where the game has them
    history                        all that was told, asked and answered in the match
    """

    match: str = _member_of("_match")
    seat: int = _member_of("_match")
    options: dict = _member_of("_match")
    finished: bool = _member_of("_message")
    payoff: typing.Optional[float] = _member_of("_message")
    normalised_score: typing.Optional[float] = _member_of("_message")
    rank: typing.Optional[int] = _member_of("_message")
    metrics: typing.Optional[dict] = _member_of("_message")

    def __init__(self, match, told, message):
        self._match, self._told, self._message = match, told, message

    @functools.cached_property
    def history(self) -> list:
        return _history_of(self._told, len(self._told))


class Seated:
    """What one seat is told, from match to match."""

    def __init__(self):
        self._match, self._told = [{}], []

    def hear(self, lines):
        """Takes lines of the arena. Returns the type of the last one, its id as JSON, and the Question
        or Ending that it is, else None."""
        before, _, last = lines.rpartition(b"\n")
        if before:
            if not self._match[0]:
                first, _, before = before.partition(b"\n")
                self.hear(first)
            if before:
                self._told.append(before)
        found = _HEAD.match(last)
        kind, id = found.groups() if found else (json.loads(last)["type"].encode(), None)
        if kind == b"question":
            return kind, id.decode() if id else _id_of(last), Question(self._match, self._told, [last])
        if kind == b"over":
            return kind, None, Ending(self._match, self._told, [last])
        if kind == b"match":
            self._match, self._told = [last], []
        elif kind in (b"event", b"asked", b"answered"):
            self._told.append(last)
        elif kind == b"ping":
            id = id.decode() if id else _id_of(last)
        return kind, id, None


def _id_of(line):
    return json.dumps(json.loads(line).get("id"))


def agent(answer, *, name=None, options=(), over=None):
    """Plays a seat with answer(question), which returns an answer that fits question.schema, or None
    to decline a probe. over(ending), if given, is called when a match is over. Does not return before
    the arena is done. Whatever it prints goes to standard error. docs/external-agents.md of Agon says how
    such a program is played."""
    if not callable(answer):
        raise UsageError(f"agon.agent(answer): {_named(answer)} is no function")
    if over is not None and not callable(over):
        raise UsageError(f"agon.agent(over=...): {_named(over)} is no function")
    wire = _take_standard_streams()
    seated = Seated()
    try:
        while True:
            kind, id, heard = seated.hear(wire.hear_line())
            if kind == b"hello":
                stem = os.path.splitext(os.path.basename(sys.argv[0]))[0]
                said = {"type": "hello", "protocol": 1, "name": name or stem}
                wire.say(_dump(dict(said, options=list(options)) if options else said))
            elif kind == b"question":
                wire.say(heard._said(answer(heard), id, _dump))
            elif kind == b"over" and over is not None:
                over(heard)
            elif kind == b"ping":
                wire.say('{"type":"pong","id":' + id + "}")
            elif kind == b"end":
                break
    except _Gone:
        pass
    wire.ours.close()
