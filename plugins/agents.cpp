#include "agents.hpp"

AGON_PLUGIN("agents", "0.1.0", &agon::agents::enter)
