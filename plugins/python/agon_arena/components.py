"""Components of model agents in Python: classes with the methods of those in C++, and tools made of functions.

    class Recent(agon.Memory):
        def notes(self, turn):
            return "\\n".join(each.text for each in turn.past[-5:])

    agon.component("recent", Recent, "The last five events.")

docs/parts.md of Agon has the reference. A component may be at work in several processes, and keeps
nothing in them: what it needs again it puts into turn.state, which is recorded.
"""
import dataclasses
import enum
import inspect
import json
import operator
import re
import sys
import traceback
import typing

from . import (Question, UsageError, _Broken, _Stopped, _checked_doc, _checked_name, _components, _dump,
               _named, _providers, _structure_of, _tellable, _text, field)

__all__ = ["Answer", "Beliefs", "Form", "Learning", "Memory", "Past", "Persona", "Planning", "Reasoning", "Said",
           "Tools", "Turn", "component", "provider", "tools"]


@dataclasses.dataclass
class _NoParams:
    pass


@dataclasses.dataclass
class _Calls:
    calls: int = field(8, "that may be made of them for one question, at most", min=1, max=100, unit="calls")


class Past(typing.NamedTuple):
    """What happened before the question: an event, or a move of the seat's own."""

    at: int  # its place, from 0: turn.news_from, turn.phase_from and turn.places are places, too
    when: str  # "after day 3"
    own: bool  # a move
    text: str


class Said(typing.NamedTuple):
    """What the model said in a call. `fault`: "ok", "empty", "truncated" or "refused"."""

    text: str
    reasoning: str
    fault: str


@dataclasses.dataclass
class Answer:
    """A model's answer as it was read. `value` is None where there is none, and `problem` says why."""

    fault: str
    value: typing.Any = None
    thought: str = ""
    problem: str = ""
    said: str = ""


