// A game whose rules name a setting that it does not have.
#include "../good/trivial.hpp"

AGON_PLUGIN(
    "bad-card", "1", +[](agon::Registry& registry) {
      agon::Game game = trivial::game("bad-card");
      game.card.rules = "Name {{nmber}} of them.";
      registry.add(game);
    })
