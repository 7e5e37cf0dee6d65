#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lock_test {

/// Skips the test on a machine that cannot lock.
void require_support();
/// And under a sanitizer, whose own calls and memory come into what is tried.
void require_lock();

/// How a process ended, and what it said.
struct Ended {
  std::string out;  ///< without the last line break
  std::string err;
  int signal = 0;    ///< that ended it; 0: none
  std::string fate;  ///< in words
};

/// Runs a program to its end, with an empty environment.
Ended run(const std::vector<std::string>& words);

/// The helper `act` at work in a process that locked itself in: `where` is "loading" or "playing".
Ended act_as_plugin(const std::string& where, const std::string& what,
                    const std::string& argument = {});
/// The same, started by `agon-worker program` with `memory` MiB.
Ended act_as_program(const std::string& what, const std::string& argument = {},
                     const std::vector<std::string>& readable = {}, int memory = 128);

/// A folder of its own for one test, removed in the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  /// Of a file in it; of itself without a name.
  [[nodiscard]] std::string path(const std::string& name = {}) const;
  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

/// A file that everybody may read, and no game.
std::string secret_file();

}  // namespace lock_test
