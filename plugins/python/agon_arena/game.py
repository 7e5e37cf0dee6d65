"""A game under settings, as environments need it: its seats, and the layout of its stages."""
import functools
import os

from .errors import UsageError
from .library import Handle, json_bytes, json_of, library
from .program import provide_python


@functools.lru_cache(maxsize=None)
def _catalogue(_path, _process, plugins, trust):
    """Plugins are loaded once in a process."""
    options = json_bytes({"plugins": list(plugins), "trust": trust}, "plugins")
    loaded = library()
    provide_python()
    return Handle("catalogue", lambda out: loaded.agon_open(options, out), loaded.agon_close, shared=True)


class Game:
    """`description` is that of agon_game_describe()."""

    def __init__(self, game, preset, settings, entries, plugins, trust):
        checked_count(entries, "entries", most=1000)
        for what, value in (("game", game), ("preset", preset)):
            if not isinstance(value, str):
                raise UsageError(f"{what} is a text, not {value!r}")
        if not isinstance(settings, (dict, type(None))):
            raise UsageError(f"settings is a dict of what differs from the preset, not {settings!r}")
        plugins = checked_plugins(plugins)
        file = _file_of(game)
        if file is not None and os.path.abspath(file) not in map(os.path.abspath, plugins):
            plugins += (file,)
        given = None if settings is None else json_bytes(settings, "settings")
        loaded = library()
        catalogue = _catalogue(loaded._name, os.getpid(), plugins, bool(trust))
        with catalogue as pointer:
            self.handle = Handle("game", lambda out: loaded.agon_game_open(
                pointer, game.encode(), preset.encode(), given, out), loaded.agon_game_close, catalogue, shared=True)
        with self.handle as pointer:
            self.description = json_of(loaded.agon_game_describe, pointer, entries)
        self.id = self.description["id"]
        self.names = [seat["name"] for seat in self.description["seats"]]
        self.stages = self.description["stages"]

    def columns(self, stage, part="view"):
        """The paths of the columns of a stage, by its name or number: of its "view" or its "places"."""
        if part not in ("view", "places"):
            raise UsageError(f"unknown part {part!r}; expected 'view' or 'places'")
        for number, each in enumerate(self.stages):
            if stage in (number, each["name"]):
                return [column["path"] for column in each[part]]
        raise UsageError(f"unknown stage {stage!r}; expected {', '.join(each['name'] for each in self.stages)}")

    def __reduce__(self):
        raise UsageError("a game cannot be copied or pickled", hint="make the environment again; its copies and "
                         "pickles are new ones")

    def outside(self, agents):
        """The seats that none of `agents` plays, which are by number, name or role."""
        return [number for number, seat in enumerate(self.description["seats"])
                if not {str(number), seat["name"], seat.get("role")} & set(agents)]


def _file_of(game):
    """The file of "./my_game.py" and "games.py:chicken"; None: `game` is the name of one."""
    file, colon, name = game.rpartition(":")
    if not colon or "/" in name or os.path.isfile(game):
        file = game
    return file if "/" in file or file.endswith((".py", ".so")) else None


def table_options(agents, entries, **more):
    """Options of agon_env_make() and agon_vec_make(), and the agents in them by texts."""
    if not isinstance(agents, (dict, type(None))):
        raise UsageError(f"agents is a dict of who plays a seat, by number, name or role, not {agents!r}",
                         hint='write agents={"buyer": "time-dependent"}')
    agents = {str(seat): agent for seat, agent in (agents or {}).items()}
    return agents, json_bytes({"agents": agents, "entries": entries, **more}, "agents")


def checked_count(value, what, least=0, most=2**31 - 1):
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise UsageError(f"{what} is a whole number from {least} to {most}, not {value!r}")
    return value


def checked_plugins(plugins):
    if isinstance(plugins, (str, os.PathLike)):
        plugins = (plugins,)
    try:
        return tuple(os.fspath(each) for each in plugins)
    except TypeError:
        raise UsageError(f"plugins is a list of paths, not {plugins!r}",
                         hint='write plugins=["./my_game.py"]') from None


def checked_flag(value, what):
    if not isinstance(value, bool):
        raise UsageError(f"{what} is True or False, not {value!r}")
    return value


def checked_seed(seed, what="seed"):
    """A number from 0 to 2**64 - 1, also one of NumPy."""
    number = seed.__index__() if hasattr(seed, "__index__") and not isinstance(seed, bool) else -1
    if not 0 <= number < 1 << 64:
        raise UsageError(f"{what} is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return number


def drawn_seed():
    return int.from_bytes(os.urandom(8), "little")


class Layout:
    """The arrays of those stages that are asked; probes may not be. `count` is the number of finite
    actions: those of the stages stand one behind another. It is None where the answers of a stage
    are not finite; the number of an action is then that of the asked stage alone. `ranges` has the
    first and the last number of stages that number() made finite."""

    def __init__(self, game, probes):
        self.stages = {number: stage for number, stage in enumerate(game.stages) if probes or not stage["probe"]}
        self.views = max((len(stage["view"]) for stage in self.stages.values()), default=0)
        self.places = max((len(stage["places"]) for stage in self.stages.values()), default=0)
        self.ranges, self.count = {}, None
        self._sizes = {number: stage["actions"] or 0 for number, stage in self.stages.items()}
        self._first = dict.fromkeys(self.stages, 0)
        if all(stage["actions"] is not None for stage in self.stages.values()):
            self._place()

    def number(self, ranges):
        """Makes all actions numbers; stages that are neither finite nor in `ranges` have none."""
        self.ranges = ranges
        self._sizes.update({stage: last - first + 1 for stage, (first, last) in ranges.items()})
        self._place()

    def _place(self):
        self.count = 0
        for stage, size in self._sizes.items():
            self._first[stage] = self.count
            self.count += size

    def part(self, stage):
        """The first action of a stage, and the one behind its last."""
        return self._first[stage], self._first[stage] + self._sizes[stage]
