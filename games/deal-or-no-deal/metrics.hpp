#pragma once

#include <agon/describe.hpp>
#include <cstdint>
#include <optional>

namespace deal_or_no_deal {

/// What is measured for each seat. Values are undiscounted; without a deal they are 0.
struct SeatMetrics {
  std::int64_t value = 0;
  std::int64_t maximum = 0;
  std::optional<double> surplus_share;
  std::optional<bool> envies;
  int items = 0;
  std::optional<std::int64_t> fair_value;
  std::int64_t nash_value = 0;
  int proposals = 0;
  int belief_reports = 0;
  std::optional<int> belief_size;
  std::optional<int> belief_prior;
  std::optional<int> belief_hits_alike;
  std::optional<double> belief_precision;
  std::optional<double> belief_recall;
  std::optional<double> belief_reduction;
  std::optional<double> belief_precision_alike;
  std::optional<double> belief_recall_alike;
  bool claimed = false;
  std::optional<bool> misstated;
  std::optional<std::int64_t> misstatement;
  std::optional<double> belief_in_claim;
};
AGON_DESCRIBE(
    SeatMetrics,
    (value, "what its part is worth to it, before any discount", agon::unit("points"),
     agon::at_least(0), agon::Better::higher),
    (maximum, "what everything would be worth to it", agon::unit("points"), agon::at_least(0)),
    (surplus_share, "its share of the joint value; without joint value not defined",
     agon::range(0, 1), agon::Better::higher),
    (envies, "would it rather have the other's part? Only with a deal", agon::range(0, 1),
     agon::Better::lower),
    (items, "items it got", agon::unit("items"), agon::at_least(0)),
    (fair_value, "its value in the best envy-free and Pareto-optimal split, if there is one",
     agon::unit("points"), agon::at_least(0)),
    (nash_value, "its value in the Nash bargaining split", agon::unit("points"), agon::at_least(0)),
    (proposals, "offers or concrete proposals it made", agon::at_least(0)),
    (belief_reports, "beliefs about the other's values it reported", agon::at_least(0)),
    (belief_size, "valuations it held possible in its last report", agon::at_least(1)),
    (belief_prior, "valuations possible at the start", agon::at_least(1)),
    (belief_hits_alike, "those in its last report that lead to the same best splits as the truth",
     agon::at_least(0)),
    (belief_precision, "1 if its last report holds the true valuation (the paper's word)",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (belief_recall, "1 / size of the last report if it holds the truth, else 0 (the paper's word)",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (belief_reduction, "share of the prior that its last report rules out", agon::range(0, 1),
     agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (belief_precision_alike, "belief_precision up to valuations with the same best splits",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (belief_recall_alike, "belief_recall up to valuations with the same best splits",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (claimed, "did it state what the items are worth to it?", agon::range(0, 1)),
    (misstated, "were the values that it stated others than its own? Only where it stated some",
     agon::range(0, 1)),
    (misstatement,
     "how far the stated values of one item of each type are from its own, all types together; "
     "only where it stated some",
     agon::unit("points"), agon::at_least(0)),
    (belief_in_claim,
     "how likely its last report holds the values that the other side stated, true or not, to be",
     agon::range(0, 1)))

/// What is measured for the match. Without a deal it counts as neither envy-free nor
/// Pareto-optimal, and as worth 0 to both.
struct MatchMetrics {
  std::optional<int> instance;
  bool agreement = false;
  int rounds = 0;
  int turns = 0;
  bool out_of_time = false;
  bool broken_down = false;
  bool misfit = false;
  bool walked_away = false;
  std::int64_t joint_value = 0;
  std::int64_t best_joint = 0;
  std::optional<double> joint_share;
  bool envy_free = false;
  bool pareto_optimal = false;
  bool fair = false;
  bool fair_possible = false;
  std::optional<std::int64_t> fair_distance;
  std::int64_t nash_distance = 0;
  std::optional<double> nash_product_share;
  std::optional<int> left_over;
  std::int64_t value_distance = 0;
  double factor = 1;
};
AGON_DESCRIBE(
    MatchMetrics,
    (instance, "0-based position of the instance: matches over the same one cluster",
     agon::at_least(0)),
    (agreement, "was there a deal?", agon::range(0, 1), agon::Better::higher),
    (rounds, "rounds played: both sides' messages or decisions; a started one counts",
     agon::unit("rounds"), agon::at_least(0), agon::Better::lower),
    (turns, "messages, or offers and agreements, in all", agon::at_least(0), agon::Better::lower),
    (out_of_time, "did talks go on to the last round or offer?", agon::range(0, 1),
     agon::Better::lower),
    (broken_down, "did chance end the talks?", agon::range(0, 1)),
    (misfit, "did both present a take, but takes that do not fit?", agon::range(0, 1),
     agon::Better::lower),
    (walked_away, "did a side leave instead of presenting a take?", agon::range(0, 1),
     agon::Better::lower),
    (joint_value, "what both parts are worth to their owners", agon::unit("points"),
     agon::at_least(0), agon::Better::higher),
    (best_joint, "the highest joint value of any split", agon::unit("points"), agon::at_least(0)),
    (joint_share, "joint_value / best_joint", agon::range(0, 1), agon::Better::higher),
    (envy_free, "does nobody want the other's part? Needs a deal without left-overs",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.1"), agon::Better::higher),
    (pareto_optimal, "is there no full split as good for both and better for one?",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.1"), agon::Better::higher),
    (fair, "both envy-free and Pareto-optimal", agon::range(0, 1), agon::Better::higher),
    (fair_possible, "is there a split that is both?", agon::range(0, 1)),
    (fair_distance,
     "sum of both sides' differences in value to the best split that is both, if there is one",
     agon::unit("points"), agon::at_least(0), agon::Better::lower),
    (nash_distance, "sum of both sides' differences in value to the Nash bargaining split",
     agon::unit("points"), agon::at_least(0), agon::Better::lower),
    (nash_product_share, "product of both values over the highest such product", agon::range(0, 1),
     agon::Better::higher),
    (left_over, "items that nobody took; only with a deal", agon::unit("items"), agon::at_least(0),
     agon::Better::lower),
    (value_distance, "how far the sides want different things: the lower, the harder",
     agon::unit("points"), agon::at_least(0), agon::source("Hua et al. 2024, section 5.1")),
    (factor, "what scores were multiplied by", agon::range(0, 1)))

}  // namespace deal_or_no_deal
