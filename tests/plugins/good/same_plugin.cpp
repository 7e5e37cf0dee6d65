// Another plugin of the same name, with another game.
#include "trivial.hpp"

AGON_PLUGIN(
    "full", "1", +[](agon::Registry& registry) { registry.add(trivial::game("another")); })
