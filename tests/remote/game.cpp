#include "remote/game.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace remote_game {
namespace {

constexpr std::string_view kGame = R"py(
import json, os, sys, time
open("started", "a").write(str(os.getpid()) + "\n")

def say(**message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()

def hear():
    line = sys.stdin.readline()
    if not line: sys.exit()
    message = json.loads(line)
    open("heard", "a").write(line)
    if message["type"] == "stop":
        raise Stopped()
    return message

class Stopped(Exception): pass
class Faulted(Exception): pass

def members(*names):
    return {"kind": "structure", "name": "S", "members": [
        {"name": n, "type": {"kind": "integer", "low": -2147483648, "high": 2147483647}} for n in names],
        "default": {n: 0 for n in names}}

settings = {"kind": "structure", "name": "Settings", "members": [
    {"name": "trouble", "type": {"kind": "text"}}], "default": {"trouble": ""}}
card = {"id": "raw", "title": "Raw", "seats": {"min": 2, "max": 2}, "settings": settings,
    "functions": ["rules", "seating", "check", "facts", "persona"], "facts": members("total"),
    "seat_metrics": {"kind": "structure", "name": "M", "members": [
        {"name": "won", "type": {"kind": "boolean"}},
        {"name": "paid", "type": {"kind": "optional", "element": {"kind": "money"}}}]},
    "match_metrics": members("rounds"),
    "stages": [
        {"name": "bid", "answer": members("amount"), "view": members("pie"), "told": True, "ends": True},
        {"name": "guess", "answer": members("amount"), "probe": True, "purpose": "belief"}],
    "events": [
        {"name": "said", "audience": "everybody", "type": members("amount"), "told": True},
        {"name": "hint", "audience": "one-seat", "type": members("secret")},
        {"name": "hint", "audience": "one-seat", "type": members("other")},
        {"name": "truth", "audience": "record", "type": members("amount")}]}
if "PLAIN" in globals(): del card["seat_metrics"], card["match_metrics"]
if "CHANGED" in globals() and len(open("started").readlines()) > 1: card["title"] = "Rawer"

def ask(stage, seats, single=True, **more):
    say(type="ask", stage=stage, single=single, questions=[dict({"seat": s}, **more) for s in seats])
    while True:
        message = hear()
        if message["type"] != "check": return message["answers"]
        amount = message["answer"]["amount"]
        if trouble == "check faults":
            say(type="fault", problem="no such check", where="f:1")
            raise Faulted()
        if trouble == "check is silent": time.sleep(1000)
        if trouble == "check is wrong": say(type="checked")
        else: say(type="checked", reason=odd if amount % 2 else "")

def draw(**more):
    say(type="draw", **more)
    return hear()["value"]

def play(message):
    global trouble
    trouble = message["settings"]["trouble"]
    global odd
    odd = "it is odd" if trouble != "long reason" else "o" * 5000000
    limits = [{"at": "amount", "kind": "range", "low": 0, "high": 9}]
    if trouble.startswith("say "):
        print(trouble[4:].replace("'", '"'), flush=True)
        hear()
    if trouble == "fault": return say(type="fault", problem="ValueError: bad", where="game.py:12")
    if trouble == "talking fault": return say(type="fault", problem="ValueError: bad", where="game.py:12", printed="n is 3\n\x1b!")
    if trouble == "long fault": return say(type="fault", problem="p" * 15000000, where="w" * 9000, hint="m" * 9000)
    if trouble == "whole fault": return say(type="fault", problem="it is all wrong", whole=True)
    if trouble == "no json": print("hello there", flush=True)
    if trouble == "no object": print("[1]", flush=True)
    if trouble == "no type": print('{"typ":1}', flush=True)
    if trouble == "wrong message": say(type="reply", value=1)
    if trouble == "no such stage": say(type="ask", stage="bud", questions=[{"seat": 0}])
    if trouble == "view does not fit": ask("bid", [0], view={"pie": "big"})
    if trouble == "view of none": ask("guess", [0], view={"pie": 1})
    if trouble == "bad limit": ask("bid", [0], limits=[{"at": "amont", "kind": "range"}])
    if trouble == "fallback does not fit": ask("bid", [0], fallback={"amount": "x"})
    if trouble == "illegal fallback": ask("bid", [0], limits=limits, fallback={"amount": 50})
    if trouble == "no such seat": ask("bid", [7], limits=limits)
    if trouble == "too many": ask("bid", [0] * 17, single=False)
    if trouble == "two alone": ask("bid", [0, 1])
    if trouble == "no such event": say(type="announce", event="sad", data={})
    if trouble == "wrong audience": say(type="announce", event="truth", data={"amount": 1})
    if trouble == "event does not fit": say(type="announce", event="said", data={"amont": 1})
    if trouble == "tell nobody": say(type="tell", event="hint", seat=5, data={"secret": 1})
    if trouble == "no stream": draw(stream=1, what="unit")
    if trouble == "no draw": draw(stream=1, name="x", what="card")
    if trouble == "empty draw": draw(stream=1, name="x", what="between", low=3, high=1)
    if trouble == "drawn twice": draw(stream=1, name="x", what="unit"); draw(stream=2, name="x", what="unit")
    if trouble == "long draw": draw(stream=1, name="x" * 101, what="unit")
    if trouble == "long deal": say(type="deal", name="x" * 101, n=3, how="in_turn")
    if trouble == "carries much":
        words = {"kind": "structure", "name": "W", "members": [{"name": "words", "type": {"kind": "text"}}], "default": {"words": ""}}
        say(type="carry", seat=0, value={"words": "w" * (1 << 20)}, **{"as": words})
    if trouble == "bad deal": say(type="deal", name="x", n=3, how="so")
    if trouble == "bad description": say(type="carried", seat=0, **{"as": {"kind": "thing"}})
    if trouble == "exit": sys.exit(3)
    if trouble == "crash": os.kill(os.getpid(), 11)
    if trouble == "killed": os.kill(os.getpid(), 9)
    if trouble == "last words": sys.stderr.write("this is why\n"); sys.exit(1)
    if trouble == "half a line": sys.stdout.write('{"type":"ann'); sys.stdout.flush(); sys.exit(0)
    if trouble == "closed output": os.close(1); time.sleep(1000)
    if trouble == "closed input": os.close(0); time.sleep(1000)
    if trouble == "silent": time.sleep(1000)
    if trouble == "busy":
        while True: pass
    if trouble == "chatty and busy":
        while True:
            for i in range(100000): pass
            say(type="note", event="truth", data={"amount": 1})
    if trouble == "asks for ever":
        while True: ask("bid", [0], limits=limits)
    if trouble == "talks for ever":
        while True: say(type="announce", event="said", data={"amount": 1})
    if trouble == "shuffles for ever":
        draw(stream=1, name="order", what="shuffle", n=100000)
        while True: draw(stream=1, what="shuffle", n=100000)
    if trouble == "takes 60 percent":
        begun = time.process_time()
        for i in range(11000): say(type="announce", event="said", data={"amount": 1})
        while time.process_time() < begun + 0.6: pass
    if trouble == "complains for ever":
        while True: sys.stderr.write("x" * 1000)
    if trouble == "complains much": sys.stderr.write("x" * 600000 + "\nan old complaint\n"); sys.stderr.flush()
    if trouble == "long line": sys.stdout.write("x" * (17 << 20)); sys.stdout.flush(); time.sleep(1000)
    if trouble == "asks twice":
        line = json.dumps({"type": "ask", "stage": "bid", "single": True, "questions": [{"seat": 0}]})
        sys.stdout.write(line + "\n" + line + "\n"); sys.stdout.flush(); hear()
    supply = draw(stream=1, name="supply", at=[3], what="between", low=0, high=1000)
    again = draw(stream=1, what="unit")
    order = draw(stream=2, name="order", what="shuffle", n=4)
    first = draw(stream=3, name="first", what="one_of", seats=[0, 1])
    say(type="deal", name="item", n=5, how="in_turn"); item = hear()["value"]
    say(type="note", event="truth", data={"amount": supply})
    say(type="tell", event="hint", seat=1, data={"secret": item})
    say(type="tell", event="hint", seat=0, data={"other": first})
    checks = trouble.startswith("check") or trouble == "long reason"
    a = ask("bid", [0], limits=limits, view={"pie": 13 if trouble == "told badly" else 10}, checks=checks)[0]
    guess = ask("guess", [1], limits=limits)[0]
    both = ask("bid", [0, 1], single=False, limits=limits, view={"pie": 10})
    if trouble == "carries":
        say(type="carried", seat=0, **{"as": members("amount")}); hear()
        say(type="carry", seat=0, value={"amount": 4}, **{"as": members("amount")})
    say(type="announce", event="said", data={"amount": a["answer"]["amount"]})
    seats = [{"score": a["answer"]["amount"], "disagreement": 0, "ideal": 9,
              "metrics": {"won": True, "paid": 1.5}},
             {"score": 0, "disagreement": 0, "ideal": 9, "metrics": {"won": False}}]
    metrics = {"rounds": 2}
    if trouble == "one seat": del seats[1]
    if trouble == "text score": seats[0]["score"] = "much"
    if trouble == "no such metric": metrics["rods"] = 1
    if trouble == "metric does not fit": seats[0]["metrics"]["won"] = 1
    outcome = {"type": "outcome", "seats": seats, "metrics": metrics}
    sys.stdout.write(json.dumps(outcome) + "\n" + ("more\n" if trouble == "talks on" else ""))
    sys.stdout.flush()
    if trouble == "is ended afterwards": os.kill(os.getpid(), 15)

made = 0

def answer(m):
    global made
    what = m["what"]
    if what == "agent-check" and m["settings"].get("trouble"): return say(type="reply", value="a" * 1000000)
    if what == "agent-check": sys.exit(3)
    if what == "agent":
        made += 1
        if made == 2 and len(open("started").readlines()) == 1: os.kill(os.getpid(), 9)
        return say(type="reply", value={"answers_probes": True})
    if m["settings"].get("trouble") == "request faults": return say(type="fault", problem="KeyError: x", where="f:9")
    if m["settings"].get("trouble") == "never replies": time.sleep(1000)
    if m["settings"].get("trouble") == "long reply" and what == "rules": return say(type="reply", value="r" * (1048576 + 1))
    if m["settings"].get("trouble") == "wrong reply": return say(type="reply", value=5)
    if m.get("answer") == {"amount": 4}: return say(type="fault", problem="no such end", where="f:3")
    if m.get("view") == {"pie": 13}: return say(type="fault", problem="no such view", where="f:4")
    say(type="reply", value={
        "rules": "Bid, with trouble '" + m["settings"].get("trouble", "") + "'.",
        "seating": [{"name": "A" * 101 if m["settings"].get("trouble") == "long name" else "Ann", "role": "R" * 101 if m["settings"].get("trouble") == "long role" else "first"}, {"name": "Bea", "role": "second"}],
        "check": {"refused": "no such trouble", "refused at length": "n" * 1000000}.get(m["settings"].get("trouble"), ""),
        "facts": {"total": 12}, "persona": "You are seat " + str(m.get("seat")) + ".",
        "tell_event": "t" * (65536 + 1) if m["settings"].get("trouble") == "long telling" else "%s hears of %s from %s" % (m.get("reader"), m.get("data"), m.get("names")),
        "tell_view": "%s sees %s" % (m.get("reader"), m.get("view")),
        "ends": m.get("answer") == {"amount": 9}}[what])

def serve():
    hear()
    say(type="hello", protocol=PROTOCOL, name=NAME, version="2", language="python", games=[card], agents=[
        {"id": "raw-agent", "game": "raw", "params": settings, "functions": ["check"]}])
    while True:
        message = hear()
        try: play(message) if message["type"] == "play" else answer(message)
        except Stopped: say(type="stopped")
        except Faulted: pass

if "PROTOCOL" not in globals(): PROTOCOL = 1
if "NAME" not in globals(): NAME = "raw-games"
serve()
)py";

}  // namespace

