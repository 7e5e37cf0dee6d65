"""The C library of Agon, over ctypes: its functions as agon.h declares them, its errors as
exceptions, its handles as objects that are freed."""
import ctypes
import functools
import glob
import json
import os
import re
import threading
import weakref
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_uint64, c_void_p

from . import program
from .errors import Error, FailedError, InvalidError, UsageError

VERSION = 1  # of the interface, AGON_C_VERSION of the header that this file follows
FILE = "libagon_c.so"


class Question(ctypes.Structure):
    _fields_ = [(name, c_int32) for name in ("seat", "stage", "attempt", "together")]


class SeatOutcome(ctypes.Structure):
    _fields_ = [("payoff", c_double), ("normalized", c_double), ("rank", c_int32), ("fallbacks", c_int32)]


class VecBuffers(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("view", "low", "high", "mask", "seat", "stage", "over", "payoff",
                                              "normalized", "fallback")]


class Host(ctypes.Structure):
    PRINT = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_uint64)
    SAY = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
    SHOW = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, c_uint64, c_uint64)
    TELL = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_uint64, c_char_p, c_void_p)
    _fields_ = [("user", c_void_p), ("print", PRINT), ("say", SAY), ("show", SHOW), ("tell", TELL),
                ("stop", POINTER(c_int32)), ("suite", c_char_p)]


_HANDLE_OUT, _TEXT_OUT = POINTER(c_void_p), POINTER(c_char_p)

# Arrays are c_void_p: the address of a NumPy array as well as an array of ctypes.
FUNCTIONS = {
    "agon_version": (c_int, ()),
    "agon_last_error": (c_char_p, ()),
    "agon_open": (c_int, (c_char_p, _HANDLE_OUT)),
    "agon_close": (None, (c_void_p,)),
    "agon_list": (c_int, (c_void_p, _TEXT_OUT)),
    "agon_game_open": (c_int, (c_void_p, c_char_p, c_char_p, c_char_p, _HANDLE_OUT)),
    "agon_game_close": (None, (c_void_p,)),
    "agon_game_describe": (c_int, (c_void_p, c_int, _TEXT_OUT)),
    "agon_env_make": (c_int, (c_void_p, c_char_p, _HANDLE_OUT)),
    "agon_env_free": (None, (c_void_p,)),
    "agon_env_reset": (c_int, (c_void_p, c_uint64, c_uint64)),
    "agon_env_open": (c_int, (c_void_p, POINTER(Question), c_int)),
    "agon_env_view": (c_int, (c_void_p, c_int, c_void_p)),
    "agon_env_bounds": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p)),
    "agon_env_actions": (c_int, (c_void_p, c_int, c_void_p)),
    "agon_env_question": (c_int, (c_void_p, c_int, _TEXT_OUT)),
    "agon_env_answer": (c_int, (c_void_p, c_int, c_void_p)),
    "agon_env_answer_json": (c_int, (c_void_p, c_int, c_char_p)),
    "agon_env_answer_action": (c_int, (c_void_p, c_int, c_int64)),
    "agon_env_step": (c_int, (c_void_p,)),
    "agon_env_outcome": (c_int, (c_void_p, POINTER(SeatOutcome), _TEXT_OUT)),
    "agon_env_fallbacks": (c_int, (c_void_p, c_void_p)),
    "agon_env_told": (c_int, (c_void_p, c_int, _TEXT_OUT)),
    "agon_env_record": (c_int, (c_void_p, _TEXT_OUT)),
    "agon_vec_make": (c_int, (c_void_p, c_char_p, c_int, POINTER(VecBuffers), _HANDLE_OUT)),
    "agon_vec_free": (None, (c_void_p,)),
    "agon_vec_reset": (c_int, (c_void_p, c_uint64)),
    "agon_vec_step": (c_int, (c_void_p, c_void_p)),
    "agon_command": (c_int, (c_char_p, POINTER(Host), POINTER(c_int))),
    "agon_answer": (c_int, (c_void_p, c_char_p)),
}
_COUNTS = {"agon_version", "agon_env_open"}  # return a number, and less than 0 for an error

_ERRORS = {1: UsageError, 2: InvalidError, 3: FailedError}


def library():
    """The library, loaded once for each place where it is."""
    return _loaded(_found())


def _found():
    """In AGON_LIBRARY, in the wheel, or in the installation or build folder that this file is in."""
    given = os.environ.get("AGON_LIBRARY")
    if given:
        return os.path.join(given, FILE) if os.path.isdir(given) else given
    package = os.path.dirname(os.path.abspath(__file__))
    above = os.path.normpath(os.path.join(package, "..", "..", "..", ".."))  # of share/agon/python/agon_arena
    tried = [os.path.join(package, "tree", "lib", FILE)]
    tried += [os.path.join(above, folder, FILE) for folder in ("lib", "lib64")]
    tried += sorted(glob.glob(os.path.join(glob.escape(above), "lib", "*-linux-gnu*", FILE)))
    for path in tried:
        if os.path.exists(path):
            return path
    raise FailedError(f"{FILE} not found; tried {', '.join(tried)}",
                      hint="set AGON_LIBRARY to the file, as in a build folder: AGON_LIBRARY=build/lib/" + FILE)


