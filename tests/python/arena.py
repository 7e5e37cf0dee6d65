"""The arena's end of the game protocol, for tests of agon_arena: a game in a process of its own."""
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULE = os.path.join(SOURCE, "plugins", "python")

HEAD = """\
import enum
from dataclasses import dataclass
from typing import Dict, List, Optional, Union
import agon
@dataclass
class Move:
    n: int = agon.field(0, "a number")
MOVE = agon.Stage("move", Move, "a number")
SAID = agon.Event("said", Move, "a number was said")
"""
HEAD_LINES = HEAD.count("\n")
TAIL = """
agon.game("small", play, rules="Say a number.")
"""


class Process:
    """A file of games, started as the arena starts it."""

    def __init__(self, path):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-c", "import agon; agon.main()", path],
            cwd=os.path.dirname(os.path.abspath(__file__)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            env={"PYTHONPATH": MODULE, "PATH": os.environ["PATH"]})

    def say(self, **message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise EOFError(self.complaints())
        return json.loads(line)

    def ask(self, **message):
        self.say(**message)
        return self.hear()

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def end(self):
        """No more is said: returns the exit code and what was not heard."""
        self.process.stdin.close()
        rest = self.process.stdout.read()
        self.process.stdout.close()
        code = self.process.wait()
        self.errors.close()
        return code, rest


class GameTest(unittest.TestCase):
    """With a folder for files of games, and processes that are ended."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.started = []
        self.addCleanup(lambda: [each.end() for each in self.started])

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def start(self, path):
        process = Process(path)
        self.started.append(process)
        return process

    def end(self, process):
        self.started.remove(process)
        return process.end()

    def load(self, body, tail=TAIL):
        """A process that plays a file of HEAD, this and the call of agon.game(), and its hello."""
        process = self.start(self.write("small.py", HEAD + textwrap.dedent(body) + "\n" + tail))
        return process, process.ask(type="hello", protocol=1)

    def play(self, process, seats=2, settings=None, game="small", **more):
        """The first thing that the game says in a match."""
        return process.ask(type="play", game=game, settings=settings or {},
                           names=["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus"][:seats], **more)

    def match(self, body, seats=2, **more):
        """A process with such a `play`, and what it says first."""
        text = "def play(table: agon.Table[MOVE, SAID]):\n" + textwrap.indent(textwrap.dedent(body), "    ")
        process, hello = self.load(text)
        self.assertEqual(hello["type"], "hello", hello)
        return process, self.play(process, seats, **more)
