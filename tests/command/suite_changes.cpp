#include <map>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

/// A paper's suite in small: models named as the paper names them, and one made by factors.
const std::string kSuite = R"({
  "models": {"m": "openai/gpt-4"},
  "agents": {
    "gpt-4": {"llm": "m"},
    "claude": {"llm": "anthropic/claude"},
    "parts": {"llm": "m", "factors": {"memory": ["whole", "none"]}},
    "floor": "random"
  },
  "design": {"gauntlet": ["gpt-4", "claude", "parts/*"], "opponents": ["floor"], "blocks": 4},
  "scenarios": [{"game": "bargaining"}, {"game": "bargaining", "name": "short", "blocks": 1,
                 "set": {"max_turns": 6}}]
})";

/// What every agent of an archive is, by name: the id in its spec.
std::map<std::string, std::string> who(const Folder& folder, const std::string& archive) {
  std::map<std::string, std::string> agents;
  for (const auto& [number, row] : agon::archive::Archive::open(folder.at(archive)).agents()) {
    const std::size_t begin = std::string("{\"agent\":\"").size();
    agents[row.name] = row.spec.substr(begin, row.spec.find('"', begin) - begin);
    CHECK(row.family == (row.name.starts_with("parts/") ? "parts" : row.name));
    CHECK(row.factors == (row.name == "parts/memory=whole"  ? R"({"memory":"whole"})"
                          : row.name == "parts/memory=none" ? R"({"memory":"none"})"
                                                            : "{}"));
  }
  return agents;
}

Ended run(const Folder& folder, const std::string& out, const Words& more) {
  return folder.agon(joined({"run", "s.json", "--out", out, "--quiet"}, more));
}

}  // namespace

TEST_CASE("the option --agent plays in the place of everybody who calls a model") {
  const Folder folder;
  folder.write("s.json", kSuite);
  const Ended played =
      run(folder, "a.agon", {"--agent", "time-dependent:concession=0.5", "--blocks", "2"});
  INFO(played.err);
  REQUIRE(played.code == 0);
  CHECK(who(folder, "a.agon") ==
        std::map<std::string, std::string>{{"claude", "time-dependent"},
                                           {"floor", "random"},
                                           {"gpt-4", "time-dependent"},
                                           {"parts/memory=none", "time-dependent"},
                                           {"parts/memory=whole", "time-dependent"}});
  // Two blocks of one scenario and the one of the other; four line-ups, both seats.
  CHECK(finished(folder.at("a.agon")) == (2 + 1) * 4 * 2);

  // The whole suite plays the same blocks, and more.
  REQUIRE(run(folder, "a.agon", {"--agent", "time-dependent:concession=0.5"}).code == 0);
  CHECK(finished(folder.at("a.agon")) == (4 + 1) * 4 * 2);
  REQUIRE(run(folder, "b.agon", {"--agent", "time-dependent:concession=0.5"}).code == 0);
  CHECK(content(folder, "a.agon") == content(folder, "b.agon"));
}

TEST_CASE("the option --agent NAME= plays in the place of one, and goes before the one for all") {
  const Folder folder;
  folder.write("s.json", kSuite);
  const Ended played =
      run(folder, "a.agon",
          {"--blocks", "1", "--agent", "random", "--agent",
           R"(gpt-4={"rule": "time-dependent", "params": {"concession": 0.5}})", "--agent",
           "parts/memory=none=default", "--agent", "floor=time-dependent"});
  INFO(played.err);
  REQUIRE(played.code == 0);
  CHECK(who(folder, "a.agon") ==
        std::map<std::string, std::string>{{"claude", "random"},
                                           {"floor", "time-dependent"},
                                           {"gpt-4", "time-dependent"},
                                           {"parts/memory=none", "default"},
                                           {"parts/memory=whole", "random"}});
  const Ended mixed = run(
      folder, "b.agon",
      {"--blocks", "1", "--model", "mock", "--agent", "parts=default", "--agent", "claude=llm"});
  INFO(mixed.err);
  REQUIRE(mixed.code == 0);
  CHECK(who(folder, "b.agon").at("gpt-4") == "llm");
  CHECK(who(folder, "b.agon").at("claude") == "llm");
  CHECK(who(folder, "b.agon").at("parts/memory=whole") == "default");
  CHECK(folder.agon({"plan", "s.json", "--agent", "random"}).code == 0);
  CHECK(folder.agon({"doctor", "s.json", "--agent", "random"}).code == 0);
}

