"""What is written wrongly is said as early as it can be: when the file is loaded, or at the line."""
from arena import GameTest, HEAD_LINES

MEMBERS = (  # dataclasses, and what is said of the line of their member
    ("@dataclass\nclass X: a: int = agon.field('x', 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a: 'x' is no whole number"),
    ("@dataclass\nclass X: a: int = agon.field(True, 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a: True is no whole number"),
    ("@dataclass\nclass X: a: bool = agon.field(0, 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a: 0 is neither True nor False"),
    ("@dataclass\nclass X: a: float = agon.field(float('inf'), 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a: inf is no finite number"),
    ("@dataclass\nclass X: a: str = agon.field(None, 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a: None is no text"),
    ("@dataclass\nclass X: a: float = agon.field(None, 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a: None is no number; what may be None is Optional: a: Optional[float]"),
    ("@dataclass\nclass X: a: agon.Money = agon.field(1.5, 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a: 1.5 is no agon.Money: write agon.Money(...) for cents"),
    ("@dataclass\nclass X: a: agon.Money = agon.field(0, 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a: 0 is no agon.Money: write agon.Money(0)"),
    ("@dataclass\nclass X: a: List[int] = agon.field([1, 'y'], 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a[1]: 'y' is no whole number"),
    ("@dataclass\nclass X: a: Dict[str, int] = agon.field({'k': 'y'}, 'x')\nagon.Stage('x', X, 'x')",
     "the default of X.a.k: 'y' is no whole number"),
    ("@dataclass\nclass X: a: Dict[int, int] = agon.field({}, 'x')\nagon.Stage('x', X, 'x')",
     "X.a: keys of a dict are texts"),
    ("@dataclass\nclass X: a: complex = agon.field(0, 'x')\nagon.Stage('x', X, 'x')",
     "X.a: complex is no type that Agon knows"),
    ("@dataclass\nclass X: a: list = agon.field([], 'x')\nagon.Stage('x', X, 'x')",
     "X.a: list is no type that Agon knows"),
    ("@dataclass\nclass X: a: Union[int, str] = agon.field(0, 'x')\nagon.Stage('x', X, 'x')",
     "X.a: the alternatives of a Union are dataclasses"),
    ("@dataclass\nclass X: a: Optional['X'] = agon.field(None, 'x')\nglobals()['X'] = X; agon.Stage('x', X, 'x')",
     "X holds itself, which no record can"),
    ("@dataclass\nclass X: a: agon.Money = agon.field(agon.Money(0), 'x', min=5)\nagon.Stage('x', X, 'x')",
     "X.a: bounds of money are agon.Money"),
    ("@dataclass\nclass X: a: int = agon.field(0, 'x', max=agon.Money(0))\nagon.Stage('x', X, 'x')",
     "X.a: bounds of money are agon.Money"),
    ("class E(enum.Enum): a = 1\n@dataclass\nclass X: a: E = agon.field(E.a, 'x')\nagon.Stage('x', X, 'x')",
     "E.a needs words for what it means as its value"),
    ("class E(enum.Enum):\n    a = 'x'\n    b = 'x'\n@dataclass\nclass X: a: E = agon.field(E.a, 'x')\n"
     "agon.Stage('x', X, 'x')", "two values of E have the same words"),
)