class Turn:
    """One question while an agent answers it: what a component can see and do.

    question    what is asked (agon.Question; `told` is the view in words); its `history` is empty: see `past`
    state       a dict of JSON values that comes back at the seat's next question of the match
    news_from   place in the history from which on it is news: all since the seat's last answer
    phase_from  place where the phase began that runs at `news_from`; places: how many there are
    """

    def __init__(self, wire, doing, message):
        self._wire = wire
        self._doing = doing
        self._note = message["note"]
        self._past = None
        self.question = _question_of(message)
        self.state = json.loads(self._note) if self._note else {}
        self.news_from, self.phase_from, self.places = (message[each] for each in
                                                        ("news_from", "phase_from", "places"))

    def _ask(self, what, **members):
        if self._wire is None:
            raise _Stopped
        self._wire.say(_dump(_clean({"type": "turn", "what": what, **members})))
        message = self._wire.hear()
        if message["type"] == "stop":
            self._wire = None
            raise _Stopped
        if message["type"] != "turned":
            raise _Broken(f"the arena says '{message['type']}' where 'turned' is expected")
        return message["value"]

    def _only(self, doing, what):
        if self._doing != doing:
            raise UsageError(f"{what} is for the reasoning alone: it is made of what the other components say")

    def _keep(self):
        if self._wire is None:  # a component that caught what should have ended it
            raise _Stopped
        if not isinstance(self.state, dict):
            raise UsageError(f"turn.state is a dict, not {_named(self.state)}")
        note = json.dumps(self.state, sort_keys=True, allow_nan=False) if self.state else ""
        if note != self._note:
            self._ask("note", text=note)
            self._note = note

    @property
    def past(self):
        """What was told, and the seat's own moves, as a list of agon.Past. News are at turn.news_from and later;
        the model is shown them anyway."""
        if self._past is None:
            self._past = [Past(**each) for each in self._ask("past")]
        return self._past

    def events(self, begin=0, end=None):
        """What was told between two places, a line an event."""
        return self._ask("events", **self._span(begin, end))

    def account(self, begin=0, end=None):
        """What was told and answered between two places, in lines."""
        return self._ask("account", **self._span(begin, end))

    def dialogue(self, begin=0, end=None):
        """The same as messages, told by the "user" and answered by the "assistant": dicts with role and content."""
        return self._ask("dialogue", **self._span(begin, end))

    def _span(self, begin, end):
        span = {"from": begin, "to": self.places if end is None else end}
        for place in span.values():
            if not 0 <= operator.index(place) <= self.places:
                raise ValueError(f"a place in the history is a whole number from 0 to turn.places, which is "
                                 f"{self.places}: not {place}")
        return {name: operator.index(place) for name, place in span.items()}

    @property
    def opening(self):
        """The dialogue before the task: system prompt and memory, dicts with "role" and "content"."""
        if self._doing == "messages":
            raise UsageError("turn.opening is made of the messages of the memory")
        if self._doing != "notes":
            return self._ask("opening")
        # The messages of the same memory are made for it, and may write to the same state.
        self._keep()
        opening = self._ask("opening")
        self._note = self._ask("note")
        self.state.clear()
        self.state.update(json.loads(self._note) if self._note else {})
        return opening

    @property
    def task(self):
        """What the model is asked at this stage, with what the other components add."""
        self._only("answer", "turn.task")
        return self._ask("task")

    def form(self, think=False):
        """How the answer is to be written, in words."""
        return self._ask("form", think=think)

    def render(self, file, **names):
        """A prompt file by its name without ".txt", with its names filled: those of the question and these."""
        return self._ask("render", file=file, names={name: str(text) for name, text in names.items()})

    def call(self, messages, purpose, *, schema=None, max_tokens=0):
        """Asks the model, through Agon: recorded, priced and capped. `messages` are dicts with "role" and
        "content", or a text, which then follows turn.opening. Returns an agon.Said."""
        if isinstance(messages, str):
            opening = self.opening
            last = {"role": "user", "content": messages}
            if opening[-1]["role"] == "user":
                last["content"] = opening.pop()["content"] + "\n\n" + messages
            messages = [*opening, last]
        more = {} if schema is None else {"schema": schema}
        return Said(**self._ask("call", messages=messages, purpose=purpose, max_tokens=max_tokens, **more))

    def embed(self, texts, model):
        """A vector for each text, a list of numbers, by a model of the agent's own endpoint, such as
        "text-embedding-3-small": through Agon, as call(). None where nothing came of it."""
        return self._ask("embed", texts=list(texts), model=model)

    def ask_for_answer(self, prompt=None, purpose="answer", think=False):
        """Asks for the answer after `prompt` (turn.task if it is left out), reads it and returns an agon.Answer.
        `think`: with a private thought first. Asked again, the model is shown what was wrong."""
        self._only("answer", "turn.ask_for_answer()")
        said = self._ask("answer", prompt=self.task if prompt is None else prompt, purpose=purpose, think=think)
        text = said.pop("json")
        return Answer(value=json.loads(text) if text else None, **said)


