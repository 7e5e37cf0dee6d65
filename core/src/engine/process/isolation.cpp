#include "process/isolation.hpp"

#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "plugin/search_path.hpp"
#include "process/sanitized.hpp"

namespace agon {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// The number that a text begins with; unlimited if there is none ("max").
std::int64_t leading_number(std::string_view text) {
  std::int64_t number = kUnlimited;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::int64_t total_of_system(const fs::path& root) {
  std::ifstream file(root / "proc/meminfo");
  constexpr std::string_view kName = "MemTotal:";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kName)) return leading_number(line.substr(kName.size())) << 10;
  return 0;
}

/// The least that the group's file and those of the groups above it say, in bytes. In a container
/// the group may be named as it is outside; then the top of what is there speaks.
std::int64_t least_of_groups(const fs::path& top, const fs::path& group, const char* name) {
  std::int64_t least = kUnlimited;
  for (fs::path at = group.relative_path();; at = at.parent_path()) {
    std::string line;
    if (std::ifstream file(top / at / name); std::getline(file, line))
      least = std::min(least, leading_number(line));
    if (at.empty()) return least;
  }
}

}  // namespace

std::int64_t memory_of_machine(const fs::path& root) {
  std::int64_t bytes = total_of_system(root);
  if (bytes == 0) return 0;
  // "0::/user.slice" of version 2, "4:cpu,memory:/user.slice" of version 1.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1), top = root / "sys/fs/cgroup";
    if (kinds == ",,")
      bytes = std::min(bytes, least_of_groups(top, group, "memory.max"));
    else if (kinds.find(",memory,") != std::string::npos)
      bytes = std::min(bytes, least_of_groups(top / "memory", group, "memory.limit_in_bytes"));
  }
  return bytes >> 20;
}

std::int64_t total_memory_of(const ProcessLimits& limits) {
  if (limits.total_memory) return *limits.total_memory;
  return std::max<std::int64_t>(memory_of_machine() / 2, limits.memory);
}

LockSupport lock_support_of_machine() {
  LockSupport support;
  // A filter that cannot be read is refused as such (EFAULT) only where filters are taken at all.
  support.seccomp =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr) == -1 && errno == EFAULT;
  const long abi =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  support.landlock = static_cast<int>(std::max(abi, 0L));
  return support;
}

std::optional<int> filters_in_force(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  constexpr std::string_view kName = "Seccomp_filters:";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(kName)) return std::atoi(line.c_str() + kName.size());
  return std::nullopt;
}

int filters_of_locked(bool loads) {
  if (!lock_support_of_machine().seccomp) return 0;
  return loads ? 3 : 1;
}

std::vector<std::string> gaps_of(const LockSupport& support) {
  std::vector<std::string> gaps;
  if (!support.seccomp)
    gaps.emplace_back(
        "no system call is refused here (seccomp is missing or refused): code of plugins in "
        "processes of their own can open connections and start programs");
  if (support.landlock == 0)
    gaps.emplace_back(
        "no file is hidden here (Landlock is missing or refused): programs that play, and plugins "
        "while they are loaded, can read what you can read");
  return gaps;
}

void keep_memory_to_itself() {
  // What searches for leaks looks from outside.
  if (!kSanitized) prctl(PR_SET_DUMPABLE, 0);
  rlimit limit{};
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &limit);
}

void hide_environment() {
  // First: a key is in it whether an agent reads one or not.
  keep_memory_to_itself();
  // They are the environment from now on, for as long as there is this process.
  static auto& entries = *new std::vector<std::string>;
  static auto& places = *new std::vector<char*>;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
    explicit_bzero(*entry, std::strlen(*entry));
  }
  for (std::string& entry : entries) places.push_back(entry.data());
  places.push_back(nullptr);
  environ = places.data();
}

std::vector<std::string> kept_environment(std::initializer_list<const char*> names) {
  std::vector<std::string> entries;
  for (const char* name : names)
    if (const char* value = std::getenv(name)) entries.push_back(std::string(name) + "=" + value);
  return entries;
}

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

namespace {

std::vector<std::string> worker(const std::string& mode, const ProcessLimits& limits) {
  return {(plugin::program_folder() / ".." / "lib" / "agon" / "agon-worker").string(), mode,
          "--memory", std::to_string(limits.memory)};
}

}  // namespace

std::vector<std::string> worker_words(const ProcessLimits& limits) {
  return worker("plugin", limits);
}

std::vector<std::string> locked_program(std::vector<std::string> words,
                                        const std::vector<std::string>& readable,
                                        const ProcessLimits& limits) {
  std::vector<std::string> locked = worker("program", limits);
  const auto let_read = [&](const std::string& path) {
    locked.insert(locked.end(), {"--read", path});
  };
  if (is_python_interpreter(words.front())) {
    const Interpreter python = ask_python(words.front());
    words.front() = python.program;
    for (const std::string& path : python.readable) let_read(path);
  } else {
    words.front() = find_program(words.front());
    let_read(words.front());
  }
  for (const std::string& path : readable) let_read(path);
  locked.emplace_back("--");
  locked.insert(locked.end(), words.begin(), words.end());
  return locked;
}

}  // namespace agon
