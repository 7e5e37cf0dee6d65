#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <csignal>
#include <map>
#include <set>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/endpoint.hpp"
#include "command/folder.hpp"
#include "record/record.hpp"

using namespace command_test;

namespace {

const std::string kPaid = std::string(AGON_TEST_PLUGINS) + "/good/paid.so";

/// Two paid agents, four days of water each: a call a day and living resident.
std::string paid_suite(const std::string& params, const std::string& more = "") {
  return R"({"suite": "paid", "seed": 5, "models": {"m": {"provider": "p", "model": "x"}},
  "agents": {"one": {"paid": "m", "log": "calls.log")" +
         params + R"(}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 4}, "blocks": 3,
    "design": {"focal": "one", "background": "floor"}}])" +
         more + "}";
}

Words run(const std::string& archive, const Words& more = {}) {
  return joined(
      {"run", "s.json", "--out", archive, "--plugin", kPaid, "--sandbox", "never", "--jobs", "4"},
      more);
}

std::vector<std::string> logged(const Folder& folder) {
  return folder.has("calls.log") ? lines(folder.read("calls.log")) : std::vector<std::string>{};
}

/// The calls that an archive has on record as answered, as the log names them.
std::set<std::string> kept(const Folder& folder, const std::string& archive) {
  std::set<std::string> all;
  agon::archive::Archive::open(folder.at(archive))
      .calls()
      .each(nullptr, [&](const agon::archive::CallRow& row) {
        if (row.answered)
          all.insert(row.match.hex().substr(0, 8) + " " + std::to_string(row.question) + " " +
                     std::to_string(row.attempt));
      });
  return all;
}

}  // namespace

TEST_CASE("every call of a model is on record, and seats know what they took") {
  const Folder folder;
  folder.write("s.json", paid_suite(""));
  folder.write("prices.json", R"({"format": "agon.prices", "version": 1, "date": "2026-11-01",
    "currency": "USD", "models": {"p/*": {"input": 1, "output": 10, "cached": 0.1}}})");
  const Ended first = folder.succeeds(run("a.agon", {"--prices", "prices.json"}));
  CHECK(contains(first.err, "model calls"));
  const std::size_t calls = logged(folder).size();
  REQUIRE(calls > 0);
  CHECK(kept(folder, "a.agon").size() == calls);
  const auto archive = agon::archive::Archive::open(folder.at("a.agon"));
  const agon::archive::CallTotals totals = archive.calls().totals();
  CHECK(totals.calls == static_cast<std::int64_t>(calls));
  CHECK(totals.tokens == 110 * totals.calls);
  CHECK(totals.cost == 200'000 * totals.calls);  // 100 x 1 and 10 x 10 dollars a million
  CHECK(totals.unpriced == 0);
  std::int64_t seats = 0;
  archive.matches().each({}, [&](std::int64_t, const agon::archive::MatchRow& m) {
    for (const auto& seat : m.seats) {
      seats += seat.calls;
      CHECK(seat.input_tokens == 100 * seat.calls);
      CHECK(seat.cost == 200'000 * seat.calls);
    }
    return true;
  });
  CHECK(seats == totals.calls);
  // The dialogue is whole, and each message is stored once.
  archive.calls().each(nullptr, [&](const agon::archive::CallRow& row) {
    REQUIRE_FALSE(row.call.messages.empty());
    CHECK(row.call.messages.front().role == "system");
    CHECK(row.call.parameters == R"({"temperature":0})");
    CHECK(row.call.served_model == "x-2026");
  });
  const auto manifest = json_of(archive.runs().front().manifest);
  CHECK(manifest.at("models").at(0).at("served_as").at(0).as_string() == "x-2026");
  CHECK(manifest.at("models").at(0).at("calls").as_int64() == totals.calls);

  // Nothing is asked again, and a replay needs nobody.
  CHECK(folder.agon(run("a.agon")).code == 0);
  CHECK(logged(folder).size() == calls);
  CHECK(folder.agon({"replay", "a.agon"}).code == 0);

  SECTION("without a price the cost is unknown, not zero") {
    const Ended again = folder.succeeds(run("b.agon"));
    CHECK(contains(again.err, "cost unknown"));
    const auto unpriced = agon::archive::Archive::open(folder.at("b.agon")).calls().totals();
    CHECK(unpriced.unpriced == unpriced.calls);
    CHECK(unpriced.cost == 0);
  }
  SECTION("a cap on the cost of what has no price stops the run") {
    folder.refuses(run("c.agon", {"--max-cost", "1"}), 4, {"p/x has no price"});
  }
}

TEST_CASE("a cap stops the run, and it is taken up from there") {
  const Folder folder;
  folder.write("s.json", paid_suite(""));
  REQUIRE(folder.agon(run("whole.agon")).code == 0);
  const std::size_t whole = logged(folder).size();
  std::filesystem::remove(folder.at("calls.log"));

  folder.refuses(run("a.agon", {"--max-calls", "7"}), 7,
                 {"the cap of 7 model calls is reached",
                  "take it up again with: agon run s.json --out a.agon"});
  CHECK(logged(folder).size() == 7);
  // The cap is one for all runs on the archive.
  CHECK(folder.agon(run("a.agon", {"--max-calls", "7"})).code == 7);
  CHECK(logged(folder).size() == 7);
  // Tokens: a call is let through while the cap is not reached, so it is passed by one at most.
  CHECK(folder.agon(run("a.agon", {"--max-tokens", "1200"})).code == 7);
  CHECK(logged(folder).size() == 11);
  folder.succeeds(run("a.agon", {"--max-calls", "100000"}));
  CHECK(logged(folder).size() == whole);
  CHECK(kept(folder, "a.agon") == kept(folder, "whole.agon"));
  CHECK(agon::archive::Archive::open(folder.at("a.agon")).runs()[1].status == "budget");
}

TEST_CASE("caps remember what no provider counted") {
  const Folder folder;
  folder.write("s.json", paid_suite(R"(, "counts": false)"));
  folder.write("prices.json", R"({"format": "agon.prices", "version": 1, "date": "2026-11-01",
    "currency": "USD", "models": {"p/*": {"input": 1000, "output": 1000, "cached": 0}}})");
  const Words cap =
      GENERATE(Words{"--max-tokens", "5000"}, Words{"--max-cost", "5", "--prices", "prices.json"});
  REQUIRE(folder.agon(run("a.agon", cap)).code == 7);
  const std::size_t calls = logged(folder).size();
  REQUIRE(calls > 3);
  // Nothing is left for the next run.
  const Ended again = folder.agon(run("a.agon", cap));
  INFO(again.err);
  CHECK(again.code == 7);
  CHECK(logged(folder).size() <= calls + 1);
}

