#include "survival-auction/game.hpp"

#include <agon/agent.hpp>

#include "shared/names.hpp"
#include "survival-auction/facts.hpp"
#include "survival-auction/metrics.hpp"
#include "survival-auction/play.hpp"
#include "survival-auction/strategies/bidders.hpp"
#include "survival-auction/tables/tables.hpp"

namespace survival_auction {

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Five equal residents, ten days. A bid above the balance is against the rules and "
            "asked for again."},
    {.name = "paper",
     .doc =
         "As the published program runs: a bid above the balance (up to all that can be earned) "
         "is taken as said and, as the highest, leaves the water to nobody; an answer that cannot "
         "be read is asked for three times in all, then it is 0.",
     .settings = R"({"over_balance": "wasted"})",
     .reasks = 2},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return shared::seats_named(settings.residents);
}

}  // namespace

agon::Game game() {
  return agon::game<&play>("survival-auction",
                           {
                               .title = "Survival Auction Game",
                               .seats = {2, kMaxResidents},
                               .rules_for = agon::hook<&rules_text>,
                               .seating = agon::hook<&seating>,
                               .check = agon::hook<&check>,
                               .source = "Zhang et al., K-Level Reasoning, arXiv 2402.01521, the "
                                         "survival auction game",
                               .score = "days survived: days at whose end the resident is alive",
                               .disagreement = "0 days",
                               .ideal = "all days of the match (10)",
                               // Days out of all days.
                               .score_range = agon::range(0, 1),
                               .seat_metrics = &agon::type_of<SeatMetrics>(),
                               .match_metrics = &agon::type_of<MatchMetrics>(),
                               .presets = kPresets,
                               .facts = &agon::type_of<Facts>(),
                               .facts_for = agon::facts<&facts>,
                               .reference = "adaptive",
                           });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Fraction>({.id = "fraction",
                                      .game = "survival-auction",
                                      .doc = "Bids a fixed share of its money every day."}));
  registry.add(agon::agent<Last>({.id = "last",
                                  .game = "survival-auction",
                                  .doc = "Bids a little more than the highest bid of the others on "
                                         "the day before."}));
  registry.add(agon::agent<Adaptive>(
      {.id = "adaptive",
       .game = "survival-auction",
       .doc = "Bids nothing while it can live to the end without water, enough to beat all that "
              "its rivals own when its life hangs on it, and otherwise what should beat rivals who "
              "bid the share of their money that they bid the day before."}));
  add_tables(registry);
}

}  // namespace survival_auction
