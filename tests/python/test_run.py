"""agon.run() and its kin: commands in this process, with functions as agents.

    AGON_BUILD=build python3 -m unittest test_run
"""
import asyncio
import contextlib
import dataclasses
import functools
import inspect
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

from arena import SOURCE

BUILD = os.path.abspath(os.environ["AGON_BUILD"])
PACKAGE = os.path.join(BUILD, "share", "agon", "python")
sys.path.insert(0, PACKAGE)

import agon_arena as agon  # noqa: E402 found in the folder above
from agon_arena.errors import Error, FailedError, UsageError  # noqa: E402
from agon_arena.identity import version_of
from agon_arena.suite import _plain_json  # noqa: E402


def suite(blocks=3, **agents):
    return {"suite": "small", "agents": dict({"floor": "random"}, **agents),
            "design": {"focal": ["mine"], "background": "floor", "seat_rotation": "all", "blocks": blocks},
            "scenarios": [{"game": "bargaining"}]}


def drawn(question):
    """The same for agents of every name: an agent's own seed is not."""
    return agon.draw(question.schema, random.Random(question.number))


class Timid:
    def __init__(self):
        self.endings = []

    def answer(self, question):
        question.thought = f"question {question.number}"
        return question.least()

    def over(self, ending):
        self.endings.append(ending)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def refused(self, kind, words, do):
        with self.assertRaises(kind) as raised:
            do()
        self.assertIn(words, str(raised.exception))
        return raised.exception


def command(*words):
    return subprocess.run([os.path.join(BUILD, "bin", "agon"), *words], check=True, capture_output=True,
                          text=True).stdout


