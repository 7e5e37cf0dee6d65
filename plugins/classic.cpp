#include <agon/plugin.hpp>

namespace classic {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("classic", "0.1.0", &classic::enter)
