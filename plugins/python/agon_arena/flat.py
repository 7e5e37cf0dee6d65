"""Observations as arrays of NumPy, and the spaces that they and the actions are in."""
import ctypes
import math

import numpy

from . import spaces
from .errors import UsageError

_MOST_NAMES = 62  # that an answer is chosen from; Gymnasium draws no masks of more bits


class Flat:
    """In a layout: {"observation", "action_mask"} where actions are finite, else {"observation",
    "low", "high", "mask", "stage"}."""

    def __init__(self, layout):
        self._layout = layout
        self._views, self._places = max(layout.views, 1), max(layout.places, 1)  # no array is empty
        doubles, masks = ctypes.c_double * self._places, ctypes.c_uint64 * self._places
        self._low, self._high, self._mask = doubles(), doubles(), masks()  # of a question whose actions are numbers

    def observation_space(self):
        views = self._box("view", self._views)
        if self._layout.count is not None:
            mask = spaces.Box(numpy.zeros(self._layout.count, numpy.int8), numpy.ones(self._layout.count, numpy.int8),
                              dtype=numpy.int8)
            return spaces.Dict({"observation": views, "action_mask": mask})
        anything = numpy.full(self._places, math.inf)
        masks = numpy.zeros(self._places, numpy.uint64)
        for stage in self._layout.stages.values():
            for place, column in enumerate(stage["places"]):
                options = _MOST_NAMES if column["kind"] == "seat" else _options(column)
                masks[place] = max(int(masks[place]), (1 << options) - 1)
        return spaces.Dict({
            "observation": views,
            "low": spaces.Box(-anything, anything, dtype=numpy.float64),
            "high": spaces.Box(-anything, anything, dtype=numpy.float64),
            "mask": spaces.Box(numpy.zeros_like(masks), masks, dtype=numpy.uint64),
            "stage": spaces.Discrete(max(self._layout.stages) + 1)})

    def action_space(self):
        if self._layout.count is not None:
            return spaces.Discrete(self._layout.count)
        return self._box("places", self._places)

    def blank(self):
        """What a seat sees that was not asked yet."""
        seen = {"observation": numpy.zeros(self._views)}
        if self._layout.count is not None:
            seen["action_mask"] = numpy.zeros(self._layout.count, numpy.int8)
            return seen
        seen["low"], seen["high"] = numpy.zeros((2, self._places))
        seen["mask"] = numpy.zeros(self._places, numpy.uint64)
        seen["stage"] = numpy.int64(0)
        return seen

    def read(self, library, pointer, question, stage):
        """What the seat of an open question sees."""
        seen = self.blank()
        library.agon_env_view(pointer, question, _memory(seen["observation"]))
        if self._layout.count is not None:
            first, end = self._layout.part(stage)
            if stage in self._layout.ranges or first == end:
                self._allow(library, pointer, question, stage, seen["action_mask"][first:end])
            else:
                library.agon_env_actions(pointer, question, _memory(seen["action_mask"], first))
            return seen
        library.agon_env_bounds(pointer, question, *(_memory(seen[name]) for name in ("low", "high", "mask")))
        seen["stage"] = numpy.int64(stage)
        return seen

    def _allow(self, library, pointer, question, stage, mask):
        """Marks what is legal now of a stage whose bounds were looked at."""
        library.agon_env_bounds(pointer, question, self._low, self._high, self._mask)
        low, high = self._low[0], self._high[0]
        first, last = self._layout.ranges.get(stage, (0, -1))
        if not first <= low <= high <= last:
            raise UsageError(f"stage '{self._layout.stages[stage]['name']}' asks for what no action is a number of",
                             hint="use numbered=False: actions are arrays of places")
        mask[int(low) - first:int(high) - first + 1] = 1

    def _box(self, part, width):
        """Around the columns of all stages, and around 0, which is behind the last entry of a list."""
        low, high = numpy.zeros((2, width))
        for stage in self._layout.stages.values():
            for place, column in enumerate(stage[part]):
                least, most = _bounds(column, part)
                low[place], high[place] = min(low[place], least), max(high[place], most)
        return spaces.Box(low, high, dtype=numpy.float64)


def _memory(array, offset=0):
    """What a function of the library takes as the place of an array; a third of what array.ctypes takes."""
    return ctypes.byref(ctypes.c_char.from_buffer(array, offset))


def _options(column):
    """How many values a place with a mask has; 0: it has none."""
    if column["kind"] in ("enumeration", "variant"):
        return len(column["names"])
    return 2 if column["kind"] in ("boolean", "present") else 0


def _bounds(column, part):
    if column["kind"] == "seat":  # in an answer: which of the names that may be given now
        return -1.0 if part == "view" else 0.0, _MOST_NAMES - 1.0
    if _options(column):
        return 0.0, _options(column) - 1.0
    low, high = column["low"], column["high"]
    return -math.inf if low is None else low, math.inf if high is None else high
