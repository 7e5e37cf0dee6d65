#!/usr/bin/env python3
"""docs_site.py SOURCE BUILD: makes a site with search of the README and docs/, in BUILD/site/html.

Every link has to lead to a page or file, every anchor to a heading, every page has to be in the
menu, and nothing may be loaded from other hosts. BUILD/site/pages has the layout of SOURCE: files
that links out of docs/ lead to are copied along.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Pages of docs/, by name or pattern. A folder stands for a list of its files.
MENU = {
    "Tutorials": "tutorial-*",
    "Guides": "plugins python python-runs environments external-agents game-protocol conformance "
              "providers cluster people serve judging training classic-games",
    "Reference": "command-line suite archive report branches words statistics statistics-derivations parts "
                 "prompts skins faults security reference glossary",
    "Papers": "papers papers/* experiments/*",
    "Project": "design contributing benchmarks dependencies limitations",
}
ITEM = r"(?:[-*+]|\d+\.) "

if not shutil.which("mkdocs"):
    print("skipped: there is no mkdocs here")
    sys.exit(4)
source, site = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve() / "site"
pages, html, problems, in_lists = site / "pages", site / "html", [], set()
for folder in pages, html:
    shutil.rmtree(folder, ignore_errors=True)


def title(path):
    if path.suffix != ".md":
        return path.name
    return re.sub("^#+ |`", "", path.read_text("utf-8").partition("\n")[0])


def add(path):
    """Copies a file and what its links lead to. A folder is its README, or a list of its files."""
    text = ""
    if (source / path).is_dir():
        if not (source / path / "README.md").is_file():
            files = sorted(each for each in (source / path).iterdir() if each.is_file())
            in_lists.update(pages / path / each.name for each in files)
            text = "# " + os.path.basename(path).replace("-", " ").capitalize() + "\n\n"
            text += "".join(f"* [{title(each)}]({each.name})\n" for each in files)
        path = os.path.join(path, "README.md")
    old, new = source / path, pages / path
    if path.startswith("..") or new.exists() or not (text or old.is_file()):
        return  # a link to what is not there is found below
    new.parent.mkdir(parents=True, exist_ok=True)
    if new.suffix != ".md":
        shutil.copyfile(old, new)
        return
    parts, links = re.split(r"(?ms)^(```.*?^```$)", text or old.read_text("utf-8")), []
    for i in range(0, len(parts), 2):  # the others are code
        links += re.findall(r"\]\(([^)#:\s]+)", parts[i])
        # mkdocs has no links to folders, no list right below a paragraph, and no \| in code.
        parts[i] = re.sub(r"(\]\([^)#:\s]+/)(?=[)#])", r"\1README.md", parts[i])
        parts[i] = re.sub(rf"(?m)^(?!{ITEM}|[ |\n])(.+\n)(?={ITEM})", r"\1\n", parts[i])
        parts[i] = re.sub(r"(?m)^\|.*$", lambda row: re.sub(
            r"`[^`\n]+`", lambda code: code[0].replace(r"\|", "|"), row[0]), parts[i])
    new.write_text("".join(parts), "utf-8")
    for link in links:
        add(os.path.normpath(os.path.join(os.path.dirname(path), unquote(link))))


def stop_at_problems():
    if problems:
        print("\n".join(dict.fromkeys(problems)))
        sys.exit("FAILED: see above")


for page in "README.md", *sorted(os.path.relpath(p, source) for p in source.glob("docs/**/*.md")):
    add(page)
menu, placed = [{"Home": "README.md"}], set()
for group, patterns in MENU.items():
    entries = []
    for pattern in patterns.split():
        if pattern.endswith("/"):
            add("docs/" + pattern[:-1])
            pattern += "README"
        found = sorted(pages.glob(f"docs/{pattern}.md"))
        entries += [{title(each): os.path.relpath(each, pages)} for each in found]
        placed.update(found)
        if not found:
            problems.append(f"tests/docs_site.py: docs/{pattern}.md is in the menu, but not there")
    menu.append({group: entries})
for each in set(pages.glob("docs/**/*.md")) - placed - in_lists:
    problems.append(f"{os.path.relpath(each, pages)} is not in the menu of tests/docs_site.py")
stop_at_problems()

(site / "mkdocs.yml").write_text(json.dumps({
    "site_name": "Agon", "docs_dir": "pages", "site_dir": "html", "use_directory_urls": False,
    "theme": {"name": "mkdocs", "highlightjs": False}, "plugins": ["search"], "nav": menu,
}), "utf-8")
mkdocs = subprocess.run(["mkdocs", "build", "--strict", "--config-file", site / "mkdocs.yml"],
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if mkdocs.returncode:
    said = re.sub(r"\x1b\[\d+m", "", mkdocs.stdout).splitlines()
    problems += [line for line in said if re.match("WARNING|ERROR", line)] or said or ["no word"]
stop_at_problems()


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src"):
                self.links.append((tag, value))


built = {path: Page(path) for path in html.rglob("*.html")}
for path, page in built.items():
    for tag, link in page.links:
        to, where = urlsplit(link), f"{os.path.relpath(path, html)}: {link}"
        if to.netloc and tag != "a":
            problems.append(f"{where} is on another host")
        if to.netloc or to.scheme:
            continue
        start = html if to.path.startswith("/") else path.parent
        target = Path(os.path.normpath(start / unquote(to.path).lstrip("/"))) if to.path else path
        if not target.is_file() and target.name.startswith("jquery-") and any((html / "js").glob("jquery-*.min.js")):
            continue  # the theme of Ubuntu 24.04 names another version than it has
        if not target.is_file():
            problems.append(f"{where} leads nowhere")
        elif to.fragment and target in built and unquote(to.fragment) not in built[target].ids:
            problems.append(f"{where} has an anchor that is not there")
stop_at_problems()
print(f"{len(built)} pages: python3 -m http.server --directory {html}")
