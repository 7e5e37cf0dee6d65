// error: whole numbers and Money have whole limits
#include <agon/game.hpp>

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))

int ask(agon::Table& table) {
  return table.ask<Offer>(0, "offer", agon::limit(&Offer::give, 0, 2.5)).give;
}
