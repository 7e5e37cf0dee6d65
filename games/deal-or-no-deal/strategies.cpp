#include "deal-or-no-deal/strategies.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/valuations.hpp"

namespace deal_or_no_deal {
namespace {

void take_piles(const Piles& piles, int total_value, Position& position) {
  for (const Pile& pile : piles) {
    position.counts.push_back(pile.count);
    position.values.push_back(pile.value);
  }
  position.total_value = total_value > 0 ? total_value : static_cast<int>(position.maximum());
}

/// Walks through the history. An own proposal is rejected once the other side has spoken after it
/// and has not proposed the same split.
class History {
 public:
  explicit History(Position& position) : position_(position) {}

  void own(const ItemCounts& take) {
    position_.own_latest = amounts(take);
    waiting_ = position_.own_latest;
  }
  void other(const ItemCounts* take) {
    if (take != nullptr) position_.offered = minus(position_.counts, amounts(*take));
    if (waiting_ && (take == nullptr || position_.offered != waiting_)) {
      position_.rejected.push_back(*waiting_);
      if (take != nullptr)
        position_.refusals.emplace_back(minus(position_.counts, *waiting_), amounts(*take));
    }
    waiting_.reset();
  }
  void take(std::span<const OfferMade> offers) {
    for (const OfferMade& offer : offers) {
      if (offer.seat == position_.seat)
        own(offer.keep);
      else
        other(&offer.keep);
    }
  }
  void take(std::span<const MessageSent> messages) {
    for (const MessageSent& message : messages) {
      const ItemCounts* proposed = message.proposal ? &message.proposal->take : nullptr;
      if (message.seat != position_.seat)
        other(proposed);
      else if (proposed != nullptr)
        own(*proposed);
    }
  }

 private:
  Position& position_;
  std::optional<Amounts> waiting_;
};

}  // namespace

std::optional<Position> position_of(agon::Question& question) {
  Position position;
  position.seat = question.seat();
  if (const auto* view = question.view<OfferView>()) {
    take_piles(view->items, view->total_value, position);
    History(position).take(view->offers);
    // The offer that ends the game is no chance to agree for anybody, but it is a decision.
    const int turns = view->turn - 1 + view->offers_left;
    position.decision = (view->turn - 1) / 2;
    position.decisions = (turns + 1 - position.seat) / 2;
    return position;
  }
  if (const auto* view = question.view<TalkView>()) {
    take_piles(view->items, view->total_value, position);
    History(position).take(view->messages);
    position.decision = view->round - 1;
    position.decisions = view->round + view->rounds_left - (view->rounds_left > 0 ? 1 : 0);
    return position;
  }
  if (const auto* view = question.view<BeliefView>()) {
    take_piles(view->items, view->total_value, position);
    History history(position);
    history.take(view->offers);
    history.take(view->messages);
    return position;
  }
  return std::nullopt;
}

void play_proposal(agon::Question& question, const Position& position, bool accept,
                   const Amounts& propose, const Amounts& last_take) {
  const auto act = [&](auto& move) {
    if (accept)
      move.action = Agree{};
    else
      move.action = Offer{listed(propose)};
  };
  if (auto* move = question.answer<Move>()) {
    act(*move);
  } else if (auto* spoken = question.answer<SpokenMove>()) {
    act(*spoken);
  } else if (auto* message = question.answer<Message>()) {
    message->proposal = Proposal{listed(accept ? *position.offered : propose)};
    message->halt = accept;
  } else if (auto* decision = question.answer<Decision>()) {
    decision->choice = Take{listed(last_take)};
  } else {
    question.decline();
  }
}

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

namespace {

void report(agon::Question& question, const Belief& belief) {
  auto* answer = question.answer<BeliefReport>();
  if (answer == nullptr) return question.decline();
  const auto probabilities = belief.probabilities();
  answer->candidates.clear();
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] > 0) {
      answer->candidates.push_back({listed(belief.candidates()[i]), probabilities[i]});
    }
  }
  if (answer->candidates.empty()) question.decline();
}

}  // namespace

