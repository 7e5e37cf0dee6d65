"""agon.read(): what an archive holds, as plain Python.

    AGON_BUILD=build python3 -m unittest test_archive
"""
import decimal
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

from arena import SOURCE

BUILD = os.environ["AGON_BUILD"]
GAME = os.path.join(SOURCE, "plugins", "templates", "game-python", "ultimatum_game.py")
SUITE = """{
  "agents": { "random": "random", "fair": { "script": { "stages": {
    "offer": ["{\\"give\\": 4}"], "reply": ["{\\"accept\\": true}"] } } } },
  "design": { "focal": ["fair"], "background": "random", "seat_rotation": "all", "blocks": 3 },
  "scenarios": [{ "game": "ultimatum" }]
}"""


def module(folder):
    """The package in that folder, as it lies there."""
    place = os.path.join(folder, "agon_arena")
    spec = importlib.util.spec_from_file_location("agon_there", os.path.join(place, "__init__.py"),
                                                  submodule_search_locations=[place])
    made = importlib.util.module_from_spec(spec)
    for name in [each for each in sys.modules if each.partition(".")[0] == spec.name]:
        del sys.modules[name]
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    importlib.import_module(spec.name + ".archive")
    return made


agon = module(os.path.join(BUILD, "share", "agon", "python"))


