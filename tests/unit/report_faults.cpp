// The three fault policies, unfinished matches and their bounds.

#include <limits>

#include "catch.hpp"
#include "report_samples.hpp"

using namespace report_samples;
using agon::FaultPolicy;

namespace {

/// a beats b as played, but had to be helped in block 1.
void play(Book& book) {
  book.scenario("s", book.game("g"));
  book.match({"s", 0}, {{"a", 0.2}, {"b", 0.5}});
  book.match({"s", 1}, {{"a", 0.9, 0.1, 1.1, "", 2}, {"b", 0.4}});
  book.match({"s", 1}, {{"b", 0.4}, {"a", 0.5, 0.1, 1.1}});
}

/// Whether the policy decides the ranking.
std::string verdict(const report::ReportEstimates& report) {
  return sections_of(report, "policies").at(0).explanation;
}

double policy(const report::ReportEstimates& report, const char* agent, const char* metric) {
  return value_of(report, "policies", agent, metric);
}

double bound(const report::ReportEstimates& report, const char* agent, const char* metric) {
  return value_of(report, "bounds", agent, metric);
}

double difference(const report::ReportEstimates& report) {
  return row_of(report, "a").difference.value.value();
}

}  // namespace

TEST_CASE("Where a game gives no ranks, scores say who won", "[report]") {
  Book book("s", "g");
  const auto seat = [](const char* agent, double score) {
    Seat made{.agent = agent, .score = score};
    made.ranked = false;
    return made;
  };
  book.match({"s", 0}, {seat("a", 0.5), seat("b", 0.2)});
  book.match({"s", 1}, {seat("a", 0.1), seat("b", 0.4)});
  book.match({"s", 2}, {seat("b", 0.3), seat("a", 0.9)});
  book.match({"s", 3}, {seat("a", 0.3), seat("b", 0.3)});
  const auto report = book.make();
  CHECK(report.games[0].pairs[0].wins == 2);
  CHECK(report.games[0].pairs[0].losses == 1);
  CHECK(report.games[0].pairs[0].ties == 1);
}

TEST_CASE("A metric that is the item in every match names it, and no other does", "[report]") {
  Book book;
  book.scenario("items", book.game("g", {}, {{"product"}, {"price"}}));
  book.scenario("none", book.game("h", {}, {{"product"}}));
  book.match({.scenario = "items", .block = 0, .cluster = "7"}, {{"a"}, {"b"}}, {7, 12});
  book.match({.scenario = "items", .block = 1, .cluster = "8"}, {{"a"}, {"b"}}, {8, 8});
  book.match({.scenario = "none", .block = 0}, {{"a"}, {"b"}}, {7});
  const report::Results results = book.collect();
  REQUIRE(results.games.size() == 2);
  CHECK(results.games[0].names_item == std::vector<bool>{true, false});
  CHECK(results.games[1].names_item == std::vector<bool>{false});
}

TEST_CASE("As played, forfeited or excluded, worked by hand", "[report]") {
  Book book;
  play(book);
  // a: block 0 0.2; block 1 mean of the seats 0.8 and 0.4.
  CHECK(score_of(book.make({.reference = "b"}), "a") == Approx((0.2 + 0.6) / 2));
  // The helped seat gets its zero, a gain of 0.
  const auto forfeit = book.make({.reference = "b"}, {.policy = FaultPolicy::forfeit});
  CHECK(score_of(forfeit, "a") == Approx((0.2 + 0.2) / 2));
  CHECK(score_of(forfeit, "b") == Approx((0.5 + 0.4) / 2));
  CHECK(forfeit.games[0].pairs[0].wins == 1);    // only the second match of block 1
  CHECK(forfeit.games[0].pairs[0].losses == 2);  // with a score of 0.1
  // All of block 1 goes, for both.
  const auto exclude = book.make({.reference = "b"}, {.policy = FaultPolicy::exclude});
  CHECK(score_of(exclude, "a") == Approx(0.2));
  CHECK(score_of(exclude, "b") == Approx(0.5));
  CHECK(exclude.games[0].pairs[0].wins == 0);
  CHECK(exclude.games[0].strengths->matches == 1);
  CHECK(exclude.results.games[0].blocks_forced == 1);
  CHECK(difference(exclude) == Approx(-0.3));
}

