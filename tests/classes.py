#!/usr/bin/env python3
"""No class of core, games and agents has more than 25 member functions: classes.py SOURCE.

Overloads count once, and so do all constructors together. What is beyond that and may be, is below.
Only headers are read: a class within a source file is nobody else's burden.
"""
import pathlib
import re
import sys

MOST = 25
MAY_HAVE_MORE = {
    "InlineList": "a container with the interface of the standard's",
}
# The words before a bracket that make no function of it.
NO_NAMES = {"alignas", "decltype", "explicit", "noexcept", "requires", "sizeof", "static_assert"}


def code_of(text):
    """Without comments, texts and lines of the preprocessor."""
    text = re.sub(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
                  lambda found: '""' if '"' in found[0][:2] else " ", text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", text, flags=re.M)


def end_of(text, start):
    """Behind the brace that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place + 1
    return len(text)


def without_angles(text):
    """Without what is in angle brackets and attributes."""
    text = re.sub(r"\[\[.*?\]\]", " ", text)
    text = re.sub(r"operator\s*(<=>|<<=?|>>=?|->\*?|<=|>=|<|>)", "operator~", text)
    before = None
    while before != text:
        before, text = text, re.sub(r"<[^<>;{}]*>", " ", text)
    return text


def function_in(statement):
    """The name of the member function that a statement of a class declares, or None."""
    text = re.sub(r"^(?:\s*(?:public|protected|private)\s*:(?!:))+", "", statement)
    text = without_angles(text).strip()
    text = re.sub(r"^template\s*", "", text)
    text = re.sub(r"\b(?:alignas|decltype|explicit|requires)\s*\((?:[^()]|\([^()]*\))*\)", " ", text).strip()
    if re.match(r"(?:using|friend|typedef|enum|static_assert)\b", text):
        return None
    found = re.search(r"operator\s*(?:\(\s*\)|\[\s*\]|[^\s(]+|\s\w[\w:\s*&]*)\s*\(|(~?\w+)\s*\(", text)
    if not found or (found[1] or "") in NO_NAMES:
        return None
    if "=" in text[:found.start()]:
        return None  # a member and its value
    return found[1] or re.sub(r"\s", "", found[0][:-1])


def classes_in(text, found):
    """Puts the classes within `text`, and the names of their functions, into `found`."""
    names = set()
    start = place = 0
    while place < len(text):
        if text[place] == ";":
            names.add(function_in(text[start:place]))
            start = place + 1
        elif text[place] == "{":
            end = end_of(text, place)
            head = re.sub(r"^(?:\s*(?:public|protected|private)\s*:(?!:))+", "", text[start:place])
            body = text[place + 1:end - 1]
            plain = without_angles(head)
            of_class = re.search(r"\b(?:class|struct|union)\s+(?:\w+\s+)*?(\w+)\s*(?:final\s*)?(?::[^:].*)?$", plain, re.S)
            if re.match(r"\s*(?:inline\s+)?(?:namespace|extern)\b", plain):
                classes_in(body, found)
            elif of_class and "(" not in plain and "enum" not in plain.split():
                found.append((of_class[1], classes_in(body, found)))
            else:
                # The value of a member, or one of those that a constructor begins with, is no body.
                names.add(function_in(head))
            place = end - 1
            start = end
        place += 1
    return names - {None}


def main():
    source = pathlib.Path(sys.argv[1])
    failed = False
    for folder in ("core", "games", "agents"):
        for path in sorted((source / folder).rglob("*.hpp")):
            found = []
            classes_in(code_of(path.read_text()), found)
            for name, functions in found:
                if len(functions) > MOST and name not in MAY_HAVE_MORE:
                    print(f"FAILED: {path.relative_to(source)}: {name} has {len(functions)} member functions, "
                          f"and may have {MOST}: {', '.join(sorted(functions))}")
                    failed = True
    return 1 if failed else 0


sys.exit(main())
