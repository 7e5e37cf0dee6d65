#!/usr/bin/env python3
"""Decisions a second of environments in one Python process, next to `agon bench`, which plays the same
games without leaving the engine.

    PYTHONPATH=build/share/agon/python python3 tests/bench/environments.py build

Processor time, best of twenty tenths of a second; needs NumPy. Policies: the library's own draws; the lowest legal place of
each, by NumPy. In the end, what a question costs whose answer is a function's: in agon.run(), next to a
binding written by hand in ten lines, and in the environment of the same game with the same answers.
"""
import contextlib
import ctypes
import io
import json
import subprocess
import sys
import tempfile
import time

import numpy

import agon_arena as agon
from agon_arena import command

GAMES = [("deal-or-no-deal", "openspiel"), ("english-auction", ""), ("water-allocation", ""), ("guess-average", ""),
         ("classic", ""), ("bargaining", "")]
TABLES = 1024


def best(work, at_once, seconds=0.1):
    """How often a second, in processor time."""
    found = 0.0
    for _ in range(20):
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


def reject(question):
    """Looks at nothing."""
    return {"talk": "", "action": {"kind": "reject"}}


def see_and_reject(question):
    return reject(question.view)


def by_hand(players, _user, _agent, _seat, lines, reply):
    """In the place of Players.tell: the least that hands a function its question as Python's own values."""
    if not hasattr(players, "entered"):
        players.entered = ctypes.pythonapi.PyGILState_Ensure()
    if reply:
        question = json.loads(lines[lines.rfind(b"\n", 0, -1) + 1:])
        answer = reject(question["view"])
        players.library.agon_answer(reply, json.dumps({"type": "answer", "id": question["id"], "answer": answer}).encode())


def functions():
    """Microseconds of processor time that agon.run() takes for a question to an agent that is a function, archive
    and all: of many matches less of few. By kind of function, all in turn, the best of several."""
    tell = command.Players.tell

    def played(function, blocks, told):
        suite = {"agents": {}, "design": {"fixed": [["mine", "mine"]], "blocks": blocks},
                 "scenarios": [{"game": "bargaining"}]}
        command.Players.tell = told
        begin = time.process_time()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            agon.run(suite, {"mine": function}, out=f"{folder}/run.agon", jobs=1, progress=False)
        return time.process_time() - begin

    kinds = {"by hand": (reject, by_hand), "nothing": (reject, tell), "view": (see_and_reject, tell)}
    best = dict.fromkeys(kinds, float("inf"))
    for _ in range(7):
        for kind, (function, told) in kinds.items():
            spent = played(function, 310, told) - played(function, 10, told)
            best[kind] = min(best[kind], 1e6 * spent / (300 * 12))  # nobody deals: 12 questions a match
    command.Players.tell = tell
    return best


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
    found = ", ".join(f"{kind} {cost:.0f}" for kind, cost in functions().items())
    print(f"bargaining, us an answer by a Python function in agon.run that is called by hand and that looks at: {found}; "
          f"in the environment {1e6 / steps():.0f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build")
