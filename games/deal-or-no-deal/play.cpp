#include "deal-or-no-deal/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <concepts>
#include <cstdlib>
#include <map>

#include "deal-or-no-deal/messages.hpp"
#include "deal-or-no-deal/rules.hpp"
#include "deal-or-no-deal/valuations.hpp"

namespace deal_or_no_deal {

std::string problem_of(const BeliefReport& report, const Amounts& counts, int total_value) {
  std::map<Amounts, std::size_t> seen;
  bool any_possible = false;
  for (std::size_t i = 0; i < report.candidates.size(); ++i) {
    const Candidate& candidate = report.candidates[i];
    if (candidate.values.size() != counts.size()) {
      return fmt::format("candidate {} has {} values for {} item types", i + 1,
                         candidate.values.size(), counts.size());
    }
    const auto everything = worth(candidate.values, counts);
    if (everything != total_value) {
      return fmt::format("by candidate {} everything is worth {} instead of {}", i + 1, everything,
                         total_value);
    }
    const auto [place, is_new] = seen.try_emplace(amounts(candidate.values), i + 1);
    if (!is_new) return fmt::format("candidate {} repeats candidate {}", i + 1, place->second);
    any_possible = any_possible || candidate.probability > 0;
  }
  return any_possible ? "" : "no candidate has a probability above 0";
}

BeliefJudged judge_belief(const BeliefReport& report, const Amounts& counts, const Amounts& own,
                          const Amounts& truth, int total_value) {
  std::vector<Amounts> estimate;
  for (const Candidate& candidate : report.candidates) {
    if (candidate.probability > 0) estimate.push_back(amounts(candidate.values));
  }
  const auto prior = valuations(counts, total_value);
  const auto alike = indistinguishable(counts, own, truth, prior);
  const EstimateQuality plain = judge_estimate(estimate, {&truth, 1}, prior.size());
  const EstimateQuality lenient = judge_estimate(estimate, alike, prior.size());
  BeliefJudged judged;
  judged.size = static_cast<int>(estimate.size());
  judged.prior = static_cast<int>(prior.size());
  judged.hits_alike = static_cast<int>(
      std::count_if(estimate.begin(), estimate.end(), [&](const Amounts& candidate) {
        return std::find(alike.begin(), alike.end(), candidate) != alike.end();
      }));
  judged.precision = plain.precision;
  judged.recall = plain.recall;
  judged.reduction = plain.reduction;
  judged.precision_alike = lenient.precision;
  judged.recall_alike = lenient.recall;
  return judged;
}

std::optional<double> BeliefBook::held(int seat, const ItemCounts& values) const {
  if (reports(seat) == 0) return std::nullopt;
  double all = 0, these = 0;
  for (const Candidate& c : last_reports_[static_cast<std::size_t>(seat)].candidates) {
    all += c.probability;
    if (amounts(c.values) == amounts(values)) these += c.probability;
  }
  return these / all;
}

void BeliefBook::enter(Table table, int round, int seat, const BeliefReport& report) {
  const auto own = static_cast<std::size_t>(swapped_ ? 1 - seat : seat);
  BeliefJudged judged =
      judge_belief(report, game_.counts, game_.values[own], game_.values[1 - own], total_value_);
  judged.round = round;
  judged.seat = seat;
  table.note(kBeliefJudged, judged);
  ++reports_[static_cast<std::size_t>(seat)];
  last_[static_cast<std::size_t>(seat)] = judged;
  last_reports_[static_cast<std::size_t>(seat)] = report;
}

namespace {

bool has_swapped_sides(Table table, SwapSides swap) {
  return swap == SwapSides::drawn ? table.chance("sides").below(2) == 1 : swap == SwapSides::on;
}

void introduce(Table table, const Match& match, std::string_view id,
               std::string_view human_ending) {
  table.note(kInstance, [&] {
    return InstanceDealt{match.position,
                         id,
                         match.swapped,
                         listed(match.game.counts),
                         {listed(match.values(0)), listed(match.values(1))},
                         human_ending};
  });
  for (const int seat : {0, 1}) {
    table.tell(seat, kPrivate, [&match, seat] {
      return PrivateValues{match.piles(seat), match.game.maximum[match.side(seat)]};
    });
  }
}

agon::Outcome play_over(Table table, const Match& match) {
  return match.settings.protocol == Protocol::alternating_offers ? play_offers(table, match)
                                                                 : play_talks(table, match);
}

agon::Outcome play_listed(Table table, const Settings& settings, const Prepared& prepared) {
  const auto listed = static_cast<std::int64_t>(prepared.cases.size());
  const int position = settings.instance
                           ? *settings.instance
                           : static_cast<int>(table.deal("instance", listed, settings.order));
  const auto place = static_cast<std::size_t>(position);
  const bool swapped = has_swapped_sides(table, settings.swap_sides);
  const Match match{settings, prepared, prepared.cases[place], swapped, position};
  const ListedInstance& entry = settings.instances[place];
  introduce(table, match, entry.id,
            entry.human ? std::string_view(entry.human->ending) : std::string_view());
  return play_over(table, match);
}

agon::Outcome play_made(Table table, const Settings& settings, const Prepared& prepared) {
  // One recorded draw keys the whole instance: made by rejection, it takes thousands of numbers.
  const auto key =
      static_cast<std::uint64_t>(table.chance("instance").below(std::int64_t{1} << 53));
  const bool swapped = has_swapped_sides(table, settings.swap_sides);
  const Case game =
      make_case(make_instance(settings, key), settings.beliefs ? settings.total_value : 0);
  const Match match{settings, prepared, game, swapped, std::nullopt};
  introduce(table, match, "made from chance", {});
  return play_over(table, match);
}

std::optional<double> ratio(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::int64_t distance(const Scores& a, const Scores& b) {
  const auto apart = [](std::int64_t x, std::int64_t y) { return x < y ? y - x : x - y; };
  return apart(a[0], b[0]) + apart(a[1], b[1]);
}

/// How far the stated values of one item of each type are from the true ones, all types together.
std::int64_t misstatement(const ItemCounts& stated, const Amounts& truth) {
  std::int64_t apart = 0;
  for (std::size_t i = 0; i < stated.size(); ++i)
    apart += std::abs(std::int64_t{stated[i]} - truth[i]);
  return apart;
}

void add_seat_metrics(agon::Outcome& outcome, const Match& match, const Finish& finish,
                      const Judgement& judged, const BeliefBook& beliefs, int seat) {
  const auto s = static_cast<std::size_t>(seat);
  const std::size_t side = match.side(seat);
  SeatMetrics m;
  m.value = judged.values[s];
  m.maximum = match.game.maximum[side];
  m.surplus_share = ratio(m.value, judged.values[0] + judged.values[1]);
  if (finish.deal) {
    m.envies = judged.envies[s];
    for (const int n : (*finish.deal)[s]) m.items += n;
  }
  if (match.game.fair_exists) m.fair_value = match.game.fair[side];
  m.nash_value = match.game.nash[side];
  m.proposals = finish.proposals[s];
  m.claimed = finish.claims[s].has_value();
  if (finish.claims[s]) {
    m.misstatement = misstatement(*finish.claims[s], match.values(seat));
    m.misstated = *m.misstatement > 0;
  }
  m.belief_reports = beliefs.reports(seat);
  // By itself, because then the compiler knows that nothing about beliefs is there.
  if (m.belief_reports == 0) {
    outcome.seat_metrics(seat, m);
    return;
  }
  if (finish.claims[1 - s]) m.belief_in_claim = beliefs.held(seat, *finish.claims[1 - s]);
  const BeliefJudged& last = beliefs.last(seat);
  m.belief_size = last.size;
  m.belief_prior = last.prior;
  m.belief_hits_alike = last.hits_alike;
  m.belief_precision = last.precision;
  m.belief_recall = last.recall;
  m.belief_reduction = last.reduction;
  m.belief_precision_alike = last.precision_alike;
  m.belief_recall_alike = last.recall_alike;
  outcome.seat_metrics(seat, m);
}

MatchMetrics match_metrics(const Match& match, const Finish& finish, const Judgement& judged) {
  const Case& game = match.game;
  const auto by_seat = [&](const Scores& by_side) {
    return match.swapped ? Scores{by_side[1], by_side[0]} : by_side;
  };
  MatchMetrics m;
  m.instance = match.position;
  m.agreement = finish.deal.has_value();
  m.turns = finish.turns;
  m.rounds = (finish.turns + 1) / 2;
  m.out_of_time = finish.out_of_time;
  m.broken_down = finish.broken_down;
  m.misfit = finish.misfit;
  m.walked_away = finish.walked_away;
  m.joint_value = judged.values[0] + judged.values[1];
  m.best_joint = game.best_joint;
  m.joint_share = ratio(m.joint_value, m.best_joint);
  m.fair_possible = game.fair_exists;
  if (game.fair_exists) m.fair_distance = distance(judged.values, by_seat(game.fair));
  m.nash_distance = distance(judged.values, by_seat(game.nash));
  m.nash_product_share = ratio(judged.values[0] * judged.values[1], game.nash[0] * game.nash[1]);
  if (finish.deal) {
    m.envy_free = judged.envy_free;
    m.pareto_optimal = judged.pareto_optimal;
    m.fair = judged.envy_free && judged.pareto_optimal;
    m.left_over = judged.left_over;
  }
  m.value_distance = game.value_distance;
  m.factor = finish.factor;
  return m;
}

}  // namespace

Piles Match::piles(int seat) const {
  Piles result;
  const Amounts& own = values(seat);
  for (std::size_t i = 0; i < game.counts.size(); ++i) {
    result.push_back({prepared.names[i], game.counts[i], own[i]});
  }
  return result;
}

Claims hear_claims(Table table, const Match& match) {
  Claims claims;
  const ClaimOrder order = match.settings.claims;
  if (order == ClaimOrder::none) return claims;
  const int total = match.settings.total_value;
  Amounts caps;
  for (const int count : match.game.counts) caps.push_back(total > 0 ? total / count : kMaxValue);
  const auto asking = [&](int seat) {
    return agon::asking<Claim>(agon::view([&match, &claims, seat] {
                                 return ClaimView{match.piles(seat), match.settings.total_value,
                                                  claims[static_cast<std::size_t>(1 - seat)]};
                               }),
                               agon::limit_each(&Claim::values, &StatedValues::each,
                                                std::span<const int>(caps.begin(), caps.size())),
                               agon::fallback(Claim{}));
  };
  const auto hear = [&](int seat, const Claim& claim) {
    auto& heard = claims[static_cast<std::size_t>(seat)];
    if (claim.values) heard = claim.values->each;
    table.announce(kClaimed, Claimed{seat, heard});
  };
  constexpr std::array<int, 2> both{0, 1};
  if (order == ClaimOrder::at_once) {
    const auto answers = table.ask_all(both, kClaim, asking);
    for (const int seat : both) hear(seat, answers[static_cast<std::size_t>(seat)]);
  } else {
    for (const int seat : both) {
      auto asked = asking(seat);
      hear(seat, table.ask_as(seat, kClaim, asked));
    }
  }
  return claims;
}

agon::Outcome settle(const Match& match, const Finish& finish, const BeliefBook& beliefs) {
  const Judgement judged =
      finish.deal ? judge(match.game, match.swapped, *finish.deal) : Judgement{};
  agon::Outcome outcome(2);
  for (const int seat : {0, 1}) {
    const auto value = static_cast<double>(judged.values[static_cast<std::size_t>(seat)]);
    outcome.seat(seat, {.score = value * finish.factor,
                        .disagreement = 0,
                        .ideal = static_cast<double>(match.game.maximum[match.side(seat)])});
    add_seat_metrics(outcome, match, finish, judged, beliefs, seat);
  }
  outcome.match_metrics(match_metrics(match, finish, judged));
  return outcome;
}

agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared) {
  return prepared.cases.empty() ? play_made(table, settings, prepared)
                                : play_listed(table, settings, prepared);
}

}  // namespace deal_or_no_deal

