#include "external/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace agon::external {
namespace {

namespace fs = std::filesystem;

// clang-format off
constexpr std::array<std::string_view, 36> kUsual{
    // who and where
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TMP", "TEMP",
    // language and time
    "LANG", "LANGUAGE", "TZ",
    // where libraries and interpreters find what is theirs
    "LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME", "NODE_PATH",
    "JAVA_HOME", "CLASSPATH", "RUBYLIB", "GEM_HOME", "GEM_PATH", "PERL5LIB", "R_HOME", "R_LIBS",
    "R_LIBS_USER", "JULIA_DEPOT_PATH", "JULIA_LOAD_PATH", "DOTNET_ROOT", "GOROOT", "GOPATH",
    "CARGO_HOME", "RUSTUP_HOME", "LUA_PATH", "LUA_CPATH"};
// clang-format on

/// What ships with Agon under this name; empty if it did not ship.
std::string shipped(std::string_view name) {
  std::error_code none;
  const auto program = fs::read_symlink("/proc/self/exe", none);
  const auto file = program.parent_path().parent_path() / "share" / "agon" / name;
  return fs::exists(file, none) ? file.string() : std::string();
}

bool is_usual(std::string_view name) {
  return name.starts_with("LC_") || std::find(kUsual.begin(), kUsual.end(), name) != kUsual.end();
}

}  // namespace

std::vector<std::string> child_environment(const std::vector<std::string>& variables) {
  std::vector<std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (is_usual(name) || std::find(variables.begin(), variables.end(), name) != variables.end())
      environment.emplace_back(text);
  }
  // Where agon.py is, so that `import agon` finds it in any program.
  if (const std::string folder = shipped("python"); !folder.empty()) {
    // Behind what is there: somebody else's module of that name is theirs.
    const auto own = std::find_if(environment.begin(), environment.end(), [](const auto& entry) {
      return entry.starts_with("PYTHONPATH=");
    });
    if (own == environment.end())
      environment.push_back("PYTHONPATH=" + folder);
    else
      *own += ":" + folder;
  }
  return environment;
}

std::vector<std::string> found_command(std::vector<std::string> command, const fs::path& folder) {
  for (std::string& word : command) {
    std::error_code none;
    if (!word.starts_with("agents/external/samples/") || fs::exists(folder / word, none)) continue;
    if (std::string file = shipped(word); !file.empty()) word = std::move(file);
  }
  return command;
}

}  // namespace agon::external
