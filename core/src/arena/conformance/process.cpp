// A match comes out the same in another process, and in a worker that is locked in: nothing of it
// hangs on where it is played, on what was played there before, or on what a process may reach.
#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>

#include "archive/archive.hpp"
#include "archive/scratch_folder.hpp"
#include "conformance/checks.hpp"
#include "conformance/difference.hpp"
#include "isolation/lock_support.hpp"
#include "plugin/search_path.hpp"
#include "process/environment.hpp"
#include "text/counted.hpp"
#include "text/shell.hpp"

namespace agon::conformance {
namespace {

namespace fs = std::filesystem;

/// The record of a match that another process has played; else why there is none.
struct Elsewhere {
  std::string record{};
  std::string problem{};
  bool is_late = false;  ///< it took too long, as it may on a crowded machine
};

Elsewhere play_elsewhere(const std::vector<std::string>& words, const fs::path& archive) {
  constexpr auto kPatience = std::chrono::seconds(60);
  Process child(words, "", kept_environment({"PATH", "HOME", "TMPDIR", "AGON_PLUGIN_PATH"}));
  const Process::Clock::time_point until = Process::Clock::now() + kPatience;
  std::string line;
  while (child.read(line, until, kPatience) == Process::Got::line) {
  }
  if (!child.quit("", until)) return {.is_late = true};
  try {
    return {.record = archive::Archive::open(archive).match(1).record};
  } catch (const Error& error) {
    return {.problem = child.complaints().empty() ? error.problem() : child.complaints()};
  }
}

/// The command that plays it, in a worker or as the user has it.
std::vector<std::string> words_of(const Subject& subject, const Played& played, bool in_worker) {
  std::vector<std::string> words = subject.command_words(played.casting);
  words.insert(words.end(), {"--quiet", "--trust"});
  if (!in_worker) return words;
  const auto isolate = std::find(words.begin(), words.end(), "--isolate");
  words.erase(isolate, isolate == words.end() ? isolate : isolate + 2);
  words.insert(words.end(), {"--isolate", "always"});
  return words;
}

}  // namespace

Finding check_process(const Subject& subject) {
  /// Each is played twice in processes of its own, and once in a worker.
  constexpr std::size_t kMatches = 3;
  Finding finding{.check = "process", .tried = ""};
  const fs::path program = plugin::program_folder() / "agon";
  if (!fs::exists(program)) {
    finding.verdict = Verdict::skipped;
    finding.problem = "there is no program 'agon' beside this one";
    return finding;
  }
  const bool can_lock = gaps_of(lock_support_of_machine()).empty();
  const archive::ScratchFolder scratch("agon-check");
  std::size_t matches = 0, plays = 0;
  for (const Played* played : subject.finished(2)) {
    if (matches == kMatches) break;
    // Nothing can be left of earlier matches in the first that was played here.
    if (played->casting.seed == subject.effort().seed) continue;
    ++matches;
    const auto elsewhere = [&](bool in_worker) {
      const fs::path archive = scratch.path() / fmt::format("{}.agon", ++plays);
      std::vector<std::string> words = words_of(subject, *played, in_worker);
      words.front() = program.string();
      words.insert(words.end(), {"--out", archive.string()});
      return play_elsewhere(words, archive);
    };
    const auto blame = [&](const std::string& where, const Elsewhere& other, bool in_worker,
                           std::string_view mend) {
      if (finding.verdict == Verdict::fail) return;
      finding.verdict = Verdict::fail;
      MatchResult result;
      result.record = other.record;
      result.shapes = played->result.shapes;
      finding.problem =
          where + ", a match comes out otherwise: " +
          (other.problem.empty() ? first_difference(played->result, result) : other.problem);
      finding.command = text::shell_line(words_of(subject, *played, in_worker));
      finding.mend = mend;
    };
    const std::string& here = played->result.record;
    const Elsewhere first = elsewhere(false), second = elsewhere(false);
    const Elsewhere worker = can_lock ? elsewhere(true) : Elsewhere{.record = here};
    if (first.is_late || second.is_late || worker.is_late) {
      finding.verdict = finding.verdict == Verdict::fail ? Verdict::fail : Verdict::skipped;
      if (finding.problem.empty())
        finding.problem = "in a process of its own, a match did not end in a minute";
    } else if (first.record != second.record)
      blame("in one new process and in another", first.record == here ? second : first, false,
            "let all chance come from table.chance(): no dice, clock or address of its own");
    else if (first.record != here)
      blame("in a process of its own", first, false, "keep nothing between matches");
    else if (worker.record != here)
      blame("in a worker", worker, true, "reach for nothing outside: no file, no variable");
  }
  finding.tried = fmt::format(
      "{}, {} in other processes, {}", text::counted(matches, "match", "matches"),
      text::counted(plays, "time"),
      can_lock ? "one in three in a worker" : "none in a worker: this machine cannot lock it in");
  return finding;
}

}  // namespace agon::conformance
