#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

/// An archive of the water game with a model that has an identity and says what it thinks.
struct Study {
  Folder folder;
  Study() {
    folder.write("s.json", R"({"seed": 5, "models": {"m": "mock"},
      "agents": {"gpt-like": {"llm": "m", "persona": "text:words=\"You are Eric.\"", "reasoning": "plan-bid-reflect"},
                 "floor": "random"},
      "scenarios": [{"game": "water-allocation", "blocks": 2, "set": {"days": 4},
        "design": {"focal": ["gpt-like"], "background": "floor"}}]})");
    folder.succeeds({"run", "s.json"});
  }
  /// The text with every rating filled in: `value` in all columns but the last.
  static std::string filled(const std::string& form, const std::string& value) {
    std::string out;
    for (std::string line : lines(form)) {
      while (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.ends_with(",,,,,,"))
        line = line.substr(0, line.size() - 6) + "," + value + "," + value + "," + value + "," +
               value + "," + value + ",";
      out += line + "\n";
    }
    return out;
  }
};

}  // namespace

TEST_CASE("records that cannot be written leave nothing behind") {
  const Study study;
  const Folder& folder = study.folder;
  const Words draw{"judge", "s.agon", "--records", "4", "--judges", "2", "--per-record", "2"};
  // Room for some bytes of a record, as on a disk that is full.
  folder.refuses(draw, 1, {"s-judging/", "cannot be written: "}, {.most_file_bytes = 40});
  CHECK_FALSE(folder.has("s-judging"));
  CHECK_FALSE(folder.has("s-judging-key.csv"));
  CHECK(folder.agon(draw).code == 0);

  folder.write("blank.csv", "");
  const Ended blank = folder.refuses({"judge", "s.agon", "--forms", "blank.csv"}, 5, {"blank.csv"});
  CHECK_FALSE(contains(blank.err, "cannot be read"));
}

TEST_CASE("records for judges: drawn, blind, and read back") {
  const Study study;
  const Folder& folder = study.folder;
  const Words draw{"judge", "s.agon", "--records", "4", "--judges", "2", "--per-record", "2"};
  const Ended drawn = folder.succeeds(draw);
  CHECK(drawn.out.empty());
  CHECK(contains(drawn.err, "agon judge s.agon --forms s-judging/judge-*.csv"));
  bool private_words = false;
  for (int r = 1; r <= 4; ++r) {
    const std::string record = folder.read("s-judging/records/R0" + std::to_string(r) + ".txt");
    for (const char* name : {"gpt-like", "mock", "floor", "random"})
      CHECK_FALSE(contains(record, name));
    CHECK(contains(record, "The player to rate: "));
    private_words = private_words || (contains(record, "in private:") &&
                                      contains(record, "What the player was given") &&
                                      contains(record, "thought: "));
  }
  CHECK(private_words);
  CHECK(count(folder.read("s-judging-key.csv"), "\n") == 5);
  CHECK(contains(folder.read("s-judging/instructions.txt"), "identity alignment"));

  folder.refuses(draw, 2, {"is there already"});
  folder.refuses({"judge", "s.agon", "--forms", "s-judging/judge-1.csv"}, 5, {"the form is empty"});

  folder.write("a.csv", Study::filled(folder.read("s-judging/judge-1.csv"), "4"));
  folder.write("b.csv", Study::filled(folder.read("s-judging/judge-2.csv"), "2"));
  const Ended told = folder.succeeds({"judge", "s.agon", "--forms", "a.csv", "b.csv"});
  check_has(told.out,
            {"8 of 4 records by 2 judges", "gpt-like", "no model, played for 'gpt-like'"});
  const auto json =
      json_of(folder.agon({"judge", "s.agon", "--forms", "a.csv", "b.csv", "--json"}).out);
  CHECK(json.at("all").at("dimensions").at("IU").at("mean").as_double() == 3);
  CHECK(json.at("all").at("dimensions").at("IU").at("n").as_double() == 8);
  CHECK(json.at("agreement").at("IU").at("alpha_interval").as_double() == Approx(-0.75));
  CHECK(json.at("agents").as_array().size() == 2);

  folder.write("bad.csv", "record,judge,IU,LR,SE,AD,LP,IA\nR01,7,9,,,,,\nR77,7,1,,,,,\n");
  const Ended bad = folder.agon({"judge", "s.agon", "--forms", "bad.csv", "a.csv"});
  CHECK(bad.code == 5);
  CHECK(bad.out.empty());
  check_has(bad.err, {"bad.csv:2: IU: 9 is more than 5", "bad.csv:3: the key has no record 'R77'",
                      "2 rows of the forms"});
  CHECK(folder.agon({"judge", "s.agon", "--forms", "a.csv", "--records", "3"}).code == 2);
  CHECK(folder.agon({"judge", "s.agon", "--forms", "a.csv", "--key", "no.csv"}).code == 3);
}

