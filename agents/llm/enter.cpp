#include "llm/enter.hpp"

namespace agon::llm {

void enter(Registry&) {}

}  // namespace agon::llm
