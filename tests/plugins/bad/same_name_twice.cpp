// Two games of one name.
#include "../good/trivial.hpp"

AGON_PLUGIN(
    "same-name-twice", "1", +[](agon::Registry& registry) {
      registry.add(trivial::game("echo"));
      registry.add(trivial::game("echo"));
    })
