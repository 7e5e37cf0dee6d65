"""scenarios/train-bidder.py learns, and learns the same from the same seed.

    AGON_BUILD=build /usr/bin/python3 -m unittest test_training
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

from arena import SOURCE

PACKAGE = os.path.join(os.environ["AGON_BUILD"], "share", "agon", "python")
SCRIPT = os.path.join(SOURCE, "scenarios", "train-bidder.py")


def here(module):
    return importlib.util.find_spec(module) is not None


def run(*options, without=None):
    """`without`: a module that is not to be found."""
    with tempfile.TemporaryDirectory() as folder:
        if without:
            with open(os.path.join(folder, f"{without}.py"), "w", encoding="utf-8") as file:
                file.write("raise ImportError")
        return subprocess.run([sys.executable, "-B", SCRIPT, *options], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join([folder, PACKAGE])})


def loaded():
    sys.path.insert(0, PACKAGE)
    try:
        spec = importlib.util.spec_from_file_location("train_bidder", SCRIPT)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(PACKAGE)


class Missing(unittest.TestCase):
    def test_without_numpy_it_says_what_to_install(self):
        done = run(without="numpy")
        self.assertEqual((done.returncode, done.stderr),
                         (1, "train-bidder.py: error: NumPy not found\nhint: pip install numpy\n"))


@unittest.skipUnless(here("numpy"), "NumPy is not installed")
class Training(unittest.TestCase):
    def train(self, *options):
        """What is printed, and the shares of truthful's payoff in it by matches."""
        done = run(*options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        head, *rows, last = done.stdout.splitlines()
        self.assertTrue(head.startswith("matches  share of truthful"), head)
        self.assertTrue(last.startswith("95% of truthful's payoff: "), last)
        return done.stdout, {int(matches): float(share) for matches, share, *_more in map(str.split, rows)}

    def test_paired_it_reaches_95_percent(self):
        printed, shares = self.train("--seed", "1", "--matches", "2048")
        self.assertLess(shares[0], 0.5)
        self.assertGreater(shares[2048], 0.95)
        self.assertIn("payoff: after ", printed)

    def test_unpaired_it_gets_better(self):
        _printed, shares = self.train("--seed", "1", "--matches", "1024", "--unpaired")
        self.assertGreater(shares[1024], shares[0] + 0.1)

    def test_a_seed_decides_every_number(self):
        for more in (), ("--unpaired",):
            first, again, other = (self.train("--matches", "256", "--seed", seed, *more)[0] for seed in "224")
            self.assertEqual(first, again)
            self.assertNotEqual(first, other)

    def test_time_ends_it(self):
        _printed, shares = self.train("--seconds", "0")
        self.assertEqual(list(shares), [0, 32])

    def test_a_group_is_a_block(self):
        script = loaded()
        first, second, other = (script.tables_of(8, seed) for seed in (5, 5, 6))
        views = [tables.reset().copy() for tables in (first, second, other)]
        self.assertTrue((views[0] == views[1]).all())
        self.assertFalse((views[0] == views[2]).all())
        # The same bids earn the same, also in later matches.
        for _match in range(2):
            payoffs = [script.play(tables, lambda values: values // 2) for tables in (first, second)]
            self.assertTrue((payoffs[0] == payoffs[1]).all())

    def test_truthful_bids_earn_what_truthful_earns(self):
        """In the place of the random rival, who keeps a match open, there is one who bids nothing."""
        script = loaded()
        rivals = {seat: agent for seat, agent in script.RIVALS.items() if agent != "random"}
        self.assertEqual(list(rivals), [1, 2])
        script.RIVALS = {**rivals, 3: "shade:share=0"}
        value_bids = script.play(self.begun(script), lambda values: values)
        script.RIVALS = {0: "truthful", **rivals}
        agent = script.play(self.begun(script), lambda values: values * 0)
        self.assertGreater(value_bids.min(), 0)
        self.assertTrue((value_bids == agent).all())

    def begun(self, script):
        tables = script.tables_of(64, script.HELD_OUT)
        tables.reset()
        return tables

    def test_a_bad_option_is_told(self):
        for options, words in (
                (["--seed", "x"], "argument --seed: invalid value 'x'; expected a whole number from 0 to 999999999"),
                (["--seed", "1000000000"], "argument --seed: invalid value '1000000000'"),
                (["--matches", "0"], "argument --matches: invalid value '0'"),
                (["--seconds", "nan"], "argument --seconds: invalid value 'nan'; expected a number"),
                (["--figure", "curve.pdf"], "expected a file that ends in .svg or .png"),
                (["--figure", "no-folder/curve.svg"], "folder 'no-folder' not found"),
                (["--nope"], "unrecognized arguments: --nope")):
            with self.subTest(options=options):
                done = run(*options)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"train-bidder.py: error: {words}" if "--figure" not in options else words, done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    @unittest.skipUnless(here("matplotlib"), "matplotlib is not installed")
    def test_a_figure_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "curve.svg")
            done = run("--matches", "64", "--figure", file)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(os.path.getsize(file))

    def test_a_figure_needs_matplotlib(self):
        done = run("--figure", "curve.svg", without="matplotlib")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("argument --figure: matplotlib not found; hint: pip install matplotlib\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
