"""Spaces of observations and actions: Gymnasium's where it is installed, else the same in small."""
import numpy

try:
    from gymnasium.spaces import Box, Dict, Discrete
except ImportError:

    class _Space:
        def __init__(self, shape, dtype):
            self.shape, self.dtype = shape, numpy.dtype(dtype)
            self.seed()

        def seed(self, seed=None):
            self._dice = numpy.random.default_rng(seed)

        def __contains__(self, x):
            return self.contains(x)

    class Discrete(_Space):
        """The whole numbers from 0 to n - 1."""

        def __init__(self, n):
            super().__init__((), numpy.int64)
            self.n, self.start = n, 0

        def sample(self, mask=None):
            """A number whose entry in the mask is not 0; 0 if there is none."""
            if mask is None:
                return self._dice.integers(self.n)
            allowed = numpy.flatnonzero(mask)
            return self._dice.choice(allowed) if len(allowed) else numpy.int64(0)

        def contains(self, x):
            whole = isinstance(x, int) or (isinstance(x, (numpy.generic, numpy.ndarray)) and x.shape == ()
                                           and numpy.issubdtype(x.dtype, numpy.integer))
            return whole and bool(0 <= x < self.n)

        def __eq__(self, other):
            return isinstance(other, Discrete) and self.n == other.n

        def __repr__(self):
            return f"Discrete({self.n})"

    class Box(_Space):
        """Arrays of one shape between bounds, which may be infinite."""

        def __init__(self, low, high, dtype):
            self.low, self.high = (numpy.asarray(bound, dtype=dtype) for bound in (low, high))
            super().__init__(self.low.shape, dtype)

        def sample(self, mask=None):
            if mask is not None:
                raise ValueError("a Box has no mask")
            if self.dtype.kind != "f":
                return self._dice.integers(self.low, self.high, dtype=self.dtype, endpoint=True)
            below, above = numpy.isfinite(self.low), numpy.isfinite(self.high)
            far = self._dice.exponential(size=self.shape)
            both = below & above
            within = self._dice.uniform(numpy.where(both, self.low, 0), numpy.where(both, self.high, 1))
            one_sided = numpy.where(below, self.low + far, self.high - far)
            free = self._dice.normal(size=self.shape)
            return numpy.where(both, within, numpy.where(below | above, one_sided, free)).astype(self.dtype)

        def contains(self, x):
            return (isinstance(x, numpy.ndarray) and x.shape == self.shape and numpy.can_cast(x.dtype, self.dtype)
                    and bool(numpy.all(x >= self.low) and numpy.all(x <= self.high)))

        def __eq__(self, other):
            return (isinstance(other, Box) and self.dtype == other.dtype and self.shape == other.shape
                    and bool(numpy.all(self.low == other.low) and numpy.all(self.high == other.high)))

        def __repr__(self):
            return f"Box(shape={self.shape}, dtype={self.dtype})"

    class Dict(_Space):
        """A dict of one space each."""

        def __init__(self, spaces):
            self.spaces = spaces
            super().__init__(None, object)

        def __getitem__(self, name):
            return self.spaces[name]

        def __iter__(self):
            return iter(self.spaces)

        def __len__(self):
            return len(self.spaces)

        def keys(self):
            return self.spaces.keys()

        def values(self):
            return self.spaces.values()

        def items(self):
            return self.spaces.items()

        def seed(self, seed=None):
            for space in self.spaces.values():
                space.seed(seed)

        def sample(self, mask=None):
            return {name: space.sample(mask and mask[name]) for name, space in self.spaces.items()}

        def contains(self, x):
            return (isinstance(x, dict) and x.keys() == self.spaces.keys()
                    and all(space.contains(x[name]) for name, space in self.spaces.items()))

        def __eq__(self, other):
            return isinstance(other, Dict) and self.spaces == other.spaces

        def __repr__(self):
            return f"Dict({', '.join(f'{name}: {space!r}' for name, space in self.spaces.items())})"

__all__ = ["Box", "Dict", "Discrete"]
