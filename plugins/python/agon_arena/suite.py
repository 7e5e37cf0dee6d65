"""Suites: run(), plan(), replay(), check() and report(), as the commands of these names do it."""
import contextlib
import json
import os
import re
import sys
import tempfile

from . import _named, counted
from .archive import read
from .command import Players, Progress, answer_of, answers_later, execute, words_of
from .errors import Error, FailedError, UsageError
from .identity import version_of
from .library import json_bytes
from .tables import html_of_data, html_of_markdown, pandas_or, section_of

_ENDED = {4: "the run was stopped", 6: "matches could not be finished", 7: "the run was stopped by a cap or for lack "
          "of credit"}


class Result:
    """What a command found: `data` has the members of its --json; str() and print() give its words."""

    def __init__(self, words, data):
        self._words, self.data = words, data

    def __getitem__(self, name):
        return self.data[name]

    def __str__(self):
        return execute(self._words, quiet=True)[1]

    def __repr__(self):
        return f"<{type(self).__name__}: agon {' '.join(self._words)}>"

    def _repr_html_(self):
        return html_of_data(self.data)


class Run(Result):
    """What a run came to. `archive` is the path of what it played."""

    def __init__(self, words, data):
        super().__init__(words, data)
        self.archive = os.path.abspath(data["archive"])

    def __fspath__(self):
        return self.archive

    def read(self):
        """Its matches, as agon.read() has them: not those of other suites and agents in the archive."""
        return read(self.archive, run=self.data["run"])

    def report(self, **options):
        """Their report, as agon.report() has it."""
        return report(self.archive, **{"run": self.data["run"], **options})

    def __str__(self):
        before, played = self.data["before"], self.data["played"]
        return (f"{before + played} of {self.data['matches']} matches, {played} played now and {before} before, in "
                f"{self.archive}")

    def __repr__(self):
        return f"<Run: {self}>"


def run(suite, agents=None, *, out=None, jobs=None, progress=True, **options):
    """Plays what a suite asks for and returns a Run. `suite`: a file, or a dict with what such a file
    has. `agents`: functions of a question (also async ones), objects with answer(question), or specs,
    by name; they take the place of agents of the suite, or join them. The archive `out` (default: the
    suite's name with .agon) is the same that the command `agon run` writes; a second call plays what
    it lacks. `progress`: True, False, or a function of (done, total). `options`: those of `agon run`,
    such as blocks=2, model="openai/...", trust=True. Raises FailedError if not all could be played,
    with the Run as `result`, and KeyboardInterrupt after Ctrl-C, when what is done is kept."""
    _refuse_own(options, "json", "help", "quiet", "report")
    file, text, players = _asked(suite, agents)
    words = ["run", file, "--json", *words_of(dict(options, out=out, jobs=jobs))]
    shown = Progress(progress)
    try:
        with _told_as_given(suite):
            code, printed = execute(words, players, suite=text, progress=shown)
    finally:
        players.close()
    _raise_failure(players)
    ended = Run(words, json.loads(printed))
    for one in ended["fallbacks"]:
        answers = counted(one["answers"], "fallback answer", "fallback answers")
        sys.stderr.write(f"{one['agent']}: {answers} in {one['game']} ({counted(one['matches'], 'match', 'matches')}) "
                         f"because no answer of the agent could be played\n  the first: {one['first']}\n")
    if ended["played"] > 0:
        for name in players.never_asked():
            sys.stderr.write(f"the agent '{name}' was asked nothing: see whether the suite's design names it\n")
    if code != 0:
        reason = ended["halt_reason"] or (f"{ended['unfinished']} were left, {ended['game_faults']} ended because the "
                                          "game broke")
        raise _failed(f"{_ENDED.get(code, 'not all could be played')}: {reason}", ended.archive,
                      "what was finished is kept; the same call plays the rest", ended)
    if callable(progress):
        shown.show(ended["matches"], ended["matches"])
    return ended


