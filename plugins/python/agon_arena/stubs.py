"""Types of a game's questions and answers for editors and type checkers, made from the game's description:

    python -m agon_arena.stubs bargaining > bargaining_types.py
"""
import argparse
import json
import keyword
import os
import re
import sys

from .errors import Error

_HEAD = '''"""Types of the game '{game}' (version {version}) of Agon: {title}.

Made by: python -m agon_arena.stubs {game}. An agent for it:

    def mine(question: Question) -> Answer:
        if question.stage == "{stage}":
            ...
"""
# pyright: reportIncompatibleVariableOverride=false
import typing
from typing import Dict, List, Literal, Optional, TypedDict, Union

import agon_arena as agon
'''


def text_of(game, **options):
    """The text of a Python module with the types of a game: what its views, answers, events and
    questions hold. `game`: a name, or a file such as "./my_game.py"; `options`: those of `agon
    describe`, such as plugin="./my_game.so"."""
    from .command import execute, words_of
    described = json.loads(execute(["describe", game, *words_of(options), "--json"], quiet=True)[1])
    return _Module(described).text()


class _Module:
    """Classes and names in the order in which they are needed."""

    def __init__(self, game):
        self._game, self._parts, self._named = game, [], {}  # by name: what has it
        for name in ("Question", "Answer", "Told", "Dict", "List", "Literal", "Optional", "TypedDict", "Union"):
            self._named[name] = None
        told, questions, answers = [], [], []
        for stage in game["stages"]:
            name, of = _camel(stage["name"]), f"Literal[{json.dumps(stage['name'])}]"
            answer = self._type(stage["answer_schema"], [name + "Answer"], stage["doc"])
            view = self._type(stage["view_schema"], [name + "View"]) if stage.get("view_schema") else "None"
            told += [self._class([name + what.capitalize()], [
                ("type", f'Literal["{what}"]', ""), ("number", "int", ""), ("stage", of, ""), (member, held, "")], "")
                for what, member, held in (("asked", "view", view), ("answered", "answer", answer))]
            questions.append((name + "Question", of, view, stage["doc"]))
            answers += [answer, *(["None"] if stage["probe"] else [])]
        for event in game["events"]:
            if event["told"] != "the record alone":
                name = _camel(event["name"])
                data = self._type(event["schema"], [name])
                told.append(self._class([name + "Event"], [
                    ("type", 'Literal["event"]', ""), ("name", f"Literal[{json.dumps(event['name'])}]", ""),
                    ("private", "bool", ""), ("data", data, "")], event["doc"]))
        self._parts.append(f"Told = {_union(told)}\nAnswer = {_union(answers)}\n")
        for name, of, view, doc in questions:
            self._parts.append(f"class {name}(agon.Question):\n    {_quoted(doc)}\n    stage: {of}\n    view: {view}\n"
                               "    history: List[Told]\n")
        self._parts.append(f"Question = {_union(name for name, *_ in questions)}\n")

    def text(self):
        head = _HEAD.format(game=self._game["game"], version=self._game["version"], title=_in_doc(self._game["title"]),
                            stage=self._game["stages"][0]["name"])
        return "\n\n".join([head, *self._parts])

    def _type(self, schema, names, doc=""):
        """A schema as a type. `names`: what a class for it may be called, the best first."""
        if "const" in schema or "enum" in schema:
            values = schema.get("enum", [schema.get("const")])
            return f"Literal[{', '.join('None' if value is None else json.dumps(value) for value in values)}]"
        if "anyOf" in schema:
            return _union(self._type(each, [_kind(each) + names[0], names[-1] + _kind(each)])
                          for each in schema["anyOf"])
        kind = schema.get("type")
        if kind == "array":
            return f"List[{self._type(schema['items'], names)}]"
        if kind == "object" and "properties" in schema:
            needed = schema.get("required", ())
            return self._class(names, [
                (name, self._type(each, [_camel(name), names[-1] + _camel(name)]), each.get("description", ""),
                 name in needed) for name, each in schema["properties"].items()], doc)
        if kind == "object":
            inner = schema.get("additionalProperties")
            return f"Dict[str, {self._type(inner, names) if isinstance(inner, dict) else 'typing.Any'}]"
        return {"string": "str", "integer": "int", "number": "float", "boolean": "bool",
                "null": "None"}.get(kind, "typing.Any")

    def _class(self, names, members, doc):
        """The name of the class of these members, which is made if there is none."""
        same = json.dumps([members, doc])
        for name in [*names, *(f"{names[-1]}{n}" for n in range(2, 1000))]:
            if self._named.setdefault(name, same) == same:
                break
        if f"class {name}(" in "".join(self._parts) or f"\n{name} = " in "".join(self._parts):
            return name
        needed = [member for member in members if member[-1] is not False]
        free = [member for member in members if member[-1] is False]
        if all(member[0].isidentifier() and not keyword.iskeyword(member[0]) for member in members):
            base = "TypedDict"
            if free and needed:
                base = f"_{name}"
                self._parts.append(_class_text(base, "TypedDict", needed, ""))
            total = ", total=False" if free else ""
            self._parts.append(_class_text(name, base + total, free or needed, doc))
        else:
            listed = ", ".join(f"{json.dumps(member[0])}: {member[1]}" for member in members)
            self._parts.append(f"\n{name} = TypedDict({name!r}, {{{listed}}}{', total=False' if free else ''})\n")
        return name


def _class_text(name, base, members, doc):
    lines = [f"class {name}({base}):"]
    lines += [f"    {_quoted(doc)}"] if doc else []
    for member in members:
        lines.append(f"    {member[0]}: {member[1]}")
        lines += [f"    {_quoted(member[2])}"] if member[2] else []
    return "\n".join(lines if len(lines) > 1 else [*lines, "    pass"]) + "\n"


def _kind(schema):
    """What tells an alternative from the others."""
    return _camel(str(schema.get("properties", {}).get("kind", {}).get("const", "")))


def _camel(name):
    words = re.split("[^A-Za-z0-9]+", name)
    made = "".join(word[:1].upper() + word[1:] for word in words)
    return "N" + made if made[:1].isdigit() else made + "_" * keyword.iskeyword(made)


def _union(types):
    types = list(dict.fromkeys(types))
    if len(types) > 1 and "None" in types:
        return f"Optional[{_union(each for each in types if each != 'None')}]"
    return types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"


def _in_doc(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(text):
    return f'"""{_in_doc(text)}"""'


def main():
    parser = argparse.ArgumentParser(prog="python -m agon_arena.stubs", description="Writes the types of a game's "
                                     "questions and answers as a Python module.")
    parser.add_argument("games", nargs="+", metavar="GAME", help="a name or a file, such as bargaining or ./mine.py")
    parser.add_argument("--out", metavar="FOLDER", help="write GAME_types.py there instead of printing")
    given = parser.parse_args()
    if len(given.games) > 1 and not given.out:
        parser.error("several games require --out FOLDER")
    try:
        for game in given.games:
            text = text_of(game)
            if not given.out:
                print(text, end="")
                continue
            name = re.sub("[^a-z0-9]+", "_", os.path.splitext(os.path.basename(game))[0].lower())
            with open(os.path.join(given.out, name + "_types.py"), "w", encoding="utf-8") as file:
                file.write(text)
    except (Error, OSError) as error:
        sys.exit(f"stubs: error: {error}")


if __name__ == "__main__":
    main()