// Alternating offers with binding offers (OpenSpiel's game "bargaining").

namespace deal_or_no_deal {
namespace {

using Offers = boost::container::static_vector<OfferMade, kMaxTurnsAllowed>;
using Texts = boost::container::static_vector<std::string, kMaxTurnsAllowed>;

/// What is asked at one point of the talks: the two forms of the question share all but a few
/// limits.
template <class M>
constexpr const auto& stage() {
  if constexpr (std::same_as<M, SpokenMove>)
    return kSpokenMove;
  else
    return kMove;
}

class Exchange {
 public:
  explicit Exchange(const Match& match)
      : match_(match),
        beliefs_(match.game, match.swapped, match.settings.total_value),
        everything_{Offer{listed(match.game.counts)}} {}

  template <class M>
  agon::Outcome play(Table table) {
    finish_.claims = hear_claims(table, match_);
    const std::span<const int> counts(match_.game.counts.begin(), match_.game.counts.size());
    const auto view = agon::view([this] { return offer_view(); });
    const auto keep = agon::limit_each(&M::action, &Offer::keep, counts);
    // Who gives no legal answer holds on to everything: no deal by this move, and none refused.
    const auto fallback = agon::fallback(fallback_move<M>());
    if constexpr (std::same_as<M, SpokenMove>) {
      const auto words = agon::limit_length(&M::text, 0, match_.settings.message_bytes);
      auto opening =
          agon::asking<M>(view, keep, agon::allow_if(&M::action, {true, false}), words, fallback);
      auto later =
          agon::asking<M>(view, keep, agon::allow_if(&M::action, {true, true}), words, fallback);
      talk<M>(table, opening, later);
    } else {
      auto opening =
          agon::asking<M>(view, keep, agon::allow_if(&M::action, {true, false}), fallback);
      auto later = agon::asking<M>(view, keep, agon::allow_if(&M::action, {true, true}), fallback);
      talk<M>(table, opening, later);
    }
    return settle(match_, finish_, beliefs_);
  }

