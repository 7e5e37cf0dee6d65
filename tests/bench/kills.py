#!/usr/bin/env python3
"""Kills a run over and over, and looks whether the archive lost or doubled anything.

    python3 tests/bench/kills.py build/bin/agon KILLS rules|models

Each start is killed (SIGKILL) after 20 to 500 ms. Counted before and after: finished matches and
answered model calls. In the end the run is played to its end, and compared, record by record, with
one that nobody disturbed. Exit code 1 if anything differs."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

RULES = {
    "seed": 3,
    "agents": {"floor": "random", "survivor": "survivor"},
    "scenarios": [{"game": "water-allocation", "blocks": 40000,
                   "design": {"focal": ["floor", "survivor"], "background": "survivor"}}],
}
MODELS = {
    "seed": 3,
    "models": {"m": {"provider": "mock", "mock": {"latency_ms": 30, "in_real_time": True}}},
    "agents": {"a": {"llm": "m"}},
    "scenarios": [{"game": "water-allocation", "blocks": 2000, "set": {"days": 3},
                   "design": {"fixed": [["a"] * 5]}}],
}
COMPARED = 300  # blocks


def ask(archive, sql):
    try:
        with sqlite3.connect(f"file:{archive}?mode=ro", uri=True, timeout=10) as db:
            return db.execute(sql).fetchall()
    except sqlite3.OperationalError:  # it is not there yet
        return [(0, 0)]


def kept(archive):
    return ask(archive, "select (select count(*) from match), "
                        "(select count(*) from call where answered = 1)")[0]


def main():
    agon, kills, kind = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    draw = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("s.json", "w", encoding="utf-8") as file:
            json.dump(RULES if kind == "rules" else MODELS, file)

        def call(archive):
            return [agon, "run", "s.json", "--out", archive, "--quiet", "--jobs",
                    "4" if kind == "rules" else "16"]

        lost = done = 0
        for _ in range(kills):
            run = subprocess.Popen(call("k.agon"), stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0.02, 0.5))
            if run.poll() is not None:
                break
            before = kept("k.agon")
            run.send_signal(signal.SIGKILL)
            run.wait()
            done += 1
            after = kept("k.agon")
            lost += sum(max(0, b - a) for b, a in zip(before, after))
        ends = [subprocess.run(call(archive) + ["--blocks", str(COMPARED)], check=False,
                               stderr=subprocess.DEVNULL).returncode
                for archive in ("k.agon", "whole.agon")]
        twice = ask("k.agon", "select count(*) from (select 1 from call where answered = 1 "
                              "group by match, question, attempt, place having count(*) > 1)")[0][0]
        rows = ("select hex(m.id), m.status, t.seat, t.payoff, t.rank, r.bytes from match m "
                "join seat t on t.match = m.number join record r on r.match = m.number "
                f"where m.block < {COMPARED} order by 1, 3")
        same = ask("k.agon", rows) == ask("whole.agon", rows)
        print(f"{kind}: {done} kills, {lost} lost, {twice} calls answered twice, exit codes {ends}, "
              f"{'equal to' if same else 'OTHER THAN'} a run that nobody disturbed")
        return 0 if done and not lost and not twice and ends == [0, 0] and same else 1


if __name__ == "__main__":
    sys.exit(main())
