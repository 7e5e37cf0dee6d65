"""Types made from the descriptions of games.

    AGON_BUILD=build python3 -m unittest test_stubs
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import typing
import unittest

BUILD = os.path.abspath(os.environ["AGON_BUILD"])
PACKAGE = os.path.join(BUILD, "share", "agon", "python")
sys.path.insert(0, PACKAGE)

from agon_arena import stubs  # noqa: E402 found in the folder above
from agon_arena.command import execute
from agon_arena.errors import Error

GOOD = """
from bargaining_types import Answer, BuyAction, Question

def mine(question: Question) -> Answer:
    if question.stage == "buy":
        price = min(question.view["product"]["list_price"], question.view["budget"])
        action: BuyAction = {"kind": "buy", "price": price * 0.7}
        return {"talk": f"turn {question.view['turn']}", "action": action}
    if question.view["buyer_offers"]:
        return {"talk": "", "action": {"kind": "deal", "price": max(question.view["buyer_offers"])}}
    return {"talk": "", "action": {"kind": "sell", "price": question.view["cost"]}}
"""


def games():
    return [each["id"] for each in json.loads(execute(["list", "games", "--json"], quiet=True)[1])["games"]]


def made(text):
    names = {}
    exec(compile(text, "types", "exec"), names)
    return names


class Stubs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def program(self, *words, **options):
        return subprocess.run([sys.executable, "-m", "agon_arena.stubs", *words], capture_output=True, text=True,
                              env=dict(os.environ, PYTHONPATH=PACKAGE), **options)

    def test_every_game_has_the_types_that_its_description_has(self):
        self.assertGreater(len(games()), 9)
        for game in games():
            described = json.loads(execute(["describe", game, "--json"])[1])
            names = made(stubs.text_of(game))
            questions = typing.get_args(names["Question"]) or (names["Question"],)
            self.assertEqual([each.__annotations__["stage"] for each in questions],
                             [typing.Literal[stage["name"]] for stage in described["stages"]])
            for question, stage in zip(questions, described["stages"]):
                view = question.__annotations__["view"]
                members = stage["view_schema"]["properties"] if stage.get("view_schema") else {}
                self.assertEqual(set(typing.get_type_hints(view) if view else ()), set(members), game)
                for member in stage["answer_schema"].get("properties", ()):
                    self.assertTrue(any(member in typing.get_type_hints(answer)
                                        for answer in typing.get_args(names["Answer"]) or (names["Answer"],)
                                        if answer is not type(None)), f"{game}: {member}")

    def test_types_say_what_schemas_say(self):
        names = made(stubs.text_of("bargaining"))
        hints = typing.get_type_hints(names["BuyView"])
        self.assertEqual((hints["budget"], hints["turn"]), (float, int))
        self.assertEqual(typing.get_type_hints(names["BuyAction"]), {"kind": typing.Literal["buy"], "price": float})
        odd = {"type": "object", "required": ["class"], "properties": {
            "class": {"enum": ["a", None]}, "b": {"type": "object", "additionalProperties": {"type": "boolean"}}}}
        plain = {"type": "object", "required": [], "properties": {"a": {"description": 'says "x" \\ y', "anyOf": [
            {"type": "array", "items": {"type": "string"}}, {"type": "null"}]}, "say": {}}}
        names = made(stubs._Module({"game": "g", "version": 1, "title": 'The "G"', "events": [], "stages": [
            {"name": "first-move", "doc": "", "probe": True, "answer_schema": plain, "view_schema": odd},
            {"name": "2nd", "doc": "", "probe": False, "answer_schema": plain}]}).text())
        self.assertEqual(names["FirstMoveView"].__annotations__, {
            "class": typing.Literal["a", None], "b": typing.Dict[str, bool]})
        self.assertEqual(typing.get_type_hints(names["FirstMoveAnswer"])["a"], typing.Optional[typing.List[str]])
        self.assertFalse(names["FirstMoveAnswer"].__required_keys__)
        self.assertIn(type(None), typing.get_args(names["Answer"]))
        self.assertIsNone(names["N2ndQuestion"].__annotations__["view"])

    def test_the_program_writes_files(self):
        ended = self.program("bargaining")
        self.assertEqual((ended.returncode, ended.stdout), (0, stubs.text_of("bargaining")))
        self.assertEqual(self.program("bargaining", "deal-or-no-deal", "--out", self.folder).returncode, 0)
        self.assertEqual(sorted(os.listdir(self.folder)), ["bargaining_types.py", "deal_or_no_deal_types.py"])
        for words, said in ((("barganing",), "did you mean 'bargaining'"), (("classic", "ebay"), "--out FOLDER"),
                            (("classic", "--out", self.folder + "/nowhere"), "nowhere")):
            ended = self.program(*words)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn(said, ended.stderr)
            self.assertNotIn("Traceback", ended.stderr)
        with self.assertRaises(Error):
            stubs.text_of("barganing")

    def test_a_new_game_in_python_has_types(self):
        subprocess.run(
            [os.path.join(BUILD, "bin", "agon"), "new", "game", "mine", "--directory", self.folder], check=True,
            capture_output=True)
        self.assertIn("Question", made(stubs.text_of(os.path.join(self.folder, "mine", "mine_game.py"))))

    def test_mypy_takes_what_fits_and_tells_what_does_not(self):
        mypy = shutil.which("mypy")
        if mypy is None:
            self.skipTest("mypy is not installed")
        for game in games():
            with open(os.path.join(self.folder, game.replace("-", "_") + "_types.py"), "w") as file:
                file.write(stubs.text_of(game))

        def check(*files):
            return subprocess.run([mypy, "--follow-imports=silent", "--strict", *files], cwd=self.folder,
                                  capture_output=True, text=True, env=dict(os.environ, MYPYPATH=PACKAGE))

        checked = check(*sorted(os.listdir(self.folder)))
        self.assertEqual(checked.returncode, 0, checked.stdout)
        for changed, words in ((GOOD, None), (GOOD.replace('"list_price"', '"prise"'), 'no key "prise"'),
                               (GOOD.replace('["cost"]', '["budget"]'), 'no key "budget"'),
                               (GOOD.replace('{"kind": "buy", "price"', '{"kind": "buy", "prise"'), "prise"),
                               (GOOD.replace("price * 0.7", '"cheap"'), "float")):
            with open(os.path.join(self.folder, "mine.py"), "w") as file:
                file.write(changed)
            checked = check("mine.py")
            self.assertEqual(checked.returncode, 0 if words is None else 1, checked.stdout)
            self.assertIn(words or "Success", checked.stdout)


if __name__ == "__main__":
    unittest.main()
