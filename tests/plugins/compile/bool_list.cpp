// error: std::vector<bool> has no elements of its own: use agon::InlineList<bool, N>
#include <agon/game.hpp>

struct Votes {
  std::vector<bool> yes;
};
AGON_DESCRIBE(Votes, (yes, "who agrees"))

const agon::Type& type = agon::type_of<Votes>();
