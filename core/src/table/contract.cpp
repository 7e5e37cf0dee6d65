#include "table/contract.hpp"

#include <algorithm>
#include <cmath>

#include "describe/value_text.hpp"

namespace agon {
namespace {

std::string seat_text(int seat) {
  return "seat " + std::to_string(seat);
}

std::string figure(double value) {
  return std::isnan(value) ? "NaN" : number_text(value);
}

std::string name_of(const Type* type) {
  return type == nullptr ? "nothing" : "'" + std::string(type->name) + "'";
}

/// NaN of a metric is "not defined in this match". A text is made only where there is a problem:
/// this is looked at in every match.
std::string problem_of_metric(const Field& field, double value, const std::string& whose) {
  // Sums of doubles may end a little beside a bound that they cannot pass.
  const auto slack = [](double bound) { return 1e-9 * std::max(1.0, std::abs(bound)); };
  const bool is_below = value < field.min - slack(field.min);
  const bool is_above = value > field.max + slack(field.max);
  if (std::isnan(value) || (!std::isinf(value) && !is_below && !is_above)) return {};
  const std::string what =
      "the metric '" + std::string(field.name) + "' of " + whose + " is " + number_text(value);
  if (std::isinf(value)) return what + "; NaN or an empty optional says that it is not defined";
  if (is_below) return what + ", below the " + number_text(field.min) + " of its description";
  return what + ", above the " + number_text(field.max) + " of its description";
}

std::string problem_of_metrics(const Type* declared, const Type* given,
                               std::span<const double> values, const std::string& whose,
                               std::string_view member) {
  if (declared == nullptr)
    return values.empty()
               ? ""
               : "the outcome has metrics of " + whose + ", the card declares none: set ." +
                     std::string(member) + " = &agon::type_of<...>()";
  if (values.empty())
    return "the outcome has no metrics of " + whose + ", the card declares " + name_of(declared);
  if ((given != nullptr && given != declared) || values.size() != declared->fields.size())
    return "the metrics of " + whose + " are " + name_of(given) + ", the card declares " +
           name_of(declared);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::string problem = problem_of_metric(declared->fields[i], values[i], whose);
        !problem.empty())
      return problem;
  return {};
}

std::string problem_of_seat(const SeatOutcome& seat, const std::string& whose, int seats) {
  if (!std::isfinite(seat.score)) return "the score of " + whose + " is " + figure(seat.score);
  if (seat.rank < 1 || seat.rank > seats)
    return "the rank of " + whose + " is " + std::to_string(seat.rank) + "; give all ranks, 1 to " +
           std::to_string(seats) + ", or none";
  if (std::isnan(seat.zero) && std::isnan(seat.one)) return {};
  const bool is_finite = std::isfinite(seat.zero) && std::isfinite(seat.one);
  if (is_finite && seat.one >= seat.zero) return {};
  const std::string anchors =
      "zero of " + whose + " is " + figure(seat.zero) + ", one is " + figure(seat.one);
  if (!is_finite) return anchors + "; both are finite, or both NaN where there is nothing to share";
  return anchors + "; one is the best that the seat can get and so not below zero";
}

/// In products, so that it holds for sums over seats too, and where one is not above zero.
std::string problem_of_range(const GameCard& card, const SeatOutcome& seat,
                             const std::string& whose) {
  const Range range = card.score_range;
  const double gain = seat.score - seat.zero;
  const double pie = seat.one - seat.zero;
  if (std::isnan(pie)) return {};
  const double slack = 1e-9 * std::max({1.0, std::abs(seat.score), std::abs(seat.zero)});
  const bool is_below = std::isfinite(range.min) && gain < range.min * pie - slack;
  const bool is_above = std::isfinite(range.max) && gain > range.max * pie + slack;
  if (!is_below && !is_above) return {};
  return "the score of " + whose + " is " + figure(seat.score) + " with zero " + figure(seat.zero) +
         " and one " + figure(seat.one) + ", so that the normalised score is " +
         (is_below ? "below the " + number_text(range.min)
                   : "above the " + number_text(range.max)) +
         " of the card's score_range";
}

}  // namespace

std::string problem_of_outcome(const GameCard& card, const Outcome& outcome) {
  const Outcome::MetricTypes& types = outcome.metric_types();
  if (!types.same_seats) return "the seats have metrics of different types";
  for (int i = 0; i < outcome.seats(); ++i) {
    const SeatOutcome& seat = outcome[i];
    const std::string whose = seat_text(i);
    std::string problem = problem_of_seat(seat, whose, outcome.seats());
    if (problem.empty()) problem = problem_of_range(card, seat, whose);
    if (problem.empty())
      problem =
          problem_of_metrics(card.seat_metrics, types.seat,
                             {seat.metrics.begin(), seat.metrics.end()}, whose, "seat_metrics");
    if (!problem.empty()) return problem;
  }
  const auto& match = outcome.match_metrics();
  return problem_of_metrics(card.match_metrics, types.match, {match.begin(), match.end()},
                            "the match", "match_metrics");
}

std::string StageContract::problem(std::string_view stage, const Type* answer, const Type* view,
                                   bool probe) {
  if (card_.stages.empty()) return {};
  for (const Known& k : known_)
    if (k.stage == stage.data() && k.size == stage.size() && k.answer == answer && k.view == view &&
        k.probe == probe)
      return {};
  const auto found = std::find_if(card_.stages.begin(), card_.stages.end(),
                                  [&](const StageCard& s) { return s.name == stage; });
  if (found == card_.stages.end()) {
    std::string names;
    for (const StageCard& s : card_.stages)
      names += (names.empty() ? "'" : ", '") + std::string(s.name) + "'";
    return "there is no such stage on it, only " + names + ": add it to .stages";
  }
  if (found->answer != answer)
    return "the game asks for " + name_of(answer) + ", its card says " + name_of(found->answer);
  if (found->probe != probe)
    return probe ? "the game probes, its card says that it asks: set .probe = true, or ask()"
                 : "the game asks, its card says that it probes: leave .probe out, or probe()";
  if (view != nullptr && found->view != view)
    return "the seat sees " + name_of(view) + ", the game's card says " + name_of(found->view) +
           ": set .view = &agon::type_of<...>()";
  known_.push_back({stage.data(), stage.size(), answer, view, probe});
  return {};
}

}  // namespace agon
