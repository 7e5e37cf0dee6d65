// error: whole numbers and Money have whole limits
#include <agon/game.hpp>

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))

constexpr agon::Stage<"offer", Offer> kOffer{"how many coins you hand over"};

int ask(agon::Table<kOffer> table) {
  return table.ask(0, kOffer, agon::limit(&Offer::give, 0, 2.5)).give;
}
