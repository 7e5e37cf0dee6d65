#pragma once

#include <agon/game.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "allocation/stop_allocation.hpp"
#include "branch/controls.hpp"
#include "costs/costs.hpp"
#include "drift/result.hpp"
#include "report/document.hpp"
#include "results/hosts.hpp"
#include "results/results.hpp"
#include "results/scope.hpp"
#include "stats/estimate.hpp"
#include "stats/ratings/model_fit.hpp"
#include "stats/ratings/strengths.hpp"
#include "stats/ratings/trueskill.hpp"
#include "stats/score_table.hpp"
#include "stats/statistics.hpp"

namespace agon {
class Catalogue;
struct Game;
struct TableCard;
}  // namespace agon

namespace agon::report {

/// A rate of a game. Its texts live as long as the catalogue that it is from.
struct GameRate {
  std::string game;
  RateCard card;
};

/// How a report is made.
struct ReportOptions {
  /// The agent that all others are compared with. Empty: the one named "reference", else the first
  /// in the alphabet.
  std::string reference{};
  double level = 0.95;
  std::size_t resamples = 9999;           ///< of scores and differences
  std::size_t metric_resamples = 1999;    ///< of every other metric, of pairs, and of ranks
  std::size_t strength_resamples = 999;   ///< refits of Bradley-Terry and Plackett-Luce
  std::size_t trueskill_resamples = 199;  ///< refits of TrueSkill; at most 119 over two seats
  std::uint64_t seed = 20261120;          ///< picks the resamples
  stats::Aggregate aggregate = stats::Aggregate::mean;  ///< of what is over all games
  std::vector<GameRate> rates{};  ///< those of the games' cards that are wanted
  std::size_t threads = 0;        ///< 0: as many as there are processors; never changes a result

