#include <fmt/format.h>
#include <fmt/ranges.h>

#include <agon/describe.hpp>
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "archive/rows.hpp"
#include "describe/read.hpp"
#include "results/names.hpp"
#include "results/results.hpp"
#include "results/scope.hpp"
#include "stats/statistics.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

using text::counted;

// What is wanted of a run's manifest.
struct AgentOfRun {
  std::string name;
  std::string spec;
  std::optional<std::string> program;
};
AGON_DESCRIBE(AgentOfRun, (name, "in the suite"), (spec, "its digest"),
              (program, "digest of a program's files", left_out))
struct ScenarioOfRun {
  std::string scenario;
  std::string game;
  std::int64_t blocks = 0;
  std::optional<std::int64_t> suite_blocks;
  std::vector<AgentOfRun> agents;
};
AGON_DESCRIBE(ScenarioOfRun, (scenario, "its name"), (game, "that it plays"),
              (blocks, "that were to be played"), (suite_blocks, "that the suite says", left_out),
              (agents, "that play it"))
struct ScenariosOfRun {
  std::vector<ScenarioOfRun> plan;
};
AGON_DESCRIBE(ScenariosOfRun, (plan, "by scenario"))

std::vector<ScenarioOfRun> plan_of(const archive::RunRow& run) {
  // Of another version there may be none that this one reads.
  return read_recorded<ScenariosOfRun>(run.manifest).value_or(ScenariosOfRun{}).plan;
}

/// Runs played what they are known to have asked for, also at the same time on several machines.
/// Where an older archive does not say: those that began at these times played what is newer, up to
/// the next one.
class ByRun {
 public:
  /// `runs`: in order.
  ByRun(const archive::Archive& archive, const std::vector<archive::RunRow>& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      begun_.emplace_back(runs[i].started, i);
      asked_.push_back({runs[i].started, {}});
      if (runs[i].suite_number)
        asked_[i].matches = archive.asked_by(*runs[i].suite_number, runs[i].number).matches;
    }
    std::ranges::sort(begun_);  // a clock may have been set back
  }
  /// The run that played a match; nothing before the first. `number`: the match's.
  [[nodiscard]] std::optional<std::size_t> of(std::int64_t number,
                                              const archive::MatchRow& match) const {
    // A run also asks for what others had played before it began.
    for (std::size_t i = 0; i < asked_.size(); ++i)
      if (asked_[i].started <= match.created && asked_[i].matches.has(number)) return i;
    const auto after =
        std::upper_bound(begun_.begin(), begun_.end(), match.created,
                         [](archive::Time time, const auto& run) { return time < run.first; });
    if (after == begun_.begin()) return std::nullopt;
    return std::prev(after)->second;
  }

 private:
  struct RequestedMatches {
    archive::Time started = 0;
    archive::MatchNumbers matches{};  ///< by it, and by earlier runs of its suite
  };
  std::vector<RequestedMatches> asked_;
  std::vector<std::pair<archive::Time, std::size_t>> begun_;
};

std::optional<Warning> stopped(const archive::Archive& archive) {
  const auto stop = last_stop(archive);
  if (!stop || !stop->looks) return std::nullopt;
  const bool early = stop->decided && *stop->looks < stop->most_looks;
  const bool dropped = std::ranges::any_of(
      stop->agents, [](const StopState::AgentState& agent) { return agent.out_after.has_value(); });
  if (!early && !dropped) return std::nullopt;
  return Warning{
      "stopped",
      fmt::format("STOPPED BY A RULE after {} of {}: {}. Intervals and p-values are for a number "
                  "of blocks that was fixed beforehand, but those of the sections 'stop' and "
                  "'anytime', which hold however often one looks.",
                  *stop->looks, counted(stop->most_looks, "block"), stop->words)};
}

/// The most blocks of a scenario that both plans have, where they differ in some.
std::optional<std::int64_t> other_blocks(const std::vector<ScenarioOfRun>& plan,
                                         const std::vector<ScenarioOfRun>& now) {
  std::int64_t most = 0;
  bool differs = false;
  for (const ScenarioOfRun& s : plan)
    for (const ScenarioOfRun& own : now)
      if (s.scenario == own.scenario && s.game == own.game) {
        most = std::max(most, s.blocks);
        differs = differs || s.blocks != own.blocks;
      }
  return differs ? std::optional(most) : std::nullopt;
}