def agon_cells(row):
    """A row of an export with its costs as numbers; the game's scores are no money."""
    return {name: decimal.Decimal(cell) if name == "cost_usd" and cell is not None else cell
            for name, cell in row.items()}


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        suite = os.path.join(cls.folder, "suite.json")
        with open(suite, "w") as file:
            file.write(SUITE)
        cls.path = os.path.join(cls.folder, "played here.agon")
        subprocess.run([os.path.join(BUILD, "bin", "agon"), "run", suite, "--plugin", GAME, "--out", cls.path],
                       check=True, capture_output=True)

    def test_matches_seats_and_answers_are_rows(self):
        archive = agon.read(self.path)
        self.assertEqual(len(archive.matches), 6)
        self.assertEqual({each["status"] for each in archive.matches}, {"finished"})
        self.assertEqual(len(archive.seats), 12)
        offered = [each["value"] for each in archive.answers if each["agent"] == "fair" and each["field"] == "give"]
        self.assertEqual(len(offered), 3)
        self.assertEqual({float(each) for each in offered}, {4.0})
        fair = [each for each in archive.seats if each["agent"] == "fair" and each["seat"] == 0]
        self.assertTrue(all(float(each["payoff"]) in (6, 0) for each in fair), fair)
        self.assertIs(archive.seats, archive.seats)
        self.assertEqual(archive.calls, [])

    def test_money_is_a_number(self):
        path = os.path.join(self.folder, "money.py")
        with open(path, "w") as file:
            file.write("""
from dataclasses import dataclass
import agon
@dataclass
class Move:
    give: bool = agon.field(False, "whether")
@dataclass
class Kept:
    kept: int = agon.field(0, "what is kept", in_cents=True)
    share: float = agon.field(0.0, "of all")
MOVE = agon.Stage("move", Move, "whether")
def play(table: agon.Table[MOVE]):
    table.ask(0, MOVE)
    return [agon.SeatScore(each, disagreement=0, ideal=each, metrics=Kept(each.cents, 0.5))
            for each in (agon.Money(1050), agon.Money(925))]
agon.game("money", play, rules="x", score_decimals=2, seat_metrics=Kept)
""")
        out = os.path.join(self.folder, "money.agon")
        subprocess.run([os.path.join(BUILD, "bin", "agon"), "play", path, "--agent", "random", "--out", out],
                       check=True, capture_output=True)
        archive = agon.read(out)
        best = max(archive.seats, key=lambda seat: seat["payoff"])
        self.assertEqual((best["payoff"], type(best["payoff"])), (decimal.Decimal("10.50"), decimal.Decimal))
        self.assertEqual([sum(each[name] for each in archive.seats) for name in ("payoff", "disagreement", "metric_share")],
                         [decimal.Decimal("19.75"), 0, 1.0])
        self.assertEqual([type(best[name]) for name in ("disagreement", "metric_kept", "cost_usd", "metric_share", "seed")],
                         [decimal.Decimal] * 3 + [float, str])
        pandas = types.SimpleNamespace(DataFrame=lambda rows: rows)
        with unittest.mock.patch.dict(sys.modules, pandas=pandas):
            self.assertEqual([(each["payoff"], type(each["payoff"])) for each in archive.frame()],
                             [(10.5, float), (9.25, float)])

    def test_records_and_events_have_what_happened(self):
        archive = agon.read(self.path)
        self.assertEqual(len(archive.records), 6)
        self.assertEqual([each["event"] for each in archive.events], ["offer"] * 6)
        first = archive.events[0]
        entry = next(each for each in archive.records if each["match"] == first["match"])["record"][first["entry"]]
        self.assertEqual((entry["name"], entry["value"], entry["audience"]),
                         ("offer", first["value"], first["audience"]))
        self.assertEqual(first["audience"], "all")

    def test_rows_come_one_by_one_and_may_be_left(self):
        rows = agon.read(self.path).rows("seats")
        self.assertEqual(next(rows), agon.read(self.path).seats[0])
        rows.close()
        with self.assertRaises(ChildProcessError):  # no child is left behind
            os.waitpid(-1, os.WNOHANG)

    def test_rows_are_those_of_the_export(self):
        archive = agon.read(self.path)
        for rows in ("matches", "seats", "answers", "calls", "records"):
            lines = subprocess.run([os.path.join(BUILD, "bin", "agon"), "export", self.path, "--rows", rows,
                                    "--format", "jsonl"], check=True, capture_output=True, text=True).stdout
            self.assertEqual(getattr(archive, rows), [agon_cells(json.loads(line)) for line in lines.splitlines()],
                             rows)
            self.assertEqual(list(archive.rows(rows)), getattr(archive, rows), rows)

    def test_it_is_shown_as_what_it_is(self):
        self.assertEqual(repr(agon.read(self.path)), f"agon.read({self.path!r}) with .matches, .seats, .answers, "
                         ".events, .calls, .turns, .records, .branches")
        self.assertIn("played here.agon', suite='1') with", repr(agon.read(self.path, suite=1)))

    def test_a_suite_is_chosen_by_name_or_number(self):
        self.assertEqual(len(agon.read(self.path, suite=1).matches), 6)
        with self.assertRaisesRegex(OSError, "(?s)other"):
            agon.read(self.path, suite="other").matches

    def test_the_program_is_found(self):
        beside = os.path.join(os.path.abspath(BUILD), "bin", "agon")
        self.assertEqual(agon.program.find(), beside)
        apart = module(os.path.join(SOURCE, "plugins", "python"))
        kept = dict(os.environ)
        try:
            os.environ.pop("AGON", None)
            os.environ["PATH"] = os.path.dirname(beside)
            self.assertEqual(apart.program.find(), beside)
            os.environ["PATH"] = self.folder
            with self.assertRaisesRegex(apart.UsageError, "neither beside agon_arena nor in PATH"):
                apart.read(self.path).matches
            os.environ["AGON"] = beside
            self.assertEqual(len(apart.read(self.path).matches), 6)
        finally:
            os.environ.clear()
            os.environ.update(kept)

    def test_what_is_no_archive_is_told(self):
        with self.assertRaisesRegex(FileNotFoundError, "there is no archive nowhere.agon"):
            agon.read("nowhere.agon")
        with self.assertRaisesRegex(OSError, "suite.json"):
            agon.read(os.path.join(self.folder, "suite.json")).matches
        with self.assertRaisesRegex(agon.UsageError, "an archive has no 'cats': ask for matches, seats"):
            agon.read(self.path).frame("cats")
        with self.assertRaisesRegex(agon.UsageError, "an archive has no 'cats'"):
            agon.read(self.path).rows("cats")

    def test_frames_are_made_of_the_same_rows(self):
        archive = agon.read(self.path)
        pandas = types.SimpleNamespace(DataFrame=lambda rows: ("frame", rows), json_normalize=lambda rows: ("flat", rows))
        with unittest.mock.patch.dict(sys.modules, pandas=pandas):
            for kind, rows in (("frame", "seats"), ("frame", "answers"), ("flat", "events")):
                self.assertEqual(archive.frame(rows), (kind, getattr(archive, rows)))
            self.assertEqual(archive.frame(), archive.frame("seats"))

    @unittest.skipIf(importlib.util.find_spec("pandas") is None, "pandas is not installed")
    def test_frames(self):
        archive = agon.read(self.path)
        self.assertEqual(len(archive.frame()), 12)
        self.assertEqual(list(archive.frame("events")["value.give"]), [each["value"]["give"] for each in archive.events])

    @unittest.skipIf(importlib.util.find_spec("pandas") is not None, "pandas is installed")
    def test_without_pandas_a_frame_says_so(self):
        with self.assertRaisesRegex(agon.UsageError, "pandas, which is not installed"):
            agon.read(self.path).frame()


if __name__ == "__main__":
    unittest.main()
