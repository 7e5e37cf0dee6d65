#!/usr/bin/env python3
"""What it costs to play games in processes of their own, and what hostile ones cost the others.

    python3 tests/bench/isolated.py build overhead|hostile

`overhead`: runs of rule agents into an archive, in this process and in others, in turn; medians
of the processor seconds of all of them together, and of the ratios of pairs. `hostile`: ten
thousand matches of shipped games and of a plugin that attacks whoever plays it in six ways; then
the shipped games alone. Exit code 1 if a match of theirs differs, or one is missing."""

import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile

SHIPPED = {
    "deal-or-no-deal": (["random", "random"], {"preset": "openspiel"}),
    "english-auction": (["rule", "rule", "rule"], {}),
    "water-allocation": (["fixed"] * 5, {}),
    "bargaining": (["time-dependent"] * 2, {}),
}
PAIRS = 10
ACTS = ["segfault", "abort", "loop", "memory", "file", "garbage"]
AGENTS = {"random": "random", "rule": {"rule": {"english-auction": "rule"}},
          "fixed": {"rule": {"water-allocation": "fixed"}},
          "time-dependent": {"rule": {"bargaining": "time-dependent"}}}


def scenario(game, blocks):
    seats, more = SHIPPED[game]
    return {"game": game, "blocks": blocks, "design": {"fixed": [seats]}, **more}


def run(build, suite, archive, *more):
    """Plays a suite; returns the processor seconds of all processes, and the exit code."""
    with open("s.json", "w", encoding="utf-8") as file:
        json.dump({"seed": 1, "agents": AGENTS, **suite}, file)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run([f"{build}/bin/agon", "run", "s.json", "--out", archive, "--quiet",
                            "--jobs", "4", *more], check=False, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, ended.returncode


def matches(archive, game):
    """Finished matches with their records, by id."""
    with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as db:
        return dict(db.execute("select id, hex(bytes) from match join record on match = number "
                               "where scenario in (select number from scenario where name = ?) "
                               "and status = 'finished'", (game,)).fetchall())


def overhead(build):
    for game, blocks in zip(SHIPPED, [200000, 60000, 60000, 150000]):
        pairs, order = [], ["never", "always"]
        for _ in range(PAIRS):
            used = {}
            order.reverse()
            for when in order:
                used[when] = run(build, {"scenarios": [scenario(game, blocks)]}, "a.agon",
                                 "--sandbox", when)[0]
                os.remove("a.agon")
            pairs.append(used)
        ratios = sorted(used["always"] / used["never"] for used in pairs)
        here, there = (statistics.median(used[when] for used in pairs)
                       for when in ["never", "always"])
        print(f"{game}: {here:.2f} s in this process, {there:.2f} s in others: ratio of a pair "
              f"{statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})",
              flush=True)
    return 0


def hostile(build):
    shipped = [scenario(game, 2350) for game in SHIPPED]
    bad = [{"name": act, "game": "hostile", "set": {"act": act, "one_in": 10}, "blocks": 100,
            "design": {"fixed": [["random"]]}} for act in ACTS]
    rules = {"sandbox": {"when": "always", "limits": {"processor": 0.5}}}
    used, code = run(build, {"scenarios": shipped + bad, **rules}, "all.agon", "--plugin",
                     f"{build}/tests/plugins/hostile/hostile.so")
    print(f"with six attacks: {used:.1f} s of processor time, exit code {code}")
    run(build, {"scenarios": shipped, **rules}, "alone.agon")
    with sqlite3.connect("all.agon") as db:
        print(f"{db.execute('select count(*) from match').fetchone()[0]} matches, "
              + str(db.execute("select count(*) from match where status = 'game-error'")
                    .fetchone()[0]) + " faults of the hostile game")
    wrong = 0
    for game in SHIPPED:
        alone = matches("alone.agon", game)
        same = alone == matches("all.agon", game)
        wrong += not same or len(alone) != 2350
        print(f"{game}: {len(alone)} matches, {'the same' if same else 'NOT THE SAME'}")
    return 1 if wrong else 0


def main():
    build, what = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        return overhead(build) if what == "overhead" else hostile(build)


if __name__ == "__main__":
    sys.exit(main())
