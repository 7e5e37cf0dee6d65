#include <agon/plugin.hpp>

namespace guess_average {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("guess-average", "0.1.0", &guess_average::enter)
