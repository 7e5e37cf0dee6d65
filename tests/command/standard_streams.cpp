#include <fstream>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

TEST_CASE("that standard error takes nothing ends no command") {
  const Folder folder;
  if (!std::ofstream("/dev/full")) SKIP("there is no /dev/full here");
  folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 2})"));
  for (const std::string nowhere : {"2>/dev/full", "2>&-"}) {
    INFO(nowhere);
    CHECK(shell(folder, "\"$AGON\" run s.json --out a.agon " + nowhere) == 0);
    CHECK(shell(folder, "\"$AGON\" run nowhere.json " + nowhere) == 3);
    CHECK(shell(folder, "\"$AGON\" lst " + nowhere) == 2);
    CHECK(shell(folder, "\"$AGON\" " + nowhere) == 2);
    CHECK(shell(folder,
                "\"$AGON\" play bargaining --agent llm --model mock --verbose "
                ">play.txt " +
                    nowhere) == 0);
    CHECK(shell(folder, "\"$AGON\" play bargaining --seat 0=human </dev/null " + nowhere) == 6);
  }
  CHECK(shell(folder, "\"$AGON\" replay a.agon >replay.txt") == 0);
  CHECK(shell(folder, "\"$AGON\" list >/dev/full 2>/dev/full") == 1);
}

TEST_CASE("with --json an error is JSON on standard output, and words on standard error") {
  const Folder folder;
  const std::vector<std::pair<Words, int>> all{
      {{"report", "nowhere.agon"}, 3},
      {{"show"}, 2},
      {{"run", "nowhere.json"}, 3},
      {{"describe", "nobody"}, 3},
      {{"export", "nowhere.agon"}, 3},
      {{"list", "--what"}, 2},
      {{"import", "amazon", "x"}, 3},
      {{"play", "bargaining", "--set", "budget=-1"}, 5},
      {{"solve", "nothing"}, 3},
      {{"check-agent"}, 2},
      {{"plan", "nowhere.json"}, 3},
      {{"doctor", "nowhere.json"}, 3},
      {{"judge", "nowhere.agon"}, 3},
      {{"replay", "nowhere.agon"}, 3},
      {{"new", "suite", "no/where"}, 1},
      {{"bench", "nowhere.json"}, 3},
      {{"run", "x.json", "--report"}, 2},
      {{"export", "x.agon", "--format", "csv"}, 3},
      {{"report", "--fault-policy", "soft"}, 2},
  };
  for (const auto& [words, code] : all) {
    const Ended plain = folder.agon(words);
    Words with = words;
    with.insert(with.begin() + 1, "--json");
    const Ended ended = folder.agon(with);
    INFO(words.front() << "\n" << ended.out << ended.err);
    CHECK(ended.code == code);
    const auto error = json_of(ended.out).at("error");
    CHECK(error.at("exit_code") == code);
    CHECK_FALSE(error.at("problem").as_string().empty());
    CHECK(contains(ended.err, error.at("problem").as_string()));
    if (words.back() != "--report" && words.back() != "csv") {
      CHECK(plain.code == code);
      CHECK(plain.out.empty());
    }
  }
}
