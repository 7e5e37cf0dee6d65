#pragma once

#include <agon/export.hpp>
#include <agon/fault.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/rows.hpp"
#include "results/participant.hpp"
#include "stats/estimate.hpp"
#include "stats/resampling.hpp"
#include "suite/suite.hpp"
#include "table/contract.hpp"

namespace agon::report {

/// A way to count the matches of an archive.
enum class Counting : std::uint8_t {
  as_played,  ///< the fallback's result stands
  forfeit,    ///< a seat with a forced answer gets at most its `zero`
  exclude,    ///< a block with a forced answer is left out, under the treatment where it happened
  worst,      ///< the chosen policy, with every missing match of an agent at the lowest score
  best,       ///< the chosen policy, with every missing match of an agent at the highest score
};
inline constexpr std::size_t kCountings = 5;

/// How the three fault policies are counted.
[[nodiscard]] constexpr Counting counting(FaultPolicy policy) {
  return policy == FaultPolicy::forfeit   ? Counting::forfeit
         : policy == FaultPolicy::exclude ? Counting::exclude
                                          : Counting::as_played;
}

/// A sum over blocks and how many blocks it is of.
struct BlockSum {
  double total = 0;
  double count = 0;
};

/// One draw of random numbers, or, in very long runs, several of them that are counted together.
struct Bin {
  std::string name;     ///< unique within the game
  std::string cluster;  ///< what bins share; empty: nothing
};

/// What one agent got in one role, bin and treatment: sums over the bin's blocks of block means.
struct ScoreUnit {
  std::size_t treatment = 0;
  std::size_t bin = 0;
  std::size_t role = 0;
  std::size_t agent = 0;
  std::array<double, kCountings> gain{};   ///< of score - zero
  std::array<double, kCountings> pie{};    ///< of one - zero
  std::array<bool, kCountings> present{};  ///< whether there is anything to count
  /// Variance of the gains under the chosen policy that comes from repeats alone, and the least
  /// number of repeats behind it; nothing is known of it from single ones.
  double repeat_variance = 0;
  std::int64_t repeats = 0;
  /// The pie of missing matches, as far as it counts under `worst` and `best`.
  double missing_pie = 0;
};

/// The metrics of one agent in one role, bin and treatment.
struct MetricUnit {
  std::size_t treatment = 0;
  std::size_t bin = 0;
  std::size_t role = 0;
  std::size_t agent = 0;
  std::vector<BlockSum> metrics;  ///< the game's seat metrics, then its match metrics
};

/// Two agents at the same tables, in one bin and treatment. The first is the smaller index.
struct PairUnit {
  std::size_t treatment = 0;
  std::size_t bin = 0;
  std::size_t first = 0;
  std::size_t second = 0;
  BlockSum difference;  ///< of the first's score minus the second's, block means
};

/// How often the first of two agents finished above, level with and below the second.
struct PairCounts {
  std::int64_t wins = 0;
  std::int64_t ties = 0;
  std::int64_t losses = 0;
};

/// One scenario under one treatment.
struct TreatmentFacts {
  std::string scenario;
  std::string treatment;  ///< JSON object; "{}" where nothing is varied
  std::string label;      ///< scenario and treatment in words, unique within the game
  std::int64_t matches = 0;
  std::int64_t blocks = 0;
};

/// One agent at one position of a learning sequence, in one bin and treatment: sums over the bin's
/// blocks of block means. Only blocks in which the agent's sequences are whole.
struct PositionUnit {
  std::size_t treatment = 0;
  std::size_t bin = 0;
  std::size_t agent = 0;
  std::size_t position = 0;
  BlockSum rank;
  double gain = 0;  ///< of score - zero, under the chosen policy
  double pie = 0;   ///< of one - zero; 0 where the seat has no scale
};

/// A metric summed over an agent's counted seats, every match by itself.
struct RawMetrics {
  std::size_t agent = 0;
  std::vector<BlockSum> metrics;  ///< the game's seat metrics
};

/// The finished matches of one game, reduced.
struct GameResults {
  std::string name;
  int score_decimals = 0;
  /// Bounds of the normalised score, as far as all versions that played have them.
  std::optional<double> score_min{};
  std::optional<double> score_max{};
  /// Seat metrics, then match metrics; with bounds as far as all versions that played have them.
  std::vector<archive::Metric> metrics;
  std::size_t seat_metrics = 0;  ///< how many of them are a seat's
  std::vector<bool> names_item;  ///< by metric: it only repeats what clusters the block by
  std::vector<TreatmentFacts> treatments;
  std::vector<std::string> roles;
  std::vector<Bin> bins;
  std::vector<ScoreUnit> scores;
  std::vector<MetricUnit> metric_units;
  std::vector<PairUnit> pairs;
  std::vector<PositionUnit> positions;
  std::vector<RawMetrics> raw;
  std::map<std::pair<std::size_t, std::size_t>, PairCounts> pair_counts;
  /// Finishing orders for the strength models: scores are ranks with the sign changed. Of the
  /// leading blocks only when the game has more than CollectOptions::most_rankings matches.
  std::vector<stats::MatchRanking> rankings;
  std::size_t fewest_seats = 0;
  std::size_t most_seats = 0;

