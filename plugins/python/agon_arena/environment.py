"""Games as environments with the interfaces of PettingZoo, which need not be installed."""
import collections

from .errors import UsageError
from .game import checked_flag, checked_plugins, drawn_seed
from .table import Making, Table

try:
    from pettingzoo import AECEnv as _AecBase
    from pettingzoo import ParallelEnv as _ParallelBase
except ImportError:
    _AecBase = _ParallelBase = object


def make(game, preset="", settings=None, agents=None, *, entries=0, reasks=0, record=False, probes=False, events=True,
         flat=None, normalized=False, numbered=True, render_mode="ansi", plugins=(), trust=False):
    """A game as an AECEnv, in which one agent after another acts. docs/environments.md of Agon has
    it all.

    preset, settings   as `agon play` has them: a name, and a dict of what differs from it
    agents             who plays a seat, by number, name or role: {"1": "value-cap"}; all other
                       seats are agents of the environment
    entries            how many of the last entries of a list an observation shows, the oldest first;
                       0: as many as there are seats, and at least 3
    reasks             how often an answer that is not legal is asked again before the game's
                       fallback is played
    record             keep the record of each match, for record()
    probes             ask questions that have no effect on play, too
    events             tell in infos what happened
    flat               True: observations are arrays, False: JSON; None: arrays where NumPy is
    normalized         rewards are normalized scores, not payoffs
    numbered           actions are numbers where the settings leave few answers; False: where the
                       types of answers do
    render_mode        "ansi" or None: render() returns the text, "human": it prints it
    plugins, trust     plugins to load beside those of Agon, and whether they may do all they ask for
    """
    flags = [checked_flag(value, what) for value, what in ((record, "record"), (probes, "probes"), (events, "events"))]
    if flat is not None:
        checked_flag(flat, "flat")
    return AECEnv(Making(game, preset, settings, agents, entries, reasks, *flags, flat, checked_plugins(plugins),
                         checked_flag(trust, "trust"), checked_flag(normalized, "normalized"),
                         checked_flag(numbered, "numbered"), _checked_mode(render_mode)))


_RENDER_MODES = ("human", "ansi")


def _checked_mode(mode):
    if mode is not None and mode not in _RENDER_MODES:
        raise UsageError(f"unknown render_mode {mode!r}; expected {', '.join(map(repr, _RENDER_MODES))} or None")
    return mode


