#!/usr/bin/env python3
"""Plays a suite in shards under Slurm, Snakemake and GNU parallel, all on this machine.

    python3 tests/cluster/check.py build/bin/agon [slurm|snakemake|parallel ...]

Jobs are stopped (TERM), killed (KILL) and queued again midway. The merged archive must then have
the report and the exports of an unsharded run, and the model server of the test must have been
asked at most once more than in that run for each stop, for the answer that was under way. Exit code
4 if a program is missing."""

import glob
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = os.path.join(HERE, "../../scenarios/cluster")
SHARDS = 3
MIDWAY = 8  # answers that a shard has when it is stopped, of 60
SUITE = {
    "suite": "clustered", "seed": 5,
    "models": {"m": {"provider": "vllm", "model": "mock-1", "concurrency": 1}},
    "agents": {"floor": "random", "survivor": "survivor", "m": {"llm": "m"}},
    "scenarios": [{"game": "water-allocation", "blocks": 9, "set": {"days": 4},
                   "design": {"focal": ["floor", "m", "survivor"], "background": "survivor"}}],
}
SERVER = "agon mock-server --answers first --latency-ms 100 --port"
TIMES = {"wall_ms", "waiting_ms", "created", "started", "latency_ms", "waited_ms"}
# A shard is a run of its own; its server has another port, and other numbers for what it answers.
OTHER_RUN = {"run", "endpoint", "request_id"}


