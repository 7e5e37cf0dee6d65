// Components of model agents that are written in Python, as a person who runs a suite meets them.

#include "catch.hpp"
#include "command/folder.hpp"
#include "command/sound_components.hpp"

namespace components_test {

using namespace command_test;

namespace {

/// A memory, a plan that costs a call, a reasoning with a draft, and tools that count their calls.
constexpr std::string_view kParts = R"(
import json, os, signal
from dataclasses import dataclass
import agon
class Recent(agon.Memory):
    @dataclass
    class Params:
        n: int = agon.field(2, "events that it shows", min=1)
    def notes(self, turn):
        shown = [each for each in turn.past if each.at < turn.news_from][-self.params.n:]
        return "Of late:\n" + "\n".join(each.text for each in shown) if shown else ""
agon.component("recent", Recent, "The last events.")
def level(days: int, turn) -> str:
    """How much water there is after some days."""
    turn.state["asked"] = turn.state.get("asked", 0) + 1
    if days < 0:
        raise ValueError("days are counted from 0")
    return f"call {turn.state['asked']}: about {turn.question.seat + 10} units"
agon.tools("gauge", [level], "A gauge.", calls=3)
class Broken(agon.Reasoning):
    def answer(self, turn):
        raise RuntimeError("no idea")
agon.component("broken", Broken, "Breaks.")
class Killed(agon.Reasoning):
    def answer(self, turn):
        os.kill(os.getpid(), signal.SIGKILL)
agon.component("killed", Killed, "Is ended as if by the system.")
class Stiff(agon.Form):
    def instructions(self, question, think):
        return "As JSON."
    def schema(self, question, think):
        return question.schema
    def read(self, question, text):
        return json.loads(text)
    def written(self, answer):
        raise RuntimeError("no pen")
agon.component("stiff", Stiff, "Cannot write.")
class Viewed(Stiff):
    written = None
    def read(self, question, text):
        if question.view is None:
            raise RuntimeError("no view")
        return json.loads(text)
agon.component("viewed", Viewed, "Reads by the view.")
class NoPrompt(agon.Tools):
    def look(self, turn) -> str:
        """Looks."""
        return turn.render("part-missing")
agon.component("no-prompt", NoPrompt, "Asks for a prompt that is not there.")
)";

std::string suite_with(const std::string& parts, const std::string& blocks = "4") {
  return R"({"seed": 4, "models": {"m": {"provider": "mock"}}, "agents": {"a": {"llm": "m", )" +
         parts + R"(}, "floor": "random"},
    "scenarios": [{"game": "water-allocation", "set": {"days": 6}, "blocks": )" +
         blocks + R"(,
                   "design": {"focal": "a", "background": "floor"}}]})";
}

/// How the command is to be told of the parts.
Words with_parts(Words words) {
  words.insert(words.end(), {"--plugin", "parts.py"});
  return words;
}

}  // namespace