TEST_CASE("Attempts are told by agent and by game", "[report]") {
  Book book("s", "g");
  book.scenario("t", book.game("h"));
  book.match({"s", 0}, {{"a", 0.2}, {"b", 0.5}});
  const auto tables = [&] {
    const auto document = report::document(book.make(), report::Detail::brief, {"faults"}, false);
    return document.sections.at(0).tables;
  };
  CHECK(tables().size() == 1);
  book.match({"t", 0}, {{"a", 0.9, 0.1, 1.1, "", 2}, {"b", 0.4}});
  book.match({"t", 1}, {{"a", 0.9, 0.1, 1.1, "", 1}, {"b", 0.4}});
  REQUIRE(tables().size() == 2);
  const report::ReportTable table = tables()[1];
  REQUIRE(table.rows.size() == 4);
  // a in h: five attempts a match were legal, and four for each forced answer illegal.
  const report::ReportRow& row = table.rows[1];
  CHECK(row.about.game == "h");
  CHECK(row.about.agent == "a");
  CHECK(std::get<std::string>(row.cells[1]) == "h");
  CHECK(std::get<std::int64_t>(row.cells[2]) == 10);
  CHECK(std::get<std::int64_t>(row.cells[4]) == 12);
  CHECK(std::get<std::int64_t>(table.rows[0].cells[4]) == 0);
  CHECK(table.columns[2].header == "ok");
  CHECK(table.columns[4].where == report::Where::everywhere);
  CHECK(table.columns[3].where == report::Where::data);
}

TEST_CASE("A forfeit takes a gain away, and never a loss", "[report]") {
  Book book("s", "g");
  // a made something of garbage once, and lost by it once: -0.8 where its zero is 0.1.
  book.match({"s", 0}, {{"a", 0.7, 0.1, 1.1, "", 1}, {"b", 0.4}});
  book.match({"s", 1}, {{"a", -0.7, 0.1, 1.1, "", 1}, {"b", 0.4}});
  CHECK(score_of(book.make({.reference = "b"}), "a") == Approx((0.6 - 0.8) / 2));
  const auto forfeit = book.make({.reference = "b"}, {.policy = FaultPolicy::forfeit});
  CHECK(score_of(forfeit, "a") == Approx((0 - 0.8) / 2));
  CHECK(forfeit.games[0].pairs[0].difference.value.value() ==
        Approx(((0.1 - 0.4) + (-0.7 - 0.4)) / 2));
  CHECK(forfeit.games[0].pairs[0].losses == 2);
}

TEST_CASE("The report says whether the policy decides the ranking", "[report]") {
  Book book;
  play(book);
  // As played 0.4 against 0.45: b leads under all three.
  auto report = book.make({.reference = "b"});
  CHECK(verdict(report) ==
        "The ranking is the same under all three policies: they do not decide it.");
  CHECK(policy(report, "b", "as_played_rank") == 1);
  CHECK(policy(report, "a", "as_played") == Approx(-0.05));
  CHECK(policy(report, "a", "forfeit") == Approx(-0.25));
  CHECK(policy(report, "a", "exclude") == Approx(-0.3));
  // A helped win more, and a leads as played.
  book.match({"s", 2}, {{"a", 1, 0, 1, "", 1}, {"b", 0.1}});
  report = book.make({.reference = "b"});
  CHECK(verdict(report) == "The fault policy decides the ranking: it moves a, b.");
  CHECK(policy(report, "a", "as_played_rank") == 1);
  CHECK(policy(report, "a", "forfeit_rank") == 2);
  CHECK(policy(report, "a", "exclude_rank") == 2);
  CHECK(report.results.facts[0].forced == 3);
  CHECK(report.results.facts[0].seats_forced == 2);
  CHECK(report.results.facts[0].attempts[2] == 12);
}

TEST_CASE("If every block of a game is excluded there is no ranking under that policy",
          "[report]") {
  Book book("s", "g");
  book.scenario("t", book.game("h"));
  book.match({"s", 0}, {{"a", 0.9, 0, 1, "", 1}, {"b", 0.4}});
  book.match({"t", 0}, {{"a", 0.9}, {"b", 0.4}});
  auto report = book.make({.reference = "b"});
  CHECK(figures_of(report, "policies", "a", "exclude_rank").empty());
  CHECK(figures_of(report, "policies", "b", "exclude_rank").empty());
  CHECK(verdict(report) ==
        "No rank differs where there is one under several policies. Under exclude there is no "
        "ranking: a game is left without any block.");
  // What the chosen policy leaves out is not said to lack a scale, or players who met.
  report = book.make({.reference = "b"}, {.policy = FaultPolicy::exclude});
  REQUIRE(report.leaderboard.without.size() == 1);
  CHECK(report.leaderboard.without[0].game == "g");
  CHECK(report.leaderboard.without[0].reason ==
        "an answer was forced in every block, and such blocks are left out");
  CHECK(report.games[0].strengths_note == "no strengths: an answer was forced in every block");
  const std::string text = agon::report::text(report, false);
  CHECK(text.find("g 1 of 1.") != std::string::npos);
  CHECK(text.find("no scale") == std::string::npos);
}

TEST_CASE("Without forced answers nothing depends on the policy", "[report]") {
  Book book("s", "g");
  book.match({"s", 0}, {{"a", 0.9}, {"b", 0.4}});
  CHECK(verdict(book.make()) ==
        "No answer was forced: the fault policy does not decide the ranking.");
}