namespace {

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

/// Whether somebody with these values may have refused what this side has seen it refuse.
bool fits(const Position& position, const Amounts& values) {
  return std::none_of(position.refusals.begin(), position.refusals.end(), [&](const auto& refusal) {
    const auto& [left, asked] = refusal;
    return worth(left, values) >= worth(asked, values) ||
           envies(values, asked, minus(position.counts, asked));
  });
}

/// What the strategy of Algorithm 1 does at a position, by the values that the position has.
struct EnvyFreePlay {
  Amounts propose;
  bool accept = false;
  Amounts last_take;
};

EnvyFreePlay envy_free_play(const Position& position, const Belief& belief, Accepts accepts,
                            bool yield) {
  // The likelihood of a rejection in Algorithm 1 says who accepts: somebody who does not envy and
  // for whom no split that may be envy-free is strictly better. This side accepts by the same rule.
  const auto best = belief.proposal();
  const auto seat = static_cast<std::size_t>(position.seat);
  EnvyFreePlay play;
  play.propose = best ? best->parts[seat] : position.counts;
  bool no_envy = false;
  if (position.offered) {
    const auto& offered = *position.offered;
    no_envy = !envies(position.values, offered, minus(position.counts, offered));
    const bool good_enough =
        !best || worth(offered, position.values) >= worth(play.propose, position.values);
    play.accept =
        no_envy && (good_enough || accepts == Accepts::any || (yield && position.is_last()));
  }
  // With talks over, an offer without envy is better than takes that do not fit.
  const bool settles = no_envy && (yield || position.offered == position.own_latest);
  play.last_take = settles ? *position.offered : position.own_latest.value_or(play.propose);
  return play;
}

}  // namespace

void EnvyFreeBayes::answer(agon::Question& question) const {
  if (auto* claim = question.answer<Claim>(); claim != nullptr && params_.tells.value_or(false)) {
    ItemCounts own;
    for (const Pile& pile : question.view<ClaimView>()->items) own.push_back(pile.value);
    claim->values = StatedValues{own};
    return;
  }
  const auto position = position_of(question);
  if (!position) return question.decline();
  Belief belief(position->counts, position->values, static_cast<std::size_t>(position->seat),
                {params_.lambda, params_.gamma, position->total_value});
  for (const Amounts& part : position->rejected) belief.reject(part);
  if (const Stands stated = stated_in(question); params_.hears && stated.other) {
    const Amounts claim = amounts(*stated.other);
    if (*params_.hears == Hears::trusts || fits(*position, claim)) belief.believe(claim);
  }
  if (question.is_probe()) return report(question, belief);
  const EnvyFreePlay play = envy_free_play(*position, belief, params_.accept, params_.yield);
  play_proposal(question, *position, play.accept, play.propose, play.last_take);
}

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

}  // namespace

Amounts nash_part(const Amounts& counts, const Amounts& first, const Amounts& second) {
  const std::vector<Split> splits = all_splits(counts);
  const Worths a(splits, {first}, 0);
  const Worths b(splits, {second}, 1);
  return splits[nash_place(a[0], b[0])].parts[0];
}

namespace {

/// What somebody may say of its values, and for which values of the other side that is weighed.
struct LiesToWeigh {
  std::vector<Split> splits;
  std::vector<Amounts> supposed;  ///< of the other side
  std::vector<Amounts> valued;    ///< to be said; the truth is always among them
};

LiesToWeigh lies_to_weigh(const Amounts& counts, const Amounts& own, int total_value,
                          std::vector<Amounts> others_values) {
  LiesToWeigh lies{all_splits(counts), {}, {}};
  const auto root = static_cast<std::size_t>(
      std::sqrt(static_cast<double>(kMostProducts) / static_cast<double>(lies.splits.size())));
  const std::size_t most = std::max<std::size_t>(root, 1);
  lies.supposed = few(std::move(others_values), most);
  lies.valued = few(valuations(counts, total_value), most);
  if (std::find(lies.valued.begin(), lies.valued.end(), own) == lies.valued.end())
    lies.valued.push_back(own);
  return lies;
}

}  // namespace