TEST_CASE("no money and a wrong key stop the run, a broken server leaves matches unfinished") {
  const Folder folder;
  struct Case {
    const char* trouble;
    int code;
    const char* says;
  };
  for (const Case& c : {Case{"money", 7, "once that is mended, take it up again with: agon run"},
                        Case{"configuration", 4, "once that is mended"},
                        Case{"failed", 6, "take it up again with: agon run"}}) {
    folder.write("s.json",
                 paid_suite(R"(, "every": 7, "trouble": ")" + std::string(c.trouble) + R"(")"));
    const std::string archive = std::string(c.trouble) + ".agon";
    const Ended ended = folder.agon(run(archive));
    INFO(c.trouble << "\n" << ended.err);
    CHECK(ended.code == c.code);
    check_has(ended.err, {c.says, "the server broke"});
    CHECK_FALSE(contains(ended.err, "stopped: \n"));
    int failed = 0;
    agon::archive::Archive::open(folder.at(archive))
        .calls()
        .each(nullptr, [&](const agon::archive::CallRow& row) {
          failed += row.answered ? 0 : 1;
          if (!row.answered) CHECK(row.call.problem == "HTTP 500");
        });
    CHECK(failed > 0);
    CHECK(partial(folder.at(archive)) > 0);
  }
}

TEST_CASE("how a model is called may change between two starts of a run") {
  const Folder folder;
  const auto suite = [](const std::string& more) {
    return R"({"seed": 5, "models": {"m": {"provider": "mock", "model": "x")" + more + R"(}},
  "agents": {"one": {"llm": "m"}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 2}, "blocks": 1,
    "design": {"focal": "one", "background": "floor"}}])" +
           "}";
  };
  const auto matches = [&](const std::string& more) {
    folder.write("s.json", suite(more));
    folder.succeeds({"run", "s.json", "--out", "a.agon"});
    return agon::archive::Archive::open(folder.at("a.agon")).matches().count();
  };
  const auto first = matches("");
  CHECK(matches(R"(, "concurrency": 2, "tries": 9, "total_s": 20)") == first);
  CHECK(matches(R"(, "temperature": 0.5)") == 2 * first);
}

TEST_CASE("matches that are to be retried are looked at before the run, as others are") {
  const Words rule = GENERATE(Words{}, Words{"--until", "one > floor"});
  const Folder folder;
  std::string both = paid_suite(R"(, "trouble": "preflight")");
  both.replace(both.find(R"("focal": "one")"), 14, R"("focal": ["one", "floor"])");
  folder.write("s.json", both);
  const auto again = [&](Words more) {
    more.insert(more.end(), rule.begin(), rule.end());
    const Ended ended = folder.agon(run("a.agon", more));
    INFO(ended.err);
    return ended.code;
  };
  REQUIRE(again({"--no-preflight"}) == 0);
  // With nothing set aside there is nothing to play.
  CHECK(again({"--retry-quarantined"}) == 0);
  run_sql(folder.at("a.agon"), "update match set status = 'quarantined' where number = 1");
  const int all = finished(folder.at("a.agon"));
  CHECK(again({}) == 6);
  CHECK(again({"--retry-quarantined"}) == 4);
  CHECK(finished(folder.at("a.agon")) == all);
}

