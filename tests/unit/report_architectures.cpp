// What a report says of architectures: factors, learning sequences, rates of the papers.

#include <agon/describe.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "catch.hpp"
#include "json/parse.hpp"
#include "record/record.hpp"
#include "report_samples.hpp"
#include "results/participant.hpp"
#include "stats/resampling.hpp"

using namespace report_samples;
using agon::stats::ResamplingDice;

namespace {

bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

const std::vector<std::string> all_four = {
    "llm/memory=whole,planning=none", "llm/memory=whole,planning=static",
    "llm/memory=notebook,planning=none", "llm/memory=notebook,planning=static"};

double worth(const std::string& agent) {
  return 0.3 + (contains(agent, "notebook") ? 0.2 : 0) + (contains(agent, "static") ? 0.1 : 0);
}

/// Each agent by itself against two references, on the same blocks.
void play(Book& book, const std::string& scenario, const std::vector<std::string>& agents,
          int blocks) {
  ResamplingDice dice(3);
  for (const std::string& agent : agents) book.agent(agent);  // in the order of the suite
  for (int block = 0; block < blocks; ++block) {
    const double luck = dice.unit();
    for (const std::string& focal : agents) {
      const double score = worth(focal) + luck + 0.01 * dice.unit();
      book.match({scenario, block, focal}, {{focal, score}, {"reference", 0.3}});
    }
  }
}

}  // namespace

TEST_CASE("Levels are read from the name of an expanded agent", "[report][factors]") {
  const auto two = report::levels_of_name("llm/memory=window:n=20,planning=none");
  CHECK(two.family == "llm");
  REQUIRE(two.levels.size() == 2);
  CHECK(two.levels[0] == std::pair<std::string, std::string>{"memory", "window:n=20"});
  CHECK(two.levels[1] == std::pair<std::string, std::string>{"planning", "none"});
  CHECK(report::levels_of_name("reference").family == "reference");
  CHECK(report::levels_of_name("reference").levels.empty());
  CHECK(report::levels_of_name("team/first").family == "team/first");
  CHECK(report::levels_of_name("team/first").levels.empty());
}

TEST_CASE("Labels are no levels", "[report][factors]") {
  archive::AgentRow row;
  row.name = "llm/memory=whole";
  row.family = "llm";
  row.factors = R"({"memory":"whole","workflow":"use"})";
  const auto levels = report::levels_of(row);
  CHECK(levels.family == "llm");
  CHECK(levels.levels == std::vector<std::pair<std::string, std::string>>{{"memory", "whole"}});
  CHECK(report::all_levels_of(row).size() == 2);
  row.name = row.family = "plain";
  row.factors = R"({"workflow":"use"})";
  CHECK(report::levels_of(row).family == "plain");
  CHECK(report::levels_of(row).levels.empty());
}

TEST_CASE("Levels are read from what the archive stores", "[report][factors]") {
  archive::AgentRow row;
  row.name = "llm/memory=window:n=2,k=3,depth=2";
  row.family = "llm";
  row.factors = R"({"memory":"window:n=2,k=3","depth":2})";
  const auto levels = report::levels_of(row);
  CHECK(levels.family == "llm");
  REQUIRE(levels.levels.size() == 2);
  CHECK(levels.levels[0].second == "window:n=2,k=3");
  CHECK(levels.levels[1] == std::pair<std::string, std::string>{"depth", "2"});
}

