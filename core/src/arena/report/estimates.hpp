#pragma once

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "report/report.hpp"
#include "stats/score_table.hpp"

namespace agon::report {

/// A game's scores under one counting as rows of a score table. Scenarios and treatments become
/// roles of the game, so that each weighs the same, whatever its blocks and pies. An agent that has
/// no pie to count at all is not in the table.
void append_rows(const GameResults& game, const Results& results, Counting counting,
                 std::vector<stats::ScoreRow>& rows);

/// Tells a table of some of the games what their cards say of their scores, and what the roles that
/// append_rows() makes are called.
void describe_games(stats::ScoreTable& table, std::span<const GameResults> games);

/// True if the sorted names have this one.
[[nodiscard]] bool has(const std::vector<std::string>& sorted, const std::string& name);

/// Whom differences are taken to: the reference, or the first agent if it has no score at all, for
/// the order of the others only.
[[nodiscard]] std::string base_of(const stats::ScoreTable& table, const std::string& reference);

/// The rows of all agents, the reference first. Not `scored`: it only stood in for one without a
/// score, and rows have no differences.
[[nodiscard]] std::vector<stats::HeadlineRow> all_rows(const stats::Headline& headline,
                                                       bool scored);

/// The independent units of a game: bins, or clusters of bins, in the order of their names.
struct Units {
  std::vector<std::size_t> of_bin;
  std::size_t count = 0;
};
/// `among`: the units of these bins only; null: of all.
[[nodiscard]] Units units_of(const GameResults& game, const std::set<std::size_t>* among = nullptr);

/// Builds one cell: a mean that weighs every treatment the same.
class MeanCell {
 public:
  explicit MeanCell(const Units& units) : units_(units) {}

  void add(std::size_t treatment, std::size_t bin, const BlockSum& sum) {
    if (sum.count <= 0) return;
    const auto [at, is_new] = terms_.try_emplace(treatment);
    stats::RatioTerm& term = at->second;
    if (is_new) term = stats::ratio_over(units_.count);
    term.numerator[units_.of_bin[bin]] += sum.total;
    term.denominator[units_.of_bin[bin]] += sum.count;
    bins_.insert(bin);
    used_.insert(units_.of_bin[bin]);
  }

  [[nodiscard]] stats::StratumCell cell() const {
    stats::StratumCell cell;
    for (const auto& [treatment, term] : terms_) {
      cell.terms.push_back(term);
      cell.terms.back().weight = 1 / static_cast<double>(terms_.size());
    }
    cell.blocks = bins_.size();
    cell.units = used_.size();
    return cell;
  }

 private:
  const Units& units_;
  std::map<std::size_t, stats::RatioTerm> terms_;
  std::set<std::size_t> bins_;
  std::set<std::size_t> used_;
};

/// Estimates the means of cells over so many units, each by itself.
[[nodiscard]] std::vector<stats::Estimate> estimates_of(std::size_t units,
                                                        std::vector<stats::StratumCell> cells,
                                                        const stats::IntervalOptions& options);

/// Whose scores.
enum class ScoreScope : std::uint8_t {
  all,
  compared,  ///< those that are compared with one another: not Results::against_others
};

/// The scores of all games.
[[nodiscard]] stats::ScoreTable score_table(const Results& results, Counting counting,
                                            ScoreScope whose = ScoreScope::all);

/// The leaderboard under the chosen policy.
[[nodiscard]] Leaderboard make_leaderboard(const Results& results, const ReportOptions& options);

/// The scores of one treatment of a game.
[[nodiscard]] TreatmentTable make_treatment(const Results& results, const GameResults& game,
                                            std::size_t treatment, const ReportOptions& options);

/// Means of a game's own metrics by agent and role, with studentised intervals over its units.
[[nodiscard]] std::vector<MetricRow> make_metrics(const Results& results, const GameResults& game,
                                                  const ReportOptions& options);

/// Every ordered pair of agents that met. Differences are in the unit of the game's score.
[[nodiscard]] std::vector<PairwiseRow> make_pairs(const Results& results, const GameResults& game,
                                                  const ReportOptions& options);

/// Fills in the strengths of a game.
void make_strengths(const GameResults& game, const ReportOptions& options, GameReport& out);

/// Fills in the TrueSkill ratings of a game.
void make_trueskill(const GameResults& game, const ReportOptions& options, GameReport& out);

/// Runs every task once, on several threads; each writes to a place of its own. The first exception
/// in the order of the tasks is thrown again when all are done.
void run_all(const std::vector<std::function<void()>>& tasks, std::size_t threads);

}  // namespace agon::report
