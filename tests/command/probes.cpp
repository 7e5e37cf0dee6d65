// Questions that a suite asks: they leave play as it is, their answers are scored against the
// record, and what they could not be is refused.

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <map>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"
#include "json/write.hpp"

using namespace command_test;

namespace {

namespace bj = boost::json;

/// Two that always pick the same numbers, and one says what it holds to be so of the other.
std::string guesses(const std::string& probes, const std::string& said,
                    const std::string& more = "") {
  return R"({"suite": "p", "seed": 4, "agents": {
    "low": {"script": {"stages": {"pick": [{"number": 10}, {"number": 10}])" +
         (said.empty() ? said : ", " + said) + R"(}}},
    "high": {"script": {"answers": [{"number": 20}, {"number": 20}]}}},
  "design": {"fixed": [["low", "high"]], "seat_rotation": "as-listed", "blocks": 12},
  "probes": [)" +
         probes + R"(],
  "scenarios": [{"game": "guess-average", "set": {"players": ["Ann", "Bob"], "rounds": 2)" +
         more + R"(}}]})";
}

const std::string kNumber = R"("answer": {"number": {"min": 0, "max": 100}})";
const std::string kNext =
    R"({"name": "next", "after": "round", "of": "Ann", "ask": "What will Bob pick?", )" + kNumber +
    R"(, "truth": {"next": "pick", "seat": "Bob", "member": "/number"}})";

/// The answers to probes that an archive exports.
std::vector<bj::object> probed(const Folder& folder, const std::string& archive) {
  return exported(folder, archive, "probes");
}

/// All that the records of an archive hold beside questions of suites, and all scores.
std::vector<std::string> beside_probes(const Folder& folder, const std::string& archive) {
  std::vector<std::string> all;
  for (bj::object row : exported(folder, archive, "records")) {
    std::string line(row.at("scenario").as_string());
    for (const bj::value& entry : row.at("record").as_array()) {
      const bj::value* name = entry.as_object().if_contains("name");
      if (name == nullptr || !name->is_string() || !name->as_string().starts_with("suite-asks-"))
        line += agon::json::write(entry);
    }
    all.push_back(line);
  }
  for (bj::object row : exported(folder, archive)) {
    for (const char* of_settings : {"match", "settings", "cluster"}) row.erase(of_settings);
    all.push_back(agon::json::write(bj::value(row)));
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// A suite of all games that ship, with a question after every stage and every event that seats are
/// told, or without.
std::string all_games(const Folder& folder, bool asks) {
  bj::array scenarios;
  const bj::value listed = json_of(folder.succeeds({"list", "games", "--json"}).out);
  for (const bj::value& game : listed.at("games").as_array()) {
    const std::string id(game.at("id").as_string());
    const bj::value card = json_of(folder.succeeds({"describe", id, "--json"}).out);
    bj::array probes;
    std::set<std::string> after;
    for (const bj::value& stage : card.at("stages").as_array())
      if (!stage.at("probe").as_bool()) after.emplace(stage.at("name").as_string());
    for (const bj::value& event : card.at("events").as_array())
      if (event.at("told").as_string() != "the record alone")
        after.emplace(event.at("name").as_string());
    for (const std::string& name : after)
      probes.push_back({{"name", "suite-asks-" + std::to_string(probes.size())},
                        {"after", name},
                        {"ask", "Who will do best?"},
                        {"answer", {{"distribution", "seats"}}}});
    bj::object scenario{{"game", id}, {"blocks", 2}};
    if (asks) scenario["probes"] = std::move(probes);
    scenarios.push_back(std::move(scenario));
  }
  return agon::json::write(bj::value{{"seed", 5},
                                     {"agents", {{"a", "random:probes=true"}, {"b", "default"}}},
                                     {"design", {{"round_robin", true}}},
                                     {"scenarios", std::move(scenarios)}});
}

}  // namespace

TEST_CASE("a suite's questions leave play in all games as it is") {
  const Folder folder;
  folder.write("plain.json", all_games(folder, false));
  folder.write("asks.json", all_games(folder, true));
  folder.succeeds({"run", "plain.json", "--quiet"});
  folder.succeeds({"run", "asks.json", "--quiet"});
  const auto plain = beside_probes(folder, "plain.agon");
  CHECK(plain.size() > 20);
  CHECK(plain == beside_probes(folder, "asks.agon"));
  std::set<std::string> games, agents;
  for (const bj::object& row : probed(folder, "asks.agon")) {
    games.emplace(row.at("game").as_string());
    agents.emplace(row.at("agent").as_string());
  }
  CHECK(games.size() >= 10);
  CHECK(agents == std::set<std::string>{"a"});
  CHECK(probed(folder, "plain.agon").empty());
  // The record has all that a replay asks.
  folder.succeeds({"replay", "asks.agon"});
}

TEST_CASE("answers are scored against the record, beside what other blocks say") {
  const Folder folder;
  folder.write("p.json", guesses(kNext, R"("next": [{"number": 25}])"));
  folder.succeeds({"run", "p.json", "--quiet"});
  const auto rows = probed(folder, "p.agon");
  REQUIRE(rows.size() == 24);  // after each of two rounds; after the last one nobody picks
  std::size_t scored = 0;
  for (const bj::object& row : rows) {
    CHECK(row.at("agent").as_string() == "low");
    CHECK(row.at("question").as_int64() >= 1'000'000);
    if (row.at("truth").is_null()) {
      CHECK(row.at("absolute_error").is_null());
      continue;
    }
    ++scored;
    CHECK(row.at("truth").as_string() == "20");
    CHECK(row.at("absolute_error").to_number<double>() == 5);
    CHECK(row.at("absolute_error_base").to_number<double>() == 0);
  }
  CHECK(scored == 12);
  check_has(folder.succeeds({"report", "p.agon", "--section", "probes"}).out,
            {"Probes: guess-average", "absolute error", "12"});
  check_has(folder.succeeds({"show", "p.agon", "1"}).out, {"next"});
}

TEST_CASE("statements, choices, distributions and intervals have rules of their own") {
  const std::string ask = R"(, "after": "round", "of": "Ann", "most": 1, "ask": "?", "answer": )";
  const std::string bobs = R"({"next": "pick", "seat": "others", "member": "/number")";
  const std::string all =
      R"({"name": "over")" + ask + R"({"probability": "Bob picks 15 or more"}, "truth": )" + bobs +
      R"(, "at_least": 15}},
      {"name": "is-ten")" +
      ask + R"({"probability": "Bob picks 10"}, "truth": )" + bobs + R"(, "is": 10}},
      {"name": "which")" +
      ask + R"({"choice": ["10", "20"]}, "truth": )" + bobs + R"(}},
      {"name": "each")" +
      ask + R"({"distribution": ["10", "20"]}, "truth": )" + bobs + R"(}},
      {"name": "range")" +
      ask + R"({"interval": {"min": 0, "max": 100, "level": 0.8}}, "truth": )" + bobs + R"(}},
      {"name": "words")" +
      ask + R"({"text": 40}})";
  const Folder folder;
  folder.write("p.json", guesses(all, R"("over": [{"probability": 0.8}],
    "is-ten": [{"probability": 0.8}], "which": [{"choice": "10"}],
    "each": [{"probabilities": {"10": 0.25, "20": 0.75}}],
    "range": [{"low": 21, "high": 30}], "words": [{"text": "many"}])"));
  folder.succeeds({"run", "p.json", "--quiet"});
  std::map<std::string, bj::object> first;
  for (const bj::object& row : probed(folder, "p.agon"))
    first.emplace(std::string(row.at("probe").as_string()), row);
  REQUIRE(first.size() == 6);
  const auto is = [&](const char* probe, const char* column) {
    return Approx(first.at(probe).at(column).to_number<double>());
  };
  CHECK(0.04 == is("over", "brier"));
  CHECK(0.64 == is("is-ten", "brier"));
  CHECK(-std::log(0.2) == is("is-ten", "log"));
  // Eleven other blocks, and one of each more.
  CHECK(1.0 / 169 == is("over", "brier_base"));
  CHECK(0 == is("which", "right"));
  CHECK(1 == is("which", "right_base"));
  CHECK(0.125 == is("each", "brier"));
  CHECK(9 + 10.0 * 1 == is("range", "interval_score"));
  CHECK(first.at("words").at("truth").is_null());
  const Ended report = folder.succeeds({"report", "p.agon", "--json"});
  check_has(report.out, {"share that came true"});
}

TEST_CASE("the seat that was told something is the truth of a choice of seats") {
  const Folder folder;
  folder.write("p.json", R"({"seed": 3, "agents": {"a": "random:probes=true", "b": "default"},
    "design": {"fixed": [["a", "b", "b"]], "seat_rotation": "as-listed", "blocks": 3},
    "probes": [{"name": "who", "after": "hammer", "of": "Bidder 1", "most": 1, "ask": "?",
                "answer": {"choice": "seats"},
                "truth": {"event": "private", "member": "/desire", "is": "shill"}}],
    "scenarios": [{"game": "english-auction",
                   "treatments": {"desires": [["profit", "shill", "profit"],
                                              ["profit", "profit", "profit"]]}}]})");
  folder.succeeds({"run", "p.json", "--quiet"});
  std::size_t known = 0, unknown = 0;
  for (const bj::object& row : probed(folder, "p.agon")) {
    if (row.at("truth").is_null()) {
      ++unknown;
      continue;
    }
    ++known;
    CHECK(row.at("truth").as_string() == "Bidder 2");
    CHECK(row.at("right").to_number<double>() ==
          (contains(agon::json::write(row.at("answer")), "Bidder 2") ? 1 : 0));
  }
  CHECK(known == 3);
  CHECK(unknown == 3);
}

TEST_CASE("a person at the terminal answers a suite's question, or skips it") {
  const Folder folder;
  folder.write("p.json",
               R"({"seed": 1, "agents": {"me": {"human": {"probes": true}}, "b": "default"},
    "design": {"fixed": [["me", "b"]], "seat_rotation": "as-listed"},
    "probes": [{"name": "odds", "after": "round", "most": 1, "ask": "How likely do you win?",
                "answer": {"probability": "I win the next round"},
                "truth": {"score": "asked"}}],
    "scenarios": [{"game": "guess-average", "set": {"players": ["Ann", "Bob"], "rounds": 2}}]})");
  folder.refuses({"run", "p.json"}, 5, {"the truth is no yes or no", "at_least"});
  const std::string text = folder.read("p.json");
  const std::string wrong = R"({"score": "asked"})";
  std::string right = text;
  right.replace(right.find(wrong), wrong.size(), R"({"score": "asked", "at_least": 1})");
  folder.write("p.json", right);
  const Ended played = folder.succeeds({"run", "p.json"}, {.in = "30\n0.7\n30\n"});
  check_has(played.out + played.err, {"How likely do you win?", "I win the next round"});
  const auto rows = probed(folder, "p.agon");
  REQUIRE(rows.size() == 1);
  CHECK(contains(agon::json::write(rows[0].at("answer")), "0.7"));
}

TEST_CASE("models are asked with the same words, and their play is the same without") {
  const Folder folder;
  const auto suite = [](const std::string& probes) {
    return R"({"seed": 2, "models": {"m": "mock/random"}, "agents": {"a": {"llm": "m"}, "b": "default"},
      "design": {"fixed": [["a", "b"]], "seat_rotation": "as-listed", "blocks": 3}, )" +
           probes + R"("scenarios": [{"game": "guess-average",
                                      "set": {"players": ["Ann", "Bob"], "rounds": 3}}]})";
  };
  folder.write("plain.json", suite(""));
  folder.write("asks.json", suite(R"("probes": [{"name": "suite-asks-it", "after": "round",
    "of": "Ann", "ask": "What will Bob pick?", )" +
                                  kNumber + "}], "));
  folder.succeeds({"run", "plain.json", "--quiet"});
  folder.succeeds({"run", "asks.json", "--quiet"});
  CHECK(probed(folder, "asks.agon").size() == 9);
  const auto picks = [&](const std::string& archive) {
    std::vector<std::string> all;
    for (const bj::object& row : exported(folder, archive, "answers"))
      if (row.at("stage").as_string() == "pick")
        all.push_back(agon::json::write(row.at("question")) + agon::json::write(row.at("value")));
    return all;
  };
  CHECK(picks("plain.agon") == picks("asks.agon"));
  CHECK(picks("plain.agon").size() >= 18);
  std::size_t asked = 0;
  for (const bj::object& call : exported(folder, "asks.agon", "calls")) {
    const std::string messages = agon::json::write(call.at("messages"));
    const bool is_probe = call.at("question").to_number<std::int64_t>() >= 1'000'000;
    CHECK(contains(messages, "What will Bob pick?") == is_probe);
    asked += is_probe ? 1 : 0;
  }
  CHECK(asked == 9);
  folder.succeeds({"replay", "asks.agon"});
}

