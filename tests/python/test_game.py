"""A match at the table: what a game says, and what it is told."""
import os
import subprocess
import sys

from arena import GameTest, HEAD, HEAD_LINES, MODULE, SOURCE, TAIL

ULTIMATUM = os.path.join(SOURCE, "plugins", "templates", "game-python", "ultimatum_game.py")


def answers(*given):
    return {"type": "answers", "answers": [{"answer": each} for each in given]}


class Ultimatum(GameTest):
    def test_fits_into_25_lines(self):
        with open(ULTIMATUM) as file:
            self.assertLessEqual(len(file.readlines()), 25)

    def test_is_played_as_the_protocol_has_it(self):
        game = self.start(ULTIMATUM)
        hello = game.ask(type="hello", protocol=1)
        self.assertEqual([hello["type"], hello["protocol"], hello["name"]], ["hello", 1, "ultimatum-game"])
        self.assertTrue(hello["language"].startswith("python 3."))
        card = hello["games"][0]
        integer = {"kind": "integer", "low": -(1 << 31), "high": (1 << 31) - 1}
        offer = {"kind": "structure", "name": "Offer", "default": {"give": 0}, "members": [
            {"name": "give", "doc": "coins you hand over", "unit": "coins", "type": integer}]}
        self.assertEqual(card["settings"], {
            "kind": "structure", "name": "Settings", "default": {"pie": 10}, "members": [
                {"name": "pie", "doc": "coins to split", "unit": "coins", "min": 1, "type": integer}]})
        self.assertEqual(card["stages"][0], {"name": "offer", "doc": "how many coins you hand over",
                                             "answer": offer})
        self.assertEqual(card["events"], [{"name": "offer", "doc": "what seat 0 hands over",
                                           "audience": "everybody", "type": offer}])
        self.assertEqual(card["seats"], {"min": 2, "max": 2})
        for taken, scores in ((True, [7, 3]), (False, [0, 0])):  # one process, one match after the other
            self.assertEqual(self.play(game, game="ultimatum", settings={"pie": 10}), {
                "type": "ask", "stage": "offer", "single": True,
                "questions": [{"seat": 0, "limits": [{"at": "give", "kind": "range", "low": 0, "high": 10}]}]})
            self.assertEqual(game.ask(**answers({"give": 3})),
                             {"type": "announce", "event": "offer", "data": {"give": 3}})
            self.assertEqual(game.hear(), {"type": "ask", "stage": "reply", "single": True,
                                           "questions": [{"seat": 1}]})
            self.assertEqual(game.ask(**answers({"accept": taken})), {"type": "outcome", "seats": [
                {"score": score, "disagreement": 0, "ideal": 10} for score in scores]})
        self.assertEqual(self.end(game), (0, b""))


