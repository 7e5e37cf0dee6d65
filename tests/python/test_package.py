"""The package agon_arena as a Python meets it: its names, what it loads, and the command."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from arena import MODULE


def python(*words, folder=MODULE, **environment):
    """A Python that finds the package in the folder."""
    return subprocess.run([sys.executable, "-B", *words], capture_output=True, text=True,
                          env={"PYTHONPATH": folder, "PATH": "/nowhere", **environment})


class Package(unittest.TestCase):
    def said(self, code, **more):
        run = python("-c", code, **more)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout.strip()

    def test_both_names_are_one_module(self):
        self.assertEqual(self.said("import agon, agon_arena; print(agon is agon_arena, agon.game.__module__)"),
                         "True agon_arena")
        self.assertEqual(self.said("import agon_arena as a; from agon import *; print(read is a.read, Money is a.Money)"),
                         "True True")

    def test_a_game_starts_without_what_it_does_not_need(self):
        late = {"ctypes", "decimal", "subprocess", "tempfile", "agon_arena.archive", "agon_arena.environment",
                "agon_arena.library", "agon_arena.program", "agon_arena.vector"}
        self.assertEqual(self.said("import sys; before = set(sys.modules); import agon_arena; "
                                   f"print(sorted({late} & (set(sys.modules) - before)))"), "[]")
        self.assertEqual(self.said("import agon_arena as a; print({'read', 'make', 'VectorEnv', 'game'} <= set(dir(a)))"),
                         "True")

    def test_what_is_missing_is_told(self):
        self.assertEqual(self.said("import agon_arena; print(hasattr(agon_arena, 'cats'))"), "False")
        with tempfile.TemporaryDirectory() as folder:
            package = os.path.join(folder, "agon_arena")
            os.mkdir(package)
            shutil.copy(os.path.join(MODULE, "agon_arena", "__init__.py"), package)
            for name, part in (("read", "archive"), ("make", "environment"), ("AECEnv", "environment"),
                               ("ParallelEnv", "environment"), ("VectorEnv", "vector")):
                run = python("-c", f"from agon_arena import {name}", folder=folder)
                self.assertIn(f"ImportError: agon.{name} is not in this copy of the module: {part}.py is missing in "
                              f"{package}; take the whole folder", run.stderr)

    def test_it_is_the_command(self):
        run = python("-m", "agon_arena", "play", "a b", AGON="/bin/echo")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "play a b\n", ""))
        run = python("-m", "agon_arena", AGON="/nowhere/agon")
        self.assertEqual((run.returncode, run.stderr),
                         (1, "agon: /nowhere/agon cannot be run: No such file or directory\n"))

    def test_a_command_that_finds_only_itself_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "agon")
            with open(script, "w") as file:
                file.write(f"#!{sys.executable} -B\nfrom agon_arena.__main__ import main\nmain()\n")
            os.chmod(script, 0o755)
            for environment in {}, {"PATH": folder}, {"AGON": script}:
                for words in ["-m", "agon_arena"], [script]:
                    run = python(*words, **environment)
                    self.assertEqual(run.returncode, 1)
                    self.assertIn("agon: the program is not beside the package agon_arena", run.stderr)