std::optional<Warning> looked(const std::vector<archive::RunRow>& runs, std::int64_t asked,
                              const std::vector<std::int64_t>& shares,
                              const std::vector<ScenarioOfRun>& now) {
  std::vector<std::int64_t> looks;
  std::int64_t own = 0;
  for (const ScenarioOfRun& s : now) own = std::max(own, s.blocks);
  for (const archive::RunRow& run : runs) {
    if (!run.suite_number || *run.suite_number == asked) continue;
    if (std::ranges::find(shares, *run.suite_number) == shares.end()) continue;
    const auto blocks = other_blocks(plan_of(run), now);
    if (blocks && std::ranges::find(looks, *blocks) == looks.end()) looks.push_back(*blocks);
  }
  if (looks.empty()) return std::nullopt;
  std::erase(looks, own);
  looks.push_back(own);
  return Warning{
      "looked",
      fmt::format("RUN WITH SEVERAL NUMBERS OF BLOCKS: {}. Intervals and p-values are for one "
                  "number that was fixed beforehand: who looks at each in turn, and stops when a "
                  "difference shows, finds one where there is none more often than they say. "
                  "'anytime' (--anytime) has intervals that hold however often one looks.",
                  fmt::join(looks, ", "))};
}

std::optional<Warning> fewer(const std::vector<ScenarioOfRun>& plan) {
  std::string list;
  for (const ScenarioOfRun& s : plan)
    if (s.suite_blocks && *s.suite_blocks > s.blocks)
      list += fmt::format("{}{} of {} of '{}'", list.empty() ? "" : ", ", s.blocks,
                          counted(*s.suite_blocks, "block"), s.scenario);
  if (list.empty()) return std::nullopt;
  return Warning{"fewer-blocks",
                 "FEWER BLOCKS THAN THE SUITE SAYS: " + list + " were run (--blocks)."};
}

/// What of a run may be several files under one version.
struct FileVersion {
  std::string digest;
  std::string words;
  auto operator<=>(const FileVersion&) const = default;
};

/// By what is the same for people (a game and its version, an agent and its spec): the file that
/// each run had.
using Files = std::map<std::pair<std::string, std::string>, std::map<std::size_t, FileVersion>>;

Files plugins_of(const std::vector<archive::RunRow>& runs) {
  Files files;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto plugins = read_recorded<std::vector<archive::PluginOfRun>>(runs[r].plugins);
    if (!plugins) continue;
    for (const archive::PluginOfRun& plugin : *plugins)
      if (plugin.games)
        for (const auto& [game, version] : *plugin.games)
          files[{game, fmt::format("{} {} {}", plugin.name, plugin.version, version)}]
              .insert_or_assign(r, FileVersion{plugin.sha256, plugin.path});
  }
  return files;
}

Files programs_of(const std::vector<archive::RunRow>& runs) {
  Files files;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const ScenarioOfRun& s : plan_of(runs[r]))
      for (const AgentOfRun& agent : s.agents)
        if (agent.program)
          files[{agent.name, agent.spec}].insert_or_assign(r, FileVersion{*agent.program, {}});
  return files;
}

bool several(const std::map<std::size_t, FileVersion>& by_run) {
  return std::ranges::any_of(by_run, [&](const auto& entry) {
    return entry.second.digest != by_run.begin()->second.digest;
  });
}

/// "12 matches and 12 matches" of the files that matches were played with; empty if it was one.
std::string counts_of(const std::map<std::size_t, FileVersion>& by_run,
                      const std::map<std::size_t, std::int64_t>& matches) {
  std::vector<std::string> order;
  std::map<std::string, std::int64_t> of_file;
  for (const auto& [run, count] : matches) {
    const auto file = by_run.find(run);
    if (file == by_run.end() || count == 0) continue;
    if (!of_file.contains(file->second.digest)) order.push_back(file->second.digest);
    of_file[file->second.digest] += count;
  }
  if (order.size() < 2) return {};
  return text::joined(order, " and ", [&](const std::string& digest) {
    return counted(of_file[digest], "match", "matches") + " with file " + digest.substr(0, 8);
  });
}

}  // namespace

