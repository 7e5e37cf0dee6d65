// error: view() makes another type than the stage's view
#include <agon/game.hpp>

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))
struct Pie {
  int coins = 0;
};
AGON_DESCRIBE(Pie, (coins, "coins there are"))
constexpr agon::Stage<"offer", Offer> kOffer{"how many coins you hand over"};

int ask(agon::Table<kOffer> table) {
  return table.ask(0, kOffer, agon::view([] { return Pie{10}; })).give;
}
