// At which price bidders leave a rising clock, by what the item is worth to them: the game's own
// table.

#include <agon/json_reader.hpp>
#include <vector>

#include "clock-auction/settings.hpp"
#include "clock-auction/tables/tables.hpp"
#include "shared/mean_curves.hpp"
#include "shared/tables.hpp"

namespace clock_auction {

agon::PaperTable exits_by_value(const agon::PlayedMatches& matches) {
  shared::ValueCurves curves;
  shared::KnownSettings<Settings> known;
  matches.each([&](const agon::PlayedMatch& match) {
    const Settings* settings = known.of(match);
    if (settings == nullptr || settings->clock == Clock::dutch) return;
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    std::vector<double> values;
    for (const agon::PlayedEntry& entry : match.entries()) {
      if (entry.what != agon::PlayedEntry::What::event) continue;
      if (entry.name != "values" && entry.name != "sold") continue;
      const agon::JsonDocument document(entry.json, "record");
      const agon::JsonNode event = document.root();
      const agon::JsonNode list = event[entry.name == "values" ? "values" : "exits"];
      if (entry.name == "values") values.clear();
      for (std::size_t s = 0; s < list.size() && s < match.seats().size(); ++s) {
        const agon::PlayedSeat& seat = match.seats()[s];
        if (entry.name == "values") {
          values.push_back(list[s].number());
          continue;
        }
        const bool won = event["winner"].kind() != agon::JsonNode::Kind::null &&
                         event["winner"].text() == seat.name;
        if (won || s >= values.size() || list[s].kind() == agon::JsonNode::Kind::null) continue;
        curves.add(heading, std::string(seat.agent), block, values[s], list[s].number(), values[s]);
      }
    }
  });
  return curves.table(
      {.x = "value", .y = "price at which the bidder left", .unit = "currency"}, 1, matches.level(),
      "at the value itself", "recorded rounds with a rising clock in which somebody left",
      {"Mean price at which bidders left who did not win, by their value; of winners it is not "
       "known how far they would have gone. To leave at one's value is dominant. n: exits."});
}

}  // namespace clock_auction
