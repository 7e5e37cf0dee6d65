// Which numbers are chosen as a match goes on: the game's own table.

#include <agon/json_reader.hpp>

#include "guess-average/settings.hpp"
#include "guess-average/tables/tables.hpp"
#include "shared/mean_curves.hpp"
#include "shared/tables.hpp"

namespace guess_average {

agon::PaperTable choices_by_round(const agon::PlayedMatches& matches) {
  shared::MeanCurves curves;
  shared::KnownSettings<Settings> known;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const Settings* settings = known.of(match);
    for (const agon::PlayedEntry& entry : match.entries()) {
      if (entry.what != agon::PlayedEntry::What::event || entry.name != "round") continue;
      const agon::JsonDocument document(entry.json, "record");
      const agon::JsonNode event = document.root();
      const auto round = static_cast<std::size_t>(event["round"].whole(1, kMaxRounds)) - 1;
      const agon::JsonNode choices = event["choices"];
      for (std::size_t c = 0; c < choices.size(); ++c)
        for (const agon::PlayedSeat& seat : match.seats())
          if (seat.name == choices[c]["name"].text())
            curves.add(heading, std::string(seat.agent), round, block,
                       choices[c]["number"].number());
      // From 100 percent on every number that all choose is an equilibrium.
      if (settings != nullptr && settings->percent < 100)
        curves.add_theory(heading, "equilibrium", round, settings->lowest);
    }
  });
  if (curves.empty()) throw agon::LacksData{"recorded matches"};
  return curves.table(
      {.x = "round", .y = "mean number chosen"}, {.decimals = 1}, matches.level(),
      {"Mean of the numbers that an agent chose in a round. Equilibrium: the lowest "
       "number, which iterated dominance leaves. n: choices."});
}

}  // namespace guess_average