TEST_CASE("Effects of factors stand beside the leaderboard", "[report][factors]") {
  Book book("one", "g");
  book.scenario("two", book.game("h"));
  play(book, "one", all_four, 12);
  play(book, "two", all_four, 14);
  const auto made = book.make({.reference = "llm/memory=whole,planning=none"});
  REQUIRE(sections_of(made, "factors").size() == 1);
  const std::string text = report::text(made, false, report::Detail::brief);
  CHECK(contains(text, "Factors of llm"));
  CHECK(
      contains(text, "4 agents, every combination of memory (whole, notebook); planning (none, "));
  CHECK(contains(text, "memory notebook x planning static"));
  CHECK(contains(text, " llm/notebook,static "));
  CHECK_FALSE(contains(text, "llm/memory=notebook"));
  const auto json = data_of(made);
  const auto of_llm = [&](std::map<std::string, std::string> about) {
    about.insert({{"section", "factors"}, {"agent", "llm"}});
    return agon::test::figure(json, about);
  };
  CHECK(of_llm({{"metric", "combinations_of_a_full_design"}}).at("value") == 4.0);
  CHECK(of_llm({{"metric", "levels of memory"}}).at("text") == "whole, notebook");
  const auto in_h = of_llm({{"metric", "memory: notebook less whole"}, {"game", "h"}});
  CHECK(in_h.at("value").as_double() == Approx(0.2).margin(0.01));
  CHECK(in_h.contains("low_simultaneous"));
  CHECK(of_llm({{"metric", "agents"}}).at("value") == 4.0);
  // Over all games, then in each of the two.
  const auto effect = [&](const char* name) {
    const auto found = figures_of(made, "factors", "llm", name);
    REQUIRE(found.size() >= 3);  // then the games that make most of its variance
    CHECK_FALSE(found[0].contains("game"));
    CHECK(found[1].at("game") == "g");
    return found[0];
  };
  const auto memory = effect("memory: notebook less whole");
  CHECK(memory.at("value").as_double() == Approx(0.2).margin(0.01));
  CHECK(memory.at("low").as_double() > 0.19);
  CHECK(memory.at("p_adjusted").as_double() < 0.01);
  CHECK(effect("planning: static less none").at("value").as_double() == Approx(0.1).margin(0.01));
  CHECK(std::abs(effect("memory: notebook less whole x planning: static less none")
                     .at("value")
                     .as_double()) < 0.02);
}

TEST_CASE("A confounded factor is named", "[report][factors]") {
  Book book("one", "g");
  play(book, "one", {all_four[0], all_four[3]}, 12);
  const std::string text = report::text(book.make(), false);
  CHECK(contains(text, "CONFOUNDED: memory was not varied independently of planning"));
  CHECK(contains(text, "CONFOUNDED: planning was not varied independently of memory"));
  CHECK(contains(text, "2 of the 4 combinations"));
}

TEST_CASE("Agents without factors have no section of factors", "[report][factors]") {
  Book book("one", "g");
  play(book, "one", {"a", "b"}, 12);
  const auto made = book.make();
  CHECK(sections_of(made, "factors").empty());
  CHECK_FALSE(contains(report::text(made, false), "Factors of"));
}

TEST_CASE("Ranks along a learning sequence", "[report][learning]") {
  Book book("s", "g");
  ResamplingDice dice(9);
  // The learner gains 0.1 a match and overtakes both others on the way, the other stays.
  for (int block = 0; block < 12; ++block)
    for (const std::string focal : {"learner", "steady"})
      for (int position = 0; position < 5; ++position) {
        const double gain = focal == "learner" ? 0.1 * position : 0.0;
        book.match(
            {"s", block, focal, "", 0, position},
            {{focal, 0.16 + gain + 0.15 * dice.unit()}, {"reference", 0.34}, {"reference", 0.47}});
      }
  const auto made = book.make({.reference = "steady"});
  REQUIRE(sections_of(made, "learning").size() == 1);
  CHECK(value_of(made, "learning", "learner", "rank_slope") == Approx(-0.5).margin(0.1));
  CHECK(figure_of(made, "learning", "learner", "rank_slope").at("high").as_double() < 0);
  CHECK(value_of(made, "learning", "learner", "score_slope") == Approx(0.1).margin(0.02));
  const auto difference = figure_of(made, "learning", "learner", "score_slope_difference");
  CHECK(difference.at("value").as_double() == Approx(0.1).margin(0.02));
  CHECK(difference.at("blocks") == 12);
  const auto steady = figure_of(made, "learning", "steady", "rank_slope");
  CHECK(steady.at("value") == 0.0);
  CHECK(steady.at("note").as_string() == agon::stats::describe(agon::stats::Note::no_variation));
  CHECK(value_of(made, "learning", "steady", "score_slope") == Approx(0).margin(0.02));
  const std::string text = report::text(made, false);
  CHECK(contains(text, "Learning over 5 matches: g, s"));
  CHECK(contains(text, "vs. steady"));
  const auto json = data_of(made);
  const auto ranks = agon::test::figures(
      json, {{"section", "learning"}, {"agent", "learner"}, {"metric", "rank"}});
  REQUIRE(ranks.size() == 5);
  CHECK(ranks.front().at("value") == 3.0);
  CHECK(ranks.back().at("value") == 1.0);
  // The same as a curve, for a plot.
  for (const auto& section : json.at("sections").as_array()) {
    if (section.at("id") != "learning") continue;
    const auto& curve = section.at("series").at(0);
    CHECK(curve.at("name") == "rank of learner");
    CHECK(curve.at("x").at("label") == "match");
    CHECK(curve.at("in_table") == true);
    for (std::size_t p = 0; p < 5; ++p) {
      const auto& point = curve.at("points").at(p);
      CHECK(point.at("position") == static_cast<double>(p + 1));
      CHECK(point.at("value") == ranks[p].at("value"));
      CHECK(point.at("n") == 12);
    }
  }
}