TEST_CASE("half of the records are of seats with an identity, and only theirs is rated") {
  const Folder folder;
  // In one treatment the game tells its residents who they are.
  folder.write("s.json", R"({"seed": 5, "agents": {"a": "survivor"},
    "scenarios": [{"game": "water-allocation", "blocks": 4, "set": {"days": 3},
      "treatments": {"persona": [false, true]},
      "design": {"fixed": [["a", "a", "a", "a", "a"]]}}]})");
  folder.succeeds({"run", "s.json"});
  folder.succeeds({"judge", "s.agon", "--records", "10", "--judges", "1", "--per-record", "1"});
  std::vector<std::string> without, with;
  for (int r = 1; r <= 10; ++r) {
    const std::string label = (r < 10 ? "R0" : "R") + std::to_string(r);
    const std::string record = folder.read("s-judging/records/" + label + ".txt");
    (contains(record, "The player was given no identity: leave IA empty.") ? without : with)
        .push_back(label);
    // Days are told in the game's words, not as members of an event.
    CHECK(contains(record, "[all] Day 1: there were "));
  }
  CHECK(without.size() == 5);
  CHECK(with.size() == 5);

  const std::string head = "record,judge,IU,LR,SE,AD,LP,IA\n";
  folder.write("bad.csv", head + without[0] + ",1,3,3,3,3,3,4\nown,1,3,3,3,3,3,4\n");
  folder.refuses({"judge", "s.agon", "--forms", "bad.csv"}, 5,
                 {"bad.csv:2: IA: the player of '" + without[0] +
                      "' was given no identity: leave the cell empty",
                  "bad.csv:3: IA: "});

  // The form has a row for the judge's own play, which is told apart.
  CHECK(contains(folder.read("s-judging/judge-1.csv"), "own,1,,,,,,"));
  folder.write("good.csv", head + "own,ann,5,5,5,5,5,\n" + without[0] + ",ann,3,3,3,3,3,\n" +
                               with[0] + ",ann,1,3,3,3,3,4\n" + with[0] + ",ben,4,3,3,3,3,2\n");
  const auto json = json_of(folder.agon({"judge", "s.agon", "--forms", "good.csv", "--json"}).out);
  CHECK(json.at("ratings") == 3);
  CHECK(json.at("own_play").at("IU").at("mean").as_double() == 5);
  CHECK(json.at("own_play").at("IU").at("published_sd").as_double() == 0.52);
  CHECK(json.at("by_judge").as_array().size() == 2);
  CHECK(json.at("by_judge").at(0).at("judge") == "ann");
  CHECK(json.at("by_judge").at(0).at("records") == 2);
  CHECK(json.at("by_judge").at(0).at("dimensions").at("IU").at("mean").as_double() == 2);
  // Records with an identity stand apart from those without.
  const auto& by_identity = json.at("by_identity").as_array();
  REQUIRE(by_identity.size() == 2);
  CHECK(by_identity[0].at("identity") == true);
  CHECK(by_identity[0].at("records") == 1);
  CHECK(by_identity[0].at("dimensions").at("IU").at("mean").as_double() == 2.5);
  CHECK(by_identity[0].at("dimensions").at("IA").at("n").as_double() == 2);
  CHECK(by_identity[1].at("identity") == false);
  CHECK(by_identity[1].at("dimensions").at("IU").at("mean").as_double() == 3);
  const Ended text = folder.agon({"judge", "s.agon", "--forms", "good.csv"});
  check_has(text.out, {"By identity", "with an identity"});
  folder.write("one.csv", head + with[0] + ",ann,1,3,3,3,3,4\n");
  const Ended one = folder.agon({"judge", "s.agon", "--forms", "one.csv"});
  CHECK_FALSE(contains(one.out, "By identity"));
  check_has(text.out, {"By judge: means", "own play"});
}