class _Environment:
    """What both interfaces have: agents with names, spaces, and the state by agent."""

    def __init__(self, making):
        self._table = Table(making)
        self._seats = {self._table.game.names[seat]: seat for seat in self._table.outside}
        self.possible_agents = list(self._seats)
        self.agents = []
        self.metadata = {"name": self._table.game.id, "render_modes": list(_RENDER_MODES), "is_parallelizable": False}
        self.render_mode = making.render_mode
        self._spaces, self._seed, self._block = {}, None, 0
        self._seen, self.infos = {}, {}

    # ---- what it is ----

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    @property
    def game(self):
        """The game under its settings: id, names of all seats, stages, description, columns()."""
        return self._table.game

    def __str__(self):
        return self._table.game.id

    def __reduce__(self):
        """Copies and pickles are new environments of the same making, before their first reset()."""
        return type(self), (self._table.making,)

    def observation_space(self, agent):
        return self._space(agent, "observation_space")

    def action_space(self, agent):
        return self._space(agent, "action_space")

    def _space(self, agent, kind):
        self._seat(agent)
        if self._table.flat is None:
            raise UsageError(f"{kind}() is that of arrays, and observations are JSON here",
                             hint="install numpy and use flat=True, or read question().schema")
        if (agent, kind) not in self._spaces:
            self._spaces[agent, kind] = getattr(self._table.flat, kind)()
        return self._spaces[agent, kind]

    def _seat(self, agent):
        if not isinstance(agent, str) or agent not in self._seats:
            raise UsageError(f"unknown agent {agent!r}; expected {', '.join(self._seats)}")
        return self._seats[agent]

    # ---- a match ----

    def _begin(self, seed, options):
        """Without a seed the next block of the last one, or of a drawn one, is played."""
        if not isinstance(options, (dict, type(None))):  # what wrappers pass on beside "block" is theirs
            raise UsageError(f"options is a dict that may have a block, not {options!r}", hint='write {"block": 2}')
        following = 0
        if seed is None and self._seed is not None:
            seed, following = self._seed, self._block + 1
        elif seed is None:
            seed = drawn_seed()
        block = (options or {}).get("block")
        block = following if block is None else block
        self._table.reset(seed, block)
        self._seed, self._block = seed, block
        self.agents = list(self.possible_agents)
        blank = self._table.flat.blank if self._table.flat is not None else lambda: None
        self._seen = {agent: blank() for agent in self.agents}
        self.infos = {}
        self._take_in()

    def _take_in(self):
        """What those see that are asked now, and what is known of the last answers."""
        asked_now = {asked.seat: asked for asked in self._table.asked}
        for agent, seat in self._seats.items():
            asked = asked_now.get(seat)
            self.infos[agent] = self._info(agent, asked)
            if asked is not None:
                self._seen[agent] = asked.seen

    def _info(self, agent, asked=None):
        seat = self._seats[agent]
        info = {"question": None, "fault": seat in self._table.faults}
        if asked is not None:
            stage = self._table.stage_of(asked)
            info["question"] = {"stage": stage["name"], "probe": stage["probe"], "attempt": asked.attempt,
                                "complaint": self._table.question(asked).complaint if asked.attempt else ""}
        if self._table.making.events:
            info["events"] = self._table.told(seat) if asked is not None or self._table.over else []
        return info

    def _require_agent(self):
        if self.agents:
            return
        if self._seed is None:
            raise UsageError("no match is being played", hint="call reset() first")
        raise UsageError("the match is over, and every agent has left", hint="reset() begins the next one")

    def _question_of(self, agent):
        """The open question to an agent; None: the first one."""
        self._require_agent()
        self._table.require_match()
        if agent is not None:
            self._seat(agent)
        for asked in self._unanswered():
            if agent in (None, self._table.game.names[asked.seat]):
                return asked
        raise UsageError(f"{agent} is not asked now" if agent else "nobody is asked now: the match is over",
                         hint="infos says who is asked: \"question\" is not None")

    def question(self, agent=None):
        """What an agent is asked, as JSON has it: seat, stage, attempt, complaint, view, schema."""
        with self._table:
            return self._table.question(self._question_of(agent))

    def render(self, agent=None):
        """The text that a person would be shown now; in the mode "human" it is printed."""
        if self.render_mode != "human":
            return self._text(agent)
        print(self._text(agent))
        return None

    def _text(self, agent):
        with self._table:
            if not self._table.over:
                return self._table.text(self._question_of(agent))
            payoffs = self._table.outcome().payoffs
            return "\n".join(["The match is over."] + [f"{name}: {payoff}" for name, payoff in payoffs.items()])

    def outcome(self):
        """How the match ended, of all seats: payoffs, normalized, ranks, fallbacks, metrics."""
        with self._table:
            self._table.require_match()
            return self._table.outcome()

    def record(self):
        """The record of the match that is over, entry by entry; for record=True."""
        with self._table:
            self._table.require_match()
            return self._table.record()

    def close(self):
        self._table.close()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()