class Table(GameTest):
    def test_an_answer_reads_like_its_dataclass_and_knows_how_it_came(self):
        game, said = self.match("""
            a = table.ask(0, MOVE)
            b = table.ask(1, MOVE)
            assert a == Move(4) and a != b, (a, b)
            return [agon.SeatScore(n) for n in (a.n, a.rejected, a.illegal, a.forced + 0,
                                                b.rejected, b.illegal, b.forced + 0)]""", seats=7)
        self.assertEqual(said["questions"], [{"seat": 0}])
        game.ask(type="answers", answers=[{"answer": {"n": 4}}])
        outcome = game.ask(type="answers", answers=[{"answer": {"n": 5}, "rejected": 3, "illegal": 2,
                                                     "forced": True}])
        self.assertEqual([each["score"] for each in outcome["seats"]], [4, 0, 0, 0, 3, 2, 1])

    def test_several_are_asked_at_once_each_with_its_own(self):
        game, said = self.match("""
            got = table.ask_all([2, 0], MOVE, lambda seat: agon.asking(agon.limit("n", 0, seat)))
            table.ask_all(range(0), MOVE)
            return [agon.SeatScore(each.n) for each in got] + [agon.SeatScore(9)]""", seats=3)
        limit = {"at": "n", "kind": "range", "low": 0}
        self.assertEqual(said, {"type": "ask", "stage": "move", "single": False, "questions": [
            {"seat": 2, "limits": [dict(limit, high=2)]}, {"seat": 0, "limits": [dict(limit, high=0)]}]})
        outcome = game.ask(**answers({"n": 2}, {"n": 0}))
        self.assertEqual([each["score"] for each in outcome["seats"]], [2, 0, 9])

    def test_views_checks_and_fallbacks_go_with_a_question(self):
        game, hello = self.load("""
            @dataclass
            class Seen:
                last: int = agon.field(0, "the last number")
            LOOK = agon.Stage("look", Move, "a number", view=Seen, who="the last",
                              telling=lambda seen, scene: f"It was {seen.last}.", ends=lambda move: move.n > 5)
            def play(table: agon.Table[LOOK]):
                got = table.ask(1, LOOK, view=lambda: Seen(7), fallback=Move(1),
                                check=lambda move: "too odd" if move.n % 2 else None)
                return [agon.SeatScore(got.n), agon.SeatScore(0)]""")
        stage = hello["games"][0]["stages"][0]
        self.assertEqual((stage["who"], stage["told"], stage["ends"]), ("the last", True, True))
        self.assertEqual(stage["view"]["name"], "Seen")
        self.assertEqual(self.play(game)["questions"], [
            {"seat": 1, "view": {"last": 7}, "fallback": {"n": 1}, "checks": True}])
        for number, reason in ((3, "too odd"), (4, ""), (5, "too odd")):
            self.assertEqual(game.ask(type="check", question=0, answer={"n": number}),
                             {"type": "checked", "reason": reason})
        self.assertEqual(game.ask(**answers({"n": 4}))["seats"][0], {"score": 4})
        scene = dict(type="request", game="small", settings={}, names=["Ann", "Ben"], reader=0)
        self.assertEqual(game.ask(what="tell_view", stage="look", view={"last": 2}, **scene),
                         {"type": "reply", "value": "It was 2."})
        for number, over in ((5, False), (6, True)):
            self.assertEqual(game.ask(type="request", what="ends", game="small", settings={}, stage="look",
                                      answer={"n": number}), {"type": "reply", "value": over})

    def test_who_is_checked_among_several_is_told_by_number(self):
        game, _ = self.match("""
            def make(seat):
                return agon.asking(check=lambda move: "" if move.n == seat else f"not {seat}")
            table.ask_all([0, 1], MOVE, make)
            return [agon.SeatScore(0)] * 2""")
        self.assertEqual(game.ask(type="check", question=1, answer={"n": 0})["reason"], "not 1")
        self.assertEqual(game.ask(type="check", question=0, answer={"n": 0})["reason"], "")

    def test_a_probe_that_is_declined_is_none(self):
        game, hello = self.load("""
            GUESS = agon.Probe("guess", Move, "a guess", purpose="belief")
            def play(table: agon.Table[GUESS]):
                one = table.probe(0, GUESS)
                both = table.probe_all([0, 1], GUESS)
                return [agon.SeatScore(1 if one is None else 0),
                        agon.SeatScore(both[0].n if both[1] is None else 0)]""")
        stage = hello["games"][0]["stages"][0]
        self.assertEqual((stage["probe"], stage["purpose"]), (True, "belief"))
        said = self.play(game, declines=[0])
        self.assertEqual((said["stage"], said["single"]), ("guess", True))
        said = game.ask(type="answers", answers=[{"declined": True}])
        self.assertEqual(said["single"], False)
        outcome = game.ask(type="answers", answers=[{"answer": {"n": 9}}, {"declined": True}])
        self.assertEqual([each["score"] for each in outcome["seats"]], [1, 9])

    def test_what_is_said_goes_to_whom_it_is_for(self):
        body = """
            ONE = agon.PrivateEvent("one", Move, "for one")
            NONE = agon.Note("none", Move, "for nobody", telling=lambda move, scene: scene.does(1, "has", "have"))
            def play(table: agon.Table[MOVE, SAID, ONE, NONE]):
                table.announce(SAID, Move(1))
                table.tell(1, ONE, lambda: Move(2))
                table.note(NONE, Move(3))
                return [agon.SeatScore(0), agon.SeatScore(0)]"""
        game, hello = self.load(body)
        self.assertEqual([(each["name"], each["audience"], "told" in each) for each in hello["games"][0]["events"]],
                         [("said", "everybody", False), ("one", "one-seat", False), ("none", "record", True)])
        self.assertEqual(self.play(game), {"type": "announce", "event": "said", "data": {"n": 1}})
        self.assertEqual(game.hear(), {"type": "tell", "seat": 1, "event": "one", "data": {"n": 2}})
        self.assertEqual(game.hear(), {"type": "note", "event": "none", "data": {"n": 3}})
        self.assertEqual(game.hear()["type"], "outcome")
        self.assertEqual(self.play(game, listening=False)["type"], "outcome")
        for reader, text in ((0, "Ben has"), (1, "You have"), (-1, "Ben has")):
            self.assertEqual(game.ask(type="request", what="tell_event", game="small", settings={}, event="none", number=2,
                                      data={"n": 1}, names=["Ann", "Ben"], reader=reader)["value"], text)

    def test_chance_is_asked_for_by_place(self):
        game, said = self.match("""
            day = table.chance("supply", 3)
            items = ["a", "b", "c"]
            drawn = [day.between(0, 5), day.below(4)]
            day.shuffle(items)
            other = table.chance("luck", 1, 2)
            assert other.one_of([1, 0]) == 1
            assert other.unit() == 0.25
            assert other.happens(0.5) and not other.happens(0.5)
            assert table.chance("bare").between(7, 7) == 7
            assert table.deal("instance", 12) == 4 and table.deal("instance", 5, "by_draw") == 1
            assert items == ["c", "a", "b"] and drawn == [2, 3], (items, drawn)
            day.shuffle(items[:1])
            return [agon.SeatScore(0), agon.SeatScore(0)]""")
        first = {"type": "draw", "stream": 1}
        self.assertEqual(said, dict(first, name="supply", at=[3], what="between", low=0, high=5))
        heard = [game.ask(type="drawn", value=value)
                 for value in (2, 3, [2, 0, 1], 1, 0.25, 0.25, 0.5, 7, 4, 1)]
        second = {"type": "draw", "stream": 2}
        self.assertEqual(heard[:-1], [
            dict(first, what="between", low=0, high=3), dict(first, what="shuffle", n=3),
            dict(second, name="luck", at=[1, 2], what="one_of", seats=[1, 0]),
            dict(second, what="unit"), dict(second, what="unit"), dict(second, what="unit"),
            {"type": "draw", "stream": 3, "name": "bare", "at": [], "what": "between", "low": 7, "high": 7},
            {"type": "deal", "name": "instance", "n": 12, "how": "in_turn"},
            {"type": "deal", "name": "instance", "n": 5, "how": "by_draw"}])
        self.assertEqual(heard[-1]["type"], "outcome", heard[-1])

    def test_what_is_carried_over_is_read_and_written(self):
        game, said = self.match("""
            before = table.carried(1, Move)
            assert table.carried(0, Move) is None
            table.carry(1, Move(before.n + 1))
            return [agon.SeatScore(0), agon.SeatScore(0)]""")
        self.assertEqual((said["type"], said["seat"], said["as"]["name"]), ("carried", 1, "Move"))
        self.assertEqual(game.ask(type="carried", value={"n": 4})["seat"], 0)
        said = game.ask(type="carried", value=None)
        self.assertEqual((said["type"], said["seat"], said["value"]), ("carry", 1, {"n": 5}))

    def test_names_and_seats(self):
        game, said = self.match("""
            assert table.seats == 3 and table.name(2) == "Cleo"
            return [agon.SeatScore(0)] * 3""", seats=3)
        self.assertEqual(said["type"], "outcome", said)

    def test_scores_and_metrics(self):
        game, _ = self.load("""
            @dataclass
            class Mine:
                share: float = agon.field(0.0, "a share", min=0, max=1, better="higher")
                when: Optional[int] = agon.field(None, "the round, if any")
                paid: agon.Money = agon.field(agon.Money(0), "paid")
                cents: float = agon.field(0.0, "paid on average", in_cents=True)
            def play(table: agon.Table[MOVE]):
                return agon.Outcome([
                    agon.SeatScore(agon.Money(1250), agon.Money(-5), agon.Money(2000), rank=2, metrics=Mine(0.5, 3, agon.Money(5), 2.5)),
                    agon.SeatScore(0, metrics=Mine(float("nan")))], Mine(1))""",
                             'agon.game("small", play, rules="x", seat_metrics=Mine, match_metrics=Mine)')
        self.assertEqual(self.play(game), {
            "type": "outcome", "seats": [
                {"score": 1250, "disagreement": -5, "ideal": 2000, "rank": 2,
                 "metrics": {"share": 0.5, "when": 3, "paid": 0.05, "cents": 2.5}},
                {"score": 0, "metrics": {"share": None, "when": None, "paid": 0, "cents": 0.0}}],
            "metrics": {"share": 1.0, "when": None, "paid": 0, "cents": 0.0}})

    def test_whatever_a_game_raises_is_told_in_a_line_that_can_be_read(self):
        for body, told in (
                ("class Odd(Exception):\n    def __str__(self): raise ValueError()\nraise Odd()",
                 "Odd: (its text cannot be had: ValueError)"),
                ("raise ValueError(chr(0xD800))", "ValueError: \\ud800"),
                ("raise KeyboardInterrupt", "KeyboardInterrupt: nobody pressed a key; raise an error of another kind"),
                ("table.chance('far').between(0, 2**70)",
                 f"ValueError: whole numbers are drawn from -2**63 to 2**63 - 1: not from 0 to {2**70}"),
                ("table.chance('long').shuffle(range(2_000_000))",
                 "ValueError: at most a million things can be shuffled: not 2000000")):
            game, said = self.match("\n" + body)
            self.assertEqual((said["type"], said["problem"]), ("fault", told))
            self.assertRegex(said["where"], r"\.py:\d+$")
            self.assertEqual(self.play(game)["type"], "fault", "it plays on")
        _, said = self.match("\nraise ValueError('x' * 100_000)")
        self.assertEqual(said["problem"], "ValueError: " + "x" * 1988 + "...")

    def test_what_is_to_be_ended_says_where_it_is(self):
        game, _ = self.load("""
            def play(table: agon.Table[MOVE]):
                import os, signal
                while True: os.kill(os.getpid(), signal.SIGXCPU)""")
        with self.assertRaises(EOFError) as ended:
            self.play(game)
        self.assertEqual(str(ended.exception), f"it was at small.py:{HEAD_LINES + 4}\n")

    def test_a_score_may_be_larger_than_a_machine_counts(self):
        _, said = self.match("\nreturn [agon.SeatScore(10**40)]", seats=1)
        self.assertEqual(said["seats"][0]["score"], 1e40)

    def test_metrics_that_the_card_has_are_given(self):
        game, _ = self.load("""
            def play(table: agon.Table[MOVE]):
                return [agon.SeatScore(0, metrics=Move(1)), agon.SeatScore(0)]""",
                            'agon.game("small", play, rules="x", seat_metrics=Move)')
        said = self.play(game)
        self.assertEqual(said["problem"], "seat 1 has no metrics, and the game says that there are: "
                         "agon.SeatScore(..., metrics=Move(...))")

    def test_functions_of_the_settings(self):
        game, hello = self.load("""
            @dataclass
            class Settings:
                n: int = agon.field(2, "a number")
            @dataclass
            class Facts:
                twice: int = agon.field(0, "twice the number")
            def play(table: agon.Table[MOVE], s: Settings):
                return [agon.SeatScore(s.n)] * 2
            def rules(s): return f"The number is {s.n}."
            def seating(s): return ["Ann", agon.SeatCard("Ben", "buyer")]
            def check(s): return "" if s.n > 0 else "too small"
            def facts(s) -> Facts: return Facts(2 * s.n)
            def persona(s, seat): return f"You are {seat}."
            """, 'agon.game("small", play, rules=rules, seating=seating, check=check, facts=facts, persona=persona,'
                 'presets=[agon.Preset("paper", "as there", {"n": 5}, reasks=1)], score_range=(None, 1),'
                 'rates=[agon.Rate("r", "a", what="w")], version=3, score_decimals=2)')
        card = hello["games"][0]
        self.assertEqual(card["functions"], ["check", "facts", "persona", "rules", "seating"])
        self.assertEqual(card["presets"], [{"name": "paper", "doc": "as there", "settings": {"n": 5}, "reasks": 1}])
        self.assertEqual((card["score_range"], card["version"], card["score_decimals"]), ([None, 1], 3, 2))
        self.assertEqual(card["facts"]["name"], "Facts")
        for what, value in (("rules", "The number is 3."), ("check", ""), ("facts", {"twice": 6}),
                            ("seating", [{"name": "Ann", "role": ""}, {"name": "Ben", "role": "buyer"}])):
            self.assertEqual(game.ask(type="request", what=what, game="small", settings={"n": 3}),
                             {"type": "reply", "value": value})
        self.assertEqual(game.ask(type="request", what="persona", game="small", settings={"n": 3}, seat=1)["value"],
                         "You are 1.")
        self.assertEqual(self.play(game, settings={"n": 8})["seats"][0]["score"], 8)
        self.assertEqual(self.play(game, settings={})["seats"][0]["score"], 2)  # what is left out has its default