std::vector<Warning> changed_files(const archive::Archive& archive,
                                   const std::vector<archive::RunRow>& runs) {
  Files plugins = plugins_of(runs);
  Files programs = programs_of(runs);
  std::erase_if(plugins, [](const auto& entry) { return !several(entry.second); });
  std::erase_if(programs, [](const auto& entry) { return !several(entry.second); });
  if (plugins.empty() && programs.empty()) return {};

  const ByRun by_run(archive, runs);
  const auto games = archive.games();
  const auto scenarios = archive.scenarios();
  const auto agents = archive.agents();
  std::map<std::string, std::map<std::size_t, std::int64_t>> of_game;   // by name
  std::map<std::string, std::map<std::size_t, std::int64_t>> of_agent;  // by name
  archive::ReadOptions wanted;
  wanted.in_order = wanted.ids = false;
  wanted.seats = !programs.empty();
  archive.matches().each(wanted, [&](std::int64_t number, const archive::MatchRow& match) {
    const auto run = by_run.of(number, match);
    if (!run) return true;
    const auto& scenario = archive.row(scenarios, match.key.scenario);
    ++of_game[archive.row(games, scenario.game).name][*run];
    std::set<std::int64_t> seen;
    for (const archive::SeatRow& seat : match.seats)
      if (seen.insert(seat.agent).second) ++of_agent[archive.row(agents, seat.agent).name][*run];
    return true;
  });

  std::vector<Warning> warnings;
  for (const auto& [key, files] : plugins)
    if (const std::string counts = counts_of(files, of_game[key.first]); !counts.empty())
      warnings.push_back({"changed",
                          fmt::format("CHANGED GAME: the file of '{}' ({}) was changed under one "
                                      "version, and matches of both are counted together: {}. Play "
                                      "one of them again, in another archive or under another "
                                      "version.",
                                      key.first, files.rbegin()->second.words, counts),
                          {key.first}});
  for (const auto& [key, files] : programs)
    if (const std::string counts = counts_of(files, of_agent[key.first]); !counts.empty())
      warnings.push_back(
          {"changed", fmt::format("CHANGED PROGRAM: the files of '{}' were changed under one "
                                  "\"version\", and matches of both are counted together: {}. "
                                  "Raise its \"version\" to play them again.",
                                  key.first, counts)});
  return warnings;
}

std::vector<Warning> run_warnings(const archive::Archive& archive,
                                  const std::vector<archive::RunRow>& runs, std::int64_t asked,
                                  const std::vector<std::int64_t>& shares) {
  std::vector<Warning> warnings;
  const auto add = [&](std::optional<Warning> warning) {
    if (warning) warnings.push_back(std::move(*warning));
  };
  const auto own = archive.runs();
  const std::vector<ScenarioOfRun> plan =
      own.empty() ? std::vector<ScenarioOfRun>() : plan_of(own.back());
  add(stopped(archive));
  add(looked(runs, asked, shares, plan));
  add(fewer(plan));
  for (Warning& warning : changed_files(archive, runs)) warnings.push_back(std::move(warning));
  return warnings;
}

