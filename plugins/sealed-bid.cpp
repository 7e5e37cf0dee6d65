#include <agon/plugin.hpp>

namespace sealed_bid {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("sealed-bid", "0.1.0", &sealed_bid::enter)
