// Calls what nobody defines; agon_add_plugin() would have found it when linking.
#include <agon/plugin.hpp>

extern "C" void nobody_defines_this();

AGON_PLUGIN(
    "missing-symbol", "1", +[](agon::Registry&) { nobody_defines_this(); })