TEST_CASE("what is missing is told before the run") {
  const Folder folder;
  folder.write("s.json", paid_suite(R"(, "trouble": "preflight")"));
  folder.refuses(run("a.agon"), 4, {"PAID_API_KEY is not set; export PAID_API_KEY=..."});
  CHECK_FALSE(folder.has("a.agon"));
  const Ended doctor = folder.agon({"doctor", "s.json", "--plugin", kPaid, "--sandbox", "never"});
  CHECK(doctor.code == 4);
  CHECK(contains(doctor.out, "PAID_API_KEY is not set"));
  CHECK(folder.agon(run("a.agon", {"--no-preflight"})).code == 0);
  // As many matches of another seed are not the matches of this suite.
  std::string other = folder.read("s.json");
  other.replace(other.find("\"seed\": 5"), 9, "\"seed\": 6");
  folder.write("s.json", other);
  CHECK(folder.agon(run("a.agon")).code == 4);
  CHECK(folder.agon(run("a.agon", {"--no-preflight"})).code == 0);
  CHECK(folder.agon(run("a.agon")).code == 0);  // all is there: nothing is needed
}

TEST_CASE("a model that no suite names is no silence") {
  const Folder folder;
  folder.write("s.json", paid_suite(""));
  folder.refuses(run("a.agon", {"--model", "q=p/y"}), 2,
                 {"--model q=p/y: unknown model 'q' (known: m)"});
  CHECK_FALSE(folder.has("a.agon"));
  folder.write("t.json", R"({"models": {"first": "mock"}, "agents": {"a": {"llm": "n"}},
    "scenarios": [{"game": "bargaining"}]})");
  folder.refuses({"run", "t.json"}, 5, {"name one of \"models\" (first), or write provider/model"});
}

TEST_CASE("kill -9 at any moment: no answered call is made again") {
  const Folder folder;
  folder.write("s.json", paid_suite(R"(, "delay": 3)"));
  REQUIRE(folder.agon(run("whole.agon")).code == 0);
  const std::vector<std::string> whole = content(folder, "whole.agon");
  const std::size_t calls = logged(folder).size();
  for (const std::size_t at : {std::size_t{1}, calls / 4, calls / 2, calls - 2}) {
    std::filesystem::remove(folder.at("calls.log"));
    const std::string archive = "k" + std::to_string(at) + ".agon";
    {
      Child child(run(archive), folder.start({}));
      REQUIRE(child.until([&] { return logged(folder).size() >= at; }));
      child.send(SIGKILL);
      CHECK(child.end().code == 128 + SIGKILL);
    }
    const std::vector<std::string> before = logged(folder);
    const std::set<std::string> durable = kept(folder, archive);
    // What was not durable was in flight: at most a call for each of the four matches.
    CHECK(durable.size() + 4 >= before.size());
    folder.succeeds(run(archive));
    const std::vector<std::string> after = logged(folder);
    for (std::size_t i = before.size(); i < after.size(); ++i)
      CHECK_FALSE(durable.contains(after[i]));
    CHECK(content(folder, archive) == whole);
  }
}

