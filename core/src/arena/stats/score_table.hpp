#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/estimate.hpp"

namespace agon::stats {

/// What one seat got in one match, or a mean of several such rows. For a metric that has no scale
/// of its own, disagreement = 0 and ideal = 1 make the normalised score the plain mean.
struct ScoreRow {
  std::string game;
  std::string block;
  std::string cluster;  ///< what blocks may share, such as an item; empty: the block is by itself
  std::string role;     ///< empty in games without roles
  int seat = 0;
  std::string agent;
  double x = 0;             ///< the payoff
  double disagreement = 0;  ///< the seat's outside option
  double ideal = 1;         ///< the seat's best payoff with everyone at the outside option or above
};

/// How scores are made alike before they are averaged over games.
enum class Aggregate : std::uint8_t {
  mean,        ///< not at all: the mean of normalised scores
  winsorised,  ///< what a seat gets in a block counts as -1 to 1 times what it could get
  ranks,       ///< the share of the other agents that an agent is above in a block, ties half
};
AGON_DESCRIBE_ENUM(Aggregate, (mean, "the mean of normalised scores"),
                   (winsorised,
                    "the same, with gains of a block cut to -1 to 1 times what could be gained"),
                   (ranks,
                    "the mean of the share of other agents that an agent is above in a block"))

/// Scores by game, role, block and agent.
///
/// Within a block, rows (assignments, repeats) are averaged per seat, and seat means per role. The
/// normalised score of an agent in a game is, per role, sum(x - disagreement) / sum(ideal -
/// disagreement) over blocks, and then the mean over roles: a ratio of sums, never clipped. A
/// role's score is undefined where the sum of (ideal - disagreement) is not positive, and so is
/// then the game's.
class ScoreTable {
 public:
  /// Throws agon::Error for a value that is not finite and for a block in two clusters.
  AGON_API explicit ScoreTable(std::span<const ScoreRow> rows);

  /// Says that every normalised score of a game lies in `range`, seen or not.
  void set_range(std::size_t game, const Interval& range);
  /// What estimates call the roles of a game, by roles().
  void set_role_names(std::size_t game, std::vector<std::string> names);

  /// The same blocks, with scores that no one block or game can move far.
  [[nodiscard]] AGON_API ScoreTable made_alike(Aggregate how) const;

  /// In alphabetical order, as are the agents: the order of rows never matters.
  [[nodiscard]] const std::vector<std::string>& games() const { return game_names_; }
  [[nodiscard]] const std::vector<std::string>& agents() const { return agent_names_; }

  /// Place of an agent in agents(). Throws agon::Error for an unknown one.
  [[nodiscard]] AGON_API std::size_t agent_index(std::string_view name) const;
  /// Place of a game in games(). Throws agon::Error for an unknown one.
  [[nodiscard]] AGON_API std::size_t game_index(std::string_view name) const;

  /// The roles of a game, in alphabetical order.
  [[nodiscard]] const std::vector<std::string>& roles(std::size_t game) const {
    return games_[game].roles;
  }

  /// Number of independent units (clusters of blocks) of a game.
  [[nodiscard]] std::size_t units(std::size_t game) const { return games_[game].clusters.size(); }

  /// The agent's normalised score in a game, from all its blocks.
  [[nodiscard]] AGON_API std::optional<double> score(std::size_t game, std::size_t agent) const;

  /// The agent's score as a cell of a contrast, whose stratum is the game, as it is below.
  [[nodiscard]] AGON_API StratumCell score_cell(std::size_t game, std::size_t agent) const;

  /// Score of `agent` less score of `reference`, from the blocks and roles that both have.
  [[nodiscard]] AGON_API StratumCell difference_cell(std::size_t game, std::size_t agent,
                                                     std::size_t reference) const;

  /// The weighted sum of several agents' scores, from the blocks and roles that all of them have.
  /// `agents` and `weights` are equally long.
  [[nodiscard]] StratumCell contrast_cell(std::size_t game, std::span<const std::size_t> agents,
                                          std::span<const double> weights) const;

 private:
  struct BlockScore {
    double gain = 0;  ///< mean of x - disagreement
    double pie = 0;   ///< mean of ideal - disagreement
    bool present = false;
  };
  struct GameScores {
    std::vector<std::string> roles;
    std::vector<std::string> role_names;
    std::vector<std::string> blocks;
    std::vector<std::string> clusters;
    std::vector<std::size_t> cluster_of;  ///< by block
    std::vector<BlockScore> values;       ///< [agent][role][block]
    std::optional<Interval> range;        ///< of normalised scores
  };