 private:
  template <class M>
  M fallback_move() const {
    if constexpr (std::same_as<M, SpokenMove>)
      return {{}, everything_};
    else
      return {everything_};
  }

  template <class M, class Asking>
  void talk(Table table, Asking& opening, Asking& later) {
    const Settings& settings = match_.settings;
    while (true) {
      seat_ = finish_.turns % 2;
      ++finish_.turns;
      if (finish_.turns >= 3) finish_.factor *= settings.discount;
      auto move = table.ask_as(seat_, stage<M>(), offers_.empty() ? opening : later);
      std::string_view text;
      if constexpr (std::same_as<M, SpokenMove>) text = texts_.emplace_back(std::move(move.text));
      const Offer* offer = std::get_if<Offer>(&move.action);
      if (offer == nullptr) return agree(table, text);
      ++finish_.proposals[static_cast<std::size_t>(seat_)];
      offers_.push_back({finish_.turns, seat_, offer->keep, text});
      table.announce(kOffer, offers_.back());
      const int made = finish_.turns;  // every decision so far was an offer
      finish_.out_of_time = made >= settings.max_turns;
      finish_.broken_down = !finish_.out_of_time && settings.prob_end > 0 && may_break_down(made) &&
                            table.chance("breakdown", made).happens(settings.prob_end);
      if (finish_.out_of_time) table.announce(kOutOfTurns, OutOfTurns{made});
      if (finish_.broken_down) table.announce(kBrokenDown, BrokenDown{made});
      const bool over = finish_.out_of_time || finish_.broken_down;
      if (over || made % 2 == 0) ask_beliefs(table);
      if (over) return;
    }
  }

