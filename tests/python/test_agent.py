"""Agents on agon_arena: what the arena says to a program that plays a seat, and what it hears."""
import json
import os
import random
import subprocess
import sys
import unittest

from arena import GameTest, MODULE, SOURCE

BOT = os.path.join(SOURCE, "agents", "external", "samples", "bot.py")
MATCH = {"type": "match", "game": "g", "title": "G", "rules": "r", "match": "m", "seat": 1, "name": "Ben",
         "role": "", "seats": ["Ann", "Ben"], "facts": None, "options": {"timid": False}}
QUESTION = {"type": "question", "id": "q1", "number": 0, "attempt": 0, "stage": "s", "doc": "d", "probe": False,
            "view": {"n": 3}, "complaint": "", "memo": "", "seed": 7, "seconds": None,
            "schema": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 2, "maximum": 9}}}}


class Agent(GameTest):
    def talk(self, path, *messages):
        ended = subprocess.run([sys.executable, "-B", path], input="".join(json.dumps(m, separators=(",", ":")) + "\n" for m in messages),
                               env={"PYTHONPATH": MODULE, "PATH": os.environ["PATH"]}, capture_output=True, text=True)
        self.errors = ended.stderr
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return [json.loads(line) for line in ended.stdout.splitlines()]

    def test_the_sample_draws_from_the_schema_and_gets_careful(self):
        heard = self.talk(BOT, {"type": "hello", "protocol": 1}, MATCH, QUESTION, QUESTION,
                          dict(QUESTION, attempt=1), {"type": "ping", "id": "p"}, {"type": "news"}, {"type": "end"})
        self.assertEqual(heard[0], {"type": "hello", "protocol": 1, "name": "bot.py", "options": [
            {"name": "timid", "type": "boolean", "default": False, "doc": "always the least"}]})
        self.assertEqual(heard[1], heard[2])  # the same dice for the same question
        self.assertTrue(2 <= heard[1]["answer"]["n"] <= 9)
        self.assertEqual(heard[3], {"type": "answer", "id": "q1", "answer": {"n": 2}})
        self.assertEqual(heard[4], {"type": "pong", "id": "p"})
        self.assertEqual(len(heard), 5)
        timid = dict(MATCH, options={"timid": True})
        self.assertEqual(self.talk(BOT, timid, QUESTION)[0]["answer"], {"n": 2})

    def test_the_template_counts_its_own_answers(self):
        path = os.path.join(SOURCE, "plugins", "templates", "agent-python", "cautious_agent.py")
        match = dict(MATCH, options={"patience": 2})
        question = dict(QUESTION, number=50, seed=1)  # so many were put to others
        answered = {"type": "answered", "number": 1, "stage": "s", "answer": {"n": 3}}
        heard = self.talk(path, match, question, answered, question, answered, question)
        self.assertEqual([each["answer"]["n"] for each in heard], [4, 4, 2])

    def test_a_question_has_all_that_its_seat_knows(self):
        path = self.write("mine.py", """
import agon
def answer(q):
    print("thinking")
    if q.probe:
        return None
    q.memo = q.memo + "x"
    q.thought = " ".join(each["type"] for each in q.history)
    return {"said": [q.game, q.title, q.rules, q.seat, q.name, q.seats, q.stage, q.view, q.seed, q.attempt]}
agon.agent(answer, options=[agon.option("a", 1, "d"), agon.option("b", 1.5, "d"), agon.option("c", "t", "d")])
""")
        heard = self.talk(path, {"type": "hello"}, MATCH, {"type": "event", "name": "e"}, {"type": "asked"},
                          {"type": "answered"}, dict(QUESTION, memo="m"), dict(QUESTION, probe=True),
                          MATCH, QUESTION)
        self.assertEqual(heard[0]["name"], "mine")
        self.assertEqual([each["type"] for each in heard[0]["options"]], ["integer", "number", "text"])
        self.assertEqual(heard[1], {"type": "answer", "id": "q1", "memo": "mx", "thought": "event asked answered",
                                    "answer": {"said": ["g", "G", "r", 1, "Ben", ["Ann", "Ben"], "s", {"n": 3}, 7, 0]}})
        self.assertEqual(heard[2], {"type": "decline", "id": "q1"})
        self.assertNotIn("thought", heard[3])  # another match has a history of its own
        self.assertEqual(self.errors, "thinking\n" * 3)

    def test_a_question_may_be_read_later_and_its_memo_is_kept_unread(self):
        path = self.write("mine.py", """
import agon
asked = []
def answer(q):
    asked.append(q)
    return {"told": [len(each.history) for each in asked] if len(asked) == 2 else []}
agon.agent(answer)
""")
        event = {"type": "event", "name": "e"}
        another = dict(reversed(QUESTION.items()), view={"memo": "mine"})  # type and id come last
        heard = self.talk(path, MATCH, event, dict(QUESTION, memo="m"), event,
                          dict(QUESTION, view={"memo": ""}, memo="n"), another)
        self.assertEqual([each["answer"]["told"] for each in heard], [[], [1, 2], []])
        self.assertEqual([each.get("memo") for each in heard], ["m", "n", None])
        self.assertEqual(heard[2]["id"], "q1")

    def test_what_an_agent_does_wrong_ends_it_with_a_reason(self):
        for text, problem in (("agon.agent(3)", "agon.agent(answer): 3 is no function"),
                              ("agon.option('x', None, 'd')", "the default of the option 'x' is a bool"),
                              ("agon.agent(lambda q: {'n': float('nan')})", "ValueError: Out of range float"),
                              ("agon.agent(lambda q: {}['x'])", "KeyError: 'x'")):
            path = self.write("bad.py", "import agon\n" + text + "\n")
            ended = subprocess.run([sys.executable, "-B", path], input=json.dumps(QUESTION) + "\n", text=True,
                                   env={"PYTHONPATH": MODULE, "PATH": os.environ["PATH"]}, capture_output=True)
            self.assertEqual((ended.returncode, ended.stdout), (1, ""))
            self.assertIn(problem, ended.stderr)