TEST_CASE("probes that cannot be asked or scored are refused") {
  const std::string who = R"("name": "x", "ask": "?", )" + kNumber;
  struct Wrong {
    std::string probe;
    Words says;
  };
  const std::vector<Wrong> all{
      {R"({"after": "rund", )" + who + "}",
       {"$.probes[0].after", "unknown event or stage 'rund'", "did you mean 'round'"}},
      {R"({"after": "round", "of": "Ban", )" + who + "}",
       {"$.probes[0].of", "unknown seat 'Ban'", "Bob"}},
      {R"({"after": "round", "name": "pick", "ask": "?", )" + kNumber + "}",
       {"$.probes[0].name", "is a stage of guess-average"}},
      {R"({"after": "round", "name": "x", "ask": "Is it {{number}}?", )" + kNumber + "}",
       {"$.probes[0].ask", "shows a seat nothing"}},
      {R"({"after": "round", "name": "x", "ask": "?", "answer": {}})",
       {"$.probes[0].answer", "has one form"}},
      {R"({"after": "round", "name": "x", "ask": "?", "answer": {"choice": ["a"]}})",
       {"$.probes[0].answer.choice", "2 to 100"}},
      {R"({"after": "round", "name": "x", "ask": "?", "answer": {"choice": "agents"}})",
       {"$.probes[0].answer.choice", "\"seats\""}},
      {R"({"after": "round", "name": "x", "ask": "?",
           "answer": {"number": {"min": 3, "max": 3}}})",
       {"$.probes[0].answer.number", "min is not below max"}},
      {R"({"after": "round", "name": "x", "ask": "?", "answer": {"text": 9},
           "truth": {"score": "Bob"}})",
       {"$.probes[0].truth", "words are not scored"}},
      {R"({"after": "round", )" + who + R"(, "truth": {}})",
       {"$.probes[0].truth", "one of event, next, view and score"}},
      {R"({"after": "round", )" + who + R"(, "truth": {"event": "pound", "member": "/x"}})",
       {"$.probes[0].truth.event", "did you mean 'round'"}},
      {R"({"after": "round", )" + who + R"(, "truth": {"event": "round", "member": "/tagret"}})",
       {"$.probes[0].truth.member", "there is no member 'tagret'", "target"}},
      {R"({"after": "round", )" + who + R"(, "truth": {"event": "round"}})",
       {"$.probes[0].truth", "missing \"member\""}},
      {R"({"after": "round", )" + who + R"(, "truth": {"next": "pick", "member": "/number"}})",
       {"$.probes[0].truth", "missing \"seat\""}},
      {R"({"after": "round", )" + who +
           R"(, "truth": {"next": "bid", "seat": "Bob", "member": "/number"}})",
       {"$.probes[0].truth.next", "unknown stage 'bid'"}},
      {R"({"after": "round", )" + who + R"(, "truth": {"score": "Bobby"}})",
       {"$.probes[0].truth.score", "unknown seat 'Bobby'"}},
      {R"({"after": "round", )" + who + R"(, "every": 0})", {"$.probes[0].every"}},
      {kNext + "," + kNext, {"$.probes[1].name", "duplicate probe 'next'"}}};
  const Folder folder;
  for (const Wrong& wrong : all) {
    folder.write("p.json", guesses(wrong.probe, ""));
    for (const char* command : {"run", "doctor"})
      folder.refuses({command, "p.json"}, 5, wrong.says);
  }
  CHECK_FALSE(folder.has("p.agon"));
  // A note is for the record: seats do not know when it is made.
  folder.write("p.json", R"({"agents": {"a": "random"}, "scenarios": [{"game": "bargaining"}],
    "probes": [{"name": "x", "after": "truth", "ask": "?", "answer": {"text": 9}}]})");
  folder.refuses({"run", "p.json"}, 5, {"$.probes[0].after", "for the record alone"});
  // Which a suite may compare with.
  folder.write("p.json", R"({"agents": {"a": "random:probes=true"},
    "scenarios": [{"game": "bargaining", "blocks": 2}],
    "probes": [{"name": "x", "after": "listing", "of": "seller", "ask": "?",
                "answer": {"number": {"min": 0, "max": 9000}},
                "truth": {"event": "truth", "when": "first", "member": "/budget"}}]})");
  folder.succeeds({"run", "p.json", "--quiet"});
  for (const bj::object& row : probed(folder, "p.agon")) CHECK_FALSE(row.at("truth").is_null());
}

TEST_CASE("matches with other questions are other matches, and are taken up again") {
  const Folder folder;
  folder.write("p.json", guesses(kNext, R"("next": [{"number": 25}])"));
  folder.succeeds({"run", "p.json", "--quiet"});
  CHECK(contains(folder.succeeds({"run", "p.json"}).err, "12 of 12 matches (12 from before)"));
  folder.write("p.json", guesses("", ""));
  CHECK_FALSE(contains(folder.succeeds({"run", "p.json"}).err, "12 from before"));
}
