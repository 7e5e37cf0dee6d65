#include "table/contract.hpp"

#include <algorithm>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>

#include "describe/value.hpp"

namespace agon {
namespace {

/// Whose figures they are: a seat's, or those of the match as a whole. A text is made only where
/// there is a problem: this is looked at in every match.
struct Whose {
  int seat = -1;
  [[nodiscard]] std::string text() const {
    return seat < 0 ? "the match" : "seat " + std::to_string(seat);
  }
};

std::string figure(double value) {
  return std::isnan(value) ? "NaN" : number_text(value);
}

/// False for a figure that reports can reckon with; NaN passes where it means something.
bool is_too_large(double value, double largest) {
  return std::abs(value) > largest && !std::isinf(value);
}

std::string too_large(double value, double largest) {
  return figure(value) + ", beyond the " + number_text(largest) +
         " that reports can reckon with: count in larger units";
}

std::string name_of(const Type* type) {
  return type == nullptr ? "nothing" : "'" + std::string(type->name) + "'";
}

/// NaN of a metric is "not defined in this match".
std::string problem_of_metric(const Field& field, double value, Whose whose) {
  // Sums of doubles may end a little beside a bound that they cannot pass.
  const auto slack = [](double bound) { return 1e-9 * std::max(1.0, std::abs(bound)); };
  const bool is_below = value < field.min - slack(field.min);
  const bool is_above = value > field.max + slack(field.max);
  const bool is_large = is_too_large(value, kLargestMetric);
  if (std::isnan(value) || (!std::isinf(value) && !is_below && !is_above && !is_large)) return {};
  const std::string what =
      "the metric '" + std::string(field.name) + "' of " + whose.text() + " is ";
  if (is_large) return what + too_large(value, kLargestMetric);
  if (std::isinf(value))
    return what + number_text(value) + "; NaN or an empty optional says that it is not defined";
  if (is_below)
    return what + number_text(value) + ", below the " + number_text(field.min) +
           " of its description";
  return what + number_text(value) + ", above the " + number_text(field.max) +
         " of its description";
}

std::string problem_of_metrics(const Type* declared, const Type* given,
                               std::span<const double> values, Whose whose,
                               std::string_view member) {
  if (declared == nullptr)
    return values.empty()
               ? ""
               : "the outcome has metrics of " + whose.text() + ", the card declares none: set ." +
                     std::string(member) + " = &agon::type_of<...>()";
  if (values.empty())
    return "the outcome has no metrics of " + whose.text() + ", the card declares " +
           name_of(declared);
  if ((given != nullptr && given != declared) || values.size() != declared->fields.size())
    return "the metrics of " + whose.text() + " are " + name_of(given) + ", the card declares " +
           name_of(declared);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Field& field = declared->fields[i];
    const double value = values[i];
    const bool is_usual =
        value >= field.min && value <= field.max && std::abs(value) <= kLargestMetric;
    if (is_usual) continue;
    if (std::string problem = problem_of_metric(field, value, whose); !problem.empty())
      return problem;
  }
  return {};
}

std::string problem_of_seat(const SeatOutcome& seat, Whose whose, int seats) {
  if (!std::isfinite(seat.score))
    return "the score of " + whose.text() + " is " + figure(seat.score);
  if (is_too_large(seat.score, kLargestScore))
    return "the score of " + whose.text() + " is " + too_large(seat.score, kLargestScore);
  if (seat.rank < 1 || seat.rank > seats)
    return "the rank of " + whose.text() + " is " + std::to_string(seat.rank) +
           "; give all ranks, 1 to " + std::to_string(seats) + ", or none";
  if (std::isnan(seat.disagreement) && std::isnan(seat.ideal)) return {};
  if (is_too_large(seat.disagreement, kLargestScore))
    return "the disagreement point of " + whose.text() + " is " +
           too_large(seat.disagreement, kLargestScore);
  if (is_too_large(seat.ideal, kLargestScore))
    return "the ideal of " + whose.text() + " is " + too_large(seat.ideal, kLargestScore);
  const bool is_finite = std::isfinite(seat.disagreement) && std::isfinite(seat.ideal);
  const double pie = seat.ideal - seat.disagreement;
  if (pie > 0 && pie < kSmallestPie)
    return "the ideal of " + whose.text() + " is " + figure(pie) +
           " above its disagreement point, less than the " + number_text(kSmallestPie) +
           " that reports can reckon with: count in smaller units";
  if (is_finite && seat.ideal >= seat.disagreement) return {};
  const std::string anchors = "the disagreement point of " + whose.text() + " is " +
                              figure(seat.disagreement) + ", its ideal " + figure(seat.ideal);
  if (!is_finite)
    return anchors + "; give both as finite numbers, or neither where there is no pie";
  return anchors + "; the ideal is the best that the seat can get, and so no lower";
}

/// In products, so that it holds for sums over seats too, and where the ideal is the disagreement
/// point.
std::string problem_of_range(const GameCard& card, const SeatOutcome& seat, Whose whose) {
  const Range range = card.score_range;
  const double gain = seat.score - seat.disagreement;
  const double pie = seat.ideal - seat.disagreement;
  if (std::isnan(pie)) return {};
  const double slack = 1e-9 * std::max({1.0, std::abs(seat.score), std::abs(seat.disagreement)});
  const bool is_below = std::isfinite(range.min) && gain < range.min * pie - slack;
  const bool is_above = std::isfinite(range.max) && gain > range.max * pie + slack;
  if (!is_below && !is_above) return {};
  return "the score of " + whose.text() + " is " + figure(seat.score) +
         " with disagreement point " + figure(seat.disagreement) + " and ideal " +
         figure(seat.ideal) + ", so that the normalised score is " +
         (is_below ? "below the " + number_text(range.min)
                   : "above the " + number_text(range.max)) +
         " of the card's score_range";
}

boost::json::value metric_json(const Field& f, double v) {
  if (!std::isfinite(v)) return nullptr;
  const Type* type = f.type->kind == Kind::optional ? f.type->element : f.type;
  if (type->kind == Kind::boolean) return v != 0;
  if (decimals_of(f) != 0) return v / 100;
  if (type->kind == Kind::integer) return static_cast<std::int64_t>(v);
  return v;
}

/// Normalised scores are reckoned in stakes, so that one has to be there where a seat has a pie.
std::string problem_of_stake(const GameCard& card, const Outcome& outcome) {
  if (card.stake.empty()) return {};
  bool has_pie = false;
  for (int i = 0; i < outcome.seats(); ++i)
    has_pie = has_pie || outcome[i].ideal > outcome[i].disagreement;
  const auto& metrics = outcome.match_metrics();
  const double stake = stake_of(card, {metrics.begin(), metrics.end()});
  if (!has_pie || (stake >= kSmallestPie && stake <= kLargestScore)) return {};
  return "the metric '" + std::string(card.stake) + "', the card's stake, is " + figure(stake) +
         "; it has to be above 0 where a seat has an ideal above its disagreement point";
}

}  // namespace

