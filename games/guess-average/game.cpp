#include "guess-average/game.hpp"

#include <agon/agent.hpp>

#include "guess-average/answers.hpp"
#include "guess-average/facts.hpp"
#include "guess-average/metrics.hpp"
#include "guess-average/play.hpp"
#include "guess-average/sentences.hpp"
#include "guess-average/strategies/programs.hpp"
#include "guess-average/tables/tables.hpp"
#include "shared/names.hpp"

namespace guess_average {

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon", .doc = "Five players, ten rounds, 0.8 of the average."},
    {.name = "paper",
     .doc = "The same; an answer that cannot be read is asked for three times in all, then it is "
            "the largest number.",
     .reasks = 2},
    {.name = "classroom",
     .doc = "Nagel's first round: two thirds (67 percent) of the average of numbers from 0 to 100.",
     .settings = R"({"percent": 67, "lowest": 0})"},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return shared::seats_named(settings.players);
}

}  // namespace

agon::Game game() {
  return agon::game<&play>(
      "guess-average", {
                           .title = "Guess a share of the average",
                           .seats = {2, kMaxPlayers},
                           .rules_for = agon::hook<&rules_text>,
                           .seating = agon::hook<&seating>,
                           .check = agon::hook<&check>,
                           .source = "Zhang et al., K-Level Reasoning, arXiv 2402.01521, guessing "
                                     "0.8 of the average; after Nagel 1995",
                           .score = "rounds won",
                           .disagreement = "no round",
                           .ideal = "all rounds (10)",
                           // Rounds won out of all rounds.
                           .score_range = agon::range(0, 1),
                           .seat_metrics = &agon::type_of<SeatMetrics>(),
                           .match_metrics = &agon::type_of<MatchMetrics>(),
                           .presets = kPresets,
                           .facts = &agon::type_of<Facts>(),
                           .facts_for = agon::facts<&facts>,
                           .reference = "k-level:deviation=0.5",
                           .sentences = kSentences,
                       });
}

void enter(agon::Registry& registry) {
  constexpr std::string_view source = "K-Level Reasoning, appendix D, programmatic strategies";
  registry.add(game());
  registry.add(agon::agent<Fix>(
      {.id = "fix",
       .game = "guess-average",
       .doc = "Chooses around the same number in every round: 0-Level, Fix with deviation 0, Var "
              "with 5.",
       .source = source}));
  registry.add(agon::agent<Last>(
      {.id = "last",
       .game = "guess-average",
       .doc = "Chooses around the target of the round before: LastBids, Fix with deviation 0, Var "
              "with 5.",
       .source = source}));
  registry.add(agon::agent<Mono>({.id = "mono",
                                  .game = "guess-average",
                                  .doc = "Chooses less by the same step every round: MonoTrend "
                                         "(Fix).",
                                  .source = source}));
  registry.add(agon::agent<Monorand>(
      {.id = "monorand",
       .game = "guess-average",
       .doc = "The same with a step of its own, drawn before its first choice: MonoTrend (Var).",
       .source = source}));
  registry.add(agon::agent<KLevel>(
      {.id = "k-level",
       .game = "guess-average",
       .doc = "Supposes that the others do what they did on average, works out what is best "
              "against that, what is best against others who do so, and so on k times over.",
       .source = "Nagel 1995; Stahl and Wilson 1995"}));
  add_tables(registry);
}

}  // namespace guess_average
