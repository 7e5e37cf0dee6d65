"""Components of model agents on agon_arena: what the arena asks, and what they ask back."""
import json
import os
import unittest

import arena

TOOLS = '''
import enum
from dataclasses import dataclass
from typing import Annotated, List, Optional
import agon
class Side(enum.Enum):
    buy = "to buy"
    sell = "to sell"
def fee(price: Annotated[float, "in dollars"], side: Side = Side.buy, times: Optional[int] = None):
    """The fee of a deal."""
    return round(price * (0.01 if side is Side.buy else 0.02) * (times or 1), 4)
def add(numbers: List[float]) -> str:
    """Adds numbers."""
    return f"the sum is {sum(numbers)}"
def count(turn) -> dict:
    """How often it was called."""
    turn.state["n"] = turn.state.get("n", 0) + 1
    return turn.state
def breaks() -> str:
    """Breaks."""
    return {}["missing"]
agon.tools("market", [fee, add, count, breaks], "Fees and sums.", calls=3)
def echo(said: str, turn, at: int = 0) -> str:
    """Says it again."""
    return turn.events(at) if at else said
agon.tools("echo", [echo], "Says it again.", longest=500, purposes=["look"])
class Desk(agon.Tools):
    """Two tools."""
    @dataclass
    class Params:
        limit: int = agon.field(2, "most orders", min=1)
    def orders(self) -> str:
        """Orders that may be given."""
        return f"{self.params.limit} orders"
    def _hidden(self):
        pass
agon.component("desk", Desk, "A desk.")
'''

PARTS = '''
from dataclasses import dataclass
import agon
class Recent(agon.Memory):
    @dataclass
    class Params:
        n: int = agon.field(1, "events", min=1)
    def messages(self, turn):
        return turn.dialogue(turn.news_from)
    def notes(self, turn):
        return "\\n".join(f"{each.when}: {each.text}" for each in turn.past[-self.params.n:])
agon.component("recent", Recent, "The last events.", overlaps=[("memory", "whole", "both show events")])
class Ahead(agon.Planning):
    answers = True
    def plan(self, turn):
        if "plan" not in turn.state:
            turn.state["plan"] = turn.call("Make a plan.", "plan", max_tokens=50).text
        return "Your plan:\\n" + turn.state["plan"]
agon.component("ahead", Ahead, "Plans once.")
class Twice(agon.Reasoning):
    prompts = {"part-twice": ["draft"]}
    def answer(self, turn):
        try:
            draft = turn.call([{"role": "user", "content": turn.task}], "draft")
        except BaseException:  # as careless code does
            return {"bid": 0}
        return turn.ask_for_answer(turn.render("part-twice", draft=draft.text), think=True)
agon.component("twice", Twice, "Drafts first.")
class Fixed(agon.Reasoning):
    def answer(self, turn):
        return {"bid": turn.question.view["price"] + 1}
agon.component("fixed", Fixed, "A rule.")
class Early(agon.Planning):
    def plan(self, turn):
        return turn.task
agon.component("early", Early, "Asks too early.")
class Brief(agon.Persona):
    def text(self, question):
        return f"You are {question.name}."
agon.component("brief", Brief, "A name.")
class Last(agon.Form):
    def instructions(self, question, think):
        return "End with BID: n." if not think else "Think. End with BID: n."
    def read(self, question, text):
        thought, found, bid = text.rpartition("BID:")
        if not found:
            raise ValueError("there is no BID:")
        return {"bid": int(bid)}, thought.strip()
    def written(self, answer):
        return f"BID: {answer['bid']}"
agon.component("last", Last, "The number after BID.")
'''

ODD = '''
import json
from dataclasses import dataclass
import agon
@dataclass
class Bid:
    bid: int
    why: str
class Rule(agon.Reasoning):
    def answer(self, turn):
        return agon.Answer("ok", Bid(3, "\\udfff"), thought="\\ud800")
agon.component("rule", Rule, "A rule.", purposes=["draft", "check"])
class Deep(agon.Form):
    def read(self, question, text):
        return json.loads(text)
agon.component("deep", Deep, "JSON.")
class Both(agon.Memory):
    def notes(self, turn):
        state = turn.state
        state["before"] = 1
        turn.opening
        state["after"] = 3
        return "noted"
agon.component("both", Both, "Messages and notes.")
'''

