"""The elements of the papers, as docs/papers lists them: papers.py SOURCE AGON

Each page of docs/papers has tables whose rows are elements of its paper. This runs the commands of
every row and compares the numbers that it prints as ours with what comes out. A row in the
state `works` has a number that is compared, or a note which says that there is none. Then the
counts in docs/papers.md are compared with the rows. AGON_UPDATE_PAPERS=1 writes numbers and counts again.
"""

import concurrent.futures
import csv
import fnmatch
import hashlib
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HEAD = ["element", "where", "state", "published", "ours, exact agents", "ours, mock", "command",
        "figures", "what a model adds, why figures differ"]
STATES = ["works", "in part", "not"]
SAME = "as above"  # the commands of the row above
SAME_RUN = "the run above, "  # those before its report, and then another report
SHOWN = ["shown, not played", "imported, not played"]  # in the note of a row without a figure
MOCK = re.compile(r"`(--model mock --blocks \d+)`")  # how a page says that its mock plays
NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)")
# In docs/papers.md: the sum above a table of counts, and a row of one. A page whose elements are
# counted in several rows has a heading for each.
SUM = re.compile(r"\*\*([^*:]*): \d+ elements[^*]*\*\*")
COUNTED = re.compile(r"\|.*\(papers/([\w-]+\.md)(?:#([\w-]+))?\)((?: \| [\d ]*){5}) \|")

source, agon = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
update = bool(os.environ.get("AGON_UPDATE_PAPERS"))
problems = []


class Row:
    """A row of a page's table of elements."""

    def __init__(self, page, line, cells, heading, mock, above):
        self.page, self.line, self.cells = page, line, dict(zip(HEAD, cells))
        self.heading = heading  # as in the address of a link to it
        command = self.cells["command"]
        self.commands = re.findall(r"`([^`]*)`", command.replace(r"\|", "|"))
        if command.startswith((SAME, SAME_RUN)):
            if not (above and above.commands) or (command == SAME) == bool(self.commands):
                problems.append(f"{page.relative_to(source)}:{line + 1}: the command '{command}' "
                                f"is neither '{SAME}' nor '{SAME_RUN}`agon report ...`'")
            elif command == SAME:
                self.commands = above.commands
            else:
                self.commands = [c for c in above.commands if not c.startswith("agon report")
                                 ] + self.commands
        self.only_mock = "model mock" in " ".join(self.commands).replace("=", " ")
        self.mocked = [self.in_mock(command, "" if self.only_mock else mock)
                       for command in self.commands]

    @property
    def is_element(self):
        """A row without a place and a state has further numbers of the one above."""
        return bool(self.cells["where"] or self.cells["state"])

    @property
    def is_shown(self):
        return any(words in self.cells[HEAD[-1]] for words in SHOWN)

    def check_claim(self):
        """A row works if a number is compared, or if it says that nothing is."""
        compared = self.cells["figures"] and any(
            NUMBER.search(self.cells[name]) for name in HEAD
            if name == "published" or name.startswith("ours"))
        if self.is_shown and self.cells["figures"]:
            self.fail("it has figures, and its note says that it is not played")
        if self.cells["state"] == "works" and not self.is_shown and not compared:
            self.fail(f"it works, and no number is compared: give it figures, or say "
                      f"'{SHOWN[0]}' or '{SHOWN[1]}' in its note")

    @staticmethod
    def in_mock(command, mock):
        """The same command with the mock in every model's place."""
        if "agon run" not in command or not mock:
            return command
        return re.sub(r""" --(agent|blocks) ("[^"]*"|\S+)""", "", command) + " " + mock

    def fail(self, what):
        problems.append(f"{self.page.relative_to(source)}:{self.line + 1}: "
                        f"{self.cells['element']}: {what}")

    def text(self):
        return "| " + " | ".join(self.cells[name] for name in HEAD) + " |"


