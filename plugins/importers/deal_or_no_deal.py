"""The published files of Deal or No Deal, as instances and as matches of deal-or-no-deal."""

import functools
import math
import os
import re

import agon_arena as agon

MOST_TYPES, MOST_COUNT, MOST_VALUE, MOST_SPLITS = 8, 1000, 1_000_000, 100_000
SIDES = ("the first side", "the second side")
NUMBER = re.compile("-?[0-9]{1,10}")
SELECTED = {"<disagree>": "disagreed", "<no_agreement>": "no-agreement", "<disconnect>": "disconnected"}


class BadLine(Exception):
    """Why a line is bad."""


# ---- what lines hold -----------------------------------------------------------------------------


class Row:
    """What a line, or two of a scenario, hold: an instance, whose side 0 has its context first on the
    line, and of a dialogue what people said and made of it."""

    id, line = "", 0

    def __init__(self, counts, values):
        self.counts, self.values = counts, values
        self.ending = ""  # agreed, disagreed, no-agreement, disconnected; "": it was not played
        self.messages = []  # without the private selections at the end
        self.second_begins = False  # side 1 speaks first
        self.split = None  # what either side took; after an agreement alone
        self.reward = None  # of side 0, where the line says it

    def json(self):
        row = {"id": self.id, "line": self.line, "counts": self.counts, "values": self.values}
        if self.ending:
            row["human"] = {"ending": self.ending, "messages": len(self.messages)}
            if self.split:
                row["human"]["split"] = self.split
        return row


def listed(amounts):
    return ",".join(map(str, amounts))


@functools.lru_cache(maxsize=None)
def whole(word):
    if not NUMBER.fullmatch(word) or not -(1 << 31) <= int(word) < 1 << 31:
        raise BadLine(f'"{word}" is not a whole number')
    return int(word)


def context_of(words):
    """One side's six numbers: count and value of each item."""
    if len(words) != 6:
        raise BadLine(f"a context has {len(words)} numbers instead of 6")
    numbers = [whole(word) for word in words]
    return numbers[::2], numbers[1::2]


def row_of(first_words, second_words):
    (counts, first), (others, second) = context_of(first_words), context_of(second_words)
    if counts != others:
        raise BadLine(f"the two contexts count {listed(counts)} and {listed(others)} items")
    return Row(counts, [first, second])


def selection_of(words):
    """The tokens `item0=a item1=b item2=c`."""
    selection = []
    for i, word in enumerate(words):
        prefix = f"item{i}="
        if not word.startswith(prefix):
            raise BadLine(f'the selection has "{word}" where {prefix} belongs')
        selection.append(whole(word[len(prefix):]))
    return selection


def read_talk(row, talk):
    """The messages of a talk. Each begins with its speaker, and the speakers take turns; the one that
    only announces the selection is none."""
    if not talk or talk[0] not in ("YOU:", "THEM:"):
        raise BadLine("the dialogue does not begin with a speaker")
    row.second_begins = talk[0] == "THEM:"
    i = 0
    while i < len(talk):
        speaker = "THEM:" if (len(row.messages) % 2 == 0) == row.second_begins else "YOU:"
        if talk[i] != speaker:
            raise BadLine(f'"{talk[i]}" stands where {speaker} should speak')
        end = talk.index("<eos>", i + 1) if "<eos>" in talk[i + 1:] else len(talk)
        if i + 1 < end and talk[i + 1] == "<selection>":
            break
        row.messages.append(" ".join(talk[i + 1:end]))
        i = end + 1


def tagged(words, tag):
    """The words between `<tag>` and `</tag>`."""
    if f"<{tag}>" not in words:
        raise BadLine(f"there is no <{tag}>")
    begin = words.index(f"<{tag}>")
    if f"</{tag}>" not in words[begin:]:
        raise BadLine(f"there is no </{tag}>")
    return words[begin + 1:words.index(f"</{tag}>", begin)]


def tagged_row(words):
    """`<input> ... </input> <dialogue> ...`, both selections in `<output>`."""
    first, second = tagged(words, "input"), tagged(words, "partner_input")
    row = row_of(first, second)
    read_talk(row, tagged(words, "dialogue"))
    output = tagged(words, "output")
    if len(output) != 6:
        raise BadLine(f"the output has {len(output)} tokens instead of 6")
    row.ending = SELECTED.get(output[0], "agreed") if len(set(output)) == 1 else "agreed"
    if row.ending == "agreed":
        own, other = selection_of(output[:3]), selection_of(output[3:])
        if min(own + other) < 0 or any(a + b != count for a, b, count in zip(own, other, row.counts)):
            raise BadLine(f"the agreed selections {listed(own)} and {listed(other)} do not add up to "
                          f"{listed(row.counts)}")
        row.split = [own, other]
    return row


