#!/usr/bin/env python3
"""What `agon serve --people` costs: people at pages who think and answer, watchers beside them.

    python3 tests/bench/serve_people.py build/bin/agon [PEOPLE [WATCHERS [PERIODS]]]

Default: 500 people in 250 matches of two, 50 watchers, 10 periods of a classic game. A person is what
a browser sends: the link, a stream of events, POSTs on a connection of its own; it thinks for some
seconds before each answer. An answer is acknowledged when it is on disk. Printed: the server's
processor time and memory against the same matches between rule agents without a server, the time
from POST to its acknowledgement, and the time a plain fsync takes here. Exit code 1 if an answer
was lost, or if the server needs more than one core or 100 MB beside the matches."""

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

THINKS = (1.0, 5.0)  # seconds


def suite(people, periods, agent, section):
    made = {
        "suite": "load", "seed": 1,
        "agents": {"person": agent},
        "design": {"fixed": [["person", "person"]], "blocks": people // 2},
        "scenarios": [{"game": "classic", "set": {"game": "prisoners-dilemma", "periods": periods}}],
    }
    if section:
        made["people"] = {"title": "A load", "contact": "nobody", "participants": people}
    return json.dumps(made)


def of_process(pid):
    """Seconds of processor time, and megabytes of memory that are its own now and at most."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    ticks = os.sysconf("SC_CLK_TCK")
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        status = file.read()
    size = {name: int(re.search(name + r":\s+(\d+)", status)[1]) / 1024 for name in ("VmRSS", "VmHWM")}
    return (int(fields[11]) + int(fields[12])) / ticks, size["VmRSS"], size["VmHWM"]


class Place:
    """Where the server is; requests from one of many addresses of this machine, as from a crowd."""

    def __init__(self, url):
        parts = urlsplit(url)
        self.host, self.port = parts.hostname, parts.port
        self.origin = f"{parts.scheme}://{parts.netloc}"

    async def connect(self, number):
        return await asyncio.open_connection(
            self.host, self.port, limit=1 << 24,
            local_addr=(f"127.0.{1 + number // 200}.{1 + number % 200}", 0))

    def head(self, method, path, cookie, more=""):
        return (f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
                f"Origin: {self.origin}\r\n" + (f"Cookie: {cookie}\r\n" if cookie else "") +
                more + "\r\n").encode()


class Line:
    """A connection that is kept, for one question at a time."""

    def __init__(self, place, number):
        self.place, self.number, self.reader, self.writer = place, number, None, None

    async def ask(self, method, path, cookie, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        more = "" if body is None else \
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        if self.writer is None:
            self.reader, self.writer = await self.place.connect(self.number)
        self.writer.write(self.place.head(method, path, cookie, more) + data)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"(?i)^content-length: (\d+)", head, re.M)
        answer = await self.reader.readexactly(int(length[1])) if length else b""
        if re.search(r"(?i)^connection: close", head, re.M):
            self.writer.close()
            self.writer = None
        return int(head.split()[1]), head, answer.decode()


async def events(place, number, path, cookie):
    """The events of a stream, until it ends."""
    reader, writer = await place.connect(number)
    writer.write(place.head("GET", path, cookie, "Accept: text/event-stream\r\n"))
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    if head.split()[1] != "200":
        raise RuntimeError(f"{path}: {head}")
    chunked = "chunked" in head.lower()
    text = b""
    try:
        while True:
            if chunked:
                size = int((await reader.readline()).strip() or b"0", 16)
                if size == 0:
                    return
                text += await reader.readexactly(size)
                await reader.readexactly(2)
            else:
                got = await reader.read(1 << 16)
                if not got:
                    return
                text += got
            text = text.replace(b"\r\n", b"\n")
            while b"\n\n" in text:
                one, text = text.split(b"\n\n", 1)
                lines = [line.split(b":", 1) for line in one.split(b"\n") if not line.startswith(b":")]
                name = b"".join(value.strip() for key, value in lines if key == b"event").decode()
                data = b"\n".join(value.removeprefix(b" ") for key, value in lines if key == b"data")
                if name:
                    yield name, json.loads(data)
    except (asyncio.IncompleteReadError, ConnectionError):
        return
    finally:
        writer.close()


def typed(form, draw):
    """What somebody types into a form: the first that fits, or any choice."""
    kind = form["kind"]
    if kind == "struct":
        return {field["name"]: typed(field["node"], draw) for field in form["fields"]}
    if kind in ("integer", "money", "number"):
        return str(form.get("min") or 0)
    if kind == "text":
        return "x" * max(1, form.get("min") or 0)
    if kind == "boolean":
        return draw.choice(form["choices"]) == "yes"
    if kind == "choice":
        return draw.choice(form["choices"])["name"]
    if kind == "variant":
        choice = draw.choice(form["choices"])
        inner = typed(choice["node"], draw) if choice.get("node") else {}
        return {"kind": choice["name"], **inner}
    if kind == "optional":
        return None if form["may_be_absent"] else typed(form["node"], draw)
    if kind == "list":
        return [typed(form["node"], draw) for _ in range(form.get("min") or 0)]
    return {key: typed(form["node"], draw) for key in form["keys"]}


class Person:
    def __init__(self, place, number, link, told):
        self.place, self.number, self.told = place, number, told
        self.path = urlsplit(link).path
        self.line, self.draw = Line(place, number), random.Random(number)
        self.given = []  # (match, question): accepted

    async def play(self):
        status, head, _ = await self.line.ask("GET", self.path, "")
        cookie = re.search(r"(?i)^set-cookie: ([^;]+)", head, re.M)[1]
        page = re.search(r"(?i)^location: (\S+)", head, re.M)[1]
        assert status in (302, 303), head
        tab, asked = f"t{self.number}", None
        steps = {"welcome": "begin", "consent": "agree", "instructions": "understood", "result": "next"}
        async for name, state in events(self.place, self.number, f"{page}events?tab={tab}", cookie):
            if name != "state":
                continue
            if state["page"] == "end":
                return
            if state["page"] in steps:
                status, _, text = await self.line.ask("POST", f"{page}do", cookie,
                                                      {"do": steps[state["page"]], "tab": tab})
                assert status in (204, 409), text
            elif state["page"] == "question":
                match = state["match"]
                question = match["question"]
                which = (match["key"], question["number"], question["attempt"])
                if which == asked:
                    continue
                asked = which
                await asyncio.sleep(self.draw.uniform(*THINKS))
                body = {"match": which[0], "question": which[1], "attempt": which[2],
                        "typed": typed(question["form"], self.draw), "confirmed": True, "skip": False,
                        "thought": "", "shown": 0, "first_input": 0, "tab": tab}
                begun = time.perf_counter()
                status, _, text = await self.line.ask("POST", f"{page}answer", cookie, body)
                assert status == 200, f"{status} {text} to {json.dumps(body)}"
                self.told.append(time.perf_counter() - begun)
                self.given.append(which)


async def watch(place, number, cookie, seen):
    async for _ in events(place, 2000 + number, "/session/events", cookie):
        seen[0] += 1


async def session(agon, folder, people, watchers, periods):
    with open(f"{folder}/load.json", "w", encoding="utf-8") as file:
        file.write(suite(people, periods, "human", True))
    server = await asyncio.create_subprocess_exec(
        agon, "serve", "load.json", "--people", "--json", cwd=folder,
        stdout=asyncio.subprocess.PIPE, limit=1 << 24)
    try:
        text = b""
        while not text.rstrip().endswith(b"}"):
            line = await server.stdout.readline()
            if not line:
                raise SystemExit(f"{agon} serve did not start")
            text += line
        said = json.loads(text)
        place = Place(said["url"])
        line = Line(place, 4000)
        login = urlsplit(said["login"])
        _, head, _ = await line.ask("GET", f"{login.path}?{login.query}", "")
        cookie = re.search(r"(?i)^set-cookie: ([^;]+)", head, re.M)[1]
        async for name, state in events(place, 4001, "/session/events", cookie):
            links = [one["link"] for one in state["participants"] if one.get("link")]
            if name == "session" and len(links) == people:
                break
        idle = of_process(server.pid)
        told, seen = [], [0]
        watching = [asyncio.create_task(watch(place, i, cookie, seen)) for i in range(watchers)]
        persons = [Person(place, i, link, told) for i, link in enumerate(links)]
        begun = time.perf_counter()
        ended = await asyncio.gather(*(one.play() for one in persons), return_exceptions=True)
        took = time.perf_counter() - begun
        now = of_process(server.pid)
        for task in watching:
            task.cancel()
        broken = [one for one in ended if one is not None]
        return persons, told, seen[0], idle, now, took, broken
    finally:
        if server.returncode is None:
            server.terminate()
            await server.wait()


def fsync_ms(folder):
    times = []
    with open(f"{folder}/sync", "wb") as file:
        for _ in range(50):
            begun = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    return 1000 * sorted(times)[25]


def main():
    agon = os.path.abspath(sys.argv[1])
    people, watchers, periods = (int(sys.argv[i]) if len(sys.argv) > i else value
                                 for i, value in ((2, 500), (3, 50), (4, 10)))
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", ".")) as folder:
        with open(f"{folder}/rules.json", "w", encoding="utf-8") as file:
            file.write(suite(people, periods, "random", False))
        before = os.times()
        subprocess.run([agon, "run", "rules.json", "--quiet", "--jobs", "1"], cwd=folder, check=True)
        after = os.times()
        alone = (after.children_user + after.children_system -
                 before.children_user - before.children_system)
        persons, told, seen, idle, now, took, broken = asyncio.run(
            session(agon, folder, people, watchers, periods))
        given = [which for person in persons for which in person.given]
        told.sort()
        rank = lambda share: 1000 * told[min(len(told) - 1, int(share * len(told)))]
        seconds, grown = now[0] - idle[0], now[2] - idle[1]
        print(f"{people} people, {watchers} watchers, {took:.0f} s; {len(given)} answers "
              f"({len(given) / took:.0f} a second), {seen} events to watchers")
        print(f"processor: {seconds / took:.3f} of a core ({1000 * seconds / len(given):.2f} ms an answer; "
              f"the same matches between rule agents: {1000 * alone / len(given):.3f} ms)")
        print(f"memory: {now[2]:.0f} MB at most, {grown:.0f} MB more than before they came "
              f"({1024 * grown / (people + watchers):.0f} kB for each)")
        print(f"POST to its acknowledgement: median {rank(.5):.1f} ms, 99% {rank(.99):.1f} ms, "
              f"slowest {rank(1):.1f} ms; a plain fsync here: {fsync_ms(folder):.1f} ms")
        for one in broken[:5]:
            print(f"broken: {one!r}", file=sys.stderr)
        lost = people * periods - len(given)
        if lost or broken:
            print(f"{lost} answers are missing, {len(broken)} people did not come to the end",
                  file=sys.stderr)
        sys.exit(1 if lost or broken or seconds / took > 1 or grown > 100 else 0)


if __name__ == "__main__":
    main()