TEST_CASE("a model judges next to people, and agreement is told for people and with the model") {
  const Study study;
  const Folder& folder = study.folder;
  folder.succeeds({"judge", "s.agon", "--records", "10", "--judges", "2", "--per-record", "2",
                   "--out", "j", "--key", "key.csv"});
  folder.succeeds({"run", "j/judges.json", "--agent", "judge=llm", "--model", "mock", "--out",
                   "m.agon", "--quiet"});
  // Its calls are on record like any.
  CHECK(count(folder.agon({"export", "m.agon", "--rows", "calls"}).out, "\n") > 10);
  folder.write("a.csv", Study::filled(folder.read("j/judge-1.csv"), "4"));
  folder.write("b.csv", Study::filled(folder.read("j/judge-2.csv"), "2"));
  const auto read = [&](Words files, const std::string& key = "key.csv") {
    return folder.agon(joined({"judge", "s.agon", "--json", "--key", key, "--forms"}, files));
  };
  const Ended both = read({"a.csv", "b.csv", "m.agon"});
  INFO(both.err);
  REQUIRE(both.code == 0);
  const auto json = json_of(both.out);
  CHECK(json.at("judges") == 3);
  const auto& among = json.at("agreement_among").as_array();
  REQUIRE(among.size() == 2);
  CHECK(among[0].at("judges") == "people");
  CHECK(among[1].at("judges") == "people and judge (mock)");
  // Two people who are two apart on each of ten records: 1 - 19 * 80 / 800.
  CHECK(among[0].at("dimensions").at("IU").at("alpha_interval").as_double() == Approx(-0.9));
  CHECK(among[0].at("dimensions").at("IU").at("alpha_interval_interval").is_array());
  CHECK(json.at("by_judge").at(2).at("plays") == "mock");
  CHECK(json.at("by_judge").at(0).at("dimensions").at("IU").at("quartiles").at(1) == 4.0);
  CHECK(contains(
      folder.agon({"judge", "s.agon", "--key", "key.csv", "--forms", "a.csv", "m.agon"}).out,
      "people and judge (mock)"));
  // Among people alone there is nothing to set apart, and a second rating is left out.
  CHECK(json_of(read({"a.csv", "b.csv"}).out).at("agreement_among").as_array().empty());
  const Ended twice = read({"a.csv", "m.agon", "m.agon"});
  CHECK(twice.code == 0);
  CHECK(contains(twice.err, "as it had rated the same before"));

  // Ratings of another draw are not taken for those of this one.
  folder.succeeds({"judge", "s.agon", "--records", "10", "--judges", "2", "--per-record", "2",
                   "--seed", "7", "--out", "k", "--key", "other.csv"});
  const Ended other = read({"m.agon"}, "other.csv");
  CHECK(other.code == 5);
  CHECK(contains(other.err, "is another match or seat than the key's"));
  // An archive without ratings is no form.
  const Ended none = read({"s.agon"});
  CHECK(none.code == 5);
  CHECK(contains(none.err, "the archive has no ratings"));
}