namespace {

/// Line-ups about agents, by scenario, agent and suite: the backgrounds that they met.
using BackgroundsMet =
    std::map<std::string, std::map<std::int64_t, std::map<std::int64_t, std::set<Background>>>>;

/// Line-ups about nobody, by scenario.
struct Tables {
  std::int64_t matches = 0;
  std::map<std::int64_t, std::set<std::int64_t>> agents;  // by suite
  std::map<std::int64_t, std::int64_t> of_suite;          // matches
};

constexpr std::size_t kMostNamed = 3;

std::optional<Warning> different_backgrounds(
    const BackgroundsMet& met, const std::map<std::int64_t, archive::AgentRow>& agents,
    const std::map<std::int64_t, std::string>& ends) {
  std::string list;
  std::size_t others = 0;
  for (const auto& [scenario, by_agent] : met) {
    std::set<std::set<Background>> kinds;
    for (const auto& [agent, suites] : by_agent)
      for (const auto& [suite, backgrounds] : suites) kinds.insert(backgrounds);
    if (kinds.size() < 2) continue;
    for (const auto& [agent, suites] : by_agent) {
      if (++others > kMostNamed) continue;
      const auto name = [&](const Background& b) { return background_words(b, agents, ends); };
      const std::string words = text::joined(suites, ", ", [&](const auto& of) {
        return fmt::format("{} (suite {})", text::joined(of.second, " or ", name), of.first);
      });
      list += fmt::format("{}'{}' in '{}' met {}", list.empty() ? "" : "; ",
                          agents.at(agent).name + ends.at(agent), scenario, words);
    }
  }
  if (others == 0) return std::nullopt;
  if (others > kMostNamed) list += "; and " + counted(others - kMostNamed, "more agent");
  return Warning{
      "background",
      "DIFFERENT BACKGROUND AGENTS (--all-suites): " + list +
          ". A score depends on whom an agent meets: agents are compared over the background "
          "agents that all of a scenario met on the same blocks, and what one did against others "
          "is a row of its own, '(against ...)', without rank and difference. --suite N reports "
          "each suite by itself."};
}

std::optional<Warning> different_tables(const std::map<std::string, Tables>& tables,
                                        const std::map<std::int64_t, archive::AgentRow>& agents,
                                        const std::map<std::int64_t, std::string>& ends) {
  std::string list;
  std::size_t others = 0;
  for (const auto& [scenario, t] : tables) {
    std::set<std::set<std::int64_t>> kinds;
    for (const auto& [suite, played] : t.agents) kinds.insert(played);
    // A suite that has all of them compares the same as --all-suites does.
    const bool in_one = std::ranges::any_of(
        t.of_suite, [&all = t.matches](const auto& entry) { return entry.second == all; });
    if (kinds.size() < 2 || in_one || ++others > kMostNamed) continue;
    const auto name = [&](std::int64_t agent) { return agents.at(agent).name + ends.at(agent); };
    list += fmt::format("{}'{}' was played by ", list.empty() ? "" : "; ", scenario) +
            text::joined(t.agents, ", by ", [&](const auto& of) {
              return fmt::format("{} (suite {})", text::joined(of.second, " + ", name), of.first);
            });
  }
  if (others == 0) return std::nullopt;
  if (others > kMostNamed) list += "; and " + counted(others - kMostNamed, "more scenario");
  return Warning{"background",
                 "DIFFERENT OPPONENTS are counted together (--all-suites): " + list +
                     ". A score depends on whom an agent meets, and agents of different suites did "
                     "not meet the same: --suite N reports each suite by itself."};
}

}  // namespace

std::vector<Warning> background_warnings(const archive::Archive& archive,
                                         const std::map<std::int64_t, archive::Selection>& held) {
  const auto scenarios = archive.scenarios();
  const auto agents = archive.agents();
  BackgroundsMet met;
  std::map<std::string, Tables> tables;
  std::map<std::int64_t, std::set<std::string>> played;  // scenarios, by agent
  archive::ReadOptions wanted;
  wanted.in_order = wanted.ids = false;
  archive.matches().each(wanted, [&](std::int64_t number, const archive::MatchRow& match) {
    const std::string& scenario = archive.row(scenarios, match.key.scenario).name;
    for (const archive::SeatRow& seat : match.seats) {
      static_cast<void>(archive.row(agents, seat.agent));  // throws where there is none
      played[seat.agent].insert(scenario);
    }
    if (match.focal) {
      static_cast<void>(archive.row(agents, *match.focal));
      played[*match.focal].insert(scenario);
    } else {
      ++tables[scenario].matches;
    }
    for (const auto& [suite, selection] : held) {
      if (!selection.matches.has(number)) continue;
      if (match.focal) {
        met[scenario][*match.focal][suite].insert(background_of(*match.focal, match.seats));
        continue;
      }
      Tables& t = tables[scenario];
      ++t.of_suite[suite];
      for (const archive::SeatRow& seat : match.seats) t.agents[suite].insert(seat.agent);
    }
    return true;
  });
  const std::map<std::int64_t, std::string> ends = agents_apart(archive, agents, played);
  std::vector<Warning> warnings;
  for (auto warning :
       {different_backgrounds(met, agents, ends), different_tables(tables, agents, ends)})
    if (warning) warnings.push_back(std::move(*warning));
  return warnings;
}

