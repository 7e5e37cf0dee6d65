"""Dataclasses as descriptions, and their values as JSON and back."""
import json

from arena import GameTest

TYPES = """
class Mood(enum.Enum):
    glad = "all is well"
    sad = "it is not"
@dataclass
class Inner:
    price: agon.Money = agon.field(agon.Money(150), "a price", min=agon.Money(0), max=agon.Money(1000))
@dataclass
class OpenDoor:
    far: int = agon.field(1, "how far")
@dataclass
class Leave:
    pass
@dataclass
class All:
    yes: bool = agon.field(True, "a truth")
    small: int = agon.field(-3, "a number", min=-5, max=5, unit="steps", source="nobody")
    wide: int = agon.field(0, "a wide number", max=10**12)
    real: float = agon.field(0.5, "a real", prose=True, unshown=True)
    text: str = agon.field("a\\n", "words", length=(1, 9), phase=True, data="agon.x.y/1")
    mood: Mood = agon.field(Mood.sad, "a mood")
    maybe: Optional[int] = agon.field(None, "perhaps", left_out=True, better="lower")
    many: List[int] = agon.field([1, 2], "several", seat=True)
    by_name: Dict[str, float] = agon.field({}, "by name", apart=True)
    inner: Inner = agon.field(Inner(), "inside")
    either: Union[OpenDoor, Leave] = agon.field(OpenDoor(), "one of two")
    either_or_none: "Optional[Union[OpenDoor, Leave]]" = agon.field(None, "one of two or none", in_cents=True)
ASK = agon.Stage("ask", All, "everything")
TELL = agon.Event("tell", All, "everything")
"""
PLAY = """
def play(table: agon.Table[ASK, TELL]):
    table.announce(TELL, table.ask(0, ASK))
    table.announce(TELL, All())
    return [agon.SeatScore(0)] * 2
"""
DEFAULT = {"yes": True, "small": -3, "wide": 0, "real": 0.5, "text": "a\n", "mood": "sad", "maybe": None,
           "many": [1, 2], "by_name": {}, "inner": {"price": 1.5}, "either": {"kind": "open_door", "far": 1},
           "either_or_none": None}