def branch(archive, match=None, *, at=None, every=None, sample=None, seat=None, answer=None, agent=None, without=None,
           persona=None, repeats=1, out, agents=None, **options):
    """Plays recorded matches on from a question with one thing changed, and returns a Run: `agon branch`.

    match                       its number or id; None: all
    at, every, sample           where: a question's number, several, or "all"; every question of a stage; so many
                                drawn ones of each match
    answer, agent, without,     what is changed there: the answer (a list: a branch for each); who plays from there
    persona                     on, as in agon.run() a function, an object or a spec; components that the seat's model
                                agent lacks; who it is to be. Give one, or nothing for the matches themselves
    seat                        only at questions of this seat or role
    repeats                     of each branch, with other random numbers of the agents
    out                         the archive of the branches, with their parents
    agents                      functions and objects that play other seats, by the names that they had
    options                     those of agon.run()
    """
    changes = [{"answer": each} for each in (answer if isinstance(answer, (list, tuple)) else [answer])
               if each is not None]
    changes += [{name: value} for name, value in (("agent", agent), ("without", without), ("persona", persona))
                if value is not None]
    if len({name for change in changes for name in change}) > 1:
        raise UsageError("a change is one of answer, agent, without and persona",
                         hint="call agon.branch() for each of them")
    places = [each for each in (at, {"every": every}, {"sample": sample}) if each not in (
        None, {"every": None}, {"sample": None})]
    if len(places) > 1:
        raise UsageError("questions are named by one of at, every and sample", hint="leave the others out")
    if changes and not places:
        raise UsageError("missing where the branches leave their match", hint="at=QUESTION, every=STAGE, sample=N or "
                         "at=\"all\"")
    others = dict(agents or {}) if isinstance(agents, (dict, type(None))) else agents
    if agent is not None:
        name = agent if isinstance(agent, str) else "changed" if isinstance(agent, dict) else getattr(
            agent, "__name__", type(agent).__name__).strip("<>")
        changes = [{"agent": name}]
        if isinstance(others, dict) and not (isinstance(agent, str) and agent in others):
            others[name] = agent
    if without is not None:
        changes = [{"without": [without] if isinstance(without, str) else list(without)}]
    path = os.path.abspath(os.fspath(archive))
    asked = {"archive": path, "repeats": repeats, "changes": changes}
    asked["matches"] = "all" if match in (None, "all") else [_number_of(path, match)]
    if places:
        asked["at"] = [places[0]] if isinstance(places[0], int) else places[0]
    if seat is not None:
        asked["seat"] = seat
    name = os.path.splitext(os.path.basename(path))[0] + "-branches"
    return run({"suite": name, "branch": asked}, others, out=out, **options)


def _number_of(archive, match):
    """The number of a match, which is named by it or by its id."""
    if isinstance(match, int):
        return match
    name = str(match)
    execute(["show", archive, name, "--json"], quiet=True)  # refuses what names none, or several
    listed = json.loads(execute(["show", archive, "--json", "--limit", "1000000000"], quiet=True)[1])
    numbers = [row["match"] for row in listed if str(row["match"]) == name.lstrip("#")]
    return (numbers or [row["match"] for row in listed if row["id"].startswith(name.lower())])[0]


def _refuse_own(options, *names):
    for name in names:
        if name in options:
            raise UsageError(f"{name}= is not an option of this function", hint="results have data, str() and "
                             "report() for it")


@contextlib.contextmanager
def _told_as_given(suite):
    """Errors in a dict have a path in it, and no file."""
    try:
        yield
    except Error as error:
        if isinstance(suite, dict):
            error.where = re.sub(r"^.*?\((\$.*)\)$", r"\1", error.where)
        raise


def _raise_failure(players):
    if players.failure is not None:
        agent, where, error = players.failure
        if error is None:
            raise FailedError(f"the agent '{agent}' was played by a function, which this call was not given",
                              hint="what was finished is kept; add agents={" + repr(agent) + ": function}")
        if isinstance(error, KeyboardInterrupt):
            raise error
        words = getattr(error, "problem", error)  # without the hint of an error of ours
        raise FailedError(f"the agent '{agent}' raised {type(error).__name__} {where}: {words}",
                          hint="what was finished is kept; mend the agent and run again") from error


