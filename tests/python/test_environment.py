"""Games as environments: agon.make() and agon.VectorEnv over the C library.

    AGON_BUILD=build python3 -m unittest test_environment
"""
import contextlib
import copy
import ctypes
import importlib.util
import io
import json
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock
import warnings

from arena import SOURCE

BUILD = os.environ["AGON_BUILD"]
sys.path.insert(0, os.path.join(BUILD, "share", "agon", "python"))

from agon_arena import environment, library  # noqa: E402 found in the folder above
from agon_arena.errors import Error, FailedError, InvalidError, UsageError  # noqa: E402
from agon_arena.vector import VectorEnv  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None
needs_numpy = unittest.skipIf(numpy is None, "NumPy is not installed")

make = environment.make
GAMES = ("deal-or-no-deal", "english-auction", "water-allocation", "bargaining", "clock-auction", "sealed-bid", "ebay",
         "classic", "guess-average", "survival-auction")


def presets(game):
    said = subprocess.run([os.path.join(BUILD, "bin", "agon"), "describe", game, "--json"], check=True,
                          capture_output=True).stdout
    return [each if isinstance(each, str) else each["name"] for each in json.loads(said)["presets"]]


ALL = tuple((game, preset) for game in GAMES for preset in presets(game))


BREAKS = """
from dataclasses import dataclass
import agon_arena as agon

@dataclass
class Number:
    n: int = agon.field(0, "a number", min=0, max=1)

NUMBER = agon.Stage("number", Number, "a number")

def play(table: agon.Table[NUMBER]):
    for _ in range(3):
        if table.ask(0, NUMBER).n:
            raise ValueError("a one")
    return [agon.SeatScore(0, disagreement=0, ideal=1)] * 2

agon.game("breaks", play, seats=(2, 2), rules="Say a number.", score="points", disagreement="0", ideal="1")
"""


def plain(seen):
    """An observation, to compare."""
    if numpy is None or not any(isinstance(value, numpy.ndarray) for value in (seen or {}).values()):
        return seen
    return {name: value.tolist() for name, value in seen.items()}


def legal(seen, dice):
    return dice.choice([action for action, allowed in enumerate(seen["action_mask"]) if allowed])


def play(env, seed, options=None, act=None):
    """A match of random legal answers, and all that an agent learns of it."""
    env.reset(seed=seed, options=options)
    dice, learnt = random.Random(seed), []
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        learnt.append((agent, plain(seen), reward, terminated, truncated, copy.deepcopy(info)))
        if terminated:
            env.step(None)
        elif act:
            act(env)
        elif isinstance(seen, dict) and "action_mask" in seen:
            env.step(legal(seen, dice))
        else:
            env.draw()
    return learnt


class Header(unittest.TestCase):
    TYPES = {"int": ctypes.c_int, "uint64_t": ctypes.c_uint64, "int64_t": ctypes.c_int64}

    def test_every_function_is_declared_as_in_the_header(self):
        with open(os.path.join(SOURCE, "core", "include", "agon", "agon.h")) as file:
            header = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        found = dict((name, (result.strip(), [each.strip() for each in arguments.split(",") if each.strip() != "void"]))
                     for result, name, arguments in re.findall(r"AGON_C ([\w *]+?)(agon_\w+)\(([^)]*)\);", header))
        self.assertEqual(set(found), set(library.FUNCTIONS))
        for name, (result, arguments) in library.FUNCTIONS.items():
            returned, parameters = found[name]
            self.assertEqual({"int": ctypes.c_int, "void": None, "const char*": ctypes.c_char_p}[returned], result, name)
            self.assertEqual(len(parameters), len(arguments), name)
            for parameter, argument in zip(parameters, arguments):
                kind = parameter.rsplit(" ", 1)[0]
                self.assertEqual("*" in kind, argument not in self.TYPES.values(), (name, parameter))
                if kind in self.TYPES:
                    self.assertIs(argument, self.TYPES[kind], (name, parameter))
        self.assertIn(f"#define AGON_C_VERSION {library.VERSION} ", header)

    def test_a_library_that_does_not_fit_is_told(self):
        for path, words in ((os.path.join(SOURCE, "nowhere.so"), "cannot be loaded"), (__file__, "cannot be loaded"),
                            ("libc.so.6", "is older than this Python package: it has no agon_version")):
            with unittest.mock.patch.dict(os.environ, AGON_LIBRARY=path), self.assertRaisesRegex(FailedError, words):
                make("classic")
        load, path = library._loaded.__wrapped__, library._found()
        with unittest.mock.patch.object(library, "VERSION", 99):
            with self.assertRaisesRegex(FailedError, "it has version 1 of the interface; version 99 is needed"):
                load(path)
        words = "libm.so.6: version `GLIBC_2.99' not found (required by libagon_c.so)"
        with unittest.mock.patch("ctypes.CDLL", side_effect=OSError(words)):
            with self.assertRaisesRegex(FailedError, "(?s)built for a newer system than this one: .*GLIBC_2.99.*hint: "):
                load(path)

    def test_the_library_is_found_near_the_package(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ):
            os.environ.pop("AGON_LIBRARY", None)
            package = os.path.join(folder, "share", "agon", "python", "agon_arena")
            with unittest.mock.patch.object(library, "__file__", os.path.join(package, "library.py")):
                with self.assertRaisesRegex(FailedError, "(?s)libagon_c.so not found; tried .*hint: set AGON_LIBRARY"):
                    library._found()
                for where in ("lib/x86_64-linux-gnu", "lib64", "lib", "share/agon/python/agon_arena/tree/lib"):
                    path = os.path.join(folder, where, "libagon_c.so")
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    open(path, "w").close()
                    self.assertEqual(library._found(), path)
                os.environ["AGON_LIBRARY"] = os.path.join(folder, "lib64")
                self.assertEqual(library._found(), os.path.join(folder, "lib64", "libagon_c.so"))


