#!/usr/bin/env python3
"""What programs read of an archive: the report's JSON by its schema, and its figures from exports.

  report_data.py AGON SCHEMAS ARCHIVE...

An archive called NAME@LABEL.agon is also asked for the game over that label.
"""
import collections
import csv
import io
import json
import math
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

agon, schemas, archives = sys.argv[1], sys.argv[2], sys.argv[3:]
failed = 0


def run(*words):
    return subprocess.run([agon, *words], check=True, capture_output=True, text=True).stdout


def fail(what):
    global failed
    failed += 1
    print("FAILED:", what)


def validator(name):
    if jsonschema is None:
        return None
    with open(f"{schemas}/{name}.schema.json") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def validate(schema, data, name):
    if schema is None:
        return
    errors = sorted(schema.iter_errors(data), key=lambda error: list(map(str, error.absolute_path)))
    for error in errors[:5]:
        fail(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")


def mean(values):
    return math.fsum(values) / len(values)


def scores_of(seats):
    """Normalised scores by (agent, game), from seats.csv alone: as docs/archive.md tells."""
    in_seat = collections.defaultdict(list)
    for row in seats:
        if row["counted"] == "1" and row["gain"] != "":
            place = (row["agent"], row["game"], row["scenario"], row["treatment"], row["role"])
            in_seat[place, row["block"], row["seat"]].append((float(row["gain"]), float(row["surplus"])))
    in_block = collections.defaultdict(list)
    for (place, block, _), pairs in in_seat.items():
        in_block[place, block].append([mean(side) for side in zip(*pairs)])
    sums = collections.defaultdict(list)
    for (place, _), pairs in in_block.items():
        sums[place].append([mean(side) for side in zip(*pairs)])
    shares = collections.defaultdict(list)
    for place, pairs in sums.items():
        gain, pie = map(math.fsum, zip(*pairs))
        if pie > 0:
            shares[place[:2]].append(gain / pie)
    return {key: mean(values) for key, values in shares.items()}


def close(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def figures_of(report):
    """(section, figure) in the order of the JSON: a figure is a cell that is no label."""
    for section in report["sections"]:
        for table in section["tables"]:
            for row in table["rows"]:
                if len(row["cells"]) != len(table["columns"]):
                    fail(f"{section['id']}: a row has {len(row['cells'])} cells")
                for column, cell in zip(table["columns"], row["cells"]):
                    if cell and not column["key"]:
                        yield section["id"], cell
        for series in section["series"]:
            positions = [point["position"] for point in series["points"]]
            if positions != sorted(positions):
                fail(f"{section['id']}: the points of {series['name']} are in no order")
            if not series["in_table"]:
                yield from ((section["id"], point) for point in series["points"])


def compare(name, policy):
    report = json.loads(run("report", name, "--json", "--fault-policy", policy))
    figures = list(figures_of(report))
    seats = list(csv.DictReader(io.StringIO(run("export", name, "--fault-policy", policy))))
    if any(row["policy"] != policy for row in seats):
        fail(f"{name}: the export does not say its policy {policy}")
    found = scores_of(seats)
    wanted = {
        (figure["agent"], figure["game"]): figure["value"]
        for section, figure in figures
        if section == "scores" and "value" in figure
    }
    for key in sorted(wanted.keys() | found.keys()):
        if key not in wanted or key not in found or not close(wanted[key], found[key]):
            fail(f"{name}, {policy}: {key} is {found.get(key)} by seats.csv, {wanted.get(key)} in the report")
    return report, len(wanted)


def compare_csv(name, report):
    lines = list(csv.DictReader(io.StringIO(run("report", name, "--csv"))))
    for line in lines:
        if None in line or None in line.values():
            fail(f"{name}: a line of the CSV has another number of fields")
    lines = [line for line in lines if line["section"] != "notes"]
    figures = list(figures_of(report))
    if len(lines) != len(figures):
        fail(f"{name}: {len(lines)} figures in CSV and {len(figures)} in JSON")
    for line, (section, figure) in zip(lines, figures):
        told = {key: text for key, text in line.items() if text != ""}
        same = told.pop("section") == section and told.keys() == figure.keys() and all(
            figure[key] == (text if isinstance(figure[key], str) else float(text))
            for key, text in told.items())
        if not same:
            fail(f"{name}: {told} in CSV is {figure} in JSON")
            break
    return len(figures)


report_schema = validator("report")
if jsonschema is None:
    print("skipped: the schemas, as python3-jsonschema is not installed")
for name in archives:
    compared = 0
    for policy in ("as-played", "forfeit", "exclude"):
        report, count = compare(name, policy)
        validate(report_schema, report, name)
        compared += count
    report = json.loads(run("report", name, "--json"))
    validate(report_schema, report, name)
    figures = compare_csv(name, report)
    if "@" in name:
        label = name.rsplit("@", 1)[1].removesuffix(".agon")
        for game in (["--metagame", label], ["--metagame-agents", "all", "--asymmetric", "--alpha", "5"]):
            validate(report_schema, json.loads(run("report", name, *game, "--json")), name)
    print(f"{name}: {compared} scores from seats.csv, {figures} figures in CSV")

sys.exit(1 if failed else 4 if jsonschema is None else 0)
