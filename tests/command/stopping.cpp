#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <csignal>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

// Who concedes late does best against who concedes at an even pace.
std::string stopping_suite(const std::string& blocks, const std::string& more = "") {
  return R"({ "suite": "s", "seed": 5,
    "agents": {
      "floor": "random",
      "late": {"rule": {"bargaining": {"time-dependent": {"concession": 0.5}}}},
      "early": {"rule": {"bargaining": {"time-dependent": {"concession": 2}}}},
      "reference": {"rule": {"bargaining": {"time-dependent": {"concession": 1}}}} },
    "design": { "focal": ["floor", "late", "early", "reference"], "background": "reference",
                "blocks": )" +
         blocks + R"( },
    "scenarios": [ { "game": "bargaining" } ])" +
         (more.empty() ? "" : ", " + more) + " }";
}

boost::json::object ran(const Folder& folder, const Words& words) {
  return json_of(folder.succeeds(joined({"run", "s.json", "--json"}, words)).out).as_object();
}

}  // namespace

TEST_CASE("a run stops when it is decided, and says so again without playing") {
  const Folder folder;
  folder.write("s.json", stopping_suite("100"));
  const Ended first = folder.succeeds({"run", "s.json", "--until", "best=0.95"});
  check_has(first.err, {"'late' is best (95% certainty)", "unless something happens in under"});
  CHECK(finished(folder.at("s.agon")) < 700);

  const auto again = ran(folder, {"--until", "best=0.95"});
  CHECK(again.at("played") == 0);
  const auto& stop = again.at("stop").as_object();
  CHECK(stop.at("decided") == true);
  CHECK(stop.at("best") == "late");
  CHECK(contains(first.err, stop.at("verdict").as_string()));

  const Ended report = folder.succeeds({"report", "s.agon"});
  check_has(report.out, {"Stopping", "'late' is best", "out after"});
  const auto told = json_of(folder.agon({"report", "s.agon", "--json"}).out);
  const auto fact = [&](const char* name) {
    return agon::test::figure(told, {{"section", "stop"}, {"metric", name}});
  };
  CHECK(fact("decided").at("value") == 1.0);
  CHECK(fact("best").at("text") == "late");
  CHECK(fact("looks").at("value").to_number<double>() == stop.at("looks").to_number<double>());
  CHECK(json_of(std::string(fact("rule").at("text").as_string())) == stop.at("rule"));
  for (const auto& agent : stop.at("agents").as_array()) {
    const std::string name(agent.at("agent").as_string());
    const auto in =
        agon::test::figure(told, {{"section", "stop"}, {"agent", name}, {"metric", "in"}});
    CHECK((in.at("value") == 1.0) == agent.at("in").as_bool());
  }

  // Another rule goes on with what there is; everything is played if that is what is asked for.
  const auto width = ran(folder, {"--until", R"({"difference": 0.03, "agents": ["late"]})"});
  CHECK(width.at("before").to_number<int>() > 0);
  CHECK(width.at("stop").at("decided") == true);
  const auto all = ran(folder, {"--until", "all"});
  CHECK(all.at("stop").is_null());
  CHECK(all.at("before").to_number<int>() + all.at("played").to_number<int>() == 700);
  CHECK_FALSE(contains(folder.agon({"report", "s.agon"}).out, "Stopping"));
  // And the first rule decides as it did, of all that is there.
  CHECK(ran(folder, {"--until", "best=0.95"}).at("stop") == again.at("stop"));
}

TEST_CASE("a run with a stop rule that is killed decides the same when it is taken up again") {
  const Folder folder;
  folder.write("s.json",
               stopping_suite("4000", R"("stop": {"difference": 0.015, "agents": ["late"]})"));
  const auto whole = ran(folder, {"--out", "whole.agon", "--jobs", "1"});
  CHECK(whole.at("stop").at("decided") == true);
  CHECK(ran(folder, {"--out", "eight.agon", "--jobs", "8"}).at("stop") == whole.at("stop"));
  const int matches = whole.at("played").to_number<int>();
  for (const int part : {1, 3, 6}) {
    const std::string archive = "killed-" + std::to_string(part) + ".agon";
    Child run({"run", "s.json", "--out", archive, "--jobs", "2"}, folder.start());
    if (run.until([&] { return finished(folder.at(archive)) >= matches * part / 10; }))
      run.send(SIGKILL);
    (void)run.end();
    const auto again = ran(folder, {"--out", archive, "--jobs", "3"});
    CHECK(again.at("stop") == whole.at("stop"));
    // What was played ahead of the decision, twice, is all that is too much.
    CHECK(finished(folder.at(archive)) <= matches + 5);
  }
}

