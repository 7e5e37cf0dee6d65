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
                   "design": {"seat_rotation": "as-listed", "fixed": [["learner", "twin", "r", "r", "r"]]}}]})");
  folder.succeeds({"run", "s.json", "--quiet"});
  const Ended replayed = folder.succeeds({"replay", "s.agon"});
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

/// A suite of one scenario with a learner.
std::string one_scenario(const std::string& scenario) {
  return R"({"suite": "s", "seed": 1, "models": {"m": {"provider": "mock"}},
"agents": {"twin": {"llm": "m"}, "pupil": {"llm": "m", "factors": {"learning": ["none", "on"]}}},
"scenarios": [)" +
         scenario + "]}";
}

TEST_CASE("who is to learn where nothing can be learnt is refused with the place") {
  const Folder folder;
  const std::string fixed = R"(, "blocks": 1, "design": {"fixed": [[)";
  const std::string pupil = R"("pupil/learning=on")";
  const auto ended = [&](const std::string& game, const std::string& more, int seats) {
    std::string line = pupil;
    for (int i = 1; i < seats; ++i) line += R"(, "twin")";
    folder.write("s.json",
                 one_scenario(R"({"game": ")" + game + "\"" + more + fixed + line + "]]}}"));
    return folder.agon({"doctor", "s.json"});
  };
  const Ended refused = ended("water-allocation", "", 5);
  CHECK(refused.code != 0);
  INFO(refused.err);
  check_has(refused.err, {"$.agents.pupil", "'pupil' is to learn, and cannot",
                          "give its scenario a \"sequence\" of 2 or more matches"});
  CHECK(ended("water-allocation", R"(, "sequence": 2)", 5).code == 0);
  // A game that asks for lessons on the way teaches them, if its settings do.
  CHECK(ended("sealed-bid", R"(, "set": {"reflect": true})", 3).code == 0);
  CHECK(ended("sealed-bid", R"(, "set": {"reflect": false})", 3).code != 0);
  // One that asks for them in a sequence alone does not.
  CHECK(ended("english-auction", R"(, "set": {"arena": "demo", "seats": 2})", 2).code != 0);
  // An entry that learns somewhere may play elsewhere too.
  const std::string five = R"("design": {"fixed": [["pupil/learning=on", "twin", "twin", "twin",
    "twin"]]})";
  folder.write("s.json",
               one_scenario(R"({"game": "guess-average", )" + five +
                            R"(}, {"game": "water-allocation", "sequence": 2, )" + five + "}"));
  CHECK(folder.agon({"doctor", "s.json"}).code == 0);
  // Who does not play is no matter.
  folder.write("s.json", one_scenario(R"({"game": "guess-average", "blocks": 1,
    "design": {"fixed": [["twin", "twin", "twin", "twin", "twin"]]}})"));
  CHECK(folder.agon({"doctor", "s.json"}).code == 0);
}

TEST_CASE("whether to use a workflow is learnt in a sequence alone, and plays again") {
  const Folder folder;
  const auto write = [&](const std::string& more) {
    folder.write("s.json", R"({"suite": "s", "seed": 2, "models": {"m": {"provider": "mock"}},
      "agents": {"chooser": {"llm": "m",
        "reasoning": "meta-strategy:payoffs=[[3,3],[0,3],[3,0],[0,0]],learns=0.3"}, "n": "nash"},
      "scenarios": [{"game": "classic", "set": {"game": "stag-hunt"}, "blocks": 1)" +
                               more + R"(,
        "design": {"seat_rotation": "as-listed", "fixed": [["chooser", "n"]]}}]})");
  };
  write("");
  const Ended refused = folder.agon({"doctor", "s.json"});
  INFO(refused.err);
  CHECK(refused.code != 0);
  CHECK(contains(refused.err, "'chooser' is to learn, and cannot"));
  write(R"(, "sequence": 3)");
  folder.succeeds({"run", "s.json", "--quiet"});
  CHECK(contains(folder.agon({"show", "s.agon", "2"}).out, "Matches with the workflow: "));
  CHECK(contains(folder.agon({"replay", "s.agon"}).out,
                 "3 of 3 matches come out byte for byte the same"));
}

TEST_CASE("a sequence whose matches would have other seats is refused") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "agents": {"r": "random"}, "scenarios": [
    {"game": "english-auction", "set": {"arena": "demo"}, "sequence": 2,
     "treatments": {"seats": [2, 3]}}]})");
  const Ended refused = folder.agon({"doctor", "s.json"});
  INFO(refused.err);
  CHECK(refused.code != 0);
  check_has(refused.err,
            {"$.scenarios[0].treatments", "must leave the seats and their roles as they are"});
}

TEST_CASE("learnings of any length are turned down with the bound and shown by their beginning") {
  const Folder folder;
  const std::string much(100'000, 'x');
  folder.write("s.json", R"({"suite": "s", "seed": 1, "models": {"m": {"provider": "mock",
    "mock": {"answers": "script", "script": [{"learnings": ")" +
                             much + R"("}]}}},
    "agents": {"a": {"llm": "m", "learning": "on"}, "b": "survivor"},
    "scenarios": [{"game": "water-allocation", "set": {"days": 1}, "sequence": 2, "blocks": 1,
                   "design": {"focal": "a", "background": "b", "seat_rotation": "as-listed"}}]})");
  folder.succeeds({"run", "s.json", "--quiet"});
  const std::string shown = folder.agon({"show", "s.agon", "1"}).out;
  INFO(shown);
  check_has(shown,
            {"take-along (probe)", "bytes more]: $.learnings: 100000 characters, more than 4000"});
  CHECK(shown.size() < 20'000);
  // Nothing of it is in the next match.
  CHECK_FALSE(contains(folder.agon({"show", "s.agon", "2"}).out, "This is match 2"));
}

}  // namespace learning_test
