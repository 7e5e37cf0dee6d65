#pragma once

#include <agon/analysis/statistics.hpp>
#include <agon/export.hpp>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "judge/forms.hpp"
#include "stats/estimate.hpp"

namespace agon::judge {

/// What judges said of one agent, or of all.
struct Rated {
  std::string agent;  ///< or what else the records share; empty: all together
  std::string plays;  ///< what the agent is: "mock/x", "fraction"
  std::size_t records = 0;
  std::array<Spread, kDimensions> dimensions{};  ///< over ratings
  /// Of the means, over records and judges both, see stats::crossed_interval.
  std::array<std::optional<stats::Interval>, kDimensions> intervals{};
};

/// The level of the intervals.
inline constexpr double kLevel = 0.95;

/// What one judge gave.
struct RatedBy {
  std::string judge;
  std::string plays{};  ///< what it is, if an agent: "mock/x"; empty: a person
  std::size_t records = 0;
  std::array<Spread, kDimensions> dimensions{};  ///< over its ratings
};

/// How far judges agree on one dimension.
struct Agreement {
  std::optional<double> ordinal;                     ///< Krippendorff's alpha, ratings as ranks
  std::optional<stats::Interval> bounds{};           ///< of that, see stats::krippendorff_interval
  std::optional<double> interval;                    ///< the same, ratings as numbers
  std::optional<stats::Interval> interval_bounds{};  ///< of that
  std::size_t records = 0;                           ///< with two ratings or more
};

/// How far some of the judges agree.
struct AgreementAmong {
  std::string judges;  ///< "people", "people and judge (mock/x)"
  std::array<Agreement, kDimensions> dimensions{};
};

/// What judges gave their own play, in one dimension.
struct OwnPlay {
  Spread ratings;                             ///< over judges
  std::optional<stats::Interval> interval{};  ///< of the mean, judges taken for draws from many
  /// Own rating minus the mean of what the same judge gave records, over judges who gave both.
  std::optional<double> difference{};
  std::optional<stats::Interval> difference_interval{};  ///< likewise
  std::size_t pairs = 0;                                 ///< such judges
};

/// What filled forms say.
struct JudgingResults {
  std::size_t records = 0;  ///< rated by anybody
  std::size_t judges = 0;
  std::size_t ratings = 0;  ///< rows with at least one rating
  std::size_t blank = 0;    ///< rows that nobody has filled in yet
  Rated all;
  std::vector<Rated> agents;  ///< by name
  /// Records with an identity and records without one, `agent` saying so; empty unless there are
  /// both.
  std::vector<Rated> by_identity;
  std::vector<RatedBy> by_judge;                   ///< by name
  std::array<OwnPlay, kDimensions> own_play{};     ///< of the judges' own play
  std::array<Agreement, kDimensions> agreement{};  ///< of all judges
  /// Where an agent is among the judges and people are: of people, and of people with each agent.
  std::vector<AgreementAmong> agreement_among;
  std::string mock;  ///< for whom a mock played, in a sentence; empty: for none
};

/// Works them out. Throws Error (not_found) if the archive lacks a match of the key.
[[nodiscard]] AGON_API JudgingResults results(const archive::Archive& archive,
                                              const std::map<std::string, Keyed>& key,
                                              const ReadForms& forms);

/// As tables, with the published figures beside them; headings bold with `colour`.
[[nodiscard]] AGON_API std::string text(const JudgingResults& results, bool colour);
/// As JSON (format "agon.judging", version 1).
[[nodiscard]] AGON_API std::string json(const JudgingResults& results);

}  // namespace agon::judge
