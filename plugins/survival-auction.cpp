#include <agon/plugin.hpp>

namespace survival_auction {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("survival-auction", "0.1.0", &survival_auction::enter)