TEST_CASE("the option --agent and --blocks that do not fit are refused before anything is played") {
  const Folder folder;
  folder.write("s.json", kSuite);
  const std::vector<std::pair<Words, std::string>> all{
      {{"--agent", "gpt4=random"}, "unknown agent 'gpt4' (did you mean 'gpt-4'?)"},
      {{"--agent", "randon"}, "randon"},
      {{"--agent", "gpt-4="}, "missing agent"},
      {{"--agent", "gpt-4=random", "--agent", "gpt-4=default"},
       "duplicate --agent for the same agent"},
      {{"--agent", "time-dependent:concesion=1"}, "concesion"},
      {{"--agent", R"(gpt-4={"rule": "x", "factors": {"a": [1]}})"}, "one agent has no factors"},
      {{"--agent", "survivor"}, "survivor"},
      {{"--blocks", "0"}, "invalid value '0' for --blocks; expected a whole number from 1"},
      {{"--blocks", "x"}, "invalid value 'x' for --blocks"},
  };
  for (const auto& [words, says] : all) {
    const Ended refused = run(folder, "a.agon", words);
    INFO(words[1] << "\n" << refused.err);
    CHECK((refused.code == 2 || refused.code == 3 || refused.code == 5));
    CHECK(contains(refused.err, says));
    CHECK_FALSE(folder.has("a.agon"));
  }
  // A name with dots is a member of a member.
  const Ended slow = run(folder, "slow.agon", {"--model", "mock:mock.seed=3", "--blocks", "1"});
  INFO(slow.err);
  CHECK(slow.code == 0);
  // What is wrong on the command line is told there, and is wrong use of it.
  for (const auto& [words, says] : std::vector<std::pair<Words, std::string>>{
           {{"--agent", R"(gpt-4={"rule": )"}, "agon: error: --agent:1:10: the text ends"},
           {{"--model", "nowhere"}, "agon: error: --model nowhere: unknown provider 'nowhere'"},
           {{"--model", "mock:temp=1"},
            "agon: error: --model mock:temp=1: temp: unknown key 'temp'"},
           {{"--model", "mock:mock.sed=1"},
            "mock.sed: unknown key 'sed' (did you mean 'seed'?)"}}) {
    const Ended refused = run(folder, "a.agon", words);
    INFO(words[1] << "\n" << refused.err);
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, says));
    CHECK_FALSE(folder.has("a.agon"));
  }
  folder.write("s.json", suite(R"({"game": "water-allocation"})",
                               R"("design": {"focal": ["floor"], "background": "reference"},)"));
  const Ended none = run(folder, "none.agon", {"--model", "mock", "--blocks", "1"});
  CHECK(none.code == 0);
  CHECK(contains(none.err, "--model changes nothing: no agent of this suite calls a model"));
  const Ended nobody = run(folder, "a.agon", {"--agent", "random"});
  CHECK(nobody.code == 2);
  check_has(nobody.err, {"no agent of this suite calls a model", "--agent NAME=random"});
}

TEST_CASE("a part for one game is no hindrance where its agent does not play the others") {
  const Folder folder;
  const std::string head = R"({"models": {"m": {"provider": "mock"}},
 "agents": {"x": {"llm": "m", "reasoning": "envy-free-workflow"}, "y": "random"},
 "design": {"fixed": [["x", "y"]]},
 "scenarios": [{"game": "deal-or-no-deal"}, {"game": "bargaining")";
  folder.write("s.json", head + R"(, "design": {"fixed": [["y", "y"]]}}]})");
  const Ended played = run(folder, "a.agon", {});
  INFO(played.err);
  CHECK(played.code == 0);
  CHECK(who(folder, "a.agon") == std::map<std::string, std::string>{{"x", "llm"}, {"y", "random"}});
  folder.write("s.json", head + "}]}");
  const Ended refused = run(folder, "b.agon", {});
  CHECK(refused.code == 5);
  check_has(refused.err, {"$.scenarios[1]",
                          "agent 'x' does not play bargaining: the reasoning part "
                          "'envy-free-workflow' is for deal-or-no-deal"});
}

TEST_CASE("what a model holds as JSON is written as JSON in a suite") {
  const Folder folder;
  folder.write("s.json", R"({
    "models": {"m": {"provider": "mock", "extra": {"top_k": 20, "deep": {"list": [1, "a"]}},
      "mock": {"answers": "script", "script": [{"action": {"kind": "quit"}}]}}},
    "agents": {"one": {"llm": "m"}, "floor": "random"},
    "design": {"gauntlet": ["one"], "opponents": ["floor"], "blocks": 1},
    "scenarios": [{"game": "bargaining"}]})");
  const Ended played = run(folder, "a.agon", {});
  INFO(played.err);
  REQUIRE(played.code == 0);
  const auto archive = agon::archive::Archive::open(folder.at("a.agon"));
  bool found = false;
  for (const auto& [number, row] : archive.agents())
    found = found || contains(row.spec, R"(\"top_k\":20,\"deep\":{\"list\":[1,\"a\"]})");
  CHECK(found);
  archive.calls().each(nullptr, [&](const agon::archive::CallRow& row) {
    CHECK(row.call.text == R"({"action":{"kind":"quit"}})");
  });
}
