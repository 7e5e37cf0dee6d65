// An entry without the ABI tag beside it.
#include <agon/plugin.hpp>

static void enter(agon::Registry&) {}
extern "C" AGON_API const agon::Plugin agon_plugin;
extern "C" const agon::Plugin agon_plugin{
    agon::kPluginMagic, sizeof(agon::Plugin), AGON_SDK_VERSION, "no-tag", "1", &enter};
