#!/usr/bin/env python3
"""Writes the component 'meta-strategy' with the game of the choice that a report has estimated.

    agon report ARCHIVE --metagame workflow --asymmetric --json > report.json
    python3 meta_strategy.py report.json deal-or-no-deal

It prints the text for an agent's "reasoning". The label's levels are 'use' and 'not'.
"""
import argparse
import json
import sys

LINE_UPS = (("use", "use"), ("use", "not"), ("not", "use"), ("not", "not"))


class Wrong(Exception):
    """What is wrong with the report, where, and how to fix it."""

    def __init__(self, problem, hint):
        super().__init__(f"agon: error: {problem}\n  hint: {hint}")


def read(path):
    """The report of a metagame."""
    how = "make it with: agon report ARCHIVE --metagame workflow --asymmetric --json"
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}", how) from None
    except ValueError as error:
        raise Wrong(f"{path}: no JSON: {error}", how) from None
    if not isinstance(report, dict) or report.get("format") != "agon.report":
        raise Wrong(f"{path}: $.format: it is no report", how)
    made = report.get("made", {}).get("metagame")
    if not made:
        raise Wrong(f"{path}: $.made.metagame: the report is of no metagame", how)
    if not made.get("seats_apart"):
        raise Wrong(f"{path}: $.made.metagame.seats_apart: seats are taken together", "add --asymmetric")
    return report


def section_of(path, report, game, title):
    """The place and the section of the payoffs of a game."""
    found = [(i, s) for i, s in enumerate(report["sections"]) if s["id"] == "payoffs"]
    if title is not None:
        found = [(i, s) for i, s in found if s["title"] == title]
    titles = ", ".join(f"'{s['title']}'" for s in report["sections"] if s["id"] == "payoffs") or "none"
    if len(found) != 1:
        raise Wrong(f"{path}: $.sections: {len(found)} of its metagames fit, where one should",
                    f"choose with --section; there is: {titles}")
    place, section = found[0]
    for row, cell, value in figures(place, section):
        if value.get("game") != game:
            raise Wrong(f"{path}: {cell}.game: the payoffs are of '{value.get('game')}', not of '{game}'",
                        "report on an archive of that game")
    return place, section


def figures(place, section, title=None):
    """Row, place and figure of all payoffs."""
    for t, table in enumerate(section["tables"]):
        for r, row in enumerate(table["rows"]):
            for c, value in enumerate(row["cells"]):
                if value.get("metric") == "payoff" and title in (None, table["title"]):
                    yield row, f"$.sections[{place}].tables[{t}].rows[{r}].cells[{c}]", value


def payoffs(path, report, game, title, unit):
    """What seats 0 and 1 get, by line-up."""
    place, section = section_of(path, report, game, title)
    where = f"{path}: $.sections[{place}]"
    found = {}
    for row, cell, value in figures(place, section, unit):
        line_up = tuple(text["text"] for text in row["cells"] if "text" in text)
        if len(line_up) != 2:
            raise Wrong(f"{path}: {cell}: the game has {len(line_up)} seats, and the choice is of two",
                        "report on matches of two seats")
        for level in line_up:
            if level not in ("use", "not"):
                raise Wrong(f"{path}: {cell}: the choice '{level}' is neither 'use' nor 'not'",
                            "report on the label that says whether the workflow is used")
        if value.get("value") is None:
            raise Wrong(f"{path}: {cell}.value: the payoff is not known", "play the line-up in more blocks")
        found.setdefault(line_up, []).append(value["value"])
    missing = [line_up for line_up in LINE_UPS if len(found.get(line_up, ())) != 2]
    if missing:
        raise Wrong(f"{where}: no payoffs of both seats for {' and '.join(missing[0])}",
                    "play all four line-ups")
    return [found[line_up] for line_up in LINE_UPS]


def main():
    parser = argparse.ArgumentParser(prog="meta_strategy.py", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", metavar="REPORT", help="report of a metagame as JSON")
    parser.add_argument("game", metavar="GAME", choices=("classic", "deal-or-no-deal"), help="the game")
    parser.add_argument("--section", metavar="TITLE", help="title of the metagame, if there are several")
    parser.add_argument("--game-unit", action="store_true",
                        help="payoffs in the game's unit, for 'learns' (default: normalised)")
    options = parser.parse_args()
    unit = "in the game's unit" if options.game_unit else "normalised"
    try:
        found = payoffs(options.report, read(options.report), options.game, options.section, unit)
    except Wrong as wrong:
        print(wrong, file=sys.stderr)
        return 1
    print("meta-strategy:payoffs=" + json.dumps(found, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
