#include <fmt/format.h>

#include <set>
#include <string>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

// As where published data are played again: each scenario has agents of its own.
TEST_CASE("a run's manifest grows with its matches, not with agents times scenarios") {
  constexpr int scenarios = 30;
  std::string agents, list;
  for (int i = 0; i < scenarios; ++i) {
    agents += fmt::format(R"({}"a{}": "random", "b{}": "random")", i == 0 ? "" : ", ", i, i);
    list += fmt::format(R"({}{{"name": "s{}", "game": "deal-or-no-deal", "blocks": 1,
                            "design": {{"fixed": [["a{}", "b{}"]], "seats": "as-listed"}}}})",
                        i == 0 ? "" : ", ", i, i, i);
  }
  const Folder folder;
  folder.write("s.json",
               fmt::format(R"({{"seed": 1, "agents": {{{}}}, "scenarios": [{}]}})", agents, list));
  const Ended ran = folder.agon({"run", "s.json", "--out", "s.agon", "--quiet"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const auto archive = agon::archive::Archive::open(folder.at("s.agon"));
  const auto plan = json_of(archive.runs().front().manifest).at("plan").as_array();
  REQUIRE(plan.size() == scenarios);
  for (const auto& row : plan) {
    const std::string number(row.at("scenario").as_string().substr(1));
    std::set<std::string> names;
    for (const auto& agent : row.at("agents").as_array())
      names.emplace(agent.at("name").as_string());
    CHECK(names == std::set<std::string>{"a" + number, "b" + number});
  }
  // The same again finds all of it.
  const Ended again = folder.agon({"run", "s.json", "--out", "s.agon", "--json"});
  CHECK(json_of(again.out).at("before").as_int64() == scenarios);
}
