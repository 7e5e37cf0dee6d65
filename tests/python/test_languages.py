"""A game that is told in two languages, played by the arena itself.

    AGON_BUILD=build python3 -m unittest test_languages
"""
import json
import os
import re
import subprocess
import tempfile
import unittest

AGON = os.path.join(os.environ["AGON_BUILD"], "bin", "agon")
GAME = '''\
from dataclasses import dataclass
import agon
@dataclass
class Settings:
    pie: int = agon.field(3, "coins to split", min=1, unit="coins")
@dataclass
class Offer:
    give: int = agon.field(0, "coins you hand over", unit="coins")
@dataclass
class Reply:
    accept: bool = agon.field(False, "true takes the offer")
def tell_offer(offer, scene):
    coins = agon.counted(offer.give, "coin", "coins")
    if scene.is_reader(0):
        return agon.say("You hand over {coins}.", coins=coins)
    return agon.then(agon.say("{who} hands over {coins}.", who=scene.name(0), coins=coins),
                     agon.say("Take it or leave it."))
def tell_view(view, scene):
    return agon.say("At the table: {names}.", names=agon.listed(scene.seats))
OFFER = agon.Stage("offer", Offer, "how many coins you hand over", view=Settings, telling=tell_view)
REPLY = agon.Stage("reply", Reply, "whether you take the offer")
OFFERED = agon.Event("offered", Offer, "what is handed over", telling=tell_offer)
def play(table: agon.Table[OFFER, REPLY, OFFERED], s: Settings):
    offer = table.ask(0, OFFER, agon.limit("give", 0, s.pie), view=s,
                      check=lambda offer: "give less than that" if offer.give == s.pie else "")
    table.announce(OFFERED, offer)
    taken = table.ask(1, REPLY).accept
    return [agon.SeatScore((s.pie - offer.give) * taken, 0, s.pie), agon.SeatScore(offer.give * taken, 0, s.pie)]
def rules(s):
    return agon.say("Split {pie} coins.", pie=s.pie)
def persona(s, seat):
    return agon.say("You are a miser.") if seat == 0 else ""
SENTENCES = ["You hand over {coins}.", "{who} hands over {coins}.", "Take it or leave it.", "{n} coin", "{n} coins",
             "At the table: {names}.", "Split {pie} coins.", "You are a miser.", "give less than that"]
agon.game("dividing", play, title="Dividing", rules=rules, persona=persona, seats=(2, 2), sentences=SENTENCES)
'''
GERMAN = {"You hand over {coins}.": "Du gibst {coins}.", "{who} hands over {coins}.": "{coins} kommen von {who}.",
          "Take it or leave it.": "Nimm an oder lass es.", "{n} coin": "{n} Taler", "{n} coins": "{n} Talern",
          "At the table: {names}.": "Am Tisch: {names}.", "Split {pie} coins.": "Teilt {pie} Taler.",
          "You are a miser.": "Du bist ein Geizhals.", "give less than that": "gib weniger als das",
          "Dividing": "Teilen", "how many coins you hand over": "wie viele Taler du gibst",
          "coins you hand over": "Taler, die du gibst", "coins": "Taler", "true takes the offer": "true nimmt an",
          "whether you take the offer": "ob du annimmst"}
SUITE = {"seed": 4, "models": {"m": {"provider": "mock", "mock": {"illegal": 0.4}}},
         "agents": {"en": {"llm": "m"}, "de": {"llm": "m", "language": "de"}},
         "design": {"fixed": [["en", "de"], ["de", "en"]], "seat_rotation": "as-listed", "blocks": 6},
         "scenarios": [{"game": "dividing"}]}


class Languages(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = kept.name
        self.write("s.json", json.dumps(SUITE))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def bring(self, game=GAME, german=GERMAN):
        self.write("dividing.py", game)
        self.write("prompts/dividing/de/sentences.json", json.dumps(german))

    def agon(self, *words):
        return subprocess.run([AGON, *words, "--plugin", "dividing.py"], capture_output=True, text=True,
                              cwd=self.folder)

    def run_suite(self):
        return self.agon("run", "s.json", "--out", "a.agon")

    def messages(self):
        """What models were sent, by the agent of the seat."""
        sent = {"en": "", "de": ""}
        for number in range(1, 13):
            for question in "0", "1":
                shown = self.agon("show", "a.agon", str(number), "--question", question).stdout
                agents = dict(re.findall(r"^  (seat \d) +(en|de)", shown, re.M))
                sent[agents[re.search(r"^(seat \d), question", shown, re.M)[1]]] += shown
        return sent

    def test_each_seat_reads_its_own(self):
        self.bring()
        ended = self.run_suite()
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        sent = self.messages()
        for english, german in (("Split 3 coins.", "Teilt 3 Taler."), ("You are a miser.", "Du bist ein Geizhals."),
                                ("Take it or leave it.", "Nimm an oder lass es."),
                                ("At the table: seat 0 and seat 1.", "Am Tisch: seat 0 und seat 1."),
                                ("give less than that", "gib weniger als das")):
            self.assertIn(english, sent["en"])
            self.assertIn(german, sent["de"])
            self.assertNotIn(german, sent["en"])
            self.assertNotIn(english, sent["de"])
        self.assertRegex(sent["de"], "[023] Talern kommen von seat 0. Nimm")
        replayed = self.agon("replay", "a.agon")
        self.assertIn("12 of 12 matches come out byte for byte the same", replayed.stdout, replayed.stderr)

    def test_what_is_missing_is_said_before_a_match(self):
        self.bring(german={key: said for key, said in GERMAN.items() if key != "{n} coin"})
        ended = self.run_suite()
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("{n} coin", ended.stdout + ended.stderr)
        self.assertIn("sentences.json", ended.stdout + ended.stderr)

    def test_a_game_without_sentences_is_english_alone(self):
        self.bring(GAME.replace(", sentences=SENTENCES", ""))
        ended = self.run_suite()
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("all that the game says is in English", ended.stdout + ended.stderr)
        played = self.agon("play", "dividing", "--seed", "1")
        self.assertEqual(played.returncode, 0, played.stderr)

    def test_what_passes_the_sentences_is_a_fault_in_english_too(self):
        for wrong, with_what, told in (
                ('"Take it or leave it.", "{n}', '"{n}', 'the game\'s sentences lack "Take it or leave it."'),
                ('return agon.say("At the table: {names}.", names=agon.listed(scene.seats))', 'return "At the table"',
                 "the telling of the stage 'offer' returns a text that is none of the game's sentences"),
                ('agon.say("Take it or leave it."))', '"Or not")', '"Or not" is none of the game\'s sentences'),
                (', pie=s.pie)', ')', "nothing stands for {pie}"),
                (', "give less than that"]', "]", 'the reason "give less than that" is none of the game\'s sentences')):
            with self.subTest(told):
                self.bring(GAME.replace(wrong, with_what))
                played = self.agon("check", "dividing", "--only", "plays")
                self.assertNotEqual(played.returncode, 0)
                self.assertIn(told, played.stdout + played.stderr)
                self.assertIn("dividing.py:", played.stdout + played.stderr)


if __name__ == "__main__":
    unittest.main()