TEST_CASE("suites name models, cross factors and bring prompts") {
  const Folder folder;
  folder.write("p/bid.txt", "Bid now.\n");
  folder.write("s.json",
               R"({"models": {"main": {"provider": "p", "model": "x"}, "n": "q/y:temperature=0"},
    "agents": {"llm": {"paid": "main", "factors": {"memory": ["whole", "window:n=2"],
                                                "model.temperature": [0, 0.5]}},
               "floor": "random"},
    "scenarios": [{"game": "water-allocation", "prompts": "p",
                   "design": {"focal": "llm/*", "background": "floor"}, "set": {"days": 1}}]})");
  folder.succeeds(run("a.agon"));
  std::map<std::string, agon::archive::AgentRow> agents;
  const auto archive = agon::archive::Archive::open(folder.at("a.agon"));
  for (const auto& [number, row] : archive.agents()) agents[row.name] = row;
  REQUIRE(agents.size() == 5);
  const agon::archive::AgentRow& one = agents.at("llm/memory=window:n=2,model.temperature=0.5");
  CHECK(one.family == "llm");
  CHECK(one.factors == R"({"memory":"window:n=2","model.temperature":0.5})");
  const auto spec = json_of(one.spec);
  CHECK(spec.at("params").at("model").at("provider").as_string() == "p");
  CHECK(spec.at("params").at("model").at("temperature").as_double() == 0.5);
  REQUIRE(one.prompts);
  CHECK(contains(archive.content(*one.prompts).value_or(""), "Bid now."));
  CHECK(agents.at("floor").factors == "{}");
  CHECK_FALSE(agents.at("floor").prompts);

  const auto model_of = [&](const std::string& name, const Words& more) {
    REQUIRE(folder.agon(run(name, more)).code == 0);
    std::set<std::string> models;
    agon::archive::Archive::open(folder.at(name))
        .calls()
        .each(nullptr, [&](const agon::archive::CallRow& row) {
          models.insert(row.call.provider + "/" + row.call.model);
        });
    return models;
  };
  CHECK(model_of("b.agon", {"--model", "r/z:8b"}) == std::set<std::string>{"r/z:8b"});
  CHECK(model_of("c.agon", {"--model", "main=n"}) == std::set<std::string>{"q/y"});
  // Edited prompts never resume into old data; agents that read none stay.
  const std::int64_t before = finished(folder.at("a.agon"));
  folder.write("p/bid.txt", "Bid later.\n");
  REQUIRE(folder.agon(run("a.agon")).code == 0);
  CHECK(finished(folder.at("a.agon")) == 2 * before);

  struct Wrong {
    std::string from, to, says;
  };
  const std::string suite = folder.read("s.json");
  for (const Wrong& w :
       {Wrong{R"("paid": "main")", R"("paid": "mian")", "did you mean 'main'"},
        Wrong{R"("memory": ["whole")", R"("memory": ["whole", "whole")",
              "the level 'whole' is there twice"},
        Wrong{R"("factors": {)", R"("factors": [], "x": {)", "must be an object, not a list"},
        Wrong{R"("model": "x")", R"("modl": "x")", "$.models.main"},
        Wrong{R"("models": {)", R"("models": {"spare": {"provider": "mock", "modl": "x"}, )",
              "($.models.spare): parameter model.modl: unknown key 'modl' (did you mean"},
        Wrong{R"("prompts": "p")", R"("prompts": "q")", "folder 'q' not found"},
        Wrong{R"("prompts": "p")", R"("prompts": {"bidd": "p/bid.txt"})", "did you mean 'bid'"},
        Wrong{R"("paid": "main")", R"("paid": "main", "memry": "x")", "did you mean 'memory'"}}) {
    std::string wrong = suite;
    const std::size_t at = wrong.find(w.from);
    REQUIRE(at != std::string::npos);
    wrong.replace(at, w.from.size(), w.to);
    folder.write("s.json", wrong);
    const Ended refused = folder.agon(run("w.agon"));
    INFO(w.to << "\n" << refused.err);
    CHECK(refused.code == (contains(w.says, "not found") ? 3 : 5));
    CHECK(contains(refused.err, w.says));
  }
}

namespace {

/// The agents of models that ship, on the mock in process: no key, no network.
const std::string kMock = R"({"suite": "mock", "seed": 3,
  "models": {"m": {"provider": "mock", "model": "tiny"}},
  "agents": {"llm": {"llm": "m", "factors": {"memory": ["whole", "notebook"]}},
             "reference": {"rule": {"bargaining": "time-dependent",
                                    "water-allocation": "survivor"}}},
  "design": {"focal": ["llm/*", "reference"], "background": "reference", "blocks": 14},
  "scenarios": [{"game": "bargaining"}, {"game": "water-allocation", "set": {"days": 3}}]})";

}  // namespace

