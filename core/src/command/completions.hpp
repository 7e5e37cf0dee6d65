#pragma once

#include <span>
#include <string>
#include <vector>

#include "command/command.hpp"

namespace agon::command {

/// What the word at the cursor may become, for the completions of shells: a line each, the word,
/// and behind a tab what it means. `:files .agon` asks the shell for files of that ending, `:files`
/// for any, `:folders` for folders. `words`: those behind `agon`, the last of which is being typed.
[[nodiscard]] std::string completions(const std::vector<Command>& all,
                                      std::span<const std::string> words);

}  // namespace agon::command
