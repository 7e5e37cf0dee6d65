#include <agon/plugin.hpp>

namespace clock_auction {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("clock-auction", "0.1.0", &clock_auction::enter)
