// Every metric of Deal or No Deal by figures worked out by hand, and the yardsticks of an instance.

#include <cmath>
#include <map>

#include "catch.hpp"
#include "deal-or-no-deal/instances.hpp"
#include "deal_or_no_deal_support.hpp"

namespace deal_metrics_test {
namespace {

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;
using agon::test::check_all_metrics;
using agon::test::undefined;

/// The hat is worth 3 to the first side and 2 to the second, a ball 2 to both, and the book is
/// worthless to the first side.
const std::string kBookForOne = R"({"beliefs": false, "instances": [
    {"id": "p", "counts": [1, 2, 2], "values": [[0, 3, 2], [2, 2, 2]]}]})";

std::string report(const std::string& candidates) {
  return R"({"candidates": [)" + candidates + "]}";
}
std::string guess(const std::string& values) {
  return R"({"values": )" + values + R"(, "probability": 0.5})";
}

/// A negotiation of one round that ends with these takes.
Played with_takes(const std::string& settings, const std::string& first,
                  const std::string& second) {
  return ScriptedMatch(dond(), settings)
      .seat(0, {say("", "null", true), first})
      .seat(1, {say("", "null", true), second})
      .play();
}

}  // namespace

TEST_CASE("Deal or No Deal: all metrics of alternating offers, with sides swapped") {
  // Seat 0 has the side worth 4, 0, 2, seat 1 the one worth 1, 3, 2.
  const auto played =
      ScriptedMatch(dond(), over_point_0(R"("protocol": "alternating_offers", "messages": false,
                                            "swap_sides": "on", "discount": 0.9)"))
          .seat(0, {keep("[1, 1, 3]"), agree})
          .seat(1, {keep("[0, 1, 2]")})
          .probes(
              0, "belief",
              {report(guess("[1, 3, 2]") + ", " + guess("[10, 0, 0]")),
               report(guess("[1, 3, 2]") + ", " + guess("[0, 4, 2]") + ", " + guess("[10, 0, 0]"))})
          .play();
  CHECK(played.outcome[0].score == Approx(6 * 0.9));
  CHECK(played.outcome[1].score == Approx(7 * 0.9));
  // Seat 0 gets a book and a ball. In the best fair split its side has 8, in Nash's 6. Of its last
  // three guesses the second has the same best splits as the truth, which is the first.
  check_all_metrics(played, 0,
                    {{"value", 6},
                     {"maximum", 10},
                     {"surplus_share", 6.0 / 13},
                     {"items", 2},
                     {"fair_value", 8},
                     {"nash_value", 6},
                     {"proposals", 1},
                     {"belief_reports", 2},
                     {"belief_size", 3},
                     {"belief_prior", 26},
                     {"belief_hits_alike", 2},
                     {"belief_precision", 1},
                     {"belief_recall", 1.0 / 3},
                     {"belief_reduction", 23.0 / 26},
                     {"belief_precision_alike", 1},
                     {"belief_recall_alike", 2.0 / 3},
                     {"misstated", undefined},
                     {"misstatement", undefined},
                     {"belief_in_claim", undefined}});
  check_all_metrics(played, 1,
                    {{"value", 7},
                     {"maximum", 10},
                     {"surplus_share", 7.0 / 13},
                     {"items", 3},
                     {"fair_value", 5},
                     {"nash_value", 7},
                     {"proposals", 1},
                     {"belief_size", undefined},
                     {"belief_prior", undefined},
                     {"belief_hits_alike", undefined},
                     {"belief_precision", undefined},
                     {"belief_recall", undefined},
                     {"belief_reduction", undefined},
                     {"belief_precision_alike", undefined},
                     {"belief_recall_alike", undefined},
                     {"misstated", undefined},
                     {"misstatement", undefined},
                     {"belief_in_claim", undefined}});
  check_all_metrics(played, -1,
                    {{"agreement", 1},
                     {"rounds", 2},
                     {"turns", 3},
                     {"joint_value", 13},
                     {"best_joint", 13},
                     {"joint_share", 1},
                     {"envy_free", 1},
                     {"pareto_optimal", 1},
                     {"fair", 1},
                     {"fair_possible", 1},
                     {"fair_distance", 4},
                     {"nash_product_share", 1},
                     {"value_distance", 6},
                     {"factor", 0.9}});
}

TEST_CASE("Deal or No Deal: all metrics of a negotiation that leaves something over") {
  // The book stays behind: 7 for seat 0, and 2 for seat 1, which would rather have the other part.
  const auto played =
      with_takes(over_point_0(R"("beliefs": false)"), take("[0, 1, 2]"), take("[0, 0, 1]"));
  const std::map<std::string_view, double> none{{"belief_size", undefined},
                                                {"belief_prior", undefined},
                                                {"belief_hits_alike", undefined},
                                                {"belief_precision", undefined},
                                                {"belief_recall", undefined},
                                                {"belief_reduction", undefined},
                                                {"belief_precision_alike", undefined},
                                                {"belief_recall_alike", undefined},
                                                {"misstated", undefined},
                                                {"misstatement", undefined},
                                                {"belief_in_claim", undefined}};
  std::map<std::string_view, double> first{
      {"value", 7}, {"maximum", 10},   {"surplus_share", 7.0 / 9},
      {"items", 3}, {"fair_value", 5}, {"nash_value", 7}};
  std::map<std::string_view, double> second{
      {"value", 2}, {"maximum", 10},   {"surplus_share", 2.0 / 9}, {"envies", 1},
      {"items", 1}, {"fair_value", 8}, {"nash_value", 6}};
  first.insert(none.begin(), none.end());
  second.insert(none.begin(), none.end());
  check_all_metrics(played, 0, first);
  check_all_metrics(played, 1, second);
  check_all_metrics(played, -1,
                    {{"agreement", 1},
                     {"rounds", 1},
                     {"turns", 2},
                     {"joint_value", 9},
                     {"best_joint", 13},
                     {"joint_share", 9.0 / 13},
                     {"fair_possible", 1},
                     {"fair_distance", 8},
                     {"nash_distance", 4},
                     {"nash_product_share", 14.0 / 42},
                     {"left_over", 1},
                     {"value_distance", 6},
                     {"factor", 1}});
}

TEST_CASE("Deal or No Deal: fair is both envy-free and Pareto-optimal, not one of them") {
  const auto judged = [](const std::string& first, const std::string& second) {
    const auto played = with_takes(kBookForOne, take(first), take(second));
    return std::array{played.metric("envy_free"), played.metric("pareto_optimal"),
                      played.metric("fair")};
  };
  using Three = std::array<double, 3>;
  CHECK(judged("[0, 2, 0]", "[1, 0, 2]") == Three{1, 1, 1});  // 6 and 6
  CHECK(judged("[0, 1, 1]", "[1, 1, 1]") == Three{1, 0, 0});  // 5 and 6
  CHECK(judged("[0, 2, 1]", "[1, 0, 1]") == Three{0, 1, 0});  // 8 and 4
  CHECK(judged("[1, 2, 1]", "[0, 0, 1]") == Three{0, 0, 0});  // 8 and 2
}

TEST_CASE("Deal or No Deal: how talks without a deal ended") {
  const auto ended = [](const std::string& first, const std::string& second) {
    const auto played = with_takes(over_point_0(R"("beliefs": false)"), first, second);
    CHECK(played.metric("agreement") == 0);
    return std::pair(played.metric("misfit"), played.metric("walked_away"));
  };
  using Two = std::pair<double, double>;
  CHECK(ended(take("[0, 1, 2]"), take("[1, 0, 2]")) == Two{1, 0});
  CHECK(ended(take("[0, 1, 2]"), leave) == Two{0, 1});
  CHECK(ended(leave, take("[1, 0, 1]")) == Two{0, 1});
  CHECK(ended(leave, leave) == Two{0, 1});
}

TEST_CASE("Deal or No Deal: where no split is fair, nothing is measured against one") {
  // Both sides want the book alone.
  const auto played = with_takes(
      R"({"beliefs": false, "instances": [{"id": "q", "counts": [1, 1, 3], "values":
          [[10, 0, 0], [7, 3, 0]]}]})",
      take("[1, 0, 0]"), take("[0, 1, 3]"));
  CHECK(played.metric("fair_possible") == 0);
  CHECK(std::isnan(played.metric("fair_distance")));
  CHECK(std::isnan(played.metric("fair_value", 0)));
  CHECK(played.metric("nash_value", 0) == 10);
  CHECK(played.metric("nash_value", 1) == 3);
  CHECK(played.metric("nash_distance") == 0);
  CHECK(played.metric("value_distance") == 6);
}

