// Compiles: what the other files in this folder differ from.
#include <agon/game.hpp>

struct Offer {
  int give = 0;
  bool final = false;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"), (final, "no other offer will follow"))

int ask(agon::Table& table) {
  return table.ask<Offer>(0, "offer", agon::limit(&Offer::give, 0, 10)).give;
}
