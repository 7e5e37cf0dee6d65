#!/usr/bin/env python3
"""How long prompts are: tests/prompt_sizes.py AGON, where AGON is the command.

One match of each game with default settings, all seats models of default parts that answer at
random (the mock); bytes of all messages of a request, on average and of the last request of a
match. The table of docs/benchmarks.md is made with it.
"""
import json
import os
import subprocess
import sys
import tempfile

GAMES = ["bargaining", "classic", "clock-auction", "deal-or-no-deal", "ebay", "english-auction",
         "guess-average", "sealed-bid", "survival-auction", "water-allocation"]
SEEDS = 3


def calls(agon, game, seed, folder):
    archive = os.path.join(folder, f"{game}-{seed}.agon")
    subprocess.run([agon, "play", game, "--agent", "llm", "--model", "mock", "--seed", str(seed),
                    "--out", archive], check=True, stdout=subprocess.DEVNULL)
    rows = subprocess.run([agon, "export", archive, "--rows", "calls", "--format", "jsonl"],
                          check=True, capture_output=True, text=True).stdout
    return [json.loads(row) for row in rows.splitlines()]


def size(row):
    return sum(len(message["text"].encode()) for message in row["messages"])


def main():
    agon = sys.argv[1] if len(sys.argv) > 1 else "agon"
    print("| game | requests a match | mean bytes | bytes of the last |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            plays = [calls(agon, game, seed, folder) for seed in range(1, SEEDS + 1)]
            rows = [row for play in plays for row in play]
            last = sum(size(play[-1]) for play in plays) / len(plays)
            mean = sum(map(size, rows)) / len(rows)
            print(f"| {game} | {len(rows) / SEEDS:.0f} | {mean:.0f} | {last:.0f} |")


if __name__ == "__main__":
    main()
