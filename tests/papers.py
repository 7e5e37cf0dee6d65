"""The elements of the papers, as docs/papers lists them: papers.py SOURCE AGON

Each page of docs/papers has tables whose rows are elements of its paper. This runs the commands of
every row and compares the numbers that it prints as ours with what comes out; then it compares the
counts in docs/papers.md with the rows. AGON_UPDATE_PAPERS=1 writes numbers and counts anew.
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
MOCK = re.compile(r"`(--model mock --blocks \d+)`")  # how a page says that its mock plays
NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)")

source, agon = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
update = bool(os.environ.get("AGON_UPDATE_PAPERS"))
problems = []


class Row:
    """A row of a page's table of elements."""

    def __init__(self, page, line, cells, mock):
        self.page, self.line, self.cells = page, line, dict(zip(HEAD, cells))
        self.commands = re.findall(r"`([^`]*)`", self.cells["command"].replace(r"\|", "|"))
        self.mocked = [self.in_mock(command, mock) for command in self.commands]

    @property
    def is_element(self):
        """A row without a place and a state has further numbers of the one above."""
        return bool(self.cells["where"] or self.cells["state"])

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
    inside = False
    for number, line in enumerate(text.splitlines()):
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if cells == HEAD:
            inside = True
        elif inside and not set("".join(cells)) <= set("-:"):
            if len(cells) == len(HEAD):
                yield Row(page, number, cells, mock and mock.group(1))
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
        if "$AGON_DATA" in row.cells["command"] and not os.environ.get("AGON_DATA"):
            continue
        check(row, "ours, exact agents", row.commands)
        # "not run": it would take too long here.
        wanted = update and "--agent" in row.cells["command"] and row.cells["figures"]
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
    return [sum(row.cells["state"] == state for row in rows) for state in STATES]


index = source / "docs" / "papers.md"
lines = index.read_text().splitlines()
by_page = {page: [row for row in rows if row.is_element] for page, rows in by_page.items()}
everything = [row for rows in by_page.values() for row in rows]
works, part, none = counted(everything)
wanted = {"head": f"**{len(everything)} elements: {works} work, {part} in part, {none} not.**"}
heads = [i for i, line in enumerate(lines) if re.match(r"\*\*\d+ elements:", line)]
if not heads:
    problems.append("docs/papers.md: no line counts the elements")
for i in heads:
    if not lines[i].startswith(wanted["head"]):
        if update:
            lines[i] = re.sub(r"^\*\*[^*]*\*\*", wanted["head"], lines[i])
        else:
            problems.append(f"docs/papers.md:{i + 1}: it should say {wanted['head']}")
for page, rows in by_page.items():
    if not rows:
        continue
    name = f"(papers/{page.name})"
    mine = [i for i, line in enumerate(lines)
            if line.startswith("|") and name in line and len(line.split(" | ")) == 7]
    if len(mine) != 1:
        problems.append(f"docs/papers.md: no row, or several, count the elements of {name}")
        continue
    cells = lines[mine[0]].strip().strip("|").split(" | ")
    told = [str(len(rows))] + list(map(str, counted(rows)))
    if [cell.strip() for cell in cells[-4:]] != told:
        if update:
            lines[mine[0]] = "|" + " | ".join(cells[:-4] + told) + " |"
        else:
            problems.append(f"docs/papers.md:{mine[0] + 1}: the counts of {page.name} are "
                            f"{' | '.join(told)}")
if update:
    index.write_text("\n".join(lines) + "\n")

for problem in sorted(problems):
    print(problem)
print(f"{len(everything)} elements, {len(played)} commands, "
      f"{len(problems)} problems")
if problems:
    print("FAILED: fix the page, or write its numbers again: AGON_UPDATE_PAPERS=1 tests/papers.sh "
          "SOURCE BUILD")
    sys.exit(1)