int decimals_of(const Field& metric) {
  const Type* type = metric.type->kind == Kind::optional ? metric.type->element : metric.type;
  return std::max(metric.decimals, type->decimals);
}

boost::json::object metrics_json(const Type* type, const InlineList<double, kMaxMetrics>& values) {
  boost::json::object out;
  for (std::size_t i = 0; type != nullptr && i < type->fields.size() && i < values.size(); ++i)
    out[type->fields[i].name] = metric_json(type->fields[i], values[i]);
  return out;
}

double stake_of(const GameCard& card, std::span<const double> match_metrics) {
  if (card.stake.empty() || card.match_metrics == nullptr) return 1;
  const auto& fields = card.match_metrics->fields;
  for (std::size_t i = 0; i < std::min(fields.size(), match_metrics.size()); ++i)
    if (fields[i].name == card.stake) return match_metrics[i];
  return std::numeric_limits<double>::quiet_NaN();
}

std::string problem_of_outcome(const GameCard& card, const Outcome& outcome) {
  const Outcome::MetricTypes& types = outcome.metric_types();
  if (!types.same_seats) return "the seats have metrics of different types";
  for (int i = 0; i < outcome.seats(); ++i) {
    const SeatOutcome& seat = outcome[i];
    const Whose whose{i};
    std::string problem = problem_of_seat(seat, whose, outcome.seats());
    if (problem.empty())
      problem =
          problem_of_metrics(card.seat_metrics, types.seat,
                             {seat.metrics.begin(), seat.metrics.end()}, whose, "seat_metrics");
    if (!problem.empty()) return problem;
  }
  const auto& match = outcome.match_metrics();
  std::string problem = problem_of_metrics(card.match_metrics, types.match,
                                           {match.begin(), match.end()}, Whose{}, "match_metrics");
  return problem.empty() ? problem_of_stake(card, outcome) : problem;
}

std::string problem_of_score_range(const GameCard& card, const Outcome& outcome) {
  for (int i = 0; i < outcome.seats(); ++i)
    if (std::string problem = problem_of_range(card, outcome[i], Whose{i}); !problem.empty())
      return problem;
  return {};
}

std::string after_stage(std::string_view stage) {
  return stage.empty() ? "" : " after a question of stage '" + std::string(stage) + "'";
}

std::string thrown_by_game(std::string_view what, std::string_view stage) {
  return "the game threw" + after_stage(stage) + ": " + std::string(what);
}

}  // namespace agon
