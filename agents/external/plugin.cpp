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
  registry.add(PluginCommand{
      .id = "check-agent",
      .doc = "try a program against the protocol of external agents, point by point",
      .usage = "[--game GAME] [--json] [--seconds N] [--environment NAME]... COMMAND...\n"
               "\n"
               "Arguments\n"
               "  COMMAND...   the program and its arguments; options of agon go "
               "before it\n"
               "\n"
               "Options\n"
               "  --game GAME  play matches of each preset of this game, and ask the "
               "stages that it\n"
               "               asks; without it, made-up stages of every form. A "
               "name, or a file\n"
               "  --plugin FILE  with --game: load this plugin too; may be repeated\n"
               "  --trust      with --game: load plugins that others can write\n"
               "  --seconds N  for each of start, answer, ping and quit; default "
               "30, 60, 10 and 5\n"
               "  --environment NAME  a variable that the program gets too; may be "
               "repeated\n"
               "  --json       print JSON on standard output\n"
               "  --help       show this help\n"
               "\n"
               "Example\n"
               "  agon check-agent python3 agents/external/samples/bot.py\n"
               "  agon check-agent --game bargaining agents/external/samples/bot.sh\n"
               "\n"
               "Exit code 1 if a point is not kept.",
      .run_with = &check_agent_command});
}

}  // namespace agon::external