class Failed(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Failed(what)


def until(holds, what, seconds=120):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Failed(f"waited {seconds} s in vain: {what}")
        time.sleep(0.05)


def told(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def exported(archive, rows):
    lines = []
    for line in told("agon", "export", archive, "--rows", rows, "--format", "jsonl").splitlines():
        row = json.loads(line)
        # What was under way when a run was stopped is kept as a call without an answer.
        if rows == "calls" and not row["answered"]:
            continue
        for name in list(row):
            if name in TIMES or (rows == "calls" and name in OTHER_RUN):
                del row[name]
        lines.append(json.dumps(row))
    return lines


def reported(archive):
    # "Model usage": the first column counts calls without an answer, the last one is a time.
    return re.sub(r"^(  \S+) +\d+((?: +\d+){4}) +[\d.]+$", r"\1 -\2 -",
                  told("agon", "report", archive), flags=re.MULTILINE)


def equal(archive, whole):
    for rows in ("seats", "matches", "records", "answers", "calls"):
        check(exported(archive, rows) == exported(whole, rows), f"{rows} of {archive} differ")
    check(reported(archive) == reported(whole), f"the report of {archive} differs")


def answers(shard):
    """Answers on the disk of a shard's archive that grows."""
    found = 0
    for path in glob.glob(f"**/*-shard-{shard}-of-{SHARDS}.agon", recursive=True):
        try:
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10) as db:
                found += db.execute("select count(*) from call where answered = 1").fetchone()[0]
        except sqlite3.OperationalError:  # it is not there yet
            pass
    return found


def midway(shard, had=0):
    until(lambda: answers(shard) >= had + MIDWAY, f"shard {shard} gets {MIDWAY} answers")


def pid_of(shard):
    """The process that plays a shard in this folder."""
    for path in glob.glob("/proc/[0-9]*"):
        try:
            with open(f"{path}/cmdline", "rb") as file:
                words = file.read().decode().split("\0")
            if os.readlink(f"{path}/cwd") != os.getcwd():
                continue
        except OSError:
            continue
        if words[:2] == ["agon", "run"] and any(
                re.search(rf"[-/]{shard}\.agon$", word) for word in words):
            return int(os.path.basename(path))
    raise Failed(f"no process plays shard {shard}")


def requests(*logs):
    """What the server was asked, by digest."""
    found = []
    for log in logs:
        with open(log, encoding="utf-8") as file:
            found += [json.loads(line)["request"] for line in file]
    return found


class Server:
    """A model server for all shards, which counts what it is asked."""

    def __init__(self, log):
        self.log = log
        self.process = subprocess.Popen([*SERVER.split(), "0", "--log", log], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        os.environ["VLLM_BASE_URL"] = self.process.stdout.readline().strip() + "/v1"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def prepare():
    """Plays the suite unsharded; returns the number of its answers, and the requests of the check
    before a run, which each start makes again."""
    with open("mine.json", "w", encoding="utf-8") as file:
        json.dump(SUITE, file)
    with Server("whole.log"):
        told("agon", "run", "mine.json", "--out", "whole.agon", "--quiet")
    answered = len(exported("whole.agon", "calls"))
    check(answered > 3 * SHARDS * MIDWAY, f"only {answered} answers: too few to stop within")
    asked = requests("whole.log")
    return answered, asked[:len(asked) - answered]


def none_paid_twice(asked, paid, stops):
    answered, before = paid
    questions = sum(1 for request in asked if request not in before)
    said = f"{answered} answers, {stops} stops; the server was asked {questions} times"
    check(answered <= questions <= answered + stops, said)
    print(f"    {said}, and {len(asked) - questions} times before a start")


def slurm():
    paid = prepare()
    os.mkdir("cluster")
    with subprocess.Popen(["bash", f"{HERE}/slurm.sh", "cluster"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as cluster:
        try:
            check(cluster.stdout.readline() == "ready\n", "Slurm did not start")
            os.environ["SLURM_CONF"] = os.path.abspath("cluster/slurm.conf")
            os.environ["AGON_SERVER"] = f"{SERVER} $AGON_PORT --log asked-$SLURM_ARRAY_TASK_ID.log"
            stop_slurm_tasks(submitted())
            until(lambda: not told("squeue", "--noheader"), "all jobs end", 240)
            jobs = told("scontrol", "show", "job", "--oneliner")
            again = re.findall(r"ArrayTaskId=(\d) .*? Restarts=(\d)", jobs)
            check(sorted(again) == [("1", "1"), ("2", "1"), ("3", "2")], f"restarts: {jobs}")
            check(jobs.count("JobState=COMPLETED") == SHARDS + 1, f"not all completed: {jobs}")
            cancel_slurm_tasks()
        finally:
            os.environ.pop("AGON_SERVER", None)
            cluster.stdin.close()
            cluster.wait()
    equal("mine.agon", "whole.agon")
    none_paid_twice(requests(*glob.glob("asked-*.log")), paid, 4)


def submitted():
    told("bash", f"{FILES}/slurm.sh", "mine.json", f"{SHARDS}%{SHARDS}", "--time=10:00")
    return told("squeue", "--noheader", "--name=mine", "--format=%F").split()[0]


def cancel_slurm_tasks():
    """What a person cancels is not queued again, and there is no merge."""
    os.mkdir("cancelled")
    shutil.copy("mine.json", "cancelled")
    os.chdir("cancelled")
    array = submitted()
    midway(1)
    told("scancel", array)
    until(lambda: not told("squeue", "--noheader"), "all jobs end")
    jobs = told("scontrol", "show", "job", "--oneliner", array)
    check(jobs.count("Restarts=0") == jobs.count("JobState=CANCELLED") == SHARDS,
          f"not all cancelled: {jobs}")
    check(answers(1) >= MIDWAY and not os.path.exists("mine.agon"), "an archive is gone, or merged")
    os.chdir("..")


def stop_slurm_tasks(array):
    """Each task in a way of its own."""
    midway(1)  # as Slurm does before the time is over
    told("scancel", "--signal=USR1", "--batch", f"{array}_1")
    midway(2)
    os.kill(pid_of(2), signal.SIGKILL)
    midway(3)  # as for a job of higher priority
    told("scontrol", "requeue", f"{array}_3")
    had = answers(3)
    until(lambda: "Restarts=1" in told("scontrol", "show", "job", f"{array}_3") and
          answers(3) > had + 2, "task 3 goes on", 60)
    node = re.search(r"BatchHost=(\S+)", told("scontrol", "show", "job", f"{array}_3")).group(1)
    told("scontrol", "update", f"nodename={node}", "state=down", "reason=test")


def start(words):
    """A group of its own, which a signal reaches as Ctrl-C in a terminal does."""
    with open("told", "a", encoding="utf-8") as out:
        return subprocess.Popen(words, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                                start_new_session=True)


def end(process, expected):
    try:
        code = process.wait(timeout=240)
    except subprocess.TimeoutExpired as error:
        os.killpg(process.pid, signal.SIGKILL)
        raise Failed(f"{process.args} does not end") from error
    with open("told", encoding="utf-8") as file:
        check((code == 0) == expected, f"exit code {code}\n{file.read()}")


def whole_outputs(pattern):
    """What is at an output is a whole shard at any time."""
    matches = len(exported("whole.agon", "matches")) // SHARDS
    for path in glob.glob(pattern):
        check(len(exported(path, "matches")) == matches, f"{path} is not whole")


def snakemake():
    paid = prepare()
    words = ["snakemake", "--snakefile", f"{FILES}/Snakefile", "--cores", "8", "--nocolor",
             "--config", "suite=mine.json", f"shards={SHARDS}"]  # two at a time, of four threads
    with Server("asked.log") as server:
        run = start(words)
        until(lambda: any(answers(n) >= MIDWAY for n in range(1, SHARDS + 1)), "a shard midway")
        first = next(n for n in range(1, SHARDS + 1) if answers(n) >= MIDWAY)
        check(not os.path.exists(f"shards/{first}.agon"), "an output before it is whole")
        had = answers(first)
        os.kill(pid_of(first), signal.SIGKILL)  # Snakemake runs the job again
        until(lambda: answers(first) >= had + MIDWAY, "the killed shard goes on")
        check(not os.path.exists(f"shards/{first}.agon"), "an output before it is whole")
        had = {n: answers(n) for n in range(1, SHARDS + 1)}
        os.killpg(run.pid, signal.SIGKILL)  # the machine fails
        run.wait()
        until(lambda: all(not plays(n) for n in range(1, SHARDS + 1)), "all have ended")
        check(all(answers(n) >= had[n] for n in had), "an archive is gone")
        whole_outputs("shards/*.agon")
        subprocess.run([*words, "--unlock"], check=True, capture_output=True)
        run = start([*words, "--rerun-incomplete"])
        until(lambda: sum(answers(n) for n in had) >= sum(had.values()) + MIDWAY, "it goes on")
        os.kill(run.pid, signal.SIGTERM)
        end(run, False)
        whole_outputs("shards/*.agon")
        end(start([*words, "--rerun-incomplete"]), True)
        asked = requests(server.log)
    equal("merged.agon", "whole.agon")
    check(os.path.getsize("report.html") > 0, "no report")
    none_paid_twice(asked, paid, 5)


def plays(shard):
    try:
        return pid_of(shard)
    except Failed:
        return None


def parallel():
    paid = prepare()
    words = ["bash", f"{FILES}/parallel.sh", "mine.json", str(SHARDS), "--jobs", "2"]
    with Server("asked.log") as server:
        run = start(words)
        midway(1)
        os.kill(pid_of(1), signal.SIGKILL)
        midway(2)
        had = answers(2)
        os.killpg(run.pid, signal.SIGTERM)
        end(run, False)
        check(not os.path.exists("mine.agon"), "merged without all shards")
        check(answers(2) >= had, "an archive is gone")
        until(lambda: all(not plays(n) for n in range(1, SHARDS + 1)), "all have ended")
        whole_outputs("shards/*.agon")
        run = start(words)
        midway(3)
        os.kill(pid_of(3), signal.SIGKILL)
        end(run, False)
        check(not os.path.exists("mine.agon"), "merged without all shards")
        end(start(words), True)
        asked = requests(server.log)
    equal("mine.agon", "whole.agon")
    none_paid_twice(asked, paid, 4)


ENGINES = {"slurm": (slurm, ("munged", "slurmctld", "slurmd", "sbatch", "curl")),
           "snakemake": (snakemake, ("snakemake",)), "parallel": (parallel, ("parallel",))}


def main():
    agon = os.path.abspath(sys.argv[1])
    os.environ["PATH"] = f"{os.path.dirname(agon)}:{os.environ['PATH']}:/usr/sbin"
    for name in ("SLURM_CONF", "OPENAI_BASE_URL"):
        os.environ.pop(name, None)
    ran, missing, failed = [], [], []
    for name in sys.argv[2:] or ENGINES:
        test, programs = ENGINES[name]
        absent = [program for program in programs if not shutil.which(program)]
        if absent:
            missing.append(f"{name} ({', '.join(absent)} not here)")
            continue
        print(f"  {name}", flush=True)
        folder = tempfile.mkdtemp(prefix="agon-cluster-")
        os.chdir(folder)
        try:
            test()
            ran.append(name)
            shutil.rmtree(folder)
        except (Failed, OSError, subprocess.CalledProcessError) as error:
            failed.append(name)
            print(f"    failed: {error}\n    its files are in {folder}", file=sys.stderr)
        os.chdir(HERE)
    print(f"ran: {', '.join(ran) or 'nothing'}" +
          (f"; failed: {', '.join(failed)}" if failed else "") +
          (f"; skipped: {', '.join(missing)}" if missing else ""))
    return 1 if failed else 4 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
