// Built against other headers of one kit. It also aborts as soon as any of its code runs: the
// refusal must come before that.
#include <agon/plugin.hpp>
#include <cstdlib>

extern "C" AGON_API inline constexpr char agon_kit__analysis__h000000000000 [[gnu::used]] = 1;

struct Alarm {
  Alarm() { std::abort(); }
};
static const Alarm rings;

AGON_PLUGIN(
    "other-kit", "1", +[](agon::Registry&) {})