class Draw(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, MODULE)
        self.addCleanup(sys.path.remove, MODULE)
        import agon
        self.agon = agon

    def test_what_is_drawn_fits_the_schema(self):
        def fits(schema, value):
            if "const" in schema:
                return value == schema["const"]
            if "enum" in schema:
                return value in schema["enum"]
            if "anyOf" in schema:
                return any(fits(each, value) for each in schema["anyOf"])
            kind = schema["type"]
            if kind == "object":
                return set(value) == set(schema["properties"]) and all(
                    fits(each, value[name]) for name, each in schema["properties"].items())
            if kind == "array":
                return schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 99) and all(
                    fits(schema["items"], each) for each in value)
            if kind in ("integer", "number"):
                return schema.get("minimum", -1e99) <= value <= schema.get("maximum", 1e99)
            if kind == "string":
                return isinstance(value, str) and len(value) <= schema.get("maxLength", 99)
            return isinstance(value, bool) if kind == "boolean" else value is None
        schemas = [{"const": 4}, {"enum": ["a", "b"]}, {"type": "integer", "minimum": -3, "maximum": 3},
                   {"type": "number", "minimum": 0.5, "maximum": 0.75}, {"type": "number", "minimum": 0.5},
                   {"type": "integer", "maximum": -5}, {"type": "string", "maxLength": 2}, {"type": "boolean"},
                   {"type": "null"}, {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 3},
                   {"anyOf": [{"type": "boolean"}, {"type": "null"}]}]
        schemas.append({"type": "object", "properties": {str(i): each for i, each in enumerate(schemas)}})
        drawn = set()
        for seed in range(200):
            for schema in schemas:
                self.assertTrue(fits(schema, self.agon.draw(schema, random.Random(seed))), schema)
            drawn.add(self.agon.draw(schemas[2], random.Random(seed)))
        self.assertEqual(drawn, set(range(-3, 4)))
        two = {"type": "integer", "minimum": 4, "maximum": 5}
        self.assertEqual({self.agon.draw({"type": "boolean"}, random.Random(seed)) for seed in range(50)}, {True, False})
        self.assertEqual({self.agon.draw(two, random.Random(seed)) for seed in range(50)}, {4, 5})
        for schema in schemas:
            self.assertTrue(fits(schema, self.agon.least(schema)), schema)
        self.assertEqual([self.agon.least(each) for each in (schemas[1], schemas[2], schemas[9], schemas[10])],
                         ["a", -3, [False, False], None])


if __name__ == "__main__":
    unittest.main()
