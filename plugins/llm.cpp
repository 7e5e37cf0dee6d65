#include "llm/plugin.hpp"

AGON_PLUGIN("llm", "0.1.0", &agon::llm::enter)