Place::Place() {
  std::string name = (std::filesystem::temp_directory_path() / "agon-remote-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Place::~Place() {
  remove();
}

void Place::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

agon::remote::Launch Place::launch(const std::string& prelude) const {
  agon::remote::Launch launch;
  launch.file = "raw.py";
  launch.words = {"python3", "-B", "-c", prelude + std::string(kGame)};
  launch.folder = path_.string();
  for (const char* name : {"PATH", "HOME"})
    if (const char* value = std::getenv(name))
      launch.environment.push_back(std::string(name) + "=" + value);
  return launch;
}

std::string Place::read(const std::string& name) const {
  std::ifstream file(path_ / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool Place::has(const std::string& name) const {
  return std::filesystem::exists(path_ / name);
}

void Place::write(const std::string& name) const {
  std::ofstream(path_ / name).flush();
}

std::size_t Place::started() const {
  const std::string text = read("started");
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

Running::Running(const agon::ProcessLimits& limits, const std::string& prelude)
    : plugin_([&] {
        agon::remote::Launch launch = place_.launch(prelude);
        launch.limits = limits;
        return launch;
      }()) {}

agon::MatchResult Running::play(const std::string& trouble, std::vector<const agon::Agent*> agents,
                                std::uint64_t luck) const {
  static const seam::Inline drawing(seam::draws);
  if (agents.empty()) agents = {&drawing};
  const seam::Scene scene(game(), R"({"trouble": ")" + trouble + R"("})");
  return agon::play_match(scene.setup(agents, luck));
}

agon::ProcessLimits limits(double silence, double processor) {
  agon::ProcessLimits limits;
  limits.silence = silence;
  limits.processor = processor;
  return limits;
}

}  // namespace remote_game
