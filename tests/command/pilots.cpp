// Which matches of an archive a plan takes for its pilot, and what it says of those that differ.

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

std::string days_suite(const std::string& b, int days, const std::string& more = "") {
  return R"({ "seed": 3, "agents": { "a": "random", "b": ")" + b +
         R"(", "reference": { "rule": "survivor" } },
    "design": { "focal": ["a", "b", "reference"], "background": "reference", "blocks": 10 },
    "scenarios": [ { "game": "water-allocation", "set": { "days": )" +
         std::to_string(days) + " }" + more + " } ] }";
}

boost::json::object plan_of(const Folder& folder, const std::string& suite) {
  return json_of(folder.succeeds({"plan", suite, "--pilot", "p.agon", "--json"}).out).as_object();
}

std::string notes_of(const Folder& folder, const std::string& suite) {
  std::string all;
  const auto plan = plan_of(folder, suite);
  for (const auto& note : plan.at("notes").as_array()) all += std::string(note.as_string()) + "\n";
  return all;
}

void run_into(const Folder& folder, const std::string& suite) {
  folder.succeeds({"run", suite, "--out", "p.agon"});
}

}  // namespace

TEST_CASE("a plan says where a pilot means something else by its names") {
  const Folder folder;
  folder.write("s.json", days_suite("default", 5));
  run_into(folder, "s.json");
  CHECK_FALSE(contains(notes_of(folder, "s.json"), "the pilot"));

  folder.write("agent.json", days_suite("fixed", 5));
  CHECK(contains(notes_of(folder, "agent.json"), "the pilot's agent 'b' is another one: agent "));
  check_lacks(notes_of(folder, "agent.json"), {"'a'", "scenario 'water-allocation' has"});

  folder.write("settings.json", days_suite("default", 6));
  CHECK(contains(
      notes_of(folder, "settings.json"),
      "the pilot's scenario 'water-allocation' has other settings: days 5 there, days 6 here"));
  CHECK_FALSE(contains(notes_of(folder, "settings.json"), "another one"));

  folder.write("game.json", R"({ "agents": { "a": "random" },
    "scenarios": [ { "name": "water-allocation", "game": "bargaining" } ] })");
  CHECK(contains(notes_of(folder, "game.json"),
                 "is of another game: water-allocation there, bargaining here"));

  folder.write("treated.json", R"({ "agents": { "a": "random", "reference": "default" },
    "scenarios": [ { "game": "water-allocation", "treatments": { "days": [5, 6] } } ] })");
  CHECK(contains(notes_of(folder, "treated.json"), "has a treatment that the suite has not: {}"));

  // Another seed and other blocks are what pilots are for.
  folder.write("more.json", days_suite("default", 5, R"(, "blocks": 40)"));
  CHECK_FALSE(contains(notes_of(folder, "more.json"), "the pilot"));
}

TEST_CASE("of an archive's suites a plan takes the one that fits") {
  const Folder folder;
  folder.write("first.json", days_suite("default", 5));
  folder.write("second.json", days_suite("fixed", 5));
  folder.write("third.json", days_suite("default", 6));
  run_into(folder, "first.json");
  const auto alone = plan_of(folder, "first.json");
  run_into(folder, "second.json");
  run_into(folder, "third.json");
  CHECK_FALSE(contains(notes_of(folder, "third.json"), "the pilot"));
  const auto found = plan_of(folder, "first.json");
  CHECK(found.at("detectable") == alone.at("detectable"));
  CHECK(contains(notes_of(folder, "first.json"), "the pilot is suite 1 of p.agon, which has"));
  CHECK(contains(notes_of(folder, "second.json"), "the pilot is suite 2 of p.agon, which has"));
}

