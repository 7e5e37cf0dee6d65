"""The example in both languages: what it says of itself and every byte of its records are the same.

    AGON_BUILD=build python3 -m unittest test_twins
"""
import json
import os
import sqlite3
import subprocess
import tempfile
import unittest

from arena import SOURCE

BUILD = os.environ["AGON_BUILD"]
EXAMPLE = os.path.join(SOURCE, "plugins", "examples", "public-goods")
TWINS = {"Python": os.path.join(EXAMPLE, "public_goods.py"),
         "C++": os.path.join(BUILD, "tests", "plugins", "examples", "public_goods.so")}


def agon(*words):
    ended = subprocess.run([os.path.join(BUILD, "bin", "agon"), *words], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def rows(archive, query):
    with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as database:
        return sorted(database.execute(query).fetchall())


class Twins(unittest.TestCase):
    maxDiff = 2000

    def test_the_cards_are_the_same(self):
        python, cpp = ({key: value for key, value in json.loads(
            agon("describe", "public-goods", "--plugin", file, "--json")).items() if key != "plugin"}
            for file in TWINS.values())
        self.assertEqual(python, cpp)
        self.assertEqual(len(python["presets"]), 4)

    def test_the_records_are_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            played = []
            for name, file in TWINS.items():
                archive = os.path.join(folder, name + ".agon")
                agon("run", os.path.join(EXAMPLE, "suite.json"), "--plugin", file, "--out", archive)
                records = agon("export", archive, "--plugin", file, "--rows", "records", "--format", "jsonl")
                played.append([[
                    (row["match"], row["record"]) for row in map(json.loads, records.splitlines())]] + [
                        rows(archive, query) for query in (
                    "select id, status, fault, metrics, questions, rng_key from match",
                    "select m.id, s.seat, s.payoff, s.disagreement, s.ideal, s.rank, s.metrics, s.fallbacks, s.illegal "
                    "from seat s join match m on m.number = s.match")])
            python, cpp = played
            self.assertEqual(len(python[0]), 270)
            for ours, theirs in zip(python, cpp):
                self.assertEqual(ours, theirs)
            # What the records hold, so that they are not equal for saying nothing.
            self.assertEqual({ended for _, ended, *_ in python[1]}, {"finished"})
            self.assertGreater(sum(illegal for *_, illegal in python[2]), 0)
            events = agon("export", archive, "--rows", "records", "--format", "jsonl")
            entries = [entry for line in events.splitlines() for entry in json.loads(line)["record"]]
            self.assertEqual({entry["name"] for entry in entries if "name" in entry}, {
                "say", "expect", "give", "punish", "said", "project", "settled", "truth", "order", "end"})
            # Each replays the other's.
            for file in TWINS.values():
                self.assertIn("270 of 270 matches come out byte for byte the same",
                              agon("replay", archive, "--plugin", file))


if __name__ == "__main__":
    unittest.main()
