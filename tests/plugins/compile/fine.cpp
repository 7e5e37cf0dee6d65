// Compiles: what the other files in this folder differ from.
#include <agon/game.hpp>

struct Offer {
  int give = 0;
  bool final = false;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"), (final, "no other offer will follow"))

constexpr agon::Stage<"offer", Offer> kOffer{"how many coins you hand over"};

int ask(agon::Table<kOffer> table) {
  return table.ask(0, kOffer, agon::limit(&Offer::give, 0, 10)).give;
}
