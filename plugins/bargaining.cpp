#include <agon/plugin.hpp>

namespace bargaining {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("bargaining", "0.1.0", &bargaining::enter)
