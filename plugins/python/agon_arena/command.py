"""The commands of Agon in this process: what `agon WORDS` does, with functions as agents."""
import atexit
import collections
import contextlib
import ctypes
import functools
import json
import os
import queue
import signal
import sys
import threading
import time
import traceback

from . import Seated, _named
from .errors import Error, FailedError, UsageError
from .library import Host, json_text, library
from .program import provide_python


def words_of(options):
    """Options of a command as its words: {"blocks": 5, "trust": True} is --blocks 5 --trust; a list
    gives an option several times; None and False leave it out."""
    words = []
    for name, value in options.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is None or each is False:
                continue
            words.append("--" + name.rstrip("_").replace("_", "-"))
            if each is not True:
                words.append(str(each))
    return words


class Progress:
    """Draws how far a run is: one line that is rewritten, on a terminal and in a notebook."""

    def __init__(self, wanted):
        if wanted not in (True, False, None) and not callable(wanted):
            raise UsageError(f"progress is True, False or a function of done and total, not {_named(wanted)}")
        self._draw = wanted if callable(wanted) else self._line if wanted and _is_seen() else None
        self._drawn, self._shown = "", None
        self._lock, self._is_in_line = threading.RLock(), False  # whether others have begun a line

    def show(self, done, total):
        with self._lock:
            if self._draw is not None and (done, total) != self._shown and not self._is_in_line:
                self._shown = (done, total)
                self._draw(done, total)

    def _line(self, done, total):
        filled = 30 * done // max(total, 1)
        line = f"[{'#' * filled}{'.' * (30 - filled)}] {done} of {total} matches"
        if line != self._drawn:
            self._write("\r" + line)
            self._drawn = line

    def clear(self):
        """Makes room for other words; the line is drawn again below them."""
        with self._lock:
            if self._drawn:
                self._write("\r" + " " * len(self._drawn) + "\r")
                self._drawn, self._shown = "", None

    @contextlib.contextmanager
    def aside(self):
        """What agents print meanwhile takes the place of the line, and does not go on behind it."""
        if self._draw != self._line:
            yield
            return
        before = sys.stdout, sys.stderr
        self._stream = sys.stderr
        own = sys.stdout, sys.stderr = tuple(_Aside(stream, self) for stream in before)
        try:
            yield
        finally:
            self.clear()
            if sys.stdout is own[0]:  # an agent may have put another in its place
                sys.stdout = before[0]
            if sys.stderr is own[1]:
                sys.stderr = before[1]

    def print(self, stream, text):
        with self._lock:
            self.clear()
            if text:
                self._is_in_line = not text.endswith("\n")
            return stream.write(text)

    def _write(self, text):
        self._stream.write(text)
        self._stream.flush()


class _Aside:
    """A stream whose texts take the place of the line of progress."""

    def __init__(self, stream, progress):
        self._stream, self._progress = stream, progress

    def write(self, text):
        return self._progress.print(self._stream, text)

    def writelines(self, lines):
        self.write("".join(lines))

    def __getattr__(self, name):
        return getattr(self._stream, name)


