"""One match at a time, as the C library plays it: who is asked, what it sees, what it answers."""
import contextlib
import ctypes
import dataclasses
import functools
import math
import operator
import typing

from .errors import UsageError
from .game import Game, Layout, checked_count, checked_seed, table_options
from .library import Handle, Question, SeatOutcome, json_bytes, json_of, library, text_of
from .numbered import may_be_numbered, ranges

try:
    from .flat import Flat
except ImportError:  # without NumPy
    Flat = None


@dataclasses.dataclass(frozen=True)
class Making:
    """All that an environment is made of."""

    game: str
    preset: str
    settings: typing.Optional[dict]
    agents: typing.Optional[dict]
    entries: int
    reasks: int
    record: bool
    probes: bool
    events: bool
    flat: typing.Optional[bool]
    plugins: tuple
    trust: bool
    normalized: bool
    numbered: bool
    render_mode: typing.Optional[str]


@dataclasses.dataclass
class Asked:
    """An open question: its index, who is asked what, which attempt it is, and what the seat sees."""

    index: int
    seat: int
    stage: int
    attempt: int
    seen: typing.Any


@dataclasses.dataclass(frozen=True)
class AskedQuestion:
    """A question as JSON has it: `schema` is that of what is legal now, `complaint` says why the
    last answer was not."""

    seat: int
    stage: str
    attempt: int
    complaint: str
    view: typing.Any
    schema: typing.Any


@dataclasses.dataclass(frozen=True)
class Result:
    """How a match ended, by the names of all seats; None: there is no such number."""

    payoffs: dict
    normalized: dict
    ranks: dict
    fallbacks: dict
    metrics: dict