class Play(unittest.TestCase):
    def follow_the_rules(self, env):
        """What PettingZoo asks of an environment, at every step of a match."""
        env.reset(seed=3)
        self.assertEqual(env.agents, env.possible_agents)
        self.assertEqual(env.num_agents, len(env.agents))
        self.assertEqual(env.max_num_agents, len(env.possible_agents))
        earned, left, dice = dict.fromkeys(env.agents, 0), [], random.Random(3)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, info = env.last()
            self.assertIsNone(env.last(observe=False)[0])
            self.assertIs(info, env.infos[agent])
            self.assertEqual(reward, earned[agent])
            self.assertIs(type(terminated), bool)
            self.assertFalse(truncated)
            self.assertIs(type(reward), float)
            if numpy is not None:
                self.assertTrue(env.observation_space(agent).contains(seen), seen)
                self.assertGreater(seen["observation"].size, 0)
            earned[agent] = 0
            if terminated:
                left.append(agent)
                env.step(None)
            elif isinstance(seen, dict) and "action_mask" in seen:
                env.step(legal(seen, dice))
            else:
                env.draw()
            for each, got in env.rewards.items():
                earned[each] += got
            for state in (env.rewards, env.terminations, env.truncations, env.infos):
                self.assertEqual(set(state), set(env.agents))
            self.assertFalse(any(env.infos[each]["fault"] for each in env.agents), env.infos)
        self.assertEqual(sorted(left), sorted(env.possible_agents))

    def test_every_preset_is_played_to_its_end_and_pays(self):
        for game, preset in ALL:
            with self.subTest(game=game, preset=preset), make(game, preset) as env:
                self.follow_the_rules(env)
                result = env.outcome()
                paid = {each[0]: each[2] for each in play(env, 3) if each[3]}
                self.assertEqual(paid, {agent: env.outcome().payoffs[agent] or 0.0 for agent in env.possible_agents})
                self.assertEqual(set(result.ranks), set(env.game.names))
                self.assertEqual(set(result.fallbacks.values()), {0})
                self.assertIn("match", result.metrics)

    def test_a_new_game_is_an_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.path.join(BUILD, "bin", "agon"), "new", "game", "mine", "--directory", folder], check=True,
                           capture_output=True)
            file = os.path.join(folder, "mine", "mine_game.py")
            for name in (file, f"{file}:mine", os.path.relpath(file)):
                with make(name) as env:  # brings its plugin
                    self.assertEqual(str(env), "mine")
            with make("mine", plugins=[file]) as env:
                self.follow_the_rules(env)
                if numpy is not None:  # 0 to 10 coins; yes or no
                    self.assertEqual(env.action_space(env.possible_agents[0]).n, 11 + 2)

    def test_the_same_seed_is_the_same_match_and_another_is_another(self):
        for game, preset in ALL:
            with self.subTest(game=game, preset=preset), make(game, preset) as env, make(game, preset) as twin:
                learnt = play(env, 5)
                self.assertEqual(learnt, play(env, 5))
                self.assertEqual(learnt, play(twin, 5))
                self.assertTrue(any(play(env, seed) != learnt for seed in range(6, 16)))

    def test_a_block_is_another_match_and_comes_next_without_a_seed(self):
        with make("deal-or-no-deal") as env:
            env.reset()
            self.assertTrue(env.agents)
            blocks = [play(env, 5, {"block": block}) for block in range(4)]
            self.assertEqual(len({json.dumps(each) for each in blocks}), 4)
            self.assertEqual(play(env, 5, {"other": 1}), blocks[0])
            env.reset()
            first = plain(env.last()[0])
            self.assertEqual(first, blocks[1][0][1])
            env.reset(options={"block": 3})
            self.assertEqual(plain(env.last()[0]), blocks[3][0][1])

    def test_a_reset_in_the_middle_begins_anew(self):
        for game in GAMES:
            with self.subTest(game=game), make(game) as env:
                learnt = play(env, 7)
                for steps in (1, 2, 5):
                    env.reset(seed=8)
                    for _agent in env.agent_iter(min(steps, len(learnt) - len(env.agents))):
                        if not env.last()[2]:
                            env.draw()
                    self.assertEqual(play(env, 7), learnt)

    def test_agents_play_seats(self):
        with make("bargaining", agents={"buyer": "time-dependent"}) as env:
            self.assertEqual(len(env.possible_agents), 1)
            self.assertEqual(len(env.game.names), 2)
            for seed in range(5):
                self.assertEqual({each[0] for each in play(env, seed)}, set(env.possible_agents))
        everyone = env.game.names
        for seat in (1, "1", everyone[1]):
            with make("bargaining", agents={seat: "time-dependent"}) as env:
                self.assertEqual(env.possible_agents, everyone[:1])
        with make("bargaining", agents={"buyer": "time-dependent"}) as env:
            self.assertEqual(len(env.possible_agents), 1)
        with self.assertRaisesRegex(InvalidError, "all seats are played by agents"):
            make("bargaining", agents={0: "time-dependent", 1: "time-dependent"})
        with self.assertRaises(InvalidError):
            make("bargaining", agents={0: "no-such-agent"})

    def test_a_normalized_reward_is_the_score(self):
        for game in GAMES:
            with self.subTest(game=game), make(game, normalized=True) as env:
                learnt = play(env, 2)
                scores = env.outcome().normalized
                self.assertEqual({each[0]: each[2] for each in learnt if each[3]},
                                 {agent: scores[agent] or 0.0 for agent in env.possible_agents})

    def test_what_happened_is_told(self):
        with make("deal-or-no-deal") as env, make("deal-or-no-deal", events=False) as silent:
            learnt = play(env, 1)
            told = [event for each in learnt for event in each[5]["events"]]
            self.assertTrue(any(each[5]["events"] for each in learnt if each[5]["question"]))
            self.assertTrue(all({"event", "data", "text"} <= set(event) for event in told), told[0])
            self.assertTrue(all("events" not in each[5] for each in play(silent, 1)))

    def test_probes_are_asked_where_they_are_wanted(self):
        stages = {}
        for probes in (False, True):
            with make("sealed-bid", probes=probes) as env:
                asked = [each[5]["question"] for each in play(env, 1) if each[5]["question"]]
                stages[probes] = {(each["stage"], each["probe"]) for each in asked}
        self.assertEqual(stages[False], {each for each in stages[True] if not each[1]})
        self.assertIn(True, {probe for _stage, probe in stages[True]})

    def test_a_person_is_shown_text(self):
        for game in GAMES:
            with self.subTest(game=game), make(game) as env:
                env.reset(seed=1)
                self.assertEqual(env.render_mode, "ansi")
                self.assertGreater(len(env.render()), 20)
                play(env, 1)
                self.assertTrue(env.render().startswith("The match is over.\n"))

    def test_the_mode_says_where_text_goes(self):
        self.assertEqual(make("classic").metadata["render_modes"], ["human", "ansi"])
        shown = {}
        for mode in ("human", "ansi", None):
            for make_it in (make, lambda *what, **options: make(*what, **options).parallel()):
                with make_it("classic", render_mode=mode) as env, io.StringIO() as out, contextlib.redirect_stdout(out):
                    self.assertEqual(env.render_mode, mode)
                    env.reset(seed=1)
                    text = env.render()
                    shown[mode] = out.getvalue() if mode == "human" else text + "\n"
                    self.assertEqual(text is None, mode == "human")
        self.assertEqual(set(shown.values()), {shown["human"]})
        with self.assertRaisesRegex(UsageError, "unknown render_mode 'rgb_array'; expected 'human', 'ansi' or None"):
            make("classic", render_mode="rgb_array")

    def test_nothing_is_iterated_after_the_end(self):
        with make("classic") as env:
            play(env, 1)
            self.assertEqual(list(env.agent_iter()), [])

    def test_what_was_learnt_stays_as_it_was(self):
        for game in GAMES:
            with self.subTest(game=game), make(game) as env:
                env.reset(seed=1)
                kept = []
                for _agent in env.agent_iter(30):
                    seen, info = env.last()[0], env.last()[4]
                    kept.append((seen, copy.deepcopy(plain(seen)), info, copy.deepcopy(info)))
                    if env.last()[2]:
                        env.step(None)
                    else:
                        env.draw()
                for seen, as_seen, info, as_told in kept:
                    self.assertEqual((plain(seen), info), (as_seen, as_told))

    def test_a_record_is_kept_where_it_is_wanted(self):
        with make("deal-or-no-deal", record=True) as env:
            play(env, 1)
            first = env.record()
            self.assertGreater(len(first), 3)
            play(env, 1)
            self.assertEqual(env.record(), first)
        with make("deal-or-no-deal") as env:
            play(env, 1)
            with self.assertRaises(UsageError):
                env.record()

    def test_a_copy_is_another_environment(self):
        with make("classic", agents={1: "random"}) as env:
            learnt = play(env, 4)
            env.reset(seed=4)
            for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
                self.assertEqual(other.possible_agents, env.possible_agents)
                self.assertEqual(play(other, 4), learnt)
                other.close()
            self.assertEqual(env.last()[0] is not None, True)


