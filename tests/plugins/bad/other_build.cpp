// As good as any other plugin, but compiled with other switches, see CMakeLists.txt.
#include <agon/plugin.hpp>

AGON_PLUGIN(
    "other-build", "1", +[](agon::Registry&) {})
