// error: limit_length() is for texts, lists and maps
#include <agon/game.hpp>

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))

agon::Limit<Offer> limited() {
  return agon::limit_length(&Offer::give, 0, 10);
}