class Json(unittest.TestCase):
    """Without arrays, as without NumPy."""

    def test_answers_are_dicts(self):
        for game in GAMES:
            with self.subTest(game=game), make(game, flat=False) as env:
                env.reset(seed=1)
                question = env.question()
                self.assertEqual(env.game.names[question.seat], env.agent_selection)
                self.assertEqual(question.view, env.last()[0])
                self.assertEqual(question.stage, env.infos[env.agent_selection]["question"]["stage"])
                self.assertEqual(question.schema["type"], "object")
                self.assertEqual((question.attempt, question.complaint), (0, ""))
                self.assertEqual(play(env, 1), play(env, 1))

    def test_spaces_are_those_of_arrays(self):
        with make("classic", flat=False) as env:
            with self.assertRaisesRegex(UsageError, "observations are JSON here"):
                env.action_space(env.possible_agents[0])

    @unittest.skipIf(numpy is not None, "NumPy is installed")
    def test_what_needs_numpy_says_so(self):
        with self.assertRaisesRegex(UsageError, "need NumPy"):
            make("classic", flat=True)
        with self.assertRaisesRegex(UsageError, "VectorEnv needs NumPy"):
            VectorEnv("classic", 2)


class Faults(unittest.TestCase):
    ILLEGAL = {"no such member": 1}

    def test_an_illegal_answer_is_replaced_and_told(self):
        for game in GAMES:
            with self.subTest(game=game), make(game) as env:
                env.reset(seed=1)
                wrong = env.agent_selection
                faults = []
                for agent in env.agent_iter():
                    info = env.last()[4]
                    if agent == wrong and info["fault"]:
                        faults.append(info)
                    if env.last()[2]:
                        env.step(None)
                    elif agent == wrong:
                        env.step(self.ILLEGAL)
                    else:
                        env.draw()
                self.assertTrue(faults)
                fallbacks = env.outcome().fallbacks
                self.assertGreater(fallbacks.pop(wrong), 0)
                self.assertEqual(set(fallbacks.values()), {0})

    def test_it_is_asked_again_as_often_as_wanted(self):
        with make("bargaining", reasks=2) as env:
            env.reset(seed=1)
            agent = env.agent_selection
            for attempt in range(3):
                self.assertEqual(env.agent_selection, agent)
                question = env.infos[agent]["question"]
                self.assertEqual(question["attempt"], attempt)
                self.assertEqual(bool(question["complaint"]), attempt > 0)
                self.assertFalse(env.infos[agent]["fault"])
                env.step(self.ILLEGAL)
            self.assertTrue(env.infos[agent]["fault"])
            env.reset(seed=1)
            env.step(self.ILLEGAL)
            env.draw()
            self.assertFalse(env.infos[agent]["fault"])

    def test_a_fault_is_forgotten_with_the_next_answer(self):
        with make("sealed-bid") as env:
            env.reset(seed=1)
            agent, faults = env.agent_selection, []
            env.step(self.ILLEGAL)
            while not env.terminations[env.agent_selection]:
                if env.agent_selection == agent:
                    faults.append(env.infos[agent]["fault"])
                env.draw()
            self.assertEqual(faults, [True] + [False] * 13)

    def test_the_wrong_type_changes_nothing(self):
        with make("bargaining") as env:
            env.reset(seed=1)
            agent, before = env.agent_selection, env.question()
            for action in ("text", None, True, object, [1] * 999, ["a"], 1 << 70, -1, {"a": object}, {"a": float("nan")}):
                with self.assertRaises(UsageError, msg=action) as raised:
                    env.step(action)
                self.assertTrue(raised.exception.hint)
                self.assertEqual((env.agent_selection, env.question()), (agent, before))
            env.draw()

    @needs_numpy
    def test_places_beyond_their_bounds_are_faults(self):
        for game in GAMES:
            with self.subTest(game=game), make(game) as env:
                env.reset(seed=1)
                agent, places = env.agent_selection, env.game.stages[env.unwrapped._todo[0].stage]["places"]
                for value in (1e300, -1e300, float("nan"), float("inf")):
                    env.reset(seed=1)
                    env.step([value] * len(places))
                    while env._todo and env._todo[0].seat != env.game.names.index(agent) and not env.infos[agent]["fault"]:
                        env.draw()
                    self.assertTrue(env.infos[agent]["fault"], value)