def _clean(value):
    """The same with halves of surrogate pairs written out: the arena takes no text that Unicode has not."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_clean(name): _clean(each) for name, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, (list, tuple)) else value


def _question_of(message):
    told = message["question"]
    question = Question([told], [], [told])
    question.told = told["told"]
    return question


class Component:
    """What all components have in common: self.params, an instance of the dataclass Params."""

    kind: str
    Params: type = _NoParams
    params: typing.Any
    prompts: dict = {}  # prompt files that it renders, and for each a list of the names that it gives

    def _made(self):
        return {}


class Persona(Component):
    """Who the model is to be."""

    kind = "persona"

    def text(self, question):
        """For the system prompt; "": none."""
        raise NotImplementedError


class Memory(Component):
    """What the model is reminded of."""

    kind = "memory"
    whole = False  # messages() shows all from the beginning on

    def messages(self, turn):
        """Messages between the system prompt and the task: dicts with "role" and "content"."""
        return []

    def notes(self, turn):
        """A text beside the task, under a heading of its own; "": none."""
        return ""

    def _made(self):
        return {"whole": self.whole}


class Learning(Component):
    """What is learnt for the rounds and matches to come."""

    kind = "learning"
    answers = True  # probes that ask what was learnt are answered

    def lessons(self, turn):
        """For the task; "": nothing yet."""
        raise NotImplementedError

    def _made(self):
        return {"answers": self.answers}


class Planning(Component):
    """Whether and when plans are made."""

    kind = "planning"
    answers = False  # probes that ask for a plan are answered
    again = False  # those that ask for a plan again are, too

    def plan(self, turn):
        """The plan, under a heading of its own; "": none."""
        raise NotImplementedError

    def _made(self):
        return {"answers": self.answers, "again": self.again}


class Beliefs(Component):
    """What is held to be so."""

    kind = "beliefs"
    answers = False  # probes of beliefs are answered
    again = False  # also when the game has shown what was wrong

    def text(self, turn):
        """Under a heading of its own; "": nothing."""
        raise NotImplementedError

    def _made(self):
        return {"answers": self.answers, "again": self.again}


class Reasoning(Component):
    """How an answer is found."""

    kind = "reasoning"
    answers = False  # probes are answered that no other component speaks to

    def answer(self, turn):
        """Finds the answer: what turn.ask_for_answer() returns, or a value of its own."""
        raise NotImplementedError

    def _made(self):
        return {"answers": self.answers}


class Form(Component):
    """How an answer is written down, and read from what the model says."""

    kind = "form"

    def instructions(self, question, think):
        """What the model is told of it. `think`: a private thought is wanted before the answer."""
        raise NotImplementedError

    def schema(self, question, think):
        """JSON Schema for the endpoint, a dict; None: free text."""
        return None

    def read(self, question, text):
        """The answer, or (answer, thought). Raises ValueError with what is wrong where the text has none: the
        model is told, and asked again."""
        raise NotImplementedError

    written = None  # written(self, answer): how an answer is shown to the model later; None: as JSON

    def _made(self):
        return {"writes": self.written is not None}


class Tools(Component):
    """What a model may have worked out before it answers: each public method is a tool, see agon.tools()."""

    kind = "tools"
    Params: type = _Calls

    def _functions(self):
        inherited = {name for each in (Tools, Component) for name in vars(each)}
        return {name: getattr(self, name) for name in dir(self)
                if not name.startswith("_") and name not in inherited and name != "params" and
                inspect.isroutine(getattr(self, name))}

    def _made(self):
        made = {"tools": [_tool_card(name, each) for name, each in self._functions().items()],
                "calls": getattr(self.params, "calls", 8)}
        return dict(made, longest=self.params.longest) if hasattr(self.params, "longest") else made


# ---- tools out of functions ----------------------------------------------------------------------

_PLAIN = {bool: ("boolean", "true or false"), int: ("integer", "a whole number"), float: ("number", "a number"),
          str: ("string", "a text")}
_LONGEST_RESULT = 1 << 16  # characters


class _Argument:
    """The type of a tool's argument: its JSON Schema, and how it is read."""

    def __init__(self, hint, where):
        self._hint, self._where, self._doc = hint, where, ""
        if typing.get_origin(hint) is typing.Annotated:
            self._hint, *docs = typing.get_args(hint)
            self._doc = " ".join(each for each in docs if isinstance(each, str))
        self._origin, self._of = typing.get_origin(self._hint), typing.get_args(self._hint)
        self._is_union = self._origin is typing.Union or type(self._hint).__name__ == "UnionType"
        self._choices = None
        if isinstance(self._hint, type) and issubclass(self._hint, enum.Enum):
            self._choices = {each.name: each for each in self._hint}
        elif self._origin is typing.Literal:
            self._choices = {each: each for each in self._of}
        known = self._hint in _PLAIN or self._choices or self._origin is list and self._of or self._is_union and \
            len(self._of) == 2 and type(None) in self._of
        if not known:
            raise UsageError(f"{where}: {getattr(hint, '__name__', hint)} is no type of an argument: use bool, int, "
                             "float, str, an enum.Enum, Literal, Optional[...] or List[...]")
        if self._is_union:
            self._inner = _Argument(next(each for each in self._of if each is not type(None)), where)
        elif self._origin is list:
            self._inner = _Argument(self._of[0], f"each of {where}")

    def schema(self):
        if self._hint in _PLAIN:
            said = {"type": _PLAIN[self._hint][0]}
        elif self._choices:
            said = {"enum": list(self._choices)}
        elif self._is_union:
            said = {"anyOf": [self._inner.schema(), {"type": "null"}]}
        else:
            said = {"type": "array", "items": self._inner.schema()}
        return dict(said, description=self._doc) if self._doc else said

    def read(self, value):
        """Raises ValueError for a value of another type."""
        if self._is_union:
            return None if value is None else self._inner.read(value)
        if self._origin is list:
            if not isinstance(value, list):
                raise ValueError(f"{self._where} must be a list")
            return [self._inner.read(each) for each in value]
        if self._choices:
            if not isinstance(value, (str, int)) or value not in self._choices:
                raise ValueError(f"{self._where} must be one of {', '.join(map(str, self._choices))}")
            return self._choices[value]
        if self._hint is float and type(value) is int:
            return float(value)
        if self._hint is int and type(value) is float and value.is_integer():
            return int(value)
        if type(value) is not self._hint:
            raise ValueError(f"{self._where} must be {_PLAIN[self._hint][1]}")
        return value


