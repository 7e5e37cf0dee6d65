// error: use double: it is what JSON and records keep
#include <agon/game.hpp>

struct Offer {
  float give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))

const agon::Type& type = agon::type_of<Offer>();
