// error: AGON_DESCRIBE must name every member of Offer
#include <agon/game.hpp>

struct Offer {
  int give = 0;
  bool final = false;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))
static_assert(agon::type_of<Offer>().slots > 0);