class Table:
    """Its methods are called within `with table:`, which lets one thread in. `asked` are the
    questions that are open; `faults` has the seats whose last answer was replaced by the game's
    fallback."""

    def __init__(self, making):
        self.making = making
        self.game = Game(making.game, making.preset, making.settings, making.entries, making.plugins, making.trust)
        self.layout = Layout(self.game, making.probes)
        agents, options = table_options(making.agents, making.entries, reasks=checked_count(making.reasks, "reasks"),
                                        record=making.record, probes=making.probes, events=making.events)
        self.outside = self.game.outside(agents)
        if making.flat and Flat is None:
            raise UsageError("flat observations need NumPy", hint="install numpy, or use flat=False")
        self.flat = Flat(self.layout) if Flat is not None and making.flat in (None, True) else None
        self._library = library()
        with self.game.handle as game:
            self._handle = Handle("environment", lambda out: self._library.agon_env_make(game, options, out),
                                  self._library.agon_env_free, self.game.handle)
        self._pointer = self._handle.pointer
        self._questions = (Question * max(len(self.game.names), 1))()
        self._fallbacks = (ctypes.c_int32 * max(len(self.game.names), 1))()
        self.forget()
        if self.flat is not None and making.numbered and may_be_numbered(self.layout):
            self._number()

    @contextlib.contextmanager
    def trial(self):
        """Another table of the game, without the agents at other seats, which may be slow or cost money."""
        making = dataclasses.replace(self.making, agents=None, reasks=0, record=False, events=False, numbered=False)
        table = Table(making)
        with contextlib.closing(table), table:
            yield table

    def _number(self):
        with self.trial() as trial:
            found = ranges(trial)
        if found is not None:
            self.layout.number(found)

    def __enter__(self):
        self._handle.__enter__()
        return self

    def __exit__(self, *error):
        self._handle.__exit__(*error)

    def close(self):
        self._handle.close()

    def forget(self):
        """No match is being played."""
        self.asked, self.faults, self.over, self._begun = [], set(), False, False
        self._known = [0] * len(self.game.names)  # fallbacks so far, by seat

    def reset(self, seed, block):
        seed, block = checked_seed(seed), checked_seed(block, "block")
        self.forget()
        self._library.agon_env_reset(self._pointer, seed, block)
        self._read()
        self._begun = True

    def go_on(self):
        """Plays on, once all that are asked have answered."""
        self._begun = False  # until what follows has worked
        self._library.agon_env_step(self._pointer)
        self._read()
        self._begun = True

    def require_match(self):
        if not self._begun:
            raise UsageError("no match is being played", hint="call reset() first")

    def _read(self):
        """Reads what is open, and whose last answer was replaced."""
        count = self._library.agon_env_open(self._pointer, self._questions, len(self._questions))
        self.asked, self.over = [], not count
        for index in range(count):
            question = self._questions[index]
            self.asked.append(Asked(index, question.seat, question.stage, question.attempt,
                                    self._seen(index, question.stage)))
        self._library.agon_env_fallbacks(self._pointer, self._fallbacks)
        now = list(self._fallbacks)
        self.faults.update(seat for seat in self.outside if now[seat] > self._known[seat])
        self._known = now

    def _seen(self, index, stage):
        if self.flat is not None:
            return self.flat.read(self._library, self._pointer, index, stage)
        return self._json(index)["view"]

    def _json(self, index):
        return json_of(self._library.agon_env_question, self._pointer, index)

    def stage_of(self, asked):
        return self.game.stages[asked.stage]

    def stage_name(self, asked):
        return self.stage_of(asked)["name"]

    def question(self, asked):
        said = self._json(asked.index)
        return AskedQuestion(asked.seat, self.stage_name(asked), asked.attempt, said["complaint"] or "", said["view"],
                             said["schema"])

    def text(self, asked):
        """What a person would be told now."""
        return self._json(asked.index)["text"]

    def told(self, seat):
        return json_of(self._library.agon_env_told, self._pointer, seat)

    # ---- answers ----

    def answer(self, given):
        """Gives answers, made by reading()."""
        for asked, give in given:
            self.faults.discard(asked.seat)
            give(asked.index)

    def _call(self, function, *arguments):
        pointer = self._pointer  # and not self, which would refer to itself by its last calls
        return lambda index: function(pointer, index, *arguments)

    def drawn(self, asked):
        """A uniform draw over the legal answers, as reading() has it."""
        return asked, self._call(self._library.agon_env_answer, None)

    def reading(self, asked, action):
        """An action as the question and the call that answers it. Nothing is answered yet, so that
        a wrong type changes nothing."""
        if dataclasses.is_dataclass(action) and not isinstance(action, type):
            action = dataclasses.asdict(action)
        if isinstance(action, dict):
            return asked, self._json_answer(action)
        if isinstance(action, (str, bytes, bool, type(None))):
            raise self._misfit(asked, action)
        if not getattr(action, "shape", ()):
            try:
                return asked, self._numbered(asked, operator.index(action))
            except TypeError:
                pass  # no whole number
        return asked, self._placed(asked, action)

    def _json_answer(self, answer):
        return self._call(self._library.agon_env_answer_json, json_bytes(answer, "the answer"))

    def _numbered(self, asked, action):
        first, end = self.layout.part(asked.stage)
        most = end if self.layout.count is None else self.layout.count
        if first == end or not 0 <= action < most:
            raise self._misfit(asked, action)
        if not first <= action < end:  # of another stage: not legal
            return self._json_answer({"action": action})
        if asked.stage in self.layout.ranges:
            return self._placed(asked, [self.layout.ranges[asked.stage][0] + action - first])
        return self._call(self._library.agon_env_answer_action, action - first)

    def _placed(self, asked, action):
        try:
            values = [float(value) for value in action]
        except (TypeError, ValueError):
            raise self._misfit(asked, action) from None
        columns = self.stage_of(asked)["places"]
        if len(values) not in (len(columns), max(self.layout.places, 1)):
            raise self._misfit(asked, action, f"{len(values)} numbers do not answer")
        for place, column in enumerate(columns):
            if column["kind"] != "number" and math.isfinite(values[place]):
                values[place] = float(round(values[place]))
        array = (ctypes.c_double * max(len(values), 1))(*values)
        return self._call(self._library.agon_env_answer, array)

    def _misfit(self, asked, action, what=""):
        first, end = self.layout.part(asked.stage)
        forms = ["a dict, as question().schema describes it",
                 f"an array of {len(self.game.stages[asked.stage]['places'])} places"]
        if first != end:
            forms.append(f"a number from {first} to {end - 1}")
        text = repr(action)
        what = what or f"{text if len(text) < 60 else text[:57] + '...'} does not answer"
        return UsageError(f"{what} stage '{self.stage_name(asked)}'", hint="an action is " + ", or ".join(forms))

    # ---- the end ----

    def _ended(self, metrics):
        seats = (SeatOutcome * max(len(self.game.names), 1))()
        if metrics:
            return seats, json_of(self._library.agon_env_outcome, self._pointer, seats)
        self._library.agon_env_outcome(self._pointer, seats, None)
        return seats, None

    def rewards(self):
        """By outside seat; 0 where there is none."""
        seats, _metrics = self._ended(False)
        part = "normalized" if self.making.normalized else "payoff"
        return {seat: _number(getattr(seats[seat], part)) or 0.0 for seat in self.outside}

    def outcome(self):
        if not self.over:
            raise UsageError("the match is not over", hint="play on until every agent is terminated")
        seats, metrics = self._ended(True)
        by_name = functools.partial(zip, self.game.names)
        return Result(dict(by_name(_number(seat.payoff) for seat in seats)),
                      dict(by_name(_number(seat.normalized) for seat in seats)),
                      dict(by_name(seat.rank for seat in seats)),
                      dict(by_name(seat.fallbacks for seat in seats)), metrics)

    def record(self):
        return json_of(self._library.agon_env_record, self._pointer)


def _number(value):
    return None if math.isnan(value) else value
