"""Which agent a function is: a digest of its code and of what it computes with."""
import functools
import hashlib
import inspect
import types

_DEEPEST = 8


def version_of(agent):
    """Its own `version`, or a digest of its code, its default and bound arguments, the variables around
    it, the state of its object, and the functions of its own module that it calls. Notes of where the
    code stands are no part of it."""
    given = getattr(agent, "version", None)
    if given is not None and not callable(given):
        return str(given)
    digest = hashlib.sha256()
    _add(digest, agent, _DEEPEST, set())
    return digest.hexdigest()[:16]


def _add(digest, value, depth, seen):
    """Takes in a value: plain ones by what they are, others by their type and what is in them."""
    digest.update(type(value).__qualname__.encode() + b"(")
    if isinstance(value, (type(None), bool, int, float, complex, str, bytes)):
        digest.update(repr(value).encode())
    elif depth > 0 and id(value) not in seen:
        for part in _parts(value):
            _add(digest, part, depth - 1, seen | {id(value)})
    digest.update(b")")


def _parts(value):
    """What a value consists of."""
    if isinstance(value, types.CodeType):
        return [value.co_code, value.co_names, value.co_varnames,
                [each for each in value.co_consts if each is not value.co_consts[0] or not isinstance(each, str)]]
    if isinstance(value, types.FunctionType):
        return [value.__code__, value.__defaults__, value.__kwdefaults__, inspect.getclosurevars(value).nonlocals,
                _globals_of(value), getattr(value, "__wrapped__", None)]
    if isinstance(value, types.MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, functools.partial):
        return [value.func, value.args, value.keywords]
    if isinstance(value, dict):
        return [part for item in sorted(value.items(), key=lambda item: repr(item[0])) for part in item]
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, type):
        return [value.__qualname__, {name: each for name, each in vars(value).items()
                                     if isinstance(each, (types.FunctionType, staticmethod, classmethod, property)) or
                                     not name.startswith("__") and not callable(each)}]
    if isinstance(value, (staticmethod, classmethod)):
        return [value.__func__]
    if isinstance(value, property):
        return [value.fget]
    if hasattr(value, "tobytes") and hasattr(value, "shape"):  # an array
        return [str(value.shape), value.tobytes()]
    if isinstance(value, types.ModuleType):
        return [value.__name__]
    return [type(value), getattr(value, "__dict__", None)]


def _globals_of(function):
    """What the function reads of its module: plain values, and functions and classes that stand there."""
    found = {}
    for name in _names_in(function.__code__):
        value = function.__globals__.get(name)
        if isinstance(value, (types.FunctionType, type)) and value.__module__ == function.__module__ or \
                isinstance(value, (bool, int, float, str, tuple, functools.partial)):
            found[name] = value
    return found


def _names_in(code):
    names = set(code.co_names)
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            names.update(_names_in(each))
    return sorted(names)