class Functions(InFolder):
    def test_a_function_is_an_agent_like_any_other(self):
        ran = agon.run(suite(), agents={"mine": drawn}, jobs=2)
        self.assertEqual((ran.archive, ran["matches"], ran["played"]), (os.path.abspath("small.agon"), 6, 6))
        self.assertIn("6 of 6", str(ran))
        seats = ran.read().seats
        self.assertEqual({each["agent"] for each in seats}, {"mine", "floor"})
        # The command reads and replays what this process wrote.
        self.assertIn("mine", command("report", "small.agon"))
        self.assertEqual(json.loads(command("replay", "small.agon", "--json"))["same"], 6)

    def test_it_plays_what_the_same_function_plays_as_a_program(self):
        with open("bot.py", "w") as file:
            file.write("import random\nimport agon_arena as agon\n" + inspect.getsource(drawn) + "agon.agent(drawn)\n")
        program = {"external": {"command": [sys.executable, "bot.py"]}}
        agon.run(suite(mine=program), out="program.agon", trust=True)
        agon.run(suite(), {"mine": drawn}, out="function.agon")
        scores = [[(each["agent"], each["block"], each["payoff"]) for each in agon.read(path).seats]
                  for path in ("program.agon", "function.agon")]
        self.assertEqual(*scores)

    def test_an_object_hears_how_its_matches_end_and_its_reasons_are_kept(self):
        timid = Timid()
        ran = agon.run(suite(), {"mine": timid})
        self.assertEqual(len(timid.endings), 6)
        self.assertTrue(all(each.finished and each.history for each in timid.endings))
        thoughts = [each["thought"] for record in ran.read().records for each in record["record"]
                    if each["entry"] == "question" and "thought" in each]
        self.assertIn("question 0", thoughts)

    def test_an_async_function_answers_later_and_as_the_plain_one(self):
        inside = []

        async def later(question):
            inside.append(1)
            most.append(sum(inside))
            await asyncio.sleep(0.02)
            inside.append(-1)
            return drawn(question)

        most = []
        agon.run(suite(), {"mine": later}, jobs=6, out="later.agon")
        agon.run(suite(), {"mine": drawn}, out="now.agon")
        self.assertEqual(*[[each["payoff"] for each in agon.read(path).seats] for path in ("later.agon", "now.agon")])
        self.assertGreater(max(most), 1)  # several matches waited at once

    def test_async_functions_take_no_thread_per_job(self):
        jobs, threads = 40, []

        async def later(question):
            waiting.add(question.match)
            while len(waiting) < jobs:  # all at once
                await asyncio.sleep(0.01)
            threads.append(self.threads())
            return drawn(question)

        def now(question):
            waiting.add(question.match)
            while len(waiting) < jobs:
                time.sleep(0.01)
            threads.append(self.threads())
            return drawn(question)

        for function, is_async in ((later, True), (now, False)):
            waiting, before = set(), self.threads()
            threads.clear()
            agon.run(suite(jobs), {"mine": function}, jobs=jobs, out=f"{is_async}.agon")
            self.assertEqual(max(threads) - before < jobs, is_async)

    def threads(self):
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Threads:"))

    def test_who_asks_for_it_is_handed_what_a_model_would_be_sent(self):
        plain, asked = [], []

        def looks(question):
            plain.append(question.rendered)
            return drawn(question)

        def reads(question):
            asked.append([question.match, question.seat, question.number, question.attempt, question.rendered])
            question.memo = "no model's"
            return drawn(question)

        reads.rendered = True
        agon.run(suite(), {"mine": looks}, out="plain.agon", jobs=1)
        self.assertEqual(set(plain), {None})
        ran = agon.run(suite(), {"mine": reads}, out="asked.agon", jobs=1)
        self.assertEqual(ran["played"], 6)
        self.assertEqual({messages[0]["role"] for *_, messages in asked}, {"system"})
        # Up to a seat's first question all is the same, whether the function is there or a model.
        agon.run(suite(), {"mine": {"llm": {"model": "mock"}}}, out="model.agon", jobs=1)
        calls = [json.loads(line) for line in command("export", "model.agon", "--rows", "calls", "--json").splitlines()]
        sent, rendered = {}, {}
        for call in calls:
            sent.setdefault((call["match"], call["seat"]),
                            [{"role": one["role"], "content": one["text"]} for one in call["messages"]])
        for match, seat, _number, _attempt, messages in asked:
            rendered.setdefault((match, seat), messages)
        self.assertTrue(sent)
        self.assertCountEqual(sent.values(), rendered.values())
        # Programs are handed the same.
        with open("bot.py", "w") as file:
            file.write("import json\nimport random\nimport agon_arena as agon\n" + inspect.getsource(drawn) + '''
def reads(question):
    with open("heard", "a") as file:
        file.write(json.dumps([question.match, question.seat, question.number, question.attempt, question.rendered]) + "\\n")
    question.memo = "no model's"
    return drawn(question)
agon.agent(reads)
''')
        program = {"external": {"command": [sys.executable, "bot.py"], "rendered": True}}
        agon.run(suite(mine=program), out="program.agon", trust=True, jobs=1)
        with open("heard") as file:
            # Another agent plays other matches, by their ids.
            self.assertEqual([json.loads(line)[1:] for line in file], [each[1:] for each in asked])

    def test_a_second_call_plays_what_is_missing_and_a_changed_function_is_another_agent(self):
        agon.run(suite(), {"mine": drawn}, blocks=1)
        ran = agon.run(suite(), {"mine": drawn})
        self.assertEqual((ran["before"], ran["played"]), (2, 4))
        self.assertEqual(agon.run(suite(), {"mine": drawn})["played"], 0)
        self.assertEqual(agon.run(suite(), {"mine": lambda question: question.least()})["played"], 6)
        timid = Timid()
        timid.version = "2"
        self.assertNotEqual(version_of(timid), version_of(Timid()))

    def test_an_agent_may_join_a_suite_file_with_comments(self):
        with open("mine.json", "w") as file:
            file.write("// a comment, \"quoted\"\n" + json.dumps(suite(mine="default"))[:-1] +
                       ', "seed": 7, /* another */ }')
        ran = agon.run("mine.json", {"mine": drawn}, blocks=1)
        self.assertEqual((ran.archive, ran["played"]), (os.path.abspath("mine.agon"), 2))
        self.assertEqual(json.loads(_plain_json('{"a": "// [1,]", // x\n "b": [1, 2,],}')),
                         {"a": "// [1,]", "b": [1, 2]})
        joined = agon.run("scenarios/quickstart.json", {"passive": "random"}, blocks=1, out="shipped.agon")
        self.assertTrue(joined["played"] > 0)

    def test_an_illegal_answer_is_asked_again_and_the_fallback_is_counted(self):
        complaints = []

        def wrong(question):
            complaints.append(question.complaint)
            return {"nonsense": 1}

        ran = agon.run(suite(1), {"mine": wrong})
        self.assertTrue(any(complaints) and ran["fallbacks"][0]["agent"] == "mine")
        self.assertTrue(agon.run(suite(1), {"mine": lambda question: None}, out="none.agon")["fallbacks"])

    def test_what_a_function_raises_stops_the_run_and_is_told_with_its_match(self):
        def fails(question):
            if question.attempt == 0 and ran:
                raise ValueError("no idea")
            ran.append(1)
            return question.draw()

        ran = []
        error = self.refused(FailedError, "the agent 'mine' raised ValueError at '", lambda: agon.run(
            suite(), {"mine": fails}, jobs=1))
        self.assertIsInstance(error.__cause__, ValueError)
        self.assertIn("of match ", str(error))
        self.assertEqual(agon.run(suite(), {"mine": drawn})["unfinished"], 0)

        async def fails_later(question):
            raise KeyError("x")

        error = self.refused(FailedError, "KeyError", lambda: agon.run(suite(), {"mine": fails_later}, out="b.agon"))
        self.assertIsInstance(error.__cause__, KeyError)
        async def no_json(question):
            return {1, 2}

        for n, wrong in enumerate((lambda question: {1, 2}, no_json)):
            self.refused(FailedError, "the answer is no JSON", lambda: agon.run(
                suite(), {"mine": wrong}, out=f"c{n}.agon"))

        def keeps_a_number(question):
            question.memo = 5
            return question.draw()

        self.refused(FailedError, "question.memo is a text, not 5", lambda: agon.run(
            suite(), {"mine": keeps_a_number}, out="d.agon"))

        def interrupted(question):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            agon.run(suite(), {"mine": interrupted}, out="e.agon")

    def test_answers_may_be_dataclasses_and_numbers_of_numpy(self):
        @dataclasses.dataclass
        class Answer:
            action: str = "choice_1"

        classic = dict(suite(1), scenarios=[{"game": "classic"}])
        with contextlib.redirect_stderr(io.StringIO()) as said:
            agon.run(classic, {"mine": lambda question: Answer()}, out="a.agon")
            try:
                import numpy
            except ImportError:
                numpy = None
            if numpy:
                guess = dict(suite(1), scenarios=[{"game": "guess-average"}])
                agon.run(guess, {"mine": lambda question: {
                    name: numpy.int64(each["minimum"]) if each["type"] == "integer" else ""
                    for name, each in question.schema["properties"].items()}}, out="b.agon")
        self.assertEqual(said.getvalue(), "")

    def test_who_an_agent_is_follows_what_it_computes_with(self):
        def made(x, y=None):
            def inner(question, bound=y):
                return x, bound
            return inner

        def plain(question, k=0):
            return k

        class State:
            def __init__(self, x):
                self.x = x

            def answer(self, question):
                return self.x

        lambdas = [(lambda question: 1) if k else (lambda question: 2) for k in (0, 1)]
        for one, other in ((made(1), made(2)), (made(1, 1), made(1, 2)), lambdas, (State(1), State(2)),
                           (State(1).answer, State(2).answer),
                           (functools.partial(plain, k=1), functools.partial(plain, k=2)),
                           (made({"a": [1, 2]}), made({"a": [1, 3]})), (made(lambdas[0]), made(lambdas[1]))):
            self.assertNotEqual(version_of(one), version_of(other))
        self.assertEqual(version_of(made(1)), version_of(made(1)))
        self.assertEqual(version_of(State(1)), version_of(State(1)))
        calls = [{}, {}, {}]
        for n, source in enumerate(("def help(): return 1\n", "def help(): return 2\n",
                                    "# moved\n\ndef help(): return 1\n")):
            exec(source + "def mine(question): return help()\n", calls[n])
        self.assertNotEqual(version_of(calls[0]["mine"]), version_of(calls[1]["mine"]))
        self.assertEqual(version_of(calls[0]["mine"]), version_of(calls[2]["mine"]))

    def test_a_run_shows_its_own_matches_whatever_was_played_into_its_archive_later(self):
        first = agon.run(suite(), {"mine": drawn}, out="both.agon")
        before = first.report().rows("leaderboard")
        agon.run(dict(suite(), suite="other"), {"mine": lambda question: question.least()}, out="both.agon")
        self.assertEqual(first.report().rows("leaderboard"), before)
        self.assertEqual(len({each["agent_hash"] for each in first.read().seats if each["agent"] == "mine"}), 1)
        os.mkdir("elsewhere")
        os.chdir("elsewhere")
        self.assertEqual(len(first.read().matches), 6)
        self.assertEqual(agon.replay(first)["same"], 12)

    def test_what_fails_before_a_question_is_read_ends_it(self):
        with open("script.py", "w") as file:  # in a process of its own, which would hang
            file.write(textwrap.dedent(f"""
                import sys
                sys.path.insert(0, {PACKAGE!r})
                import agon_arena as agon
                from agon_arena import command

                def hear(self, message):
                    raise ValueError("out of order")

                command.Seated.hear = hear
                agon.run({suite()!r}, {{"mine": lambda question: question.draw()}}, progress=False)
            """))
        ended = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, timeout=60)
        self.assertIn("the agent 'mine' raised ValueError before it was asked: out of order", ended.stderr)
        self.assertIn("in hear", ended.stderr)

    def test_an_answer_that_is_too_large_is_the_agents_fault(self):
        class Talks:
            version = "1"
            size = 9 << 20

            def answer(self, question):
                setattr(question, self.part, "x" * self.size) if self.part else None
                return dict(drawn(question), **({} if self.part else {"talk": "x" * self.size}))

        talks = Talks()
        for part in ("", "thought", "memo"):
            talks.part, talks.version = part, part
            with contextlib.redirect_stderr(io.StringIO()) as said:
                ran = agon.run(suite(1), {"mine": talks}, out=f"{part}.agon")
            self.assertEqual((ran["game_faults"], ran["unfinished"]), (0, 0))
            self.assertRegex(said.getvalue(), f"mine: .*(?s:.)*'{part or 'answer'}' has 9.* expected at most 1 MiB")

    def test_the_time_limit_of_a_suite_holds_for_functions(self):
        async def slow_later(question):
            await asyncio.sleep(3)

        for n, slow in enumerate((lambda question: time.sleep(1.2), slow_later)):
            with contextlib.redirect_stderr(io.StringIO()) as said:
                ran = agon.run(dict(suite(1), limits={"answer_seconds": 1}), {"mine": slow}, out=f"{n}.agon", jobs=2)
            self.assertIn("timed_out", ran["fallbacks"][0]["first"])
            self.assertIn("the first: ", said.getvalue())

    def test_a_text_may_hold_any_break_of_lines(self):
        heard = []

        def speaks(question):
            heard.extend(question.history)
            return dict(drawn(question), talk="one\u2028two\x85three")

        agon.run(suite(2), {"mine": speaks, "floor": speaks}, jobs=1)
        self.assertIn("one\\u2028two\\u0085three", json.dumps(heard))

    def test_an_object_may_hear_of_ends_later(self):
        class Later:
            version = "1"
            heard = 0

            def answer(self, question):
                return question.least()

            async def over(self, ending):
                await asyncio.sleep(0)
                self.heard += 1

        later = Later()
        agon.run(suite(), {"mine": later})
        self.assertEqual(later.heard, 6)


