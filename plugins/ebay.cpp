#include <agon/plugin.hpp>

namespace ebay {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("ebay", "0.1.0", &ebay::enter)