  std::int64_t matches = 0;            ///< finished
  std::int64_t focal_matches = 0;      ///< of these, with a focal agent
  std::int64_t blocks = 0;             ///< over scenarios; treatments share them
  std::int64_t seats_scored = 0;       ///< seats counted for the leaderboard, as played
  std::int64_t seats_without_pie = 0;  ///< seats left out of it because zero or one is undefined
  std::int64_t matches_beyond = 0;     ///< with a score beyond kLargestScore: no scores are kept
  std::set<std::size_t> beyond;        ///< metrics with values beyond kLargestMetric: left out
  std::int64_t blocks_forced = 0;      ///< blocks (by treatment) with a forced answer
  std::int64_t missing = 0;            ///< unfinished matches and game faults
  std::int64_t missing_unscaled = 0;   ///< of these, not in the bounds: no finished match has a pie
  bool several_versions = false;       ///< of the game or its plugin
  double lowest_score = 0;             ///< normalised, that was seen; 0 if none is lower
  double highest_score = 1;            ///< likewise; 1 if none is higher
  std::int64_t matches_out_of_range = 0;  ///< with a score that the range says there is not
};

/// True if somebody's answer was forced in every block of a game, under every treatment.
[[nodiscard]] inline bool every_block_forced(const GameResults& game) {
  std::int64_t blocks = 0;
  for (const TreatmentFacts& facts : game.treatments) blocks += facts.blocks;
  return blocks > 0 && game.blocks_forced == blocks;
}

/// What one agent did over all its seats, whether they count for the leaderboard or not.
struct AgentFacts {
  std::string name;
  std::string apart;  ///< the end of the name that tells specs apart: " (model b)"; mostly empty
  /// In tables for people: of an agent made from factors only the levels, "llm/whole,none" for
  /// "llm/memory=whole,planning=none"; of others the name. Unique.
  std::string shown;
  AgentLevels levels;
  std::set<std::string> models{};  ///< that played: PlayedModels::behind
  std::string misnamed{};          ///< a model that its name says did not: PlayedModels::misnamed
  std::int64_t row = 0;            ///< number of its first row: the order of the suite
  std::int64_t seats = 0;          ///< in finished matches
  std::int64_t seats_forced = 0;   ///< of these, with a forced answer
  std::int64_t forced = 0;         ///< answers that the fallback gave
  std::array<std::int64_t, kFaults> attempts{};
  std::map<std::string, std::array<std::int64_t, kFaults>> attempts_by_game{};
  std::int64_t game_faults = 0;  ///< seats in matches that the game broke
  std::int64_t unfinished = 0;   ///< seats in unfinished matches
  std::int64_t calls = 0;        ///< of models
  std::int64_t from_cache = 0;   ///< of `calls`: answered from a cache of answers
  std::int64_t saved = 0;        ///< by these, in billionths of a US dollar, where known
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cached_tokens = 0;
  std::int64_t reasoning_tokens = 0;
  std::int64_t cost = 0;  ///< billionths of a US dollar
  double waiting_ms = 0;  ///< for its answers
};

/// Why matches are missing.
struct MissingReason {
  std::string scenario;
  std::string reason;
  bool game_fault = false;
  std::int64_t matches = 0;
};

/// An archive's results, reduced to what the report estimates from.
struct Results {
  FaultPolicy policy = FaultPolicy::as_played;
  std::vector<std::string> agents;  ///< alphabetical; every index `agent` refers to it
  std::vector<AgentFacts> facts;    ///< by agent
  std::vector<GameResults> games;   ///< alphabetical
  std::vector<MissingReason> missing;
  std::int64_t matches = 0;           ///< finished
  std::set<std::int64_t> agent_rows;  ///< numbers of the rows of all that took part
  /// Agents that played a game under more than one spec; each spec is reported by itself.
  std::vector<std::string> several_specs;
  AgentsApart apart{};  ///< the ends of their names
  /// Of `agents`, the rows of BackgroundsApart: they met others than the rest, and are compared
  /// with none of them.
  std::set<std::string> against_others{};
  /// Games with scenarios that have another one's draws, where that is of another game.
  std::set<std::string> sharing_draws{};
};

/// What a metric's mean can be.
[[nodiscard]] inline stats::ValueBounds range_of(const archive::Metric& metric) {
  stats::ValueBounds range;
  if (metric.min) range.low = *metric.min;
  if (metric.max) range.high = *metric.max;
  return range;
}

/// Whether a metric may be a yes or no: where all its values are 0 or 1 it is taken for one.
[[nodiscard]] inline bool yes_or_no(const archive::Metric& metric) {
  return metric.decimals == 0 && metric.min == 0.0 && metric.max == 1.0;
}

/// What normalised scores can be as they are counted, if both ends are declared: a forfeit, and
/// what is missing in the bounds, counts as 0. Nothing where the range tells nothing.
[[nodiscard]] inline std::optional<stats::Interval> score_range(std::optional<double> min,
                                                                std::optional<double> max) {
  if (!min || !max || *min < -stats::kFarthestRange || *max > stats::kFarthestRange)
    return std::nullopt;
  return stats::Interval{std::min(0.0, *min), std::max(0.0, *max)};
}

/// How an archive is read.
struct CollectOptions {
  FaultPolicy policy = FaultPolicy::as_played;
  /// A scenario with more blocks than this has neighbouring blocks counted together (or, if it is
  /// clustered, blocks of the same cluster), so that memory does not grow with the run.
  std::size_t most_bins = 1024;
  /// Matches of a game of which the finishing order is kept for the strength models.
  std::size_t most_rankings = 20'000;
  /// Several suites are read together: BackgroundsApart.
  bool backgrounds_apart = false;
  /// From so many matches on, the archive is read by several threads.
  std::int64_t many = 20'000;
};

/// Reads every finished match once, in the order of the archive, and keeps sums by treatment,
/// block, role and agent; memory is bounded by the options, not by the number of matches.
///
/// In a match with a focal agent only that agent's seats count for scores and metrics; elsewhere
/// every seat does. Within a block, an agent's matches (repeats, positions of a learning sequence)
/// are averaged per seat and its seats per role. Throws Error for a damaged archive.
[[nodiscard]] AGON_API Results collect(const archive::Archive& archive,
                                       const CollectOptions& options = {});

/// A scenario under one treatment, in words: "pie: discount 0.9, rounds 3".
[[nodiscard]] AGON_API std::string treatment_words(const std::string& scenario,
                                                   const std::string& treatment);

/// What must be known whichever figure is read.
struct Warning {
  std::string id;                    ///< as figures name it
  std::string words;                 ///< in sentences
  std::vector<std::string> games{};  ///< whose figures it is about; none: all
};

/// Warnings from how matches came about: a stopping rule, looks at several numbers of blocks, fewer
/// blocks than the suite says, files that changed. `runs`: all of the archive, which by now is
/// narrowed to the suite `asked`. `shares`: the suites of which matches are among these.
[[nodiscard]] std::vector<Warning> run_warnings(const archive::Archive& archive,
                                                const std::vector<archive::RunRow>& runs,
                                                std::int64_t asked,
                                                const std::vector<std::int64_t>& shares);

/// Games and programs of which the archive, as far as it is narrowed, has matches from several
/// files under one version. `runs`: all of the archive.
[[nodiscard]] AGON_API std::vector<Warning> changed_files(const archive::Archive& archive,
                                                          const std::vector<archive::RunRow>& runs);

/// Agents whose matches in several suites were against different background agents. `held`: what
/// each suite asked for.
[[nodiscard]] std::vector<Warning> background_warnings(
    const archive::Archive& archive, const std::map<std::int64_t, archive::Selection>& held);

/// Warnings from what the matches say: broken ones, blocks that the fault policy leaves out, scores
/// outside their declared range.
[[nodiscard]] std::vector<Warning> result_warnings(const Results& results);

}  // namespace agon::report
