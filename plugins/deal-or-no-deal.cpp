#include <agon/plugin.hpp>

namespace deal_or_no_deal {
void enter(agon::Registry& registry);
}

AGON_PLUGIN("deal-or-no-deal", "0.1.0", &deal_or_no_deal::enter)
