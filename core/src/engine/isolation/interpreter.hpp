#pragma once

#include <agon/export.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace agon {

/// A program that runs other people's scripts.
struct Interpreter {
  std::string program;                ///< full path; a link of a virtual environment stays one
  std::vector<std::string> readable;  ///< its modules and libraries
};

/// True for "python3", "/opt/bin/python3.12".
[[nodiscard]] bool is_python_interpreter(const std::filesystem::path& program);

/// Asks a Python where it is: what PATH finds may be a script that chooses one (pyenv), and a
/// virtual environment is a link and a file beside it. Throws Error (not_found) if it does not
/// start.
[[nodiscard]] Interpreter ask_python(const std::string& program);

/// Full path of a program: itself if it has a '/', else what PATH finds. Throws Error (not_found).
[[nodiscard]] AGON_API std::string find_program(const std::string& program);

}  // namespace agon
