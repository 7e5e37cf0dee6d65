// A game whose own check of its settings throws.
#include <stdexcept>

#include "../good/trivial.hpp"

AGON_PLUGIN(
    "throws-in-card", "1", +[](agon::Registry& registry) {
      agon::Game game = trivial::game("throws-in-card");
      game.card.check = [](const void*) -> std::string {
        throw std::logic_error("no such chance");
      };
      registry.add(game);
    })
