"""The program that makes a meta-strategy of what was played.

    AGON_BUILD=build python3 -m unittest test_meta_strategy
"""
import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest

from arena import SOURCE

AGON = os.path.join(os.environ["AGON_BUILD"], "bin", "agon")
SCRIPT = os.path.join(SOURCE, "scenarios", "papers", "game-theory", "meta_strategy.py")
# Its one equilibrium is mixed: Alice plays her first action in 2/3, Bob his in 1/3.
SCENARIO = {"game": "classic", "seat_rotation": "as-listed", "set": {"game": {
    "name": "cycle", "players": ["Alice", "Bob"], "actions": [["a", "b"], ["a", "b"]],
    "payoffs": [[3, 1], [1, 2], [1, 3], [2, 1]]}}}
PLAYED = {"seed": 7, "agents": {
    name: {"script": {"answers": [{"action": action}]}, "labels": {"workflow": level}}
    for name, level, action in (("first", "use", "choice_1"), ("second", "not", "choice_2"))},
    "scenarios": [{**SCENARIO, "blocks": 3, "design": {"fixed": [
        [a, b] for a in ("first", "second") for b in ("first", "second")]}}]}
BLOCKS = 40


class MetaStrategy(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = kept.name
        self.write("played.json", PLAYED)
        self.agon("run", "played.json", "--out", "played.agon")
        self.report = json.loads(self.agon("report", "played.agon", "--metagame", "workflow", "--asymmetric",
                                           "--json"))
        self.write("report.json", self.report)

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w") as file:
            json.dump(value, file)

    def agon(self, *words):
        ended = subprocess.run([AGON, *words], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return ended.stdout

    def make(self, *words):
        return subprocess.run([sys.executable, "-B", SCRIPT, *words], capture_output=True, text=True,
                              cwd=self.folder)

    def test_payoffs_are_those_of_the_report(self):
        self.assertEqual(self.make("report.json", "classic", "--game-unit").stdout,
                         "meta-strategy:payoffs=[[3.0,1.0],[1.0,2.0],[1.0,3.0],[2.0,1.0]]\n")
        self.assertEqual(self.make("report.json", "classic").stdout,
                         "meta-strategy:payoffs=[[1.0,0.0],[0.0,0.5],[0.0,1.0],[0.5,0.0]]\n")

    def test_a_model_chooses_by_the_mixture_that_the_report_prints(self):
        printed = {cell["role"]: cell["value"] for section in self.report["sections"]
                   if section["id"] == "equilibria" for table in section["tables"] for row in table["rows"]
                   for cell in row["cells"] if cell.get("metric") == "mixed_share" and cell["agent"] == "use"}
        self.assertAlmostEqual(printed["Alice"], 2 / 3)
        self.assertAlmostEqual(printed["Bob"], 1 / 3)
        chooser = {"llm": "m", "reasoning": self.make("report.json", "classic").stdout.strip()}
        self.write("chosen.json", {"seed": 7, "models": {"m": {"provider": "mock"}}, "agents": {"c": chooser},
                                   "scenarios": [{**SCENARIO, "blocks": BLOCKS, "design": {"fixed": [["c", "c"]]}}]})
        self.agon("run", "chosen.json", "--out", "chosen.agon")
        used = {"Alice": 0, "Bob": 0}
        for match in range(1, BLOCKS + 1):
            calls = json.loads(self.agon("show", "chosen.agon", str(match), "--json", "--calls"))
            for seat in {call["seat"] for call in calls if call["purpose"] == "step"}:
                used[seat] += 1
        for seat, share in printed.items():  # three standard deviations of 40 draws are 0.22
            self.assertLess(abs(used[seat] / BLOCKS - share), 0.22, used)

    def test_what_does_not_fit_is_refused(self):
        def refused(words, report=None, name="bad.json", game="classic"):
            if report is not None:
                self.write(name, report)
            ended = self.make(name, game)
            self.assertEqual((ended.returncode, ended.stdout), (1, ""))
            self.assertRegex(ended.stderr, r"(?s)^agon: error: " + name + ": " + words + r".*\n  hint: ")

        refused("No such file", name="nowhere.json")
        refused(r"\$\.format: it is no report", {"format": "agon.suite"})
        refused(r"\$\.sections\[0\]\.tables\[\d\]\.rows\[0\]\.cells\[2\]\.game: the payoffs are of 'classic'",
                self.report, game="deal-or-no-deal")
        together = json.loads(self.agon("report", "played.agon", "--metagame", "workflow", "--json"))
        refused(r"\$\.made\.metagame\.seats_apart: ", together)
        refused(r"\$\.made\.metagame: ", json.loads(self.agon("report", "played.agon", "--json")))
        other = json.loads(json.dumps(self.report).replace('"text": "use"', '"text": "often"'))
        refused(r"\$\.sections\[0\]\.tables\[1\]\.rows\[0\]\.cells\[2\]: the choice 'often'", other)
        less = copy.deepcopy(self.report)
        del less["sections"][0]["tables"][1]["rows"][3]
        refused(r"\$\.sections\[0\]: no payoffs of both seats for not and not", less)
        twice = copy.deepcopy(self.report)
        twice["sections"].append(twice["sections"][0])
        refused(r"\$\.sections: 2 of its metagames fit", twice)


if __name__ == "__main__":
    unittest.main()