TEST_CASE("plan tells calls, tokens and money before anything is spent") {
  const Folder folder;
  folder.write("s.json", kMock);
  folder.write("prices.json", R"({"format": "agon.prices", "version": 1,
    "models": {"other/big": {"input": 2, "output": 8}}})");
  const auto plan = [&](const Words& more) {
    return json_of(folder.succeeds(joined({"plan", "s.json", "--json"}, more)).out);
  };
  const auto mock = plan({});
  CHECK(mock.at("rows").as_array().size() == 4);  // two agents, two scenarios
  CHECK(mock.at("total").at("cost_usd").at("high").as_double() == 0);
  // What tokens out are for; without a notebook nobody writes notes.
  for (const auto& row : mock.at("rows").as_array()) {
    const auto& parts = row.at("tokens_out_by_part").as_object();
    double sum = 0;
    for (const auto& part : parts) sum += part.value().at("expected").to_number<double>();
    CHECK(sum == Approx(row.at("output_tokens").at("expected").to_number<double>()));
    const bool has_notes = contains(std::string(row.at("agent").as_string()), "notebook");
    CHECK((parts.at("notes").at("expected").to_number<double>() > 0) == has_notes);
    CHECK(parts.at("answers").at("expected").to_number<double>() > 0);
    // A model that says much takes half as much again, and more.
    const auto& out = row.at("output_tokens");
    CHECK(out.at("high").to_number<double>() > 1.4 * out.at("expected").to_number<double>());
    CHECK(out.at("low").to_number<double>() < out.at("expected").to_number<double>() / 1.4);
    CHECK(parts.at("thinking").at("high").to_number<double>() == 0);
    for (const auto& [part, factor] :
         std::map<std::string, double>{{"answers", 1.5}, {"reasons", 2.5}, {"notes", 2.5}}) {
      INFO(part);
      const auto& span = parts.at(part);
      const double expected = span.at("expected").to_number<double>();
      CHECK(span.at("high").to_number<double>() >= factor * expected * (1 - 1e-9));
      CHECK(span.at("low").to_number<double>() <= expected / factor * (1 + 1e-9));
    }
  }
  const auto hard = plan({"--model", "openai/x:reasoning_effort=high"}).at("rows").at(0);
  CHECK(hard.at("effort").as_string() == "high");
  CHECK(hard.at("tokens_out_by_part").at("thinking").at("expected").to_number<double>() ==
        Approx(6000 * hard.at("calls").at("expected").to_number<double>()));
  // Every call thinks as long, and models differ by three in how long.
  CHECK(hard.at("tokens_out_by_part").at("thinking").at("high").to_number<double>() ==
        Approx(3 * 6000 * hard.at("calls").at("high").to_number<double>()));
  CHECK(hard.at("tokens_out_by_part").at("thinking").at("low").to_number<double>() ==
        Approx(6000 * hard.at("calls").at("low").to_number<double>() / 3));
  CHECK(contains(folder.agon({"plan", "s.json", "--model", "openai/x:reasoning_effort=high"}).out,
                 "effort"));
  // Another model without a key: the plan needs none, and knows no price unless it is told.
  CHECK(plan({"--model", "openai/x"}).at("total").at("cost_usd").is_null());
  const auto priced = plan({"--model", "openai/x:base_url=http://127.0.0.1:1/v1"});
  CHECK(priced.at("rows").at(0).at("model").as_string() == "openai/x");
  CHECK_FALSE(folder.has("s.agon"));

  // A pilot narrows it, and tells what can be found.
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  const auto pilot = plan({"--pilot", "s.agon"});
  CHECK(pilot.at("rows").at(0).at("from_pilot").as_bool());
  for (const auto& row : pilot.at("rows").as_array()) {
    double sum = 0;
    for (const auto& part : row.at("tokens_out_by_part").as_object())
      sum += part.value().at("expected").to_number<double>();
    CHECK(sum == Approx(row.at("output_tokens").at("expected").to_number<double>()));
  }
  REQUIRE_FALSE(pilot.at("detectable").as_array().empty());
  for (const auto& d : pilot.at("detectable").as_array()) {
    if (d.at("comparison").as_string() != "factor")
      CHECK(d.at("against").as_string() == "reference");
    CHECK(d.at("gain").as_double() > 0);
    CHECK(d.at("loss").as_double() > 0);
  }
  // Four times the blocks find about half the effect, or less: few blocks need more, most of all
  // where scores are coarse.
  std::string larger = kMock;
  larger.replace(larger.find("\"blocks\": 14"), 12, "\"blocks\": 56");
  folder.write("s.json", larger);
  const auto more = plan({"--pilot", "s.agon"});
  const auto ratio = [&](const char* side) {
    return more.at("detectable").at(0).at(side).as_double() /
           pilot.at("detectable").at(0).at(side).as_double();
  };
  for (const char* side : {"gain", "loss"}) {
    CHECK(ratio(side) > 0.24);
    CHECK(ratio(side) < 0.62);
  }
  // And to find what it finds, the suite is as large as it has to be.
  const auto& first = more.at("detectable").at(0);
  const double found = std::max(first.at("gain").as_double(), first.at("loss").as_double());
  const auto needed = plan({"--pilot", "s.agon", "--effect", fmt::format("{}", found)});
  CHECK(needed.at("detectable").at(0).at("needed").at(0).at("blocks").as_double() ==
        Approx(1).margin(0.03));
  CHECK(contains(folder.agon({"plan", "s.json", "--pilot", "s.agon", "--effect", "0"}).err,
                 "invalid value '0' for --effect"));
  CHECK(contains(folder.agon({"plan", "s.json", "--effect", "0.1"}).err,
                 "--effect requires --pilot\nhint: see"));
  CHECK(contains(folder.agon({"plan", "s.json"}).out, "llm/memory=notebook"));
}

namespace {

/// An agent whose words another model reads.
std::string two_models(const std::string& big, const std::string& small,
                       const std::string& others = R"({"extract": "small"})") {
  return R"({"suite": "two", "seed": 3, "models": {"big": )" + big + R"(, "small": )" + small +
         R"(}, "agents": {"a": {"llm": "big", "reasoning": "free-text", "models": )" + others +
         R"(}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 2},
                 "design": {"focal": "a", "background": "floor", "seat_rotation": "as-listed"}}]})";
}

}  // namespace

