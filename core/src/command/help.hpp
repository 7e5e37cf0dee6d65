#pragma once

#include <agon/plugin_command.hpp>
#include <span>
#include <string>
#include <vector>

#include "command/command.hpp"

namespace agon::command {

/// What `agon --help` prints: every command in a line, those of plugins too.
[[nodiscard]] std::string usage(const std::vector<Command>& all,
                                const std::vector<const PluginCommand*>& of_plugins);
/// What `agon COMMAND --help` prints.
[[nodiscard]] std::string help(const Command& command);
/// The same for a command of a plugin. The first paragraph of its usage goes into the first line,
/// the others below what it does.
[[nodiscard]] std::string help(const PluginCommand& command);

/// The manual page agon(1), in roff with the macros of man(7): all commands, out of the tables that
/// --help prints.
[[nodiscard]] std::string manual(const std::vector<Command>& all,
                                 const std::vector<const PluginCommand*>& of_plugins);

/// What the word at the cursor may become, for the completions of shells: a line each, the word,
/// and behind a tab what it means. `:files .agon` asks the shell for files of that ending, `:files`
/// for any, `:folders` for folders. `words`: those behind `agon`, the last of which is being typed.
[[nodiscard]] std::string completions(const std::vector<Command>& all,
                                      std::span<const std::string> words);

}  // namespace agon::command