class Misuse(unittest.TestCase):
    def test_calls_out_of_turn(self):
        with make("classic") as env:
            for call in (lambda: env.step(0), env.last, env.render, env.outcome, env.record, env.question, env.draw,
                         lambda: next(env.agent_iter()), lambda: env.observe(env.possible_agents[0])):
                with self.assertRaisesRegex(UsageError, "call reset\\(\\) first"):
                    call()
            env.reset(seed=1)
            with self.assertRaisesRegex(UsageError, "the match is not over"):
                env.outcome()
            for name in ("observe", "observation_space", "action_space", "question"):
                with self.assertRaisesRegex(UsageError, "unknown agent 'nobody'; expected "):
                    getattr(env, name)("nobody")
            while not env.terminations[env.agent_selection]:
                env.draw()
            with self.assertRaisesRegex(UsageError, "step\\(None\\) lets an agent leave"):
                env.step(0)
            while env.agents:
                env.step(None)
            for call in (lambda: env.step(None), env.last, env.draw):
                with self.assertRaisesRegex(UsageError, "reset\\(\\) begins the next one"):
                    call()

    def test_what_is_given_is_checked(self):
        for raised, words, call in (
                (InvalidError, "nope", lambda: make("nope")),
                (InvalidError, "nope", lambda: make("classic", "nope")),
                (InvalidError, "nope", lambda: make("classic", settings={"nope": 1})),
                (UsageError, "settings is a dict", lambda: make("classic", settings="nope")),
                (UsageError, "settings is no JSON", lambda: make("classic", settings={"nope": object})),
                (UsageError, "game is a text", lambda: make(1)),
                (UsageError, "agents is a dict", lambda: make("classic", agents=["random"])),
                (UsageError, "reasks is a whole number", lambda: make("classic", reasks=-1)),
                (UsageError, "entries is a whole number", lambda: make("classic", entries="3")),
                (Error, "nowhere.so", lambda: make("classic", plugins=["./nowhere.so"])),
                (Error, "nowhere.py", lambda: make("./nowhere.py")),
                (Error, "has no seat 'buyr' \\(did you mean 'buyer'\\?\\)", lambda: make("bargaining", agents={"buyr": "random"}))):
            with self.assertRaisesRegex(raised, words):
                call()
        with make("classic") as env:
            for seed in (-1, 1 << 64, "1", 0.5, True):
                with self.assertRaisesRegex(UsageError, "seed is a whole number"):
                    env.reset(seed=seed)
            with self.assertRaisesRegex(UsageError, "call reset\\(\\) first"):
                env.last()
            with self.assertRaisesRegex(UsageError, "block is a whole number"):
                env.reset(seed=1, options={"block": -1})

    def test_a_closed_environment_says_so(self):
        env = make("classic")
        env.reset(seed=1)
        env.close()
        env.close()
        for call in (lambda: env.reset(seed=1), env.draw, env.render):
            with self.assertRaisesRegex(UsageError, "this environment is closed"):
                call()

    def test_an_environment_is_freed_with_its_last_name(self):
        env = make("classic")
        env.reset(seed=1)
        env.draw()
        free = env._table._handle._free
        self.assertTrue(free.alive)
        del env
        self.assertFalse(free.alive)

    def test_one_thread_at_a_time(self):
        with make("classic") as env:
            env.reset(seed=1)
            problems = []

            def other():
                try:
                    env.draw()
                except UsageError as error:
                    problems.append(str(error))

            with env._table:
                thread = threading.Thread(target=other)
                thread.start()
                thread.join()
            self.assertEqual(problems, ["another thread is using this environment\nhint: make one for each thread"])
            env.draw()

    def test_threads_have_environments_of_their_own(self):
        learnt = []

        def one():
            with make("bargaining") as env:
                learnt.append([play(env, seed) for seed in range(20)])

        threads = [threading.Thread(target=one) for _each in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(learnt), 4)
        self.assertEqual([each == learnt[0] for each in learnt], [True] * 4)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_child_makes_its_own(self):
        env = make("classic")
        env.reset(seed=1)
        first = plain(env.last()[0])
        source, target = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                env.draw()
            except UsageError as error:
                said = str(error)
            del env
            with make("classic") as own:
                own.reset(seed=1)
                os.write(target, json.dumps([said, plain(own.last()[0]) == first]).encode())
            os._exit(0)
        os.close(target)
        with os.fdopen(source) as file:
            said, same = json.loads(file.read())
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertIn("was made before the process forked", said)
        self.assertTrue(same)
        env.draw()
        env.close()