def rows_of(page):
    text = page.read_text()
    mock = MOCK.search(text)
    inside, heading, above = False, "", None
    for number, line in enumerate(text.splitlines()):
        if line.startswith("#"):
            heading = re.sub(r"[^\w -]", "", line.lower()).strip().replace(" ", "-")
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if cells == HEAD:
            inside, above = True, None
        elif inside and not set("".join(cells)) <= set("-:"):
            if len(cells) == len(HEAD):
                above = Row(page, number, cells, heading, mock and mock.group(1), above)
                yield above
            else:
                problems.append(f"{page.relative_to(source)}:{number + 1}: {len(cells)} cells, "
                                f"not {len(HEAD)}")


work = pathlib.Path(tempfile.mkdtemp(prefix="papers", dir=os.environ["HOME"]))
bin_folder = work / "bin"
bin_folder.mkdir()
(bin_folder / "agon").symlink_to(agon)
environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}")


def call(command, folder):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder,
                          env=environment, capture_output=True, text=True, timeout=300)


played = {}  # by folder and command


def play(commands):
    """Calls commands, those before the report in a folder that they share with all rows that have
    the same: (problem, figures of the report's table)."""
    before = [command for command in commands if not command.startswith("agon report")]
    folder = work / hashlib.sha256("\n".join(before).encode()).hexdigest()[:16]
    if not folder.exists():
        folder.mkdir()
        (folder / "scenarios").symlink_to(source / "scenarios")
    figures = []
    for command in commands:
        has_table = " --paper-table " in command
        if (folder, command) not in played:
            played[folder, command] = call(command + (" --csv" if has_table else ""), folder)
        done = played[folder, command]
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            return f"{command}: exit code {done.returncode}: {' '.join(said[-2:])}", []
        if has_table:
            figures = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["row"]]
    return None, figures


def spelled_out(part):
    """{a,b}c: ac, bc"""
    listed = re.search(r"\{([^}]*)\}", part)
    if not listed:
        return [part]
    return [part[:listed.start()] + each + part[listed.end():] for each in listed[1].split(",")]


def chosen(figures, selection):
    """The figures of `ROW / COLUMN; ...`, in the order of the selection and of the table."""
    found = []
    for part in sum(map(spelled_out, re.findall(r"`([^`]*)`", selection)), []):
        row, _, column = part.partition(" / ")
        fitting = [f for f in figures if fnmatch.fnmatchcase(f["row"], row) and
                   fnmatch.fnmatchcase(f["column"], column or "*")]
        if not fitting:
            return None
        found += fitting
    return found


def same(shown, value):
    if shown == "-" or value == "":
        return shown == "-" and value == ""
    if not NUMBER.fullmatch(shown):
        return False
    decimals = len(shown.partition(".")[2])
    return abs(float(shown) - float(value)) <= 0.5000001 * 10 ** -decimals


def in_words(value):
    if value == "":
        return "-"
    number = float(value)
    decimals = 0 if number == round(number) else 1 if abs(number) >= 100 else 2
    text = f"{number:.{decimals}f}"
    text = "0" if float(text) == 0 else text
    return re.sub(r"^(-?)0\.", r"\1.", text)


def numbers(cell):
    return cell.split() if cell else []


def check(row, column, commands):
    """The numbers of a cell against those that the commands give."""
    problem, figures = play(commands)
    if problem:
        row.fail(problem)
        return
    if not row.cells["figures"]:
        return
    found = chosen(figures, row.cells["figures"])
    if found is None and column == "ours, mock" and (update or row.cells[column] == "none"):
        row.cells[column] = "none"  # nothing came about that the table is of
        return
    if found is None:
        row.fail(f"{column}: the table has nothing at {row.cells['figures']}")
        return
    values = [f["value"] for f in found]
    is_same = row.cells[column] == "the same"
    shown = numbers(row.cells["ours, exact agents" if is_same else column])
    if len(shown) != len(values) or not all(map(same, shown, values)):
        told = " ".join(map(in_words, values))
        if update:
            row.cells[column] = told
        else:
            row.fail(f"{column}: it says {row.cells[column] or 'nothing'}, and it is {told}")
    printed = [f["published"] for f in found]
    published = numbers(row.cells["published"])
    if all(printed) and published and all(map(NUMBER.fullmatch, published)):
        if len(published) != len(printed) or not all(map(same, published, printed)):
            row.fail(f"published: it says {row.cells['published']}, and the table prints "
                     f"{' '.join(map(in_words, printed))}")