TEST_CASE("what a pilot took is expected again, two standard errors to both sides") {
  const Folder folder;
  const auto suite = [](int blocks) {
    return R"({"seed": 3, "models": {"m": "mock"}, "agents": {"llm": {"llm": "m"},
      "reference": {"rule": "time-dependent"}}, "design": {"focal": ["llm", "reference"],
      "background": "reference", "blocks": )" +
           std::to_string(blocks) + R"(}, "scenarios": [{"game": "bargaining"}]})";
  };
  folder.write("small.json", suite(5));
  folder.write("large.json", suite(40));
  run_into(folder, "small.json");
  std::vector<double> calls, written;  // by match, of which one seat is a model's
  const auto archive = agon::archive::Archive::open(folder.at("p.agon"));
  archive.matches().each({}, [&](std::int64_t, const agon::archive::MatchRow& match) {
    for (const auto& seat : match.seats) {
      if (seat.calls == 0) continue;
      calls.push_back(static_cast<double>(seat.calls));
      written.push_back(static_cast<double>(seat.output_tokens));
    }
    return true;
  });
  REQUIRE(calls.size() >= 5);
  const auto plan = plan_of(folder, "large.json");
  REQUIRE(plan.at("rows").as_array().size() == 1);
  const auto& row = plan.at("rows").at(0);
  CHECK(row.at("from_pilot").as_bool());
  CHECK(row.at("sampled").to_number<double>() == Approx(static_cast<double>(calls.size())));
  const auto check = [&](const char* what, const std::vector<double>& seen) {
    INFO(what);
    const auto n = static_cast<double>(seen.size());
    const auto seats = row.at("seats").to_number<double>();
    double mean = 0, variance = 0;
    for (const double x : seen) mean += x / n;
    for (const double x : seen) variance += (x - mean) * (x - mean) / (n - 1);
    // What the mean is off by, over all seats, and what the seats to come are off from it.
    const double off = 2 * std::sqrt(seats * seats * variance / n + seats * variance);
    CHECK(off > 0);
    const auto& span = row.at(what);
    CHECK(span.at("expected").to_number<double>() == Approx(mean * seats));
    CHECK(span.at("low").to_number<double>() == Approx(std::max(0.0, mean * seats - off)));
    CHECK(span.at("high").to_number<double>() == Approx(mean * seats + off));
  };
  check("calls", calls);
  check("output_tokens", written);
}

TEST_CASE("a pilot that measured what a model writes is within a tenth of what a run takes") {
  for (const std::string game : {"ebay", "guess-average", "survival-auction"}) {
    INFO(game);
    const Folder folder;
    const auto suite = [&](int seed, int blocks) {
      return R"({"seed": )" + std::to_string(seed) +
             R"(, "models": {"m": {"provider": "mock", "mock": {"words": 40, "thought": 50}}},
        "agents": {"a": {"llm": "m"}},
        "design": {"focal": "a", "background": "a", "blocks": )" +
             std::to_string(blocks) + R"(}, "scenarios": [{"game": ")" + game + R"("}]})";
    };
    folder.write("small.json", suite(1, 12));
    folder.write("large.json", suite(2, 24));
    run_into(folder, "small.json");
    const auto plan = plan_of(folder, "large.json");
    folder.succeeds({"run", "large.json", "--out", "large.agon"});
    double calls = 0, input = 0, output = 0;
    const auto archive = agon::archive::Archive::open(folder.at("large.agon"));
    archive.matches().each({}, [&](std::int64_t, const agon::archive::MatchRow& match) {
      for (const auto& seat : match.seats) {
        calls += static_cast<double>(seat.calls);
        input += static_cast<double>(seat.input_tokens);
        output += static_cast<double>(seat.output_tokens);
      }
      return true;
    });
    const auto& total = plan.at("total").as_object();
    const auto expected = [&](const char* what) {
      return total.at(what).at("expected").to_number<double>();
    };
    CHECK(expected("calls") == Approx(calls).epsilon(0.1));
    CHECK(expected("input_tokens") == Approx(input).epsilon(0.1));
    CHECK(expected("output_tokens") == Approx(output).epsilon(0.1));
  }
}

TEST_CASE("an effect that no suite has blocks for is not found, and that is said") {
  const Folder folder;
  folder.write("s.json", days_suite("default", 5));
  run_into(folder, "s.json");
  // A plan takes seconds: one is asked for its words, the other for its JSON.
  const Ended planned =
      folder.succeeds({"plan", "s.json", "--pilot", "p.agon", "--effect", "1e-300"});
  CHECK(contains(planned.out, "not found with 1000000000"));
  CHECK_FALSE(contains(planned.out, "(0)"));
  const auto json = json_of(
      folder.agon({"plan", "s.json", "--pilot", "p.agon", "--effect", "1e-6", "--json"}).out);
  const auto& needed = json.at("detectable").at(0).at("needed").at(0);
  CHECK(needed.at("blocks").is_null());
  CHECK(needed.at("matches").is_null());
  CHECK(
      contains(folder.agon({"plan", "s.json", "--pilot", "p.agon", "--effect", "0.01"}).out, "x "));
  CHECK(contains(folder.agon({"plan", "s.json", "--pilot", "p.agon", "--effect", "1e308"}).err,
                 "above 0, up to 1000000"));
}