  void agree(Table table, std::string_view text) {
    const OfferMade& taken = offers_.back();
    const auto proposer = static_cast<std::size_t>(taken.seat);
    Deal& deal = finish_.deal.emplace();
    deal[proposer] = taken.keep;
    deal[1 - proposer] = rest_of(match_.game.counts, taken.keep);
    table.announce(kAgreed, [&] {
      return Agreed{finish_.turns, seat_, deal, finish_.factor, text};
    });
    ask_beliefs(table);
  }

  OfferView offer_view() const {
    OfferView view;
    view.items = match_.piles(seat_);
    view.total_value = match_.settings.total_value;
    view.offers = offers_;
    if (!offers_.empty()) {
      view.you_would_get = rest_of(match_.game.counts, offers_.back().keep);
    }
    view.turn = finish_.turns;
    view.offers_left = match_.settings.max_turns - static_cast<int>(offers_.size());
    view.factor = finish_.factor;
    view.your_claim = finish_.claims[static_cast<std::size_t>(seat_)];
    view.their_claim = finish_.claims[static_cast<std::size_t>(1 - seat_)];
    return view;
  }

  void ask_beliefs(Table table) {
    const int round = (finish_.turns + 1) / 2;
    beliefs_.ask(table, round, [&](int seat) {
      return BeliefView{match_.piles(seat), match_.settings.total_value, offers_, {}, round};
    });
  }

  const Match& match_;
  BeliefBook beliefs_;
  std::variant<Offer, Agree> everything_;
  Finish finish_;
  int seat_ = 0;
  Offers offers_;
  Texts texts_;
};

}  // namespace

agon::Outcome play_offers(Table table, const Match& match) {
  Exchange exchange(match);
  return match.settings.messages ? exchange.play<SpokenMove>(table) : exchange.play<Move>(table);
}

}  // namespace deal_or_no_deal

