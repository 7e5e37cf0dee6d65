#include "external/external.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include "external/pool.hpp"

namespace agon::external {
namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(seconds * 1000)));
}

}  // namespace

External::External(const Params& params, const AgentServices& services)
    : probes_(params.probes), costly_(params.costly) {
  if (params.command.empty() || params.command.front().empty())
    throw Error(ErrorKind::invalid, "an external agent needs a command", "",
                R"(write "command": ["python3", "bot.py"])");
  for (const std::string& variable : params.environment)
    if (variable.empty() || variable.find_first_of("= \t\n") != std::string::npos)
      throw Error(ErrorKind::invalid, "'" + variable + "' is no name of an environment variable",
                  "", R"(write names alone: "environment": ["CUDA_VISIBLE_DEVICES"])");
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

}  // namespace agon::external
