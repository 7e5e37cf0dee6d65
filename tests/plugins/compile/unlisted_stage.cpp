// error: the game's table does not list this stage: add it to Table<...>
#include <agon/game.hpp>

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))
constexpr agon::Stage<"offer", Offer> kOffer{"how many coins you hand over"};
constexpr agon::Stage<"last-offer", Offer> kLastOffer{"how many coins you hand over at last"};

int ask(agon::Table<kOffer> table) {
  return table.ask(0, kLastOffer).give;
}
