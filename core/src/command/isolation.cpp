#include "command/isolation.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <chrono>

#include "describe/enumeration.hpp"
#include "isolation/lock_support.hpp"
#include "plugin/search_path.hpp"
#include "text/nearest.hpp"

namespace agon::command {

Isolate read_isolate(const std::string& option) {
  if (const auto when = value_named<Isolate>(option)) return *when;
  throw Error(ErrorKind::usage, "--isolate is auto, always or never, not '" + option + "'" +
                                    text::did_you_mean(option, names_of<Isolate>()));
}

void require_possible(const Isolation& isolation) {
  if (isolation.when != Isolate::always) return;
  const std::vector<std::string> gaps = gaps_of(lock_support_of_machine());
  if (gaps.empty()) return;
  throw Error(ErrorKind::preflight,
              fmt::format("this machine cannot lock games in: {}", fmt::join(gaps, "; ")), "",
              "allow it (in a container: its seccomp profile), or play with --isolate auto, which "
              "locks what can be locked");
}

std::string problem_of_lock() {
  using namespace std::chrono_literals;
  const std::string program =
      (plugin::program_folder() / ".." / "lib" / "agon" / "agon-worker").string();
  try {
    Process process({program, "try"}, "", {});
    std::string line;
    const auto until = Process::Clock::now() + 20s;
    if (process.read(line, until, 1s) != Process::Got::line || line != "locked") {
      process.kill();
      return "it did not come to play" + process.last_words();
    }
    const std::optional<int> own = filters_in_force(getpid());
    const std::optional<int> there = filters_in_force(process.id());
    if (own && there && *there != *own + filters_of_locked(true))
      return fmt::format("it has {} filters of system calls and not {}", *there - *own,
                         filters_of_locked(true));
    process.quit("", until);
    if (process.complaints().find("the call 'socket' is not allowed") == std::string::npos)
      return "it could open a connection: " + process.fate();
  } catch (const Error& error) {
    return error.problem();
  }
  return {};
}

}  // namespace agon::command
