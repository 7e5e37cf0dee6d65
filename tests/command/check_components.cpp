// `agon check` of components and providers in Python: each fault is found by the check that is for
// it, and the same components without faults pass.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <string>

#include "catch.hpp"
#include "command/folder.hpp"
#include "command/sound_components.hpp"

using namespace command_test;

namespace {

namespace bj = boost::json;

constexpr std::string_view kSoundParts = R"(
import agon
class Recent(agon.Memory):
    def notes(self, turn):
        shown = [each for each in turn.past if each.at < turn.news_from][-2:]
        return "Of late:\n" + "\n".join(each.text for each in shown) if shown else ""
agon.component("recent", Recent, "The last events.")
def half(number: float) -> str:
    """Half of a number."""
    return str(number / 2)
agon.tools("halves", [half], "Halves.", calls=2)
class AsJson(agon.Form):
    def instructions(self, question, think):
        return "As JSON."
    def schema(self, question, think):
        return question.schema
    def read(self, question, text):
        import json
        return json.loads(text)
agon.component("as-json", AsJson, "JSON.")
def complete(request):
    return "no"
agon.provider("terse", complete, "Says no.")
)";

/// What the checks of the one component of a file came to, by name.
std::map<std::string, bj::object> found_in(const Folder& folder, const std::string& text,
                                           int& code) {
  folder.write("parts.py", text);
  const Ended ended =
      folder.agon({"check", "./parts.py", "--game", "sealed-bid", "--json", "--matches", "2"});
  INFO(ended.err);
  code = ended.code;
  std::map<std::string, bj::object> found;
  const bj::value json = json_of(ended.out);
  for (const bj::value& finding : json.at("components").as_array().at(0).at("checks").as_array())
    found[std::string(finding.at("check").as_string())] = finding.as_object();
  return found;
}

}  // namespace

TEST_CASE("agon check: sound components in Python pass") {
  const Folder folder;
  folder.write("parts.py", std::string(kSoundParts) + kSoundComponents);
  const Ended ended = folder.agon({"check", "./parts.py", "--game", "sealed-bid", "--game",
                                   "bargaining", "--matches", "1", "--json"});
  INFO(ended.err << ended.out);
  CHECK(ended.code == 0);
  const bj::value json = json_of(ended.out);
  CHECK(json.at("passed").as_bool());
  CHECK(json.at("games").as_array().empty());
  const bj::array& components = json.at("components").as_array();
  CHECK(components.size() == 6);
  for (const bj::value& component : components) {
    const bj::array& checks = component.at("checks").as_array();
    CHECK(checks.size() == 7);
    const bool is_provider = component.at("kind").as_string() == "provider";
    for (const bj::value& finding : checks) {
      INFO(component.at("component").as_string().c_str()
           << " " << finding.at("check").as_string().c_str());
      const bool skips = is_provider && finding.at("check").as_string() == "errors";
      CHECK(finding.at("verdict").as_string() == (skips ? "skipped" : "pass"));
    }
  }
  const Ended one = folder.agon(
      {"check", "./parts.py", "--game", "sealed-bid", "--matches", "1", "--only", "replay"});
  CHECK(one.code == 0);
  CHECK(contains(one.out, "memory recent:"));
  CHECK(contains(one.out, "6 checks, none failed"));
}

TEST_CASE("agon check: each fault of a component in Python is found by the check that is for it") {
  struct Faulty {
    const char* check;
    const char* verdict;
    const char* text;
    const char* says;
  };
  // Each keeps to all that comes before the check that finds it, as far as that is possible.
  const Faulty all[] = {{"plays", "fail", R"(
class Bad(agon.Reasoning):
    def answer(self, turn):
        raise RuntimeError("no idea")
)",
                         "no idea"},
                        {"again", "fail", R"(
import time
class Bad(agon.Memory):
    def notes(self, turn):
        return f"It is {time.time_ns()}."
)",
                         "asked a second time"},
                        {"order", "fail", R"(
met = []
class Bad(agon.Memory):
    def notes(self, turn):
        met.append(turn.question.number)
        return f"There were {len(met)} questions."
)",
                         "with the matches played in reverse"},
                        {"seats", "fail", R"(
last = {}
class Bad(agon.Memory):
    def notes(self, turn):
        before, last["view"] = last.get("view"), str(turn.question.view) + str(turn.question.seat)
        return f"Another was shown {before}."
)",
                         "with the seats of a match asked one after another"},
                        {"jobs", "fail", R"(
import os
class Bad(agon.Memory):
    def notes(self, turn):
        return f"You are process {os.getpid()} {id(agon)}."
)",
                         "in several processes"},
                        {"replay", "fail", R"(
count = [0]
class Bad(agon.Reasoning):
    def answer(self, turn):
        count[0] += 1
        turn.call(f"Draft {count[0]}.", "draft")
        return turn.ask_for_answer(turn.task)
)",
                         "with its calls on record"},
                        {"errors", "warning", R"(
class Bad(agon.Reasoning):
    def answer(self, turn):
        turn.ask_for_answer(turn.task)
        return {"bid": 1}
)",
                         "the model refused all calls"}};
  const Folder folder;
  for (const Faulty& faulty : all) {
    const std::string kind =
        std::string(faulty.text).find("agon.Memory") != std::string::npos ? "memory" : "reasoning";
    int code = 0;
    const auto found = found_in(folder,
                                "import agon\n" + std::string(faulty.text) +
                                    "agon.component(\"bad\", Bad, \"It has a fault.\")\n",
                                code);
    INFO(faulty.check << ": " << kind);
    REQUIRE(found.contains(faulty.check));
    const bj::object& finding = found.at(faulty.check);
    INFO(std::string(finding.at("problem").as_string()));
    CHECK(finding.at("verdict").as_string() == faulty.verdict);
    CHECK(contains(std::string(finding.at("problem").as_string()), faulty.says));
    CHECK_FALSE(finding.at("hint").as_string().empty());
    CHECK(code == (faulty.verdict == std::string("fail") ? 1 : 0));
  }
}

TEST_CASE("agon check: a provider that keeps state is worth a look, one that breaks fails") {
  const Folder folder;
  int code = 0;
  const auto counting = found_in(folder, R"(
import agon
count = [0]
def complete(request):
    count[0] += 1
    return f"answer {count[0]}"
agon.provider("counting", complete, "Counts.")
)",
                                 code);
  CHECK(code == 0);
  CHECK(counting.at("again").at("verdict").as_string() == "warning");
  CHECK(counting.at("plays").at("verdict").as_string() == "pass");
  const auto broken = found_in(folder, R"(
import agon
def complete(request):
    raise RuntimeError("out of memory")
agon.provider("broken", complete, "Breaks.")
)",
                               code);
  CHECK(code == 1);
  CHECK(broken.at("plays").at("verdict").as_string() == "fail");
  CHECK(broken.at("again").at("verdict").as_string() == "skipped");
}