LOADING = (  # files, and what is said of their last line
    ("@dataclass\nclass X: a: int = 0\nagon.Stage('x', X, 'x')",
     "X.a does not say what it means: write a: int = agon.field(DEFAULT, \"what it means\")"),
    ("agon.field(0, '')", "a member needs words for what it means"),
    ("agon.field(0, 'x', better='more')", "better is \"higher\" or \"lower\", not 'more'"),
    ("class X: pass\nagon.Stage('x', X, 'x')", " is no dataclass: write @dataclass above the class"),
    ("@dataclass\nclass X: __slots__ = ()\nagon.Stage('x', X, 'x')", "X has __slots__"),
    ("@dataclass\nclass X: forced: bool = agon.field(False, 'x')\nagon.Stage('x', X, 'x')",
     "X.forced: every answer has a 'forced' of its own"),
    ("agon.Stage('Offer', Move, 'x')", "'Offer' is no name for a stage: use a-z, 0-9 and '-'"),
    ("agon.Stage('offer', Move, '')", "the stage 'offer' needs words for what it is"),
    ("agon.Stage('offer', Move, 'x', telling=str)", "the stage 'offer' has a telling, and no view"),
    ("agon.Probe('p', Move, 'x', purpose='act')", "the purpose of the probe 'p' is one of plan, replan"),
    ("agon.Event('E', Move, 'x')", "'E' is no name for an event"),
    ("agon.Table[MOVE, 3]", "a table lists stages, probes and events: 3 is none"),
    ("agon.Table[MOVE, MOVE]", "the table lists 'move' twice"),
    ("def play(table): pass\nagon.game('g', play)", "the game 'g' has to say what it asks and says"),
    ("def play(table: agon.Table[MOVE], s): pass\nagon.game('g', play)",
     "the game 'g' has to say what its settings are: write s: Settings"),
    ("agon.game('g', 3)", "agon.game(\"g\", play): 3 is no function"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('G', play)", "'G' is no name for a game"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play)\nagon.game('g', play)",
     "this file has two games called 'g'"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, check='x')",
     "check of the game 'g' is a function of its settings: not 'x'"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, title=3)", "title of the game 'g' is a text: not 3"),
    ("def play(table: agon.Table[MOVE]): pass\ndef facts(s): pass\nagon.game('g', play, facts=facts)",
     "facts of the game 'g' has to say what it returns"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, presets=['x'])",
     "presets of the game 'g' are agon.Preset: 'x' is none"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, rates=['x'])",
     "rates of the game 'g' are agon.Rate: 'x' is none"),
    ("def play(table: agon.Table[MOVE], s: Move): pass\nagon.game('g', play, presets=["
     "agon.Preset('p', 'x', {'n': agon.Money(1)})])", "the preset 'p': n: Money(1) is no whole number"),
    ("def play(table: agon.Table[MOVE], s: Move): pass\nagon.game('g', play, presets=["
     "agon.Preset('p', 'x', {'m': {3}})])", "the preset 'p': m: {3} is for no member of the settings"),
    ("agon.Preset('short', Move(1))", "doc of a preset is a text, what the preset is, as in "
     "agon.Preset(\"short\", \"one round\", {\"rounds\": 1}): not Move(n=1)"),
    ("agon.Preset(3, 'x')", "name of a preset is a text"),
    ("agon.Preset('short', 'x', Move(1))", "settings of a preset is a dict of what differs from the defaults"),
    ("agon.Preset('short', 'x', reasks='x')", "reasks of a preset is a whole number"),
    ("agon.Rate('r', Move)", "agon.Rate: above is a text, not <class "),
    ("agon.SeatCard('r', 3)", "agon.SeatCard: role is a text, not 3"),
    ("agon.Table[MOVE, object()]", "a table lists stages, probes and events: <object object> is none"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, seats=2)",
     "seats of the game 'g': the fewest and the most, as in seats=(2, 2), and not 2"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, seats=(2, 'x'))", "seats of the game 'g': "),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, seats=(1, 2, 3))", "seats of the game 'g': "),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, score_range=1)",
     "score_range of the game 'g': the least and the largest"),
    ("def play(table: agon.Table[MOVE]): pass\nagon.game('g', play, version='1.0')",
     "version of the game 'g' is a whole number: not '1.0'"),
)