TEST_CASE("an agent's models are planned, called, counted and asked for drift one by one") {
  const Folder folder;
  folder.write("s.json", two_models(R"({"provider": "mock", "model": "big"})",
                                    R"({"provider": "mock", "model": "small"})"));
  const auto planned = json_of(folder.succeeds({"plan", "s.json", "--json"}).out);
  const auto& rows = planned.at("rows").as_array();
  REQUIRE(rows.size() == 2);
  CHECK(rows.at(0).at("model").as_string() == "mock/big");
  CHECK(rows.at(0).at("purpose").is_null());
  CHECK(rows.at(1).at("model").as_string() == "mock/small");
  CHECK(rows.at(1).at("purpose").as_string() == "extract");
  for (const auto& row : rows) CHECK(row.at("calls").at("expected").to_number<double>() >= 2);

  REQUIRE(folder.agon({"run", "s.json", "--drift-check"}).code == 0);
  std::map<std::string, int> probes, calls;
  agon::archive::Archive::open(folder.at("s.agon"))
      .calls()
      .each(nullptr, [&](const agon::archive::CallRow& row) {
        if (row.call.purpose == "drift") {
          ++probes[row.call.model];
          return;
        }
        CHECK((row.call.purpose == "extract") == (row.call.model == "small"));
        ++calls[row.call.model];
      });
  CHECK(probes == std::map<std::string, int>{{"big", 20}, {"small", 20}});
  CHECK(calls["big"] > 0);
  CHECK(calls["small"] > 0);
  CHECK(contains(folder.agon({"report", "s.agon", "--section", "use"}).out,
                 "Agents with several models: 'a': mock/big " + std::to_string(calls["big"])));

  // A pilot's calls are those of the model that they went to.
  const auto pilot = json_of(folder.agon({"plan", "s.json", "--pilot", "s.agon", "--json"}).out);
  CHECK(pilot.at("rows").at(0).at("calls").at("expected").to_number<double>() ==
        Approx(calls["big"]));
  CHECK(pilot.at("rows").at(1).at("calls").at("expected").to_number<double>() ==
        Approx(calls["small"]));
}

TEST_CASE("a second model has its own price, key and errors") {
  const Endpoint endpoint([](const Endpoint::Request& request) -> Served {
    if (request.method == "GET") return {Endpoint::reply(404, "{}")};
    return {Endpoint::answer(contains(request.body, "\"small\"") ? R"({"bid": 1})"
                                                                 : "I bid one dollar.")};
  });
  const Start at{.environment = {{"OPENAI_API_KEY", "sk-roles-0123456789"},
                                 {"OPENAI_BASE_URL", endpoint.url()}}};
  const std::string big = R"("openai/big")", small = R"("openai/small")";
  const Folder folder;
  folder.write("s.json", two_models(big, small));
  const auto prices = [&](const std::string& more) {
    folder.write("p.json", R"({"format": "agon.prices", "version": 1, "models": {
      "openai/big": {"input": 10, "output": 10})" +
                               more + "}}");
  };
  const Words run{"run", "s.json", "--no-preflight", "--prices", "p.json", "--max-cost", "50"};
  prices("");
  folder.refuses(run, 4, {"openai/small has no price"}, at);
  prices(R"(, "openai/small": {"input": 1, "output": 1})");
  folder.succeeds(run, at);

  folder.write("s.json", two_models(R"("mock")", R"("anthropic/x")"));
  const Ended doctor = folder.agon({"doctor", "s.json"});
  CHECK(doctor.code == 4);
  CHECK(contains(doctor.out, "ANTHROPIC_API_KEY"));

  folder.write("s.json", two_models(big, small, R"({"extract": "smal"})"));
  folder.refuses({"plan", "s.json"}, 5,
                 {"s.json:", "unknown model 'smal' (did you mean 'small'?)"});
  folder.write("s.json", two_models(big, small, R"({"extrct": "small"})"));
  folder.refuses({"plan", "s.json"}, 5, {"calls for 'extrct' (did you mean 'extract'?)"});
}

TEST_CASE("a plan's matches are as long as those of the game's reference") {
  const Folder folder;
  const auto suite = [](const std::string& agent) {
    return R"({"models": {"m": "mock"}, "agents": {"a": )" + agent + R"(},
      "scenarios": [{"game": "clock-auction", "blocks": 3, "design": {"fixed": [["a", "a", "a"]]}}]})";
  };
  folder.write("model.json", suite(R"({"llm": "m", "ask_always": true})"));
  folder.write("rule.json", suite(R"("equilibrium-bid")"));
  const Ended planned = folder.succeeds({"plan", "model.json", "--json", "--sample", "1000"});
  folder.succeeds({"run", "rule.json", "--out", "rule.agon"});
  const auto archive = agon::archive::Archive::open(folder.at("rule.agon"));
  std::int64_t answers = 0;
  archive.matches().each({}, [&](std::int64_t number, const agon::archive::MatchRow&) {
    const agon::record::History history =
        agon::record::read(archive.matches().record_of(archive.matches().at(number)));
    for (const agon::record::Entry& e : history.entries)
      answers += e.what == agon::record::Entry::What::question && !e.probe;
    return true;
  });
  const auto total = json_of(planned.out).at("total");
  CHECK(total.at("calls").at("expected").to_number<double>() ==
        Approx(static_cast<double>(answers)));
  CHECK(total.at("output_tokens").at("low").to_number<double>() <
        total.at("output_tokens").at("expected").to_number<double>());
}

