#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

// Names of its own, where all tests of the folder are compiled together.
namespace drift_test {

using namespace command_test;

namespace {

/// A suite whose two model agents share a model, and a third with another one.
std::string suite_of(const std::string& model) {
  return R"({"suite": "drifting", "seed": 3, "models": {"m": )" + model + R"(},
  "agents": {"llm": {"llm": "m", "factors": {"memory": ["none", "whole"]}},
             "other": {"llm": "mock/second"}, "floor": "random"},
  "design": {"focal": ["llm/*", "other"], "background": "floor", "blocks": 1},
  "scenarios": [{"game": "water-allocation", "set": {"days": 3}}]})";
}

Words run(const Words& more = {}) {
  return joined({"run", "s.json", "--out", "a.agon", "--drift-check"}, more);
}

/// `agon mock-server` that answers as told.
class Server {
 public:
  Server(const Folder& folder, const std::string& answers)
      : child_({"mock-server", "--port", "0", "--answers", answers}, folder.start()) {
    REQUIRE(child_.until([this] { return contains(child_.out(), "\n"); }));
    url_ = lines(child_.out()).front();
  }
  [[nodiscard]] std::string model() const {
    return R"({"provider": "openai", "model": "tiny", "max_tokens": 300, "base_url": ")" + url_ +
           R"(/v1"})";
  }

 private:
  Child child_;
  std::string url_;
};

/// The drift of a run, of the model of that name.
boost::json::object drift_of(const boost::json::value& list, std::int64_t run,
                             const std::string& model) {
  for (const auto& row : list.as_array())
    if (row.at("run") == run && row.at("model").as_string() == model) return row.as_object();
  FAIL("run " << run << " has no drift of " << model);
  return {};
}

/// What the report says of the drift of a model: a metric between these runs.
double drift(const Folder& folder, const std::string& model, const std::string& runs,
             const std::string& metric) {
  const auto report = json_of(folder.agon({"report", "a.agon", "--json"}).out);
  return agon::test::value(
      report, {{"section", "drift"}, {"agent", model}, {"text", runs}, {"metric", metric}});
}

/// The sections of a report that a person reads.
std::string text(const Folder& folder) {
  return folder.agon({"report", "a.agon"}).out;
}

struct Calls {
  std::size_t drift = 0;
  std::size_t of_matches = 0;
};

Calls calls(const Folder& folder) {
  Calls n;
  agon::archive::Archive::open(folder.at("a.agon"))
      .calls()
      .each(nullptr, [&](const agon::archive::CallRow& row) {
        const bool drift = row.call.purpose == "drift";
        ++(drift ? n.drift : n.of_matches);
        CHECK((row.match == agon::archive::MatchId{}) == drift);
        if (drift) CHECK(row.call.messages.size() == 1);
      });
  return n;
}

}  // namespace

TEST_CASE("a model that answers as before shows no drift, over runs as well") {
  const Folder folder;
  folder.write("s.json", suite_of(R"({"provider": "mock", "model": "one", "temperature": 0.5})"));
  const Ended first = folder.succeeds(run());
  // Two models, ten questions, twice; the agents of one model share them.
  const Calls after_first = calls(folder);
  CHECK(after_first.drift == 40);
  CHECK(after_first.of_matches > 0);
  const std::string unchanged =
      "before and after the run 10 of 10 answers the same, distance 0.000\n";
  check_has(first.err, {"drift of mock/one (llm/memory=none and 1 more): " + unchanged,
                        "drift of mock/second (other): " + unchanged});

  // Everything is played: the models are asked once more, and compared with the last run.
  const Ended second = folder.succeeds(run());
  CHECK(calls(folder).drift == 60);
  CHECK(calls(folder).of_matches == after_first.of_matches);
  CHECK(contains(second.err,
                 "drift of mock/one (llm/memory=none and 1 more): since run 1 10 of 10 "
                 "answers the same, distance 0.000; asked once\n"));

  CHECK(drift(folder, "mock/one", "run 1 and run 2", "same") == 10);
  const auto asked =
      agon::test::figures(json_of(folder.agon({"report", "a.agon", "--json"}).out),
                          {{"section", "drift"}, {"agent", "mock/one"}, {"metric", "questions"}});
  REQUIRE(asked.size() == 3);  // before and after the first run, before the second
  for (const auto& questions : asked) CHECK(questions.at("value") == 10.0);
  CHECK(asked[1].at("treatment") == "run 1, after the matches");
  check_has(text(folder), {"\nDrift\n", "run 1 and run 2"});
  CHECK_FALSE(contains(text(folder), "served as"));

  const auto archive = agon::archive::Archive::open(folder.at("a.agon"));
  const auto manifest = json_of(archive.runs().front().manifest);
  CHECK(manifest.at("drift").at("results").as_array().size() == 2);
  const auto digest =
      agon::hash::read_hex(std::string(manifest.at("drift").at("questions").as_string()));
  REQUIRE(digest);
  CHECK(contains(archive.content(*digest).value_or(""), "agon.drift"));
  // What belongs to no match is in nobody's way.
  CHECK(folder.agon({"replay", "a.agon", "--reparse"}).code == 0);
  const Ended exported = folder.agon({"export", "a.agon", "--rows", "calls", "--format", "csv"});
  CHECK(count(exported.out, ",drift,") == 60);
}