PLAYING = (  # a line of `play`, and what is said of it
    ("table.ask(0, agon.Stage('other', Move, 'x'))", "the game's table does not list the stage 'other'"),
    ("table.announce(agon.Event('other', Move, 'x'), Move())", "the game's table does not list the event 'other'"),
    ("table.ask(0, SAID)", "ask() is for a stage: not for agon.Event 'said'"),
    ("table.ask(0, GUESS)", "'guess' is a probe: use table.probe() or table.probe_all()"),
    ("table.probe(0, MOVE)", "'move' is a stage: use table.ask() or table.ask_all()"),
    ("table.probe(0, 3)", "probe() is for a probe: not for 3"),
    ("raise ValueError(object())", "ValueError: <object object>"),
    ("raise ValueError('\\ud800')", "ValueError: \\ud800"),
    ("table.announce(TOLD, Move())", "'told' is said with table.tell()"),
    ("table.tell(0, SAID, Move())", "'said' is said with table.announce()"),
    ("table.note(SAID, Move())", "'said' is said with table.announce()"),
    ("table.announce(SAID, 3)", "the event 'said': 3 is no Move"),
    ("table.announce(SAID, Move('x'))", "the event 'said': n: 'x' is no whole number"),
    ("table.announce(WORDS, Words('\\ud800'))",
     "the event 'words': text: '\\ud800' has a character that Unicode does not have"),
    ("table.announce(SAID, Move(1 << 31))", "the event 'said': n: 2147483648 does not fit into -2147483648 to 2147483647"),
    ("table.ask(2, MOVE)", "there is no seat 2, the seats are 0 to 1"),
    ("table.ask(-1, MOVE)", "there is no seat -1, the seats are 0 to 1"),
    ("table.name(5)", "there is no seat 5, the seats are 0 to 1"),
    ("table.ask(0, MOVE, 3)", "3 is no limit; a question takes agon.limit(...)"),
    ("table.ask(0, MOVE, agon.limit(3, 0, 1))", "a limit is at a member of the answer, by its name: not 3"),
    ("table.ask(0, MOVE, agon.limit('m', 0, 1))",
     "the limit at 'm' of the stage 'move': there is no 'm'; Move has only n"),
    ("table.ask(0, MOVE, agon.limit('n.m', 0, 1))", "the limit at 'n.m' of the stage 'move': there is no 'm'; it has no"),
    ("table.ask(0, MOVE, agon.limit('n', 0, 1.5))", "the limit at 'n' of the stage 'move': "),
    ("table.ask(0, MOVE, agon.limit('', 0, 1))", "the limit at '' of the stage 'move': agon.limit is for "
     "numbers, and this is a dataclass; name one of its members"),
    ("table.ask(0, MOVE, agon.limit('n', 10, 0))",
     "the limit at 'n' of the stage 'move': nothing lies between 10 and 0; the lower bound comes first"),
    ("table.ask(0, MOVE, agon.limit('n', 'b', 'a'))", "the limit at 'n' of the stage 'move': "
     "'str' object cannot be interpreted as an integer"),
    ("table.ask(0, MOVE, agon.limit_each('n', [1]))", "the limit at 'n' of the stage 'move': agon.limit_each is for lists "
     "of whole numbers, and this is a whole number; agon.limit(at, lo, hi) bounds it"),
    ("table.ask(0, MOVE, agon.limit_length('n', 0, 1))", "the limit at 'n' of the stage 'move': agon.limit_length is "
     "for texts, lists and dicts, and this is a whole number; agon.limit(at, lo, hi) bounds it"),
    ("table.ask(0, MOVE, agon.allow('n', 1))", "the limit at 'n' of the stage 'move': agon.allow is for Unions, "
     "enums and bools, and this is a whole number"),
    ("table.ask(0, YES, agon.allow('yes', 1))", "the limit at 'yes' of the stage 'yes': agon.allow takes what a "
     "bool may be, not 1"),
    ("table.ask(0, MOVE, agon.presence('n', True, True))", "the limit at 'n' of the stage 'move': agon.presence is for "
     "Optionals, and this is a whole number"),
    ("table.ask(0, MOVE, agon.keys('n', []))", "the limit at 'n' of the stage 'move': agon.keys is for dicts and texts, "
     "and this is a whole number"),
    ("table.ask(0, MOVE, agon.one_of('n', []))", "the limit at 'n' of the stage 'move': agon.one_of is for texts, and lists "
     "and Optionals of texts, and this is a whole number; agon.limit(at, lo, hi) bounds it"),
    ("table.ask(0, YES, agon.limit_sum('yes', 0, 1))", "the limit at 'yes' of the stage 'yes': agon.limit_sum is for "
     "numbers, for lists and dicts of them, and for dataclasses of nothing but numbers, and this is a bool"),
    ("table.ask(0, MOVE, agon.limit_sum([], 0, 1))", "the limit at '' of the stage 'move': it names nothing"),
    ("table.ask(0, MOVE, agon.limit_sum('n', 2, 1))", "the limit at 'n' of the stage 'move': nothing lies between 2 and 1"),
    ("table.ask(0, MOVE, agon.limit('n', 0, 9), agon.limit('n', 2, 5))", "the limit at 'n' of the stage 'move': limit() "
     "is given twice, and only the first would count; give one that says both"),
    ("table.ask(0, PICK, agon.limit_each('of', [1]), agon.limit('of', 5, 9))", "the limit at 'of' of the stage 'pick': "
     "limit() would not count beside limit_each(), which says both the length and the bounds; leave out one of the two"),
    ("table.ask(0, PICK, agon.limit_length('of', 0, 1), agon.limit_each('of', [1]))", "the limit at 'of' of the stage "
     "'pick': limit_length() would not count beside limit_each()"),
    ("table.ask(0, PICK, agon.limit_length('of', 2, 1))", "the limit at 'of' of the stage 'pick': nothing lies between "
     "2 and 1; the lower bound comes first"),
    ("table.ask(0, MOVE, view=Move())", "the stage 'move' has no view: say which with agon.Stage(..., view=TYPE)"),
    ("table.ask(0, MOVE, fallback=3)", "the fallback of the stage 'move': 3 is no Move"),
    ("table.ask(0, LOOK, view=3)", "the view of the stage 'look': 3 is no Move"),
    ("table.ask_all([0], MOVE, lambda seat: 3)", "what is made for each seat is agon.asking(...): not 3"),
    ("table.chance('Supply')", "'Supply' is no name for chance"),
    ("table.chance('supply', 1, 2, 3)", "a place of chance has at most two indices"),
    ("table.chance('supply').between(2, 1)", "ValueError: there is no whole number between 2 and 1"),
    ("table.chance('supply').below(0)", "ValueError: there is no whole number between 0 and -1"),
    ("table.chance('supply').one_of([])", "ValueError: there is no seat to draw"),
    ("table.deal('x', 3, 'at random')", "things are dealt \"in_turn\" or \"by_draw\", not 'at random'"),
    ("table.carry(0, 3)", "<class 'int'> is no dataclass"),
    ("return 3", "play returns a list of agon.SeatScore, or an agon.Outcome: not 3"),
    ("return [3, 4]", "what seat 0 got is an agon.SeatScore: not 3"),
    ("return [agon.SeatScore('x')]", "the score of seat 0 is 'x', which is no number"),
    ("return [agon.SeatScore(True)]", "the score of seat 0 is True, which is no number"),
    ("return [agon.SeatScore(float('nan'))]", "the score of seat 0 is nan, which is no finite number"),
    ("return [agon.SeatScore(0, disagreement='x')]", "the disagreement point of seat 0 is 'x', which is no number"),
    ("return [agon.SeatScore(0, ideal='x')]", "the ideal of seat 0 is 'x', which is no number"),
    ("return [agon.SeatScore(agon.Money(5)), agon.SeatScore(5)]",
     "the score of seat 0 is $0.05, and the score of seat 1 is 5: scores of one match are all amounts"),
    ("return [agon.SeatScore(5, ideal=agon.Money(9))]",
     "the ideal of seat 0 is $0.09, and the score of seat 0 is 5: scores of one match are all amounts"),
    ("return [agon.SeatScore(0, metrics=Move())]", "seat 0 has metrics, and the game does not say of which type"),
    ("return [agon.SeatScore(0)]", "play returned 1 SeatScore, and the match has 2 seats"),
    ("return [agon.SeatScore(0)] * 2", "the match has no metrics, and the game says that there are: return "
     "agon.Outcome(SEATS, Move(...))"),
    ("return agon.Outcome([agon.SeatScore(0)] * 2, 3)", "the metrics of the match are no Move: 3"),
    ("return agon.Outcome([agon.SeatScore(0)] * 2, Move('x'))", "the metric 'n' of the match: 'x' is no whole number"),
)

