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

/// Agents whose difference to the reference is on the same side of 0.
struct AgentsOnSide {
  std::vector<std::string> names;
  double least = 0, most = 0;  ///< of the sizes of their differences

  void add(const std::string& name, double difference) {
    const double size = std::abs(difference);
    least = names.empty() ? size : std::min(least, size);
    most = names.empty() ? size : std::max(most, size);
    names.push_back(name);
  }
  /// "0.547", or "0.547 to 0.829".
  [[nodiscard]] std::string size() const {
    return fixed(least, 3) == fixed(most, 3) ? fixed(most, 3)
                                             : fixed(least, 3) + " to " + fixed(most, 3);
  }
};

/// How everybody compares with the reference, in a sentence for each outcome.
void add_comparisons(const ReportEstimates& report, std::vector<std::string>& points) {
  const std::string reference = shown_agent(report, report.options.reference);
  AgentsOnSide above, below;
  std::vector<std::string> open, unknown;
  for (const LeaderRow& row : report.leaderboard.rows) {
    if (row.against_others || row.agent == report.options.reference) continue;
    const std::string name = shown_agent(report, row.agent);
    const auto interval = deciding(row);
    if (!row.difference.value || !interval)
      unknown.push_back(name);
    else if (const int side = side_of(interval); side > 0)
      above.add(name, *row.difference.value);
    else if (side < 0)
      below.add(name, *row.difference.value);
    else
      open.push_back(fmt::format("{} ({}, {})", name, fixed(*row.difference.value, 3, true),
                                 report::interval(*interval, 3, true)));
  }
  const auto scores = [](const AgentsOnSide& side) {
    return side.names.size() == 1 ? "scores" : "score";
  };
  if (!above.names.empty())
    points.push_back(fmt::format("{} {} more than {}, by {}.", enumerated(above.names),
                                 scores(above), reference, above.size()));
  if (!open.empty())
    points.push_back(fmt::format("Not separated from {}: {}.", reference, enumerated(open)));
  if (!below.names.empty())
    points.push_back(fmt::format("{} {} less than {}, by {}.", enumerated(below.names),
                                 scores(below), reference, below.size()));
  if (!unknown.empty())
    points.push_back(fmt::format("These blocks give no interval for: {}.", enumerated(unknown)));
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
    groups.back().push_back(shown_agent(report, row->agent));
    last = std::max(last, row->rank_interval->high);
  }
  if (groups.size() < 2) {
    points.emplace_back(
        "These blocks do not order all the agents: the ranks that they leave open "
        "overlap.");
    return;
  }
  constexpr std::size_t kMostNamed = 12;
  if (rows.size() > kMostNamed) return;
  points.push_back("In order, from the best: " +
                   text::joined(groups, "; ",
                                [](const auto& group) {
                                  return group.size() == 1
                                             ? group.front()
                                             : enumerated(group) + (group.size() == 2
                                                                        ? " (not separated)"
                                                                        : " (not all separated)");
                                }) +
                   ".");
}

/// An agent whose games say different things: what is over all games hides that.
void add_games_apart(const ReportEstimates& report, std::vector<std::string>& points) {
  const Leaderboard& board = report.leaderboard;
  for (const LeaderRow& row : board.rows) {
    if (row.against_others || row.agent == report.options.reference) continue;
    std::vector<std::string> more, less;
    for (std::size_t g = 0; g < std::min(board.games.size(), row.games.size()); ++g) {
      const auto& game = row.games[g];
      const int side = side_of(game.simultaneous ? game.simultaneous : game.difference.interval);
      if (side != 0) (side > 0 ? more : less).push_back(board.games[g]);
    }
    if (!more.empty() && !less.empty())
      points.push_back(
          fmt::format("By game, {} scores more than {} in {}, and less in {}; each game by itself.",
                      shown_agent(report, row.agent), shown_agent(report, report.options.reference),
                      enumerated(more), enumerated(less)));
  }
}

/// What the figures do not rest on.
void add_limits(const ReportEstimates& report, std::vector<std::string>& points) {
  std::vector<std::string> limits;
  std::int64_t forced = 0, missing = 0;
  for (const AgentFacts& agent : report.results.facts) forced += agent.forced;
  for (const MissingReason& reason : report.results.missing) missing += reason.matches;
  if (forced > 0)
    limits.push_back(text::counted(forced, "answer was", "answers were") + " the game's fallback");
  if (missing > 0) limits.push_back(text::counted(missing, "match is", "matches are") + " missing");
  if (!report.leaderboard.without.empty())
    limits.push_back(text::counted(report.leaderboard.without.size(), "game has", "games have") +
                     " no score");
  points.push_back(limits.empty() ? "No match is missing, and no answer was the game's fallback."
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
  section.explanation =
      fmt::format("Of normalised scores over {}, by {} intervals that hold for all agents at once.",
                  text::counted(board.games.size(), "game"), text::percent(report.options.level));
  add_comparisons(report, section.points);
  add_order(report, section.points);
  add_games_apart(report, section.points);
  add_limits(report, section.points);
  return {std::move(section)};
}

void add_source(Document& document, const ReportEstimates& report) {
  const SourceRuns& runs = report.scope.runs;
  if (report.scope.suite) document.title = report.scope.suite->name;
  const auto add = [&](const char* what, std::string words) {
    if (!words.empty()) document.source.emplace_back(what, std::move(words));
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
  add("Agon", text::joined(runs.versions));
  add("Command", runs.command);
  add("SHA-256 of the archive", report.archive_digest);
}

}  // namespace agon::report