// The negotiation of Hua et al. 2024, section 5.2: messages in turn, then private takes.

namespace deal_or_no_deal {
namespace {

constexpr std::array<int, 2> kBothSeats{0, 1};

class Talks {
 public:
  explicit Talks(const Match& match)
      : match_(match), beliefs_(match.game, match.swapped, match.settings.total_value) {}

  agon::Outcome play(Table table) {
    finish_.claims = hear_claims(table, match_);
    TalkStop stop = TalkStop::none;
    while (stop == TalkStop::none) {
      ++round_;
      std::array<bool, 2> halts{};
      for (const int seat : kBothSeats) halts[static_cast<std::size_t>(seat)] = speak(table, seat);
      stop = stops(round_, match_.settings.max_rounds, halts, match_.game.counts, latest_);
      if (stop != TalkStop::none) table.announce(kTalkEnded, TalkEnded{round_, stop});
      ask_beliefs(table);
    }
    finish_.turns = 2 * round_;
    finish_.out_of_time = stop == TalkStop::out_of_rounds;
    present(table);
    return settle(match_, finish_, beliefs_);
  }

 private:
  [[nodiscard]] std::span<const int> counts() const {
    return {match_.game.counts.begin(), match_.game.counts.size()};
  }

  /// One message; true if it asks to stop. A seat without a legal one says nothing.
  bool speak(Table table, int seat) {
    const int longest = match_.settings.messages ? match_.settings.message_bytes : 0;
    const int rounds_left = match_.settings.max_rounds - round_ + 1;
    auto message =
        table.ask(seat, kMessage, agon::view([&] { return talk_view(seat, rounds_left); }),
                  agon::limit_each(&Message::proposal, &Proposal::take, counts()),
                  agon::limit_length(&Message::text, 0, longest));
    const auto s = static_cast<std::size_t>(seat);
    if (message.proposal) {
      latest_[s] = message.proposal->take;
      ++finish_.proposals[s];
    }
    log_.push_back({round_, seat, std::move(message.text), message.proposal, message.halt});
    table.announce(kMessageSent, log_.back());
    return message.halt;
  }

  void present(Table table) {
    const auto decisions = table.ask_all(kBothSeats, kTake, [this](int seat) {
      return agon::asking<Decision>(agon::view([this, seat] { return talk_view(seat, 0); }),
                                    agon::limit_each(&Decision::choice, &Take::items, counts()),
                                    agon::fallback(Decision{NoDeal{}}));
    });
    std::array<std::optional<ItemCounts>, 2> takes;
    for (std::size_t s = 0; s < 2; ++s) {
      if (const Take* take = std::get_if<Take>(&decisions[s].choice)) takes[s] = take->items;
    }
    finish_.walked_away = !takes[0] || !takes[1];
    const bool deal = is_deal(match_.game.counts, takes, match_.settings.deal_match);
    finish_.misfit = !deal && !finish_.walked_away;
    if (deal) finish_.deal = Deal{*takes[0], *takes[1]};
    table.announce(kPresented, Presented{takes, deal});
  }

  [[nodiscard]] TalkView talk_view(int seat, int rounds_left) const {
    const auto s = static_cast<std::size_t>(seat);
    TalkView view;
    view.items = match_.piles(seat);
    view.total_value = match_.settings.total_value;
    view.messages = log_;
    view.your_proposal = latest_[s];
    view.their_proposal = latest_[1 - s];
    view.round = round_;
    view.rounds_left = rounds_left;
    view.your_claim = finish_.claims[s];
    view.their_claim = finish_.claims[1 - s];
    return view;
  }

  void ask_beliefs(Table table) {
    beliefs_.ask(table, round_, [this](int seat) {
      return BeliefView{match_.piles(seat), match_.settings.total_value, {}, log_, round_};
    });
  }

  const Match& match_;
  BeliefBook beliefs_;
  Finish finish_;
  int round_ = 0;
  std::array<std::optional<ItemCounts>, 2> latest_;
  boost::container::static_vector<MessageSent, 2 * kMaxRoundsAllowed> log_;
};

}  // namespace

agon::Outcome play_talks(Table table, const Match& match) {
  return Talks(match).play(table);
}

}  // namespace deal_or_no_deal
