// A match comes out the same in another process, and in a worker that is locked in: nothing of it
// hangs on where it is played, on what was played there before, or on what a process may reach.
#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "archive/archive.hpp"
#include "conformance/checks.hpp"
#include "conformance/difference.hpp"
#include "plugin/search_path.hpp"
#include "text/counted.hpp"
#include "text/shell.hpp"

namespace agon::conformance {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, removed in the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "agon-check-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::failure, "cannot make a folder", name,
                  "set TMPDIR to a folder that can be written");
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// What a child needs of the environment, and nothing else of it.
std::vector<std::string> environment() {
  std::vector<std::string> out;
  for (const char* name : {"PATH", "HOME", "TMPDIR", "AGON_PLUGIN_PATH"})
    if (const char* value = std::getenv(name); value != nullptr)
      out.push_back(std::string(name) + "=" + value);
  return out;
}

/// The record of a match that another process has played; else why there is none.
struct Elsewhere {
  std::string record;
  std::string problem;
};

Elsewhere play_elsewhere(const std::vector<std::string>& words, const fs::path& archive) {
  constexpr auto kPatience = std::chrono::seconds(60);
  Process child(words, "", environment());
  const Process::Clock::time_point until = Process::Clock::now() + kPatience;
  std::string line;
  while (child.read(line, until, kPatience) == Process::Got::line) {
  }
  if (!child.quit("", until)) return {"", "it did not end in a minute"};
  try {
    return {archive::Archive::open(archive).match(1).record, ""};
  } catch (const Error& error) {
    return {"", child.complaints().empty() ? error.problem() : child.complaints()};
  }
}

}  // namespace

Finding check_process(const Subject& subject) {
  /// Each is played twice in processes of its own, and once in a worker.
  constexpr std::size_t kMatches = 3;
  Finding finding{.check = "process", .tried = ""};
  const fs::path program = fs::path(plugin::program_folder()) / "agon";
  if (!fs::exists(program)) {
    finding.verdict = Verdict::skipped;
    finding.problem = "there is no program 'agon' beside this one";
    return finding;
  }
  const Scratch scratch;
  std::size_t matches = 0, plays = 0;
  for (const Played* played : subject.finished(2)) {
    if (matches == kMatches) break;
    // Nothing can be left of earlier matches in the first that was played here.
    if (played->casting.seed == subject.effort().seed) continue;
    ++matches;
    std::string first;
    for (const bool in_worker : {false, false, true}) {
      const fs::path archive = scratch.path() / fmt::format("{}.agon", ++plays);
      std::vector<std::string> words = subject.command_words(played->casting);
      words.insert(words.end(), {"--quiet", "--trust"});
      if (in_worker) {
        const auto isolate = std::find(words.begin(), words.end(), "--isolate");
        words.erase(isolate, isolate == words.end() ? isolate : isolate + 2);
        words.insert(words.end(), {"--isolate", "always"});
      }
      std::vector<std::string> run = words;
      run.front() = program.string();
      run.insert(run.end(), {"--out", archive.string()});
      Elsewhere elsewhere = play_elsewhere(run, archive);
      const bool is_second = !in_worker && !first.empty();
      const std::string& expected = is_second ? first : played->result.record;
      if (!in_worker && first.empty()) first = elsewhere.record;
      if (elsewhere.record == expected || finding.verdict == Verdict::fail) continue;
      finding.verdict = Verdict::fail;
      MatchResult other;
      other.record = std::move(elsewhere.record);
      other.shapes = played->result.shapes;
      finding.problem =
          std::string(in_worker   ? "in a worker"
                      : is_second ? "in one new process and in another"
                                  : "in a process of its own") +
          ", a match comes out otherwise: " +
          (elsewhere.problem.empty() ? first_difference(played->result, other) : elsewhere.problem);
      finding.command = text::shell_line(words);
      finding.mend =
          is_second
              ? "let all chance come from table.chance(): no dice, clock or address of its own"
              : "keep nothing between matches, and reach for nothing outside: no file, no variable";
    }
  }
  finding.tried =
      fmt::format("{}, {} in other processes, one in three in a worker",
                  text::counted(matches, "match", "matches"), text::counted(plays, "time"));
  return finding;
}

}  // namespace agon::conformance
