#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "report/document.hpp"
#include "report/sections/sections.hpp"
#include "stats/sequential/confidence_sequence.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// "a", "a and b", "a, b and c".
std::string enumerated(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? std::string() : names.front();
  return text::joined(std::vector<std::string>(names.begin(), names.end() - 1)) + " and " +
         names.back();
}

/// The interval that decides about a row, or a game of it: the one for all agents at once where
/// there is one.
std::optional<stats::Interval> deciding(const auto& row) {
  if (!row.difference.value) return std::nullopt;
  return row.simultaneous ? row.simultaneous : row.difference.interval;
}

/// The rows that are compared with the reference.
std::vector<const LeaderRow*> compared_rows(const ReportEstimates& report) {
  std::vector<const LeaderRow*> rows;
  for (const LeaderRow& row : report.leaderboard.rows)
    if (!row.against_others && row.agent != report.options.reference) rows.push_back(&row);
  return rows;
}

/// "-0.547 [-0.572, -0.506]".
std::string with_interval(double difference, const stats::Interval& interval) {
  return fmt::format("{} {}", fixed(difference, 3, true), report::interval(interval, 3, true));
}

/// By how much one is better or worse, which the sentence says: without a sign.
std::string size_words(double difference, const stats::Interval& interval) {
  const int side = stats::side_of_zero(interval);
  if (side == 0) return with_interval(difference, interval);
  const stats::Interval size = side > 0 ? interval : stats::Interval{-interval.high, -interval.low};
  return fmt::format("{} {}", fixed(side * difference, 3), report::interval(size, 3));
}

/// A sentence, or where it would be a long one a line each.
void add_list(std::vector<ListedRemark>& points, std::string words,
              const std::vector<std::string>& items) {
  constexpr std::size_t in_sentence = 2;
  if (items.empty()) return;
  words += ":";
  if (items.size() <= in_sentence)
    points.push_back(words + " " + enumerated(items) + ".");
  else
    points.emplace_back(std::move(words), items);
}

/// How everybody compares with the reference, in a sentence for each outcome.
void add_comparisons(const ReportEstimates& report, std::vector<ListedRemark>& points) {
  Sides sides;
  for (const LeaderRow* row : compared_rows(report)) {
    const auto interval = deciding(*row);
    std::string words = quoted(report, row->agent);
    if (interval) words += " by " + size_words(*row->difference.value, *interval);
    sides.add(std::move(words), interval);
  }
  const auto& [above, below, open, unknown] = sides;
  const std::string reference = quoted(report, report.options.reference);
  add_list(points, "Better than " + reference, above);
  add_list(points, "Worse than " + reference, below);
  add_list(points, "Neither better nor worse than " + reference + ", as far as these matches show",
           open);
  if (!unknown.empty())
    points.push_back(fmt::format("These matches give no interval for {}.", enumerated(unknown)));
}

}  // namespace

std::string order_words(const ReportEstimates& report) {
  std::vector<const LeaderRow*> rows;
  for (const LeaderRow& row : report.leaderboard.rows)
    if (row.rank_interval) rows.push_back(&row);
  if (rows.size() < 3) return {};
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
  if (groups.size() < 2)
    return "These matches do not order the agents: no one is better than all others.";
  constexpr std::size_t kMostNamed = 12;
  if (rows.size() > kMostNamed) return {};
  return "From best to worst: " +
         text::joined(groups, "; ",
                      [](const auto& group) {
                        return group.size() == 1
                                   ? group.front()
                                   : enumerated(group) + (group.size() == 2
                                                              ? " (not told apart)"
                                                              : " (not all told apart)");
                      }) +
         ".";
}