TEST_CASE("components in Python are played, recorded, taken up again and read again") {
  const Folder folder;
  folder.write("parts.py", std::string(kParts) + kSoundComponents);
  folder.write("s.json", suite_with(R"("memory": "recent:n=3", "planning": "ahead",
    "reasoning": "twice", "tools": "gauge")"));
  folder.succeeds(with_parts({"run", "s.json", "--out", "a.agon", "--quiet"}));
  // Calls that components make are recorded as all others, and what tools gave is in the dialogue.
  const std::string calls = folder.agon({"export", "a.agon", "--rows", "calls"}).out;
  check_has(calls, {"plan-ahead", "draft", "about 1", "Of late:", "Your plan of old:"});
  // Neither a replay nor what was given up and taken up again makes an answered call again.
  const Ended replayed = folder.succeeds(with_parts({"replay", "a.agon"}));
  CHECK(contains(replayed.out, "come out byte for byte the same"));
  CHECK(
      folder.agon(with_parts({"run", "s.json", "--out", "b.agon", "--quiet", "--max-calls", "20"}))
          .code != 0);
  CHECK(folder.agon(with_parts({"run", "s.json", "--out", "b.agon", "--quiet"})).code == 0);
  CHECK(content(folder, "b.agon") == content(folder, "a.agon"));
  CHECK(lines(folder.agon({"export", "b.agon", "--rows", "calls"}).out).size() ==
        lines(calls).size());
  // Any number of jobs, in any processes, gives the same.
  CHECK(folder.agon(with_parts({"run", "s.json", "--out", "c.agon", "--quiet", "--jobs", "4"}))
            .code == 0);
  CHECK(content(folder, "c.agon") == content(folder, "a.agon"));
}

TEST_CASE("the example of components plays, with embeddings and a provider of its own") {
  const Folder folder;
  const std::string examples = AGON_TEST_SOURCE "/plugins/examples/components/";
  const Words plugins{"--plugin", examples + "bidder.py", "--plugin", examples + "local.py"};
  const auto with = [&](Words words) {
    words.insert(words.end(), plugins.begin(), plugins.end());
    return folder.agon(words);
  };
  const Ended run = with({"run", examples + "suite.json", "--out", "a.agon", "--quiet"});
  INFO(run.err << run.out);
  REQUIRE(run.code == 0);
  const std::string calls = folder.agon({"export", "a.agon", "--rows", "calls"}).out;
  check_has(calls, {"embed", "text-embedding-3-small", "What happened before that may matter now",
                    "http://localhost/local"});
  const Ended replayed = with({"replay", "a.agon"});
  INFO(replayed.err << replayed.out);
  CHECK(replayed.code == 0);
  CHECK(contains(replayed.out, "come out byte for byte the same"));
}

TEST_CASE("components in Python are listed and described, and are wrong before a run") {
  const Folder folder;
  folder.write("parts.py", std::string(kParts) + kSoundComponents);
  const Ended listed = folder.agon(with_parts({"list", "components"}));
  CHECK(contains(listed.out, "recent"));
  const Ended described = folder.agon(with_parts({"describe", "memory.recent"}));
  CHECK(contains(described.out, "events that it shows"));
  folder.write("s.json", suite_with(R"("memory": "recent:n=0")"));
  const Ended refused = folder.agon(with_parts({"run", "s.json"}));
  INFO(refused.err);
  CHECK(refused.code != 0);
  CHECK(contains(refused.err, "recent:n=0"));
  // Without the plugin there is no such part.
  CHECK(contains(folder.agon({"run", "s.json"}).err, "unknown memory part 'recent'"));
}

TEST_CASE("a component in Python that breaks is charged to its agent, with the line") {
  const Folder folder;
  folder.write("parts.py", std::string(kParts) + kSoundComponents);
  const auto [parts, problem] =
      GENERATE(std::pair(R"("reasoning": "broken")",
                         "the reasoning part 'broken' threw: RuntimeError: no idea (parts.py:"),
               // A form is asked to write when the model is shown its earlier answers.
               std::pair(R"("form": "stiff", "own_thoughts": "hidden")",
                         "the form part 'stiff' threw: RuntimeError: no pen (parts.py:"));
  folder.write("s.json", suite_with(parts));
  folder.succeeds(with_parts({"run", "s.json", "--out", "a.agon", "--quiet"}));
  const std::string rows =
      folder.agon({"export", "a.agon", "--rows", "records", "--format", "jsonl"}).out +
      folder.agon({"show", "a.agon", "1"}).out;
  INFO(rows);
  check_has(rows, {problem, "crashed"});
}

TEST_CASE("what is not the fault of a component in Python is not charged to its agent") {
  const Folder folder;
  folder.write("parts.py", std::string(kParts) + kSoundComponents);
  const auto parts = GENERATE(R"("reasoning": "killed")", R"("tools": "no-prompt")");
  folder.write("s.json", suite_with(parts, "1"));
  const Ended run = folder.agon(
      with_parts({"run", "s.json", "--out", "a.agon", "--quiet", "--sandbox", "never"}));
  INFO(run.err << run.out);
  CHECK(run.code != 0);
  const std::string rows =
      folder.agon({"export", "a.agon", "--rows", "records", "--format", "jsonl"}).out +
      folder.agon({"export", "a.agon", "--rows", "calls"}).out;
  check_lacks(rows, {"crashed", "Nothing came of this call"});
}

TEST_CASE("a form in Python that cannot read earlier answers again has not read them") {
  const Folder folder;
  folder.write("parts.py", std::string(kParts) + kSoundComponents);
  folder.write("s.json", suite_with(R"("form": "viewed", "memory": "notebook")", "1"));
  const Ended run = folder.succeeds(with_parts({"run", "s.json", "--out", "a.agon", "--quiet"}));
  CHECK_FALSE(contains(run.err + run.out, "crashed"));
  CHECK(contains(folder.agon({"export", "a.agon", "--rows", "calls"}).out, "you said:"));
}

}  // namespace components_test