TEST_CASE("a judge that also plays in other words is one judge") {
  const Study study;
  const Folder& folder = study.folder;
  folder.succeeds(
      {"judge", "s.agon", "--records", "4", "--judges", "1", "--per-record", "1", "--out", "j"});
  // The same agent rates, and plays a game in its own words and in those of two skins.
  std::string suite = folder.read("j/judges.json");
  const std::size_t end = suite.rfind("}]");
  REQUIRE(end != std::string::npos);
  suite.insert(end + 1, R"(, {"game": "sealed-bid", "set": {"rounds": 1}, "blocks": 2, "skins": 2,
    "design": {"round_robin": ["judge"]}})");
  folder.write("j/both.json", suite);
  folder.succeeds({"run", "j/both.json", "--agent", "judge=llm", "--model", "mock", "--out",
                   "m.agon", "--quiet"});
  const Ended told = folder.succeeds({"judge", "s.agon", "--json", "--forms", "m.agon"});
  const auto json = json_of(told.out);
  CHECK(json.at("judges") == 1);
  CHECK(json.at("by_judge").as_array().size() == 1);
  CHECK(json.at("by_judge").at(0).at("judge") == "judge (mock)");
  // Rated twice, by the same judge: with a second archive in which it has other skins.
  std::string other = suite;
  other.replace(other.find("\"skins\": 2"), 10, R"("skins": ["temple-bells"])");
  folder.write("j/other.json", other);
  folder.succeeds({"run", "j/other.json", "--agent", "judge=llm", "--model", "mock", "--out",
                   "n.agon", "--quiet"});
  const Ended twice = folder.succeeds({"judge", "s.agon", "--json", "--forms", "m.agon", "n.agon"});
  CHECK(json_of(twice.out).at("judges") == 1);
  CHECK(contains(twice.err, "as it had rated the same before"));
}

TEST_CASE("a judge that never answers legally has rated nothing") {
  const Study study;
  const Folder& folder = study.folder;
  folder.succeeds(
      {"judge", "s.agon", "--records", "4", "--judges", "1", "--per-record", "1", "--out", "j"});
  // As the suite stands, its judge says nothing; this one is out of the scale each time.
  std::string out_of_scale;
  for (int i = 0; i < 10; ++i)
    out_of_scale += std::string(i > 0 ? "," : "") +
                    R"({"IU": 6, "LR": 1, "SE": 1, "AD": 1, "LP": 1, "IA": null})";
  folder.succeeds({"run", "j/judges.json", "--agent",
                   R"(judge={"script": {"stages": {"rate": [)" + out_of_scale + "]}}}", "--out",
                   "m.agon", "--quiet"});
  folder.refuses({"judge", "s.agon", "--forms", "m.agon"}, 5,
                 {"4 ratings missing, as no answer was legal", "no judge has rated a record"});
}

TEST_CASE("judges.json as it stands rates nothing, and the message says how to run it") {
  const Study study;
  const Folder& folder = study.folder;
  folder.succeeds(
      {"judge", "s.agon", "--records", "4", "--judges", "1", "--per-record", "1", "--out", "j"});
  REQUIRE(folder.agon({"run", "j/judges.json", "--out", "m.agon", "--quiet"}).code == 0);
  folder.refuses({"judge", "s.agon", "--forms", "m.agon"}, 5,
                 {"no judge has rated a record; left empty: 4",
                  "hint: judges.json rates nothing as it stands", "--agent judge="});
}

TEST_CASE("what judges give their own play stands beside what they give records") {
  const Study study;
  const Folder& folder = study.folder;
  folder.succeeds(
      {"judge", "s.agon", "--records", "4", "--judges", "3", "--per-record", "3", "--out", "j"});
  const std::string head = "record,judge,IU,LR,SE,AD,LP,IA\n";
  folder.write("own.csv", head +
                              "own,ann,5,,,,,\nown,ben,4,,,,,\nown,cy,3,,,,,\n"
                              "R01,ann,3,,,,,\nR02,ann,4,,,,,\nR01,ben,2,,,,,\nR01,cy,3,,,,,\n");
  const auto json = json_of(folder.agon({"judge", "s.agon", "--forms", "own.csv", "--json"}).out);
  const auto& own = json.at("own_play").at("IU");
  CHECK(own.at("n").as_double() == 3);
  CHECK(own.at("quartiles").at(0).as_double() == 3.5);
  CHECK(own.at("interval").is_array());
  // 5 - 3.5, 4 - 2 and 3 - 3.
  CHECK(own.at("minus_agents").as_double() == Approx(3.5 / 3));
  CHECK(own.at("minus_agents_judges") == 3);
  CHECK(json.at("own_play").at("LR").at("minus_agents").is_null());
  const Ended text = folder.agon({"judge", "s.agon", "--forms", "own.csv"});
  check_has(text.out, {"Own play beside the records", "3.5 / 4 / 4.5"});
}
