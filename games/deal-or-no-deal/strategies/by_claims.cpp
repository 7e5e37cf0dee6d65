#include "deal-or-no-deal/strategies/by_claims.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "deal-or-no-deal/splits.hpp"
#include "deal-or-no-deal/strategies/position.hpp"
#include "deal-or-no-deal/valuations.hpp"

namespace deal_or_no_deal {
namespace {

/// The most products of points that best_lie() looks at, so that it answers at once.
constexpr std::size_t kMostProducts = 5'000'000;

/// What every split is worth to each of some valuations.
class Worths {
 public:
  Worths(const std::vector<Split>& splits, const std::vector<Amounts>& values, std::size_t side) {
    for (const Amounts& v : values) {
      rows_.emplace_back();
      for (const Split& split : splits) rows_.back().push_back(worth(split.parts[side], v));
    }
  }
  [[nodiscard]] const std::vector<std::int64_t>& operator[](std::size_t i) const {
    return rows_[i];
  }

 private:
  std::vector<std::vector<std::int64_t>> rows_;
};

/// The place of the Nash bargaining split; the same whichever side comes first.
std::size_t nash_place(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < a.size(); ++i)
    if (std::pair(a[i] * b[i], a[i] + b[i]) > std::pair(a[best] * b[best], a[best] + b[best]))
      best = i;
  return best;
}

std::int64_t distance(const Amounts& a, const Amounts& b) {
  std::int64_t apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) apart += std::abs(std::int64_t{a[i]} - b[i]);
  return apart;
}

/// Evenly spread ones of `all`, `most` at most.
std::vector<Amounts> few(std::vector<Amounts> all, std::size_t most) {
  const std::size_t step = (all.size() + most - 1) / most;
  if (step <= 1) return all;
  std::vector<Amounts> kept;
  for (std::size_t i = 0; i < all.size(); i += step) kept.push_back(all[i]);
  return kept;
}

/// What is supposed of somebody who is not believed.
Amounts all_alike(const Amounts& counts) {
  return Amounts::filled(counts.size(), 1);
}

/// What both sides stated, as the view of a move has it.
struct Stands {
  std::optional<ItemCounts> own;
  std::optional<ItemCounts> other;
};

Stands stated_in(agon::Question& question) {
  if (const auto* view = question.view<OfferView>()) return {view->your_claim, view->their_claim};
  if (const auto* view = question.view<TalkView>()) return {view->your_claim, view->their_claim};
  return {};
}

}  // namespace

Amounts nash_part(const Amounts& counts, const Amounts& first, const Amounts& second) {
  const std::vector<Split> splits = all_splits(counts);
  const Worths a(splits, {first}, 0);
  const Worths b(splits, {second}, 1);
  return splits[nash_place(a[0], b[0])].parts[0];
}

Amounts best_lie(const Amounts& counts, const Amounts& own, int total_value, std::size_t side,
                 std::vector<Amounts> others_values) {
  const std::vector<Split> splits = all_splits(counts);
  const auto most = static_cast<std::size_t>(
      std::sqrt(static_cast<double>(kMostProducts) / static_cast<double>(splits.size())));
  const std::vector<Amounts> supposed =
      few(std::move(others_values), std::max<std::size_t>(most, 1));
  std::vector<Amounts> valued =
      few(valuations(counts, total_value), std::max<std::size_t>(most, 1));
  // The truth is always weighed too.
  if (std::find(valued.begin(), valued.end(), own) == valued.end()) valued.push_back(own);
  const Worths lies(splits, valued, side);
  const Worths others(splits, supposed, 1 - side);
  const Worths truth(splits, {own}, side);
  std::size_t best = 0;
  std::pair<std::int64_t, std::int64_t> best_rank;
  for (std::size_t i = 0; i < valued.size(); ++i) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < supposed.size(); ++k)
      sum += truth[0][nash_place(lies[i], others[k])];
    const std::pair rank(sum, -distance(valued[i], own));
    if (i == 0 || rank > best_rank) best = i, best_rank = rank;
  }
  return valued[best];
}

void ByClaims::state(agon::Question& question, Claim& claim) const {
  const auto* view = question.view<ClaimView>();
  if (view == nullptr || params_.states == Stated::nothing) return question.decline();
  Amounts counts;
  Amounts own;
  for (const Pile& pile : view->items) counts.push_back(pile.count), own.push_back(pile.value);
  if (params_.states == Stated::truth) {
    claim.values = StatedValues{listed(own)};
    return;
  }
  const int total =
      view->total_value > 0 ? view->total_value : static_cast<int>(worth(counts, own));
  try {
    std::vector<Amounts> others = params_.believes && view->their_claim
                                      ? std::vector<Amounts>{amounts(*view->their_claim)}
                                      : valuations(counts, total);
    claim.values = StatedValues{listed(best_lie(
        counts, own, total, static_cast<std::size_t>(question.seat()), std::move(others)))};
  } catch (const agon::Error&) {
    // There are more values to choose from than can be weighed.
    claim.values = StatedValues{listed(own)};
  }
}

void ByClaims::answer(agon::Question& question) const {
  const auto seat = static_cast<std::size_t>(question.seat());
  if (auto* claim = question.answer<Claim>()) return state(question, *claim);
  const auto position = position_of(question);
  if (!position || question.is_probe()) return question.decline();
  const Stands stated = stated_in(question);
  const Amounts own = stated.own ? amounts(*stated.own) : position->values;
  const Amounts other =
      params_.believes && stated.other ? amounts(*stated.other) : all_alike(position->counts);
  const Amounts first =
      seat == 0 ? nash_part(position->counts, own, other) : nash_part(position->counts, other, own);
  const Amounts propose = seat == 0 ? first : minus(position->counts, first);
  const auto points = [&](const Amounts& part) { return worth(part, position->values); };
  const bool accept =
      position->offered && (points(*position->offered) >= points(propose) ||
                            (position->is_last() && points(*position->offered) > 0));
  // Once talks are over, what the other side left is better than takes that do not fit.
  const Amounts last_take =
      position->offered && points(*position->offered) > 0 ? *position->offered : propose;
  play_proposal(question, *position, accept, propose, last_take);
}

agon::AgentCard ByClaims::card() {
  agon::AgentCard card;
  card.id = "by-claims";
  card.game = "deal-or-no-deal";
  card.doc =
      "Proposes the Nash bargaining split of the values that both sides stated, and accepts what "
      "is "
      "worth no less to it than that; at the last chance, anything. It states the truth, the lie "
      "that would serve it best, or nothing, and believes the other side or not.";
  card.source = "Nash 1950; misreporting: Sobel 1981";
  return agon::agent<ByClaims>(card);
}

}  // namespace deal_or_no_deal
