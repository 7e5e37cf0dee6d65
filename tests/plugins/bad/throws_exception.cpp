// Throws while it registers, after it has added a game: nothing of it may stay.
#include <stdexcept>

#include "../good/trivial.hpp"

AGON_PLUGIN(
    "throws-exception", "1", +[](agon::Registry& registry) {
      registry.add(trivial::game("half-registered"));
      throw std::runtime_error("out of\x1b[31m paint");
    })
