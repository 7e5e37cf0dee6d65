// Built against other SDK headers. It also aborts as soon as any of its code runs: the refusal must
// come before that.
#include <agon/sdk_version.hpp>
#undef AGON_SDK_HASH
#define AGON_SDK_HASH h000000000000
#include <agon/plugin.hpp>
#include <cstdlib>

struct Alarm {
  Alarm() { std::abort(); }
};
static const Alarm rings;

AGON_PLUGIN(
    "other-headers", "1", +[](agon::Registry&) {})
