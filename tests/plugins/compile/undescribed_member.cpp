// error: describe the struct with AGON_DESCRIBE
#include <agon/game.hpp>

struct Coins {
  int gold = 0;
};
struct Offer {
  Coins give;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))

const agon::Type& type = agon::type_of<Offer>();
