// Throws what is no std::exception.
#include <agon/plugin.hpp>

AGON_PLUGIN(
    "throws-other", "1", +[](agon::Registry&) { throw 42; })