namespace {

/// Whether matches break for some agents more often than for others, beyond chance.
bool breaks_unequally(const std::vector<AgentFacts>& agents, double share) {
  double statistic = 0;
  int played = 0;
  for (const AgentFacts& agent : agents) {
    const auto seats = static_cast<double>(agent.seats + agent.game_faults);
    if (seats == 0) continue;
    ++played;
    const double off = static_cast<double>(agent.game_faults) - share * seats;
    statistic += off * off / (share * (1 - share) * seats);
  }
  if (played < 2 || !(share > 0 && share < 1)) return false;
  return stats::chi_squared_tail(statistic, played - 1) < 0.01;
}

std::optional<Warning> broken(const Results& results) {
  constexpr double many = 0.05;
  double seats = 0;
  double faults = 0;
  std::vector<std::pair<double, std::string>> shares;
  for (const AgentFacts& agent : results.facts) {
    const auto all = static_cast<double>(agent.seats + agent.game_faults);
    if (all == 0) continue;
    seats += all;
    faults += static_cast<double>(agent.game_faults);
    shares.emplace_back(-static_cast<double>(agent.game_faults) / all, agent.shown);
  }
  if (faults == 0) return std::nullopt;
  std::ranges::sort(shares);
  const double share = faults / seats;
  const bool unequal = breaks_unequally(results.facts, share);
  if (share <= many && -shares.front().first <= many && !unequal) return std::nullopt;
  constexpr std::size_t most_named = 4;
  std::string list;
  for (std::size_t i = 0; i < std::min(most_named, shares.size()); ++i)
    list +=
        fmt::format("{}'{}' {:.1f}%", i == 0 ? "" : ", ", shares[i].second, -100 * shares[i].first);
  if (shares.size() > most_named)
    list += fmt::format(", at least {:.1f}% of the others", -100 * shares.back().first);
  return Warning{"broken",
                 fmt::format("BROKEN MATCHES are not counted: {:.1f}% of all seats were in one, of "
                             "{}{}. What breaks a match may go with how an agent plays: section "
                             "'bounds' says how far scores could move.",
                             100 * share, list, unequal ? ", which is more than chance" : "")};
}

}  // namespace

std::vector<Warning> result_warnings(const Results& results) {
  std::vector<Warning> warnings;
  if (auto warning = broken(results)) warnings.push_back(std::move(*warning));
  if (!results.sharing_draws.empty())
    warnings.push_back(
        {"same-draws",
         fmt::format("GAMES WITH THE SAME DRAWS: {}. Intervals and p-values over all games take "
                     "games as independent, and do not hold for these together; those of each "
                     "game do.",
                     fmt::join(results.sharing_draws, ", "))});
  for (const GameResults& game : results.games) {
    std::int64_t blocks = 0;
    for (const TreatmentFacts& facts : game.treatments) blocks += facts.blocks;
    if (results.policy == FaultPolicy::exclude && game.blocks_forced > 0)
      warnings.push_back(
          {"excluded",
           fmt::format("BLOCKS LEFT OUT of '{}': {} of {}, as somebody's answer in them was a "
                       "fallback answer (fault policy exclude). Figures are of the blocks in which "
                       "nothing went wrong.",
                       game.name, game.blocks_forced, blocks),
           {game.name}});
    if (game.matches_out_of_range > 0)
      warnings.push_back(
          {"range",
           fmt::format(
               "SCORES OUTSIDE THE RANGE that '{}' declares: in {} of {}, normalised scores "
               "from {:.3g} to {:.3g} were seen. They count, and the range is not used; "
               "fix the game's score_range.",
               game.name, game.matches_out_of_range, counted(game.matches, "match", "matches"),
               game.lowest_score, game.highest_score),
           {game.name}});
  }
  return warnings;
}

}  // namespace agon::report
