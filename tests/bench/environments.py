#!/usr/bin/env python3
"""Decisions a second of environments in one Python process, next to `agon bench`, which plays the same
games without leaving the engine.

    PYTHONPATH=build/share/agon/python python3 tests/bench/environments.py build

Processor time, best of five; needs NumPy. Policies: the library's own draws; the lowest legal place of
each, by NumPy. In the end, questions a second to a function that is an agent of agon.run(), archive and
all, and steps a second of the environment of the same game with the same answers.
"""
import contextlib
import json
import subprocess
import sys
import tempfile
import time

import numpy

import agon_arena as agon

GAMES = [("deal-or-no-deal", "openspiel"), ("english-auction", ""), ("water-allocation", ""), ("guess-average", ""),
         ("classic", ""), ("bargaining", "")]
TABLES = 1024


def best(work, at_once, seconds=0.4):
    """How often a second, in processor time."""
    found = 0.0
    for _ in range(5):
        done, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < seconds:
            work()
            done += at_once
        found = max(found, done / spent)
    return found


def engine(build, game, preset, seats):
    """Questions a second of random agents inside the engine."""
    scenario = {"game": game, "design": {"fixed": [["random"] * seats]}}
    if preset:
        scenario["preset"] = preset
    with tempfile.NamedTemporaryFile("w", suffix=".json") as suite:
        json.dump({"seed": 1, "agents": {"random": "random"}, "scenarios": [scenario]}, suite)
        suite.flush()
        words = [f"{build}/bin/agon", "bench", suite.name, "--jobs", "1", "--recorded", "10", "--json"]
        said = subprocess.run(words, capture_output=True, check=True, text=True).stdout
    return json.loads(said)["scenarios"][0]["questions_per_second"]


def lowest(env, places):
    """The lower bound of a number, the first choice that may be made."""
    first = env.mask & (~env.mask + numpy.uint64(1))
    numpy.copyto(places, env.low)
    numpy.copyto(places, numpy.log2(numpy.maximum(first, numpy.uint64(1))), where=env.mask > 0)
    env.step(places)


def functions():
    """Questions a second of processor time to a function in agon.run(): of many less of few matches."""
    asked = []

    def reject(question):
        asked.append(question)
        return {"talk": "", "action": {"kind": "reject"}}

    def played(blocks):
        suite = {"agents": {}, "design": {"fixed": [["mine", "mine"]], "blocks": blocks},
                 "scenarios": [{"game": "bargaining"}]}
        begin = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            agon.run(suite, {"mine": reject}, out=f"{folder}/run.agon", jobs=1, progress=False)
        return time.process_time() - begin

    def rate():
        few = played(10)
        asked.clear()
        many = played(510)
        return len(asked) * 500 / 510 / (many - few)

    return max(rate() for _ in range(3))


def steps():
    """Steps a second of the environment in the same match."""
    with contextlib.closing(agon.make("bargaining", events=False)) as env:
        def match():
            env.reset(seed=1)
            for seat in env.agent_iter():
                env.step(None if env.terminations[seat] else {"talk": "", "action": {"kind": "reject"}})
        return best(match, 12)


def main(build):
    print(f"{'game':18} {'engine':>9} {'drawn':>9} {'lowest':>9}  M decisions/s;  {'step':>6} {'reset':>6}  us, one table")
    for game, preset in GAMES:
        with agon.VectorEnv(game, TABLES, preset, entries=3) as env:
            env.reset(seed=1)
            rate = engine(build, game, preset, len(env.game.names))
            drawn = best(env.step, TABLES)
            places = numpy.zeros_like(env.low)
            by_numpy = best(lambda: lowest(env, places), TABLES)
        with agon.VectorEnv(game, 1, preset, entries=3) as one:
            one.reset(seed=1)
            step, reset = 1e6 / best(one.step, 1), 1e6 / best(lambda: one.reset(seed=1), 1)
        print(f"{game:18} {rate / 1e6:9.2f} {drawn / 1e6:9.2f} {by_numpy / 1e6:9.2f}  {'':15} {step:6.1f} {reset:6.1f}",
              flush=True)
    print(f"bargaining, an answer by a Python function: agon.run {functions():.0f} a second, environment {steps():.0f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build")
