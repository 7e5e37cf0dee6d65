"""agon.read(): archives as plain Python records, and as frames where pandas is installed."""
import gc
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

BUILD = os.environ["AGON_BUILD"]
sys.path.insert(0, os.path.join(BUILD, "share", "agon", "python"))
import agon

PROGRAM = os.path.join(BUILD, "bin", "agon")
SUITE = """{ "suite": "NAME", "seed": 1, "agents": { "random": "random", "still": "default" },
  "design": { "focal": ["still"], "field": "random", "seats": "all", "blocks": 3 },
  "scenarios": [ { "game": "deal-or-no-deal" } ] }"""


class Read(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        for name in ("one", "two"):
            with open(os.path.join(cls.folder, name + ".json"), "w") as file:
                file.write(SUITE.replace("NAME", name))
            subprocess.run([PROGRAM, "run", name + ".json", "--out", "a b.agon", "--quiet"], cwd=cls.folder,
                           check=True, capture_output=True)
        cls.path = os.path.join(cls.folder, "a b.agon")

    def exported(self, rows, *options):
        lines = subprocess.run([PROGRAM, "export", self.path, "--rows", rows, "--format", "jsonl", *options],
                               check=True, capture_output=True, text=True).stdout
        return [json.loads(line) for line in lines.splitlines()]

    def test_rows_are_those_of_the_export(self):
        archive = agon.read(self.path)
        for rows in ("matches", "seats", "answers", "calls", "records"):
            self.assertEqual(getattr(archive, rows), self.exported(rows), rows)
            self.assertEqual(list(archive.each(rows)), getattr(archive, rows), rows)
        self.assertEqual(len(archive.seats), 2 * len(archive.matches))
        self.assertGreater(len(archive.answers), 0)
        self.assertIs(archive.seats, archive.seats)  # made once

    def test_a_suite_alone(self):
        alone = agon.read(self.path, suite="two")
        self.assertEqual(alone.matches, self.exported("matches", "--suite", "two"))
        with self.assertRaisesRegex(OSError, "three"):
            agon.read(self.path, suite="three").matches

    def test_events_have_their_place_and_who_heard_them(self):
        archive = agon.read(self.path)
        records = {each["match"]: each["record"] for each in archive.records}
        self.assertEqual(len(archive.events),
                         sum(each["entry"] == "event" for record in records.values() for each in record))
        self.assertGreater(len(archive.events), 0)
        for event in archive.events:
            self.assertEqual(sorted(event), ["audience", "entry", "event", "match", "value"])
            entry = records[event["match"]][event["entry"]]
            self.assertEqual((entry["entry"], entry["name"], entry["audience"], entry["value"]),
                             ("event", event["event"], event["audience"], event["value"]))

    def test_what_is_not_read_to_the_end_leaves_no_process(self):
        rows = agon.read(self.path).each("records")
        self.assertIn("record", next(rows))
        rows.close()
        gc.collect()
        with self.assertRaises(ChildProcessError):  # no child is left
            os.waitpid(-1, os.WNOHANG)

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(FileNotFoundError, "there is no archive no.agon"):
            agon.read("no.agon")
        archive = agon.read(self.path)
        with self.assertRaisesRegex(AttributeError, "no 'sets': ask for matches, seats"):
            archive.sets
        for ask in (archive.each, archive.frame):
            with self.assertRaisesRegex(agon.UsageError, "no 'sets': ask for matches, seats"):
                ask("sets")
        other = os.path.join(self.folder, "one.json")
        with self.assertRaisesRegex(OSError, "one.json"):
            agon.read(other).matches

    def test_the_program_is_beside_the_module_or_in_the_path(self):
        alone = os.path.join(self.folder, "alone", "agon.py")
        os.makedirs(os.path.dirname(alone))
        os.symlink(agon.__file__, alone)
        with unittest.mock.patch.object(agon, "__file__", alone):
            with unittest.mock.patch.dict(os.environ, PATH="/nowhere"):
                with self.assertRaisesRegex(agon.UsageError, "neither beside agon.py nor in PATH"):
                    agon.read(self.path).matches
            with unittest.mock.patch.dict(os.environ, PATH=os.path.dirname(PROGRAM)):
                self.assertEqual(agon.read(self.path).matches, self.exported("matches"))

    def test_without_pandas_a_frame_says_how_to_get_it(self):
        with unittest.mock.patch.dict(sys.modules, pandas=None):
            with self.assertRaisesRegex(agon.UsageError, "pip install pandas; the same rows without it are in .seats"):
                agon.read(self.path).frame()

    def test_frames_are_made_of_the_same_rows(self):
        archive = agon.read(self.path)
        pandas = types.SimpleNamespace(DataFrame=lambda rows: ("frame", rows), json_normalize=lambda rows: ("flat", rows))
        with unittest.mock.patch.dict(sys.modules, pandas=pandas):
            self.assertEqual(archive.frame(), ("frame", archive.seats))
            self.assertEqual(archive.frame("answers"), ("frame", archive.answers))
            self.assertEqual(archive.frame("events"), ("flat", archive.events))

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not here: frames are not tried")
    def test_frames(self):
        archive = agon.read(self.path)
        for rows in ("matches", "seats", "answers", "records"):
            self.assertEqual(len(archive.frame(rows)), len(getattr(archive, rows)))
        self.assertEqual(list(archive.frame()["agent"]), [each["agent"] for each in archive.seats])
        events = archive.frame("events")
        self.assertEqual(len(events), len(archive.events))
        self.assertTrue(any(name.startswith("value.") for name in events.columns))


if __name__ == "__main__":
    unittest.main()
