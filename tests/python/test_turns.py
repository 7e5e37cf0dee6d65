"""agon export: turns to train on, data sets of TRL, and spans of OpenTelemetry.

    AGON_BUILD=build python3 -m unittest test_turns
"""
import collections
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest

AGON = os.path.join(os.environ["AGON_BUILD"], "bin", "agon")
SUITE = """{
  "suite": "training", "seed": 3,
  "models": { "m": { "provider": "mock", "model": "tiny", "mock": {
    "illegal": 0.2, "malformed": 0.2, "refused": 0.1 } } },
  "agents": { "a": { "llm": "m", "factors": {
    "tools": ["none", "calculator-and-own-moves:calls=4"], "memory": ["whole", "notebook"] } },
    "floor": "random" },
  "design": { "focal": "a/*", "background": "floor", "blocks": 3 },
  "scenarios": [{ "game": "bargaining" }, { "game": "water-allocation", "set": { "days": 3 },
    "treatments": { "persona": [false, true] } }]
}"""


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, at


def fields(data):
    """The fields of a message of protobuf by number."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = (8, at) if key & 7 == 1 else varint(data, at)
            assert key & 7 in (1, 2) and at + size <= len(data), key
            value, at = data[at:at + size], at + size
        found[key >> 3].append(value)
    return found


def attribute(data):
    """The value of an attribute as JSON has it."""
    (kind, (value,)), = fields(data).items()
    if kind == 5:
        return [attribute(one) for one in fields(value)[1]]
    return {1: lambda: value.decode(), 2: lambda: bool(value),
            3: lambda: value - (1 << 64) if value >> 63 else value,
            4: lambda: struct.unpack("<d", value)[0]}[kind]()


def attributes(pairs):
    read = [fields(pair) for pair in pairs]
    return {pair[1][0].decode(): attribute(pair[2][0]) for pair in read}


def spans(request):
    for resource in fields(request)[1]:
        for scope in fields(resource)[2]:
            for data in fields(scope)[2]:
                span = fields(data)
                yield {"trace": span[1][0].hex(), "id": span[2][0].hex(),
                       "parent": span[4][0].hex() if span[4] else None,
                       "name": span[5][0].decode(), "kind": span[6][0],
                       "start": struct.unpack("<Q", span[7][0])[0],
                       "end": struct.unpack("<Q", span[8][0])[0],
                       "attributes": attributes(span[9])}


def json_value(value):
    (kind, content), = value.items()
    if kind == "arrayValue":
        return [json_value(one) for one in content["values"]]
    return int(content) if kind == "intValue" else content


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        with open(os.path.join(cls.folder, "s.json"), "w") as file:
            file.write(SUITE)
        cls.call("run", "s.json", "--out", "s.agon", "--quiet")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def call(cls, *words):
        done = subprocess.run([AGON, *words], cwd=cls.folder, capture_output=True,
                              env={**os.environ, "HOME": cls.folder})
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def rows(self, *words):
        rows = [json.loads(line) for line in self.call("export", "s.agon", *words).splitlines()]
        self.assertEqual(len({tuple(row) for row in rows}), 1, "rows with other columns")
        return rows

    def test_advantages_follow_from_seats(self):
        scores, groups = {}, collections.defaultdict(list)
        place = ("scenario", "settings", "seed", "block", "position", "role")
        for seat in self.rows("--json"):
            if seat["status"] != "finished" or not float(seat["surplus"] or 0) > 0:
                continue
            score = float(seat["gain"]) / float(seat["surplus"])
            scores[seat["match"], seat["seat"]] = score
            groups[tuple(seat[name] for name in place)].append(score)
        ids = {}
        turns = self.rows("--rows", "turns", "--json")
        for turn in turns:
            key = tuple(turn[name] for name in place)
            self.assertEqual(ids.setdefault(turn["group"], key), key)
            score = scores.get((turn["match"], turn["seat"]))
            if score is None:
                self.assertEqual((turn["reward"], turn["advantage"]), (None, None))
                continue
            mean = sum(groups[key]) / len(groups[key])
            self.assertAlmostEqual(turn["reward"], score, 9)
            self.assertAlmostEqual(turn["advantage"], score - mean, 9)
        kinds = {(turn["purpose"], turn["fault"], turn["fallback"]) for turn in turns}
        for kind in ((None, "ok", 0), ("answer", "ok", 0), ("answer", "illegal", None),
                     ("notebook", None, None), ("answer", "unparsable", 1)):
            self.assertIn(kind, kinds)

    def test_every_call_that_came_through_is_a_turn(self):
        name = ("match", "seat", "question", "attempt", "place")
        calls = {tuple(call[part] for part in name): call["text"]
                 for call in self.rows("--rows", "calls", "--json") if call["answered"]}
        turns = {tuple(turn[part] for part in name): turn["completion"]
                 for turn in self.rows("--rows", "turns", "--json") if turn["prompt"]}
        self.assertEqual(turns, calls)

    def test_data_sets_of_trl(self):
        trl = ("--rows", "turns", "--format", "trl", "--layout")
        completions = self.rows(*trl, "prompt-completion")
        for row, other in zip(completions, self.rows(*trl, "messages")):
            self.assertEqual(row["prompt"] + row["completion"], other["messages"])
            self.assertEqual([one["role"] for one in row["completion"]], ["assistant"])
            for message in other["messages"]:
                self.assertEqual(set(message), {"role", "content", "tool_calls", "tool_call_id"})
                self.assertIn(message["role"], ("system", "user", "assistant", "tool"))
                self.assertIsInstance(message["content"], str)
        self.assertTrue(any(row["completion"][0]["tool_calls"] for row in completions))
        played = [turn for turn in self.rows("--rows", "turns", "--json") if turn["prompt"]
                  and turn["fault"] in (None, "ok", "repaired", "in_words")]
        self.assertEqual([row["advantage"] for row in completions],
                         [turn["advantage"] for turn in played])
        for pair in self.rows(*trl, "preference"):
            self.assertGreater(pair["chosen_advantage"], pair["rejected_advantage"])
            self.assertNotEqual(pair["chosen"], pair["rejected"])

    def test_spans(self):
        request = self.call("export", "s.agon", "--format", "otlp")
        self.assertEqual(request, self.call("export", "s.agon", "--format", "otlp"))
        found = {(span["trace"], span["id"]): span for span in spans(request)}
        self.assertEqual(len(found), len(list(spans(request))), "an id twice")
        for span in found.values():
            self.assertLessEqual(span["start"], span["end"])
            if span["parent"]:
                parent = found[span["trace"], span["parent"]]
                self.assertLessEqual(parent["start"], span["start"])
                self.assertGreaterEqual(parent["end"], span["end"])
        names = collections.Counter(span["name"].split()[0] for span in found.values())
        calls = self.rows("--rows", "calls", "--json")
        self.assertEqual(names["chat"], sum(call["answered"] for call in calls))
        self.assertEqual(names["match"], len(self.rows("--rows", "matches", "--json")))
        chat = next(span for span in found.values()
                    if span["attributes"].get("agon.purpose") == "notebook")
        self.assertEqual(chat["name"], "chat tiny")
        self.assertEqual(chat["kind"], 3)
        said = chat["attributes"]
        self.assertEqual(said["gen_ai.operation.name"], "chat")
        self.assertEqual(said["gen_ai.provider.name"], "mock")
        self.assertEqual(said["gen_ai.request.model"], "tiny")
        call = next(call for call in calls if call["match"] == said["agon.match"]
                    and call["question"] == said["agon.question"] and call["place"] == 0)
        self.assertEqual(said["gen_ai.usage.input_tokens"], call["input_tokens"])
        self.assertEqual([part["content"] for message in json.loads(said["gen_ai.input.messages"])
                          for part in message["parts"]],
                         [message["text"] for message in call["messages"]])
        self.assertEqual(json.loads(said["gen_ai.output.messages"])[0]["parts"][0]["content"],
                         call["text"])
        # JSON has the same.
        told = json.loads(self.call("export", "s.agon", "--format", "otlp-json"))
        same = {(span["traceId"], span["spanId"]):
                {one["key"]: json_value(one["value"]) for one in span["attributes"]}
                for resource in told["resourceSpans"] for scope in resource["scopeSpans"]
                for span in scope["spans"]}
        self.assertEqual(same, {key: span["attributes"] for key, span in found.items()})

    @unittest.skipUnless(shutil.which("protoc"), "there is no protoc here")
    def test_protoc_reads_spans(self):
        request = self.call("export", "s.agon", "--format", "otlp")
        subprocess.run(["protoc", "--decode_raw"], input=request, check=True,
                       stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    unittest.main()
