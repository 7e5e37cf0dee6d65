#include <agon/plugin.hpp>

namespace water_allocation {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("water-allocation", "0.1.0", &water_allocation::enter)
