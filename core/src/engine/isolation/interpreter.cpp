#include "isolation/interpreter.hpp"

#include <unistd.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>

#include "process/environment.hpp"

namespace agon {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kQuestion =
    "import sys; print(sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, "
    "sys.base_exec_prefix, sep='\\n')";

std::string file_name(const fs::path& path) {
  return path.filename().string();
}

}  // namespace

bool is_python_interpreter(const fs::path& program) {
  const std::string name = file_name(program);
  return name.rfind("python", 0) == 0 &&
         name.find_first_not_of("0123456789.", 6) == std::string::npos;
}

Interpreter ask_python(const std::string& program) {
  const auto until = Process::Clock::now() + std::chrono::seconds(30);
  const auto patience = std::chrono::seconds(1);
  // By its full path: without PATH a Python does not know its own. The variables choose among the
  // Pythons of a machine, or one needs them to start.
  Process process({find_program(program), "-I", "-c", std::string(kQuestion)}, "",
                  kept_environment({"PATH", "HOME", "PYENV_ROOT", "PYENV_VERSION", "VIRTUAL_ENV",
                                    "CONDA_PREFIX", "LD_LIBRARY_PATH"}));
  Interpreter found;
  std::array<std::string, 4> prefixes;
  bool told = process.read(found.program, until, patience) == Process::Got::line;
  for (std::string& prefix : prefixes)
    told = told && process.read(prefix, until, patience) == Process::Got::line;
  if (!told || found.program.empty()) {
    process.wait(Process::Clock::now() + patience);
    throw Error(ErrorKind::not_found,
                "'" + program + "' does not start: " + process.fate() +
                    (process.complaints().empty() ? "" : ": " + process.complaints()),
                "", "see what '" + program + " --version' says");
  }
  found.readable.push_back(fs::weakly_canonical(found.program).string());
  for (const std::string& prefix : prefixes)
    // Not the whole prefix: it may be somebody's home.
    for (const char* part : {"bin", "lib", "lib64", "pyvenv.cfg"})
      if (const std::string path = fs::path(prefix) / part;
          fs::exists(path) &&
          std::find(found.readable.begin(), found.readable.end(), path) == found.readable.end())
        found.readable.push_back(path);
  return found;
}

std::string find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) return fs::absolute(program).string();
  const char* variable = std::getenv("PATH");
  const std::string path = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const fs::path file = fs::path(path.substr(at, end - at)) / program;
    if (access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file))
      return fs::absolute(file).string();
    at = end + 1;
  }
  throw Error(ErrorKind::not_found, "there is no program '" + program + "' in PATH", "",
              "install it, or write its full path");
}

}  // namespace agon
