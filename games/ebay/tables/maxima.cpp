// The most that bidders told their proxy, by what the item is worth to them: the game's own table.

#include "ebay/tables/tables.hpp"
#include "shared/mean_curves.hpp"
#include "shared/tables.hpp"

namespace ebay {

agon::PaperTable maxima_by_value(const agon::PlayedMatches& matches) {
  shared::ValueCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    for (const agon::PlayedSeat& seat : match.seats()) {
      if (!(match.metric(seat, "bids") > 0)) continue;
      const double value = match.metric(seat, "value") / 100;
      curves.add(heading, std::string(seat.agent), block, value,
                 match.metric(seat, "maximum") / 100, value);
    }
  });
  return curves.table(
      {.x = "value", .y = "last maximum", .unit = "dollars"}, 1, matches.level(),
      "the value itself", "finished matches in which somebody bid",
      {"Mean of the last maximum that bidders told their proxy, by value; who never "
       "bid is left out. To tell it the value is dominant. n: bidders."});
}

}  // namespace ebay
