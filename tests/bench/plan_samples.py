"""How near `agon plan` comes with its few seats to a plan of many: the same dry run, more of it.

    python3 tests/bench/plan_samples.py build/bin/agon [SUITE...] [--sample 300]

A line a suite: what is expected of calls, tokens in and tokens out, as shares of what it is with
many seats. Without suites: all under scenarios/ that call models. With --hold it fails where calls
are off by more than a fifth, or tokens in by more than a quarter.
"""

import argparse
import json
import pathlib
import subprocess


def total(agon, suite, *options):
    done = subprocess.run(
        [agon, "plan", suite, "--json", *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{suite}: {done.stderr.strip()}")
    plan = json.loads(done.stdout)
    return plan["total"] if plan["rows"] else None


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("agon")
parser.add_argument("suites", nargs="*")
parser.add_argument("--sample", type=int, default=300)
parser.add_argument("--hold", action="store_true")
asked = parser.parse_args()
scenarios = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
suites = asked.suites or sorted(
    str(path) for path in scenarios.rglob("*.json") if '"scenarios"' in path.read_text())

off = []
print("suite                                   calls  tokens in  tokens out")
for suite in suites:
    few = total(asked.agon, suite)
    if few is None:
        continue
    many = total(asked.agon, suite, "--sample", str(asked.sample))
    shares = [few[what]["expected"] / many[what]["expected"]
              for what in ("calls", "input_tokens", "output_tokens")]
    name = str(pathlib.Path(suite).resolve()).removeprefix(str(scenarios) + "/")
    print(f"{name:40}{shares[0]:5.2f}{shares[1]:11.2f}{shares[2]:12.2f}", flush=True)
    if abs(shares[0] - 1) > 0.2 or abs(shares[1] - 1) > 0.25:
        off.append(name)
if asked.hold and off:
    raise SystemExit("not within a fifth of the calls and a quarter of the tokens in: " + ", ".join(off))
