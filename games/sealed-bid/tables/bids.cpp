// What is bid, by what the bidder sees, beside the equilibrium: the game's own table.

#include <agon/json_reader.hpp>
#include <vector>

#include "sealed-bid/settings.hpp"
#include "sealed-bid/tables/tables.hpp"
#include "shared/mean_curves.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {

agon::PaperTable bids_by_value(const agon::PlayedMatches& matches) {
  shared::ValueCurves curves;
  shared::KnownSettings<Settings> known;
  matches.each([&](const agon::PlayedMatch& match) {
    const Settings* settings = known.of(match);
    if (settings == nullptr) return;
    const auction_values::Contest contest_of =
        contest(settings->payment, source(*settings), settings->bidders);
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    std::vector<int> seen;
    for (const agon::PlayedEntry& entry : match.entries()) {
      if (entry.what != agon::PlayedEntry::What::event) continue;
      if (entry.name != "values" && entry.name != "sold") continue;
      const agon::JsonDocument document(entry.json, "record");
      const agon::JsonNode event = document.root();
      const agon::JsonNode list = event[entry.name == "values" ? "values" : "bids"];
      if (entry.name == "values") seen.clear();
      for (std::size_t s = 0; s < list.size() && s < match.seats().size(); ++s) {
        if (entry.name == "values") {
          seen.push_back(static_cast<int>(list[s].whole()));
        } else if (s < seen.size()) {
          const auto theory = auction_values::equilibrium_bid(contest_of, seen[s]);
          curves.add(heading, std::string(match.seats()[s].agent), block, seen[s], list[s].number(),
                     theory.value_or(agon::kNothing));
        }
      }
    }
  });
  return curves.table(
      {.x = "value", .y = "bid", .unit = "currency"}, 1, matches.level(), "equilibrium",
      "recorded rounds with bids",
      {"Mean bid by what the bidder saw: its value, or its estimate of a common value. "
       "Equilibrium: "
       "the mean of the symmetric equilibrium's bids at the same values, where one is known. n: "
       "bids."});
}

}  // namespace sealed_bid
