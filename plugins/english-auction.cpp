#include <agon/plugin.hpp>

namespace english_auction {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("english-auction", "0.1.0", &english_auction::enter)