def plan(suite, agents=None, **options):
    """What a suite would play and cost, without playing it: `agon plan`."""
    _refuse_own(options, "json", "help", "quiet")
    file, text, players = _asked(suite, agents)
    players.close()
    words = ["plan", file, *words_of(options)]
    with _told_as_given(suite):
        _, printed = execute([*words, "--json"], players, suite=text, quiet=True)
    return Plan(words, json.loads(printed), players, text)


class Plan(Result):
    """What a suite would play: `data` has the members of `agon plan --json`."""

    def __init__(self, words, data, players, text):
        super().__init__(words, data)
        self._players, self._text = players, text

    def __str__(self):
        return execute(self._words, self._players, suite=self._text, quiet=True)[1]


def _asked(suite, agents):
    """The suite as (file, text or None, players): with the agents that are given."""
    agents = {} if agents is None else agents
    if not isinstance(agents, dict) or not all(isinstance(name, str) for name in agents):
        raise UsageError(f"agents is a dict of agents by name, not {_named(agents)}")
    functions = {name: agent for name, agent in agents.items() if not isinstance(agent, (str, dict))}
    for name, agent in functions.items():
        answer_of(name, agent)
    players = Players(functions)
    if isinstance(suite, dict):
        document, file = dict(suite), f"{suite.get('suite') or 'suite'}.json"
    elif not isinstance(suite, (str, os.PathLike)):
        raise UsageError(f"a suite is a file or a dict, not {_named(suite)}")
    elif not agents:
        return os.fspath(suite), None, players
    else:
        file = _found(os.fspath(suite))
        if not os.path.isfile(file):
            return file, None, players  # likewise
        with open(file, encoding="utf-8") as text:
            try:
                document = json.loads(_plain_json(text.read()))
            except ValueError:
                return file, None, players  # the command says what is wrong with it
    given = document.get("agents", {}) if isinstance(document, dict) else None
    if isinstance(given, dict):  # else the command says what is wrong
        document["agents"] = dict(given, **{name: _spec(name, agent) for name, agent in agents.items()})
        for name, agent in given.items():
            if callable(agent) and name not in agents:
                raise UsageError(f"the agent '{name}' of the suite is {_named(agent)}",
                                 hint="give functions as agents={...} of this call")
    return file, json_bytes(document, "the suite").decode(), players


def _plain_json(text):
    """Without the comments and last commas that a suite may have."""
    string = r'("(?:\\.|[^"\\])*")'
    text = re.sub(string + r"|//[^\n]*|/\*.*?\*/", lambda found: found[1] or " ", text, flags=re.DOTALL)
    return re.sub(string + r"|,(?=\s*[}\]])", lambda found: found[1] or "", text)


def _found(file):
    """A suite that ships with Agon is found by scenarios/NAME, as the command finds it."""
    package = os.path.dirname(os.path.abspath(__file__))
    if file.startswith("scenarios/") and not os.path.exists(file):
        for share in (os.path.join(package, "tree", "share", "agon"), os.path.join(package, os.pardir, os.pardir)):
            shipped = os.path.join(os.path.normpath(share), file)
            if os.path.exists(shipped):
                return shipped
    return file


def _spec(name, agent):
    if isinstance(agent, (str, dict)):
        return agent
    played = {"name": name, "version": version_of(agent)}
    rendered = getattr(agent, "rendered", False)
    if not isinstance(rendered, bool):
        raise UsageError(f"rendered of the agent '{name}' is {_named(rendered)}: True or False is needed")
    if rendered:
        played["rendered"] = True
    if answers_later(name, agent):
        played["later"] = True
    return {"function": played}