TEST_CASE("A sequence that was not finished does not count", "[report][learning]") {
  Book book("s", "g");
  for (int block = 0; block < 2; ++block)
    for (int position = 0; position < 3; ++position)
      if (block == 0 || position < 2)  // the second one ends early, and badly
        book.match({"s", block, "a", "", 0, position},
                   {{"a", block == 0 ? 0.1 * position : -5.0}, {"r", 0.05}});
  const auto made = book.make();
  const auto slope = figure_of(made, "learning", "a", "score_slope");
  CHECK(slope.at("value").as_double() == Approx(0.1));
  CHECK(slope.at("blocks") == 1);
  CHECK(slope.at("note") == "too few");
}

TEST_CASE("A forced answer on the way of a sequence gains nothing where it is a forfeit",
          "[report][learning]") {
  Book book("s", "g");
  // 0.1, 0.2, 0.3 as played; the last answer was forced.
  for (int position = 0; position < 3; ++position)
    book.match({"s", 0, "a", "", 0, position},
               {{"a", 1.1 + 0.1 * position, 1, 2, "", position == 2 ? 1 : 0}, {"r", 1.5, 1, 2}});
  const auto slope = [&](agon::FaultPolicy policy) {
    const auto made = book.make({}, {.policy = policy});
    return value_of(made, "learning", "a", "score_slope");
  };
  CHECK(slope(agon::FaultPolicy::as_played) == Approx((0.3 - 0.1) / 2));
  CHECK(slope(agon::FaultPolicy::forfeit) == Approx((0.0 - 0.1) / 2));
}

TEST_CASE("A forced loss on the way of a sequence stays a loss where it is a forfeit",
          "[report][learning]") {
  Book book("s", "g");
  for (int position = 0; position < 2; ++position)
    book.match({"s", 0, "a", "", 0, position},
               {{"a", 1 - 0.3 * position, 1, 2, "", position}, {"r", 1.5, 1, 2}});
  const auto made = book.make({}, {.policy = agon::FaultPolicy::forfeit});
  CHECK(value_of(made, "learning", "a", "score_slope") == Approx(-0.3));
}

TEST_CASE("A sequence without a scale has ranks and no slope of scores", "[report][learning]") {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Book book("s", "g");
  for (int position = 0; position < 3; ++position)
    book.match({"s", 0, "a", "", 0, position},
               {{"a", 0.1 * position, none, none}, {"r", 0.05, none, none}});
  const auto made = book.make();
  const auto ranks = figures_of(made, "learning", "a", "rank");
  REQUIRE(ranks.size() == 3);
  CHECK(ranks.front().at("value") == 2.0);
  CHECK(ranks.back().at("value") == 1.0);
  CHECK(figures_of(made, "learning", "a", "score_slope").empty());
}

