#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agon::external {

/// The environment of a program that plays, as NAME=VALUE: what programs and interpreters need to
/// start and to speak the user's language, and `variables`, as far as they are set. Nothing else,
/// since a key may be in any other. docs/external-agents.md has the list. PYTHONPATH ends with the
/// folder of agon.py.
[[nodiscard]] std::vector<std::string> child_environment(const std::vector<std::string>& variables);

/// The command with the samples where Agon was installed: a word agents/external/samples/X that is
/// not in the folder, which the program runs in, becomes the path of the sample that ships.
[[nodiscard]] std::vector<std::string> found_command(std::vector<std::string> command,
                                                     const std::filesystem::path& folder);

}  // namespace agon::external
