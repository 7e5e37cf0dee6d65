#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

TEST_CASE("a second model and its purpose have caps of their own") {
  const Folder folder;
  const auto write = [&](const std::string& limits) {
    folder.write(
        "s.json",
        R"({"suite": "two", "seed": 3, "models": {"big": "mock/big", "small": "mock/small"},
  "agents": {"a": {"llm": "big", "reasoning": "free-text", "models": {"extract": "small"}},
             "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 2},
                 "design": {"focal": "a", "background": "floor", "seat_rotation": "as-listed", "blocks": 2}}],
  "limits": {)" +
            limits + "}}");
  };
  const auto small_calls = [&] {
    int calls = 0;
    agon::archive::Archive::open(folder.at("s.agon"))
        .calls()
        .each(nullptr, [&](const agon::archive::CallRow& row) {
          calls += row.call.model == "small" ? 1 : 0;
        });
    return calls;
  };
  const bool by_model = GENERATE(true, false);
  const std::string member = by_model ? "models" : "purposes",
                    name = by_model ? "small" : "extract";
  write("\"" + member + "\": {\"" + name + "\": {\"calls\": 1, \"tokens\": 900000}}");
  const std::string words = by_model ? "the model 'small' (mock/small)" : "the purpose 'extract'";

  const auto plan = json_of(folder.agon({"plan", "s.json", "--json"}).out);
  const auto& cap = plan.at("caps").as_array().at(0);
  CHECK(cap.at("name").as_string() == name);
  CHECK(cap.at("calls").to_number<double>() == 1);
  CHECK(cap.at("cost_usd").is_null());
  CHECK(cap.at("expected").at("calls").at("expected").to_number<double>() ==
        Approx(plan.at("rows").as_array().at(1).at("calls").at("expected").to_number<double>()));
  CHECK(contains(folder.agon({"plan", "s.json"}).out, words));
  CHECK(contains(folder.agon({"doctor", "s.json"}).out,
                 "cap of 900000 tokens, 1 model call on " + words));

  const Ended stopped = folder.agon({"run", "s.json", "--jobs", "1"});
  INFO(stopped.err);
  CHECK(stopped.code == 7);
  CHECK(contains(stopped.err, "the cap of 1 model calls on " + words + " is reached: 1 are made; " +
                                  "limits." + member + "." + name +
                                  ".calls of the suite raises it"));
  CHECK(contains(stopped.err, "with a higher cap, take it up again with: agon run"));
  CHECK(small_calls() == 1);
  // What was spent before counts in the next run.
  CHECK(folder.agon({"run", "s.json", "--jobs", "1"}).code == 7);
  CHECK(small_calls() == 1);

  write("\"" + member + "\": {\"" + name + "\": {\"calls\": 1000}}");
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  CHECK(small_calls() > 1);
  const Ended report = folder.agon({"report", "s.agon", "--section", "use"});
  CHECK(contains(report.out, "calls of"));
  CHECK(contains(report.out, words));
  CHECK(contains(report.out, "1000"));

  // Each shard has its part of a cap; together they have the cap.
  for (const std::string number : {"1", "2"})
    REQUIRE(
        folder.agon({"run", "s.json", "--shard", number + "/2", "--out", number + ".agon"}).code ==
        0);
  REQUIRE(folder.agon({"merge", "both.agon", "1.agon", "2.agon"}).code == 0);
  const Ended merged = folder.agon({"report", "both.agon", "--section", "use"});
  CHECK(contains(merged.out, words));
  CHECK(contains(merged.out, "1000"));
}

TEST_CASE("a cap by model or purpose is on calls that an agent makes") {
  const Folder folder;
  const auto plan = [&](const std::string& limits) {
    folder.write("s.json", R"({"models": {"big": "mock/b", "small": "mock/s"},
  "agents": {"a": {"llm": "big", "reasoning": "free-text", "models": {"extract": "small"}},
             "b": "random"},
  "scenarios": [{"game": "bargaining"}],
  "limits": {)" + limits + "}}");
    return folder.agon({"plan", "s.json"});
  };
  const Ended fine = plan(R"("models": {"small": {"cost": "2 USD"}, "mock/b": {"tokens": 5}},
                             "purposes": {"extract": {"calls": 7}})");
  INFO(fine.err);
  CHECK(fine.code == 0);
  CHECK(contains(fine.out, "the model 'small' (mock/s)"));
  CHECK(contains(fine.out, "2.00 USD"));
  CHECK(contains(fine.out, "the model 'mock/b'"));
  CHECK(contains(fine.out, "the purpose 'extract'"));
  struct Refused {
    const char* limits;
    const char* says;
    const char* where;
  };
  for (const Refused& c :
       {Refused{R"("models": {"mock/c": {"calls": 1}})",
                "unused cap: no agent calls the model 'mock/c'", "$.limits.models"},
        Refused{R"("models": {"smal": {"calls": 1}})", "unknown model 'smal'", "$.limits.models"},
        Refused{R"("purposes": {"plan": {"calls": 1}})",
                "unused cap: no agent has another model for the calls of 'plan'",
                "$.limits.purposes.plan"},
        Refused{R"("models": {"small": {"calls": -1}})", "-1 is less than 0",
                "$.limits.models.small.calls"}}) {
    const Ended ended = plan(c.limits);
    INFO(ended.err);
    CHECK(ended.code == 5);
    CHECK(contains(ended.err, c.says));
    CHECK(contains(ended.err, c.where));
  }
}
