#pragma once

#include "command/command.hpp"
#include "results/scope.hpp"

namespace agon::command {

/// Options of commands that read the matches of an archive: --suite, --run, --all.
void add_scope_options(boost::program_options::options_description& options,
                       const std::string& otherwise);

/// What they say. Throws Error (usage) where they contradict one another.
[[nodiscard]] report::ScopeChoice scope_of(const Invocation& call);

}  // namespace agon::command
