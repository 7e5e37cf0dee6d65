#!/usr/bin/env python3
"""A type's name has one meaning in a library: none is defined in two places.

  type_names.py SOURCE

The core is one library for this, and each folder of agents another. A hidden Impl, specialisations,
declarations and what templates and aliases name are not looked at.
"""
import collections
import pathlib
import re
import sys

# What may stand, and why.
EXCEPTIONS = {
    "Form": "agon::Form asks people; record::Form is how an attempt was given",
    "Kind": "public: agon::Kind of a described type, JsonNode::Kind of a JSON value",
    "Part": "public: agon::Part of a model agent, Saying::Part of a sentence",
    "What": "public: Delivery::What, PlayedEntry::What; record::Entry::What is one level below",
}

TEXTS = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
DEFINITION = re.compile(
    r"(?<![\w<,])(?<![<,] )(?:struct|class|enum class|enum|union)\s+"
    r"(?:AGON_API\s+|alignas\([^)]*\)\s+|\[\[[^\]]*\]\]\s+)*"
    r"((?:\w+::)*)(\w+)\s*(?:final\s*)?(?::(?!:)[^;{}()]*)?\{")


def definitions(path):
    """Names of the types that a file defines, each with its line."""
    text = TEXTS.sub(lambda m: "\n" * m.group().count("\n"), path.read_text())
    for m in DEFINITION.finditer(text):
        if m.group(2) != "Impl":
            yield m.group(2), text.count("\n", 0, m.start(2)) + 1


source = pathlib.Path(sys.argv[1])
libraries = [["core/src", "core/include"]]
libraries += [[f"agents/{folder.name}"] for folder in sorted((source / "agents").iterdir())
              if folder.is_dir()]
failed = False
for folders in libraries:
    places = collections.defaultdict(list)
    for path in sorted(p for f in folders for p in (source / f).rglob("*.[ch]pp")):
        for name, line in definitions(path):
            places[name].append(f"{path.relative_to(source)}:{line}")
    for name, where in sorted(places.items()):
        if len(where) > 1 and name not in EXCEPTIONS:
            failed = True
            print(f"{name}: {', '.join(where)}")
    if folders[0] == "core/src":
        for name in EXCEPTIONS:
            if len(places[name]) < 2:
                failed = True
                print(f"{name} is an exception that is not needed any more")
if failed:
    print("FAILED: give the type that is not public a name that says more")
sys.exit(failed)