def _arguments_of(name, function):
    """By name the type of an argument and whether it may be left out; `turn` is given by Agon."""
    hints = typing.get_type_hints(function, include_extras=True)
    found = {}
    for each in inspect.signature(function).parameters.values():
        if each.name == "turn":
            continue
        if each.name not in hints or each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD, each.POSITIONAL_ONLY):
            raise UsageError(f"the tool '{name}' does not say what type its argument '{each.name}' has: write "
                             f"{each.name}: float")
        found[each.name] = (_Argument(hints[each.name], each.name), each.default is not each.empty)
    return found


def _tool_card(name, function):
    if not re.fullmatch("[a-zA-Z][a-zA-Z0-9_]{0,63}", name) or name == "answer":
        raise UsageError(f"'{name}' is no name for a tool: use letters, digits and '_'; \"answer\" is taken")
    doc = inspect.getdoc(function)
    if not doc:
        raise UsageError(f"the tool '{name}' has no docstring, which tells the model what it does")
    arguments = _arguments_of(name, function)
    return {"name": name, "doc": doc, "schema": {
        "type": "object", "properties": {each: of.schema() for each, (of, _) in arguments.items()},
        "required": [each for each, (_, optional) in arguments.items() if not optional],
        "additionalProperties": False}}


def _called(part, turn, tool, text):
    """What a tool gives, or in words why it does not: the model is told."""
    functions = part._functions()
    if tool not in functions:
        return {"problem": f"there is no tool '{tool[:80]}'; there are: {', '.join(functions)}"}
    try:
        given = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {"problem": "the arguments are not valid JSON"}
    if not isinstance(given, dict):
        return {"problem": "the arguments must be a JSON object"}
    arguments = _arguments_of(tool, functions[tool])
    try:
        for name in given:
            if name not in arguments:
                raise ValueError(f"there is no argument '{name[:80]}'; there are: {', '.join(arguments) or 'none'}")
        for name, (_, optional) in arguments.items():
            if name not in given and not optional:
                raise ValueError(f"the argument '{name}' is missing")
        read = {name: arguments[name][0].read(value) for name, value in given.items()}
    except ValueError as error:
        return {"problem": str(error)}
    if "turn" in inspect.signature(functions[tool]).parameters:
        read["turn"] = turn
    try:
        result = functions[tool](**read)
        said = result if isinstance(result, str) else json.dumps(result, allow_nan=False)
        if len(said) > _LONGEST_RESULT:
            raise ValueError("the result is longer than 65536 characters")
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return {"problem": _tellable(f"{type(error).__name__}: {error}")[:1000]}
    return {"text": said}


