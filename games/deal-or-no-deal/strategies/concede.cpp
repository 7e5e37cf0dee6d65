#include "deal-or-no-deal/strategies/concede.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <tuple>

#include "deal-or-no-deal/splits.hpp"

namespace deal_or_no_deal {
namespace {

/// Shares such as 0.7 of 10 are not exact in binary: whole points are compared with this margin.
constexpr double margin = 1e-9;

bool reaches(std::int64_t points, double aspiration) {
  return static_cast<double>(points) + margin >= aspiration;
}

}  // namespace

Amounts most_generous(const Amounts& counts, const Amounts& values, double aspiration) {
  std::optional<Amounts> best;
  auto rank = [&](const Amounts& part) { return std::pair(total(part), -worth(part, values)); };
  for (const Split& split : all_splits(counts)) {
    const Amounts& part = split.parts[0];
    if (!reaches(worth(part, values), aspiration)) continue;
    if (!best || rank(part) < rank(*best)) best = part;
  }
  return best.value_or(counts);
}

Concede::Concede(const Params& params) : params_(params) {
  if (params.reserve > params.start) {
    throw agon::Error(
        agon::ErrorKind::invalid,
        fmt::format("the reserve {} is above the start {}", params.reserve, params.start),
        "reserve", "use a reserve of at most the start");
  }
}

double Concede::aspiration(const Position& position) const {
  const double steps = position.decisions > 1 ? position.decisions - 1 : 1;
  const double done = position.decisions > 1 ? position.decision / steps : 1;
  return (params_.start + (params_.reserve - params_.start) * done) *
         static_cast<double>(position.maximum());
}

void Concede::answer(agon::Question& question) const {
  const auto position = position_of(question);
  if (!position || question.is_probe()) return question.decline();
  const double wanted = aspiration(*position);
  const Amounts propose = most_generous(position->counts, position->values, wanted);
  const bool accept =
      position->offered && reaches(worth(*position->offered, position->values), wanted);
  // Once talks are over, what the other side left is taken if it is not below the reserve.
  const double least = params_.reserve * static_cast<double>(position->maximum());
  const bool settles =
      position->offered && reaches(worth(*position->offered, position->values), least);
  const Amounts last_take = settles ? *position->offered : position->own_latest.value_or(propose);
  play_proposal(question, *position, accept, propose, last_take);
}

agon::AgentCard Concede::card() {
  agon::AgentCard card;
  card.id = "concede";
  card.game = "deal-or-no-deal";
  card.doc =
      "Aspires to everything at first and concedes in equal steps down to its reserve at the last "
      "decision. Proposes what reaches its aspiration and leaves the other side most items, those "
      "it values least first; accepts what reaches its aspiration.";
  card.source = "time-dependent tactics: Faratin, Sierra, Jennings 1998, section 4.1";
  return agon::agent<Concede>(card);
}

}  // namespace deal_or_no_deal