PROVIDER = '''
import agon
def complete(request):
    if request["model"] == "broken":
        return 5
    return request["messages"][-1]["content"].upper() if request["model"] == "loud" else {"said": request}
agon.provider("local", complete, "A model of this machine.")
'''

QUESTION = {"game": "auction", "title": "Auction", "rules": "Bid.", "match": "m", "seat": 0, "name": "Ann", "role": "",
            "seats": ["Ann", "Ben"], "facts": None, "number": 4, "stage": "bid", "doc": "your bid", "probe": False,
            "asked_at_once": 1, "asked_index": 0, "view": {"price": 5}, "told": "It costs 5.", "schema": {},
            "attempt": 0, "complaint": "", "seed": 7}


class Components(arena.GameTest):
    def file(self, text):
        process = self.start(self.write("parts.py", text))
        return process, process.ask(type="hello", protocol=1)

    def request(self, process, kind, id, do, *, params=None, turn=True, note="", **more):
        if turn:
            more.update(question=QUESTION, note=note, news_from=3, phase_from=2, places=4)
        return process.ask(type="request", what="component", do=do, kind=kind, id=id, params=params or {}, **more)

    def call(self, process, tool, arguments, note=""):
        return self.request(process, "tools", "market", "result", params={"calls": 3}, note=note, tool=tool,
                            arguments=arguments if isinstance(arguments, str) else json.dumps(arguments))

    def test_cards(self):
        _, hello = self.file(PARTS)
        self.assertEqual(hello["games"], [])
        self.assertEqual([(each["kind"], each["id"]) for each in hello["components"]],
                         [("memory", "recent"), ("planning", "ahead"), ("reasoning", "twice"), ("reasoning", "fixed"),
                          ("planning", "early"), ("persona", "brief"), ("form", "last")])
        recent = hello["components"][0]
        self.assertEqual(recent["params"]["members"][0]["name"], "n")
        self.assertEqual(recent["overlaps"], [{"kind": "memory", "id": "whole", "what": "both show events"}])

    def test_schemas_follow_from_type_hints(self):
        process, _ = self.file(TOOLS)
        made = self.request(process, "tools", "market", "make", params={"calls": 2}, turn=False)["value"]
        self.assertEqual(made["calls"], 2)
        self.assertEqual([each["name"] for each in made["tools"]], ["add", "breaks", "count", "fee"])
        self.assertEqual(made["tools"][3], {"name": "fee", "doc": "The fee of a deal.", "schema": {
            "type": "object", "additionalProperties": False, "required": ["price"], "properties": {
                "price": {"type": "number", "description": "in dollars"}, "side": {"enum": ["buy", "sell"]},
                "times": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}})
        desk = self.request(process, "tools", "desk", "make", params={"limit": 5}, turn=False)["value"]
        self.assertEqual([[each["name"] for each in desk["tools"]], desk["calls"]], [["orders"], 8])
        said = self.request(process, "tools", "desk", "result", params={"limit": 5}, tool="orders", arguments="")
        self.assertEqual(said["value"], {"text": "5 orders"})

    def test_purposes_and_the_longest_result(self):
        process, hello = self.file(TOOLS)
        cards = {each["id"]: each for each in hello["components"]}
        self.assertEqual(cards["echo"]["purposes"], ["look"])
        self.assertNotIn("purposes", cards["market"])
        made = lambda id, **params: self.request(process, "tools", id, "make", params=params, turn=False)["value"]
        self.assertEqual(made("echo", calls=8, longest=90)["longest"], 90)
        self.assertNotIn("longest", made("market", calls=2))

    def test_arguments_and_results_of_any_text(self):
        process, _ = self.file(TOOLS)
        call = lambda arguments: self.request(process, "tools", "echo", "result", params={"calls": 8, "longest": 500},
                                              tool="echo", arguments=arguments)["value"]
        self.assertEqual(call('{"said": "\\ud800 \u00e9"}'), {"text": "\\ud800 \u00e9"})
        self.assertEqual(call('{"\\udfff": 1}'), {"problem": "there is no argument '\\udfff'; there are: said, at"})
        self.assertEqual(call("[" * 100000), {"problem": "the arguments are not valid JSON"})
        self.assertEqual(call('{"said": "", "at": -3}'), {
            "problem": "ValueError: a place in the history is a whole number from 0 to turn.places, which is 4: not "
                       "-3"})

    def test_calls_and_what_is_wrong_with_them(self):
        process, _ = self.file(TOOLS)
        self.assertEqual(self.call(process, "fee", {"price": 50, "side": "sell"})["value"], {"text": "1.0"})
        self.assertEqual(self.call(process, "add", {"numbers": [1, 2.5]})["value"], {"text": "the sum is 3.5"})
        for tool, arguments, why in (
                ("fees", {}, "there is no tool 'fees'; there are: add, breaks, count, fee"),
                ("fee", "not JSON", "the arguments are not valid JSON"),
                ("fee", "[1]", "the arguments must be a JSON object"),
                ("fee", {}, "the argument 'price' is missing"),
                ("fee", {"price": "5"}, "price must be a number"),
                ("fee", {"price": True}, "price must be a number"),
                ("fee", {"price": 5, "side": "hold"}, "side must be one of buy, sell"),
                ("fee", {"price": 5, "turn": 1}, "there is no argument 'turn'; there are: price, side, times"),
                ("add", {"numbers": ["a"]}, "each of numbers must be a number"),
                ("breaks", {}, "KeyError: 'missing'")):
            with self.subTest(tool=tool, arguments=arguments):
                self.assertEqual(self.call(process, tool, arguments)["value"], {"problem": why})
        self.assertIn("KeyError: 'missing'", process.complaints())

    def test_state_is_kept_by_the_arena(self):
        process, _ = self.file(TOOLS)
        self.assertEqual(self.call(process, "count", {}), {"type": "turn", "what": "note", "text": '{"n": 1}'})
        self.assertEqual(process.ask(type="turned", value=True)["value"], {"text": '{"n": 1}'})
        self.assertEqual(self.call(process, "count", {}, '{"n": 6}')["text"], '{"n": 7}')
        process.ask(type="turned", value=True)
        self.assertEqual(self.call(process, "count", {})["text"], '{"n": 1}')  # nothing stays in the process

    def test_memory(self):
        process, _ = self.file(PARTS)
        made = self.request(process, "memory", "recent", "make", params={"n": 1}, turn=False)["value"]
        self.assertEqual(made, {"whole": False, "prompts": {}})
        self.assertEqual(self.request(process, "memory", "recent", "notes", params={"n": 1}),
                         {"type": "turn", "what": "past"})
        past = [{"at": at, "when": f"after day {at}", "own": False, "text": f"- day {at}"} for at in (1, 2)]
        self.assertEqual(process.ask(type="turned", value=past)["value"], "after day 2: - day 2")
        self.assertEqual(self.request(process, "memory", "recent", "messages", params={"n": 1}),
                         {"type": "turn", "what": "dialogue", "from": 3, "to": 4})
        said = [{"role": "user", "content": "hello"}]
        self.assertEqual(process.ask(type="turned", value=said)["value"], said)

    def test_planning_calls_the_model_through_the_arena(self):
        process, _ = self.file(PARTS)
        self.assertEqual(self.request(process, "planning", "ahead", "plan"), {"type": "turn", "what": "opening"})
        call = process.ask(type="turned", value=[{"role": "system", "content": "s"}, {"role": "user", "content": "u"}])
        self.assertEqual(call, {"type": "turn", "what": "call", "purpose": "plan", "max_tokens": 50, "messages": [
            {"role": "system", "content": "s"}, {"role": "user", "content": "u\n\nMake a plan."}]})
        note = process.ask(type="turned", value={"text": "wait", "reasoning": "", "fault": "ok"})
        self.assertEqual(note, {"type": "turn", "what": "note", "text": '{"plan": "wait"}'})
        self.assertEqual(process.ask(type="turned", value=True)["value"], "Your plan:\nwait")
        again = self.request(process, "planning", "ahead", "plan", note=note["text"])
        self.assertEqual(again["value"], "Your plan:\nwait")

    def test_reasoning(self):
        process, _ = self.file(PARTS)
        made = self.request(process, "reasoning", "twice", "make", turn=False)["value"]
        self.assertEqual(made, {"answers": False, "prompts": {"part-twice": ["draft"]}})
        self.assertEqual(self.request(process, "reasoning", "twice", "answer")["what"], "task")
        self.assertEqual(process.ask(type="turned", value="Bid now.")["messages"],
                         [{"role": "user", "content": "Bid now."}])
        render = process.ask(type="turned", value={"text": "6", "reasoning": "", "fault": "ok"})
        self.assertEqual(render, {"type": "turn", "what": "render", "file": "part-twice", "names": {"draft": "6"}})
        asked = process.ask(type="turned", value="Your draft: 6")
        self.assertEqual(asked, {"type": "turn", "what": "answer", "prompt": "Your draft: 6", "purpose": "answer",
                                 "think": True})
        reply = process.ask(type="turned", value={"fault": "in-words", "json": '{"bid":7}', "thought": "t",
                                                  "problem": "", "said": "so: {\"bid\":7}"})
        self.assertEqual(reply, {"type": "reply", "value": {"fault": "in-words", "json": '{"bid": 7}', "thought": "t",
                                                            "problem": "", "said": "so: {\"bid\":7}"}})
        fixed = self.request(process, "reasoning", "fixed", "answer")["value"]
        self.assertEqual([fixed["fault"], fixed["json"]], ["ok", '{"bid": 6}'])

    def test_answers_of_classes_and_texts_that_unicode_has_not(self):
        process, _ = self.file(ODD)
        made = self.request(process, "reasoning", "rule", "answer")["value"]
        self.assertEqual([made["fault"], made["thought"], json.loads(made["json"])],
                         ["ok", "\\ud800", {"bid": 3, "why": "\\udfff"}])
        deep = self.request(process, "form", "deep", "read", turn=False, question=QUESTION, text="[" * 100000)["value"]
        self.assertEqual(deep, {"fault": "unparsable", "problem": "it is nested too deep"})

    def test_notes_keep_what_the_messages_of_the_same_memory_wrote(self):
        process, _ = self.file(ODD)
        self.assertEqual(self.request(process, "memory", "both", "notes"),
                         {"type": "turn", "what": "note", "text": '{"before": 1}'})
        self.assertEqual(process.ask(type="turned", value=True), {"type": "turn", "what": "opening"})
        self.assertEqual(process.ask(type="turned", value=[]), {"type": "turn", "what": "note"})
        note = process.ask(type="turned", value='{"before": 1, "shown": 2}')
        self.assertEqual(json.loads(note["text"]), {"before": 1, "shown": 2, "after": 3})
        self.assertEqual(process.ask(type="turned", value=True)["value"], "noted")

    def test_a_component_that_is_stopped_ends_even_if_it_catches_everything(self):
        process, _ = self.file(PARTS)
        self.request(process, "reasoning", "twice", "answer")
        process.ask(type="turned", value="Bid now.")
        self.assertEqual(process.ask(type="stop"), {"type": "stopped"})
        self.assertEqual(self.request(process, "reasoning", "fixed", "answer")["type"], "reply")

    def test_what_is_asked_for_too_early_is_a_fault(self):
        process, _ = self.file(PARTS)
        fault = self.request(process, "planning", "early", "plan")
        self.assertEqual([fault["type"], fault["where"]], ["fault", "parts.py:35"])
        self.assertIn("turn.task is for the reasoning alone", fault["problem"])

    def test_persona_and_form(self):
        process, _ = self.file(PARTS)
        ask = lambda kind, id, do, **more: self.request(process, kind, id, do, turn=False, question=QUESTION,
                                                        **more)["value"]
        self.assertEqual(ask("persona", "brief", "text"), "You are Ann.")
        self.assertEqual(ask("form", "last", "make"), {"writes": True, "prompts": {}})
        self.assertEqual(ask("form", "last", "instructions", think=True), "Think. End with BID: n.")
        self.assertEqual(ask("form", "last", "schema", think=False), "")
        read = ask("form", "last", "read", text="I like it. BID: 8")
        self.assertEqual([read["fault"], read["json"], read["thought"]], ["ok", '{"bid": 8}', "I like it."])
        self.assertEqual(ask("form", "last", "read", text="eight"),
                         {"fault": "unparsable", "problem": "there is no BID:"})
        self.assertEqual(ask("form", "last", "written", json={"bid": 8}), "BID: 8")

    def test_provider(self):
        process, hello = self.file(PROVIDER)
        self.assertEqual(hello["providers"], [{"id": "local", "doc": "A model of this machine.", "wire": "openai"}])
        ask = lambda model: process.ask(type="request", what="complete", provider="local", body={
            "model": model, "messages": [{"role": "user", "content": "hello"}]})
        self.assertEqual(ask("loud")["value"]["choices"][0]["message"], {"role": "assistant", "content": "HELLO"})
        self.assertEqual(ask("quiet")["value"]["said"]["model"], "quiet")
        self.assertIn("returns a dict, as the wire format has it: not 5", ask("broken")["problem"])

    def test_the_examples(self):
        folder = os.path.join(arena.SOURCE, "plugins", "examples", "components")
        process = self.start(os.path.join(folder, "bidder.py"))
        hello = process.ask(type="hello", protocol=1)
        self.assertEqual([each["id"] for each in hello["components"]], ["nearest", "ahead", "doubt", "average"])
        embeds = {"n": 1, "model": "e"}
        self.assertEqual(self.request(process, "memory", "nearest", "notes", params=embeds)["what"], "past")
        told = {1: "- water is short", 2: "- Ben sleeps"}
        past = [{"at": at, "when": f"after day {at}", "own": False, "text": text} for at, text in told.items()]
        process.ask(type="turned", value=past)  # it wants the news
        embed = process.ask(type="turned", value="- it is dry")
        self.assertEqual([embed["what"], embed["model"], embed["texts"][:2], len(embed["texts"])],
                         ["embed", "e", ["- water is short", "- Ben sleeps"], 3])
        note = process.ask(type="turned", value=[[1, 0.1], [-1, 0.2], [0.9, 0]])
        self.assertEqual(sorted(json.loads(note["text"])["vectors"]), ["1", "2"])
        self.assertLess(len(note["text"]), 1000)
        self.assertTrue(process.ask(type="turned", value=True)["value"].endswith(":\nafter day 1: - water is short"))
        # What was embedded once is not again.
        self.request(process, "memory", "nearest", "notes", params=embeds, note=note["text"])
        process.ask(type="turned", value=past)
        self.assertEqual(len(process.ask(type="turned", value="")["texts"]), 1)
        local = self.start(os.path.join(folder, "local.py"))
        local.ask(type="hello", protocol=1)
        schema = {"type": "object", "properties": {"bid": {"type": "integer", "minimum": 3}}}
        said = local.ask(type="request", what="complete", provider="local", body={
            "model": "m", "messages": [], "response_format": {"json_schema": {"schema": schema}}})["value"]
        self.assertEqual(said["choices"][0]["message"]["content"], '{"bid": 3}')

    def test_files_that_are_wrong(self):
        for text, why in (
                ('def f(a): """Does."""\nagon.tools("t", [f], "Tools.")', "its argument 'a' has: write a: float"),
                ('def f(a: bytes): """Does."""\nagon.tools("t", [f], "Tools.")', "bytes is no type of an argument"),
                ('def f(a: int): pass\nagon.tools("t", [f], "Tools.")', "the tool 'f' has no docstring"),
                ('def answer(): """Does."""\nagon.tools("t", [answer], "Tools.")', "\"answer\" is taken"),
                ('agon.tools("t", [5], "Tools.")', "5 is no function"),
                ('def prompts(): """Does."""\nagon.tools("t", [prompts], "Tools.")', "'prompts' is no name for a tool"),
                ('def params(): """Does."""\nagon.tools("t", [params], "Tools.")', "'params' is no name for a tool"),
                ('class T(agon.Tools):\n    def params(self): """Does."""\nagon.component("t", T, "Tools.")',
                 "'params' is no name for a method or a tool"),
                ('class M(agon.Memory): pass\nagon.component("m", M, "A.", purposes="x")',
                 "purposes is a list of texts"),
                ('1', "agon.component(...), agon.tools(...) or agon.provider(...)"),
                ('agon.tools("t", [], "Tools.")', "no public method or function that is a tool"),
                ('agon.component("c", int, "A part.")', "the class derives from agon.Memory"),
                ('class M(agon.Memory): pass\nagon.component("m", M, "")', "needs words for what it is"),
                ('class M(agon.Memory): pass\nagon.component("m", M, "A.")\nagon.component("m", M, "A.")',
                 "two memory components called 'm'")):
            with self.subTest(text):
                _, fault = self.file("import agon\n" + text + "\n")
                self.assertEqual(fault["type"], "fault")
                self.assertIn(why, fault["problem"])


if __name__ == "__main__":
    unittest.main()