namespace {

/// An agent whose games say different things: what is over all games hides that.
void add_games_apart(const ReportEstimates& report, std::vector<ListedRemark>& points) {
  const Leaderboard& board = report.leaderboard;
  for (const LeaderRow* row : compared_rows(report)) {
    std::set<int> sides;
    std::vector<std::string> by_game;
    for (std::size_t g = 0; g < std::min(board.games.size(), row->games.size()); ++g) {
      const auto& game = row->games[g];
      const auto interval = deciding(game);
      if (!interval) continue;
      sides.insert(stats::side_of_zero(interval));
      by_game.push_back(board.games[g] + " " + with_interval(*game.difference.value, *interval));
    }
    if (sides.contains(1) && sides.contains(-1))
      add_list(points,
               fmt::format("Games disagree about {}; its score minus that of {} (each bracket is "
                           "for one game, and there for all agents)",
                           quoted(report, row->agent), quoted(report, report.options.reference)),
               by_game);
  }
}

/// What the figures do not rest on.
void add_limits(const ReportEstimates& report, std::vector<ListedRemark>& points) {
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
  points.push_back({limits.empty() ? "Nothing is missing: all matches were finished, and agents "
                                     "gave all answers themselves."
                                   : "Limits: " + text::joined(limits, "; ") + "."});
}

std::string days(const SourceRuns& runs) {
  return runs.ended.empty() || runs.ended == runs.started ? runs.started
                                                          : runs.started + " to " + runs.ended;
}

/// A title names so many; of more it has the number.
constexpr std::size_t kMostInTitle = 4;

/// Games in which an agent is better than the reference, and in which it is worse.
using GamesBySide = std::pair<std::vector<std::string>, std::vector<std::string>>;

/// "better than 'a' in g and worse in h".
std::string games_words(const GamesBySide& games, std::size_t all, const std::string& reference) {
  std::string words;
  const auto add = [&](const auto& in, const char* outcome) {
    if (in.empty()) return;
    words += (words.empty() ? std::string(outcome) + " than " + reference
                            : " and " + std::string(outcome)) +
             " in " +
             (in.size() == all           ? std::string("every game")
              : in.size() > kMostInTitle ? fmt::format("{} of {} games", in.size(), all)
                                         : enumerated(in));
  };
  add(games.first, "better");
  add(games.second, "worse");
  return words.empty() ? "not told apart from " + reference + " in any game" : words;
}

}  // namespace

std::string quoted(const ReportEstimates& report, const std::string& agent) {
  return "'" + shown_agent(report, agent) + "'";
}

SideWords versus_reference(const ReportEstimates& report) {
  const std::string reference = quoted(report, report.options.reference);
  return {"better", "worse", "not told apart", " than " + reference, " from " + reference};
}

void Sides::add(std::string name, const std::optional<stats::Interval>& interval) {
  const int side = stats::side_of_zero(interval);
  (!interval ? unknown : side > 0 ? above : side < 0 ? below : open).push_back(std::move(name));
}

std::string Sides::words(const SideWords& words) const {
  std::vector<std::string> clauses;
  const auto add = [&](const std::vector<std::string>& names, const std::string& is,
                       const std::string& what) {
    if (names.empty()) return;
    clauses.push_back((names.size() > kMostInTitle ? fmt::format("{} {}", names.size(), words.many)
                                                   : enumerated(names)) +
                      (names.size() == 1 ? " is " : " are ") + is + (clauses.empty() ? what : ""));
  };
  add(above, words.above, words.than);
  add(below, words.below, words.than);
  add(open, words.open, words.from);
  return clauses.empty() ? "" : text::joined(clauses, "; ") + ".";
}

Sides compared(const ReportEstimates& report) {
  Sides sides;
  for (const LeaderRow* row : compared_rows(report))
    sides.add(quoted(report, row->agent), deciding(*row));
  return sides;
}

std::string compared_by_game(const ReportEstimates& report) {
  const Leaderboard& board = report.leaderboard;
  std::vector<std::pair<GamesBySide, std::vector<std::string>>> groups;  // in order
  for (const LeaderRow* row : compared_rows(report)) {
    GamesBySide games;
    bool known = false;
    for (std::size_t g = 0; g < std::min(board.games.size(), row->games.size()); ++g) {
      const auto interval = deciding(row->games[g]);
      known = known || interval;
      if (const int side = stats::side_of_zero(interval); side != 0)
        (side > 0 ? games.first : games.second).push_back(board.games[g]);
    }
    if (!known) continue;
    auto group = std::ranges::find(groups, games, [](const auto& one) { return one.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {games, {}});
    group->second.push_back(quoted(report, row->agent));
  }
  if (groups.empty() || groups.size() > kMostInTitle) return {};
  return text::joined(
             groups, "; ",
             [&](const auto& group) {
               const auto& [games, agents] = group;
               return (agents.size() > kMostInTitle
                           ? fmt::format("{} agents are ", agents.size())
                           : enumerated(agents) + (agents.size() == 1 ? " is " : " are ")) +
                      games_words(games, board.games.size(),
                                  quoted(report, report.options.reference));
             }) +
         ".";
}

void say_found(Plot& plot, std::string found) {
  if (found.empty()) return;
  plot.shows = std::exchange(plot.title, std::move(found));
}

std::vector<ReportSection> summary_sections(const ReportEstimates& report) {
  const Leaderboard& board = report.leaderboard;
  if (board.rows.size() < 2 || !board.reference_scored) return {};
  ReportSection section{.id = "summary", .title = "Summary"};
  section.explanation = fmt::format(
      "{} Scores are means over {}. {} Brackets are {} intervals that hold for all agents "
      "simultaneously.",
      score_words(report.options.aggregate), text::counted(board.games.size(), "game"),
      difference_words(report), text::percent(report.options.level));
  if (std::string order = order_words(report); !order.empty())
    section.points.push_back(std::move(order));
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