TEST_CASE("a plan looks at several matches, however many seats of one are a model's") {
  // Five residents share the fate of a match: they are one observation, and not five.
  const Folder folder;
  folder.write("s.json", R"({"models": {"m": "mock"}, "agents": {"a": {"llm": "m"}},
    "scenarios": [{"game": "water-allocation", "preset": "paper", "set": {"supply": [20, 30]},
      "blocks": 20, "design": {"fixed": [["a", "a", "a", "a", "a"]]}}]})");
  const auto calls = [&](const char* sample) {
    Words words{"plan", "s.json", "--json"};
    if (*sample != '\0') words.insert(words.end(), {"--sample", sample});
    return json_of(folder.succeeds(words).out).at("total").at("calls");
  };
  const auto few = calls("");
  const double all = calls("100").at("expected").to_number<double>();
  CHECK(few.at("expected").to_number<double>() == Approx(all).epsilon(0.2));
  CHECK(few.at("low").to_number<double>() < all);
  CHECK(few.at("high").to_number<double>() > all);
}

TEST_CASE("matches beside a strategy that is called like a key of suites are read again") {
  const Folder folder;
  folder.write("s.json", R"({"models": {"m": "mock"},
    "agents": {"llm": {"llm": "m"}, "rule-5": "rule:max_bids=5"},
    "scenarios": [{"game": "english-auction", "set": {"arena": "demo"},
                   "design": {"fixed": [["llm", "rule-5", "rule-5"]]}}]})");
  folder.succeeds({"run", "s.json"});
  const Ended again = folder.succeeds({"replay", "s.agon", "--reparse"});
  CHECK(contains(again.out, "0 results flip"));
}

TEST_CASE("matches of models replay, and are read again, without a model") {
  const Folder folder;
  folder.write("s.json", kMock);
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  CHECK(folder.agon({"replay", "s.agon"}).code == 0);
  const auto all = json_of(folder.succeeds({"replay", "s.agon", "--reparse", "--json"}).out);
  CHECK(all.at("flipped").as_int64() == 0);
  CHECK(all.at("unknown").as_int64() == 0);
  CHECK(all.at("results_flipped").as_int64() == 0);
  CHECK(all.at("answers").as_int64() > 50);

  // A word of a model that is changed behind the archive's back flips an answer, and it is told
  // where. What the models said after that answers other questions: it is not there.
  run_sql(
      folder.at("s.agon"),
      "update call set text = '{\"bid\": null}' where number = (select min(c.number) from call c "
      "join match m on m.id = c.match join scenario s on s.number = m.scenario "
      "where s.name = 'water-allocation' and c.purpose = 'answer' and c.text not like "
      "'%null%')");
  const Ended flipped = folder.agon({"replay", "s.agon", "--reparse"});
  INFO(flipped.out);
  CHECK(flipped.code == 1);
  check_has(flipped.out, {"first at question", "recorded:"});
  // The record itself is what was played: it still replays.
  CHECK(folder.agon({"replay", "s.agon"}).code == 0);
}

TEST_CASE("reading again tells which classes of attempts change and where first") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "slips", "seed": 3,
    "models": {"m": {"provider": "mock", "model": "tiny", "mock": {"malformed": 0.3}}},
    "agents": {"llm": {"llm": "m"}, "other": "time-dependent"},
    "design": {"focal": ["llm"], "background": "other", "blocks": 6},
    "scenarios": [{"game": "bargaining"}]})");
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  const std::string archive = folder.at("s.agon");
  const auto reparsed = [&] {
    return json_of(folder.agon({"replay", "s.agon", "--reparse", "--json"}).out);
  };
  CHECK(reparsed().at("classes").as_array().empty());

  // As if what was no JSON once were read today: the same is played. Matches run at the same time,
  // so calls are told apart by their match and not by their running number.
  run_sql(archive,
          "update call set text = (select n.text from call n where n.match = call.match and "
          "n.seat = call.seat and n.question = call.question and n.attempt = 1) "
          "where number = (select c.number from call c join call n on n.match = c.match and "
          "n.seat = c.seat and n.question = c.question and n.attempt = 1 where c.attempt = 0 and "
          "not json_valid(c.text) and not exists (select 1 from call t where "
          "t.match = c.match and t.question = c.question and t.attempt = 2) "
          "order by c.match, c.question limit 1)");
  const auto legal = reparsed();
  CHECK(legal.at("flipped").as_int64() == 0);
  REQUIRE(legal.at("classes").as_array().size() == 1);
  CHECK(legal.at("classes").at(0).at("recorded").as_string() == "unparsable");
  CHECK(legal.at("classes").at(0).at("now").as_string() == "ok");
  CHECK(legal.at("classes").at(0).at("attempts").as_int64() == 1);
  CHECK(contains(std::string(legal.at("classes").at(0).at("first").as_string()), "question "));
  CHECK(contains(folder.agon({"replay", "s.agon", "--reparse"}).out,
                 "1 attempt that was unparsable now ok, first in match "));

  // What was legal is no more: nobody knows what would have been said after that.
  run_sql(archive,
          "update call set text = 'I bid' where number = (select c.number from call c where "
          "c.attempt = 0 and not exists (select 1 from call n where n.match = c.match and "
          "n.question = c.question and n.attempt = 1) order by c.match desc, c.question limit 1)");
  const auto lost = reparsed();
  CHECK(lost.at("flipped").as_int64() == 1);
  CHECK(lost.at("not_finished").as_int64() == 1);
  REQUIRE(lost.at("classes").as_array().size() == 2);
  const Ended told = folder.agon({"replay", "s.agon", "--reparse"});
  CHECK(told.code == 1);
  check_has(told.out, {"1 attempt that was ok now unparsable, first in match ",
                       "turned down: there is no JSON object in the answer"});
}

