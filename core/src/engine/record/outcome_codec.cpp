#include "record/outcome_codec.hpp"

#include <limits>

namespace agon::record {
namespace {

using Metrics = InlineList<double, kMaxMetrics>;

/// What can be held; whether there are as many seats is looked at where the card is known.
constexpr auto kMostRank = static_cast<std::uint64_t>(std::numeric_limits<int>::max());

void put_metrics(std::string& out, const Metrics& metrics) {
  put_number(out, metrics.size());
  for (const double value : metrics) put_real(out, value);
}

bool read_metrics(Bytes& in, Metrics& metrics) {
  std::uint64_t n = 0;
  if (!in.number(n) || n > kMaxMetrics) return false;
  metrics.resize_for_overwrite(n);
  for (double& value : metrics)
    if (!in.real(value)) return false;
  return true;
}

}  // namespace

void encode(std::string& out, const Outcome& outcome) {
  put_number(out, static_cast<std::uint64_t>(outcome.seats()));
  for (int i = 0; i < outcome.seats(); ++i) {
    const SeatOutcome& seat = outcome[i];
    put_real(out, seat.score);
    put_real(out, seat.disagreement);
    put_real(out, seat.ideal);
    put_number(out, static_cast<std::uint64_t>(seat.rank));
    put_metrics(out, seat.metrics);
  }
  put_metrics(out, outcome.match_metrics());
}

bool decode(Bytes& in, Outcome& outcome) {
  std::uint64_t seats = 0;
  if (!in.number(seats) || seats > kMaxSeats) return false;
  outcome.resize(static_cast<int>(seats));
  for (int i = 0; i < outcome.seats(); ++i) {
    SeatOutcome& seat = outcome[i];
    std::uint64_t rank = 0;
    if (!in.real(seat.score) || !in.real(seat.disagreement) || !in.real(seat.ideal) ||
        !in.number(rank) || rank > kMostRank || !read_metrics(in, seat.metrics))
      return false;
    seat.rank = static_cast<int>(rank);
  }
  return read_metrics(in, outcome.match_metrics());
}

}  // namespace agon::record
