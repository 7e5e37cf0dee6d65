#!/usr/bin/env python3
"""completions.py SOURCE BUILD: a tab at real shells, bash and, if it is there, zsh."""
import os
import pty
import select
import shutil
import sys
import tempfile
import time

source, build = sys.argv[1:]

# What is typed before the tab, and the words that then stand in the line.
CASES = [
    ("agon repl", "agon replay"),
    ("agon sol", "agon solve"),  # of a plugin
    ("agon report --fault-p", "agon report --fault-policy"),
    ("agon report --fault-policy forf", "agon report --fault-policy forfeit"),
    ("agon report --format=mark", "agon report --format=markdown"),
    ("agon report --section leader", "agon report --section leaderboard"),
    ("agon list imp", "agon list importers"),
    ("agon describe english", "agon describe english-auction"),
    ("agon describe judging-k", "agon describe judging-key"),
    ("agon describe openr", "agon describe openrouter"),
    ("agon describe bargaining.pro", "agon describe bargaining.products"),
    ("agon help --m", "agon help --man"),
    ("agon run mine.json --model openr", "agon run mine.json --model openrouter"),
    ("agon run mine.json --model m=moc", "agon run mine.json --model m=mock"),
    ("agon play water-all", "agon play water-allocation"),
    ("agon play water-allocation --agent surv", "agon play water-allocation --agent survivor"),
    ("agon play water-allocation --preset pap", "agon play water-allocation --preset paper"),
    ("agon play water-allocation --set day", "agon play water-allocation --set days="),
    ("agon play bargaining --seat buyer=hum", "agon play bargaining --seat buyer=human"),
    ("agon new su", "agon new suite"),
    ("agon run mi", "agon run mine.json"),
    ("agon report mi", "agon report mine.agon"),
    ("agon judge mine.agon --out fol", "agon judge mine.agon --out folder"),
    ("agon run mine.json --out no", "agon run mine.json --out notes.txt"),
    ("agon check-agent --sec", "agon check-agent --seconds"),
    ("agon check ebay --only priv", "agon check ebay --only privacy"),
]

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], f"source {source}/core/packaging/completions/agon.bash"),
    "zsh": (["zsh", "-f", "-i"],
            f"fpath=({source}/core/packaging/completions $fpath); autoload -U compinit; compinit -D -u"),
}


class Shell:
    def __init__(self, words, folder):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            for name in ("AGON_PLUGIN_PATH", "ENV", "BASH_ENV"):
                os.environ.pop(name, None)
            os.environ.update(PATH=build + "/bin:" + os.environ["PATH"], TERM="dumb",
                              HOME=folder, LC_ALL="C.UTF-8")
            os.execvp(words[0], words)
        self.seen = ""

    def type(self, text):
        os.write(self.terminal, text.encode())

    def wait(self, text, seconds=60):
        """Reads until `text` has been shown; what came before it, or None if it never comes."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            if time.monotonic() > end or not select.select([self.terminal], [], [], 1)[0]:
                if time.monotonic() > end:
                    return None
                continue
            try:
                self.seen += os.read(self.terminal, 4096).decode(errors="replace")
            except OSError:
                return None
        before, self.seen = self.seen.split(text, 1)
        return before

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def check(name):
    words, start = START[name]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in ("mine.json", "mine.agon", "notes.txt"):
            open(os.path.join(folder, file), "w").close()
        os.mkdir(os.path.join(folder, "folder"))
        shell = Shell(words, folder)
        shell.type("told() { printf '<<%s>>\\n' \"$*\"; }; " + start + "; told rea\"\"dy\r")
        if shell.wait("<<ready>>") is None:
            print(f"{name} does not start: {shell.seen}")
            return 1
        for typed, wanted in CASES:
            # The line goes to told() once the tab has been answered.
            shell.type(typed + "\t" + "\x01told \r")
            if shell.wait("<<") is None:
                print(f"{name}: '{typed}' and a tab show nothing: {shell.seen}")
                return failures + 1
            # Of a folder's name zsh takes the slash away when more is typed.
            found = (shell.wait(">>") or "").strip().rstrip("/")
            if found != wanted:
                failures += 1
                print(f"{name}: '{typed}' and a tab make '{found}', not '{wanted}'")
        shell.type("exit\r")
        shell.close()
    print(f"{name}: {len(CASES) - failures} of {len(CASES)}")
    return failures


failures = 0
for shell in START:
    if shutil.which(shell):
        failures += check(shell)
    else:
        print(f"skipped: there is no {shell} here")
sys.exit(1 if failures else 0)