def flat_row(words):
    """Context, talk, own selection, `reward=`, `agree` or `disagree`, context."""
    if len(words) < 12:
        raise BadLine("the line is too short")
    row, talk = row_of(words[:6], words[-6:]), words[6:-6]
    if "<selection>" not in talk:
        raise BadLine("there is no <selection>")
    mark = talk.index("<selection>") + 1
    tail = talk[mark:]
    read_talk(row, talk[:mark])
    for word in tail:
        if word.startswith("reward="):
            row.reward = int(word[7:]) if NUMBER.fullmatch(word[7:]) else None
    if not tail:
        raise BadLine("nothing follows the <selection>")
    if tail[-1] not in ("agree", "disagree"):
        raise BadLine(f'"{tail[-1]}" stands where agree or disagree belongs')
    fits_together = tail[-1] == "agree"
    if tail[0] == "disconnect":
        row.ending = "disconnected"
    elif tail[:2] == ["no", "agreement"]:
        # Only one side gave up when the selections are said not to fit.
        row.ending = "no-agreement" if fits_together else "disagreed"
    else:
        if len(tail) < 3:
            raise BadLine("the selection is too short")
        own = selection_of(tail[:3])
        rest = [count - taken for count, taken in zip(row.counts, own)]
        if min(own + rest) < 0:
            raise BadLine(f"the selection {listed(own)} is not within {listed(row.counts)}")
        row.ending = "agreed" if fits_together else "disagreed"
        row.split = [own, rest] if fits_together else None
    return row


def pool_row(words):
    """`counts values values`, commas within each."""
    if len(words) != 3:
        raise BadLine(f"there are {len(words)} groups instead of 3")
    groups = []
    for word in words:
        entries = [entry for entry in word.split(",") if entry]
        if len(entries) > MOST_TYPES:
            raise BadLine(f"there are more than {MOST_TYPES} item types")
        groups.append([whole(entry) for entry in entries])
    return Row(groups[0], groups[1:])


def problems(row):
    """Everything that makes an instance unplayable, which the game would refuse."""
    found = [] if row.counts else ["there are no items"]
    found += [f"type {i} has {count} items instead of 1 to {MOST_COUNT}"
              for i, count in enumerate(row.counts, 1) if not 1 <= count <= MOST_COUNT]
    if math.prod(count + 1 for count in row.counts if 1 <= count <= MOST_COUNT) > MOST_SPLITS:
        found.append(f"there are more than {MOST_SPLITS} ways to split the items")
    for side, values in zip(SIDES, row.values):
        if len(values) != len(row.counts):
            found.append(f"{side} has {len(values)} values for {len(row.counts)} item types")
        found += [f"{side} values type {i} at {value} instead of 0 to {MOST_VALUE}"
                  for i, value in enumerate(values, 1) if not 0 <= value <= MOST_VALUE]
    return found


# ---- files ---------------------------------------------------------------------------------------


def format_of(words):
    """Which of the published formats a line is of, told by its content; "" if of none."""
    if words[0] == "<input>":
        return "tagged-dialogues"
    if len(words) > 6 and words[6] in ("YOU:", "THEM:"):
        return "flat-dialogues"
    if len(words) == 6 and all(NUMBER.fullmatch(word) for word in words):
        return "paired-contexts"
    if len(words) == 3 and all("," in word and re.fullmatch("[0-9,]+", word) for word in words):
        return "pools"
    return ""


def lines_of(file):
    """Number and words of each line that is not blank."""
    lines = []
    for number, line in file.lines():
        plain = line.isascii() and line.isprintable()
        lines.append((number, line.split() if plain else [word for word in re.split("[ \t\r]+", line) if word]))
    return lines


READERS = {"tagged-dialogues": tagged_row, "flat-dialogues": flat_row, "pools": pool_row}


def rows_of(file, imported):
    """The format of a file and its rows; its bad rows are added."""
    lines = lines_of(file)
    form = next(filter(None, (format_of(words) for _, words in lines)), "")
    if not form:
        raise agon.Refused("no line looks like a Deal or No Deal dialogue or instance", file.name,
                           'give tagged or flat dialogues, pairs of six numbers, or pools such as "1,2,3 8,1,0 4,0,2"')
    stem, rows = os.path.splitext(os.path.basename(file.name))[0], []
    step = 2 if form == "paired-contexts" else 1
    for i in range(0, len(lines), step):
        number, words = lines[i]
        try:
            if step == 1:
                row = READERS[form](words)
            elif i + 1 == len(lines):
                raise BadLine("the second line of the scenario is missing")
            else:
                row = row_of(words, lines[i + 1][1])
            row.id, row.line = f"{stem}-{number}", number
            found = problems(row)
            if found:
                raise BadLine(", ".join(found))
            rows.append(row)
        except BadLine as bad:
            imported.bad_rows.append(agon.BadRow(file.name, number, str(bad)))
    return form, rows