TEST_CASE("Blocks that share an item are one unit of a rate", "[report][rates]") {
  Book book;
  book.scenario("s", book.game("g", {{"bad", "", "lower", 0}, {"all", "", "", 0}}));
  // Twelve blocks over ten items, or of an item each.
  for (int block = 0; block < 12; ++block)
    book.match({"s", block, "a", "item " + std::to_string(block % 10)},
               {{"a", 1, 0, 1, "", 0, {1.0 + block % 2, 10}}, {"b", 1, 0, 1, "", 0, {0, 0}}});
  report::ReportOptions options;
  options.rates = {
      {"g",
       {.name = "bad of all", .above = "bad", .below = "all", .what = "of all that was done"}}};
  const auto made = book.make(options);
  const auto rate = figure_of(made, "rates", "a", "bad of all");
  CHECK(rate.at("game") == "g");
  CHECK(rate.at("text") == "of all that was done ()");
  CHECK(rate.at("value").as_double() == Approx(18.0 / 120));
  CHECK(rate.at("blocks") == 12);
  CHECK(rate.at("n") == 10);
  // It has no source.
  CHECK(contains(report::text(made, false), "bad of all: of all that was done.\n"));
}

TEST_CASE("Rates are sums over sums, each with its n", "[report][rates]") {
  Book book;
  book.scenario("s", book.game("english-auction", {{"failed_bids", "", "lower", 0},
                                                   {"total_bids", "", "", 0},
                                                   {"belief_self_errors", "", "lower", 0},
                                                   {"belief_self_total", "", "", 0}}));
  // a: 1 of 10 and 3 of 10 bids in the odd blocks, 0 of 20 in the even ones; no beliefs.
  for (int block = 0; block < 12; ++block) {
    const double failed = block % 2 == 0 ? 0 : block % 4 == 1 ? 1 : 3;
    const double total = block % 2 == 0 ? 20 : 10;
    book.match({"s", block, "a"},
               {{"a", 1, 0, 1, "", 0, {failed, total, 0, 0}}, {"b", 1, 0, 1, "", 0, {9, 9, 9, 9}}});
  }
  report::ReportOptions options;
  options.rates = {
      {"english-auction", {.name = "CFR of bids", .above = "failed_bids", .below = "total_bids"}},
      {"english-auction",
       {.name = "CFR of beliefs, self",
        .above = "belief_self_errors",
        .below = "belief_self_total"}},
      {"english-auction", {.name = "of another version", .above = "not_there"}},
      {"another-game", {.name = "elsewhere", .above = "failed_bids"}}};
  const auto made = book.make(options);
  CHECK(contains(report::text(made, false), "n=180"));
  // The field is not counted, and beliefs have no figures.
  const auto rate = agon::test::figure(data_of(made), {{"section", "rates"}});
  CHECK(rate.at("agent") == "a");
  CHECK(rate.at("metric") == "CFR of bids");
  CHECK(rate.at("value").as_double() == Approx(12.0 / 180));
  CHECK(rate.contains("low"));
  CHECK(rate.at("out_of") == 180.0);
}

TEST_CASE("Valuation rates are means over the seats that reported", "[report][rates]") {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Book book;
  book.scenario("s", book.game("deal-or-no-deal", {{"belief_precision", "", "higher", 0},
                                                   {"belief_recall", "", "higher", 0}}));
  for (int block = 0; block < 4; ++block)
    book.match({"s", block, "a"}, {{"a",
                                    1,
                                    0,
                                    1,
                                    "",
                                    0,
                                    {block == 0   ? none
                                     : block == 1 ? 0.0
                                                  : 1.0,
                                     none}},
                                   {"b", 1}});
  report::ReportOptions options;
  options.rates = {
      {"deal-or-no-deal", {.name = "valuation precision", .above = "belief_precision"}},
      {"deal-or-no-deal", {.name = "valuation recall", .above = "belief_recall"}}};
  const auto made = book.make(options);
  const auto rate = agon::test::figure(data_of(made), {{"section", "rates"}});
  CHECK(rate.at("metric") == "valuation precision");
  CHECK(rate.at("agent") == "a");
  CHECK(rate.at("value").as_double() == Approx(2.0 / 3));
  CHECK(rate.at("out_of") == 3.0);
}

namespace plan_notes {

/// As the English auction notes it.
struct Engagement {
  std::string_view bidder;
  std::optional<int> initial_priority;
  std::optional<int> current_priority;
  int bids = 0;
  bool won = false;
};
AGON_DESCRIBE(Engagement, (bidder, "who"), (initial_priority, ""), (current_priority, ""),
              (bids, ""), (won, ""))

}  // namespace plan_notes