TEST_CASE("A forfeit without a zero keeps the order as played", "[report]") {
  constexpr double no_pie = std::numeric_limits<double>::quiet_NaN();
  Book book("s", "g");
  book.match({"s", 0}, {{"a", 5, no_pie, no_pie, "", 1}, {"b", 4, no_pie, no_pie}});
  const auto report = book.make({}, {.policy = FaultPolicy::forfeit});
  CHECK(report.leaderboard.rows.empty());
  CHECK(report.games[0].pairs[0].wins == 1);
}

TEST_CASE("Unfinished matches bound the score", "[report]") {
  Book book("s", "g");
  // Seat 0 has a pie of 2, seat 1 of 1. a: 1.0 of 2 on seat 0.
  book.match({"s", 0}, {{"a", 1, 0, 2}, {"b", 0.3}});
  book.match({"s", 1}, {{"a", 1, 0, 2}, {"b", 0.3}});
  // In block 1 a's match on seat 1 is missing; block 2 has nothing finished.
  book.unfinished({"s", 1}, {"b", "a"}, "the provider failed");
  book.unfinished({"s", 2}, {"a", "b"}, "the provider failed");
  const auto report = book.make();
  CHECK(score_of(report, "a") == Approx(0.5));
  CHECK(sections_of(report, "bounds").at(0).tables.at(0).rows.size() == 2);
  CHECK(bound(report, "a", "seats_unfinished") == 2);
  // Block 0: 1 of 2. Block 1: seats (1 of 2) and (0 or 1 of 1). Block 2: 0 or 2 of 2.
  CHECK(bound(report, "a", "worst") == Approx((1 + (1 + 0) / 2.0 + 0) / (2 + 1.5 + 2)));
  CHECK(bound(report, "a", "best") == Approx((1 + (1 + 1) / 2.0 + 2) / (2 + 1.5 + 2)));
  REQUIRE(report.results.missing.size() == 1);
  CHECK(report.results.missing[0].matches == 2);
  CHECK(report.results.missing[0].reason == "the provider failed");
}

TEST_CASE("A game fault is charged to no score, and a focal design bounds the focal agent only",
          "[report]") {
  Book book("s", "g");
  book.match({"s", 0, "a"}, {{"a", 0.6}, {"ref", 0.2}});
  book.match({"s", 0, "ref"}, {{"ref", 0.5}, {"ref", 0.5}});
  book.game_fault({"s", 1, "a"}, {"a", "ref"}, "a split of -1");
  book.unfinished({"s", 2, "a"}, {"a", "ref"}, "");
  const auto report = book.make({.reference = "ref"});
  CHECK(score_of(report, "a") == Approx(0.6));
  CHECK(bound(report, "a", "seats_game_fault") == 1);
  CHECK(bound(report, "a", "seats_unfinished") == 1);
  CHECK(bound(report, "a", "worst") == Approx(0.2));
  CHECK(bound(report, "a", "best") == Approx(2.6 / 3));
  CHECK(bound(report, "ref", "worst") == Approx(0.5));
  CHECK(bound(report, "ref", "best") == Approx(0.5));
  const std::string text = report::text(report, false);
  CHECK(text.find("s: 1 broken by the game: a split of -1") != std::string::npos);
  CHECK(text.find("s: 1 unfinished: not played to its end") != std::string::npos);
}

TEST_CASE("Missing matches may have been as bad as is declared, or else as was seen", "[report]") {
  const auto bounds = [](std::optional<double> min, std::optional<double> max) {
    Book book;
    book.scenario("s", book.game("g", {}, {}, 0, min, max));
    book.match({"s", 0}, {{"a", 0.4}, {"b", -0.5}});
    book.match({"s", 1}, {{"a", 0.6}, {"b", 1.5}});
    book.unfinished({"s", 2}, {"a", "b"}, "broken");
    const auto report = book.make();
    return std::pair(bound(report, "a", "worst"), bound(report, "a", "best"));
  };
  CHECK(bounds({}, {}).first == Approx((0.4 + 0.6 - 0.5) / 3));
  CHECK(bounds({}, {}).second == Approx((0.4 + 0.6 + 1.5) / 3));
  CHECK(bounds(-2, 2).first == Approx((0.4 + 0.6 - 2) / 3));
  CHECK(bounds(-2, 2).second == Approx((0.4 + 0.6 + 2) / 3));
  // What was seen goes beyond: the range does not hold.
  CHECK(bounds(0, 1).first == Approx((0.4 + 0.6 - 0.5) / 3));
}

TEST_CASE("Without any finished match of a scenario its missing ones are counted, not bounded",
          "[report]") {
  Book book("s", "g");
  book.unfinished({"s", 0}, {"a", "b"}, "stopped");
  const auto report = book.make();
  CHECK(report.results.games[0].missing_unscaled == 1);
  CHECK(figures_of(report, "bounds", "a", "seats_unfinished").size() == 1);
  CHECK(figures_of(report, "bounds", "a", "worst").empty());
  CHECK(report::text(report, false).find("seats unfinished") != std::string::npos);
}