@functools.lru_cache(maxsize=None)
def _loaded(path):
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise _unloadable(path, str(error)) from None
    for name, (result, arguments) in FUNCTIONS.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            raise _too_old(path, f"it has no {name}()") from None
        function.restype, function.argtypes = result, arguments
        if result is c_int:
            function.errcheck = functools.partial(_checked, loaded)
    version = loaded.agon_version()
    if version < VERSION:
        raise _too_old(path, f"it has version {version} of the interface")
    return loaded


def _unloadable(path, error):
    unfit = None if os.environ.get("AGON_LIBRARY") else program.unfit()
    if unfit:
        return FailedError(unfit[0], hint=unfit[1])
    if "' not found (required by" in error:  # words of the dynamic linker: `version `GLIBC_2.38' not found ...`
        return FailedError(f"{path} was built for a newer system than this one: {error}",
                           hint="use a newer Linux distribution, or build Agon on this machine")
    return FailedError(f"{path} cannot be loaded: {error}", hint="AGON_LIBRARY names the file to load instead")


def _too_old(path, what):
    return FailedError(f"{path} is older than this Python package: {what}; version {VERSION} is needed",
                       hint="install Agon and its Python package from the same release")


def _checked(loaded, result, function, _arguments):
    if result == 0 or (result > 0 and function.__name__ in _COUNTS):
        return result
    said = {}
    try:
        said = json.loads(loaded.agon_last_error() or b"{}")
    except ValueError:
        pass  # the number of the error is all there is
    kind = _ERRORS.get(abs(result), Error)
    names = {} if function.__name__ == "agon_command" else {"plugin": "plugins"}
    raise kind(*(in_python(said.get(part) or "", names) for part in ("problem", "where", "hint"))
               if said.get("problem") else (f"{function.__name__}() failed with error {result}",))


_FLAGS = {"all-suites", "anytime", "asymmetric", "full", "no-records", "trust"}


def in_python(text, names=()):
    """Words about options of a command line as words about arguments: "add --blocks 5" is "add
    blocks=5". Command lines in quotes stay."""
    def argument(found):
        if found["kept"]:
            return found["kept"]
        name = found["quoted"] or found["name"]
        written = dict(names).get(name, name).replace("-", "_")
        if found["quoted"]:
            return f"'{written}'"
        value = found["value"]
        if value is None:
            return f"{written}={name in _FLAGS or ''}"
        is_name = value.isupper() or value.replace(".", "").isdigit()
        return f"{written}={value if is_name else json.dumps(value)}"

    return re.sub(r"(?P<kept>'agon [^']*')|'--(?P<quoted>[a-z][a-z-]*)'|(?<![\w-])--(?P<name>[a-z][a-z-]*)"
                  r"(?:[ =](?P<value>[A-Z]+\b|\d+(?:\.\d+)?\b|[a-z][\w.:-]*(?=$|[,;]| or --)))?", argument, text)


class Handle:
    """A pointer of the library. `with handle as pointer:` lets one thread in at a time, of the
    process that made it; others wait where the handle is `shared`, and get an error where not. It
    is freed by close(), or with this object; its parent outlives it."""

    def __init__(self, what, make, free, parent=None, shared=False):
        pointer = c_void_p()
        make(ctypes.byref(pointer))
        self._what, self._shared = what, shared
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._free = weakref.finalize(self, _free, free, pointer.value, parent, self._process)
        self.pointer = pointer.value

    def __enter__(self):
        if not self._lock.acquire(blocking=self._shared):
            raise UsageError(f"another thread is using this {self._what}", hint="make one for each thread")
        if self._free.alive and self._process == os.getpid():
            return self.pointer
        self._lock.release()
        if not self._free.alive:
            raise UsageError(f"this {self._what} is closed", hint="make another one")
        raise UsageError(f"this {self._what} was made before the process forked",
                         hint="make one in the child process")

    def __exit__(self, *_error):
        self._lock.release()

    def close(self):
        if self._free.alive and self._process == os.getpid():
            with self:
                self._free()


def _free(free, pointer, _parent, process):
    if os.getpid() == process:  # what it holds was not copied whole into a child
        free(pointer)


def text_of(function, *arguments):
    """The text that a function hands out in its last argument."""
    out = c_char_p()
    function(*arguments, ctypes.byref(out))
    return out.value.decode()


def json_of(function, *arguments):
    return json.loads(text_of(function, *arguments))


def _plain(value):
    """A number or an array of NumPy as Python's own."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not JSON")


_write = json.JSONEncoder(allow_nan=False, default=_plain).encode


def json_text(value, what):
    """As JSON for the library."""
    try:
        return _write(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"{what} is no JSON: {error}", hint="use dicts with texts as keys, lists, texts, finite "
                         "numbers, True, False and None") from None


def json_bytes(value, what):
    return json_text(value, what).encode()
