"""The program that makes prompts of AucArena's repository, on a small stand-in with other sentences.

    AGON_BUILD=build python3 -m unittest test_published_prompts
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from arena import SOURCE

AGON = os.path.join(os.environ["AGON_BUILD"], "bin", "agon")
SCRIPT = os.path.join(SOURCE, "scenarios", "papers", "aucarena", "published_prompts.py")
FILES = {
    "prompt_base.py": '''\
raise SystemExit("this file is read, not run")
SYSTEM_MESSAGE = """
Bidder {name}. Aim: {desire_desc}.

1. Sets {{in braces}}.
""".strip()
_LEARNING_STATEMENT = " and lessons"
INSTRUCT_PLAN_TEMPLATE = """
{bidder_name} has ${budget} for {item_num} lots:
{items_info}

Plan{learning_statement}: {desire_desc}. \n
Like {{"A": {{"b": {{}}}}}}.
""".strip()
INSTRUCT_BID_TEMPLATE = """
It is said: "{auctioneer_msg}"

{bidder_name}, bid{learning_statement}: {desire_desc}.
""".strip()
INSTRUCT_SUMMARIZE_TEMPLATE = """
War of {cur_item}:
"{bidding_history}"
End: "{hammer_msg}"
{win_lose_msg}
{bidder_name}, from
{prev_status}
sum up as {{}}.
""".strip()
INSTRUCT_LEARNING_TEMPLATE = """
Log: {past_auction_log}
Old: {past_learnings}
""".strip()
INSTRUCT_REPLAN_TEMPLATE = """
Now:
{status_quo}
Left: {remaining_items_info}
{bidder_name}{learning_statement}, {desire_desc}.
""".strip()
''',
    "bidder_base.py": '''\
DESIRE_DESC = {
    'maximize_profit': "gain most",
    'maximize_items': "win most",
}
class Bidder:
    def _get_items_value_str(self, items):
        items_info = ''
        for i, item in enumerate(items):
            _info = f"{i+1}) {item} from ${item.price}, worth ${estimated_value}.\\n"
        return items_info.strip()
    def learn_from_prev_auction(self, past_learnings, past_auction_log):
        self.system_message += f"\\n\\nLessons:\\n{self.learnings}"
        print(f"{self.name}")
    def get_bid_instruct(self, auctioneer_msg, bid_round):
        auctioneer_msg = auctioneer_msg.replace(self.name, f'Me ({self.name})')
        if bid_round == 0:
            bid_instruct = f"""So far:\\n{json.dumps(self.status_quo, indent=4)}\\n{bid_instruct}\\n"""
        else:
            bid_instruct = f'Again: "{auctioneer_msg}"'
        return bid_instruct
    def summarize(self, instruct_summarize):
        err_msg = f"{self.name} erred:\\n{sanity_msg.strip()}\\n{consistency_msg.strip()}\\nOnce more.".strip()
    def _status_json_to_text(self, data):
        structured_text = f"+ Money: ${data.get('remaining_budget', 'unknown')}\\n\\n"
        structured_text += "+ Gains:\\n"
        for bidder, profit in data['total_profits'].items():
            structured_text += f"  - {bidder}: ${profit}\\n"
        structured_text += "\\n+ Buys:\\n"
        for bidder, bids in data['winning_bids'].items():
            structured_text += f"  - {bidder}:\\n"
            if bids:
                for item, amount in bids.items():
                    structured_text += f"    - {item}: ${amount}\\n"
            else:
                structured_text += f"    - nothing\\n"
        return structured_text.strip()
    def win_bid(self, item, bid):
        return f"Yours is {item} for ${bid}."
    def lose_bid(self, item):
        return f"Not yours: {item}."
''',
    "auctioneer_base.py": '''\
class Auctioneer:
    def _biddings_to_string(self, bid_round):
        bid_hist_text = ''
        for js in self.bidding_history[bid_round]:
            if js['bid'] < 0:
                bid_hist_text += f"- {js['bidder']} left\\n"
            else:
                bid_hist_text += f"- {js['bidder']} at ${js['bid']}\\n"
        return bid_hist_text.strip()
    def all_bidding_history_to_string(self):
        bid_hist_text += f"Turn {bid_round}:\\n{self._biddings_to_string(bid_round)}\\n\\n"
    def ask_for_bid(self, bid_round):
        if self.highest_bidder is None:
            if bid_round > 0:
                msg = f"Only ${self.cur_item.price} for {self.cur_item.name}!"
            else:
                msg = f"{len(remaining_items)} left: {', '.join(remaining_items)}. {self.cur_item} from ${self.cur_item.price}?"
        else:
            msg = f"The {p.ordinal(bid_round)} turn:\\n{bidding_history}\\n{self.highest_bidder.name} leads with ${self.highest_bid} for {self.cur_item.name}; ${int(self.cur_item.price * self.min_markup_pct)} more?"
        return msg
    def get_hammer_msg(self):
        if self.highest_bidder is None:
            return f"Nobody took {self.cur_item.name}."
        else:
            return f"{self.cur_item} to {self.highest_bidder} at ${self.highest_bid}, worth ${self.cur_item.true_value}."
''',
}
AGENT = {"llm": "m", "memory": "window:phases=1", "planning": "adaptive", "beliefs": "corrected",
         "longest_text": 20000, "prompts": "published"}
SUITE = {"seed": 7, "models": {"m": {"provider": "mock"}}, "agents": {"a": AGENT},
         "design": {"fixed": [["a", "a"]], "blocks": 6},
         "scenarios": [{"game": "english-auction", "preset": "paper", "prompts": "made",
                        "set": {"arena": "demo", "seats": 2, "everyone": {"budget": 10000},
                                "aim": "relative", "sum_up": True, "check_prices": True}}]}


class PublishedPrompts(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = kept.name
        os.makedirs(os.path.join(self.folder, "checkout", "src"))
        for name, text in FILES.items():
            self.write(os.path.join("checkout", "src", name), text)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, "made", "published", name)) as file:
            return file.read()

    def make(self, *options, checkout="checkout"):
        return subprocess.run([sys.executable, "-B", SCRIPT, checkout, "made", *options], capture_output=True,
                              text=True, cwd=self.folder)

    def agon(self, *words):
        return subprocess.run([AGON, *words], capture_output=True, text=True, cwd=self.folder)

    def test_placeholders_replace_what_the_originals_fill_in(self):
        ended = self.make()
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("do not publish", ended.stdout)
        self.assertEqual(self.read("system.txt"),
                         "Bidder {{seat}}. Aim: gain most.\n\n1. Sets {in braces}.\n\n{{persona}}\n")
        plan = self.read("plan.txt")
        self.assertIn("{{seat}} has ${{#view.budget}}{{value}}{{/view.budget}} for {{#view.items}}{{#last}}{{index}}"
                      "{{/last}}{{/view.items}} lots:\n{{#view.items}}{{index}}) {{item}} from ${{price}}, worth "
                      "${{estimate}}.{{^last}}\n{{/last}}{{/view.items}}\n", plan)
        self.assertIn("""Like {"A": {"b": {{'{}}}'}}.""", plan)
        self.assertIn("Plan{{#view.tips}}{{#first}} and lessons{{/first}}{{/view.tips}}: gain most. \n", plan)
        bid = self.read("bid.txt")
        self.assertIn("- {{#bidder where value is seat}}Me ({{seat}}){{/bidder}}", bid)
        self.assertIn('{{#view.priority}}{{\'{\'}}"{{view.item}}": {{value}}', bid)
        self.assertNotIn("So far:", bid)
        self.assertEqual(self.read("sum-up.txt"), self.read("belief.txt"))
        self.assertEqual(self.read("event-round.txt"), "")
        self.assertEqual(json.loads(self.read("prompts.json"))["keep_questions"], True)

    def test_the_objective_and_the_planning_are_chosen(self):
        self.assertEqual(self.make("--desire", "maximize_items", "--planning", "static").returncode, 0)
        self.assertIn("Aim: win most.", self.read("system.txt"))
        self.assertIn('So far:\n{\n    "remaining_budget": {{#view.account_budget}}', self.read("bid.txt"))

    def test_what_does_not_fit_is_refused(self):
        def refused(words, **place):
            ended = self.make(**place)
            self.assertEqual(ended.returncode, 1, ended.stdout)
            self.assertRegex(ended.stderr, r"(?s)^agon: error: .*" + words + r".*\n  hint: ")
            self.assertFalse(os.path.exists(os.path.join(self.folder, "made")))
        refused("prompt_base.py not found", checkout="nowhere")
        for name, old, new, words in (
                ("prompt_base.py", "{budget}", "{purse}", "it fills in 'purse'"),
                ("prompt_base.py", "SYSTEM_MESSAGE", "SYSTEM", "it has no text 'SYSTEM_MESSAGE'"),
                ("prompt_base.py", "SYSTEM_MESSAGE =", "SYSTEM_MESSAGE = =", "is no Python"),
                ("bidder_base.py", "maximize_profit", "profit", "DESIRE_DESC has no 'maximize_profit'"),
                ("bidder_base.py", "    - nothing", "{none}", "_status_json_to_text has other texts"),
                ("auctioneer_base.py", "def ask_for_bid", "def ask", "it has no function 'ask_for_bid'"),
                ("auctioneer_base.py", "{self.highest_bid} for", "{bid} for", "ask_for_bid has 0 texts")):
            with self.subTest(words):
                self.write(os.path.join("checkout", "src", name), FILES[name].replace(old, new))
                refused(words)
                self.write(os.path.join("checkout", "src", name), FILES[name])
        self.assertEqual(self.make().returncode, 0)
        before = self.read("bid.txt")
        ended = self.make("--desire", "maximize_items")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("already exists", ended.stderr)
        self.assertEqual(self.read("bid.txt"), before)

    def test_models_are_asked_in_these_words(self):
        self.assertEqual(self.make().returncode, 0)
        self.write("s.json", json.dumps(SUITE))
        ended = self.agon("doctor", "s.json")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        ended = self.agon("run", "s.json", "--out", "a.agon")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        calls = [call for match in range(1, 7) for call in json.loads(
            self.agon("show", "a.agon", str(match), "--json", "--calls").stdout)]
        texts = [message["text"] for call in calls for message in call["messages"]]
        self.assertFalse([text for text in texts if "{{" in text or "under the hammer" in text])
        self.assertFalse([text for text in texts if "every other bidder" in text])  # the authors' aim alone
        self.assertEqual({call["messages"][0]["text"].partition("Sets {in braces}.")[0] for call in calls},
                         {f"Bidder Bidder {n}. Aim: gain most.\n\n1. " for n in (1, 2)})
        for words in (r"Bidder 2 has \$10000 for 5 lots:\n1\) [^\n\"]+ from \$\d+, worth \$\d+\.\n2\) ",
                      r"Plan: gain most\. \n\nLike \{\"A\": \{\"b\": \{\}\}\}\.",
                      r"\{(\"[^\"]+\": [123](, )?){5}\}\n\nIt is said: \"5 left: ([^,\"]+)(, [^,\"]+){4}\. \3 from \$\d+\?\"",
                      r"Again: \"The 1st turn:\n(- .*\n)?- Me \(Bidder \d\) at \$\d+(\.\d\d)?\n",
                      r"War of [^\"\n]+:\n\"Turn 0:\n- Bidder 1 (left|at \$\d+)\n- Bidder 2 (left|at \$\d+)[\n\"]",
                      r"\+ Money: \$10000\n\n\+ Gains:\n  - Bidder 1: \$0\n  - Bidder 2: \$0\n\n\+ Buys:\n"
                      r"  - Bidder 1:\n    - nothing\n  - Bidder 2:\n    - nothing\nsum up as \{\}\."):
            self.assertTrue([text for text in texts if re.search(words, text)], words)
        # An earlier question stays in the dialogue as it was asked.
        self.assertTrue([call for call in calls if call["messages"][-1]["text"].count("Again: ") == 1 and
                         any("It is said: " in message["text"] for message in call["messages"][:-1])])


if __name__ == "__main__":
    unittest.main()