PLAY = """
GUESS = agon.Probe("guess", Move, "a guess")
LOOK = agon.Stage("look", Move, "a number", view=Move)
TOLD = agon.PrivateEvent("told", Move, "a number, to one")
@dataclass
class Yes:
    yes: bool = agon.field(False, "yes or no")
YES = agon.Stage("yes", Yes, "yes or no")
@dataclass
class Words:
    text: str = agon.field("", "words")
WORDS = agon.Event("words", Words, "words")
@dataclass
class Pick:
    of: List[int] = agon.field([], "how many of each")
PICK = agon.Stage("pick", Pick, "how many of each")
def play(table: agon.Table[MOVE, SAID, GUESS, LOOK, TOLD, YES, WORDS, PICK]):
    """
TAIL = 'agon.game("small", play, rules="x", match_metrics=Move)'


class Misuse(GameTest):
    def test_when_the_file_is_loaded(self):
        members = [(text, problem, text.count("\n")) for text, problem in MEMBERS]
        for text, problem, line in members + [(text, problem, text.count("\n") + 1) for text, problem in LOADING]:
            with self.subTest(text):
                process, said = self.load(text)
                self.assertEqual(said["type"], "fault", said)
                self.assertIn(problem, said["problem"])
                self.assertEqual(said["where"], f"small.py:{HEAD_LINES + line}")

    def test_when_it_is_played(self):
        line = HEAD_LINES + PLAY.count("\n") + 1
        for text, problem in PLAYING:
            with self.subTest(text):
                process, hello = self.load(PLAY + text, TAIL)
                self.assertEqual(hello["type"], "hello", hello)
                said = self.play(process)
                while said["type"] != "fault":
                    said = process.hear()
                self.assertTrue(said["problem"].startswith(problem), said)
                # What is returned is looked at when `play` is over: that is said to be at its head.
                at = line - 1 if text.startswith("return") else line
                self.assertEqual(said["where"], f"small.py:{at}")


if __name__ == "__main__":
    import unittest
    unittest.main()
