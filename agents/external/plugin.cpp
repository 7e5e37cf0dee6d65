#include "external/plugin.hpp"

#include "external/check.hpp"
#include "external/external.hpp"

namespace agon::external {

void enter(Registry& registry) {
  registry.add(agent<External>(
      {.id = "external",
       .doc = "A program in any language, over JSON Lines on its standard input and output; see "
              "docs/external-agents.md. Try yours with 'agon check-agent'."}));
  registry.add(
      PluginCommand{.id = "check-agent",
                    .doc = "try a program against the protocol of external agents, point by point",
                    .usage = "[--json] [--seconds N] COMMAND...",
                    .run = &check_agent_command});
}

}  // namespace agon::external
