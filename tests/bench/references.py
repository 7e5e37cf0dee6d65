#!/usr/bin/env python3
"""Which strategy does best among those that come with a game: a tournament for each game.

    python3 tests/bench/references.py build/bin/agon [--blocks N] [--seed N] [GAME ...]

Every strategy of the game that plays every role, and `random`, is the field once; among its copies
every one of them, and `default`, sits on every seat, on the same blocks of luck. Printed is the
normalised score of each (row) in each field (column), by `agon report`, and the mean over the fields.
The best is who has the highest mean; the game's card should name it as its reference. Exit code 1 if
the card names one whose mean is behind the best by more than two standard errors, or one that does
worse than `random` in its own field, which is what `agon new suite` plays. A name with parameters
(`last:deviation=5`) is one more strategy."""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile


def agon(command, *arguments, folder=None):
    done = subprocess.run([command, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 6):
        sys.exit(f"agon {' '.join(arguments)}: {done.stderr}")
    return json.loads(done.stdout) if "--json" in arguments else None


def play(command, game, agents, field, blocks, seed, folder):
    """(score, standard error) by agent, in one field."""
    names = {agent: f"a{i}" for i, agent in enumerate(agents)}
    name = f"{game}-{names[field]}"
    suite = {"suite": "references", "seed": seed, "agents": {names[a]: a for a in agents},
             "design": {"focal": list(names.values()), "background": names[field], "seat_rotation": "all",
                        "blocks": blocks},
             "scenarios": [{"game": game}], "report": {"reference": names[field]}}
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump(suite, file)
    agon(command, "run", name + ".json", "--out", name + ".agon", "--quiet", folder=folder)
    report = agon(command, "report", name + ".agon", "--json", folder=folder)
    board = next(s for s in report["sections"] if s["id"] == "leaderboard")
    scores = {cell["agent"]: (cell["value"], cell.get("standard_error", 0))
              for row in board["tables"][0]["rows"] for cell in row["cells"]
              if cell.get("metric") == "normalized_score"}
    return {agent: scores[name] for agent, name in names.items()}


def tournament(command, game, strategies, blocks, seed, folder):
    fields = strategies + ["random"]
    agents = fields + ["default"]
    played = {field: play(command, game, agents, field, blocks, seed, folder) for field in fields}
    rows = {}
    for agent in agents:
        cells = [played[field][agent] for field in fields]
        mean = sum(score for score, _ in cells) / len(cells)
        rows[agent] = (mean, math.sqrt(sum(error ** 2 for _, error in cells)) / len(cells), cells)
    return fields, rows


def judge(game, named, fields, rows):
    """Prints the table; what is wrong with the card's reference, or nothing."""
    ranked = sorted(rows, key=lambda agent: -rows[agent][0])
    width = max(map(len, ranked))
    print(f"\n{game}: the card names {named or 'nobody'}")
    print(f"  {'':{width}}  {'mean':>14}  " + "  ".join(f"{field:>9.9}" for field in fields))
    for agent in ranked:
        mean, error, cells = rows[agent]
        print(f"  {agent:{width}}  {mean:6.3f} +- {error:.3f}  "
              + "  ".join(f"{score:9.3f}" for score, _ in cells))
    if named not in rows:
        return f"{game}: the card names no strategy; {ranked[0]} does best"
    best, mine = rows[ranked[0]], rows[named]
    if best[0] - mine[0] > 2 * math.hypot(best[1], mine[1]):
        return f"{game}: {ranked[0]} does better than {named}"
    at = fields.index(named)
    if rows["random"][2][at][0] > mine[2][at][0]:
        return f"{game}: random does better than {named} among copies of {named}"
    return None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("agon")
    options.add_argument("--blocks", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("games", nargs="*")
    asked = options.parse_args()
    command = os.path.abspath(asked.agon)
    strategies, named = {}, {}
    for agent in agon(command, "list", "agents", "--json")["agents"]:
        if not agent["game"]:
            continue
        cards = agon(command, "describe", agent["id"], "--json")
        if any(card["game"] == agent["game"] and not card.get("roles") for card in cards):
            strategies.setdefault(agent["game"], []).append(agent["id"])
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for game in asked.games or sorted(strategies):
            named = agon(command, "describe", game, "--json").get("reference", "")
            seated = strategies[game] + [named] * (named != "" and named not in strategies[game])
            fields, rows = tournament(command, game, seated, asked.blocks, asked.seed, folder)
            wrong.append(judge(game, named, fields, rows))
    print()
    for problem in filter(None, wrong):
        print(problem)
    sys.exit(any(wrong))


main()