class Commands(InFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = os.path.join(folder.name, "run.agon")
        agon.run("scenarios/quickstart.json", blocks=12, out=cls.path, progress=False)

    def test_a_report_is_a_table_in_a_notebook_and_has_its_intervals(self):
        report = agon.report(self.path)
        self.assertIn("leaderboard", report.sections)
        shown = report._repr_html_()
        self.assertIn("<th>agent</th>", shown)
        self.assertIn("<td>reference</td>", shown)
        self.assertNotIn("|", shown.split("</table>")[0])
        self.assertEqual(str(report), command("report", self.path))
        agon.report(self.path, html="page.html")
        with open("page.html") as page:
            self.assertIn("<html", page.read())
        self.assertIn("tabular", report.text("latex"))
        agon.export(self.path, "turns.csv", rows="turns")
        with open("turns.csv") as rows:
            self.assertIn("advantage", rows.readline())
        row = next(each for each in report.rows("leaderboard") if each["metric"] == "normalized_score")
        self.assertTrue(row["low"] < row["value"] < row["high"])
        self.assertEqual(report.data["made"]["reference"], "reference")
        self.assertEqual(agon.report(self.path, reference="second").data["made"]["reference"], "second")
        self.refused(UsageError, "no section 'x'; it has ", lambda: report.figure("x"))

    def test_frames_and_figures_where_pandas_and_matplotlib_are(self):
        report = agon.report(self.path)
        for module, make in (("pandas", report.frame), ("matplotlib", report.figure)):
            try:
                __import__(module)
            except ImportError:
                self.refused(UsageError, f"pip install {module}", make)
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        for section in report.sections:
            try:
                report.figure(section).savefig(io.BytesIO(), format="png")
            except UsageError as error:
                self.assertIn("no figures to draw", str(error))
        self.assertIn("reference", [label.get_text() for label in report.figure().axes[0].get_yticklabels()])

    def test_a_figure_has_a_height_that_can_be_looked_at(self):
        from agon_arena.tables import _bounded
        few = [({}, ("", [1] * 5, None)), ({}, ("", None, [1, 2]))]
        self.assertEqual(_bounded(few), (few, 0))
        kept, left_out = _bounded([({}, ("", [1] * 40, None))] * 9)
        self.assertEqual(([len(panel[1]) for _, panel in kept], left_out), ([40, 40, 40, 40], 200))
        kept, left_out = _bounded([({}, ("", [1] * 900, None)), few[1]])
        self.assertEqual(([len(panel[1]) for _, panel in kept], left_out), ([176], 726))

    def test_plan_replay_and_check_are_the_commands(self):
        plan = agon.plan(suite(), {"mine": drawn})
        self.assertEqual(plan["matches"], 6)
        self.assertIn("6 matches", str(plan))
        self.assertIn("<table>", plan._repr_html_())
        self.assertFalse(os.listdir("."))
        replayed = agon.replay(self.path)
        self.assertEqual(replayed["same"], replayed["matches"])
        self.assertEqual(agon.replay(self.path, 1)["matches"], 1)
        self.assertIn("replay", repr(agon.replay(self.path, 1)))
        self.assertTrue(agon.check("classic", matches=2).data)

    def test_a_metric_of_ones_own_is_one_of_the_games(self):
        def turns_taken(match):
            return [len(match.answers(seat)) for seat in match.seats] if match.game == "bargaining" else \
                [None] * len(match.seats)

        archive = agon.read(self.path).add_metrics({"turns_taken": turns_taken}, units={"turns_taken": "messages"})
        own = {(each["match"], each["seat"]): each["metric_turns_taken"] for each in archive.seats}
        first = next(each for each in archive.records if each["game"] == "bargaining")
        asked = [entry for entry in first["record"] if entry["entry"] == "question" and not entry["probe"]]
        self.assertEqual(own[first["match"], 0], sum(entry["seat"] == 0 for entry in asked))
        rows = [row for row in archive.report(full=True).rows("metrics") if row["metric"] == "turns_taken"]
        # The mean over blocks of what the rows of seats say, as the report has it for the game's own.
        mine = [row for row in rows if row["agent"] == "second" and row["game"] == "bargaining"]
        self.assertTrue(mine and all(row["low"] is None or row["low"] <= row["value"] <= row["high"] for row in mine))
        self.assertEqual({row["unit"] for row in rows}, {"messages"})
        self.assertFalse([row for row in rows if row["game"] != "bargaining"])
        self.refused(agon.UsageError, "'Turns' is no name of a metric",
                     lambda: archive.add_metrics({"Turns": turns_taken}))
        self.refused(agon.UsageError, "a finite number or None for each of",
                     lambda: archive.add_metrics({"b": lambda match: [1]}))
        self.refused(agon.UsageError, "the metric 'b' raised ZeroDivisionError in match ",
                     lambda: archive.add_metrics({"b": lambda match: 1 // 0}))
        archive.add_metrics({"twice": lambda match: {0: 2}})
        self.assertEqual((archive.seats[0]["metric_twice"], "metric_turns_taken" in archive.seats[0]), (2, True))
        for wrong, words in ((turns_taken, "functions by name"), ({"b": 1}, "functions by name"),
                             ({"b": lambda match: 1}, "each of"),
                             ({"profit": lambda match: [1] * len(match.seats)}, "itself")):
            self.refused(agon.UsageError, words, lambda: agon.read(self.path).add_metrics(wrong))
        self.refused(agon.UsageError, "no metric 'y'", lambda: archive.add_metrics({"x": turns_taken}, units={"y": ""}))

    def test_a_section_of_ones_own_is_shown_with_the_others(self):
        def wins(archive):
            seats = [each for each in archive.seats if each["game"] == "bargaining"]
            return [{"agent": name, "wins": {"value": sum(each["rank"] == 1 for each in seats if each["agent"] == name),
                                             "low": 0, "high": 9, "n": len(seats)}, "note": "a | b"}
                    for name in sorted({each["agent"] for each in seats})]

        report = agon.report(self.path)
        before = str(report)
        self.assertEqual(before, command("report", self.path))
        self.assertIs(report.add_section("wins", wins, title="Who won", note="Counts."), report)
        self.assertTrue(str(report).startswith(before))
        self.assertRegex(str(report), r"(?s)Who won\n.*agent +wins +note\n.*second +\d+ \[0, 9\] +a \| b\n")
        self.assertIn("Counts.", str(report))
        self.assertIn("<th>wins</th>", report._repr_html_().replace(' style="text-align:right"', ""))
        self.assertIn("<td>a | b</td>", report._repr_html_())
        for format, words in (("html", "a | b"), ("latex", "Who won"), ("csv", "wins"), ("markdown", "Counts.")):
            self.assertIn(words, report.text(format))
        row = report.rows("wins")[0]
        self.assertEqual((row["section"], row["low"], row["high"], row["metric"]), ("wins", 0, 9, "wins"))
        self.assertIn(row, report.rows())
        self.assertIn("wins", report.sections)
        self.assertNotIn("wins", agon.report(self.path).sections)
        with contextlib.suppress(UsageError):  # without matplotlib
            report.figure("wins")
        scoped = agon.read(self.path, run=1).report().add_section("n", lambda archive: [{"n": len(archive.matches)}])
        self.assertEqual(scoped.rows("n")[0]["value"], len(agon.read(self.path, run=1).matches))
        for made, words in (([], "a list of rows"), ([1], "a list of rows"), ({"a": 1}, "a list of rows"),
                            ([{"x": {"low": 1}}], "'x' is a text, a number"), ([{"x": float("nan")}], "finite number"),
                            ([{"x": {"value": 1, "low": 0}}], "low and high"), ([{"x": [1]}], "'x' is"),
                            ([{"x": {"value": "1"}}], "finite number")):
            self.refused(UsageError, words, lambda: report.add_section("other", lambda archive: made))
        self.refused(UsageError, "has a section 'wins' itself", lambda: report.add_section("wins", wins))
        self.refused(UsageError, "section 'A b': it is no name", lambda: report.add_section("A b", wins))
        self.assertNotIn("other", report.sections)
        self.assertEqual(report.add_section("more", wins).sections[-2:], ["wins", "more"])

    def test_a_file_of_sections_that_is_wrong_is_refused(self):
        section = {"id": "mine", "title": "Mine", "note": "", "rows": [{"agent": "a", "x": {"value": 1}}]}

        def with_rows(*rows):
            return {"sections": [{**section, "rows": rows}]}

        for change, words in (
                ({}, None),
                (with_rows({"agent": "firm", "asked first": {"value": 90.5, "low": 88.1, "high": 92.9, "n": 40,
                                                             "unit": "dollars"}},
                           {"agent": "soft", "asked first": 71}), None),
                (with_rows({"x": {"value": 1, "low": 2, "high": 0}}), "low is above high"),
                ({"format": "x"}, "a file of sections"), ({"version": 2}, "version"),
                ({"sections": []}, "$.sections"),
                ({"sections": [section, section]}, "has a section 'mine' already"),
                ({"sections": [{**section, "id": "leaderboard"}]}, "has a section 'leaderboard' already"),
                ({"sections": [{**section, "id": "A b"}]}, "no id of a section"),
                (with_rows({}), "has no cells"), (with_rows({"x": []}), "a text, a number or a figure"),
                (with_rows({"x": {"low": 1, "high": 2}}), "needs a value"),
                (with_rows({"x": {"value": "1"}}), "$.sections[0].rows[0].x.value"),
                (with_rows({"x": {"value": 1, "mean": 1}}), "mean"),
                (with_rows({"x": {"value": 1, "low": 0}}), "needs low and high"),
                (with_rows({"x": {"value": 1, "unit": "a"}}, {"x": {"value": 1, "unit": "b"}}), "one unit"),
                (with_rows({"x": {"value": 1, "level": 0.9}}, {"x": {"value": 1, "level": 0.8}}), "one level")):
            with open("sections.json", "w") as file:
                json.dump({"format": "agon.sections", "version": 1, "sections": [section], **change}, file)
            if words is None:
                self.assertIn("Mine", str(agon.report(self.path, add_sections="sections.json")))
            else:
                self.refused(Error, words, lambda: agon.report(self.path, add_sections="sections.json"))

    def test_a_file_of_metrics_that_is_wrong_is_refused(self):
        good = {"format": "agon.metrics", "version": 1, "metrics": [{"game": "bargaining", "name": "x"}], "values": []}
        match = agon.read(self.path).matches[0]["match"]
        for change, words in (
                ({"format": "x"}, "metrics"), ({"version": 2}, "version"),
                ({"metrics": [{"game": "chess", "name": "x"}]}, "no matches of the game 'chess'"),
                ({"metrics": good["metrics"] * 2}, "'x' is there twice"),
                ({"metrics": [{"game": "bargaining", "name": "X"}]}, "'X' is no name"),
                ({"metrics": [{"game": "bargaining", "name": "x", "better": "up"}]}, "neither higher nor lower"),
                ({"values": [{"match": "zz" * 16, "seat": 0, "values": {}}]}, "no id of a match"),
                ({"values": [{"match": match, "seat": 0, "values": {"y": 1}}]}, "'y' is not among the metrics"),
                ({"values": [{"match": match, "seat": 0, "values": {}}] * 2}, "the seat is there twice")):
            with open("m.json", "w") as file:
                json.dump(dict(good, **change), file)
            self.refused(Error, words, lambda: agon.report(self.path, metrics="m.json"))
            with self.assertRaises(subprocess.CalledProcessError) as failed:
                command("export", self.path, "--metrics", "m.json")
            self.assertIn("m.json", failed.exception.stderr)
        with open("m.json", "w") as file:
            json.dump(dict(good, metrics=[{"game": "bargaining", "name": "efficiency"}]), file)
        error = self.refused(Error, "", lambda: agon.report(self.path, metrics="nothing.json"))
        self.assertIn("nothing.json", str(error))

    def test_a_match_goes_on_from_a_question_with_one_thing_changed(self):
        dilemma = {"suite": "pd", "seed": 7, "agents": {"tft": "tit-for-tat", "grim": "grim"},
                   "design": {"fixed": [["tft", "grim"]], "seat_rotation": "as-listed"},
                   "scenarios": [{"game": "classic", "set": {"game": "prisoners-dilemma", "periods": 6}}]}
        parents = agon.run(dilemma, out="pd.agon", progress=False)
        defects = {"action": "choice_2"}
        branched = agon.branch(parents, 1, at=2, answer=defects, out="b.agon", progress=False)
        command("branch", "pd.agon", "1", "--at", "2", "--answer", json.dumps(defects), "--out", "c.agon", "--quiet")
        self.assertEqual([row["record"] for row in branched.read().rows("records")],
                         [row["record"] for row in agon.read("c.agon").rows("records")])
        branch, = branched.read().branches
        self.assertEqual({row["parent"] for row in branched.read().matches}, {branch["parent"]})
        self.assertEqual([branch[name] for name in ("question", "seat", "stage", "change", "text", "repeat")],
                         [2, 0, "choose", "answer", json.dumps(defects, separators=(",", ":")), 0])
        self.assertEqual((branch["payoff"], branch["parent_payoff"]), (11, 18))
        self.assertEqual(parents.read().branches, [])
        effects = branched.report(section=["impulses"]).rows("impulses")
        self.assertIn("own_payoff_change", {row["metric"] for row in effects})
        # Functions take a seat over, and answer for the others where they played.
        heard = []

        def defector(question):
            heard.append(question.number)
            return defects

        match = parents.read().matches[0]["match"]
        taken = agon.branch("pd.agon", match, every="choose", seat="Alice", agent=defector, repeats=2, out="d.agon",
                            progress=False)
        self.assertEqual(len(taken.read().branches), 12)
        self.assertEqual({row["text"] for row in taken.read().branches}, {"defector"})
        self.assertEqual(set(heard), {0, 2, 4, 6, 8, 10})
        heard.clear()
        last = max(taken.read().branches, key=lambda branch: branch["question"])["match"]
        again = {"every": "choose", "seat": "Bob", "agent": "tit-for-tat", "progress": False}
        agon.branch(taken, last, agents={"defector": defector}, out="e.agon", **again)
        self.assertIn(10, heard)
        self.refused(FailedError, "the agent 'defector' was played by a function",
                     lambda: agon.branch(taken, last, out="f.agon", **again))
        self.refused(Error, "has no question 99: its last is 11",
                     lambda: agon.branch("pd.agon", 1, at=99, answer=defects, out="g.agon", progress=False))
        self.refused(Error, "no finished match 'ffff'", lambda: agon.branch("pd.agon", "ffff", out="f.agon"))
        self.refused(Error, "does not take this answer",
                     lambda: agon.branch("pd.agon", 1, at=2, answer={"action": "x"}, out="f.agon", progress=False))
        for wrong, words in (({"answer": defects}, "missing where the branches leave"),
                             ({"at": 1, "sample": 2, "answer": defects}, "one of at, every and sample"),
                             ({"at": 1, "agent": "grim", "persona": "x"}, "a change is one of")):
            self.refused(agon.UsageError, words, lambda: agon.branch("pd.agon", 1, out="f.agon", **wrong))

    def test_what_is_wrong_is_told_in_the_words_of_the_command(self):
        self.refused(Error, "unknown option 'blokcs'\nhint: did you mean 'blocks'?",
                     lambda: agon.run(suite(), {"mine": drawn}, blokcs=2))
        self.refused(Error, "no such file", lambda: agon.run("no such file"))
        self.refused(Error, "nothing.agon", lambda: agon.report("nothing.agon"))
        self.refused(Error, "agent 'mine'", lambda: agon.run(suite(), {"other": drawn}))
        self.refused(agon.UsageError, "agents is a dict", lambda: agon.run(suite(), [drawn]))
        self.refused(agon.UsageError, "a function of a question", lambda: agon.run(suite(), {"mine": 5}))
        self.refused(agon.UsageError, "a function of a question", lambda: agon.run(suite(), {"mine": Timid}))
        self.refused(agon.UsageError, "make an object of the class", lambda: agon.run(suite(), {"mine": Timid}))
        self.refused(agon.UsageError, "give functions as agents=", lambda: agon.run(suite(mine=drawn)))
        self.refused(agon.UsageError, "json= is not an option", lambda: agon.run(suite(), {"mine": drawn}, json=True))
        error = self.refused(Error, "focl", lambda: agon.run(dict(suite(), design={"focl": 1}), {"mine": drawn}))
        self.assertTrue(error.where.startswith("$.design"), error.where)
        self.refused(Error, "no such file", lambda: agon.run("no such file", {"mine": drawn}))
        unsure = Timid()
        unsure.rendered = "yes"
        self.refused(agon.UsageError, "True or False is needed", lambda: agon.run(suite(), {"mine": unsure}))
        self.refused(agon.UsageError, "a suite is a file or a dict", lambda: agon.run(5))
        self.refused(agon.UsageError, "no JSON", lambda: agon.run(dict(suite(), seed={1}), {"mine": drawn}))
        self.refused(agon.UsageError, "progress is", lambda: agon.run(suite(), {"mine": drawn}, progress=5))
        from agon_arena.command import execute
        self.refused(agon.UsageError, "does not run inside another program", lambda: execute(["serve", "x"]))
        self.refused(agon.UsageError, "does not run inside another program", lambda: execute(["frobnicate"]))
        # The command alone does not know what the function is.
        agon.run(suite(), {"mine": drawn}, progress=False)
        with open("mine.json", "w") as file:
            json.dump(suite(mine={"function": {"name": "mine"}}), file)
        with self.assertRaises(subprocess.CalledProcessError) as failed:
            command("run", "mine.json")
        self.assertIn("function", failed.exception.stderr)

    def test_progress_is_told_and_notes_go_to_standard_error(self):
        seen = []
        agon.run(suite(30), {"mine": lambda question: time.sleep(0.001) or question.draw()},
                 progress=lambda done, total: seen.append((done, total)))
        self.assertTrue(all(total == 60 for _, total in seen) and seen == sorted(set(seen)) and seen[-1] == (60, 60))
        with self.assertRaises(ZeroDivisionError):
            agon.run(suite(500), {"mine": drawn}, out="stopped.agon", progress=lambda done, total: 1 // 0)
        agon.run(suite(1), {"mine": drawn}, out="next.agon")  # nothing is going on any more

    def test_what_agents_print_stands_on_lines_of_its_own(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        def prints(question):
            print("seen", question.number)
            sys.stderr.write("half")
            time.sleep(0.06)
            print(" a line", file=sys.stderr)
            return question.draw()

        terminal = Terminal()
        with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
            agon.run(suite(3), {"mine": prints}, jobs=1)
            self.assertIs(sys.stdout, terminal)
        shown = [line.split("\r")[-1] for line in terminal.getvalue().split("\n")]
        self.assertIn("[", terminal.getvalue())
        self.assertEqual({line for line in shown if "seen" not in line}, {"half a line", ""})
        self.assertTrue(all(line.startswith("seen ") for line in shown if "seen" in line))

    def test_words_of_the_command_line_are_those_of_python(self):
        from agon_arena.library import in_python
        for said, words in (
                ("add --format jsonl", 'add format="jsonl"'), ("use fewer --jobs", "use fewer jobs="),
                ("add --out FILE, or use --format otlp-json", 'add out=FILE, or use format="otlp-json"'),
                ("if you trust the author, add --trust", "if you trust the author, add trust=True"),
                ("add --no-records", "add no_records=True"), ("--max-calls 5", "max_calls=5"),
                ("'agon run SUITE --out FILE' makes one", "'agon run SUITE --out FILE' makes one"),
                ("a--b and --", "a--b and --"), ("did you mean '--jobs'?", "did you mean 'jobs'?")):
            self.assertEqual(in_python(said), words)
        self.assertEqual(in_python("load it with --plugin, or", {"plugin": "plugins"}), "load it with plugins=, or")

    def test_an_answer_that_is_interrupted_is_given_once(self):
        from agon_arena.command import _Reply
        given = []

        class Library:
            def agon_answer(self, pointer, message):
                given.append((pointer, message))
                raise KeyboardInterrupt

        reply = _Reply(Library(), 5)
        for _ in range(2):
            with contextlib.suppress(KeyboardInterrupt):
                reply.give('{"type": "decline", "id": "0.0"}')
        self.assertEqual(len(given), 1)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            agon.run(suite(), {"mine": drawn}, model="openai/x")
        self.assertIn("--model changes nothing", said.getvalue())
        with contextlib.redirect_stderr(io.StringIO()) as said:
            agon.run(suite(), {"mine": drawn, "mnie": drawn}, out="two.agon")
        self.assertIn("the agent 'mnie' was asked nothing", said.getvalue())
        self.assertNotIn("'mine'", said.getvalue())

    def test_one_run_at_a_time_and_other_commands_beside_it(self):
        begun, go_on, came = threading.Event(), threading.Event(), []

        def waits(question):
            begun.set()
            go_on.wait(60)
            return question.draw()

        other = threading.Thread(target=lambda: came.append(agon.run(suite(1), {"mine": waits}, progress=False)))
        other.start()
        begun.wait(60)
        try:
            self.refused(agon.UsageError, "another run is going on",
                         lambda: agon.run(suite(), {"mine": drawn}, out="x.agon"))
            self.assertTrue(agon.report(self.path).sections)
        finally:
            go_on.set()
            other.join()
        self.assertEqual(came[0]["played"], 2)


SLOW = """
import sys, time
sys.path.insert(0, {package!r})
import agon_arena as agon
def mine(question):
    {body}
    return question.draw()
suite = {suite!r}
try:
    print(agon.run(suite, {{"mine": mine}}, jobs=2, progress=lambda done, total: print(done, flush=True)))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


class Ends(InFolder):
    def test_rows_may_be_left_at_the_end_of_the_process(self):
        agon.run("scenarios/quickstart.json", blocks=30, out="run.agon", progress=False)
        script = (f"import sys; sys.path.insert(0, {PACKAGE!r})\nimport agon_arena as agon\n"
                  "rows = agon.read('run.agon').rows('records')\nprint(len(next(rows)['record']) > 0)")
        ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "True\n", ""))

    def start(self, body, blocks=200):
        source = SLOW.format(package=PACKAGE, body=body, suite=suite(blocks))
        # Its source is the same each time, so the agent is.
        with open("script.py", "w") as file:
            file.write(textwrap.dedent(source))
        return subprocess.Popen([sys.executable, "script.py"], stdout=subprocess.PIPE, text=True)

    def test_ctrl_c_keeps_what_is_done(self):
        process = self.start("time.sleep(0.002)")
        while int(process.stdout.readline()) < 5:
            pass
        process.send_signal(signal.SIGINT)
        self.assertIn("interrupted", process.communicate()[0])
        kept = len(agon.read("small.agon").matches)
        self.assertTrue(5 <= kept < 400)

    def test_ctrl_c_twice_ends_a_function_that_never_returns_and_leaves_one_in_a_call(self):
        for body in ("while True: pass", "time.sleep(3600)"):
            process = self.start("print(1, flush=True)\n    " + body)
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertIn("interrupted", process.communicate()[0])

    def test_kill_9_leaves_a_sound_archive_that_is_gone_on_with(self):
        before = 0
        for _ in range(4):
            process = self.start("time.sleep(0.0005)", 60)
            for line in process.stdout:
                if line.strip().isdigit() and int(line) > before + 8:
                    break
            process.kill()
            process.communicate()
            replayed = agon.replay("small.agon")
            self.assertEqual(replayed["same"], replayed["matches"])
            before = replayed["matches"]
        self.assertIn("120 of 120", self.start("time.sleep(0.0005)", 60).communicate()[0])


if __name__ == "__main__":
    unittest.main()
