#pragma once

#include <sys/types.h>

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace agon {

/// Which plugins are played in processes of their own.
enum class Isolate : std::uint8_t { automatic, always, never };
AGON_DESCRIBE_ENUM(Isolate, (automatic, "all but those that come with Agon", "auto"),
                   (always, "those that come with Agon too"),
                   (never, "none: their code is trusted"))

/// What game code in a process of its own may take before its match is a fault of the game.
struct ProcessLimits {
  double silence = 10;
  double processor = 60;
  int memory = 1024;
  std::optional<int> total_memory;
  int questions = 1'000'000;
  int output = 64;
};
AGON_DESCRIBE(ProcessLimits,
              (silence, "longest time without a message while it is the game's turn",
               agon::unit("seconds"), agon::range(0.01, 86400)),
              (processor, "processor time for one match", agon::unit("seconds"),
               agon::range(0.01, 86400)),
              (memory, "memory of the process", agon::unit("MiB"), agon::range(64, 1048576)),
              (total_memory, "memory of all these processes together; half of the machine's",
               agon::unit("MiB"), agon::range(64, 1048576)),
              (questions, "questions of one match", agon::range(1, 1000000)),
              (output, "what it may say of one match, answers, events and standard error together",
               agon::unit("MiB"), agon::range(1, 1024)))

/// How the code of plugins is kept apart from the arena.
struct Isolation {
  Isolate when = Isolate::automatic;
  ProcessLimits limits;
};
AGON_DESCRIBE(Isolation, (when, "whose games are played in processes of their own"),
              (limits, "of each of these processes"))

/// Memory of this machine that this process may use, in MiB: what there is, or what the control
/// groups that it is in leave of it. 0 where the system does not say. `root`: of the file system.
[[nodiscard]] AGON_API std::int64_t memory_of_machine(const std::filesystem::path& root = "/");

/// What all processes of plugins together may take, in MiB: as asked for, or half of the machine's,
/// but as much as one of them may at least.
[[nodiscard]] AGON_API std::int64_t total_memory_of(const ProcessLimits& limits);

/// What this machine can lock a process in with.
struct LockSupport {
  bool seccomp = false;  ///< system calls are filtered
  int landlock = 0;      ///< ABI of Landlock, which keeps files from it; 0: there is none
};

/// Asks the system; changes nothing.
[[nodiscard]] AGON_API LockSupport lock_support_of_machine();

/// How many filters of system calls a process has, as the system says; nothing where it does not.
[[nodiscard]] AGON_API std::optional<int> filters_in_force(pid_t process);

/// How many more of them a process of a plugin has than this one, once it is locked in: `loads` a
/// library itself, or became another program. 0 where the machine takes none.
[[nodiscard]] AGON_API int filters_of_locked(bool loads);

/// What stays open without what is missing: a sentence each, for people. Empty where all is there.
[[nodiscard]] AGON_API std::vector<std::string> gaps_of(const LockSupport& support);

/// Keeps the memory of this process from core files, which would hold its keys, and from what other
/// programs of the same user read under /proc.
AGON_API void keep_memory_to_itself();

/// Moves the environment to where no other program finds it: what the system shows of it under
/// /proc, to root too, is the place that it came in, which is emptied. The memory is kept to this
/// process. Before there is a second thread.
AGON_API void hide_environment();

/// Those of the variables that are set here, as NAME=VALUE: what a program that is started keeps of
/// the environment.
[[nodiscard]] AGON_API std::vector<std::string> kept_environment(
    std::initializer_list<const char*> names);

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

/// What stands in front of a plugin's files: `agon-worker plugin --memory ...`, with full path.
[[nodiscard]] AGON_API std::vector<std::string> worker_words(const ProcessLimits& limits);

/// The words that start a program locked in: `agon-worker program ... -- words`. It reads
/// `readable` (files, and folders with all below), itself, and what programs need of the system. A
/// Python is looked up first, so that what is started is the interpreter itself and not a script
/// that chooses one, and so that it reads its own modules. Throws Error (not_found) where there is
/// no such program.
[[nodiscard]] AGON_API std::vector<std::string> locked_program(
    std::vector<std::string> words, const std::vector<std::string>& readable,
    const ProcessLimits& limits);

}  // namespace agon
