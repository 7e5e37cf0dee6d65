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


class Archive:
    """What agon.read() found: lists of dicts, made when they are first asked for, and rows(), which
keeps none. Their members are the columns of docs/archive.md; money is decimal.Decimal."""

    _KINDS = ("matches", "seats", "answers", "events", "calls", "records")

    def __init__(self, path, suite):
        self.path = path
        self._suite = suite
        self._metrics = None  # a file of those that were added

    def __repr__(self):
        suite = "" if self._suite is None else f", suite={self._suite!r}"
        return f"agon.read({os.fspath(self.path)!r}{suite}) with .{', .'.join(self._KINDS)}"

    @functools.cached_property
    def matches(self):
        """One dict a match."""
        return list(self.rows("matches"))

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
        each seat, None where it has none. Rows of seats then have a column metric_NAME, and report()
        has it with intervals, for games alone for which a function returned a number. `units` and
        `better` ("higher" or "lower"): by name."""
        for name in measures:
            if not re.fullmatch("[a-z0-9_]{1,64}", str(name)):
                raise UsageError(f"{_named(name)} is no name of a metric: use lower-case letters, digits and _")
        metrics, values = {}, []
        for row in self._exported("records"):
            match = Match(row)
            of_match = [{} for _ in match.seats]
            for name, measure in measures.items():
                for seat, value in enumerate(_measured(name, measure, match)):
                    if value is not None:
                        metrics[match.game, name] = {
                            "game": match.game, "name": name, "unit": (units or {}).get(name, ""),
                            "better": (better or {}).get(name, "")}
                        of_match[seat][name] = value
            values += [{"match": match.id, "seat": seat, "values": each} for seat, each in enumerate(of_match) if each]
        file = tempfile.NamedTemporaryFile("w", suffix=".json", prefix="agon-metrics-")
        json.dump({"format": "agon.metrics", "version": 1, "metrics": list(metrics.values()), "values": values}, file)
        file.flush()
        self._metrics = file
        self.__dict__.pop("seats", None)  # made again with them
        return self

    def report(self, **options):
        """The report, as agon.report() has it, with the metrics that were added."""
        from .suite import report
        made = report(self.path, **{"suite": self._suite, "metrics": self._metrics and self._metrics.name, **options})
        made.metrics = self._metrics  # its file lives as long as it is asked for
        return made

    def frame(self, rows="seats"):
        """The same as a pandas.DataFrame: frame("matches"), "seats", "answers", "events", "calls" or
        "records". Members of an event's value become columns: "value.give". Amounts are floats."""
        self._check(rows)
        try:
            import pandas
        except ImportError:
            raise UsageError("frames are made by pandas, which is not installed: pip install pandas; the same "
                             f"rows without it are in .{rows}") from None
        found = [{name: float(cell) if isinstance(cell, decimal.Decimal) else cell for name, cell in row.items()}
                 for row in getattr(self, rows)]
        return pandas.json_normalize(found) if rows == "events" else pandas.DataFrame(found)

    def rows(self, rows):
        """The same one by one, for archives that are larger than memory: rows("records")."""
        self._check(rows)
        return self._events() if rows == "events" else self._exported(rows)

    def _check(self, rows):
        if rows not in self._KINDS:
            raise UsageError(f"an archive has no {_named(rows)}: ask for {', '.join(self._KINDS)}")

    def _events(self):
        for each in self._exported("records"):
            for place, entry in enumerate(each["record"]):
                if entry["entry"] == "event":
                    yield {"match": each["match"], "entry": place, "event": entry["name"],
                           "audience": entry["audience"], "value": entry["value"]}

    def _exported(self, rows):
        words = ["export", os.fspath(self.path), "--rows", rows, "--format", "jsonl"]
        if self._suite is not None:
            words += ["--suite", self._suite]
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
        values = list(measure(match))
    except Exception as error:
        raise UsageError(f"the metric '{name}' raised {type(error).__name__} in match {match.id}: {error}") from error
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


def read(path, *, suite=None):
    """The matches of an archive: agon.read("run.agon").seats. `suite`: only what that suite asked for,
    by name or number."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no archive {path}")
    return Archive(path, None if suite is None else str(suite))