class Parallel(unittest.TestCase):
    AT_ONCE = ("classic", "sealed-bid", "guess-average", "water-allocation", "survival-auction")

    def test_it_is_the_same_match(self):
        for game in self.AT_ONCE:
            with self.subTest(game=game), make(game) as env, env.parallel() as parallel:
                env.reset(seed=2)
                seen, infos = parallel.reset(seed=2)
                self.assertEqual(parallel.agents, parallel.possible_agents)
                steps = 0
                while parallel.agents:
                    asked = [agent for agent in parallel.agents if infos[agent]["question"]]
                    for agent in asked:
                        self.assertEqual(env.agent_selection, agent)
                        self.assertEqual(plain(env.last()[0]), plain(seen[agent]))
                        env.draw()
                    seen, rewards, terminated, truncated, infos = parallel.draw()
                    for each in (seen, rewards, terminated, truncated, infos):
                        self.assertEqual(list(each), parallel.possible_agents)
                    steps += 1
                self.assertTrue(all(terminated.values()) and not any(truncated.values()))
                self.assertEqual(rewards, env.rewards)
                self.assertEqual(parallel.outcome(), env.outcome())
                self.assertGreater(steps, 0)

    def test_actions_are_by_agent(self):
        with make("classic").parallel() as env:
            for call in (env.outcome, env.record, env.render, env.question, env.draw, lambda: env.step({})):
                with self.assertRaisesRegex(UsageError, "call reset\\(\\) first"):
                    call()
            env.reset(seed=1)
            actions = {agent: env.question(agent).schema and {} for agent in env.agents}
            with self.assertRaisesRegex(UsageError, "no action for " + env.agents[0]):
                env.step({})
            with self.assertRaisesRegex(UsageError, "unknown agent 'nobody'"):
                env.step({**actions, "nobody": 0})
            with self.assertRaisesRegex(UsageError, "actions is a dict"):
                env.step([0, 0])
            last = env.agents[-1]
            with self.assertRaisesRegex(UsageError, "does not answer stage"):
                env.step({**actions, last: "text"})
            infos = env.step(actions)[4]
            self.assertTrue(all(info["fault"] for info in infos.values()))
            while env.agents:
                env.draw()
            with self.assertRaisesRegex(UsageError, "reset\\(\\) begins the next one"):
                env.step(actions)

    @needs_numpy
    def test_any_action_of_the_space_is_played(self):
        for game in self.AT_ONCE:
            with self.subTest(game=game), make(game).parallel() as env:
                seen, infos = env.reset(seed=1)
                while env.agents:
                    actions = {}
                    for agent in env.agents:
                        self.assertTrue(env.observation_space(agent).contains(seen[agent]))
                        actions[agent] = env.action_space(agent).sample()
                    seen, rewards, _terminated, _truncated, infos = env.step(actions)
                self.assertEqual(rewards, {agent: env.outcome().payoffs[agent] for agent in env.possible_agents})

    def test_a_game_of_turns_is_refused(self):
        for game in ("bargaining", "ebay", "deal-or-no-deal"):
            with self.subTest(game=game), make(game) as env, self.assertRaisesRegex(UsageError, "(?s)at once.*AEC"):
                env.parallel()
        finite = os.path.join(SOURCE, "tests", "python", "finite.py")  # which asks both first, and then one by one
        with make("finite", plugins=finite) as env, self.assertRaisesRegex(UsageError, "(?s)at once.*AEC"):
            env.parallel()
        with make("classic", reasks=1) as env, self.assertRaisesRegex(UsageError, "reasks=0"):
            env.parallel()

    def test_who_was_not_asked_may_be_asked_again(self):
        """Bidders that have left an item come back for the next; one match in fifty has both."""
        with make("english-auction", "paper").parallel() as env:
            returned = 0
            for seed in range(40, 60):
                infos, idle = env.reset(seed=seed)[1], set()
                while env.agents:
                    asked = {agent for agent in env.agents if infos[agent]["question"]}
                    returned += len(asked & idle)
                    idle = set(env.agents) - asked
                    infos = env.draw()[4]
            self.assertGreater(returned, 0)

    def test_other_agents_are_not_needed_to_try_a_game_out(self):
        with make("guess-average", agents={0: "fix"}) as env, env._table.trial() as trial:
            self.assertEqual(len(trial.outside), 5)
        with unittest.mock.patch("agon_arena.table.Table.trial", side_effect=AssertionError):
            with make("bargaining", agents={0: "time-dependent"}).parallel() as env:
                self.assertEqual(env.max_num_agents, 1)

    def test_one_outside_seat_is_always_at_once(self):
        with make("bargaining", agents={"buyer": "time-dependent"}).parallel() as env:
            env.reset(seed=1)
            while env.agents:
                seen, rewards, _terminated, _truncated, _infos = env.draw()
            self.assertEqual(len(rewards), 1)


@needs_numpy
class Arrays(unittest.TestCase):
    def test_a_seat_sees_what_its_view_has_and_no_more(self):
        """Every column is the value at its path in the seat's own JSON view."""
        for game, preset in ALL:
            with self.subTest(game=game, preset=preset), make(game, preset, numbered=False) as env:
                env.reset(seed=4)
                checked = 0
                for _agent in env.agent_iter(60):
                    if env.last()[2]:
                        break
                    view, columns = env.question().view, env.game.stages[int(env.last()[0]["stage"])]["view"]
                    shown = {}  # elements of a list, by its path
                    for column in columns:
                        for found in re.finditer(r"/(\d+)(?=/|$)", column["path"]):
                            path = column["path"][:found.start()]
                            shown[path] = max(shown.get(path, 0), int(found[1]) + 1)
                    for column, value in zip(columns, env.last()[0]["observation"]):
                        checked += self.check(column, value, view, shown, env.game.names)
                    env.draw()
                self.assertGreater(checked, 0)

    def check(self, column, value, at, shown, names):
        path = ""
        for step in column["path"].rstrip("?").split("/")[1:]:
            if isinstance(at, list):  # the last of it
                number = int(step) + max(len(at) - shown[path], 0)
                at = at[number] if number < len(at) else None
            elif isinstance(at, dict) and step not in at and "kind" in at:
                at = at if step.lower() == at["kind"].lower() else None
            else:
                at = at.get(step) if isinstance(at, dict) else None
            path += "/" + step
        kind = column["kind"]
        if kind == "variant":
            return 0
        if kind == "length":
            expected = len(at or ())
        elif kind == "present":
            expected = at is not None
        elif at is None:  # an empty text names no seat
            expected = value if kind == "seat" and value in (0, -1) else 0
        elif kind == "enumeration":
            expected = column["names"].index(at)
        elif kind == "seat":
            expected = names.index(at) if at in names else -1
        else:
            expected = at * 10 ** column["decimals"]
        self.assertAlmostEqual(float(value), float(expected), places=4, msg=(column, at))
        return 1

    def test_what_only_others_know_changes_nothing(self):
        def first(values):
            with make("sealed-bid", settings={"given": [{"values": values}], "bidders": 3, "rounds": 1}) as env:
                env.reset(seed=1)
                return [(plain(env.observe(agent)), env.question(agent), env.infos[agent], env.render(agent))
                        for agent in env.agents]

        mine, changed = first([10, 20, 30]), first([10, 77, 30])
        self.assertEqual([one == other for one, other in zip(mine, changed)], [True, False, True])

    def test_spaces_hold_what_is_seen_and_draw_what_is_legal(self):
        for game, preset in ALL:
            with self.subTest(game=game, preset=preset), make(game, preset) as env:
                agent = env.possible_agents[0]
                space = env.action_space(agent)
                self.assertIs(space, env.action_space(agent))
                self.assertIs(env.observation_space(agent), env.observation_space(agent))
                env.reset(seed=1)
                for _agent in env.agent_iter(40):
                    seen, _reward, terminated, _truncated, info = env.last()
                    if terminated:
                        break
                    self.assertTrue(env.observation_space(env.agent_selection).contains(seen))
                    if "action_mask" not in seen:
                        self.assertTrue(space.contains(space.sample()))
                        env.step(space.sample())
                        continue
                    self.assertEqual(seen["action_mask"].dtype, numpy.int8)
                    self.assertGreater(seen["action_mask"].sum(), 0)
                    self.assertEqual(info["fault"], False)
                    action = space.sample(seen["action_mask"])
                    self.assertTrue(seen["action_mask"][action])
                    env.step(numpy.int32(action))

    def test_a_seeded_space_draws_the_same(self):
        with make("classic") as env:
            space = env.action_space(env.possible_agents[0])
            drawn = []
            for _each in range(2):
                space.seed(42)
                drawn.append([numpy.asarray(space.sample()).tolist() for _draw in range(20)])
            self.assertEqual(drawn[0], drawn[1])


