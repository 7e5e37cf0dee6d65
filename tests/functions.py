#!/usr/bin/env python3
"""No function of the core has more than 60 lines.

  functions.py SOURCE

Counts in .cpp and .hpp files below core every line of a function, from the first of its head (its
return type, or its template's parameters) to its closing brace; blank lines and comments count.
Functions are those of namespaces, members of classes, and lambdas outside of functions, in tables
say. A lambda or a class within a function is part of it. Macros are not read.
"""
import pathlib
import re
import sys

LONGEST = 60

# Where braces do not count: comments, texts, characters, directives.
TEXTS = re.compile(r"""//[^\n]* | /\*.*?\*/ | \bR"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)" |
                       "(?:\\.|[^"\\\n])*" | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*' |
                       ^[ \t]*\#(?:\\\n|[^\n])*""", re.VERBOSE | re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r'\b(namespace|class|struct|union|enum)\b[^()=]*$|^extern ""$')
LAMBDA = re.compile(r"(?<![\w\])])\[[^][]*\]\s*(\([^{}]*\))?\s*(mutable|noexcept|\s)*(->[^(){}=;,]*)?$")
# After a constructor's list of members, too.
FUNCTION = re.compile(r"\)(\s|const|noexcept|override|final|&|->[^(){}=;]*)*$|\(.*\}$", re.DOTALL)
BEFORE_HEAD = re.compile(r"(\s|(public|private|protected):)*")


def blank(found):
    text = re.sub(r"[^\n]", " ", found.group())
    return '""' + text[2:] if found.group().startswith('"') else text


def kind_of(head, around):
    """What a brace after this head opens: a scope, a function or data."""
    if LAMBDA.search(head):
        return "function"
    if around != "scope":
        return "data"
    if SCOPE.search(head):
        return "scope"
    return "function" if FUNCTION.search(head) else "data"


def functions(text):
    """First line, head and number of lines of each function."""
    code = TEXTS.sub(blank, text)
    head_begins, opened = 0, [("scope", 0, "")]
    for found in re.finditer(r"[{};]", code):
        at, mark = found.start(), found.group()
        around = opened[-1][0]
        if mark == "{":
            begin = BEFORE_HEAD.match(code, head_begins, at).end()
            head = code[begin:at].strip()
            inside = around in ("function", "part of one")
            opened.append(("part of one" if inside else kind_of(head, around), begin, head))
        elif mark == "}":
            kind, begin, head = opened.pop()
            if kind == "function":
                first = code.count("\n", 0, begin) + 1
                yield first, " ".join(head.split()), code.count("\n", begin, at) + 1
            elif kind == "data" and opened[-1][0] == "scope":
                head_begins = begin  # the value of a member, in a constructor's head
                continue
        head_begins = at + 1
    if len(opened) != 1:
        raise ValueError("braces do not match")


def main(source):
    known, failed = 0, False
    for path in sorted((pathlib.Path(source) / "core").rglob("*.[ch]pp")):
        for line, head, lines in functions(path.read_text()):
            known += 1
            if lines > LONGEST:
                print(f"FAILED: {path.relative_to(source)}:{line}: {head}: {lines} lines")
                failed = True
    print(f"{known} functions of the core")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
