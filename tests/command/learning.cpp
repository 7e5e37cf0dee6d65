// Sequences of matches in a game that carries nothing over by itself.

#include "catch.hpp"
#include "command/folder.hpp"

namespace learning_test {

using namespace command_test;

TEST_CASE("what a model takes along is in the archive, is shown and plays again") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "row", "seed": 3, "models": {"m": {"provider": "mock"}},
    "agents": {"learner": {"llm": "m", "learning": "on"}, "twin": {"llm": "m"}, "r": "random"},
    "scenarios": [{"game": "guess-average", "set": {"rounds": 2}, "sequence": 3, "blocks": 2,
                   "design": {"seats": "as-listed", "fixed": [["learner", "twin", "r", "r", "r"]]}}]})");
  const Ended run = folder.agon({"run", "s.json", "--quiet"});
  INFO(run.err);
  REQUIRE(run.code == 0);
  const Ended replayed = folder.agon({"replay", "s.agon"});
  INFO(replayed.out << replayed.err);
  CHECK(replayed.code == 0);
  CHECK(contains(replayed.out, "6 of 6 matches come out byte for byte the same"));
  std::size_t taught = 0, reminded = 0;
  for (int match = 1; match <= 6; ++match) {
    const std::string shown = folder.agon({"show", "s.agon", std::to_string(match)}).out;
    INFO(shown);
    CHECK_FALSE(contains(shown, "Bob take-along (probe): learnings"));
    taught += contains(shown, "Alex take-along (probe)") ? 1 : 0;
    reminded += contains(shown, "This is match 2 of the same game") ||
                        contains(shown, "This is match 3 of the same game")
                    ? 1
                    : 0;
  }
  // After each match but the last of its row, before each but the first.
  CHECK(taught == 4);
  CHECK(reminded == 4);
}

}  // namespace learning_test