Amounts best_lie(const Amounts& counts, const Amounts& own, int total_value, std::size_t side,
                 std::vector<Amounts> others_values) {
  const auto [splits, supposed, valued] =
      lies_to_weigh(counts, own, total_value, std::move(others_values));
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

Amounts best_pretence(const Amounts& counts, const Amounts& own, int total_value, std::size_t side,
                      std::vector<Amounts> others_values) {
  const auto [splits, supposed, valued] =
      lies_to_weigh(counts, own, total_value, std::move(others_values));
  const auto mine = [&](const Split& split) -> const Amounts& { return split.parts[side]; };
  const auto theirs = [&](const Split& split) -> const Amounts& { return split.parts[1 - side]; };
  std::optional<Amounts> best;
  std::pair<std::int64_t, std::int64_t> best_rank;
  for (const Amounts& lie : valued) {
    std::int64_t sum = 0;
    for (const Amounts& other : supposed) {
      // What it would propose: as Belief::proposal() with one candidate.
      const Split* proposed = nullptr;
      for (const Split& split : splits) {
        if (envies(other, theirs(split), mine(split)) || envies(lie, mine(split), theirs(split)))
          continue;
        if (proposed == nullptr || worth(theirs(split), other) > worth(theirs(*proposed), other))
          proposed = &split;
      }
      if (proposed != nullptr) sum += worth(mine(*proposed), own);
    }
    const std::pair rank(sum, -distance(lie, own));
    if (!best || rank > best_rank) best = lie, best_rank = rank;
  }
  return *best;
}

Amounts Mislead::pretence(const Amounts& counts, const Amounts& own, int total_value,
                          std::size_t seat, const std::optional<ItemCounts>& their_claim) {
  try {
    const int total = total_value > 0 ? total_value : static_cast<int>(worth(counts, own));
    return best_pretence(
        counts, own, total, seat,
        their_claim ? std::vector<Amounts>{amounts(*their_claim)} : valuations(counts, total));
  } catch (const agon::Error&) {
    return own;  // there are more values to choose from than can be weighed
  }
}

void Mislead::state(agon::Question& question, Claim& claim) const {
  const auto* view = question.view<ClaimView>();
  if (view == nullptr || params_.states == Stated::nothing) return question.decline();
  Amounts counts;
  Amounts own;
  for (const Pile& pile : view->items) counts.push_back(pile.count), own.push_back(pile.value);
  if (params_.states == Stated::lie)
    own = pretence(counts, own, view->total_value, static_cast<std::size_t>(question.seat()),
                   view->their_claim);
  claim.values = StatedValues{listed(own)};
}

void Mislead::answer(agon::Question& question) const {
  if (auto* claim = question.answer<Claim>()) return state(question, *claim);
  const auto position = position_of(question);
  if (!position || question.is_probe()) return question.decline();
  const auto seat = static_cast<std::size_t>(question.seat());
  // What it has stated it goes by; without a statement it pretends the same at every question.
  const Stands stated = stated_in(question);
  Position as_if = *position;
  if (params_.pretends && params_.states == Stated::lie && stated.own)
    as_if.values = amounts(*stated.own);
  else if (params_.pretends)
    as_if.values =
        pretence(position->counts, position->values, position->total_value, seat, std::nullopt);
  Belief belief(as_if.counts, as_if.values, seat, {1, 1, as_if.total_value});
  for (const Amounts& part : as_if.rejected) belief.reject(part);
  EnvyFreePlay play = envy_free_play(as_if, belief, Accepts::best, true);
  if (position->offered) {
    // What is really worth as much, or is the last chance, is taken whatever it pretends.
    const auto offered = worth(*position->offered, position->values);
    const bool as_good = offered >= worth(play.propose, position->values);
    play.accept = offered > 0 && (play.accept || as_good || position->is_last());
    if (offered > 0) play.last_take = *position->offered;
  }
  play_proposal(question, *position, play.accept, play.propose, play.last_take);
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

}  // namespace deal_or_no_deal
