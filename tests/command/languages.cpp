// Language as a treatment of model agents.

#include "catch.hpp"
#include "command/folder.hpp"

namespace languages_test {

using namespace command_test;

constexpr const char* kSuite =
    R"({"suite": "languages", "seed": 5, "models": {"m": {"provider": "mock"}},
    "agents": {"llm": {"llm": "m", "factors": {"language": ["en", "de", "zh"], "memory": ["whole", "none"]}},
               "r": "random"},
    "design": {"focal": ["llm/*"], "background": "r", "seat_rotation": "as-listed", "blocks": 3},
    "scenarios": [{"game": "water-allocation", "set": {"days": 3}},
                  {"game": "guess-average", "set": {"rounds": 2}}]})";

TEST_CASE("language is a factor of a report like any part") {
  const Folder folder;
  folder.write("s.json", kSuite);
  const Ended doctor = folder.succeeds({"doctor", "s.json"});
  CHECK(contains(doctor.out, "the prompts for 'water-allocation' in 'zh' are sound"));
  folder.succeeds({"run", "s.json", "--quiet"});
  const Ended report = folder.succeeds({"report", "s.agon"});
  // Short labels, and the effect of each language against the first level.
  for (const char* row : {"llm/en,whole", "llm/de,none", "llm/zh,whole", "language: de less en",
                          "language: zh less en", "language zh x memory none"})
    CHECK(contains(report.out, row));
  const Ended replayed = folder.agon({"replay", "s.agon"});
  INFO(replayed.out << replayed.err);
  CHECK(contains(replayed.out, "36 of 36 matches come out byte for byte the same"));
}

TEST_CASE("what is learnt in another language plays again") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "row", "seed": 3, "models": {"m": {"provider": "mock"}},
    "agents": {"learner": {"llm": "m", "learning": "on", "language": "de"}, "r": "random"},
    "scenarios": [{"game": "guess-average", "set": {"rounds": 2}, "sequence": 3, "blocks": 2,
                   "design": {"seat_rotation": "as-listed", "fixed": [["learner", "r", "r", "r", "r"]]}}]})");
  folder.succeeds({"run", "s.json", "--quiet"});
  const Ended replayed = folder.agon({"replay", "s.agon"});
  INFO(replayed.out << replayed.err);
  CHECK(contains(replayed.out, "6 of 6 matches come out byte for byte the same"));
}

TEST_CASE("why an answer was turned down is said in the language and plays again") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "slips", "seed": 7,
    "models": {"m": {"provider": "mock", "mock": {"illegal": 0.3, "malformed": 0.2, "empty": 0.1}}},
    "agents": {"a": {"llm": "m", "language": "zh"}, "r": "random"},
    "design": {"focal": ["a"], "background": "r", "seat_rotation": "as-listed", "blocks": 8},
    "scenarios": [{"game": "guess-average"}]})");
  folder.succeeds({"run", "s.json", "--quiet"});
  std::string shown;
  for (int match = 1; match <= 8; ++match)
    shown += folder.agon({"show", "s.agon", std::to_string(match)}).out;
  INFO(shown);
  check_has(shown, {"大于 100", "没有任何内容"});
  CHECK_FALSE(contains(shown, "is more than 100"));
  for (const Words& again : {Words{"replay", "s.agon"}, Words{"replay", "s.agon", "--reparse"}}) {
    folder.succeeds(again);
  }
}

TEST_CASE("a game without texts in a language is refused before a match") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "no", "models": {"m": {"provider": "mock"}},
    "agents": {"a": {"llm": "m", "language": "de"}, "r": "random"},
    "design": {"focal": ["a"], "background": "r"}, "scenarios": [{"game": "ebay"}]})");
  const Ended run = folder.agon({"run", "s.json"});
  INFO(run.out << run.err);
  CHECK(run.code != 0);
  CHECK(contains(run.out + run.err,
                 "there is no 'ebay' in 'de': all that the game says is in English"));
  folder.write("t.json", R"({"suite": "no", "models": {"m": {"provider": "mock"}},
    "agents": {"a": {"llm": "m", "language": "fr"}, "r": "random"},
    "design": {"focal": ["a"], "background": "r"}, "scenarios": [{"game": "guess-average"}]})");
  const Ended other = folder.agon({"run", "t.json"});
  INFO(other.out << other.err);
  CHECK(other.code != 0);
  CHECK(contains(other.out + other.err, "no folder 'fr' beside the English prompts"));
}

TEST_CASE("a scenario brings words of its own in a language") {
  const Folder folder;
  folder.write("mine/de/sentences.json", R"({"Each round:": "Jedes Mal:"})");
  folder.write("s.json", R"({"suite": "own", "models": {"m": {"provider": "mock"}},
    "agents": {"a": {"llm": "m", "language": "de"}, "r": "random"},
    "design": {"focal": ["a"], "background": "r", "seat_rotation": "as-listed"},
    "scenarios": [{"game": "guess-average", "set": {"rounds": 2}, "prompts": "mine"}]})");
  folder.succeeds({"run", "s.json", "--quiet"});
  CHECK(contains(folder.agon({"show", "s.agon", "1", "--question", "0"}).out, "Jedes Mal:"));
}

/// All that the models of two matches were sent.
std::string prompts_of(const Folder& folder, const std::string& isolate) {
  const std::string archive = isolate + ".agon";
  folder.succeeds(
      {"run", "s.json", "--quiet", "--jobs", "1", "--sandbox", isolate, "--out", archive});
  std::string shown;
  for (const char* match : {"1", "2"})
    for (const char* question : {"0", "1", "5", "6"})
      shown += folder.agon({"show", archive, match, "--question", question}).out;
  return shown;
}

TEST_CASE("a game in a process of its own speaks the same languages") {
  const Folder folder;
  folder.write("mine/de/sentences.json", R"({"Each round:": "Jedes Mal:"})");
  // Two scenarios with other words of one language, and seats of one match that read two.
  folder.write("s.json", R"({"suite": "apart", "seed": 5, "models": {"m": {"provider": "mock"}},
    "agents": {"de": {"llm": "m", "language": "de"}, "zh": {"llm": "m", "language": "zh"}, "r": "random"},
    "design": {"seat_rotation": "as-listed", "fixed": [["de", "zh", "r", "r", "r"]]},
    "scenarios": [{"game": "guess-average", "set": {"rounds": 2}},
                  {"game": "guess-average", "name": "own", "set": {"rounds": 2}, "prompts": "mine"}]})");
  const std::string within = prompts_of(folder, "never"), apart = prompts_of(folder, "always");
  check_has(within, {"Jedes Mal:", "In jeder Runde:", "第2轮"});
  CHECK(within == apart);
  const Ended replayed = folder.agon({"replay", "always.agon", "--sandbox", "always"});
  INFO(replayed.out << replayed.err);
  CHECK(contains(replayed.out, "2 of 2 matches come out byte for byte the same"));
}

}  // namespace languages_test