def tools(id, functions, doc, *, calls=8, longest=None, game="", source="", overlaps=(), purposes=()):
    """Tools made of functions: tools("market", [fee, last_price], "Looks up fees and prices.").

    The name of a function is the tool's, its docstring tells the model what it does, and the types of its
    arguments become their JSON Schema; Annotated[float, "in dollars"] says what an argument means. An argument
    called `turn` is given the agon.Turn. The result is a text, or written as JSON. An exception becomes a text for
    the model; its traceback goes to standard error. calls: the default of the parameter `calls`. longest: that of
    the parameter `longest`, the bytes of a result that the model is shown at most; None: 16000, and no parameter.
    """
    named = {}
    for each in functions:
        if not inspect.isroutine(each):
            raise UsageError(f"agon.tools(\"{id}\", [...]): {_named(each)} is no function")
        if each.__name__.startswith("_") or hasattr(Tools, each.__name__) or each.__name__ in (*named, "params"):
            raise UsageError(f"'{each.__name__}' is no name for a tool: it is taken, or begins with '_'")
        named[each.__name__] = staticmethod(each)
    members = [("calls", int, field(calls, "that may be made of them for one question, at most", min=1, max=100,
                                    unit="calls"))]
    if longest is not None:
        members.append(("longest", int, field(longest, "of a result that the model is shown, at most", min=1,
                                              max=_LONGEST_RESULT, unit="bytes")))
    made = dataclasses.make_dataclass("Calls", members)
    component(id, type("ToolsOf" + str(id), (Tools,), dict(named, Params=made)), doc, game=game, source=source,
              overlaps=overlaps, purposes=purposes)


# ---- what the arena asks -------------------------------------------------------------------------


def component(id, cls, doc, *, game="", source="", overlaps=(), purposes=()):
    """A component that agents of suites can name: component("recent", Recent, "The last five events.").

    cls       derives from agon.Memory, agon.Planning, agon.Reasoning, agon.Tools, ...; its dataclass Params
              describes its parameters, which a suite sets: "memory": "recent:n=3"
    doc       what it does, in a sentence or two
    game      the one game that it is for; "": any
    source    paper and section, if it is from one
    overlaps  other components that show the model the same: (kind, id, "both show past events")
    purposes  of its calls that `models` of a suite may have another model answer: ["draft"]
    """
    _checked_name(id, "a component")
    if not (isinstance(cls, type) and issubclass(cls, Component) and hasattr(cls, "kind")):
        raise UsageError(f"agon.component(\"{id}\", {_named(cls)}): the class derives from agon.Memory, agon.Planning, "
                         "agon.Reasoning, agon.Tools or another kind of component")
    if (cls.kind, id) in _components:
        raise UsageError(f"this file has two {cls.kind} components called '{id}'")
    if inspect.isroutine(getattr(cls, "params", None)):
        raise UsageError(f"agon.component(\"{id}\", ...): 'params' is no name for a method or a tool: self.params "
                         "holds the parameters")
    if isinstance(purposes, str):
        raise UsageError(f"agon.component(\"{id}\", ...): purposes is a list of texts")
    if cls.kind == "tools":
        functions = cls()._functions()
        if not functions:
            raise UsageError(f"the tools '{id}' have no public method or function that is a tool")
        for name, each in functions.items():
            _tool_card(name, each)  # says early what is wrong with it
    card = {"kind": cls.kind, "id": id, "doc": _checked_doc(doc, f"the component '{id}'"), "game": game,
            "source": source, "params": _structure_of(cls.Params).describe()}
    if overlaps:
        card["overlaps"] = [dict(zip(("kind", "id", "what"), each)) for each in overlaps]
    if purposes:
        card["purposes"] = [_text(each, "each of purposes") for each in purposes]
    _components[cls.kind, id] = (card, cls)


