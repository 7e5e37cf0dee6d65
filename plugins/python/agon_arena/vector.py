"""Many tables of one game at once, in arrays of NumPy that the C library writes in place."""
import ctypes

from .errors import UsageError
from .game import Game, Layout, checked_count, checked_flag, checked_seed, drawn_seed, table_options
from .library import Handle, VecBuffers, library

try:
    import numpy
except ImportError:
    numpy = None


def _checked_type(dtype):
    try:
        found = numpy.dtype(numpy.float64 if dtype is None else dtype)
    except TypeError:
        found = None
    if found not in (numpy.float32, numpy.float64):
        raise UsageError(f"dtype is numpy.float32 or numpy.float64, not {dtype!r}")
    return found


class VectorEnv:
    """n tables. A row of each array is one table; W and P are the widest view and the most places
    of any stage, S is the number of seats.

    view        n x W   what the asked seat sees; columns(stage) names the columns
    low, high   n x P   bounds of each place of its answer; columns(stage, "places") names them
    mask        n x P   bit i: value i of a boolean, enumeration, variant or optional may be chosen
    seat, stage n       who is asked what, by number
    over        n       1 if a match ended in this step; the row shows the next one already
    payoff      n x S   how it ended where over, by seat
    normalized  n x S   the same as normalized scores
    fallback    n       1 if the last answer was not legal, and the game's fallback was played

    The arrays stay the same objects, and each step writes over them. With dtype=numpy.float32 view,
    low, high, payoff and normalized are of that type, and numbers beyond 2**24 are rounded.
    """

    def __init__(self, game, n, preset="", settings=None, agents=None, *, entries=0, probes=False, seed=None,
                 dtype=None, plugins=(), trust=False):
        if numpy is None:
            raise UsageError("VectorEnv needs NumPy", hint="install numpy, or use agon.make()")
        dtype = _checked_type(dtype)
        self.n = checked_count(n, "n", least=1, most=20000)
        self._seed = None if seed is None else checked_seed(seed)
        self.game = Game(game, preset, settings, entries, plugins, trust)
        _agents, options = table_options(agents, entries, probes=checked_flag(probes, "probes"),
                                         **({"float32": True} if dtype == numpy.float32 else {}))
        every = Layout(self.game, probes=True)
        views, places, seats = every.views, every.places, len(self.game.names)
        self.view = numpy.zeros((n, views), dtype)
        self.low, self.high = numpy.zeros((n, places), dtype), numpy.zeros((n, places), dtype)
        self.mask = numpy.zeros((n, places), numpy.uint64)
        self.seat, self.stage = numpy.zeros(n, numpy.int32), numpy.zeros(n, numpy.int32)
        self.over, self.fallback = numpy.zeros(n, numpy.uint8), numpy.zeros(n, numpy.uint8)
        self.payoff, self.normalized = numpy.zeros((n, seats), dtype), numpy.zeros((n, seats), dtype)
        buffers = VecBuffers(*(getattr(self, name).ctypes.data for name, _type in VecBuffers._fields_))
        self._library, self._begun = library(), False
        with self.game.handle as pointer:
            self._handle = Handle("environment", lambda out: self._library.agon_vec_make(
                pointer, options, n, ctypes.byref(buffers), out), self._library.agon_vec_free, self.game.handle)

    def columns(self, stage, part="view"):
        """The paths of the columns of a stage, by its name or number: of its "view" or its "places"."""
        return self.game.columns(stage, part)

    def reset(self, seed=None):
        """Begins all matches. Table i plays blocks i, i + n, i + 2n, ... of the seed; without one,
        of that of the constructor, or of a drawn one. Returns the view."""
        if seed is not None:
            self._seed = checked_seed(seed)
        elif self._seed is None:
            self._seed = drawn_seed()
        with self._handle as pointer:
            self._begun = False
            self._library.agon_vec_reset(pointer, self._seed)
            self._begun = True
        self.over[:] = 0
        self.fallback[:] = 0
        return self.view

    def step(self, places=None):
        """Answers at every table: an array of n x P, or None for uniform draws over the legal
        answers. Returns view, payoff and over; payoff and normalized hold where over is 1."""
        if not self._begun:
            raise UsageError("no match is being played, or a game broke", hint="call reset() first")
        address = None
        if places is not None:
            places = self._checked(places)
            address = places.ctypes.data
        with self._handle as pointer:
            self._begun = False  # until what follows has worked
            self._library.agon_vec_step(pointer, address)
            self._begun = True
        return self.view, self.payoff, self.over

    def _checked(self, places):
        """As the library reads it; no copy is made of an array of doubles that lies in order."""
        try:
            array = numpy.ascontiguousarray(places, dtype=numpy.float64)
        except (TypeError, ValueError):
            raise UsageError(f"places is an array of numbers, not {type(places).__name__}") from None
        if array.shape != self.low.shape:
            raise UsageError(f"places has shape {array.shape}; expected {self.low.shape}: a row a table, a column a "
                             "place")
        return array

    def __reduce__(self):
        raise UsageError("a VectorEnv cannot be copied or pickled", hint="make another one")

    def close(self):
        self._handle.close()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()
