#!/usr/bin/env python3
"""How often 95% CIs of bargaining's score hold the truth, by how sessions are added up.

    session_weights.py AGON [--sets N]

Every product of the shipped catalogue is played six times by `random`, a mock model, and
`time-dependent`, each among copies of the last; further agents are made up. A study is 12, 20 or 40
products, drawn with return, each with one of its plays; the truth is the score over the catalogue. The
interval is that of docs/statistics-derivations.md, written again. Nothing is kept.
"""
import argparse
import csv
import functools
import json
import math
import os
import random
import subprocess
import tempfile

SUITE = {"suite": "products", "seed": 11, "models": {"m": {"provider": "mock"}},
         "agents": {"random": "random", "time-dependent": "time-dependent", "model": {"llm": "m"}},
         "design": {"focal": ["random", "model", "time-dependent"], "background": "time-dependent",
                    "blocks": 180, "repeats": 6},
         "scenarios": [{"game": "bargaining", "set": {"order": "in_turn"}}]}

# How a gain and a surplus enter the two sums of a ratio.
WEIGHTS = {"dollars": lambda p: 1, "list prices": lambda p: 1 / p["price"],
           "by session": lambda p: 1 / p["surplus"]}


def beta_fraction(a, b, x):
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, 300):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + step * d)
            c = 1 + step / c
            h *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return h


def incomplete_beta(a, b, x):
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


@functools.lru_cache(None)
def student(degrees):
    """The 97.5% quantile."""
    low, high = 0.1, 1e4
    for _ in range(80):
        middle = (low + high) / 2
        if incomplete_beta(degrees / 2, .5, degrees / (degrees + middle * middle)) / 2 > .025:
            low = middle
        else:
            high = middle
    return high


def interval(terms):
    """Of a sum of weight * sum(gains) / sum(surpluses); None where one unit holds nearly all."""
    units = len(terms[0][1])
    value, effective, influence, own = 0, math.inf, [0.0] * units, [0.0] * units
    for weight, gains, surpluses in terms:
        gain, surplus = sum(gains), sum(surpluses)
        value += weight * gain / surplus
        effective = min(effective, 1 / sum((s / surplus) ** 2 for s in surpluses))
        for i in range(units):
            influence[i] += weight * (gains[i] - gain / surplus * surpluses[i]) / (surplus - surpluses[i]) * (units - 1) / units
            own[i] += weight * gains[i] / surpluses[i]
    mean = sum(influence) / units
    influence = [u - mean for u in influence]
    error = math.sqrt(units / (units - 1) * sum(u * u for u in influence))
    if error == 0:
        return value, value
    if effective < 2:
        return None
    degrees = max(1, round(effective - 1, 1))
    skewness = sum(u ** 3 for u in influence) / error ** 3
    t = student(degrees)
    x = abs(skewness) * (1 + 16 / (degrees + 1))
    inside = 1 - 2 / 3 * x * (t + x / 6)
    hall = math.inf if inside <= 0 else t if x < 1e-9 else -3 / (2 * x) * math.log(inside)
    short, long = error * t, error * max(t, min(2.5 * t, hall))
    low, high = (value - short, value + long) if skewness > 0 else (value - long, value + short)
    return max(low, min(own)), min(high, max(own))


def terms_of(products, pair, scale, dice):
    terms = []
    for role in (0, 1):
        for agent, weight in zip(pair, (.5, -.5)):
            gains = []
            for p in products:
                played = p["gains"][agent][role]
                gains.append(scale(p) * (dice.choice(played) if dice else sum(played) / len(played)))
            terms.append((weight, gains, [scale(p) * p["surplus"] for p in products]))
    return terms


def coverage(products, pair, scale, units, sets):
    truth = sum(weight * sum(gains) / sum(surpluses)
                for weight, gains, surpluses in terms_of(products, pair, scale, None))
    dice = random.Random(1)
    held, widths = 0, []
    for _ in range(sets):
        drawn = [dice.choice(products) for _ in range(units)]
        found = interval(terms_of(drawn, pair, scale, dice))
        if found:
            held += found[0] <= truth <= found[1]
            widths.append(found[1] - found[0])
    return f"{held / len(widths):.3f} w {sorted(widths)[len(widths) // 2]:.2f} ({len(widths) / sets:.0%})"


def play(agon):
    with tempfile.TemporaryDirectory() as folder:
        suite, archive = os.path.join(folder, "s.json"), os.path.join(folder, "s.agon")
        with open(suite, "w") as file:
            json.dump(SUITE, file)
        subprocess.run([agon, "run", suite, "--out", archive, "--quiet"], check=True)
        seats = subprocess.run([agon, "export", archive, "--rows", "seats"], check=True, capture_output=True, text=True)
    products = {}
    for row in csv.DictReader(seats.stdout.splitlines()):
        if row["counted"] != "1" or row["ideal"] == "":
            continue
        p = products.setdefault(row["metric_match_product"], {"price": float(row["metric_match_list_price"]),
                                                              "surplus": float(row["ideal"]), "gains": {}})
        p["gains"].setdefault(row["agent"], ([], []))[row["role"] == "seller"].append(float(row["payoff"]))
    return list(products.values())


def made_up(products):
    dice = random.Random(5)
    laws = {"share .5 +- .2 of every product": lambda p, fixed: fixed[0],
            "nothing of 40% of products": lambda p, fixed: fixed[1],
            "-1.5 surpluses of 30% of products": lambda p, fixed: fixed[2],
            "pays up to half a list price too much in one of ten":
                lambda p, fixed: -dice.random() * .5 * p["price"] / p["surplus"] if dice.random() < .1 else dice.gauss(.5, .15)}
    for p in products:
        for name, law in laws.items():
            p["gains"][name] = ([], [])
            for role in (0, 1):
                fixed = (dice.gauss(.5, .2), 0 if dice.random() < .4 else dice.random(),
                         -1.5 if dice.random() < .3 else dice.gauss(.5, .2))
                p["gains"][name][role].extend(p["surplus"] * law(p, fixed) for _ in range(30))
    return list(laws)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agon")
    parser.add_argument("--sets", type=int, default=800)
    asked = parser.parse_args()
    products = play(asked.agon)
    pairs = [("random",), ("model",), ("model", "time-dependent"), ("model", "random")]
    for pair in pairs + [(name,) for name in made_up(products)]:
        for how, scale in WEIGHTS.items():
            found = "; ".join(coverage(products, pair, scale, units, asked.sets) for units in (12, 20, 40))
            print(f"{' less '.join(pair):52} {how:12} {found}", flush=True)


if __name__ == "__main__":
    main()