def walk(rows):
    """All rows that play the same, one after the other."""
    for row in rows:
        if row.cells["state"] not in STATES and row.is_element:
            row.fail(f"state: {row.cells['state']} is none of {', '.join(STATES)}")
        if row.cells["state"] == "works" and not row.commands:
            row.fail("it works, and no command shows it")
        if not row.commands:
            continue
        if "$AGON_DATA" in " ".join(row.commands) and not os.environ.get("AGON_DATA"):
            continue
        if not row.only_mock:
            check(row, "ours, exact agents", row.commands)
        # "not run": it would take too long here.
        wanted = row.only_mock or (update and "--agent" in " ".join(row.commands) and
                                   row.cells["figures"])
        if (wanted or row.cells["ours, mock"]) and row.cells["ours, mock"] != "not run":
            check(row, "ours, mock", row.mocked)


pages = sorted((source / "docs" / "papers").glob("*.md"))
by_page = {page: list(rows_of(page)) for page in pages}
groups = {}
for rows in by_page.values():
    for row in rows:
        groups.setdefault(tuple(c for c in row.mocked if "agon report" not in c), []).append(row)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    list(pool.map(walk, groups.values()))
for row in sum(by_page.values(), []):
    if row.is_element:
        row.check_claim()

if update:
    for page, rows in by_page.items():
        lines = page.read_text().splitlines()
        for row in rows:
            lines[row.line] = row.text()
        page.write_text("\n".join(lines) + "\n")


# Every table that a paper's scenario plays for is in somebody's command.
listed = json.loads(call("agon report --list-paper-tables --json", work).stdout)
shown = {table for rows in by_page.values() for row in rows
         for table in re.findall(r"--paper-table (\S+)", " ".join(row.commands))}
for table in listed:
    if "/papers/" in table["scenario"] and table["id"] not in shown:
        problems.append(f"docs/papers: no element has the table {table['id']}")


def counted(rows):
    """Elements, those that work, those of them that are only shown, and the other states."""
    works, part, none = ([row for row in rows if row.cells["state"] == state] for state in STATES)
    return [len(rows), len(works), sum(row.is_shown for row in works), len(part), len(none)]


def summed(label, counts):
    total, works, only_shown, part, none = counts
    return (f"**{label}: {total} elements, {works} work ({only_shown} of them shown, not played), "
            f"{part} in part, {none} not.**")


def recounted(lines, elements):
    """The lines of docs/papers.md with the counts of the elements, each in one row."""
    wanted, head, left = list(lines), None, list(elements)
    for i, line in enumerate(lines):
        if SUM.match(line):
            head, total = i, [0] * 5
        row = COUNTED.match(line)
        if row and head is not None:
            mine = [e for e in left if e.page.name == row[1] and row[2] in (None, e.heading)]
            left = [e for e in left if e not in mine]
            total = list(map(sum, zip(total, counted(mine))))
            wanted[i] = line[:row.start(3)] + "".join(f" | {n}" for n in counted(mine)) + " |"
            wanted[head] = SUM.sub(lambda m: summed(m[1], total), lines[head])
    for name in sorted({e.page.name + "#" + e.heading for e in left}):
        problems.append(f"docs/papers.md: no row under a sum counts the elements of {name}")
    return wanted


index = source / "docs" / "papers.md"
lines = index.read_text().splitlines()
everything = [row for rows in by_page.values() for row in rows if row.is_element]
right = recounted(lines, everything)
if update:
    index.write_text("\n".join(right) + "\n")
else:
    problems += [f"docs/papers.md:{i + 1}: it should say {wanted}"
                 for i, (line, wanted) in enumerate(zip(lines, right)) if line != wanted]

for problem in sorted(problems):
    print(problem)
print(f"{len(everything)} elements, {len(played)} commands, "
      f"{len(problems)} problems")
if problems:
    print("FAILED: fix the page, or write its numbers again: AGON_UPDATE_PAPERS=1 tests/papers.sh "
          "SOURCE BUILD")
    sys.exit(1)