TEST_CASE("Deal or No Deal 2.2: an odd last offer ends with a report on beliefs too") {
  const std::string guesses = report(guess("[4, 0, 2]"));
  const auto reports = [&](int turns) {
    return ScriptedMatch(dond(), over_point_0(R"("protocol": "alternating_offers",
                                   "messages": false, "max_turns": )" +
                                              std::to_string(turns)))
        .seat(0, times(5, keep("[1, 1, 3]")))
        .seat(1, times(5, keep("[1, 1, 3]")))
        .probes(0, "belief", times(9, guesses))
        .play()
        .metric("belief_reports", 0);
  };
  CHECK(reports(1) == 1);
  CHECK(reports(2) == 1);
  CHECK(reports(3) == 2);
  CHECK(reports(4) == 2);
  CHECK(reports(5) == 3);
}

TEST_CASE("Deal or No Deal: the yardsticks of one instance, counted by hand") {
  // The first side's score is 3 a hat and 2 a ball, the second's 10 less 2 an item of the first.
  const Yardsticks found = yardsticks({"", 0, {1, 2, 2}, {Amounts{0, 3, 2}, Amounts{2, 2, 2}}});
  CHECK(found.splits == 18);
  // Envy-free: two hats, or a hat and a ball, of which the first serves both as well or better.
  CHECK(found.envy_free == 2);
  CHECK(found.fair == 1);
  // Pareto-optimal: nothing, a hat, two, and then the balls.
  CHECK(found.pareto_optimal == 5);
  CHECK(found.best_joint == 12);
  CHECK(found.best_envy_free_joint == 12);
  REQUIRE(found.best);
  CHECK(found.best->scores == std::array<std::int64_t, 2>{6, 6});
  CHECK(found.best_ties == 1);
  CHECK(found.nash.scores == std::array<std::int64_t, 2>{6, 6});
  CHECK(found.own_best == std::array<std::int64_t, 2>{10, 10});
  CHECK(found.own_best_with_gain == std::array<std::int64_t, 2>{10, 8});
  CHECK(found.own_best_envy_free[0] == 6);
  CHECK(found.own_best_envy_free[1] == 6);

  // Two fair splits share the joint score of 13: the first in order counts, with less for side 0.
  const Yardsticks tied = yardsticks({"", 0, {1, 1, 3}, {Amounts{1, 3, 2}, Amounts{4, 0, 2}}});
  REQUIRE(tied.best);
  CHECK(tied.best->scores == std::array<std::int64_t, 2>{5, 8});
  CHECK(tied.best_ties == 2);
  CHECK(tied.fair == 2);
}

TEST_CASE("Deal or No Deal: Nash's split has the highest product, then the highest sum") {
  const auto nash = [](std::vector<std::array<std::int64_t, 2>> scores) {
    std::vector<Outcome> list;
    for (const auto& s : scores) list.push_back({{}, s, false, false});
    return nash_split(list).scores;
  };
  using Scores = std::array<std::int64_t, 2>;
  CHECK(nash({{1, 9}, {4, 4}, {8, 1}}) == Scores{4, 4});
  CHECK(nash({{3, 4}, {6, 2}, {4, 3}}) == Scores{6, 2});
  CHECK(nash({{2, 6}, {6, 2}}) == Scores{2, 6});  // the first in order
  CHECK(nash({{0, 3}, {0, 5}, {1, 0}}) == Scores{0, 5});
}

}  // namespace deal_metrics_test
