#include "external/external.hpp"

AGON_PLUGIN("external", "0.1.0", &agon::external::enter)