TEST_CASE("a match that is not finished is shown as far as it has come") {
  const Folder folder;
  std::string bargains = kMock;
  const std::string_view water = R"(, {"game": "water-allocation", "set": {"days": 3}})";
  bargains.erase(bargains.find(water), water.size());
  folder.write("s.json", bargains);
  CHECK(folder.agon({"run", "s.json", "--jobs", "1", "--max-calls", "5"}).code != 0);
  const auto archive = agon::archive::Archive::open(folder.at("s.agon"));
  std::set<std::string> open;
  archive.matches().partials(
      [&](const agon::archive::PartialMatch& p) { open.insert(p.key.id.hex()); });
  std::string match;
  std::int64_t question = -1;
  archive.calls().each(nullptr, [&](const agon::archive::CallRow& row) {
    if (open.contains(row.match.hex())) match = row.match.hex(), question = row.question;
  });
  REQUIRE_FALSE(match.empty());
  const Ended shown = folder.succeeds({"show", "s.agon", match.substr(0, 8)});
  CHECK(contains(shown.out, "not finished"));
  CHECK_FALSE(contains(shown.out, "seat 0"));
  // Told as its game tells it.
  CHECK(contains(shown.out, "Product "));
  CHECK_FALSE(contains(shown.out, "truth: "));
  const Ended one =
      folder.succeeds({"show", "s.agon", match, "--question", std::to_string(question)});
  CHECK(contains(one.out, "> system"));
  CHECK(folder.agon({"show", "s.agon", "0123abcd"}).code != 0);
}

TEST_CASE("the dialogue with a model, for people and as data") {
  const Folder folder;
  folder.write("s.json", kMock);
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  run_sql(folder.at("s.agon"),
          "update call set text = text || char(27) || '[31m' || "
          "replace(hex(zeroblob(1500)), '0', 'y')");
  // The match with the most calls.
  std::map<std::string, int> calls_of;
  agon::archive::Archive::open(folder.at("s.agon"))
      .calls()
      .each(nullptr, [&](const agon::archive::CallRow& row) { ++calls_of[row.match.hex()]; });
  const std::string match =
      std::max_element(calls_of.begin(), calls_of.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->first;
  const Ended shown = folder.succeeds({"show", "s.agon", match, "--calls"});
  check_has(shown.out, {"> system", "< said", "--full shows them"});
  CHECK_FALSE(contains(shown.out, "\x1b"));
  CHECK(folder.agon({"show", "s.agon", match, "--calls", "--full"}).out.size() > shown.out.size());

  // One question whole: every message of every request, and what came of it.
  const Ended question = folder.succeeds({"show", "s.agon", match, "--question", "0"});
  CHECK(contains(question.out, "question 0"));
  check_lacks(question.out, {"question 1", "as before", "--full shows them"});
  CHECK(contains(question.out, "What came of it:"));
  const auto asked = json_of(folder.agon({"show", "s.agon", match, "--json", "--calls"}).out);
  REQUIRE(asked.as_array().size() > 1);
  CHECK(asked.at(0).at("messages").at(0).at("role").as_string() == "system");
  const std::int64_t place = asked.at(0).at("question").as_int64();
  const auto told = json_of(
      folder.agon({"show", "s.agon", match, "--json", "--question", std::to_string(place)}).out);
  REQUIRE_FALSE(told.as_array().empty());
  CHECK(told.as_array().size() < asked.as_array().size());
  for (const auto& one : told.as_array()) CHECK(one.at("question").as_int64() == place);
  CHECK(contains(folder.agon({"show", "s.agon", match, "--question", "99999"}).out,
                 "no model was called at question 99999"));
  CHECK(folder.agon({"show", "s.agon", "--question", "0"}).code != 0);

  const Ended csv = folder.agon({"export", "s.agon", "--rows", "calls"});
  const Ended jsonl = folder.agon({"export", "s.agon", "--rows", "calls", "--json"});
  const auto calls = static_cast<std::size_t>(
      agon::archive::Archive::open(folder.at("s.agon")).calls().totals().calls);
  CHECK(lines(jsonl.out).size() == calls);
  const auto first = json_of(lines(jsonl.out).front());
  CHECK(first.at("messages").at(0).at("role").as_string() == "system");
  CHECK(first.at("model").as_string() == "tiny");
  CHECK(contains(lines(csv.out).front(), "match,seat,agent,question,attempt,place"));
}