def _is_seen():
    """True on a terminal, and in a notebook, whose output is no terminal."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def execute(words, players=None, *, suite=None, progress=None, quiet=False):
    """Runs a command and returns (exit code, what it printed). Its notes go to sys.stderr, unless
    `quiet`. `players` plays the agents that are functions; `suite` is the text of the suite. Ctrl-C
    asks a run to stop, twice insists; then KeyboardInterrupt is raised."""
    call = _Call([str(word) for word in words], players, suite)
    thread = threading.Thread(target=call.run, name="agon", daemon=True)
    provide_python()

    def insist():
        call.stop.value = 2
        if players is not None:
            players.interrupt()

    def end():  # of this process, whose functions cannot be called later
        insist()
        thread.join(_PATIENCE)
        if thread.is_alive():  # in a call that does not return; what was finished is kept
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(130)

    atexit.register(end)
    aside = contextlib.nullcontext() if progress is None else progress.aside()
    try:
        with aside, _interrupts(lambda times: insist() if times > 1 else setattr(call.stop, "value", 1)) as interrupted:
            thread.start()
            while thread.is_alive() and not _is_out_of_patience(interrupted):
                thread.join(0.05)
                call.tell(progress, quiet)
    except BaseException:  # of progress: nobody waits for the rest
        insist()
        thread.join(10 * _PATIENCE)
        raise
    finally:
        if not thread.is_alive():
            atexit.unregister(end)
    if progress is not None:
        progress.clear()
    call.tell(None, quiet)
    if thread.is_alive():
        sys.stderr.write("an agent's function does not return; the run ends when it does\n")
    if interrupted:
        raise KeyboardInterrupt
    if call.error is not None:
        raise call.error
    return call.exit_code.value, b"".join(call.printed).decode(errors="replace")


_PATIENCE = 3.0  # seconds, from the second Ctrl-C on: a call for a network cannot be interrupted


def _is_out_of_patience(interrupted):
    return len(interrupted) > 1 and time.monotonic() - interrupted[1] > _PATIENCE


@contextlib.contextmanager
def _interrupts(asked):
    """Calls asked(1), asked(2) ... for each Ctrl-C, in the place of KeyboardInterrupt, and gives the
    list of when they came. Only the main thread hears of any."""
    heard = []
    if threading.current_thread() is not threading.main_thread():
        yield heard
        return

    def hear(*_signal):
        heard.append(time.monotonic())
        asked(len(heard))

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)  # None: set by C


def lines(words):
    """What a command prints, line by line as it is asked for."""
    pieces, wanted = queue.Queue(64), threading.Event()
    wanted.set()

    def put(piece):
        while wanted.is_set():
            try:
                return pieces.put(piece, timeout=0.1)
            except queue.Full:
                pass
        raise BrokenPipeError

    def run():
        call.run()
        with contextlib.suppress(BrokenPipeError):
            put(None)

    call = _Call(words, None, None, put)
    thread = threading.Thread(target=run, name="agon", daemon=True)

    def end():
        wanted.clear()
        thread.join()

    thread.start()
    atexit.register(end)
    rest = b""
    try:
        for piece in iter(pieces.get, None):
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line.decode()
    finally:
        end()
        atexit.unregister(end)
    if call.error is not None:
        raise call.error


class _Call:
    """One command: what it is given, and what comes of it. Its callbacks are called from threads of
    the library. `put` takes what is printed, as bytes; where it raises, nobody reads on."""

    def __init__(self, words, players, suite, put=None):
        self.words, self.printed, self.said = words, [], collections.deque()
        self._put = self.printed.append if put is None else put
        self.stop, self.exit_code, self.error, self.shown = ctypes.c_int32(), ctypes.c_int(), None, None
        self._library = library()
        # Kept here, as the library does not keep them.
        self._host = Host(
            None, Host.PRINT(self._print), Host.SAY(lambda _, text: self.said.append(text.decode(errors="replace"))),
            Host.SHOW(self._show), Host.TELL() if players is None else Host.TELL(players.tell),
            ctypes.pointer(self.stop), None if suite is None else suite.encode())

    def _print(self, _user, start, size):
        try:
            self._put(ctypes.string_at(start, size))
        except BrokenPipeError:
            return 1
        return 0

    def _show(self, _user, done, _before, total):
        self.shown = (done, total)

    def run(self):
        try:
            self._library.agon_command(json.dumps(self.words).encode(), self._host, ctypes.byref(self.exit_code))
        except Error as error:
            self.error = error
        except BaseException as error:  # such as one of a signal handler
            self.error = FailedError(f"the command could not be run: {error!r}")

    def tell(self, progress, quiet):
        while self.said:
            text = self.said.popleft()
            if not quiet:
                if progress is not None:
                    progress.clear()
                sys.stderr.write(text)
        if progress is not None and self.shown is not None:
            progress.show(*self.shown)


class Players:
    """The agents of a run that are functions or objects, by name."""

    def __init__(self, agents):
        self.library = library()
        self.failure = None  # of the first that raised: (what, where, exception); nothing of one that is not here
        self._known = threading.local()
        self._agents = {name.encode(): _Player(self, name, agent) for name, agent in agents.items()}

    def tell(self, _user, agent, seat, lines, reply):
        """Host.tell: nothing may be raised here."""
        reply = _Reply(self.library, reply)
        try:
            if not hasattr(self._known, "here"):
                # What Python keeps of a thread of the library would be made again for every call.
                self._known.here = True
                ctypes.pythonapi.PyGILState_Ensure()
            if agent not in self._agents:  # of an archive whose matches go on
                self.fail(agent.decode(), None, None)
                return reply.fail(KeyError(agent))
            self._agents[agent].tell(seat, lines, reply)
        except BaseException as error:
            self.fail(agent.decode(errors="replace"), "before it was asked", error)
            reply.fail(error)

    def fail(self, agent, where, error):
        if self.failure is None:
            self.failure = (agent, where, error)

    def never_asked(self):
        """The names of those that no question came to."""
        return [name.decode() for name, player in self._agents.items() if not player.was_asked]

    def interrupt(self):
        """Raises KeyboardInterrupt in what is computing, as nobody else can end it."""
        for player in self._agents.values():
            for thread in list(player.answering):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))

    def close(self):
        for player in self._agents.values():
            player.close()


class _Reply:
    """The answer to a question, which is given once, whatever interrupts the giving."""

    def __init__(self, library, pointer):
        self._library, self._pointer = library, pointer

    def give(self, message):
        pointer, self._pointer = self._pointer, None
        if pointer:
            self._library.agon_answer(pointer, message.encode())

    def fail(self, error):
        words = "".join(traceback.format_exception_only(type(error), error)).strip()
        self.give(json.dumps({"type": "failed", "id": "any", "problem": words}))


_written = functools.partial(json_text, what="the answer")


class _Player:
    """One agent: a function of a question, or an object with answer(question) and, if it wants to
    hear how matches end, over(ending)."""

    def __init__(self, players, name, agent):
        self._players, self._name = players, name
        self._answer, self._over = answer_of(name, agent), getattr(agent, "over", None)
        self._loop, self._closed = None, False
        self._seats = collections.defaultdict(Seated)
        self.answering, self.was_asked = set(), False
        self._is_async = is_async(self._answer)
        if self._is_async or is_async(self._over):
            import asyncio
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name=f"agon {name}", daemon=True)
            self._thread.start()

    def tell(self, seat, lines, reply):
        self.was_asked = True
        kind, id, heard = self._seats[seat].hear(lines.rstrip(b"\n"))
        if kind == b"over":
            del self._seats[seat]
            self._hear_end(reply, heard)
        elif self._is_async:
            import asyncio
            asyncio.run_coroutine_threadsafe(self._answer_later(reply, id, heard), self._loop)
        else:
            thread = threading.get_ident()
            self.answering.add(thread)
            try:
                reply.give(heard._said(self._answer(heard), id, _written))
            except BaseException as error:
                self._failed(reply, _where(heard), error)
            finally:
                self.answering.discard(thread)

    def _hear_end(self, reply, ending):
        try:
            if self._over is not None and is_async(self._over):
                import asyncio
                asyncio.run_coroutine_threadsafe(self._over(ending), self._loop).result()
            elif self._over is not None:
                self._over(ending)
        except BaseException as error:
            self._failed(reply, "at the end of a match", error)

    async def _answer_later(self, reply, id, question):
        try:
            reply.give(question._said(await self._answer(question), id, _written))
        except BaseException as error:
            if not self._closed:  # else nobody waits for it
                self._failed(reply, _where(question), error)

    def _failed(self, reply, where, error):
        self._players.fail(self._name, where, error)
        reply.fail(error)

    def close(self):
        self._closed = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._cancel)
            self._thread.join(1)
            if not self._thread.is_alive():
                self._loop.close()

    def _cancel(self):
        import asyncio
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.call_soon(self._loop.stop)  # after they have heard of it


def _where(question):
    return f"at '{question.stage}' of match {question.match}"


def answers_later(name, agent):
    """Whether telling it something takes no time: what it awaits is awaited elsewhere."""
    return is_async(answer_of(name, agent)) and getattr(agent, "over", None) is None


def is_async(function):
    import inspect
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))


def answer_of(name, agent):
    """What answers questions in an agent that is a function or an object."""
    answer = getattr(agent, "answer", agent)
    if isinstance(agent, type) or not callable(answer):
        raise UsageError(f"the agent '{name}' is {_named(agent)}: a function of a question, or an object with "
                         "answer(question), is needed", hint="make an object of the class: agents={\"mine\": Mine()}"
                         if isinstance(agent, type) else "write agents={\"mine\": function}")
    return answer
