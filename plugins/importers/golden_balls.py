"""Published decisions in Golden Balls, as matches of classic."""

import os
import re

import agon_arena as agon

MEND = "give the files as they are published, whose names say who played for what: friendly_1000.json"
PEOPLE = "people"  # files of this name hold what people decided


def named(file):
    """Personality and jackpot, which the name of a file says. A second file of a cell ends in _2."""
    stem = os.path.splitext(os.path.basename(file.name))[0]
    found = re.fullmatch(r"([^_]+)_(\d+?)(_2)?", stem, re.ASCII)
    if not found or not 1 <= int(found[2]) < 1 << 63:
        raise agon.Refused("the name of the file does not say personality and jackpot", file.name, MEND)
    return found[1], int(found[2])


def seat(personality, action):
    if personality == PEOPLE:
        seat = agon.PublishedSeat(PEOPLE)
    else:
        seat = agon.PublishedSeat("claude-3-sonnet", {"personality": personality})
    seat.say("choose", {"action": action.text()})
    return seat


def read_file(file, imported):
    personality, jackpot = named(file)
    root = file.json()
    decisions = root.find("decisions") if isinstance(root.value, dict) else None
    if decisions is None:
        root.fail('these are no Golden Balls results: "decisions" is missing', MEND)
    talks = root.find("negotiation")
    if talks is not None and len(talks) > 0:
        talks.fail("the players talked before they chose, which is not published of Golden Balls", MEND)
    scenario = imported.place(agon.PublishedScenario(
        f"golden balls, jackpot {jackpot}", "classic", {"preset": "paper", "game": "golden-balls", "scale": jackpot}))
    for line, decision in zip(decisions.element_lines(), decisions):
        imported.matches.append(agon.PublishedMatch(file.name, line, scenario, [
            seat(personality, decision["Alice_action"]), seat(personality, decision["Bob_action"])]))


def read(files):
    imported = agon.read_each(files, read_file)
    imported.summary = (f"{len(imported.matches)} games of Golden Balls from {len(files) - len(imported.bad_rows)} "
                        "files")
    return imported


agon.importer(
    "golden-balls",
    "reads the published decisions in Golden Balls (PERSONALITY_JACKPOT.json), or those of people in the same form "
    "(people_JACKPOT.json), as matches of classic",
    read, extension=".json", imports="matches",
    source="github.com/Wenyueh/game_theory, src/result/human_verification (Hua et al. 2024)", licence="Apache-2.0")
