"""`agon serve SUITE --openenv`, spoken to in the messages of OpenEnv's clients: those of EnvClient, over a WebSocket,
and those of HTTPEnvClient, over HTTP.

    AGON_BUILD=build python3 -m unittest test_openenv
"""
import base64
import hashlib
import http.client
import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

AGON = os.path.join(os.environ["AGON_BUILD"], "bin", "agon")
SUITE = {
    "suite": "lessons", "seed": 7,
    "agents": {"floor": "random", "other": "default"},
    "design": {"focal": ["floor"], "background": "other", "seat_rotation": "all", "blocks": 20},
    "scenarios": [{"game": "bargaining"}, {"name": "auction", "game": "sealed-bid"}],
}
KEYS = {"episode_id", "scenario", "game", "seat", "seats", "text", "messages", "stage", "question", "attempt",
        "tries_left", "problem", "view", "schema", "payoffs", "ranks", "metrics"}


class Served:
    """An environment on a port of its own."""

    def __init__(self, *words, suite=SUITE, learner="0"):
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "suite.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(suite, file)
        self.process = subprocess.Popen(
            [AGON, "serve", path, "--openenv", "--learner", learner, "--port", "0", "--json", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name)
        said = ""
        while not said.endswith("}\n"):
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            said += line
        self.port = int(json.loads(said)["url"].rsplit(":", 1)[1])

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        self.folder.cleanup()
        return self.process.returncode, out, err

    def request(self, method, path, body=None, **headers):
        """As `requests` sends it: status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"User-Agent": "python-requests/2.32", "Accept-Encoding": "gzip, deflate", "Accept": "*/*",
                "Connection": "keep-alive", **headers}
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = body if isinstance(body, (str, bytes)) else json.dumps(body)
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        try:
            return answer.status, json.loads(text)
        except ValueError:
            return answer.status, text.decode()

    def post(self, path, body):
        status, said = self.request("POST", path, body)
        assert status == 200, (status, said)
        return said


class Closed(Exception):
    pass


class EnvClient:
    """The messages of openenv-core's EnvClient, as the library `websockets` sends them."""

    def __init__(self, port, **headers):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
                 "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
                 "User-Agent": "Python/3.11 websockets/15.0", **headers}
        self.socket.sendall(("GET /ws HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
                             + "\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])
        if self.status == 101:
            accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
            assert b"sec-websocket-accept: " + accept.lower() in head.lower(), head

    def more(self):
        came = self.socket.recv(65536)
        if not came:
            raise Closed
        self.rest += came

    def take(self, n):
        while len(self.rest) < n:
            self.more()
        taken, self.rest = self.rest[:n], self.rest[n:]
        return taken

    def frame(self, opcode, data):
        size = len(data)
        head = bytes([0x80 | opcode]) + (bytes([0x80 | size]) if size < 126 else
                                         bytes([0x80 | 126]) + struct.pack(">H", size) if size < 65536 else
                                         bytes([0x80 | 127]) + struct.pack(">Q", size))
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        text = b""
        while True:
            first, size = self.take(2)
            if size == 126:
                size, = struct.unpack(">H", self.take(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.take(8))
            data = self.take(size)
            opcode = first & 15
            if opcode == 8:
                self.frame(8, data)
                raise Closed(struct.unpack(">H", data[:2])[0] if data else None)
            if opcode == 9:
                self.frame(10, data)
            if opcode in (0, 1):
                text += data
                if first & 0x80:
                    return json.loads(text)

    def say(self, text):
        self.frame(1, text.encode())

    def ask(self, text):
        self.say(text)
        return self.receive()

    def send_and_receive(self, message):
        said = self.ask(json.dumps(message))
        if said["type"] == "error":
            raise RuntimeError(f"{said['data']['message']} (code: {said['data']['code']})")
        return said["data"]

    def reset(self, **kwargs):
        return self.send_and_receive({"type": "reset", "data": kwargs})

    def step(self, action):
        return self.send_and_receive({"type": "step", "data": action})

    def state(self):
        return self.send_and_receive({"type": "state"})

    def close(self):
        self.say(json.dumps({"type": "close"}))
        self.socket.close()


def example(schema, defs=None):
    """A small value of a JSON Schema, as a policy that has learnt nothing gives it."""
    defs = defs or schema.get("$defs", {})
    if "$ref" in schema:
        return example(defs[schema["$ref"].rsplit("/", 1)[1]], defs)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return example(schema[key][0], defs)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: example(schema["properties"][name], defs) for name in schema.get("required", [])}
    if kind == "array":
        return [example(schema["items"], defs)] * schema.get("minItems", 0)
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return {"string": "", "boolean": False}.get(kind)


def played(reset, step, **kwargs):
    """An episode: all that was said."""
    said = [reset(**kwargs)]
    while not said[-1]["done"]:
        said.append(step(example(said[-1]["observation"]["schema"])))
        assert len(said) < 500
    return said


class OpenEnv(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served()

    @classmethod
    def tearDownClass(cls):
        code, _out, err = cls.served.end()
        assert (code, err) == (0, ""), (code, err)

    def client(self, **headers):
        client = EnvClient(self.served.port, **headers)
        self.addCleanup(client.socket.close)
        return client

    def test_an_episode_over_a_websocket(self):
        env = self.client()
        self.assertEqual(env.state(), {"episode_id": None, "step_count": 0})
        said = played(env.reset, env.step, seed=3, scenario="bargaining", episode_id="one", prompt="not for us")
        for each in said:
            self.assertEqual(set(each), {"observation", "reward", "done"})
            self.assertEqual(set(each["observation"]), KEYS)
            self.assertEqual(each["observation"]["episode_id"], "one")
        first, last = said[0]["observation"], said[-1]["observation"]
        self.assertEqual((first["game"], first["seat"], first["problem"], first["attempt"]), ("bargaining", 0, "", 0))
        self.assertEqual([message["role"] for message in first["messages"]], ["system", "user"])
        self.assertIn("You are the buyer.", first["text"])
        self.assertEqual(first["text"], "\n\n".join(message["content"] for message in first["messages"]))
        self.assertEqual(first["schema"]["type"], "object")
        self.assertTrue(all(each["reward"] == 0 and each["observation"]["payoffs"] is None for each in said[:-1]))
        self.assertEqual((len(last["payoffs"]), len(last["ranks"]), last["schema"]), (2, 2, None))
        self.assertIsInstance(last["metrics"], dict)
        self.assertIsInstance(said[-1]["reward"], (int, float, type(None)))
        state = env.state()
        self.assertEqual((state["episode_id"], state["step_count"], state["seed"], state["done"]),
                         ("one", len(said) - 1, 3, True))
        with self.assertRaisesRegex(RuntimeError, "the episode is over.*EXECUTION_ERROR"):
            env.step({})
        # The same seed is the same match.
        again = played(env.reset, env.step, seed=3, scenario="bargaining", episode_id="one")
        self.assertEqual(again, said)
        self.assertNotEqual(played(env.reset, env.step, seed=4, scenario="bargaining", episode_id="one"), said)
        env.close()

    def test_an_action_that_is_not_legal_is_asked_for_again(self):
        env = self.client()
        first = env.reset(seed=3, scenario="bargaining")["observation"]
        again = env.step({"no": "such member"})
        self.assertFalse(again["done"])
        seen = again["observation"]
        self.assertEqual((seen["question"], seen["attempt"], seen["tries_left"]),
                         (first["question"], 1, first["tries_left"] - 1))
        self.assertTrue(seen["problem"])
        # What typed clients add is no part of the answer.
        after = env.step({**example(seen["schema"]), "metadata": {}})["observation"]
        self.assertNotIn("metadata", after["problem"])
        self.assertEqual(env.state()["step_count"], 2)
        # Until there are no tries left: the fallback is played.
        env.reset(seed=3, scenario="bargaining")
        for left in range(first["tries_left"] - 1, 0, -1):
            self.assertEqual(env.step({"no": left})["observation"]["tries_left"], left)
        self.assertNotEqual(env.step({"no": 0})["observation"]["question"], first["question"])

    def test_bad_messages_are_answered_and_the_episode_goes_on(self):
        env = self.client()
        with self.assertRaisesRegex(RuntimeError, "no episode was begun.*EXECUTION_ERROR"):
            env.step({})
        env.reset(seed=1)
        for text, code in [("{", "INVALID_JSON"), ("[1]", "VALIDATION_ERROR"), ("", "INVALID_JSON"),
                           ('{"type": "mcp", "data": {}}', "UNKNOWN_TYPE"), ("{}", "UNKNOWN_TYPE"),
                           ('{"type": "step", "data": [1]}', "VALIDATION_ERROR"),
                           ('{"type": "step"}', "VALIDATION_ERROR"),
                           ('{"type": "reset", "data": 5}', "VALIDATION_ERROR"),
                           ('{"type": "reset", "data": {"seed": -1}}', "VALIDATION_ERROR"),
                           ('{"type": "reset", "data": {"seed": "x"}}', "VALIDATION_ERROR"),
                           ('{"type": "reset", "data": {"scenario": "auctoin"}}', "VALIDATION_ERROR"),
                           ('{"type": "reset", "data": {"episode_id": "' + "x" * 256 + '"}}', "VALIDATION_ERROR"),
                           ("[" * 100_000, "INVALID_JSON")]:
            said = env.ask(text)
            self.assertEqual((said["type"], said["data"]["code"]), ("error", code), text[:60])
        self.assertIn("did you mean 'auction'", env.ask('{"type": "reset", "data": {"scenario": "auctoin"}}')["data"]["message"])
        self.assertEqual(env.state()["seed"], 1)
        # Too much for one message.
        with self.assertRaises((Closed, ConnectionError)):
            env.say("x" * (2 << 20))
            env.receive()

    def test_clients_have_environments_of_their_own_and_there_is_a_cap(self):
        served = Served("--environments", "4")
        self.addCleanup(served.end)

        def client():
            env = EnvClient(served.port)
            self.addCleanup(env.socket.close)
            return env

        envs = [client() for _ in range(4)]
        first = [env.reset(seed=i, scenario="bargaining", episode_id=str(i)) for i, env in enumerate(envs)]
        self.assertEqual([each["observation"]["episode_id"] for each in first], ["0", "1", "2", "3"])
        fifth = client()
        said = fifth.ask('{"type": "reset", "data": {}}')
        self.assertEqual((said["type"], said["data"]["code"]), ("error", "CAPACITY_REACHED"))
        self.assertEqual(served.request("POST", "/reset", {})[0], 503)
        with self.assertRaises((Closed, ConnectionError)):
            fifth.receive()
        # One that goes in the middle of its match makes room.
        envs[0].socket.close()
        for _ in range(100):
            sixth = client()
            said = sixth.ask('{"type": "reset", "data": {"seed": 1}}')
            if said["type"] == "observation":
                break
            time.sleep(0.1)
        self.assertEqual(said["type"], "observation")
        self.assertEqual(played(envs[1].reset, envs[1].step, seed=9)[-1]["done"], True)

    def test_an_episode_over_http(self):
        status, said = self.served.request("GET", "/health")
        self.assertEqual((status, said), (200, {"status": "healthy"}))
        said = played(lambda **kwargs: self.served.post("/reset", kwargs),
                      lambda action: self.served.post("/step", {"action": action, "timeout_s": 15}),
                      seed=5, scenario="auction")
        self.assertTrue(said[-1]["done"])
        status, state = self.served.request("GET", "/state")
        self.assertEqual((status, state["step_count"], state["scenario"]), (200, len(said) - 1, "auction"))
        self.assertEqual(state["episode_id"], said[0]["observation"]["episode_id"])
        status, problem = self.served.request("POST", "/step", {"action": {}})
        self.assertEqual((status, problem["code"]), (409, "EXECUTION_ERROR"))
        # The body of a reset may be left out; two episodes go on side by side by their names.
        self.assertEqual(self.served.request("POST", "/reset", "", **{"Content-Type": "application/json"})[0], 200)
        for name in ("a", "b"):
            self.served.post("/reset", {"seed": 2, "episode_id": name, "scenario": "bargaining"})
        action = {"action": {"no": 1}, "episode_id": "a"}
        self.assertEqual(self.served.post("/step", action)["observation"]["attempt"], 1)
        self.assertEqual(self.served.request("GET", "/state?episode_id=b")[1]["step_count"], 0)
        self.assertEqual(self.served.request("GET", "/state?episode_id=a")[1]["step_count"], 1)

    def test_bad_requests(self):
        ask = self.served.request
        for path, body, status in [("/step", {"action": {}, "episode_id": "nobody"}, 404), ("/reset", "{", 400),
                                   ("/reset", "[]", 422), ("/reset", {"seed": 1.5}, 422), ("/step", {"action": 4}, 422),
                                   ("/reset", {"seed": 1, "scenario": "none"}, 422), ("/nothing", {}, 404),
                                   ("/reset", "x" * (2 << 20), 413)]:
            if path == "/step" and status == 422:
                self.served.post("/reset", {"seed": 1})
            try:
                got = ask("POST", path, body)[0]
            except ConnectionError:
                got = 413 if status == 413 else None
            self.assertEqual(got, status, (path, str(body)[:60]))
        self.assertEqual(ask("GET", "/state?episode_id=nobody")[0], 404)
        self.assertEqual(ask("GET", "/reset")[0], 405)
        self.assertEqual(ask("GET", "/ws")[0], 426)
        # Pages of others, and names that are not ours.
        self.assertEqual(ask("POST", "/reset", {}, Origin="http://evil.example")[0], 403)
        self.assertEqual(ask("POST", "/reset", {}, **{"Sec-Fetch-Site": "cross-site"})[0], 403)
        self.assertEqual(ask("GET", "/health", Host="evil.example")[0], 421)
        self.assertEqual(self.client(Origin="http://evil.example").status, 403)
        self.assertEqual(self.client(Host="evil.example").status, 421)

    def test_what_it_says_of_itself(self):
        schema = self.served.request("GET", "/schema")[1]
        self.assertEqual(set(schema), {"action", "observation", "state"})
        self.assertEqual(set(schema["observation"]["properties"]), KEYS)
        self.assertTrue(schema["action"]["anyOf"])
        self.assertEqual(self.served.request("GET", "/metadata")[1]["name"], "lessons")


class Started(unittest.TestCase):
    def refused(self, *words, suite=SUITE):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "suite.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(suite, file)
            done = subprocess.run([AGON, "serve", path, *words], capture_output=True, text=True, timeout=120)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def test_what_cannot_be_served_is_said(self):
        self.assertIn("has no seat '7'", self.refused("--openenv", "--learner", "7"))
        self.assertIn("--openenv requires --learner", self.refused("--openenv"))
        self.assertIn("--learner requires --openenv", self.refused("--learner", "0"))
        self.assertIn("--openenv conflicts with --out", self.refused("--openenv", "--learner", "0", "--out", "x.agon"))
        self.assertIn("--openenv conflicts with --people", self.refused("--openenv", "--learner", "0", "--people"))
        people = {**SUITE, "agents": {"floor": {"human": {"pseudonym": "me"}}, "other": "default"}}
        self.assertIn("a person plays", self.refused("--openenv", "--learner", "0", suite=people))

    def test_what_is_not_used_is_given_up(self):
        served = Served("--idle", "1", "--environments", "1")
        try:
            served.post("/reset", {"seed": 1, "episode_id": "a"})
            for _ in range(100):
                status, said = served.request("GET", "/state?episode_id=a")
                if status == 404:
                    break
                time.sleep(0.1)
            self.assertEqual((status, said["code"]), (404, "SESSION_ERROR"))
            env = EnvClient(served.port)
            env.reset(seed=1)
            with self.assertRaises(Closed):
                env.receive()
        finally:
            self.assertEqual(served.end()[0], 0)

    def test_models_play_the_other_seats_under_a_cap(self):
        suite = {"suite": "models", "models": {"m": {"provider": "mock", "model": "tiny"}},
                 "agents": {"llm": {"llm": "m"}, "other": "default"},
                 "design": {"fixed": [["other", "llm"]], "seat_rotation": "as-listed", "blocks": 5},
                 "scenarios": [{"game": "bargaining"}]}
        served = Served("--max-calls", "1", suite=suite)
        try:
            env = EnvClient(served.port)
            with self.assertRaisesRegex(RuntimeError, "ended without a result"):
                for seed in range(20):
                    played(env.reset, env.step, seed=seed)
            self.assertEqual(env.state()["done"], True)
        finally:
            self.assertEqual(served.end()[0], 0)

    def test_an_end_in_the_middle_of_matches(self):
        served = Served()
        envs = [EnvClient(served.port) for _ in range(5)]
        for env in envs:
            env.reset(seed=1)
        code, _out, err = served.end()
        self.assertEqual((code, err), (0, ""))


if __name__ == "__main__":
    unittest.main()