  [[nodiscard]] stats::IntervalOptions intervals(std::size_t how_many) const {
    return {level, how_many, seed};
  }
};

/// One agent's line of the leaderboard. Scores are normalised. Differences are to the reference,
/// paired on the same blocks and roles; undefined for the reference itself, or where it has no
/// score. `ranks` is absent for an agent that lacks a game, `games` as Leaderboard::games.
struct LeaderRow : stats::HeadlineRow {
  bool against_others = false;  ///< of Results::against_others: only scores
  /// The ranks that all pairwise differences at once leave open; absent for the same.
  std::optional<stats::RankInterval> rank_interval{};
};

/// The first table.
struct Leaderboard {
  /// A game that is not in it, and why: "no counted seat has a scale".
  struct Without {
    std::string game;
    std::string reason;
  };
  std::vector<std::string> games;  ///< alphabetical
  std::vector<Without> without;
  std::vector<LeaderRow> rows;    ///< by rank, then name
  bool depends_on_field = false;  ///< some matches have no focal agent
  bool reference_scored = false;  ///< without it there are no differences
};

/// One agent under one treatment of a game.
struct TreatmentRow {
  std::string agent;
  stats::Estimate score;
  stats::Estimate difference;  ///< paired; undefined for the reference
  /// Minus its own score under the scenario's first treatment, paired on blocks and roles;
  /// undefined for the first.
  stats::Estimate contrast{};
};

/// One scenario under one treatment.
struct TreatmentTable {
  std::string game;
  TreatmentFacts facts;
  std::string first{};  ///< label of the scenario's first treatment; empty: it is the first
  std::vector<TreatmentRow> rows;
};

/// One metric of a game, by agent.
struct MetricRow {
  archive::Metric metric;
  bool of_match = false;                          ///< of the match as a whole, not of a seat
  std::string role;                               ///< empty where the game has none
  std::map<std::string, stats::Estimate> agents;  ///< means, in minor units where it has decimals
};

/// How one agent fared against another at the tables where both sat.
struct PairwiseRow {
  std::string agent;
  std::string opponent;
  std::size_t meetings = 0;  ///< pairs of seats: two copies of the opponent are two meetings
  std::size_t wins = 0;      ///< meetings in which the agent scored more
  std::size_t ties = 0;      ///< meetings with equal scores
  std::size_t losses = 0;    ///< meetings in which the agent scored less
  /// Mean score difference: over a block's meetings, then over a game's blocks.
  stats::Estimate difference;
};

/// What is said of one game beside the leaderboard.
struct GameReport {
  std::string game;
  std::vector<MetricRow> metrics;
  std::optional<stats::Strengths> strengths;
  std::string strengths_model;      ///< "Bradley-Terry" or "Plackett-Luce"
  std::string strengths_reference;  ///< the reference, or who stands in for it here
  std::string strengths_note;       ///< why there are none, or of what part of the matches
  stats::ModelFit fit;              ///< whether strengths say who beats whom
  std::optional<stats::TrueSkillRatings> trueskill;
  std::string trueskill_note;
  std::size_t trueskill_resamples = 0;  ///< refits behind its intervals
  std::size_t trueskill_orders = 0;     ///< orders of the blocks that a rating averages
  std::vector<PairwiseRow> pairs;       ///< every ordered pair
};

struct ReportEstimates;
using MakeSections = std::vector<ReportSection> (*)(const ReportEstimates& report);

/// Everything that the report says. What one section alone says is estimated as that section.
struct ReportEstimates {
  ReportOptions options;  ///< with the reference filled in
  Results results;        ///< counts; the lists it was estimated from are empty
  Leaderboard leaderboard;
  std::vector<TreatmentTable> treatments;  ///< of games with more than one
  std::vector<GameReport> games;
  std::map<MakeSections, std::vector<ReportSection>> sections;  ///< what estimates, by who made it
  std::vector<drift::ModelDrift> drift;  ///< of runs with a drift check, in their order
  std::string several_models;            ///< calls and cost by model, of agents that have several
  std::vector<HostUse> hosts{};          ///< that answered, where a model has several
  std::vector<CappedPart> capped{};      ///< what calls with caps of their own took
  std::vector<Warning> warnings;         ///< from what the matches say; Scope has those of the runs
  std::vector<std::string> without{};    ///< games that were left out on request
  std::vector<std::string> notes;        ///< how to read it
  Narrowed scope;                        ///< which matches it is of, and what else there is
  std::optional<StopState> stop;         ///< of the last run, if it had a stop rule
  OpenRun open_run;                      ///< the last run, if it did not come to its end
  std::string archive_digest{};          ///< SHA-256 of the file, where the page says it
  std::vector<ReportSection> read;       ///< made of records, branches and probes, where there are
};

/// Estimates everything. The same results and options give the same report, however many threads
/// work on it. Throws Error (not_found) for an unknown reference.
[[nodiscard]] AGON_API ReportEstimates make(Results results, const ReportOptions& options = {});

/// How much a report says.
enum class Detail : std::uint8_t {
  brief,  ///< leaderboard, games, treatments, faults, how to read it
  full,   ///< and every metric of every game, strengths, TrueSkill and pairs
  page,   ///< and what is looked at rather than read: differences block by block, how games went
  data,   ///< all that there is, for programs
};
/// The report as data for any renderer. `sections`: only these, in full; empty: as `detail` says,
/// or all of them for programs. `anytime`: differences that hold whenever one looks come first;
/// they are also there for programs, and where they are asked for by name.
[[nodiscard]] AGON_API Document document(const ReportEstimates& report, Detail detail,
                                         const std::vector<std::string>& sections = {},
                                         bool anytime = false);

/// Says which matches a document is of, where the archive holds others too, that a run did not come
/// to its end, and warnings.
AGON_API void add_alerts(Document& document, const OpenRun& run,
                         const std::vector<Warning>& warnings);

/// Adds sections that somebody computed, from a file of them (docs/report.md, your own sections).
/// Throws Error for a file that is wrong, and for a section that the document has.
AGON_API void add_sections(Document& document, const std::string& file);

/// The names that sections can be chosen by.
[[nodiscard]] AGON_API const std::vector<std::string>& section_names();

/// The report as aligned tables of about 100 columns; headings are bold with `colour`.
[[nodiscard]] AGON_API std::string text(const ReportEstimates& report, bool colour,
                                        Detail detail = Detail::full);

/// What the command line may say.
struct ReportRequest {
  std::string against{};  ///< reference agent; empty: the one of the suite
  std::string policy{};   ///< "as-played", "forfeit" or "exclude"; empty: the one of the suite
  ScopeChoice scope{};    ///< which matches of the archive
  std::vector<std::string> without{};  ///< games that are left out
  std::string aggregate{};  ///< "mean", "winsorised" or "ranks"; empty: the one of the suite
  Detail detail = Detail::brief;
  std::vector<GameRate> rates{};         ///< of the games at hand
  std::vector<const TableCard*> play{};  ///< tables of the games at hand that are no paper's
  std::vector<const Game*> talk{};       ///< games at hand whose cards say what is talked about
  std::vector<std::string> sections{};   ///< only these; empty: as `detail` says
  bool anytime = false;                  ///< differences that hold whenever one looks come first
  branch::ControlRequest controls{};     ///< agents that explain scores
  const Catalogue* catalogue = nullptr;  ///< who plays them; null without controls
};

/// The rates of the games at hand, by game.
[[nodiscard]] AGON_API std::vector<GameRate> rates_of(const Catalogue& catalogue);
/// The tables of the games at hand that are no paper's; they live as long as the catalogue.
[[nodiscard]] AGON_API std::vector<const TableCard*> play_tables_of(const Catalogue& catalogue);
/// The games at hand whose cards say what is talked about; they live as long as the catalogue.
[[nodiscard]] AGON_API std::vector<const Game*> talk_of(const Catalogue& catalogue);

/// text() of the archive at `path`, with the reference, fault policy and level that its last suite
/// asks for unless the choice says otherwise.
[[nodiscard]] AGON_API std::string text_of(const std::string& path, const ReportRequest& choice,
                                           bool colour);
/// document() of the same.
[[nodiscard]] AGON_API Document document_of(const std::string& path, const ReportRequest& choice);

}  // namespace agon::report
