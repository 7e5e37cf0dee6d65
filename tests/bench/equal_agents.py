#!/usr/bin/env python3
"""How often intervals of real suites leave out 0 although the agents are equal by construction.

    equal_agents.py AGON [--suites N] [--blocks 12,20,40] [--games four,two] [--jobs N]

Five agents are one mock model under five seeds, two more differ by a factor that does nothing (two
more seeds). Everything that the report says of their differences is true if it says "none". Suites
differ in their seed of luck only. Nothing is kept.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import tempfile

GAMES = {"four": ["sealed-bid", "water-allocation", "bargaining", "deal-or-no-deal"],
         "two": ["bargaining", "deal-or-no-deal"], "bargaining": ["bargaining"]}


def suite(games, blocks, seed):
    models = {f"m{i}": {"provider": "mock", "seed": i} for i in range(7)}
    agents = {f"a{i}": {"llm": f"m{i}"} for i in range(5)}
    agents["f"] = {"llm": {}, "factors": {"model": ["m5", "m6"]}}
    agents["field"] = {"rule": {"sealed-bid": "equilibrium-bid", "water-allocation": "survivor",
                                "bargaining": "time-dependent", "deal-or-no-deal": "concede"}}
    return {"suite": "equal", "seed": seed, "models": models, "agents": agents,
            "design": {"focal": ["a0", "a1", "a2", "a3", "a4", "f/*"], "background": "field",
                       "blocks": blocks},
            "scenarios": [{"game": game} for game in games], "report": {"reference": "a0"}}


class Count:
    def __init__(self):
        self.given = self.without = self.p = self.all = 0

    def add(self, cell):
        self.all += 1
        if "low" not in cell:
            return
        self.given += 1
        self.without += cell["low"] > 0 or cell["high"] < 0
        self.p += cell["p"] < 0.05

    def merge(self, other):
        for key in vars(self):
            setattr(self, key, getattr(self, key) + getattr(other, key))

    def words(self):
        share = lambda x: f"{x / self.given:.3f}" if self.given else "-"
        return f"{share(self.without)} of {self.given} | {self.given / max(1, self.all):.3f}"


def play(agon, games, blocks, seed):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "equal.json")
        with open(path, "w") as file:
            json.dump(suite(games, blocks, seed), file)
        archive = os.path.join(folder, "equal.agon")
        run = [agon, "run", path, "--out", archive, "--quiet", "--jobs", "1"]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = json.loads(subprocess.run([agon, "report", archive, "--json"], check=True,
                                           capture_output=True).stdout)
    counts = {name: Count() for name in ("difference", "by game", "factor", "factor by game")}
    wrong = False
    for section, cell in ((section["id"], cell) for section in report["sections"]
                          for table in section["tables"] for row in table["rows"]
                          for cell in row["cells"] if cell):
        if cell.get("metric") == "difference" and cell["agent"] in {"a1", "a2", "a3", "a4"}:
            if section == "leaderboard":
                counts["difference"].add(cell)
                wrong = wrong or cell.get("p_adjusted", 1) < 0.05
            elif section == "differences":
                counts["by game"].add(cell)
        elif section == "factors" and "n" in cell:
            counts["factor by game" if "game" in cell else "factor"].add(cell)
    return counts, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agon")
    parser.add_argument("--suites", type=int, default=200)
    parser.add_argument("--blocks", default="12,20,40")
    parser.add_argument("--games", default="four,two")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    print("| games | blocks | what | leaves out 0 | given | some p for all at once < .05 |")
    print("|---|---|---|---|---|---|")
    for name in args.games.split(","):
        for blocks in map(int, args.blocks.split(",")):
            total, wrong = {}, 0
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                made = pool.map(lambda seed: play(args.agon, GAMES[name], blocks, seed),
                                range(1, args.suites + 1))
                for counts, is_wrong in made:
                    wrong += is_wrong
                    for what, count in counts.items():
                        total.setdefault(what, Count()).merge(count)
            for what, count in total.items():
                last = f"{wrong / args.suites:.3f}" if what == "difference" else ""
                print(f"| {name} | {blocks} | {what} | {count.words()} | {last} |", flush=True)


if __name__ == "__main__":
    main()
