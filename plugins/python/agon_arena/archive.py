"""What an archive of matches holds, as plain Python: its rows as the program exports them."""
import decimal
import functools
import json
import math
import numbers
import os
import re
import subprocess
import tempfile

from . import UsageError, _named, program
from .tables import pandas_or


class Archive:
    """What agon.read() found: lists of dicts, made when they are first asked for, and rows(), which
keeps none. Their members are the columns of docs/archive.md; money is decimal.Decimal."""

    _KINDS = ("matches", "seats", "answers", "events", "calls", "turns", "records", "branches")

    def __init__(self, path, scope):
        self.path = path
        self._scope = scope  # options of the command that narrow it
        self._metrics, self._measured = None, {}  # a file of those that were added, and what is in it

    def __repr__(self):
        scope = "".join(f", {name}={value!r}" for name, value in self._scope.items())
        return f"agon.read({os.fspath(self.path)!r}{scope}) with .{', .'.join(self._KINDS)}"

    @functools.cached_property
    def matches(self):
        """One dict a match."""
        return list(self.rows("matches"))

    @functools.cached_property
    def branches(self):
        """One dict a branch: `match` and `parent` (ids), the cut (`question`, `seat`, `stage`), the change
        (`change`: agent, answer, without or persona; `text`), `repeat`, and the seat's `payoff` beside the
        `parent_payoff`. Effects with intervals: report(section=["swaps", "replies", "impulses"])."""
        return list(self.rows("branches"))

    @functools.cached_property
    def seats(self):
        """One dict a seat of a match: who played it, its score and metrics."""
        return list(self.rows("seats"))

    @functools.cached_property
    def answers(self):
        """One dict a field of an answer."""
        return list(self.rows("answers"))

    @functools.cached_property
    def calls(self):
        """One dict a call of a model."""
        return list(self.rows("calls"))

    @functools.cached_property
    def turns(self):
        """One dict a call of a model or an answer, with reward and advantage: data to train on."""
        return list(self.rows("turns"))

    @functools.cached_property
    def records(self):
        """One dict a match, with everything that happened in it as the list `record`."""
        return list(self.rows("records"))

    @functools.cached_property
    def events(self):
        """One dict an event: `match`, `entry` (its place in the record), `event` (its name),
        `audience` ("all", or a list of seats) and `value`."""
        return list(self.rows("events"))

    def add_metrics(self, measures, *, units=None, better=None):
        """Adds metrics of your own: a function by name, which gets a Match and returns a number for
        each seat (a list, or a dict by seat), None where it has none. Rows of seats then have a column
        metric_NAME, and report() has it with intervals, for games alone for which a function returned a
        number. `units` and `better` ("higher" or "lower"): by name."""
        if not isinstance(measures, dict) or not all(map(callable, measures.values())):
            raise UsageError(f"metrics are functions by name, such as {{'opening': function}}: not {_named(measures)}")
        for name in (set(units or ()) | set(better or ())) - measures.keys():
            raise UsageError(f"there is no metric {_named(name)} in this call; it has {', '.join(measures)}")
        for name in measures:
            if not re.fullmatch("[a-z0-9_]{1,64}", str(name)):
                raise UsageError(f"{_named(name)} is no name of a metric: use lower-case letters, digits and _")
        metrics, values = self._measured.get("metrics", {}), self._measured.get("values", {})
        for row in self._exported("records"):
            match = Match(row)
            of_match = values.setdefault(match.id, [{} for _ in match.seats])
            for name, measure in measures.items():
                for seat, value in enumerate(_measured(name, measure, match)):
                    if value is not None:
                        metrics[match.game, name] = {
                            "game": match.game, "name": name, "unit": (units or {}).get(name, ""),
                            "better": (better or {}).get(name, "")}
                        of_match[seat][name] = value
        self._measured = {"metrics": metrics, "values": values}
        rows = [{"match": match, "seat": seat, "values": each} for match, seats in values.items()
                for seat, each in enumerate(seats) if each]
        file = tempfile.NamedTemporaryFile("w", suffix=".json", prefix="agon-metrics-")
        json.dump({"format": "agon.metrics", "version": 1, "metrics": list(metrics.values()), "values": rows}, file)
        file.flush()
        before, self._metrics = self._metrics, file
        self.__dict__.pop("seats", None)  # made again with them
        try:
            next(self.rows("seats"), None)  # a name that a game has itself is refused
        except OSError as error:
            self._metrics, self._measured = before, {}
            raise UsageError(str(error).partition(": ")[2]) from None
        return self

    def report(self, **options):
        """The report, as agon.report() has it, with the metrics that were added."""
        from .suite import report
        made = report(self.path, **{**self._scope, "metrics": self._metrics and self._metrics.name, **options})
        made.metrics = self._metrics  # its file lives as long as it is asked for
        made.archive = self
        return made

    def frame(self, rows="seats"):
        """The same as a pandas.DataFrame: frame("matches"), "seats", "answers", "events", "calls",
        "records" or "branches". Members of an event's value become columns: "value.give". Amounts are floats."""
        self._check(rows)
        pandas = pandas_or(rows)
        found = [{name: float(cell) if isinstance(cell, decimal.Decimal) else cell for name, cell in row.items()}
                 for row in getattr(self, rows)]
        return pandas.json_normalize(found) if rows == "events" else pandas.DataFrame(found)

    def rows(self, rows):
        """The same one by one, for archives that are larger than memory: rows("records")."""
        self._check(rows)
        return (self._events() if rows == "events" else self._branches() if rows == "branches" else
                self._exported(rows))

    def _check(self, rows):
        if rows not in self._KINDS:
            raise UsageError(f"an archive has no {_named(rows)}: ask for {', '.join(self._KINDS)}")

    def _events(self):
        for each in self._exported("records"):
            for place, entry in enumerate(each["record"]):
                if entry["entry"] == "event":
                    yield {"match": each["match"], "entry": place, "event": entry["name"],
                           "audience": entry["audience"], "value": entry["value"]}

    def _branches(self):
        payoffs, branches = {}, []
        for row in self._exported("seats"):
            if "cut" not in row:
                return
            payoffs[row["match"], row["seat"]] = row["payoff"]
            if row["cut_seat"] == row["seat"]:
                branches.append(row)
        for row in branches:
            yield {"match": row["match"], "parent": row["parent"], "question": row["cut"], "seat": row["seat"],
                   "stage": row["cut_stage"], "change": row["change"], "text": row["change_text"],
                   "repeat": row["branch_repeat"], "payoff": row["payoff"],
                   "parent_payoff": payoffs.get((row["parent"], row["seat"]))}

    def _exported(self, rows):
        words = ["export", os.fspath(self.path), "--rows", rows, "--format", "jsonl"]
        for name, value in self._scope.items():
            words += ["--" + name, value]
        if self._metrics is not None and rows == "seats":
            words += ["--metrics", self._metrics.name]
        for line in _lines(words):
            yield {name: _read_cell(name, cell) for name, cell in json.loads(line).items()}


