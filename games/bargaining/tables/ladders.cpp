// How offers come nearer: the game's own table.

#include <agon/json_reader.hpp>
#include <algorithm>

#include "bargaining/tables/tables.hpp"
#include "shared/mean_curves.hpp"
#include "shared/tables.hpp"

namespace bargaining {

agon::PaperTable offer_ladders(const agon::PlayedMatches& matches) {
  shared::MeanCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const double list = match.metric("list_price");
    if (match.seats().size() != 2 || !(list > 0)) return;
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const auto most = static_cast<std::size_t>(std::max(0.0, match.metric("turns")));
    for (std::size_t turn = 0; turn < most; ++turn) {
      curves.add_theory(heading, "budget", turn, match.metric("budget") / list);
      curves.add_theory(heading, "cost", turn, match.metric("cost") / list);
    }
    for (const agon::PlayedEntry& entry : match.entries()) {
      if (entry.what != agon::PlayedEntry::What::event || entry.name != "message") continue;
      const agon::JsonDocument document(entry.json, "record");
      const agon::JsonNode said = document.root();
      const bool buyer = said["side"].text() == "buyer";
      const agon::JsonNode action = said["action"];
      const auto turn = static_cast<std::size_t>(said["turn"].whole(1, 10'000)) - 1;
      if (action["kind"].text() == (buyer ? "buy" : "sell"))
        curves.add(
            heading,
            std::string(match.seats()[buyer ? 0 : 1].agent) + (buyer ? " as buyer" : " as seller"),
            turn, block, 100 * action["price"].number() / list);
    }
  });
  if (curves.empty()) throw agon::LacksData{"recorded matches with offers"};
  return curves.table({.x = "turn", .y = "offer over list price"}, {.decimals = 2}, matches.level(),
                      {"Mean of the offers that were made in a turn, as a share of the list price; "
                       "budget and cost are the means of the matches that came to this turn. Who "
                       "has a deal makes no more offers. n: offers."});
}

}  // namespace bargaining
