// Registers nothing.
#include <agon/plugin.hpp>

AGON_PLUGIN(
    "empty", "1", +[](agon::Registry&) {})
