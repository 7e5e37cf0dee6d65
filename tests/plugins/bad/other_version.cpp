// An entry that names another SDK version than its headers have.
#include <agon/plugin.hpp>

[[maybe_unused]] static void enter(agon::Registry&) {}
extern "C" AGON_API const char AGON_ABI_TAG;
extern "C" const char AGON_ABI_TAG = 1;
extern "C" AGON_API const agon::Plugin agon_plugin;
extern "C" const agon::Plugin agon_plugin{
    agon::kPluginMagic, sizeof(agon::Plugin), AGON_SDK_VERSION + 2, "other-version", "1", &enter};
