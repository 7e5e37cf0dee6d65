#include <cstdlib>

#include "deal-or-no-deal/events.hpp"
#include "deal-or-no-deal/match.hpp"
#include "deal-or-no-deal/metrics.hpp"

namespace deal_or_no_deal {
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

std::int64_t distance(const Pair& a, const Pair& b) {
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
  const auto by_seat = [&](const Pair& by_side) {
    return match.swapped ? Pair{by_side[1], by_side[0]} : by_side;
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
