#include "water-allocation/game.hpp"

#include <agon/agent.hpp>

#include "water-allocation/facts.hpp"
#include "water-allocation/importer.hpp"
#include "water-allocation/metrics.hpp"
#include "water-allocation/play.hpp"
#include "water-allocation/sentences.hpp"
#include "water-allocation/strategies/survivor.hpp"
#include "water-allocation/tables/tables.hpp"
#include "water-allocation/telling.hpp"

namespace water_allocation {

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Scarce water, 10 to 20 units a day. A bid above the balance is against the rules and "
            "asked for again, so that forms, schemas and random bids keep to what can be paid."},
    {.name = "paper",
     .doc = "The paper's setting 1 (supply [15, 25] is setting 2, [20, 30] is 3, persona true 4 to "
            "6). A bid above the balance is ignored; an answer that cannot be read is asked for "
            "three times in all, then it is no bid.",
     .settings = R"({"supply": [10, 20], "over_balance": "ignored"})",
     .reasks = 2},
    {.name = "published-code",
     .doc = "As the published program runs by itself: its supply never reaches the upper end, 20.",
     .settings = R"({"supply": [10, 19], "over_balance": "ignored"})",
     .reasks = 2},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  std::vector<agon::SeatCard> seats;
  for (const Resident& r : settings.residents) seats.push_back({.name = r.name});
  return seats;
}

}  // namespace

agon::Game game() {
  return agon::game<&play, &prepare>(
      "water-allocation", {
                              .title = "Water Allocation Challenge",
                              .seats = {2, kMaxResidents},
                              .rules_for = agon::hook<&rules_text>,
                              .seating = agon::hook<&seating>,
                              .check = agon::hook<&check>,
                              .source = "Mao et al., Alympics: LLM Agents Meet Game Theory, "
                                        "arXiv 2311.03220, the water allocation challenge",
                              .score = "days survived: days at whose end the resident is alive",
                              .disagreement = "0 days",
                              .ideal = "all days of the match (20)",
                              // Days out of all days.
                              .score_range = agon::range(0, 1),
                              .seat_metrics = &agon::type_of<SeatMetrics>(),
                              .match_metrics = &agon::type_of<MatchMetrics>(),
                              .presets = kPresets,
                              .facts = &agon::type_of<Facts>(),
                              .facts_for = agon::facts<&facts>,
                              .reference = "survivor",
                              .persona_for = agon::seat_hook<&persona>,
                              .sentences = kSentences,
                          });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Fixed>(
      {.id = "fixed",
       .game = "water-allocation",
       .doc = "Bids the same amount every day, or all its money if that is less."}));
  registry.add(agon::agent<Fraction>({.id = "fraction",
                                      .game = "water-allocation",
                                      .doc = "Bids a fixed share of its money every day."}));
  registry.add(agon::agent<Survivor>(
      {.id = "survivor",
       .game = "water-allocation",
       .doc = "Bids by how urgently it needs water and by what its rivals can and are likely to "
              "bid: all it takes when its life hangs on it, up to its share of future money "
              "otherwise, and nothing once it can live to the end without water."}));
  registry.add(alympics_importer());
  add_tables(registry);
}

}  // namespace water_allocation
