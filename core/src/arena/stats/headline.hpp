#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/estimate.hpp"
#include "stats/score_table.hpp"

namespace agon::stats {

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
  Estimate difference;                   ///< paired, less the reference
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

}  // namespace agon::stats