class Spaces(unittest.TestCase):
    """The package's own spaces, and Gymnasium's in their place."""

    def loaded(self, **modules):
        path = os.path.join(os.path.dirname(environment.__file__), "spaces.py")
        found = importlib.util.spec_from_file_location("spaces_alone", path)
        module = importlib.util.module_from_spec(found)
        with unittest.mock.patch.dict(sys.modules, modules):
            found.loader.exec_module(module)
        return module

    @needs_numpy
    def test_the_own_ones_have_what_others_use(self):
        spaces = self.loaded(**{"gymnasium": None, "gymnasium.spaces": None})
        few, box = spaces.Discrete(3), spaces.Box(numpy.zeros(2), numpy.ones(2), dtype=numpy.float64)
        self.assertEqual((few.n, few.start, few.shape, few.dtype), (3, 0, (), numpy.int64))
        for x, inside in ((0, True), (numpy.int8(2), True), (numpy.array(1), True), (3, False), (-1, False), (1.0, False),
                          (numpy.array([1]), False), (numpy.array(1.0), False), ("1", False)):
            self.assertIs(x in few, inside, x)
        self.assertIs(numpy.full(2, 0.5) in box, True)
        self.assertIs(numpy.full(2, 1.5) in box, False)
        both = spaces.Dict({"few": few, "box": box})
        self.assertEqual((list(both), list(both.keys()), list(both.values()), len(both)),
                         (["few", "box"], ["few", "box"], [few, box], 2))
        self.assertEqual(dict(both.items()), {"few": few, "box": box})
        self.assertIn(both.sample(), both)
        self.assertEqual(pickle.loads(pickle.dumps(both.sample())).keys(), both.keys())

    @needs_numpy
    def test_those_of_gymnasium_are_used_where_it_is(self):
        there = types.ModuleType("gymnasium.spaces")
        there.Box, there.Dict, there.Discrete = object(), object(), object()
        spaces = self.loaded(**{"gymnasium": types.ModuleType("gymnasium"), "gymnasium.spaces": there})
        self.assertEqual([spaces.Box, spaces.Dict, spaces.Discrete], [there.Box, there.Dict, there.Discrete])


RARE = """
from dataclasses import dataclass
import agon_arena as agon

@dataclass
class Settings:
    changes: bool = agon.field(False, "bounds of the second question are others")

@dataclass
class Number:
    n: int = agon.field(0, "a number")

NUMBER = agon.Stage("number", Number, "a number")
LAST = agon.Stage("last", Number, "another")

def play(table: agon.Table[NUMBER, LAST], s: Settings):
    first = table.ask(0, NUMBER, agon.limit("n", -5, 1000)).n
    if s.changes:
        table.ask(0, NUMBER, agon.limit("n", -5, 999))
    n = table.ask(1, NUMBER, agon.limit("n", 0, 10)).n
    if first == 777:
        table.ask(0, NUMBER, agon.limit("n", -5, 1001))
    if first == 778:
        table.ask(0, LAST, agon.limit("n", 0, 1))
    return [agon.SeatScore(n, disagreement=0, ideal=10)] * 2

agon.game("rare", play, seats=(2, 2), rules="Say a number.", score="points", disagreement="0", ideal="10")
"""


