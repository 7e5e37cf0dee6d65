#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "report/document.hpp"
#include "report/sections/sections.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// "a", "a and b", "a, b and c".
std::string enumerated(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? std::string() : names.front();
  return text::joined(std::vector<std::string>(names.begin(), names.end() - 1)) + " and " +
         names.back();
}

/// Which side of 0 an interval is on; 0 where it holds 0, or where there is none.
int side_of(const std::optional<stats::Interval>& interval) {
  if (!interval) return 0;
  return interval->low > 0 ? 1 : interval->high < 0 ? -1 : 0;
}

/// The interval that decides about a row: the one for all rows at once where there is one.
std::optional<stats::Interval> deciding(const LeaderRow& row) {
  return row.simultaneous ? row.simultaneous : row.difference.interval;
}

/// A name as sentences have it: names are often ordinary words.
std::string quoted(const ReportEstimates& report, const std::string& agent) {
  return "'" + shown_agent(report, agent) + "'";
}

/// "-0.547 [-0.572, -0.506]".
std::string with_interval(double difference, const stats::Interval& interval) {
  return fmt::format("{} {}", fixed(difference, 3, true), report::interval(interval, 3, true));
}

/// How everybody compares with the reference, in a sentence for each outcome.
void add_comparisons(const ReportEstimates& report, std::vector<std::string>& points) {
  std::vector<std::string> above, below, open, unknown;
  for (const LeaderRow& row : report.leaderboard.rows) {
    if (row.against_others || row.agent == report.options.reference) continue;
    const std::string name = quoted(report, row.agent);
    const auto interval = deciding(row);
    if (!row.difference.value || !interval) {
      unknown.push_back(name);
      continue;
    }
    const int side = side_of(interval);
    (side > 0   ? above
     : side < 0 ? below
                : open)
        .push_back(name + " by " + with_interval(*row.difference.value, *interval));
  }
  const std::string reference = quoted(report, report.options.reference);
  const auto add = [&](const std::vector<std::string>& agents, std::string_view outcome) {
    if (!agents.empty())
      points.push_back(fmt::format("{} than {}: {}.", outcome, reference, enumerated(agents)));
  };
  add(above, "Better");
  add(below, "Worse");
  if (!open.empty())
    points.push_back(
        fmt::format("Neither better nor worse than {}, as far as these matches show: {}.",
                    reference, enumerated(open)));
  if (!unknown.empty())
    points.push_back(fmt::format("These matches give no interval for {}.", enumerated(unknown)));
}

/// The order that all pairwise differences at once leave: agents whose ranks overlap stand
/// together.
void add_order(const ReportEstimates& report, std::vector<std::string>& points) {
  std::vector<const LeaderRow*> rows;
  for (const LeaderRow& row : report.leaderboard.rows)
    if (row.rank_interval) rows.push_back(&row);
  if (rows.size() < 3) return;
  std::ranges::sort(rows, {}, [](const LeaderRow* row) {
    return std::pair(row->rank_interval->low, row->rank_interval->high);
  });
  std::vector<std::vector<std::string>> groups;
  std::size_t last = 0;
  for (const LeaderRow* row : rows) {
    if (groups.empty() || row->rank_interval->low > last) groups.emplace_back();
    groups.back().push_back(quoted(report, row->agent));
    last = std::max(last, row->rank_interval->high);
  }
  if (groups.size() < 2) {
    points.emplace_back("These matches do not order the agents: no one is better than all others.");
    return;
  }
  constexpr std::size_t kMostNamed = 12;
  if (rows.size() > kMostNamed) return;
  points.push_back("From best to worst: " +
                   text::joined(groups, "; ",
                                [](const auto& group) {
                                  return group.size() == 1
                                             ? group.front()
                                             : enumerated(group) + (group.size() == 2
                                                                        ? " (not told apart)"
                                                                        : " (not all told apart)");
                                }) +
                   ".");
}

