"""A game that uses all that agon_arena has, played by the arena itself.

    AGON_BUILD=build python3 -m unittest test_played
"""
import json
import os
import subprocess
import tempfile
import unittest

from arena import HEAD, HEAD_LINES, SOURCE, TAIL

AGON = os.path.join(os.environ["AGON_BUILD"], "bin", "agon")
GAME = os.path.join(SOURCE, "tests", "python", "everything.py")
SUITE = {"agents": {each: each for each in ("random", "edge", "default")},
         "design": {"focal": ["random", "edge", "default"], "background": "random", "seat_rotation": "all", "blocks": 10},
         "scenarios": [{"game": "everything"}, {"game": "everything", "name": "row", "sequence": 3}]}


def agon(*words):
    ended = subprocess.run([AGON, *words], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


class Played(unittest.TestCase):
    def test_all_that_there_is_comes_and_goes_as_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            suite, archive = os.path.join(folder, "suite.json"), os.path.join(folder, "played.agon")
            with open(suite, "w") as file:
                json.dump(SUITE, file)
            agon("run", suite, "--plugin", GAME, "--out", archive)
            self.assertIn("200 of 200 matches come out byte for byte the same",
                          agon("replay", archive, "--plugin", GAME))
            matches = [json.loads(line) for line in
                       agon("export", archive, "--rows", "records", "--format", "jsonl").splitlines()]
        self.assertEqual({each["status"] for each in matches}, {"finished"})
        for match in matches:
            draws, luck = {}, None
            for entry in match["record"]:
                if entry["entry"] == "draw":
                    draws.setdefault(entry["name"], []).append(entry["value"])
                if entry["entry"] == "event":
                    luck = entry["value"]
            order = [1, 2, 3, 4]  # Fisher-Yates from the back, as in C++
            for last, place in zip((3, 2, 1), draws["order"]):
                order[last], order[place] = order[place], order[last]
            self.assertEqual(luck["order"], order)
            self.assertEqual([luck["die"], luck["share"]], draws["several"][:2])
            self.assertEqual(luck["dealt"], draws["turn"] + draws["drawn"])
            self.assertEqual(luck["before"], match["position"] or None)
        self.assertEqual({each["position"] for each in matches}, {0, 1, 2})

    def test_what_a_broken_match_printed_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            game = os.path.join(folder, "broken.py")
            with open(game, "w") as file:
                file.write(HEAD + "def play(table: agon.Table[MOVE]):\n"
                           "    print('seats:', table.seats)\n    1 / 0\n" + TAIL)
            ended = subprocess.run([AGON, "play", game], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 6, ended.stderr)
        self.assertIn(f"division by zero (broken.py:{HEAD_LINES + 3}); it printed: seats: 2", ended.stderr)

    def test_sets_have_the_same_order_in_every_process(self):
        with tempfile.TemporaryDirectory() as folder:
            game = os.path.join(folder, "sets.py")
            with open(game, "w") as file:
                file.write(HEAD + "def play(table: agon.Table[MOVE]):\n"
                           "    raise ValueError(''.join(set('abcdefghijklmnopqrstuvwxyz')))\n" + TAIL)
            orders = {subprocess.run([AGON, "play", game, *words], capture_output=True, text=True).stderr
                      for words in ((), (), ("--sandbox", "never"))}
        self.assertEqual(len(orders), 1, orders)
        self.assertRegex(orders.pop(), "[a-z]{26}")


if __name__ == "__main__":
    unittest.main()