@needs_numpy
class Numbered(unittest.TestCase):
    """Actions are numbers where settings leave few answers, and bounds never change."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.rare = os.path.join(folder.name, "rare.py")
        with open(self.rare, "w") as file:
            file.write(RARE)

    def make(self, *what, **options):
        env = make(*what, **options)
        self.addCleanup(env.close)
        return env

    def test_settings_say_how_many_there_are(self):
        numbers = {"lowest": 1, "highest": 7}
        for made, n in ((("guess-average",), 100), (("guess-average", "classroom"), 101), (("classic",), 2),
                        (("guess-average", "", numbers), 7), (("bargaining",), None), (("ebay",), None)):
            env = self.make(*made)
            space = env.action_space(env.possible_agents[0])
            self.assertEqual(getattr(space, "n", None), n, made)
            self.assertEqual("action_mask" in env.observation_space(env.possible_agents[0]).keys(), n is not None)
            plain_one = self.make(*made, numbered=False)
            self.assertFalse(hasattr(plain_one.action_space(env.possible_agents[0]), "n"), made)

    def test_a_number_is_the_answer_it_stands_for(self):
        for action in (0, 41, 99):
            results = []
            for answer in (action, {"number": action + 1}, [action + 1]):
                env = self.make("guess-average", settings={"rounds": 2, "start_hp": 2})
                env.reset(seed=1)
                while not env.terminations[env.agent_selection]:
                    self.assertEqual(env.last()[0]["action_mask"].tolist(), [1] * 100)
                    env.step(answer if env.agent_selection == env.possible_agents[0] else 20)
                results.append((env.outcome(), env.infos[env.possible_agents[0]]))
            self.assertEqual(results[0], results[1])
            self.assertEqual(results[0], results[2])
            self.assertFalse(results[0][1]["fault"])
        env = self.make("guess-average")
        env.reset(seed=1)
        with self.assertRaisesRegex(UsageError, "a number from 0 to 99"):
            env.step(100)

    def test_each_seat_has_its_own_bounds(self):
        env = self.make("rare", plugins=[self.rare])
        self.assertEqual(env.action_space("seat 0").n, 1006)
        env.reset(seed=1)
        self.assertEqual(env.last()[0]["action_mask"].sum(), 1006)
        env.step(0)
        self.assertEqual(numpy.flatnonzero(env.last()[0]["action_mask"]).tolist(), list(range(5, 16)))
        env.step(15)
        self.assertEqual(env.rewards, {"seat 0": 10.0, "seat 1": 10.0})
        env.reset(seed=1)
        env.step(0)
        env.step(16)  # masked
        self.assertTrue(env.infos["seat 1"]["fault"])

    def test_bounds_that_change_are_not_numbered(self):
        env = self.make("rare", settings={"changes": True}, plugins=[self.rare])
        self.assertEqual(env.action_space("seat 0").shape, (1,))

    def test_what_was_not_seen_before_is_told(self):
        for first, stage in ((777, "number"), (778, "last")):
            env = self.make("rare", plugins=[self.rare])
            env.reset(seed=1)
            env.step({"n": first})
            with self.assertRaisesRegex(UsageError, f"(?s)stage '{stage}' asks for what no action.*numbered=False"):
                env.step({"n": 0})
            env.reset(seed=1)
            env.step(0)


try:
    import pettingzoo.test
except ImportError:
    pettingzoo = None


@needs_numpy
@unittest.skipIf(pettingzoo is None, "PettingZoo is not installed: its own tests are not run")
class PettingZoo(unittest.TestCase):
    def test_every_preset_passes_the_tests_of_pettingzoo(self):
        for game, preset in ALL:
            def one(**options):
                return make(game, preset, **options)

            with self.subTest(game=game, preset=preset), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with contextlib.redirect_stdout(io.StringIO()):
                    pettingzoo.test.api_test(one(), num_cycles=100)
                    pettingzoo.test.seed_test(one, num_cycles=50)
                    pettingzoo.test.render_test(one)
                    try:
                        parallel = one().parallel()
                    except UsageError:
                        continue
                    pettingzoo.test.parallel_api_test(parallel, num_cycles=100)
                    pettingzoo.test.parallel_seed_test(lambda: one().parallel(), num_cycles=50)


class Finite(unittest.TestCase):
    """A game in Python: 4 ways to point, 10 numbers to say of which 3 are legal, 3 replies."""

    def make(self, **options):
        env = make("finite", plugins=[os.path.join(SOURCE, "tests", "python", "finite.py")], **options)
        self.addCleanup(env.close)
        return env

    @needs_numpy
    def test_the_mask_has_the_part_of_the_stage(self):
        env, masks = self.make(), []
        self.assertEqual(env.action_space("seat 0").n, 17)
        env.reset(seed=1)
        while not env.terminations[env.agent_selection]:
            seen = env.last()[0]
            self.assertEqual(set(seen), {"observation", "action_mask"})
            self.assertTrue(env.observation_space(env.agent_selection).contains(seen))
            self.assertEqual(seen["action_mask"].dtype, numpy.int8)
            masks.append((env.infos[env.agent_selection]["question"]["stage"], env.agent_selection,
                          numpy.flatnonzero(seen["action_mask"]).tolist()))
            action = env.action_space(env.agent_selection).sample(seen["action_mask"])
            self.assertTrue(seen["action_mask"][action])
            env.step(numpy.int32(action))
            self.assertFalse(any(info["fault"] for info in env.infos.values()))
        self.assertEqual(masks, [("point", "seat 0", [0, 1, 2, 3]), ("point", "seat 1", [0, 1, 2, 3]),
                                 ("count", "seat 0", [6, 7, 8]), ("reply", "seat 1", [14, 15, 16])])

    def test_a_number_a_dict_and_an_array_are_the_same_answer(self):
        env, ends = self.make(), []
        for actions in ((3, 0, 7, 15), ({"way": "down", "sure": True}, {"way": "up", "sure": False}, {"n": 3},
                                        {"way": "up"}), ([1, 1], (0, 0), [3.2], [1, 0])):
            env.reset(seed=1)
            for action in actions:
                env.step(action)
                self.assertFalse(any(info["fault"] for info in env.infos.values()), action)
            ends.append(env.outcome())
            self.assertEqual(env.rewards, {"seat 0": 4.0, "seat 1": 3.0})
        self.assertEqual(ends, ends[:1] * 3)

    def test_a_masked_action_is_a_fault(self):
        for masked in (4, 9, 0, 16):  # of the stage and beyond its limits, or of another stage
            env = self.make(reasks=1)
            env.reset(seed=1)
            env.step(0)
            env.step(0)
            env.step(masked)
            self.assertEqual((env.agent_selection, env.infos["seat 0"]["question"]["attempt"]), ("seat 0", 1))
            self.assertFalse(env.infos["seat 0"]["fault"])
            env.step(masked)
            self.assertTrue(env.infos["seat 0"]["fault"], masked)
            env.step(14)
            self.assertEqual(env.rewards, {"seat 0": 2.0, "seat 1": -1.0})
            self.assertEqual(env.outcome().fallbacks, {"seat 0": 1, "seat 1": 0})

    def test_a_number_that_is_no_action_is_refused(self):
        env = self.make()
        env.reset(seed=1)
        for action in (17, -1, 1 << 70):
            with self.assertRaisesRegex(UsageError, "(?s)does not answer stage 'point'.*a number from 0 to 3"):
                env.step(action)

    def test_one_of_those_asked_at_once_may_be_wrong(self):
        env = self.make()
        for wrong in (0, 1):
            env.reset(seed=1)
            for seat in (0, 1):
                self.assertEqual(env.agent_selection, f"seat {seat}")
                env.step({} if seat == wrong else 0)
            self.assertEqual([env.infos[f"seat {seat}"]["fault"] for seat in (0, 1)], [wrong == 0, wrong == 1])
            self.assertEqual(env.infos["seat 0"]["question"]["stage"], "count")

    @needs_numpy
    def test_a_seat_that_was_not_asked_yet_sees_zeros(self):
        env = self.make(agents={0: "random"})
        env.reset(seed=1)
        self.assertGreater(env.observe("seat 1")["observation"][0], 0)
        with self.assertRaisesRegex(UsageError, "unknown agent 'seat 0'"):
            env.observe("seat 0")


@needs_numpy
class Vector(unittest.TestCase):
    def test_rows_are_matches_of_blocks(self):
        for game in GAMES:
            with self.subTest(game=game), make(game) as env:
                tables = VectorEnv(game, 3)
                tables.reset(seed=6)
                for row in range(3):
                    env.reset(seed=6, options={"block": row})
                    width = len(tables.columns(int(tables.stage[row])))
                    self.assertEqual(tables.view[row, :width].tolist(), env.last()[0]["observation"][:width].tolist())
                    self.assertEqual(env.game.names[tables.seat[row]], env.agent_selection)
                tables.close()

    def test_float32_has_the_same_numbers_rounded(self):
        parts = ("view", "low", "high", "payoff", "normalized")
        for game in GAMES:
            with self.subTest(game=game), VectorEnv(game, 3) as wide, VectorEnv(game, 3, dtype=numpy.float32) as narrow:
                wide.reset(seed=6)
                self.assertIs(narrow.reset(seed=6), narrow.view)
                ended = 0
                for _step in range(150):
                    ended += wide.over.sum()
                    for part in parts:
                        found, expected = getattr(narrow, part), getattr(wide, part)
                        self.assertEqual((found.dtype, expected.dtype), (numpy.float32, numpy.float64))
                        with numpy.errstate(over="ignore"):
                            numpy.testing.assert_array_equal(found, expected.astype(numpy.float32))
                    for part in ("mask", "seat", "stage", "over", "fallback"):
                        numpy.testing.assert_array_equal(getattr(narrow, part), getattr(wide, part))
                    wide.step()
                    narrow.step()
                self.assertGreater(ended, 0)
                narrow.step(narrow.low)  # an array of its own type is an answer
        self.assertEqual(VectorEnv("classic", 1, dtype="float64").view.dtype, numpy.float64)
        for wrong in (numpy.int32, "float16", 5):
            with self.assertRaisesRegex(UsageError, "dtype is numpy.float32 or numpy.float64"):
                VectorEnv("classic", 1, dtype=wrong)

    def test_arrays_are_written_in_place_and_matches_follow_each_other(self):
        for game in GAMES:
            with self.subTest(game=game):
                tables = VectorEnv(game, 4, seed=1)
                view = tables.reset()
                ended = 0
                for _step in range(400):
                    seen, payoff, over = tables.step()
                    self.assertIs(seen, view)
                    self.assertIs(payoff, tables.payoff)
                    self.assertFalse(tables.fallback.any())
                    for row in numpy.flatnonzero(over):
                        ended += 1
                        self.assertTrue(numpy.isfinite(payoff[row]).all())
                self.assertGreater(ended, 0)
                first = seen.copy()
                tables.reset()
                for _step in range(400):
                    tables.step()
                self.assertTrue((tables.view == first).all())
                tables.close()

    def test_answers_are_places(self):
        tables = VectorEnv("bargaining", 2, seed=1)
        tables.reset()
        tables.step(tables.low)
        tables.step(numpy.full_like(tables.low, 1e300))
        self.assertTrue(tables.fallback.all())
        for places, words in ((numpy.zeros(3), "has shape"), ("text", "array of numbers"), (object(), "array of numbers")):
            with self.assertRaisesRegex(UsageError, words):
                tables.step(places)
        with self.assertRaisesRegex(UsageError, "unknown stage 'nope'; expected "):
            tables.columns("nope")
        tables.close()
        with self.assertRaisesRegex(UsageError, "this environment is closed"):
            tables.step()

    def test_a_game_that_broke_is_to_be_reset(self):
        """Nothing is gone on with, and the process lives on."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "breaks.py")
            with open(file, "w") as text:
                text.write(BREAKS)
            with VectorEnv("breaks", 2, plugins=[file], seed=1) as env:
                env.reset()
                for _ in range(3):
                    with self.assertRaises(Error):
                        env.step([[1.0], [0.0]])
                env.reset()
                env.step([[0.0], [0.0]])

    def test_it_is_not_copied(self):
        with VectorEnv("classic", 2) as env:
            for what in env, env.game:
                for take in copy.copy, copy.deepcopy, pickle.dumps:
                    with self.assertRaisesRegex(UsageError, "cannot be copied or pickled"):
                        take(what)

    def test_numbers_of_numpy_are_numbers(self):
        with VectorEnv("bargaining", 1, settings={"max_turns": numpy.int64(3)}) as env:
            env.reset(seed=1)
        with make("bargaining") as env:
            env.reset(seed=1)
            with self.assertRaisesRegex(UsageError, "does not answer stage"):
                env.step(numpy.array(3.5))
            with self.assertRaisesRegex(UsageError, "2 numbers do not answer stage"):
                env.step(numpy.zeros(2))

    def test_misuse_is_told(self):
        with self.assertRaisesRegex(UsageError, "n is a whole number from 1 to 20000"):
            VectorEnv("classic", 0)
        with self.assertRaisesRegex(UsageError, "call reset\\(\\) first"):
            VectorEnv("classic", 1).step()


class Page(unittest.TestCase):
    def test_one_name_catches_all_misuse(self):
        import agon
        self.assertTrue(issubclass(UsageError, agon.UsageError))
        self.assertIs(agon.make, make)
        self.assertIs(agon.VectorEnv, VectorEnv)

    def test_the_code_of_the_page_runs(self):
        with open(os.path.join(SOURCE, "docs", "environments.md")) as file:
            blocks = re.findall("^```python\n(.*?)^```$", file.read(), re.M | re.S)
        self.assertGreater(len(blocks), 2)
        for block in blocks:
            if numpy is not None or "VectorEnv" not in block:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(block, "docs/environments.md", "exec"), {})


if __name__ == "__main__":
    unittest.main()
