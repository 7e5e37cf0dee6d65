// Another plugin that brings a game of the same name.
#include "trivial.hpp"

AGON_PLUGIN(
    "same-game", "1", +[](agon::Registry& registry) {
      registry.add(trivial::game("also-here"));
      registry.add(trivial::game("echo"));
    })