TEST_CASE(
    "nothing is decided under 60 blocks unless the rule says so, and what was not seen is said") {
  const Folder folder;
  folder.write("s.json", stopping_suite("59"));
  const Ended none = folder.succeeds({"run", "s.json", "--until", "late > floor"});
  check_has(none.err, {"warning: the stopping rule needs at least 60 blocks; the suite has 59\n",
                       "not decided after all 59 blocks"});
  const auto stop = ran(folder, {"--until", R"({"decide": "late > floor", "min_blocks": 30})"})
                        .at("stop")
                        .as_object();
  CHECK(stop.at("decided") == true);
  CHECK(stop.at("rule").at("min_blocks") == 30);
  CHECK(contains(stop.at("words").as_string(), "30 independent blocks or more"));
  CHECK(contains(stop.at("verdict").as_string(), "unless something happens in under"));
  const auto& agent = stop.at("agents").as_array().front().as_object();
  CHECK(agent.at("unseen").as_double() > 0.04);
  CHECK(agent.at("overturned_by").as_double() > 0);
  const Ended report = folder.agon({"report", "s.agon", "--section", "stop"});
  check_has(report.out, {"may be unseen", "overturned by"});
  const auto told = json_of(folder.agon({"report", "s.agon", "--json"}).out);
  const auto cell = agon::test::figure(told, {{"section", "stop"}, {"metric", "difference"}});
  CHECK(cell.at("unseen") == agent.at("unseen"));
  // More than any difference of these two can be taken for granted to be.
  const auto never = ran(folder, {"--until", R"({"decide": "late > floor", "min_blocks": 30,
                                                 "worst": 1e6})"});
  CHECK(never.at("stop").at("decided") == false);
}

TEST_CASE("a run's interval for every look is never inside the leaderboard's for the same blocks") {
  const Folder folder;
  for (int seed = 1; seed <= 6; ++seed) {
    std::string suite = stopping_suite("56");
    suite.replace(suite.find("\"seed\": 5"), 9, "\"seed\": " + std::to_string(seed));
    folder.write("s.json", suite);
    const std::string archive = std::to_string(seed) + ".agon";
    const auto stop =
        ran(folder, {"--until", "late > early", "--out", archive}).at("stop").as_object();
    const auto& valid = stop.at("agents").as_array().front().at("interval").as_array();
    const auto told =
        json_of(folder.agon({"report", archive, "--json", "--reference", "early"}).out);
    const auto fixed = agon::test::figure(
        told, {{"section", "leaderboard"}, {"agent", "late"}, {"metric", "difference"}});
    CHECK(valid[0].to_number<double>() <= fixed.at("low").to_number<double>() + 1e-9);
    CHECK(valid[1].to_number<double>() >= fixed.at("high").to_number<double>() - 1e-9);
  }
}

TEST_CASE("a report of a run that was cut off says what looking again and again does") {
  const Folder folder;
  folder.write("s.json", stopping_suite("1000000"));
  Child run({"run", "s.json", "--jobs", "2"}, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("s.agon")) >= 500; }));
  run.send(SIGINT);
  CHECK(run.end().code == 130);
  const Ended plain = folder.agon({"report", "s.agon"});
  check_has(plain.out, {"32%", "--anytime"});
  CHECK_FALSE(contains(plain.out, "hold whenever one looks\n"));
  const Ended valid = folder.succeeds({"report", "s.agon", "--anytime"});
  CHECK(contains(valid.out, "Anytime-valid differences"));
  CHECK_FALSE(contains(valid.out, "32%"));
}

TEST_CASE("stop rules that make no sense are refused, and one that cannot be met is told") {
  const Folder folder;
  folder.write("s.json", stopping_suite("1"));
  const auto refused = [&](const std::string& rule, const std::string& says) {
    folder.refuses({"run", "s.json", "--until", rule}, 2, {"--until", says});
    CHECK_FALSE(folder.has("s.agon"));
  };
  refused("late > earyl", "did you mean 'early'");
  refused("best=2", "between 0.5 and 1");
  refused("when it is done", "invalid stopping rule 'when it is done'");
  refused("{\"difference\": -1}", "above 0");
  const Ended one = folder.succeeds({"run", "s.json", "--until", "best=0.95"});
  check_has(one.err, {"; the suite has 1\n", "not decided after all 1 block"});

  folder.write("t.json", stopping_suite("1", R"("stop": {"best": 0.95, "until": 3})"));
  folder.refuses({"run", "t.json"}, 5, {"($.stop.until)"});
}

TEST_CASE("what is wrong in a stop rule is shown where it stands") {
  const Folder folder;
  const auto place = [&](const std::string& stop) {
    folder.write("s.json", stopping_suite("30", "\n\"stop\": " + stop));
    const Ended run = folder.agon({"run", "s.json"});
    CHECK(run.code == 5);
    return run.err;
  };
  CHECK(contains(place("{\n\"difference\": 0}"), "s.json:11:1 ($.stop.difference)"));
  CHECK(contains(place("{\"difference\": \"x\"}"), "($.stop.difference)"));
  CHECK(contains(place("{\"best\": 2}"), "($.stop.best)"));
  CHECK(contains(place("{\"best\": {\"blocks\": 1}}"), "($.stop.best.blocks)"));
  CHECK(contains(place("{\"decide\": \"late > erly\"}"), "($.stop.decide)"));
  CHECK(contains(place("{\"best\": 0.9, \"level\": 0.9}"), "($.stop.level)"));
  CHECK(contains(place("{\"difference\": 0.1, \"level\": 2}"), "($.stop.level)"));
  CHECK(contains(place("{\"best\": 0.9, \"agents\": [\"late\", \"no\"]}"), "($.stop.agents)"));
  CHECK(contains(place("{\"best\": 0.9, \"decide\": \"late > early\"}"), "($.stop.decide)"));
  CHECK(contains(place("{}"), "($.stop)"));
  CHECK(contains(place("\"best=2\""), "($.stop)"));
  CHECK(contains(place("[]"), "($.stop)"));
}

