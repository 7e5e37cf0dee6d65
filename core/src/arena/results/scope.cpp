#include "results/scope.hpp"

#include <fmt/format.h>

#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "archive/added_metrics.hpp"
#include "archive/archive.hpp"
#include "archive/export/cell.hpp"
#include "describe/read.hpp"
#include "describe/value.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

using Suites = std::map<std::int64_t, archive::SuiteRow>;

/// The suite's name, with its seed, and the beginning of its digest where others share both.
std::string words_of(const Suites& suites, std::int64_t number) {
  const archive::SuiteRow& suite = suites.at(number);
  if (suite.digest == archive::digest_of_plays()) return "played by hand";
  const bool shared = std::any_of(suites.begin(), suites.end(), [&](const auto& other) {
    return other.first != number && other.second.name == suite.name &&
           other.second.seed == suite.seed;
  });
  std::string words = fmt::format("suite '{}' (seed {}", text::printable(suite.name), suite.seed);
  if (shared)
    words += suite.digest ? ", version " + hash::hex(*suite.digest).substr(0, 6)
                          : ", as an older version of Agon stored it";
  return words + ")";
}

std::string list_of(const Suites& suites, const std::vector<std::int64_t>& numbers) {
  return text::joined(numbers, "; ", [&](std::int64_t number) {
    return fmt::format("{}: {}", number, words_of(suites, number));
  });
}

std::vector<std::int64_t> all_of(const Suites& suites) {
  std::vector<std::int64_t> numbers;
  for (const auto& [number, suite] : suites) numbers.push_back(number);
  return numbers;
}

std::int64_t chosen_suite(const archive::Archive& archive, const Suites& suites,
                          const std::string& asked) {
  if (const auto number = text::number_in<std::int64_t>(asked); number && suites.contains(*number))
    return *number;
  std::vector<std::int64_t> found;
  std::vector<std::string> names;
  for (const auto& [number, suite] : suites) {
    if (suite.name == asked) found.push_back(number);
    names.push_back(suite.name);
  }
  constexpr std::size_t shortest = 4;
  if (found.empty() && asked.size() >= shortest)
    for (const auto& [number, suite] : suites)
      if (suite.digest && hash::hex(*suite.digest).starts_with(asked)) found.push_back(number);
  const std::string file = archive.path().string();
  if (found.size() > 1)
    throw Error(ErrorKind::usage,
                fmt::format("'{}' stands for {} suites here", asked, found.size()), file,
                "give the number of one: " + list_of(suites, found));
  if (!found.empty()) return found.front();
  if (suites.empty())
    throw Error(ErrorKind::not_found, "it is not known which suites asked for these matches", file,
                "leave --suite out; running a suite again notes what is its own");
  throw Error(ErrorKind::not_found,
              "there is no suite '" + asked + "'" + text::did_you_mean(asked, names), file,
              "there are " + list_of(suites, all_of(suites)));
}

const archive::RunRow& chosen_run(const archive::Archive& archive,
                                  const std::vector<archive::RunRow>& runs,
                                  const std::string& asked) {
  const auto number = text::number_in<std::int64_t>(asked);
  const auto at = std::find_if(runs.begin(), runs.end(),
                               [&](const archive::RunRow& run) { return run.number == number; });
  const std::string file = archive.path().string();
  if (at == runs.end())
    throw Error(ErrorKind::not_found, "there is no run '" + asked + "'", file,
                runs.empty() ? "no run is recorded here"
                             : fmt::format("the runs are numbered 1 to {}", runs.back().number));
  if (!at->suite_number)
    throw Error(ErrorKind::not_found,
                fmt::format("it is not known what run {} asked for: it was stored by an older "
                            "version of Agon",
                            asked),
                file, "leave --run out; running its suite again notes what is its own");
  return *at;
}

struct RecordedVersions {
  std::optional<std::string> agon;
};
AGON_DESCRIBE(RecordedVersions, (agon, "that played"))

/// Of Agon; empty where the run does not say it.
std::string version_of(const archive::RunRow& run) {
  const auto versions = read_recorded<RecordedVersions>(run.versions);
  return versions ? versions->agon.value_or("") : std::string();
}

