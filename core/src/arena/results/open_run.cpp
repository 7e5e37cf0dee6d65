#include "results/open_run.hpp"

#include <agon/describe.hpp>
#include <algorithm>
#include <vector>

#include "describe/read.hpp"
#include "text/counted.hpp"
#include "text/shell.hpp"

namespace agon::report {
namespace {

// What is wanted of a run's manifest.
struct PlannedGame {
  std::string game;
};
AGON_DESCRIBE(PlannedGame, (game, "of a scenario"))
struct PlanOfRun {
  std::int64_t matches = 0;
  std::vector<PlannedGame> plan;
};
AGON_DESCRIBE(PlanOfRun, (matches, "to be played"), (plan, "by scenario"))
struct StopOfRun {
  std::optional<StopState> stop;
};
AGON_DESCRIBE(StopOfRun, (stop, "how far the stop rule came"))

std::string what_happened(const archive::RunRow& run) {
  if (!run.outcome) return "has not ended, or was killed";
  if (*run.outcome == "interrupted") return "was interrupted";
  if (*run.outcome == "moved")
    return "was stopped, as its archive was moved, removed or overwritten";
  if (*run.outcome == "budget") return "reached a cap";
  if (*run.outcome == "out-of-money") return "ran out of money";
  if (*run.outcome == "configuration") return "was stopped by a wrong key, endpoint or model";
  return "left matches unfinished";
}

/// As it was typed, with the archive's name where that followed from the suite's, or where it was
/// saved under another one: the name that was typed would begin anew, and pay for all of it again.
std::string resume(const archive::RunRow& run, const std::string& path) {
  auto words =
      read_recorded<std::vector<std::string>>(run.command).value_or(std::vector<std::string>{});
  for (auto word = words.begin(); run.outcome == "moved" && word != words.end();)
    if (*word == "--out" && word + 1 != words.end())
      word = words.erase(word, word + 2);
    else if (word->starts_with("--out="))
      word = words.erase(word);
    else
      ++word;
  if (std::none_of(words.begin(), words.end(), [](const std::string& word) {
        return word == "--out" || word.starts_with("--out=");
      }))
    words.insert(words.end(), {"--out", path});
  return text::shell_line(words);
}

}  // namespace

std::optional<StopState> last_stop(const archive::Archive& archive) {
  const auto runs = archive.runs();
  if (runs.empty()) return std::nullopt;
  // Of another version there may be none that this one reads.
  auto manifest = read_recorded<StopOfRun>(runs.back().manifest);
  if (!manifest || !manifest->stop) return std::nullopt;
  StopState& state = *manifest->stop;
  // Looks are written down when a run ends: what stands there until then is its beginning.
  if (!runs.back().outcome) {
    state.verdict =
        "not known how far it came: the run has not ended, or was killed before it wrote that "
        "down; the same command works it out again";
    state.looks.reset();
    state.agents.clear();
  }
  return std::move(state);
}

OpenRun open_run(const archive::Archive& archive, const std::string& path, std::string_view game) {
  const auto runs = archive.runs();
  // Of plays that older versions stored there may be no run.
  if (runs.empty() && archive.finished() > 0) return {};
  if (runs.empty())
    return {"no run has begun in this archive: what made it was stopped before that",
            "Give the same command again"};
  const archive::RunRow& run = runs.back();
  if (run.outcome && *run.outcome == "done") return {};
  const auto manifest = read_recorded<PlanOfRun>(run.manifest);
  if (!manifest) return {};  // not written by this version: there is nothing to say
  // Killed after its last match: nothing is missing.
  if (!run.outcome && runs.size() == 1 && archive.finished() >= manifest->matches) return {};
  if (!game.empty() && std::none_of(manifest->plan.begin(), manifest->plan.end(),
                                    [&](const auto& scenario) { return scenario.game == game; }))
    return {};
  return {"the last run, of " + text::counted(manifest->matches, "match", "matches") + ", " +
              what_happened(run) + "; the archive has " +
              text::counted(archive.finished(), "finished match", "finished matches"),
          (run.outcome == "budget" ? "With a higher cap, take it up again with: "
                                   : "Take it up again with: ") +
              resume(run, path)};
}

}  // namespace agon::report
