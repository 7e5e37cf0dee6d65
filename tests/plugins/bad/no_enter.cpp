// A plugin without a function that registers anything.
#include <agon/plugin.hpp>

[[maybe_unused]] static void enter(agon::Registry&) {}
extern "C" AGON_API const char AGON_ABI_TAG;
extern "C" const char AGON_ABI_TAG = 1;
extern "C" AGON_API const agon::Plugin agon_plugin;
extern "C" const agon::Plugin agon_plugin{
    agon::kPluginMagic, sizeof(agon::Plugin), AGON_SDK_VERSION, "no-enter", "1", nullptr};