class Values(GameTest):
    def test_descriptions_say_all_that_is_known_of_a_member(self):
        _, hello = self.load(TYPES + PLAY)
        described = hello["games"][0]["stages"][0]["answer"]
        self.assertEqual((described["kind"], described["name"], described["default"]), ("structure", "All", DEFAULT))
        members = {each["name"]: each for each in described["members"]}
        self.assertEqual(list(members), list(DEFAULT))  # in order
        whole = {"kind": "integer", "low": -(1 << 31), "high": (1 << 31) - 1}
        open_door = {"kind": "structure", "name": "OpenDoor", "default": {"far": 1},
                     "members": [{"name": "far", "doc": "how far", "type": whole}]}
        leave = {"kind": "structure", "name": "Leave", "default": {}, "members": []}
        either = {"kind": "variant", "alternatives": [open_door, leave]}
        for expected in (
                {"name": "yes", "doc": "a truth", "type": {"kind": "boolean"}},
                {"name": "small", "doc": "a number", "min": -5, "max": 5, "unit": "steps", "source": "nobody",
                 "type": whole},
                {"name": "wide", "doc": "a wide number", "max": 10**12,
                 "type": {"kind": "integer", "low": -(1 << 63), "high": (1 << 63) - 1}},
                {"name": "real", "doc": "a real", "prose": True, "unshown": True, "type": {"kind": "number"}},
                {"name": "text", "doc": "words", "min_length": 1, "max_length": 9, "phase": True,
                 "data": "agon.x.y/1", "type": {"kind": "text"}},
                {"name": "mood", "doc": "a mood", "type": {"kind": "enumeration", "name": "Mood", "values": [
                    {"name": "glad", "doc": "all is well"}, {"name": "sad", "doc": "it is not"}]}},
                {"name": "maybe", "doc": "perhaps", "left_out": True, "better": "lower",
                 "type": {"kind": "optional", "element": whole}},
                {"name": "many", "doc": "several", "seat": True, "type": {"kind": "list", "element": whole}},
                {"name": "by_name", "doc": "by name", "apart": True,
                 "type": {"kind": "map", "element": {"kind": "number"}}},
                {"name": "inner", "doc": "inside", "type": {
                    "kind": "structure", "name": "Inner", "default": {"price": 1.5}, "members": [
                        {"name": "price", "doc": "a price", "min": 0, "max": 1000, "type": {"kind": "money"}}]}},
                {"name": "either", "doc": "one of two", "type": either},
                {"name": "either_or_none", "doc": "one of two or none", "decimals": 2,
                 "type": {"kind": "optional", "element": either}}):
            self.assertEqual(members[expected["name"]], expected)

    def test_what_is_read_is_written_again(self):
        game, _ = self.load(TYPES + PLAY)
        for answer in (
                {"yes": False, "small": 5, "wide": 10**12, "real": 1e-7, "text": "\u00e4\"\u2028\\", "mood": "glad",
                 "maybe": 0, "many": [], "by_name": {"B\u00e4r": 2.5, "a": -1.0}, "inner": {"price": -0.05},
                 "either": {"kind": "leave"}, "either_or_none": {"kind": "open_door", "far": 2}},
                dict(DEFAULT, inner={"price": 12345678.9}, either_or_none={"kind": "leave"})):
            self.play(game)
            said = game.ask(type="answers", answers=[{"answer": answer}])
            self.assertEqual(said["data"], answer)
            self.assertEqual(list(said["data"]), list(DEFAULT))
            self.assertEqual(game.hear()["data"], DEFAULT)  # each match has defaults of its own
            self.assertEqual(game.hear()["type"], "outcome")

    def test_whole_numbers_are_as_wide_as_their_bounds_and_defaults_need(self):
        for given, wide in (("0", False), ("(1 << 31) - 1", False), ("1 << 31", True), ("-(1 << 31)", False),
                            ("-(1 << 31) - 1", True), ("0, max=1 << 31", True), ("0, min=-(1 << 32)", True)):
            default, *bound = given.split(", ")
            member = ", ".join([default, "'x'"] + bound)
            _, hello = self.load(f"""
                @dataclass
                class X: a: int = agon.field({member})
                ASK = agon.Stage("x", X, "x")
                def play(table: agon.Table[ASK]): pass""")
            of = hello["games"][0]["stages"][0]["answer"]["members"][0]["type"]
            self.assertEqual(of["high"], (1 << 63) - 1 if wide else (1 << 31) - 1, given)

    def test_numbers_are_written_exactly(self):
        game, _ = self.match("""
            @dataclass
            class R: x: float = agon.field(0.0, "x")
            written = [agon._structure_of(R).write(R(x)) for x in (0.1, 1e300, 5e-324, 3, 0.30000000000000004)]
            amounts = [agon._Amount().write(agon.Money(n)) for n in (0, 5, 50, 100, -1, -250, 123456)]
            raise ValueError("|".join(written + amounts))""")
        self.assertEqual(_["problem"], 'ValueError: {"x":0.1}|{"x":1e+300}|{"x":5e-324}|{"x":3.0}|'
                         '{"x":0.30000000000000004}|0|0.05|0.50|1|-0.01|-2.50|1234.56')

    def test_money_is_exact(self):
        game, said = self.match("""
            m = agon.Money
            assert m(10) + m(20) == m(30) and m(10) - m(30) == -m(20) and 3 * m(5) == m(15) == m(5) * 3
            assert sum([m(1), m(2)]) == m(3) and m(1) < m(2) <= m(2) and max(m(1), m(2)) == m(2)
            assert m(1) != "1" and m(1) != None and not m(0) and m(1) and agon.major(5) == m(500)
            assert str(m(123456)) == "$1,234.56" and str(m(-5)) == "-$0.05" and str(m(0)) == "$0.00" and {m(1): 2}[m(1)] == 2
            assert m(1) > 0 > m(-1) and max(0, m(3)) == m(3) and m(0) == 0 and {0: 1}[m(0)] == 1 and m(1) != 0
            assert 0 - m(4) == m(-4) == m(-4) - 0 == 0 + m(-4) and abs(m(-4)) == m(4)
            assert m(7) / m(2) == 3.5 and m(7) // m(2) == 3 and m(7) // 2 == m(3) and m(7) % 2 == m(7) % m(3) == m(1)
            for wrong, hint in ((lambda: m(1) + 1, "1 is no agon.Money; write agon.Money(...)"),
                                (lambda: 0.8 * m(1), "agon.Money(round(0.8 * m.cents))"),
                                (lambda: m(1) / 2, "agon.Money(round(m.cents / 2))"), (lambda: m(0.5), ""),
                                (lambda: m(1) < 2, "Money(1) < 2: 2 is no agon.Money"),
                                (lambda: m(1) == 1, "Money(1) == 1: 1 is no agon.Money")):
                try:
                    wrong()
                except TypeError as error:
                    assert hint in str(error), error
                    continue
                raise AssertionError
            return [agon.SeatScore(0)] * 2""")
        self.assertEqual(said["type"], "outcome", said)

    def test_no_money_is_0_in_any_unit(self):
        game, _ = self.load("""
@dataclass
class Bid: price: agon.Money = agon.field(agon.Money(0), "a price", min=0)
BID = agon.Stage("bid", Bid, "a bid")
def play(table: agon.Table[BID]):
    table.ask(0, BID, agon.limit("price", 0, agon.major(5)), agon.usual("price", agon.major(2), agon.major(1)),
              fallback=Bid(max(0, agon.Money(-5))))
    drawn = table.chance("price").between(0, agon.Money(9))
    assert drawn == agon.Money(7), drawn
    table.chance("other").between(agon.Money(5), 9)
""")
        asked = self.play(game)["questions"][0]
        self.assertEqual(asked["limits"], [{"at": "price", "kind": "range", "low": 0, "high": 5},
                                           {"at": "price", "kind": "usual", "low": 2, "high": 1}])
        self.assertEqual(asked["fallback"], {"price": 0})
        drawn = game.ask(type="answers", answers=[{"answer": {"price": 1}}])
        self.assertEqual((drawn["low"], drawn["high"]), (0, 9))
        self.assertIn("drawn from agon.Money to agon.Money: not 9", game.ask(type="drawn", value=7)["problem"])

    def test_presets_take_what_members_hold(self):
        _, hello = self.load(TYPES + """
def play(table: agon.Table[ASK], s: All): pass
agon.game("g", play, presets=[agon.Preset("p", "x", {
    "mood": Mood.glad, "inner": {"price": agon.major(80)}, "either": OpenDoor(3), "maybe": 4, "many": (1, 2)})])
""", tail="")
        self.assertEqual(hello["games"][0]["presets"][0]["settings"], {
            "mood": "glad", "inner": {"price": 80}, "either": {"kind": "open_door", "far": 3}, "maybe": 4,
            "many": [1, 2]})

    def test_every_kind_of_limit(self):
        body = TYPES + """
@dataclass
class More:
    all: All = agon.field(All(), "everything inside")
    pair: List[Inner] = agon.field([], "two")
    free: List[float] = agon.field([], "reals")
    word: str = agon.field("", "a word")
BIG = agon.Stage("big", More, "more")
def play(table: agon.Table[BIG]):
    table.ask(0, BIG, agon.limit("all.small", -5, 10**12), agon.limit("free", 0, 0.5),
              agon.limit("pair.price", agon.Money(5), agon.major(1)), agon.limit("all.maybe", 1, 2),
              agon.usual("all.either.open_door.far", 0, 3), agon.limit_each("all.many", (1, 0)),
              agon.limit_length("word", 0, 5), agon.limit_length("pair", 2, 2),
              agon.allow("all.either", Leave), agon.allow("all.mood", Mood.sad, Mood.glad),
              agon.allow("all.yes", False), agon.presence("all.maybe", True, False),
              agon.keys("all.by_name", ["a", "b"]), agon.one_of("word", ["x"]))
"""
        game, _ = self.load(body)
        self.assertEqual(self.play(game)["questions"][0]["limits"], [
            {"at": "all.small", "kind": "range", "low": -5, "high": 10**12},
            {"at": "free", "kind": "range", "low": 0.0, "high": 0.5},
            {"at": "pair.price", "kind": "range", "low": 0.05, "high": 1},
            {"at": "all.maybe", "kind": "range", "low": 1, "high": 2},
            {"at": "all.either.open_door.far", "kind": "usual", "low": 0, "high": 3},
            {"at": "all.many", "kind": "each", "most": [1, 0]},
            {"at": "word", "kind": "length", "low": 0, "high": 5},
            {"at": "pair", "kind": "length", "low": 2, "high": 2},
            {"at": "all.either", "kind": "alternatives", "allowed": ["leave"]},
            {"at": "all.mood", "kind": "alternatives", "allowed": ["sad", "glad"]},
            {"at": "all.yes", "kind": "alternatives", "allowed": [False]},
            {"at": "all.maybe", "kind": "presence", "absent": True, "present": False},
            {"at": "all.by_name", "kind": "names", "names": ["a", "b"]},
            {"at": "word", "kind": "names", "names": ["x"]}])

    def test_words_for_tellings(self):
        game, said = self.match(r"""
            assert agon.speech('a "b" \\ \n') == '"a \\"b\\" \\\\  "', agon.speech('a "b" \\ \n')
            assert [agon.listed(x) for x in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
                "", "a", "a and b", "a, b and c"]
            assert agon.counted(1, "coin", "coins") == "1 coin" and agon.counted(0, "coin", "coins") == "0 coins"
            return [agon.SeatScore(0)] * 2""")
        self.assertEqual(said["type"], "outcome", said)

    def test_lines_are_plain_json(self):
        game, _ = self.load(TYPES + PLAY)
        game.say(type="play", game="small", settings={}, names=["Ann", "Ben"])
        game.process.stdout.readline()
        game.say(type="answers", answers=[{"answer": dict(DEFAULT, text="\u00e9\n")}])
        line = game.process.stdout.readline()
        self.assertEqual(line.count(b"\n"), 1)
        self.assertTrue(line.isascii())
        self.assertEqual(json.loads(line)["data"]["text"], "\u00e9\n")


if __name__ == "__main__":
    import unittest
    unittest.main()