class AECEnv(_Environment, _AecBase):
    """A game in which `agent_selection` acts next. Seats that are asked at once act one after
    another, in order, and do not see what the others answered."""

    def __init__(self, making):
        super().__init__(making)
        self.agent_selection = None
        self.rewards, self._cumulative_rewards, self.terminations, self.truncations = {}, {}, {}, {}
        self._todo = collections.deque()

    def parallel(self):
        """The same with PettingZoo's parallel interface, where all seats are asked at once."""
        return ParallelEnv(self._table.making)

    def reset(self, seed=None, options=None):
        with self._table:
            self._begin(seed, options)
            self._todo.clear()
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self._select()

    def step(self, action):
        with self._table:
            self._require_agent()
            if self.terminations[self.agent_selection]:
                self._leave(action)
                return
            self._table.require_match()
            self._act(self._table.reading(self._todo[0], action))

    def draw(self):
        """As step(), with a uniform draw over the legal answers."""
        with self._table:
            self._require_agent()
            if self.terminations[self.agent_selection]:
                self._leave(None)
                return
            self._table.require_match()
            self._act(self._table.drawn(self._todo[0]))

    def _act(self, read):
        self._table.answer([read])
        self._todo.popleft()
        self.infos[self.agent_selection] = {**self.infos[self.agent_selection], "question": None}
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if not self._todo:
            self._table.go_on()
            self._take_in()
        self._select()

    def _select(self):
        """Which agent acts next: one that is asked, or in the end each once, to leave."""
        if self._table.over:
            for seat, reward in self._table.rewards().items():
                agent = self._table.game.names[seat]
                self.rewards[agent] = reward
                self._cumulative_rewards[agent] += reward
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        if not self._todo:
            self._todo.extend(self._table.asked)
        self.agent_selection = self._table.game.names[self._todo[0].seat]

    def _leave(self, action):
        if action is not None:
            raise UsageError(f"the match is over for {self.agent_selection}, and {action!r} answers nothing",
                             hint="step(None) lets an agent leave; reset() begins the next match")
        self.agents.remove(self.agent_selection)
        for by_agent in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del by_agent[self.agent_selection]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def last(self, observe=True):
        """Observation, reward since its last action, termination, truncation and infos of the agent
        that acts next."""
        self._require_agent()
        agent = self.agent_selection
        return (self._seen[agent] if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def observe(self, agent):
        """What an agent saw when it was asked last; nothing but zeros before that."""
        self._seat(agent)
        if not self._seen:
            self._require_agent()
        return self._seen[agent]

    def agent_iter(self, max_iter=2**63):
        """agent_selection, again and again until all agents have left."""
        if self._seed is None:
            self._require_agent()
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def _unanswered(self):
        return self._todo


class ParallelEnv(_Environment, _ParallelBase):
    """A game that asks all seats at once, those that have dropped out aside."""

    def __init__(self, making):
        if making.reasks:
            raise UsageError("the parallel interface asks nobody again", hint="use reasks=0, or make() (AEC)")
        super().__init__(making)
        self.metadata["is_parallelizable"] = True
        if len(self.possible_agents) > 1:
            with self._table.trial() as trial:
                self._try_out(trial)

    def _try_out(self, table):
        """A match of random answers, so that a game that takes turns is refused at once. All are asked
        first, and then those of whom nobody has dropped out. What is rarer may still happen in play."""
        table.reset(0, 0)
        outside = set(self._table.outside)
        playing = least = outside
        while not table.over:
            asked = {each.seat for each in table.asked} & outside
            if not least <= asked <= playing:
                raise UsageError(f"{self} does not ask all seats at once, as the parallel interface needs",
                                 hint="use agon.make(), the AEC interface")
            playing, least = asked or playing, set()
            table.answer([table.drawn(asked) for asked in table.asked])
            table.go_on()

    def reset(self, seed=None, options=None):
        with self._table:
            self._begin(seed, options)
            return dict(self._seen), dict(self.infos)

    def step(self, actions):
        """Observations, rewards, terminations, truncations and infos. Who is not asked any more
        needs no action, and one that it has is not looked at."""
        with self._table:
            self._require_agent()
            self._table.require_match()
            if not isinstance(actions, dict):
                raise UsageError(f"actions is a dict of an action for each agent, not {type(actions).__name__}")
            for agent in actions:
                self._seat(agent)
            names = self._table.game.names
            missing = [names[asked.seat] for asked in self._table.asked if names[asked.seat] not in actions]
            if missing:
                raise UsageError(f"no action for {', '.join(missing)}", hint="give an action for each of agents")
            return self._act([self._table.reading(asked, actions[names[asked.seat]]) for asked in self._table.asked])

    def draw(self):
        """As step(), with uniform draws over the legal answers."""
        with self._table:
            self._require_agent()
            self._table.require_match()
            return self._act([self._table.drawn(asked) for asked in self._table.asked])

    def _act(self, read):
        self._table.answer(read)
        self._table.go_on()
        self._take_in()
        over, rewards = self._table.over, dict.fromkeys(self.agents, 0.0)
        if over:
            rewards = {self._table.game.names[seat]: reward for seat, reward in self._table.rewards().items()}
        five = (dict(self._seen), rewards, dict.fromkeys(rewards, over), dict.fromkeys(rewards, False),
                dict(self.infos))
        if over:
            self.agents = []
        return five

    def _unanswered(self):
        return self._table.asked
