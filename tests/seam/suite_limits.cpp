// Numbers that a suite gives: each at the last value that is taken, and one beyond it. And who
// meets whom by its design.

#include <agon/error.hpp>

#include "catch.hpp"
#include "suite/suite.hpp"
#include "support.hpp"

using agon::Suite;
using agon::design::LineUp;

namespace {

Suite parse(const std::string& text) {
  return Suite::parse(seam::catalogue(), text, "s.json", {.data_folders = seam::data_folders()});
}

/// A suite of bargaining between rule agents, with more of the suite and of its scenario.
std::string bargaining(const std::string& more = "", const std::string& of_scenario = "") {
  return R"({"agents": {"a": "random", "b": "random", "c": "random", "d": "random"})" + more +
         R"(, "scenarios": [{"game": "bargaining")" + of_scenario + "}]}";
}

/// Empty, or what is wrong and where.
std::string problem_of(const std::string& text) {
  try {
    (void)parse(text);
    return "";
  } catch (const agon::Error& error) {
    return error.problem();
  }
}

std::vector<LineUp> line_ups(const std::string& design) {
  const Suite suite = parse(bargaining(", \"design\": " + design));
  const agon::Scenario& s = suite.scenarios.front();
  return agon::line_ups(s.line_ups, suite.agents, 2, *s.game, false);
}

}  // namespace

