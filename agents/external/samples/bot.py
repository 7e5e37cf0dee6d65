#!/usr/bin/env python3
"""Plays any game: draws its answer from the JSON Schema of the question."""
import json
import random
import sys


def draw(schema, dice, timid):
    """A value that fits the schema; the least one if `timid`."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0 if timid else dice.randrange(len(schema["enum"]))]
    if "anyOf" in schema:  # a timid answer is the last: null, or the way out of the game
        kinds = schema["anyOf"]
        return draw(kinds[-1 if timid else dice.randrange(len(kinds))], dice, timid)
    kind = schema["type"]
    if kind == "object":
        return {name: draw(s, dice, timid) for name, s in schema["properties"].items()}
    if kind == "array":
        least = schema.get("minItems", 0)
        length = least if timid else dice.randint(least, min(schema.get("maxItems", 3), least + 3))
        return [draw(schema["items"], dice, timid) for _ in range(length)]
    if kind in ("integer", "number"):
        least = schema.get("minimum", min(0, schema.get("maximum", 0)))
        most = max(least, min(schema.get("maximum", least + 100), least + 100))
        return least if timid else dice.randint(-int(-least // 1), int(most)) if most - least >= 1 else least
    if kind == "string":
        return "hello"[: schema.get("maxLength", 5)]
    return dice.random() < 0.5 if kind == "boolean" and not timid else False if kind == "boolean" else None


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    kind = message.get("type")
    if kind == "hello":
        say({"type": "hello", "protocol": 1, "name": "bot.py", "options": [
            {"name": "timid", "type": "boolean", "default": False, "doc": "always the least"}]})
    elif kind == "match":
        options = message["options"]
    elif kind == "question":
        timid = options["timid"] or message["attempt"] > 0
        answer = draw(message["schema"], random.Random(message["seed"]), timid)
        say({"type": "answer", "id": message["id"], "answer": answer})
    elif kind == "ping":
        say({"type": "pong", "id": message["id"]})
    elif kind == "end":
        break