  void collect(std::span<const ScoreRow> rows);
  /// Puts ranks among the agents of a block in the place of what they got.
  static void rank(const std::vector<BlockScore*>& seen);
  [[nodiscard]] const BlockScore& value(const GameScores& game, std::size_t agent, std::size_t role,
                                        std::size_t block) const;

  std::vector<std::string> game_names_;
  std::vector<std::string> agent_names_;
  std::vector<GameScores> games_;
};

/// Ranks (1 is best; ties share the best) from all games and with one game left out at a time.
struct RankRange {
  std::size_t rank = 0;   ///< from all games
  std::size_t best = 0;   ///< lowest number over all games and every game left out
  std::size_t worst = 0;  ///< highest number over the same
};

/// The game that makes most of the variance of a mean over games.
struct WidestGame {
  std::size_t game = 0;
  double share = 0;  ///< of that variance

  /// Whether it decides how wide the interval is: over half of the variance, or of two games over
  /// three quarters.
  [[nodiscard]] bool decides(std::size_t games) const { return share > (games > 2 ? 0.5 : 0.75); }
};

/// From the estimates of each game by itself, each weighing the same; none of under two games, or
/// where nothing varies.
[[nodiscard]] AGON_API std::optional<WidestGame> widest_game(std::span<const Estimate> games);

/// One agent in one game of the headline.
struct HeadlineGame {
  std::string game;
  Estimate score;                        ///< normalised score
  Estimate difference;                   ///< paired, minus the reference
  std::optional<Interval> simultaneous;  ///< of the difference: holds for all agents of the game
  std::optional<double> simultaneous_p;  ///< the difference's p-value, adjusted for the same
};

/// One agent against the reference over all games.
struct HeadlineRow {
  std::string agent;
  Estimate score;                        ///< normalised score, mean over games as the difference
  Estimate difference;                   ///< mean over games, each game weighted equally
  std::optional<Interval> simultaneous;  ///< of the difference: holds for all agents at once
  std::optional<double> simultaneous_p;  ///< the difference's p-value, adjusted for all agents
  std::optional<RankRange> ranks;        ///< absent without a defined difference
  std::optional<WidestGame> widest;      ///< of the difference
  std::vector<HeadlineGame> games;       ///< every game, in alphabetical order
};

/// The first table of a suite.
struct Headline {
  std::string reference;
  Estimate reference_score;                ///< normalised score, mean over games
  std::vector<Estimate> reference_scores;  ///< normalised score, one a game, alphabetical
  std::optional<RankRange> reference_ranks;
  std::vector<HeadlineRow> rows;  ///< the other agents, in alphabetical order
};

/// The equal-game mean of (agent - reference) with intervals over blocks, stratified by game;
/// intervals and p-values of all agents against the reference at once; and ranks by the equal-game
/// mean difference, the reference counting as 0. An agent that lacks a game has an
/// undefined difference and no rank. What is over all games, ranks too, is of scores made alike as
/// `aggregate` says; single games are of the scores as they are. Throws agon::Error if nothing is
/// known of `reference`.
[[nodiscard]] AGON_API Headline headline(const ScoreTable& table, std::string_view reference,
                                         const IntervalOptions& options,
                                         Aggregate aggregate = Aggregate::mean);

/// The ranks that an agent may have by its true score: 1 is best.
struct RankInterval {
  std::size_t low = 0;   ///< one more than agents that are better for sure
  std::size_t high = 0;  ///< as many as agents that are not worse for sure, itself among them
};

/// By ScoreTable::agents(), for those that played every game: the ranks that all pairwise
/// differences at once leave open. Differences are paired, means over games, each game weighing the
/// same; one agent is better than another for sure if the interval of their difference that holds
/// for all pairs at once leaves out 0. So with the chance `level` every agent's true rank is inside
/// (Mogstad, Romano, Shaikh and Wilhelm, "Inference for Ranks ...", Review of Economic Studies 91,
/// 2024). A pair without an interval leaves both open.
[[nodiscard]] AGON_API std::vector<std::optional<RankInterval>> rank_intervals(
    const ScoreTable& table, const IntervalOptions& options);

}  // namespace agon::stats
