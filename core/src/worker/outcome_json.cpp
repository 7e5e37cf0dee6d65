#include "outcome_json.hpp"

#include <agon/conversion.hpp>
#include <agon/json_writer.hpp>
#include <cmath>

#include "describe/value.hpp"

namespace agon::worker {
namespace {

/// A metric as JSON of its type; null if it is not defined in this match.
std::string metric_json(const Type& type, double value) {
  if (std::isnan(value)) return "null";
  if (type.kind == Kind::optional) return metric_json(*type.element, value);
  Value metric(type);
  if (type.kind == Kind::number)
    *static_cast<double*>(metric.get()) = value;
  else
    type.set(metric.get(), static_cast<std::int64_t>(value));
  return write_json(type, metric.get());
}

std::string metrics_json(const Type& type, const InlineList<double, kMaxMetrics>& metrics) {
  JsonWriter out;
  out.open_object();
  for (std::size_t i = 0; i < type.fields.size() && i < metrics.size(); ++i)
    out.name(type.fields[i].name).json(metric_json(*type.fields[i].type, metrics[i]));
  return out.close_object().take();
}

}  // namespace

std::string outcome_json(const GameCard& card, const Outcome& outcome) {
  JsonWriter out;
  out.open_object().name("type").text("outcome").name("seats").open_list();
  for (int i = 0; i < outcome.seats(); ++i) {
    const SeatOutcome& seat = outcome[i];
    out.open_object().name("score").number(seat.score);
    if (!std::isnan(seat.disagreement)) out.name("disagreement").number(seat.disagreement);
    if (!std::isnan(seat.ideal)) out.name("ideal").number(seat.ideal);
    if (seat.rank != 0) out.name("rank").number(seat.rank);
    if (card.seat_metrics != nullptr && !seat.metrics.empty())
      out.name("metrics").json(metrics_json(*card.seat_metrics, seat.metrics));
    out.close_object();
  }
  out.close_list();
  if (card.match_metrics != nullptr && !outcome.match_metrics().empty())
    out.name("metrics").json(metrics_json(*card.match_metrics, outcome.match_metrics()));
  return out.close_object().take();
}

}  // namespace agon::worker
