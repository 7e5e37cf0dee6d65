// error: the game's table does not list this event: add it to Table<...>
#include <agon/game.hpp>

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))
constexpr agon::Event<"offer", Offer> kOffered{"an offer is made"};
constexpr agon::Event<"last-offer", Offer> kLastOffered{"the last offer is made"};

void say(agon::Table<kOffered> table) {
  table.announce(kLastOffered, Offer{});
}
