// error: the only described map is std::map<std::string, V>
#include <agon/game.hpp>
#include <map>

struct Offer {
  std::map<int, int> give;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over, by seat"))

const agon::Type& type = agon::type_of<Offer>();
