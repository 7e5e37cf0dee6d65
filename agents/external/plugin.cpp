#include "external/plugin.hpp"

#include <agon/plugin_command.hpp>

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
                    .usage = "[--json] [--seconds N] [--environment NAME]... COMMAND...\n"
                             "\n"
                             "Arguments\n"
                             "  COMMAND...   the program and its arguments; options of agon go "
                             "before it\n"
                             "\n"
                             "Options\n"
                             "  --seconds N  for each of start, answer, ping and quit; default "
                             "30, 60, 10 and 5\n"
                             "  --environment NAME  a variable that the program gets too; may be "
                             "repeated\n"
                             "  --json       print JSON on standard output\n"
                             "  --help       show this help\n"
                             "\n"
                             "Example\n"
                             "  agon check-agent python3 agents/external/samples/bot.py\n"
                             "\n"
                             "Exit code 1 if a point is not kept.",
                    .run = &check_agent_command});
}

}  // namespace agon::external