def provider(id, complete, doc, *, wire="openai"):
    """Models that run in the process of this file: provider("local", complete, "A model of this machine.").

    complete  complete(request: dict) -> the reply, a dict as the wire format has it; for "openai" a text will do.
              request has "model", "messages" and what the model's settings say, as that endpoint gets them. What
              it raises is taken for an error of a server, and the call is tried again
    wire      whose wire format it is: the id of a provider of Agon, "openai" or "anthropic"
    """
    _checked_name(id, "a provider")
    if not callable(complete):
        raise UsageError(f"agon.provider(\"{id}\", complete, doc): {_named(complete)} is no function")
    if id in _providers:
        raise UsageError(f"this file has two providers called '{id}'")
    _providers[id] = ({"id": id, "doc": _checked_doc(doc, f"the provider '{id}'"), "wire": wire}, complete)


def _completed(message):
    card, complete = _providers[message["provider"]]
    made = complete(message["body"])
    if isinstance(made, str) and card["wire"] == "openai":
        made = {"choices": [{"message": {"role": "assistant", "content": made}, "finish_reason": "stop"}]}
    if not isinstance(made, dict):
        raise UsageError(f"complete of the provider '{card['id']}' returns a dict, as the wire format has it: not "
                         f"{_named(made)}")
    return made


def _text_or_nothing(value, what):
    return "" if value is None else _text(value, what)


def _said_answer(made, what):
    """A component's answer as the arena hears it."""
    if dataclasses.is_dataclass(made) and not isinstance(made, (type, Answer)):
        made = dataclasses.asdict(made)
    if not isinstance(made, (Answer, dict)):
        raise UsageError(f"{what} returns an agon.Answer, a dataclass or a dict that is the answer: not {_named(made)}")
    if isinstance(made, dict):
        made = Answer("ok", made)
    said = {name: getattr(made, name) for name in ("fault", "thought", "problem", "said")}
    value = made.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    return said if value is None else dict(said, json=json.dumps(_clean(value), allow_nan=False))


def _read_by(form, message):
    try:
        made = form.read(_question_of(message), message["text"])
    except RecursionError:  # of a parser at what the model said
        return {"fault": "unparsable", "problem": "it is nested too deep"}
    except ValueError as error:
        return {"fault": "unparsable", "problem": str(error) or "it cannot be read"}
    thought = ""
    if isinstance(made, tuple) and len(made) == 2:
        made, thought = made
    return dict(_said_answer(made, "read"), thought=thought or "")


def _checked_messages(made):
    if not isinstance(made, (list, tuple)) or not all(isinstance(each, dict) for each in made):
        raise UsageError(f"messages returns a list of dicts with \"role\" and \"content\": not {_named(made)}")
    return list(made)


def _done(wire, part, message):
    """What a component does that is asked for by a request."""
    do = message["do"]
    if do == "make":
        return dict(part._made(), prompts=part.prompts)
    if do == "written":
        return _text(part.written(message["json"]), "written")
    if "note" not in message:
        question = _question_of(message)
        if do == "text":
            return _text_or_nothing(part.text(question), "text")
        if do == "instructions":
            return _text(part.instructions(question, message["think"]), "instructions")
        if do == "schema":
            schema = part.schema(question, message["think"])
            return "" if schema is None else json.dumps(schema)
        return _read_by(part, message)
    turn = Turn(wire, do, message)
    if do == "answer":
        value = _said_answer(part.answer(turn), "answer")
    elif do == "messages":
        value = _checked_messages(part.messages(turn))
    elif do == "result":
        value = _called(part, turn, message["tool"], message["arguments"])
    else:
        value = _text_or_nothing(getattr(part, do)(turn), do)
    turn._keep()
    return value


def reply_to(wire, message):
    """The value of the reply to a request of the arena."""
    if message["what"] == "complete":
        return _clean(_completed(message))
    _, cls = _components[message["kind"], message["id"]]
    part = cls()
    part.params = _structure_of(cls.Params).read(message["params"])
    return _clean(_done(wire, part, message))
