"""How near `agon plan --pilot` comes to what a run then takes, for a model of known lengths.

    python3 tests/bench/plan_against_run.py build/bin/agon [GAME...] [--pilot 40] [--blocks 120]

For each game: a suite whose seats are all models that write so much in a text and think so much
(--words, --thought); a pilot of few blocks measures what they take; the plan of a larger suite with
another seed expects it; the run takes it. A line a game: calls, tokens in and tokens out of the
plan, as shares of those of the run. With --hold it fails where one is off by more than a tenth.
The table of docs/benchmarks.md is made with it.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

GAMES = ["bargaining", "classic", "clock-auction", "deal-or-no-deal", "ebay", "english-auction",
         "guess-average", "sealed-bid", "survival-auction", "water-allocation"]


def agon(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def shares_of(asked, game, folder):
    def suite(seed, blocks):
        path = folder / f"{game}-{seed}.json"
        path.write_text(json.dumps({
            "seed": seed,
            "models": {"m": {"provider": "mock",
                             "mock": {"words": asked.words, "thought": asked.thought}}},
            "agents": {"a": {"llm": "m"}},
            "design": {"focal": "a", "background": "a", "blocks": blocks},
            "scenarios": [{"game": game}]}))
        return path

    pilot, taken = folder / f"{game}-pilot.agon", folder / f"{game}.agon"
    agon(asked.agon, "run", suite(1, asked.pilot), "--out", pilot)
    large = suite(2, asked.blocks)
    plan = json.loads(agon(asked.agon, "plan", large, "--pilot", pilot, "--json"))["total"]
    agon(asked.agon, "run", large, "--out", taken)
    calls = [json.loads(line) for line in agon(asked.agon, "export", taken, "--rows", "calls",
                                               "--format", "jsonl").splitlines()]
    return [plan["calls"]["expected"] / len(calls),
            plan["input_tokens"]["expected"] / sum(call["input_tokens"] for call in calls),
            plan["output_tokens"]["expected"] / sum(call["output_tokens"] for call in calls)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agon")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--pilot", type=int, default=40)
    parser.add_argument("--blocks", type=int, default=120)
    parser.add_argument("--words", type=int, default=40)
    parser.add_argument("--thought", type=int, default=50)
    parser.add_argument("--hold", action="store_true")
    asked = parser.parse_args()
    off = []
    print("| game | calls | tokens in | tokens out |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for game in asked.games or GAMES:
            shares = shares_of(asked, game, pathlib.Path(folder))
            print(f"| {game} | " + " | ".join(f"{share:.2f}" for share in shares) + " |", flush=True)
            if any(abs(share - 1) > 0.1 for share in shares):
                off.append(game)
    if asked.hold and off:
        raise SystemExit("not within a tenth: " + ", ".join(off))


if __name__ == "__main__":
    main()