TEST_CASE("drift shows with a server whose answers change, and not with a steady one") {
  const Folder folder;
  SECTION("steady") {
    const Server server(folder, "first");
    folder.write("s.json", suite_of(server.model()));
    folder.succeeds(run());
    CHECK(drift(folder, "openai/tiny", "before and after run 1", "compared") == 10);
    CHECK(drift(folder, "openai/tiny", "before and after run 1", "same") == 10);
    CHECK(drift(folder, "openai/tiny", "before and after run 1", "distance") == 0);
  }
  SECTION("changing") {
    const Server server(folder, "random");
    folder.write("s.json", suite_of(server.model()));
    const auto told = json_of(folder.succeeds(run({"--json"})).out).at("drift");
    const auto c = drift_of(told, 1, "openai/tiny").at("comparisons").at(0);
    CHECK(c.at("compared") == 10);
    CHECK(c.at("same").as_int64() < 10);
    CHECK(c.at("distance").as_double() > 0);
    CHECK(drift(folder, "openai/tiny", "before and after run 1", "distance") ==
          c.at("distance").as_double());
  }
}

TEST_CASE("a model that is served under another name is told of") {
  const Folder folder;
  folder.write("s.json", suite_of(R"({"provider": "mock", "model": "one"})"));
  REQUIRE(folder.agon(run()).code == 0);
  run_sql(folder.at("a.agon"),
          "update call set served_model = 'one-new', fingerprint = 'fp_2', text = '391' "
          "where purpose = 'drift' and attempt = 1 and model = 'one' and question = 0");
  CHECK(drift(folder, "mock/one", "before and after run 1", "same") == 9);
  CHECK(drift(folder, "mock/one", "before and after run 1", "right_after") ==
        drift(folder, "mock/one", "before and after run 1", "right_before") + 1);
  CHECK(contains(text(folder),
                 "mock/one, before and after run 1: served as one, one-new instead of one,"));
  CHECK_FALSE(contains(text(folder), "mock/second, before and after run 1: served as"));
}

TEST_CASE("the questions count towards the caps") {
  const Folder folder;
  folder.write("s.json", suite_of(R"({"provider": "mock", "model": "one"})"));
  const Ended capped = folder.agon(run({"--max-calls", "8"}));
  INFO(capped.err);
  CHECK(capped.code == 7);
  CHECK(calls(folder).drift == 8);
  CHECK(calls(folder).of_matches == 0);
  folder.succeeds(run());
  CHECK(calls(folder).drift == 48);
}

TEST_CASE("without a model there is nothing to check for drift") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "water-allocation", "blocks": 1})"));
  const Ended ended = folder.succeeds(run());
  CHECK(contains(ended.err, "no model takes part"));
  CHECK_FALSE(contains(folder.agon({"report", "a.agon"}).out, "Drift"));
}

}  // namespace drift_test
