"""Importers on agon_arena, and those that come with Agon."""
import importlib.util
import json
import os
import random
import sys
import unittest

import arena

sys.dont_write_bytecode = True
SHIPPED = os.path.join(arena.SOURCE, "plugins", "importers", "importers.py")
sys.path[:0] = [arena.MODULE, os.path.dirname(SHIPPED)]
agon = importlib.import_module("agon")

OWN = """
import agon
def read(files):
    if files[0].name == "refused":
        raise agon.Refused("there is nothing in it", "refused:1", "give another file")
    if files[0].name == "wrong":
        return 5
    if files[0].name == "broken":
        return files[1]
    match = agon.PublishedMatch(files[0].name, 1, seats=[agon.PublishedSeat("gpt-4", {"persona": "friendly"})])
    match.seats[0].say("bid", {"bid": 30}, files[0].bytes.decode("utf-8", "surrogateescape"))
    match.seats[0].say("plan", None)
    match.seats[0].say("take", '{"items": [1,2]}')
    return agon.Imported(matches=[match], summary=str(files[0].bytes))
agon.importer("own", "reads logs", read, extension=".txt", imports="matches", source="a paper")
"""
DIALOGUE = (b"1 4 2 3 3 0 YOU: mine <eos> THEM: <selection> item0=1 item1=0 item2=3 <eos> reward=4 agree "
            b"1 0 2 2 3 2\n")
PRODUCT = b'[{"title": "A", "list_price": "$10.50", "highest_price": "$12.00", "lowest_price": "$4.25", "category": "c"}]'


def said(importer, *files):
    return {"type": "request", "what": "import", "importer": importer,
            "files": [{"name": name, "bytes": text.decode("latin-1")} for name, text in files]}


class Importers(unittest.TestCase):
    def own(self):
        folder = arena.tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "own.py")
        with open(path, "w") as file:
            file.write(OWN)
        process = arena.Process(path)
        self.addCleanup(process.end)
        return process, process.ask(type="hello", protocol=1)

    def test_card(self):
        _, hello = self.own()
        self.assertEqual(hello["games"], [])
        self.assertEqual(hello["importers"], [
            {"id": "own", "doc": "reads logs", "extension": ".txt", "imports": "matches", "source": "a paper",
             "licence": ""}])

    def test_bytes_that_are_not_utf_8_survive(self):
        process, _ = self.own()
        value = process.ask(**said("own", ("a.txt", b"caf\xc3\xa9 \xff \x00\\ud812")))["value"]
        self.assertEqual(value["summary"], str(b"caf\xc3\xa9 \xff \x00\\ud812"))
        seat = value["matches"][0]["seats"][0]
        self.assertEqual(seat["answers"], {
            "bid": [{"json": '{"bid": 30}', "reason": "caf\u00e9 \\xff \x00\\ud812"}],
            "plan": [{"json": "", "reason": ""}], "take": [{"json": '{"items": [1,2]}', "reason": ""}]})
        self.assertEqual(seat["factors"], {"persona": "friendly"})

    def test_refusals_and_faults(self):
        process, _ = self.own()
        refused = process.ask(**said("own", ("refused", b"")))["value"]
        self.assertEqual(refused, {"refused": {"problem": "there is nothing in it", "where": "refused:1",
                                               "hint": "give another file"}})
        wrong = process.ask(**said("own", ("wrong", b"")))
        self.assertIn("returns an agon.Imported: not 5", wrong["problem"])
        broken = process.ask(**said("own", ("broken", b"")))
        self.assertEqual([broken["problem"], broken["where"]], ["IndexError: list index out of range", "own.py:9"])

    def test_draws_bring_an_order_and_a_winner(self):
        order, things = [3, 0, 4, 1, 2], [0, 1, 2, 3, 4]
        draws = agon.shuffle_draws(order)
        for last, draw in zip(range(4, 0, -1), draws):
            things[last], things[draw] = things[draw], things[last]
        self.assertEqual(things, order)
        self.assertEqual(agon.draws_of(1, 3), [0, (1 << 32) - 1, 0])

    def test_data_file(self):
        text = agon.write_data_file("agon.test.things", 2, [{"a": "\u00e9"}, '{"a": 2}'], name='a "name"', how="by hand")
        self.assertEqual(text, '{\n  "format": "agon.test.things",\n  "version": 2,\n  "source": {"name":"a \\"name\\"",'
                               '"format":"by hand","licence":"","note":""},\n  "rows": [\n{"a": "\u00e9"},\n{"a": 2}\n  ]\n}\n')

    def test_places_in_json(self):
        root = agon.read_json(b'\xef\xbb\xbf{"a": [1,\n {"b c": [true,\n\n "x"]}], "d": 33.0}', "f")
        self.assertEqual(root["d"].number(), 33)
        self.assertEqual([root["a"][1]["b c"].element_lines(), root["a"][1].line()], [[2, 4], 2])
        for refuse, where in ((lambda: root["a"][1]["b c"][1].number(), 'f:4:2 ($.a[1]["b c"][1])'),
                              (lambda: root["e"], "f:1:2 ($)"), (lambda: root["a"][2], "f:1:3 ($.a)")):
            with self.assertRaises(agon.Refused) as refused:
                refuse()
            self.assertEqual(refused.exception.where, where)
        for text, problem in ((b"so it goes", "'so' is not a value"), (b'{"a": 1, "a": 2}', "appears twice"),
                              (b"[NaN]", "'NaN' is not a number"), (b'["\\ud800"]', "surrogate"),
                              (b'["\xff"]', "not valid UTF-8"), (b"[1 2]", "a comma is missing"),
                              (b"[" * 100_000, "nested too deep"), (b"[1,", "ends too soon")):
            with self.assertRaisesRegex(agon.Refused, problem):
                agon.read_json(text, "f")

    def test_changed_files_are_read_or_refused(self):
        importlib.import_module("importers")
        dice = random.Random(1)
        for importer, text in (("deal-or-no-deal", DIALOGUE), ("deal-or-no-deal-dialogues", DIALOGUE),
                               ("deal-or-no-deal", b"1,2,3 4,3,0 0,2,2\n"), ("deal-or-no-deal", b"1 4 2 3 3 0\n" * 2),
                               ("amazon-history-price", PRODUCT), ("aucarena-memos", PRODUCT), ("golden-balls", PRODUCT),
                               ("auction-items", b'{"name": "A", "price": 10, "true_value": 20.5}\n')):
            for _ in range(200):
                changed = bytearray(text)
                for _ in range(dice.randint(0, 3)):
                    at = dice.randrange(len(changed))
                    changed[at:at + dice.randint(0, 2)] = bytes(dice.randrange(256) for _ in range(dice.randint(0, 2)))
                json.loads(agon._import(said(importer, ("in_5.txt", bytes(changed)))))


if __name__ == "__main__":
    unittest.main()
