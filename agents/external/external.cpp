#include "external/external.hpp"

#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "external/check.hpp"
#include "external/worker.hpp"

namespace agon::external {
namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(seconds * 1000)));
}

}  // namespace

External::External(const Params& params, const AgentServices& services)
    : probes_(params.probes), costly_(params.costly), rendered_(params.rendered.value_or(false)) {
  if (params.command.empty() || params.command.front().empty())
    throw Error(ErrorKind::invalid, "an external agent needs a command", "",
                R"(write "command": ["python3", "bot.py"])");
  for (const std::string& variable : params.environment)
    if (variable.empty() || variable.find_first_of("= \t\n") != std::string::npos)
      throw Error(ErrorKind::invalid, "'" + variable + "' is no name of an environment variable",
                  "", R"(write names alone: "environment": ["CUDA_VISIBLE_DEVICES"])");
  RenderQuestion render = renderer_of(rendered_, services);
  // What the arena only tries out must not cost anything outside.
  if (services.dry_run) return;
  Program program;
  program.command = params.command;
  program.folder = services.folder;
  program.variables = params.environment;
  program.per_match = params.per_match;
  program.start = milliseconds(params.start_seconds);
  program.answer = milliseconds(params.answer_seconds);
  program.ping = milliseconds(params.ping_seconds);
  program.quit = milliseconds(params.quit_seconds);
  program.stop = services.stop;
  program.render = std::move(render);
  pool_ = std::make_unique<Pool>(std::move(program), params.options);
}

External::~External() = default;

std::vector<Access> External::accesses(const Params& params, const AgentServices& services) {
  return {{.kind = AccessKind::command,
           .command = params.command,
           .folder = std::string(services.folder),
           .variables = params.environment}};
}

void External::ask(OwnedQuestion question, Completion done) const {
  if (pool_ == nullptr) return done({.status = Fault::refused, .problem = "this is a dry run"});
  pool_->ask(std::move(question), std::move(done));
}

void External::match_ended(MatchEnding ending) const {
  if (pool_ != nullptr) pool_->match_ended(std::move(ending));
}

void External::match_over(const void* table) const noexcept {
  if (pool_ != nullptr) pool_->match_over(table);
}

void enter(Registry& registry) {
  registry.add(agent<External>(
      {.id = "external",
       .doc = "A program in any language, over JSON Lines on its standard input and output; see "
              "docs/external-agents.md. Try yours with 'agon check-agent'."}));
  registry.add(PluginCommand{
      .id = "check-agent",
      .doc = "test a program against the protocol of external agents",
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