def _lines(words):
    """What a command prints: in this process, or by the program where the library is not there."""
    from .errors import Error, FailedError
    from .library import library
    try:
        library()
    except FailedError:
        yield from _lines_of_program(words)
        return
    from .command import lines
    try:
        yield from lines(words)
    except Error as error:
        raise OSError(str(error)) from None


def _lines_of_program(words):
    with tempfile.TemporaryFile() as complaints, subprocess.Popen(
            [_program(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints) as export:
        yield from export.stdout
        if export.wait() != 0:
            complaints.seek(0)
            raise OSError(complaints.read().decode(errors="replace").strip() or
                          f"agon export ended with code {export.returncode}")


class Match:
    """A recorded match, for metrics of your own.

    id, game, scenario, block      of the match
    seats                          how many there are
    record                         all that happened, as `agon export --rows records` has it
    """

    def __init__(self, row):
        self.id, self.game, self.scenario, self.block = (row[name] for name in ("match", "game", "scenario", "block"))
        self.record = row["record"]
        self.seats = range(len(next((entry["seats"] for entry in reversed(self.record) if entry["entry"] == "outcome"),
                                    ())))

    def events(self, name):
        """The values of the events of that name, in order."""
        return [entry["value"] for entry in self.record if entry["entry"] == "event" and entry["name"] == name]

    def answers(self, seat, stage=None):
        """What a seat answered, in order: at a stage, or at all that have an effect on play."""
        return [entry["value"] for entry in self.record if entry["entry"] == "question" and entry["seat"] == seat and
                (entry["name"] == stage if stage else not entry["probe"]) and "value" in entry]


def _measured(name, measure, match):
    try:
        values = measure(match)
    except Exception as error:
        raise UsageError(f"the metric '{name}' raised {type(error).__name__} in match {match.id}: {error}") from error
    if isinstance(values, dict):
        values = [values.get(seat) for seat in match.seats]
    values = list(values) if isinstance(values, (list, tuple)) or hasattr(values, "tolist") else [values]
    if len(values) != len(match.seats) or not all(value is None or _is_number(value) for value in values):
        raise UsageError(f"the metric '{name}' gives a finite number or None for each of {len(match.seats)} seats: not "
                         f"{_named(values)}, in match {match.id}")
    return [None if value is None else float(value) for value in values]


def _is_number(value):
    return isinstance(value, (numbers.Real, decimal.Decimal)) and math.isfinite(value)


_AMOUNTS = ("payoff", "disagreement", "ideal", "gain", "surplus", "cost_usd", "provider_cost_usd")


def _read_cell(name, cell):
    """Money is decimal text in exports."""
    is_number = name in _AMOUNTS or name.startswith("metric_")
    return decimal.Decimal(cell) if is_number and isinstance(cell, str) else cell


def _program():
    found = program.find()
    if found is None:
        raise UsageError("archives are read by the program 'agon', which is neither beside agon_arena nor in PATH: "
                         "export PATH=\"WHERE_AGON_IS/bin:$PATH\"")
    return found


def read(path, *, suite=None, run=None):
    """The matches of an archive: agon.read("run.agon").seats. `suite`: only what that suite asked for,
    by name or number; `run`: only what that run played or reused, by number."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no archive {os.fspath(path)}")
    if suite is not None and run is not None:
        raise UsageError("give suite= or run=, not both")
    return Archive(path, {name: str(value) for name, value in (("suite", suite), ("run", run)) if value is not None})
