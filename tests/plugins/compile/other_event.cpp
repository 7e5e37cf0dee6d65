// error: what is said is not of the event's type
#include <agon/game.hpp>

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))
struct Pie {
  int coins = 0;
};
AGON_DESCRIBE(Pie, (coins, "coins there are"))
constexpr agon::Event<"offer", Offer> kOffered{"an offer is made"};

void say(agon::Table<kOffered> table) {
  table.announce(kOffered, Pie{10});
}