TEST_CASE("a certainty that is no certainty is not written as one") {
  const Folder folder;
  folder.write("s.json", stopping_suite("2", R"("report": {"level": 0.9999999})"));
  const auto stop = ran(folder, {"--until", "best=0.9999999999999999"}).at("stop").as_object();
  CHECK(contains(stop.at("words").as_string(), "with 99.99999999999999% certainty"));
  const std::string report = folder.agon({"report", "s.agon"}).out;
  CHECK(contains(report, "99.99999% CI"));
  CHECK_FALSE(contains(report, "100% interval"));
}

TEST_CASE("what is decided is decided again without a match, and what was there is told in full") {
  const Folder folder;
  folder.write("s.json", stopping_suite("100"));
  for (int i = 0; i < 3; ++i) {
    std::filesystem::remove(folder.at("s.agon"));
    // Sixteen that look for something to play ahead; the first run had one.
    (void)ran(folder, {"--until", "late > early", "--jobs", "1"});
    const int there = finished(folder.at("s.agon"));
    const auto again = ran(folder, {"--until", "late > early", "--jobs", "16"});
    CHECK(again.at("played") == 0);
    CHECK(again.at("before") == there);
    CHECK(finished(folder.at("s.agon")) == there);
  }
}

TEST_CASE("a run that ends at once tells all that was there before") {
  const Folder folder;
  folder.write("s.json", R"({ "seed": 3, "models": { "m": "mock" },
    "agents": { "a": { "llm": "m" }, "reference": { "rule": "survivor" } },
    "design": { "focal": ["a", "reference"], "background": "reference", "seat_rotation": "as-listed",
                "blocks": 40 },
    "stop": { "difference": 0.3 }, "limits": { "calls": 30 },
    "scenarios": [ { "game": "water-allocation", "set": { "days": 5 } } ] })");
  const Ended first = folder.agon({"run", "s.json", "--quiet"});
  CHECK(first.code == 7);
  CHECK(finished(folder.at("s.agon")) > 10);
  for (int i = 0; i < 2; ++i) {
    // A match whose calls are all paid may be finished without another.
    const int there = finished(folder.at("s.agon"));
    const Ended again = folder.agon({"run", "s.json", "--json"});
    CHECK(again.code == 7);
    CHECK(json_of(again.out).at("before") == there);
  }
}

TEST_CASE("a budget that the suite has no blocks for is cut at once, and that is said") {
  const Folder folder;
  folder.write("s.json", stopping_suite("12"));
  const Ended run = folder.succeeds({"run", "s.json", "--until", "best=1000000000 blocks"});
  check_has(run.err,
            {"warning: the suite has 12 blocks, enough for the cost of 10 blocks of all "
             "agents, not of 1000000000",
             "'late' is best by successive rejects, without a claim of certainty; the suite "
             "had blocks for what 10 blocks of all agents cost, not 1000000000"});
}

TEST_CASE("who was spared by the order of names alone is not called best") {
  const Folder folder;
  folder.write("s.json", R"({ "seed": 1, "agents": { "a": "random", "b": "random" },
    "design": { "focal": ["a", "b"], "background": "a", "blocks": 30 },
    "scenarios": [ { "game": "bargaining", "set": { "product": 4 } } ],
    "stop": { "best": { "blocks": 5 } } })");
  const auto stop = ran(folder, {}).at("stop").as_object();
  CHECK(stop.at("decided") == true);
  CHECK(stop.at("best").is_null());
  CHECK(contains(stop.at("verdict").as_string(), "tied for the best score"));
  CHECK(contains(folder.agon({"report", "s.agon"}).out, "tied for the best score"));
}

TEST_CASE("agents that always score the same are not told apart, and all is played") {
  const Folder folder;
  folder.write("s.json", R"({ "seed": 1, "agents": { "a": "random", "b": "random" },
    "design": { "focal": ["a", "b"], "background": "a", "blocks": 30 },
    "scenarios": [ { "game": "bargaining", "set": { "product": 4 } } ],
    "stop": { "decide": "a > b" }, "report": { "reference": "a" } })");
  const auto run = ran(folder, {});
  CHECK(run.at("stop").at("decided") == false);
  CHECK(run.at("stop").at("looks") == 30);
}