/// An agent whose games say different things: what is over all games hides that.
void add_games_apart(const ReportEstimates& report, std::vector<std::string>& points) {
  const Leaderboard& board = report.leaderboard;
  for (const LeaderRow& row : board.rows) {
    if (row.against_others || row.agent == report.options.reference) continue;
    std::set<int> sides;
    std::vector<std::string> by_game;
    for (std::size_t g = 0; g < std::min(board.games.size(), row.games.size()); ++g) {
      const auto& game = row.games[g];
      const auto interval = game.simultaneous ? game.simultaneous : game.difference.interval;
      if (!game.difference.value || !interval) continue;
      sides.insert(side_of(interval));
      by_game.push_back(board.games[g] + " " + with_interval(*game.difference.value, *interval));
    }
    if (sides.contains(1) && sides.contains(-1))
      points.push_back(
          fmt::format("Games disagree about {}; its score minus that of {}: {} (an interval for "
                      "each game alone).",
                      quoted(report, row.agent), quoted(report, report.options.reference),
                      enumerated(by_game)));
  }
}

/// What the figures do not rest on.
void add_limits(const ReportEstimates& report, std::vector<std::string>& points) {
  std::vector<std::string> limits;
  std::int64_t forced = 0, missing = 0;
  for (const AgentFacts& agent : report.results.facts) forced += agent.forced;
  for (const MissingReason& reason : report.results.missing) missing += reason.matches;
  if (forced > 0)
    limits.push_back(text::counted(forced, "answer was", "answers were") +
                     " the game's fallback, not the agent's");
  if (missing > 0) limits.push_back(text::counted(missing, "match is", "matches are") + " missing");
  if (!report.leaderboard.without.empty())
    limits.push_back(text::counted(report.leaderboard.without.size(), "game has", "games have") +
                     " no score");
  points.push_back(
      limits.empty()
          ? "Nothing is missing: all matches were finished, and agents gave all answers themselves."
          : "Limits: " + text::joined(limits, "; ") + ".");
}

std::string days(const SourceRuns& runs) {
  return runs.ended.empty() || runs.ended == runs.started ? runs.started
                                                          : runs.started + " to " + runs.ended;
}

}  // namespace

std::vector<ReportSection> summary_sections(const ReportEstimates& report) {
  const Leaderboard& board = report.leaderboard;
  if (board.rows.size() < 2 || !board.reference_scored) return {};
  // Who looks more than once needs other intervals, which have sections of their own.
  if (report.stop || report.open_run.open()) return {};
  ReportSection section{.id = "summary", .title = "Summary"};
  section.explanation = fmt::format(
      "Scores are normalised (0: what a player has without an agreement or by doing nothing; 1: "
      "the "
      "best possible) and averaged over {}. Brackets are {} intervals that hold for all agents "
      "simultaneously.",
      text::counted(board.games.size(), "game"), text::percent(report.options.level));
  add_order(report, section.points);
  add_comparisons(report, section.points);
  add_games_apart(report, section.points);
  add_limits(report, section.points);
  return {std::move(section)};
}

void add_source(Document& document, const ReportEstimates& report) {
  const SourceRuns& runs = report.scope.runs;
  if (report.scope.suite) document.title = report.scope.suite->name;
  const auto add = [&](const char* what, std::string words, bool origin = false) {
    if (!words.empty()) document.source.push_back({what, std::move(words), origin});
  };
  std::set<std::string> models;
  std::vector<std::string> agents, games;
  for (const AgentFacts& agent : report.results.facts) {
    agents.push_back(agent.shown);
    models.insert(agent.models.begin(), agent.models.end());
  }
  for (const GameResults& game : report.results.games) games.push_back(game.name);
  constexpr std::size_t kMostNamed = 12;
  add("Games", text::joined_first(games, kMostNamed));
  add("Agents", text::joined_first(agents, kMostNamed));
  add("Models",
      text::joined_first(std::vector<std::string>(models.begin(), models.end()), kMostNamed));
  add("Matches", std::to_string(report.results.matches));
  add("Played", days(runs));
  add("Agon", text::joined(runs.versions), true);
  add("Command", runs.command, true);
  add("SHA-256 of the archive", report.archive_digest, true);
}

}  // namespace agon::report