TEST_CASE("suites: numbers of blocks, repeats and matches in a row have bounds", "[seam][suites]") {
  struct Bound {
    std::string name;
    std::uint64_t most;
    std::string says;
  };
  for (const Bound& b : {Bound{"blocks", 1'000'000'000, "1000000001 is more than 1000000000"},
                         Bound{"repeats", 1'000'000'000, "1000000001 is more than 1000000000"},
                         Bound{"sequence", 10'000, "10001 is more than 10000"}}) {
    const auto with = [&](std::uint64_t n) {
      return problem_of(bargaining("", ", \"" + b.name + "\": " + std::to_string(n)));
    };
    INFO(b.name);
    CHECK(with(0) == "0 is less than 1");
    CHECK(with(1).empty());
    CHECK(with(b.most).empty());
    CHECK(with(b.most + 1) == b.says);
  }
  const auto blocks_in_design = [](const std::string& n) {
    return problem_of(bargaining(R"(, "design": {"round_robin": true, "blocks": )" + n + "}"));
  };
  CHECK(blocks_in_design("0") == "0 is less than 1");
  CHECK(blocks_in_design("1000000000").empty());
}

TEST_CASE("suites: the limits of a run have bounds", "[seam][suites]") {
  const auto reasks = [](const std::string& n) {
    return problem_of(bargaining(R"(, "faults": {"reasks": )" + n + "}"));
  };
  CHECK(reasks("0").empty());
  CHECK(reasks("100").empty());
  CHECK(reasks("101") == "101 is more than 100");
  CHECK(reasks("-1") == "-1 is less than 0");
  CHECK(parse(bargaining(R"(, "faults": {"reasks": 0})")).scenarios[0].reasks == 0);

  const auto level = [](const std::string& n) {
    return problem_of(bargaining(R"(, "report": {"level": )" + n + "}"));
  };
  CHECK(level("0.5") == "must be a number between 0.5 and 1, such as 0.95");
  CHECK(level("0.51").empty());
  CHECK(level("0.999").empty());
  CHECK_FALSE(level("1.0").empty());
  CHECK_FALSE(level("1").empty());

  const auto limits = [](const std::string& members) {
    return bargaining(", \"limits\": {" + members + "}");
  };
  const Suite capped =
      parse(limits(R"("cost": "2 USD", "tokens": 0, "calls": 7, "jobs": 3, "answer_seconds": 60)"));
  CHECK(capped.caps.cost == 2'000'000'000);
  CHECK(capped.caps.tokens == 0);
  CHECK(capped.caps.calls == 7);
  CHECK(capped.jobs == 3);
  CHECK(capped.answer_limit == std::chrono::seconds(60));
  CHECK(parse(limits("\"cost\": 0.25")).caps.cost == 250'000'000);
  for (const std::string seed : {"18446744073709551615", "9223372036854775808"})
    CHECK(problem_of(bargaining(", \"seed\": " + seed)) ==
          seed + " is more than 9223372036854775807");
  CHECK(problem_of(bargaining(", \"seed\": -1")) == "-1 is less than 0");
  CHECK(problem_of(bargaining(", \"seed\": 1.5")) == "must be a whole number");
  CHECK(problem_of(bargaining(", \"seed\": 9223372036854775807")).empty());
  CHECK(problem_of(limits("\"jobs\": 0")) == "0 is less than 1");
  CHECK(problem_of(limits("\"jobs\": 65536")).empty());
  CHECK(problem_of(limits("\"jobs\": 65537")) == "65537 is more than 65536");
  CHECK(problem_of(limits("\"answer_seconds\": 0")) == "0 is less than 1");
  CHECK(problem_of(limits("\"answer_seconds\": 1000000")).empty());
  CHECK(problem_of(limits("\"answer_seconds\": 1000001")) == "1000001 is more than 1000000");
  CHECK_FALSE(problem_of(limits("\"tokens\": -1")).empty());
  CHECK_FALSE(problem_of(limits("\"calls\": -1")).empty());
  CHECK_FALSE(parse(limits("\"calls\": 0")).caps.tokens);
}

TEST_CASE("suites: treatments are up to ten thousand", "[seam][suites]") {
  const auto treatments = [](int levels) {
    std::string list = "1";
    for (int i = 1; i < levels; ++i) list += ",1";
    return bargaining("", R"(, "treatments": {"max_turns": [)" + list + "]}");
  };
  CHECK(parse(treatments(3)).scenarios[0].treatments.size() == 3);
  CHECK(problem_of(treatments(10'001)) == "makes more than 10000 treatments");
}

TEST_CASE("suites: a focal agent is the one that was named, wherever it stands among the agents",
          "[seam][suites]") {
  CHECK(line_ups(R"({"focal": "c", "background": "a"})") == std::vector<LineUp>{{{2, 0}, 2}});
  CHECK(line_ups(R"({"focal": ["d", "b"], "background": "a"})") ==
        std::vector<LineUp>{{{3, 0}, 3}, {{1, 0}, 1}});
  CHECK(line_ups(R"({"focal": "b", "background": "b"})") == std::vector<LineUp>{{{1, 1}, 1}});
}

TEST_CASE("suites: challengers meet those they are set against, or all others", "[seam][suites]") {
  CHECK(line_ups(R"({"gauntlet": "d", "opponents": ["b"]})") == std::vector<LineUp>{{{3, 1}, 3}});
  CHECK(line_ups(R"({"gauntlet": "c"})") ==
        std::vector<LineUp>{{{2, 0}, 2}, {{2, 1}, 2}, {{2, 3}, 2}});
}

TEST_CASE("suites: line-ups without a focal agent have none", "[seam][suites]") {
  CHECK(line_ups(R"({"round_robin": ["d", "b"]})") == std::vector<LineUp>{{{3, 1}, -1}});
  CHECK(line_ups(R"({"round_robin": true})").size() == 6);
  CHECK(line_ups(R"({"fixed": [["d", "a"], ["b", "b"]]})") ==
        std::vector<LineUp>{{{3, 0}, -1}, {{1, 1}, -1}});
}

TEST_CASE("suites: a design that makes no sense is refused", "[seam][suites]") {
  struct Row {
    std::string design, says;
  };
  const std::string one_of = "a design takes only one of focal, round_robin, gauntlet and fixed";
  for (const Row& row :
       {Row{R"({"focal": "a", "background": "b", "round_robin": true})", one_of},
        Row{R"({"gauntlet": "a", "fixed": [["a", "b"]]})", one_of},
        Row{R"({"background": "b"})",
            "missing design; expected focal, round_robin, gauntlet or fixed"},
        Row{R"({"round_robin": true, "background": "b"})", "'background' requires 'focal'"},
        Row{R"({"round_robin": true, "opponents": "b"})", "'opponents' requires 'gauntlet'"},
        Row{R"({"focal": "a"})", "'focal' requires 'background'"},
        Row{R"({"fixed": []})", "0 elements, fewer than 1"},
        Row{R"({"fixed": "a"})", "must be a list, not a text"},
        Row{R"({"round_robin": false})", "must be true or a list of agents"},
        Row{R"({"round_robin": 7})", "must be true or false, a text or a list, not a number"},
        Row{R"({"round_robin": true, "block": 3})",
            "unknown key 'block' (did you mean 'blocks'?)"}}) {
    INFO(row.design);
    CHECK(problem_of(bargaining(", \"design\": " + row.design)).starts_with(row.says));
  }
  CHECK(problem_of(bargaining(R"(, "design": {"blocks": 3})")).empty());
  CHECK(problem_of(bargaining(R"(, "design": {})")).empty());
}

TEST_CASE("suites: what a scenario says of its design goes over what the suite says",
          "[seam][suites]") {
  const auto designed = [](const std::string& of_suite, const std::string& own) {
    return bargaining(", \"design\": " + of_suite, ", \"design\": " + own);
  };
  const Suite more = parse(designed(
      R"({"focal": "c", "background": "a", "blocks": 3, "repeats": 2})", R"({"blocks": 5})"));
  CHECK(more.scenarios[0].blocks == 5);
  CHECK(more.scenarios[0].repeats == 2);
  CHECK(more.scenarios[0].line_ups.focal == std::vector<int>{2});
  const Suite other = parse(designed(R"({"focal": "c", "background": "a", "blocks": 3})",
                                     R"({"round_robin": ["a", "b"]})"));
  CHECK(other.scenarios[0].blocks == 3);
  CHECK(other.scenarios[0].line_ups.focal.empty());
  CHECK(other.scenarios[0].line_ups.agents == std::vector<int>{0, 1});
  // A mistake is told where it stands.
  const auto place = [&](const std::string& text) {
    try {
      (void)parse(text);
      return std::string("read");
    } catch (const agon::Error& error) {
      return error.where().substr(error.where().find('$'));
    }
  };
  const std::string fine = R"({"focal": "c", "background": "a"})";
  CHECK(place(designed(fine, R"({"round_robin": ["x"]})")) ==
        "$.scenarios[0].design.round_robin[0])");
  CHECK(place(designed(R"({"round_robin": ["x"]})", R"({"blocks": 2})")) ==
        "$.design.round_robin[0])");
  CHECK(place(designed(fine, R"({"opponents": "a"})")) == "$.scenarios[0].design.opponents)");
}

TEST_CASE("suites: a pattern names everybody it fits, each once", "[seam][suites]") {
  const auto who = [](const std::string& patterns) {
    const Suite suite = parse(
        R"({"agents": {"ab": "random", "abc": "random", "b": "random", "cab": "random"},
            "design": {"round_robin": )" +
        patterns + R"(}, "scenarios": [{"game": "bargaining"}]})");
    return suite.scenarios.front().line_ups.agents;
  };
  CHECK(who(R"("ab*")") == std::vector<int>{0, 1});
  CHECK(who(R"("*b")") == std::vector<int>{0, 2, 3});
  CHECK(who(R"("*a*b*")") == std::vector<int>{0, 1, 3});
  CHECK(who(R"(["b", "*"])") == std::vector<int>{2, 0, 1, 3});
  CHECK(who(R"(["*b", "ab*"])") == std::vector<int>{0, 2, 3, 1});
  // What tries every run that a * may stand for does not come to an end here.
  std::string runs, letters(100, 'a');
  for (int i = 0; i < 50; ++i) runs += "a*";
  const auto of_letters = [&](const std::string& pattern) {
    return R"({"agents": {")" + letters + R"(": "random", "b": "random"},
        "design": {"round_robin": [")" +
           pattern + R"(", "b"]}, "scenarios": [{"game": "bargaining"}]})";
  };
  CHECK(parse(of_letters(runs)).scenarios.front().line_ups.agents == std::vector<int>{0, 1});
  CHECK(problem_of(of_letters(runs + "c")).find("unknown agent '" + runs + "c'") !=
        std::string::npos);
  CHECK(problem_of(bargaining(R"(, "design": {"round_robin": ["a", "x*"]})")) ==
        "unknown agent 'x*' (known: a, b, c, d)");
}

TEST_CASE("suites: a cap on money is an amount above nothing", "[seam][suites]") {
  const auto cost = [](std::string_view text) -> std::optional<std::int64_t> {
    try {
      return agon::read_cost(text, "--max-cost");
    } catch (const agon::Error& error) {
      CHECK(error.where() == "--max-cost");
      return std::nullopt;
    }
  };
  CHECK(cost("25") == 25'000'000'000);
  CHECK(cost("$25") == 25'000'000'000);
  CHECK(cost("25 USD") == 25'000'000'000);
  CHECK(cost("0.5USD") == 500'000'000);
  CHECK(cost("1e8") == 100'000'000'000'000'000);
  CHECK(cost("0.000000001") == 1);
  for (const char* none : {"0", "0 USD", "-1", "100000000.1", "nan", "inf", "", "$", "USD",
                           "25 EUR", "2 5", "$25 USD", "25x"}) {
    INFO(none);
    CHECK_FALSE(cost(none));
  }
}