class Process(GameTest):
    def test_what_a_game_prints_or_reads_breaks_nothing(self):
        game, said = self.match("""
            import os, subprocess, sys
            print("printed")
            os.write(1, b"written\\n")
            subprocess.run(["echo", "echoed"])
            try:
                input()
            except EOFError:
                print("nothing to read")
            print("no end", end="")
            return [agon.SeatScore(len(sys.stdin.read()))] * 2""")
        self.assertEqual(said, {"type": "outcome", "seats": [{"score": 0}, {"score": 0}]})
        self.assertEqual(self.play(game)["type"], "outcome")
        for text in ("printed", "written", "echoed", "nothing to read"):
            self.assertIn(text + "\n", game.complaints())
        self.assertTrue(game.complaints().endswith("no end"))

    def test_a_match_that_is_stopped_unwinds_and_the_next_is_played(self):
        game, said = self.match("""
            try:
                table.ask(0, MOVE)
            except Exception:
                pass
            finally:
                print("unwound")
            return [agon.SeatScore(0)] * 2""")
        for _ in range(2):
            self.assertEqual(said["type"], "ask")
            self.assertEqual(game.ask(type="stop"), {"type": "stopped"})
            said = self.play(game)
        self.assertEqual(game.complaints(), "unwound\nunwound\n")

    def test_a_stop_that_meets_the_outcome_is_answered(self):
        game, said = self.match("return [agon.SeatScore(0)] * 2")
        self.assertEqual(said["type"], "outcome")
        self.assertEqual(game.ask(type="stop"), {"type": "stopped"})

    def test_a_game_that_catches_everything_is_stopped_all_the_same(self):
        game, _ = self.match("""
            try:
                table.ask(0, MOVE)
            except BaseException:
                pass
            return [agon.SeatScore(0)] * 2""")
        self.assertEqual(game.ask(type="stop"), {"type": "stopped"})

    def test_errors_come_with_file_and_line_and_the_process_goes_on(self):
        self.write("helper.py", "def fail():\n    return 1 / 0\n")
        game, said = self.match("""
            import helper, sys
            n = table.ask(0, MOVE).n
            if n == 1: helper.fail()
            if n == 2: sys.exit("bye")
            if n == 3: table.ask(0, MOVE, agon.limit("x", 0, 1))
            if n == 4: [].pop()
            return [agon.SeatScore(0)] * 2""")
        line = HEAD_LINES + 6
        for n, problem, where in (
                (1, "ZeroDivisionError: division by zero", "helper.py:2"),
                (2, "it leaves the process with exit(), where it should return or raise an error",
                 f"small.py:{line}"),
                (3, "the limit at 'x' of the stage 'move': there is no 'x'; Move has only n", f"small.py:{line + 1}"),
                (4, "IndexError: pop from empty list", f"small.py:{line + 2}")):
            self.assertEqual(game.ask(**answers({"n": n})), {"type": "fault", "problem": problem, "where": where})
            self.assertIn("Traceback", game.complaints())
            self.assertEqual(self.play(game)["type"], "ask")
        self.assertEqual(game.ask(**answers({"n": 0}))["type"], "outcome")

    def test_what_a_match_printed_goes_with_its_fault(self):
        game, said = self.match("""
            import sys
            print("before the question", table.name(0))
            n = table.ask(0, MOVE).n
            if n == 0: return [agon.SeatScore(0)] * 2
            if n == 2: print("x" * 1000, "the end")
            if n == 3: print(object(), "\\ud800")
            1 / 0""")
        fault = game.ask(**answers({"n": 1}))
        self.assertEqual((fault["type"], fault["printed"]), ("fault", "before the question Ann"))
        self.play(game)
        printed = game.ask(**answers({"n": 2}))["printed"]
        self.assertEqual(len(printed), 399)  # and the line's end, which is left away
        self.assertTrue(printed.endswith("xx the end"))
        self.play(game)
        self.assertTrue(game.ask(**answers({"n": 3}))["printed"].endswith("\n<object object> \\ud800"))
        self.play(game)
        self.assertEqual(game.ask(**answers({"n": 0}))["type"], "outcome")
        said = game.ask(type="request", what="rules", game="small", settings={})  # of which it has none
        self.assertNotIn("printed", said)  # of the match before

    def test_what_a_file_printed_goes_with_its_fault(self):
        process, said = self.load("print('loading')\n1 / 0")
        self.assertEqual((said["type"], said["printed"]), ("fault", "loading"))

    def test_a_place_of_chance_is_drawn_from_once(self):
        game, said = self.match("""
            table.chance("luck")
            luck = table.chance("luck")
            luck.below(2)
            luck.below(2)
            table.chance("luck", 1).below(2)
            table.chance("luck", 1, 2).shuffle([1, 2])
            table.chance("lack").unit()
            table.chance("luck", 1).below(2)""")
        for value in (0, 0, 0, [0, 1], 0.5):
            self.assertEqual(said["type"], "draw", said)
            said = game.ask(type="drawn", value=value)
        self.assertEqual((said["type"], said["where"]), ("fault", f"small.py:{HEAD_LINES + 10}"))
        self.assertTrue(said["problem"].startswith('table.chance("luck", 1) is used a second time'), said)
        self.assertEqual(self.play(game)["type"], "draw")  # the next match has its own

    def test_a_limit_without_a_number_is_no_mistake_where_none_is_needed(self):
        game, hello = self.load("""
            @dataclass
            class Offer:
                price: int = agon.field(0, "a price")
            @dataclass
            class Leave:
                pass
            @dataclass
            class Deal:
                action: Union[Offer, Leave] = agon.field(Leave(), "an offer, or away")
                extra: Optional[int] = agon.field(None, "more, if you like")
                order: Offer = agon.field(Offer(), "an order")
            DEAL = agon.Stage("deal", Deal, "what to do")
            def play(table: agon.Table[DEAL]):
                table.ask(0, DEAL, agon.limit("action.offer.price", 1, 0), agon.limit("extra", 1, 0),
                          agon.limit("order.price", 1, 1))
                table.ask(0, DEAL, agon.limit("order.price", 1, 0))""")
        said = self.play(game)
        self.assertEqual(len(said["questions"][0]["limits"]), 3)
        said = game.ask(**answers({"action": {"kind": "leave"}, "extra": None, "order": {"price": 1}}))
        self.assertIn("nothing lies between 1 and 0", said["problem"])

    def test_a_file_that_is_run_alone_says_how_it_is_played(self):
        body = "def play(table: agon.Table[MOVE]): pass\n"
        path = self.write("alone.py", HEAD + body + 'agon.game("a", play)\nagon.game("b", play)\nprint("over")\n')
        run = subprocess.run([sys.executable, "-B", "alone.py"], cwd=self.folder, env={"PYTHONPATH": MODULE},
                             capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (0, "over\n", "play it with: agon play ./alone.py\n"))
        run = subprocess.run([sys.executable, "-B", "-c", "import alone"], cwd=self.folder,
                             env={"PYTHONPATH": MODULE}, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.start(path).ask(type="hello", protocol=1)["type"], "hello")

    def test_an_endless_recursion_is_an_error_of_the_game(self):
        game, said = self.match("""
            def deeper(): return deeper()
            deeper()""")
        self.assertEqual((said["type"], said["where"]), ("fault", f"small.py:{HEAD_LINES + 3}"))
        self.assertIn("RecursionError", said["problem"])

    def test_an_error_in_a_check_is_one_of_the_game(self):
        game, _ = self.match("table.ask(0, MOVE, check=lambda move: 1 / 0)")
        self.assertEqual(game.ask(type="check", question=0, answer={"n": 0}), {
            "type": "fault", "problem": "ZeroDivisionError: division by zero", "where": f"small.py:{HEAD_LINES + 2}"})
        self.assertEqual(self.play(game)["type"], "ask")

    def test_an_error_in_a_function_of_the_card_is_told(self):
        game, _ = self.load("def play(table: agon.Table[MOVE]): pass\ndef rules(s):\n    return s.nothing\n",
                            'agon.game("small", play, rules=rules)')
        said = game.ask(type="request", what="rules", game="small", settings={})
        self.assertEqual((said["type"], said["where"]), ("fault", f"small.py:{HEAD_LINES + 3}"))

    def test_what_no_line_is_to_blame_for_is_so_for_the_function_that_was_called(self):
        game, _ = self.load("""
            TOLD = agon.Event("told", Move, "a move", telling=lambda move: "too few parameters")
            LOOK = agon.Stage("look", Move, "a number", view=Move,
                              telling=lambda seen, scene: seen.n,
                              ends=lambda: True)
            def play(table: agon.Table[LOOK, TOLD]): pass""",
                            'agon.game("small", play, rules="x",\n    persona=lambda s, seat: 7)')
        scene = dict(type="request", game="small", settings={}, names=["Ann", "Ben"], reader=0)
        for line, what in ((2, dict(what="tell_event", event="told", number=0, data={"n": 1})),
                           (4, dict(what="tell_view", stage="look", view={"n": 1})),
                           (5, dict(what="ends", stage="look", answer={"n": 1})),
                           (8, dict(what="persona", seat=0))):
            said = game.ask(**scene, **what)
            self.assertEqual((said["type"], said["where"]), ("fault", f"small.py:{HEAD_LINES + line}"), what)

    def test_a_table_is_no_use_when_its_match_is_over(self):
        game, hello = self.load("""
            kept = []
            def play(table: agon.Table[MOVE]):
                kept.append(table)
                if len(kept) > 1: kept[0].ask(0, MOVE)
                return [agon.SeatScore(0)] * 2""")
        self.assertEqual(self.play(game)["type"], "outcome")
        self.assertEqual(self.play(game)["problem"],
                         "the match is over: nothing more can be asked or said at its table")

    def test_a_file_that_does_not_load_says_why_and_where(self):
        for text, problem, where in (
                ("x = 1\nif x\n", "SyntaxError: ", "broken.py:2"),
                ("def f():\n    return\n  x\n",
                 "IndentationError: unindent does not match any outer indentation level", "broken.py:3"),
                ("import agon\nimport nowhere_to_be_found\n", "ModuleNotFoundError: No module", "broken.py:2"),
                ("import agon\n", "the file has no game: end it with agon.game", ""),
                ("1\n2\nraise SystemExit\n", "it leaves the process with exit()", "broken.py:3")):
            game = self.start(self.write("broken.py", text))
            said = game.ask(type="hello", protocol=1)
            self.assertEqual((said["type"], said["where"]), ("fault", where))
            self.assertTrue(said["problem"].startswith(problem), said)
            self.assertNotIn("broken.py", said["problem"])  # the place is told once

    def test_what_a_file_imports_lies_beside_it_and_not_where_the_process_started(self):
        game = self.start(self.write("apart.py", "import test_game\n"))  # of the folder of this test
        self.assertIn("No module named 'test_game'", game.ask(type="hello", protocol=1)["problem"])

    def test_another_protocol_is_refused(self):
        game = self.start(ULTIMATUM)
        said = game.ask(type="hello", protocol=2)
        self.assertEqual(said["problem"],
                         "this agon_arena speaks protocol 1, the arena 2; take the one that ships with it")

    def test_the_process_ends_with_its_input(self):
        for until in ("before hello", "after hello", "in a match", "in a line"):
            game = self.start(ULTIMATUM)
            if until != "before hello":
                game.ask(type="hello", protocol=1)
            if until == "in a match":
                self.play(game, game="ultimatum", settings={"pie": 10})
            if until == "in a line":
                game.process.stdin.write(b'{"type":')
            self.assertEqual(self.end(game), (0, b""), until)

    def test_several_games_of_a_file_and_its_version(self):
        tail = TAIL + 'agon.game("other-one", play, rules="y")\n__version__ = "2.1"\n'
        game, hello = self.load("def play(table: agon.Table[MOVE, SAID]):\n    return [agon.SeatScore(1)] * 2\n", tail)
        self.assertEqual([each["id"] for each in hello["games"]], ["small", "other-one"])
        self.assertEqual(hello["version"], "2.1")
        self.assertEqual(self.play(game, game="other-one")["type"], "outcome")


if __name__ == "__main__":
    import unittest
    unittest.main()