/// Of the runs of this suite; 0: of all.
SourceRuns source_runs(const std::vector<archive::RunRow>& runs, std::int64_t suite) {
  SourceRuns source;
  constexpr std::size_t day = 10;  // of "2026-11-20T12:34:56.789Z"
  for (const archive::RunRow& run : runs) {
    if (suite > 0 && run.suite_number != suite) continue;
    if (source.started.empty()) source.started = archive::utc(run.started).substr(0, day);
    source.ended = run.ended ? archive::utc(*run.ended).substr(0, day) : std::string();
    if (const auto version = version_of(run);
        !version.empty() && std::ranges::find(source.versions, version) == source.versions.end())
      source.versions.push_back(version);
    if (const auto words = read_recorded<std::vector<std::string>>(run.command);
        words && !words->empty())
      source.command = text::shell_line(*words);
  }
  return source;
}

}  // namespace

std::string Scope::what() const {
  if (all) return also_here.size() < 2 ? "" : "Everything that is here, of several suites.";
  if (pooled)
    return "An older version of Agon, which did not note the suites that asked for its matches, "
           "stored them: all are counted together. Running a suite again, which plays nothing that "
           "is there, notes what is its own.";
  if (!suite) return {};
  if (run > 0) return fmt::format("What run {} of {} played, or found played.", run, suite->name);
  return also_here.empty() ? "" : fmt::format("This is {}.", suite->name);
}

std::string Scope::others() const {
  if (also_here.empty()) return {};
  std::string list;
  for (const SuiteHere& other : also_here) {
    list += fmt::format("{}{} {}", list.empty() ? "" : "; ",
                        text::counted(other.matches, "match", "matches"),
                        other.number == 0                ? "that older versions of Agon stored"
                        : other.name == "played by hand" ? other.name
                                                         : "of " + other.name);
    if (!all && other.shared > 0) list += fmt::format(", {} of them shared", other.shared);
    if (other.number > 0) list += fmt::format(": --suite {}", other.number);
  }
  return (all ? "Here are " : "Also here: ") + list + (all ? "." : ". Everything: --all-suites.");
}

void add_metrics(archive::Archive& archive, const std::string& file) {
  archive.add(std::make_shared<archive::AddedMetrics>(archive::AddedMetrics::read(file)));
}

Narrowed narrow(archive::Archive& archive, const ScopeChoice& choice) {
  if (!choice.metrics.empty()) add_metrics(archive, choice.metrics);
  Narrowed scope;
  const auto runs = archive.runs();
  const Suites suites = archive.suites();
  std::optional<std::int64_t> asked;
  if (!choice.run.empty()) {
    const archive::RunRow& run = chosen_run(archive, runs, choice.run);
    asked = run.suite_number;
    scope.run = run.number;
  } else if (!choice.suite.empty()) {
    asked = chosen_suite(archive, suites, choice.suite);
  } else if (choice.all) {
    scope.all = true;
  } else if (!runs.empty()) {
    asked = runs.back().suite_number;
    scope.pooled = !asked;
  }
  if (asked && !suites.contains(*asked)) archive.damaged("a run refers to a missing suite");
  scope.runs = source_runs(runs, asked.value_or(0));

  std::map<std::int64_t, archive::Selection> held;  // by suite; 0: not known
  for (const auto& [number, suite] : suites) held[number] = archive.asked_by(number);
  held[0] = archive.asked_by_nobody();
  const archive::Selection chosen =
      asked ? archive.asked_by(*asked, scope.run) : archive::Selection{};
  std::map<std::int64_t, SuiteHere> here;
  archive.matches().numbers([&](std::int64_t match) {
    for (const auto& [number, selection] : held) {
      if (!selection.matches.has(match)) continue;
      ++here[number].matches;
      if (!asked || chosen.matches.has(match)) ++here[number].shared;
    }
  });
  for (auto& [number, suite] : here) {
    suite.number = number;
    suite.name = number == 0 ? "not known" : words_of(suites, number);
    // What has nothing of its own is no other suite, but a part of this one.
    const bool is_other = number != asked && (!asked || suite.shared < suite.matches);
    if (is_other && !scope.pooled) scope.also_here.push_back(suite);
  }
  if (!asked) {
    scope.warnings = changed_files(archive, runs);
    if (scope.all)
      for (Warning& warning : background_warnings(archive, held))
        scope.warnings.push_back(std::move(warning));
    return scope;
  }
  scope.suite = here[*asked];
  scope.suite->number = *asked;
  scope.suite->name = words_of(suites, *asked);
  archive.narrow(chosen);
  std::vector<std::int64_t> shares;
  for (const auto& [number, suite] : here)
    if (number != *asked && suite.shared > 0) shares.push_back(number);
  scope.warnings = run_warnings(archive, runs, *asked, shares);
  return scope;
}

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
  if (!run.status) return "has not ended, or was killed";
  if (*run.status == "interrupted") return "was interrupted";
  if (*run.status == "moved")
    return "was stopped, as its archive was moved, removed or overwritten";
  if (*run.status == "budget") return "reached a cap";
  if (*run.status == "out-of-money") return "ran out of money";
  if (*run.status == "configuration") return "was stopped by a wrong key, endpoint or model";
  return "left matches unfinished";
}

