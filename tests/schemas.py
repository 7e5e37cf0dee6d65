#!/usr/bin/env python3
"""Everything that ships by its JSON Schema, and slips that the schemas refuse.

  schemas.py SOURCE AGON

Agon itself reads the same texts: both must say the same of them.
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(4)

source, agon, schemas = sys.argv[1:]
failed = 0


def fail(what):
    global failed
    failed += 1
    print("FAILED:", what)


def read(path):
    """JSON with comments."""
    with open(path) as file:
        text = file.read()
    strings = r'"(?:\\.|[^"\\])*"'
    return json.loads(re.sub(rf"({strings})|//[^\n]*|/\*.*?\*/", lambda m: m[1] or " ", text, flags=re.S))


def schema(name):
    found = read(f"{schemas}/{name}.schema.json")
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


def problems(validator, data):
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(data)]


suite = schema("suite")
shipped = sorted(glob.glob(f"{source}/scenarios/**/*.json", recursive=True))
suites = [path for path in shipped if os.path.basename(path) != "prices.json"]
others = {f"{source}/scenarios/prices.json": "prices", f"{source}/agents/llm/data/drift.json": "drift"}
for path in sorted(glob.glob(f"{source}/games/*/data/*.json")):
    others[path] = read(path)["format"].removeprefix("agon.")
checked = 0
for path in suites:
    for problem in problems(suite, read(path))[:3]:
        fail(f"{path}: {problem}")
    checked += 1
for path, name in others.items():
    for problem in problems(schema(name), read(path))[:3]:
        fail(f"{path}: {problem}")
    checked += 1

# What is wrong is refused by the schema and by Agon; what is right by neither.
plain = {
    "agents": {"a": "random", "b": {"rule": "default"}},
    "scenarios": [{"game": "bargaining", "blocks": 2}],
}


def doctor(data):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(data, file)
        file.flush()
        return subprocess.run([agon, "doctor", file.name], capture_output=True, text=True)


def case(good, edit):
    data = copy.deepcopy(plain)
    edit(data)
    by_schema, by_agon = not problems(suite, data), doctor(data)
    if by_schema != good:
        fail(f"the schema {'refuses' if good else 'takes'} {json.dumps(data)[:300]}")
    if (by_agon.returncode == 0) != good:
        fail(f"agon {'refuses' if good else 'takes'} {json.dumps(data)[:300]}: {by_agon.stderr[:200]}")


def scenario(**members):
    return lambda data: data["scenarios"][0].update(members)


def agent(value):
    return lambda data: data["agents"].update({"c": value})


def top(**members):
    return lambda data: data.update(members)


# A suite of branches has neither agents nor scenarios of its own: where others lack them, the command
# says so.
good = [
    lambda data: None,
    top(**{"$schema": "suite.schema.json", "suite": "s", "seed": 7}),
    top(design={"focal": "a", "background": ["b"], "seat_rotation": "by-role", "blocks": 3}),
    top(design={"round_robin": True}),
    top(design={"fixed": [["a", "b"], ["b", "b"]], "seat_rotation": "as-listed"}),
    top(stop="best=0.95", report={"level": 0.9}),
    top(stop={"best": {"blocks": 2}}, limits={"cost": "25 USD", "jobs": 2, "tokens": 5}),
    top(faults={"policy": "as-played", "reasks": 0}, limits={"cost": 0.5}),
    scenario(preset="paper", set={"factor": 0.5}, treatments={"budget": [5, 7.25]}),
    agent("time-dependent:concession=0.5"),
    agent({"rule": "time-dependent", "params": {"concession": 0.5}, "labels": {"kind": "x"}}),
    agent({"rule": {"bargaining": {"time-dependent": {"concession": 0.5}}}}),
    agent({"rule": "time-dependent", "factors": {"concession": [0.5, 1]}}),
    agent({"llm": "mock", "memory": "whole"}),
    agent({"llm": {"model": "mock", "model.temperature": 0}, "factors": {"memory": ["whole", "notebook"]}}),
    agent({"script": {"answers": [{"talk": "", "action": {"kind": "quit"}}]}}),
]
bad = [
    top(desing={}),
    top(seed=-1),
    top(seed=1.5),
    top(seed=2**63),
    top(design={"round_robin": False}),
    scenario(design={"round_robin": False}),
    top(design={"blocks": 0}),
    top(design={"repeats": 10**10}),
    top(stop={"best": 1.5}),
    top(stop={"best": 1}),
    top(stop={"best": 0.5}),
    top(stop={"best": {"blocks": 2.5}}),
    top(stop={"best": {"blocks": 1}}),
    top(stop={"best": 0.9, "level": 1}),
    top(stop={"difference": 0}, report={"reference": "a"}),
    top(report={"level": 1}),
    top(report={"level": 0.5}),
    top(faults={"reasks": 101}),
    top(limits={"tokens": -1}),
    top(limits={"tokens": 2**63}),
    top(limits={"cost": 0}),
    top(limits={"cost": 2e8}),
    top(limits={"answer_seconds": 0}),
    top(models={"m": 3}),
    top(models={"m": {"model": "x", "provider": "mock", "temprature": 0}}),
    top(models={"m": {"provider": "moc", "model": "x"}}),
    scenario(sequence=0),
    scenario(repeats=0),
    agent({"rule": "random", "factors": {}}),
    agent({"rule": "time-dependent", "factors": {"concession": []}}),
    agent({"rule": "random", "params": 3}),
    agent({"params": {}}),
    lambda data: data["agents"].update({"a*": "random"}),
    top(design={"foca": "a"}),
    top(design={"fixed": []}),
    top(design={"seat_rotation": "diagonal"}),
    top(report={"level": 95}),
    top(stop={"bst": 0.9}),
    top(limits={"jobs": 0}),
    top(faults={"policy": "exlude"}),
    scenario(game="bargainin"),
    scenario(bloks=2),
    scenario(blocks=0),
    scenario(preset="papr"),
    scenario(set={"factr": 1}),
    scenario(set={"budget": -5}),
    scenario(treatments={"factr": [1]}),
    scenario(treatments={"factor": []}),
    agent({"rul": "random"}),
    agent({"rule": "randm"}),
    agent({"rule": "time-dependent", "params": {"concesion": 1}}),
    agent({"rule": "time-dependent", "concession": 1}),
    agent({"rule": {"bargainin": "random"}}),
    agent({"llm": "mock", "memry": "whole"}),
    agent({"llm": {"model": "mock", "model.temprature": 0}}),
    agent({"rule": "random", "labels": {"x": ""}}),
]
for edit in good:
    case(True, edit)
for edit in bad:
    case(False, edit)

prices = schema("prices")
if not problems(prices, {"format": "agon.prices", "models": {"p/m": {"input": 1, "outpt": 1}}}):
    fail("the schema of prices takes a misspelt member")

print(f"{checked} files, {len(good)} good and {len(bad)} bad suites")
sys.exit(1 if failed else 0)
