#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <string>

#include "command/command.hpp"
#include "run/jobs.hpp"
#include "run/runner.hpp"

namespace agon::command {

/// Tells what went wrong on standard error and, with `json`, on standard output too. Returns the
/// exit code.
AGON_API int tell_failure(const std::exception_ptr& failure, bool json);

/// Does `work` while signals only ask it to stop; agents hear of that too. `work` calls begin() of
/// the interrupt once matches are played. What fails before because somebody wants to stop is no
/// failure: the exit code is 130 then, and a line says how to begin again.
int interruptible(Invocation& call, const std::function<int(const Interrupt& interrupt)>& work);

/// What a run came to, for people, over one or two lines.
[[nodiscard]] std::string describe_run(const RunSummary& summary, const std::string& archive);

/// Why the first fallback of an agent was played. What a program printed keeps its lines, indented.
[[nodiscard]] std::string first_fallback(const RunSummary::Fallbacks& one);

/// That an agent was not asked for what it was given, in a line for people.
[[nodiscard]] std::string describe_unasked(const UnaskedStage& one);

/// The exit code of a run; says on standard error what to do next: how to take it up again with
/// `resume` (empty: nothing of that), or what `next` to look at.
[[nodiscard]] int exit_code(const RunSummary& summary, const std::string& resume,
                            const std::string& next);

/// Looks at what the agents of a suite need, and tells on standard error what is wrong. Throws
/// Error (preflight) if something is, or once `stop` is true. `longest_prompt`: in tokens; 0: not
/// known.
void check_before_run(const Suite& suite, const std::atomic<bool>& stop,
                      std::int64_t longest_prompt = 0);

/// The agents that met a finding, for people: "floor and 7 more".
[[nodiscard]] std::string who_met(const std::vector<std::string>& agents);

/// Tokens of the longest prompt that a dry run of a few matches meets; 0 if no model is called.
/// `dry`: the suite, read with dry_run.
[[nodiscard]] std::int64_t longest_prompt(const Suite& dry, const Catalogue& catalogue);

}  // namespace agon::command