/// As it was typed, with the archive's name where that followed from the suite's, or where it was
/// saved under another one: the name that was typed would begin again, and pay for all of it again.
/// What grows in the folder of --work is found there by the words as they are.
std::string resume(const archive::RunRow& run, const std::string& path) {
  auto words =
      read_recorded<std::vector<std::string>>(run.command).value_or(std::vector<std::string>{});
  if (words.empty()) return "the call that began it";  // of another program, such as a notebook
  auto without = text::without_options(words, {"--out", "--work"});
  const bool names_place = without.size() < words.size() && run.status != "moved";
  if (!names_place) {
    words = std::move(without);
    words.insert(words.end(), {"--out", path});
  }
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
  if (!runs.back().status) {
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
  if (runs.empty() && archive.matches().count() > 0) return {};
  if (runs.empty())
    return {"no run has begun in this archive: what made it was stopped before that",
            "Give the same command again"};
  const archive::RunRow& run = runs.back();
  if (run.status && *run.status == "done") return {};
  const auto manifest = read_recorded<PlanOfRun>(run.manifest);
  if (!manifest) return {};  // not written by this version: there is nothing to say
  // Killed after its last match: nothing is missing.
  if (!run.status && runs.size() == 1 && archive.matches().count() >= manifest->matches) return {};
  if (!game.empty() && std::none_of(manifest->plan.begin(), manifest->plan.end(),
                                    [&](const auto& scenario) { return scenario.game == game; }))
    return {};
  return {"the last run, of " + text::counted(manifest->matches, "match", "matches") + ", " +
              what_happened(run) + "; the archive has " +
              text::counted(archive.matches().count(), "finished match", "finished matches"),
          (run.status == "budget" ? "With a higher cap, take it up again with: "
                                  : "Take it up again with: ") +
              resume(run, path)};
}

namespace {

struct WishOfReport {
  std::optional<std::string> reference;
  std::optional<double> level;
  std::optional<std::string> aggregate;
};
AGON_DESCRIBE(WishOfReport, (reference, "the reference agent", formerly("against")),
              (level, "of intervals"),
              (aggregate, "over games; its name may be one of another version"))

struct WishOfFaults {
  std::optional<std::string> policy;
};
AGON_DESCRIBE(WishOfFaults, (policy, "for forced answers; its name may be one of another version"))

struct WishesOfSuite {
  std::optional<WishOfReport> report;
  std::optional<WishOfFaults> faults;
};
AGON_DESCRIBE(WishesOfSuite, (report, "what reports say"), (faults, "how forced answers count"))

}  // namespace

SuiteWishes suite_wishes(const archive::Archive& archive) {
  SuiteWishes said;
  const auto runs = archive.runs();
  if (runs.empty() || !runs.back().suite_file) return said;
  const auto text = archive.content(*runs.back().suite_file);
  if (!text || text->empty()) return said;
  // A run without a suite file says so in its own words.
  const auto suite = read_recorded<WishesOfSuite>(*text);
  if (!suite) return said;
  if (suite->report) {
    said.against = suite->report->reference.value_or("");
    said.level = suite->report->level.value_or(said.level);
    said.aggregate = suite->report->aggregate.value_or("");
  }
  if (suite->faults) said.policy = suite->faults->policy.value_or("");
  return said;
}

FaultPolicy policy_of(const std::string& asked, const SuiteWishes& suite, const std::string& path) {
  if (!asked.empty()) return fault_policy(asked, "--fault-policy");
  return suite.policy.empty() ? FaultPolicy::as_played : fault_policy(suite.policy, path);
}

stats::Aggregate aggregate_of(const std::string& asked, const SuiteWishes& suite,
                              const std::string& path) {
  const std::string& name = asked.empty() ? suite.aggregate : asked;
  if (name.empty()) return stats::Aggregate::mean;
  if (const auto known = value_named<stats::Aggregate>(name)) return *known;
  throw Error(asked.empty() ? ErrorKind::invalid : ErrorKind::usage,
              "there is no aggregate '" + name + "'" +
                  text::did_you_mean(name, names_of<stats::Aggregate>()),
              asked.empty() ? path : "--aggregate", "name mean, winsorised or ranks");
}

}  // namespace agon::report