class Report(Result):
    """The report of an archive: `data` has its sections, str() its words."""

    def __init__(self, words, data, archive):
        super().__init__(words, data)
        self.archive, self._own, self._file = archive, [], None

    def add_section(self, name, make, *, title=None, note=""):
        """Adds a section of your own: make(archive) returns its rows, dicts by column of texts, numbers, and
        dicts such as {"value": 3.5, "low": 3.1, "high": 3.9, "n": 20, "unit": "dollars"}. It comes after the
        others, in every format."""
        if not re.fullmatch("[a-z0-9_-]{1,64}", str(name)) or name in self.sections:
            wrong = "has a section {} itself" if name in self.sections else "cannot have a section {}: it is no name"
            raise UsageError("the report " + wrong.format(_named(name)), hint="use lower-case letters, digits, _ and -")
        own = [*self._own, section_of(name, title or name, make(self.archive), note)]
        file = tempfile.NamedTemporaryFile("wb", suffix=".json", prefix="agon-sections-")
        file.write(json_bytes({"format": "agon.sections", "version": 1, "sections": own}, f"the section {_named(name)}"))
        file.flush()
        words = [*self._words[:len(self._words) - 2 * bool(self._own)], "--add-sections", file.name]
        self.data = json.loads(execute([*words, "--json"], quiet=True)[1])
        self._words, self._own, self._file = words, own, file  # the file lives as long as the report
        return self

    def __str__(self):
        return self.text()

    @property
    def sections(self):
        """The names of its sections."""
        return list(dict.fromkeys(section["id"] for section in self.data["sections"]))

    def rows(self, section=None):
        """A dict for each figure, with its interval: the columns of `agon report --format csv`."""
        import csv
        import io
        rows = csv.DictReader(io.StringIO(self.text("csv")))
        return [{name: _number(cell) for name, cell in row.items()} for row in rows
                if section is None or row["section"] == section]

    def text(self, format="text"):
        """The report in another format: "markdown", "latex", "csv" or "html"."""
        return execute([*self._words, *(["--format", format] if format != "text" else [])], quiet=True)[1]

    def frame(self, section=None):
        """The same as a pandas.DataFrame."""
        return pandas_or("rows()").DataFrame(self.rows(section))

    def figure(self, section="leaderboard"):
        """A matplotlib figure of a section: its values with their intervals, or its curves."""
        from .tables import figure_of
        found = [each for each in self.data["sections"] if each["id"] == section]
        if not found:
            raise UsageError(f"the report has no section {_named(section)}; it has {', '.join(self.sections)}")
        return figure_of(found)

    def _repr_html_(self):
        return html_of_markdown(self.text("markdown"))


def _number(cell):
    try:
        return int(cell)
    except ValueError:
        pass
    try:
        return float(cell)
    except ValueError:
        return cell or None


def report(archive, **options):
    """The report of an archive, as `agon report` makes it. `options`: those of the command, such as
    reference="truthful", full=True, section=["leaderboard", "pairs"]."""
    _refuse_own(options, "json", "help", "quiet", "csv", "format")
    words = ["report", os.fspath(archive), *words_of(options)]
    pages = {name: options.pop(name) for name in ("html", "svg", "matches") if name in options}
    if pages:
        execute([*words])
        words = ["report", os.fspath(archive), *words_of(options)]
    data = json.loads(execute([*words, "--json"])[1])
    scope = {name: options[name] for name in ("suite", "run") if isinstance(options.get(name), (str, int))}
    # A list of what can be made needs no archive.
    return Report(words, data, read(archive, **scope) if os.path.exists(archive) else None)


def export(archive, out, **options):
    """Writes rows of an archive to the file `out`: `agon export` with its options, such as rows="turns",
    format="trl"."""
    _refuse_own(options, "json", "help", "quiet")
    execute(["export", os.fspath(archive), "--out", os.fspath(out), *words_of(options)])


def replay(archive, match=None, **options):
    """Plays recorded matches again and compares them byte for byte: `agon replay`. Raises FailedError
    if one differs."""
    words = ["replay", os.fspath(archive), *([] if match is None else [str(match)]), *words_of(options)]
    code, printed = execute([*words, "--json"])
    found = Result(words, json.loads(printed))
    if code != 0:
        raise _failed(f"{len(found['differences'])} of {found['matches']} matches differ from their record",
                      os.fspath(archive), "print(error.result) tells where", found)
    return found


def check(game, **options):
    """Tests a game, by name or file, against the rules for games, and the components and providers of
    a file: `agon check`. Raises FailedError if one is broken."""
    words = ["check", os.fspath(game), *words_of(options)]
    code, printed = execute([*words, "--json"])
    found = Result(words, json.loads(printed))
    if code != 0:
        raise _failed("the game does not pass", os.fspath(game), "print(error.result) lists what is wrong", found)
    return found


def _failed(problem, where, hint, result):
    error = FailedError(problem, where, hint)
    error.result = result
    return error