def read_instances(files):
    imported, rows, form = agon.Imported(), [], ""
    for file in files:
        form, found = rows_of(file, imported)
        rows += found
    if not rows:
        raise agon.Refused("there is no readable instance in the input", "", "give one of the published text files")
    imported.data = agon.write_data_file("agon.deal-or-no-deal.instances", 1, [row.json() for row in rows],
                                         name=", ".join(file.name for file in files), how=form)
    imported.summary = (f"{len(rows)} instances, {sum(bool(row.ending) for row in rows)} of them with what people "
                        "made of it")
    return imported


agon.importer(
    "deal-or-no-deal",
    "reads the published Deal or No Deal dialogues (test.txt, val.txt, data.txt), scenario lists (selfplay.txt) and "
    "OpenSpiel's bargaining instances, and makes a file of instances",
    read_instances, extension=".txt")


# ---- dialogues -----------------------------------------------------------------------------------


def match_of(file, row):
    """A dialogue as a match has it: seat 0 is who spoke first."""
    match = agon.PublishedMatch(file.name, row.line)
    rounds = max(1, (len(row.messages) + 1) // 2)
    for seat in range(2):
        side = 1 - seat if row.second_begins else seat
        published = agon.PublishedSeat("people")
        messages = row.messages[seat::2]
        for i in range(rounds):
            said = messages[i] if i < len(messages) else ""
            published.say("message", {"text": said, "proposal": None, "halt": i + 1 == rounds})
        # What they selected in vain is not published.
        published.say("take", f'{{"choice": {{"kind": "take", "items": [{listed(row.split[side])}]}}}}' if row.split
                      else {"choice": {"kind": "no_deal"}})
        # Of selections that do not fit together the log has the reward that was hoped for.
        if side == 0 and row.reward is not None and row.split:
            match.figures.append(agon.PublishedFigure("reward", "", 0, f"/seats/{seat}/score", row.reward, row.line))
        match.seats.append(published)
    match.figures.append(agon.PublishedFigure("deal", "presented", 0, "/deal", row.split is not None, row.line))
    return match


class Dialogues:
    """Dialogues of people as matches, and their instances in the order in which they first come."""

    def __init__(self):
        self.lines = 0
        self.instances = {}  # place by counts and values

    def read_file(self, file, imported):
        seen = {}  # most dialogues are in a file twice, as each side saw them
        for row in rows_of(file, imported)[1]:
            if not row.ending:
                raise agon.Refused("these are instances and no dialogues: nobody played them", file.name,
                                   "'agon import deal-or-no-deal' makes a file of instances of them")
            self.lines += 1
            values = row.values[::-1] if row.second_begins else row.values
            instance = tuple(map(tuple, [row.counts] + values))
            key = (instance, tuple(row.messages))
            views = seen.setdefault(key, set())
            if views and row.second_begins not in views:
                views.clear()
                continue
            views.add(row.second_begins)
            match = match_of(file, row)
            place = self.instances.setdefault(instance, len(self.instances))
            match.draws.append(agon.PublishedDraw("instance", [], [place]))
            imported.matches.append(match)

    def scenario(self):
        return agon.PublishedScenario(
            "dialogues of people", "deal-or-no-deal",
            {"preset": "original", "swap_sides": "off", "max_rounds": 100,
             "instances": [{"id": f"dialogue-{number}", "counts": counts, "values": [first, second]}
                           for number, (counts, first, second) in enumerate(self.instances, 1)]})


def read_dialogues(files):
    dialogues = Dialogues()
    imported = agon.read_each(files, dialogues.read_file)
    imported.scenarios.append(dialogues.scenario())
    imported.summary = f"{len(imported.matches)} dialogues of {dialogues.lines} lines"
    return imported


agon.importer(
    "deal-or-no-deal-dialogues",
    "reads the published Deal or No Deal dialogues of people (test.txt, val.txt, data.txt), each once, as matches of "
    "deal-or-no-deal",
    read_dialogues, extension=".txt", imports="matches",
    source="github.com/facebookresearch/end-to-end-negotiator, src/data/negotiate (Lewis et al. 2017)",
    licence="CC BY-NC 4.0: no commercial use")
