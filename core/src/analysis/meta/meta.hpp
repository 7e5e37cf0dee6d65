#pragma once

#include <agon/analysis/game_theory.hpp>
#include <agon/export.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "report/document.hpp"
#include "report/report.hpp"
#include "theory/evolution.hpp"

namespace agon::report {

/// One profile of choices, by seat. Where seats are alike, the order of seats says nothing, and
/// choices stand in the order of the game's.
struct MetaLineUp {
  std::vector<std::size_t> choices;
  std::size_t matches = 0;
  std::size_t blocks = 0;  ///< independent units: blocks, or what blocks share
};

/// What a seat gains by choosing otherwise while the others keep to their choices.
struct MetaGain {
  std::size_t seat = 0;              ///< the first of its choice where seats are alike
  std::vector<std::size_t> choices;  ///< the seat's own among them
  std::size_t to = 0;                ///< what it chooses instead
  stats::Estimate gain;              ///< paired, on blocks that both line-ups have
};

/// What the best change of a single choice gains: 0 in an equilibrium.
struct MetaRegret {
  std::size_t line_up = 0;                    ///< place among the line-ups
  std::optional<double> regret;               ///< nothing if a gain is not known
  std::optional<stats::Interval> interval{};  ///< from intervals of all its gains at once
  bool always = false;                        ///< none, as no gain varies over the blocks
  std::size_t seat = 0;                       ///< whose change gains most
  std::size_t to = 0;
};

/// An equilibrium in which nobody mixes.
struct MetaPure {
  std::size_t line_up = 0;
  /// Share of resamples of the blocks in which it is one too; nothing under two blocks, or
  /// where no payoff varies over them.
  std::optional<double> held_in{};
};

/// An extreme equilibrium of a two-player game in which somebody mixes.
struct MetaMixed {
  theory::MixedEquilibrium exact;
  bool symmetric = false;  ///< both players mix alike
  /// Share of resamples with an equilibrium on the same choices. Nothing under two blocks, or where
  /// the players use different numbers of choices: the game is degenerate.
  std::optional<double> held_in{};
  /// Of every weight, by player, over the resamples that hold it.
  std::array<std::vector<std::optional<stats::Interval>>, 2> weights{};
};

/// A set of choices in use, and how often resamples have an equilibrium on it.
struct MetaSupport {
  std::array<std::vector<std::size_t>, 2> choices;
  double share = 0;
  bool found = false;  ///< the means have one too
};

/// Alpha-rank under one strength of selection.
struct MetaRanking {
  std::optional<double> alpha{};  ///< nothing: the limit
  std::vector<double> mass;       ///< by choice where seats are alike, else by line-up
  std::vector<std::optional<stats::Interval>> intervals;
  double residual = 0;  ///< largest imbalance of the flows, over all resamples
};

/// Ends of the replicator dynamics that use the same choices.
struct MetaBasin {
  theory::Shares shares;  ///< the mean end; not settled: the mean over time
  double starts = 0;      ///< share of the starts that end there
  double spread = 0;      ///< the furthest of them from the mean: more than one end
  bool settled = false;
};

/// Where replicator dynamics lead.
struct MetaDynamics {
  theory::ReplicatorEnd from_uniform;
  std::vector<MetaBasin> basins;  ///< the largest first
  std::size_t starts = 0;         ///< drawn evenly from all mixtures
  double error = 0;               ///< the largest of all runs
};

/// The scale of payoffs.
enum class MetaScale : std::uint8_t {
  normalised,  ///< gain over pie, as in the leaderboard
  raw,         ///< in the unit of the game's score
};
[[nodiscard]] const char* name(MetaScale scale);

/// The game with payoffs on one scale.
struct MetaSolution {
  MetaScale scale = MetaScale::normalised;
  std::string note;                                   ///< why there is nothing more to tell
  std::vector<std::vector<stats::Estimate>> payoffs;  ///< [line-up][seat]
  std::vector<MetaGain> gains;
  std::vector<MetaRegret> regrets;  ///< by line-up
  std::vector<MetaPure> pure;
  std::vector<MetaMixed> mixed;
  std::string mixed_note;             ///< why there are no mixed ones to tell
  std::vector<MetaSupport> supports;  ///< the most frequent first
  std::vector<MetaRanking> rankings;
  std::string ranking_note;
  std::optional<MetaDynamics> dynamics;
  std::size_t resamples = 0;  ///< those that have all payoffs; 0 where no payoff varies
};

/// The game that owners of agents play when each makes a choice for its own.
struct MetaGame {
  std::string game;
  std::string label;           ///< of the scenario, and of its treatment where there is one
  std::size_t treatments = 1;  ///< how many of them the means are over
  std::string base;  ///< what all agents of the game have in common; empty: nothing is known
  std::vector<std::string> seats;
  bool symmetric = false;                         ///< seats are alike: one population
  std::vector<std::vector<std::string>> choices;  ///< by seat, in the order of the suite
  std::vector<std::vector<std::string>> agents;   ///< an agent for each of them
  int decimals = 0;  ///< places that were taken off minor units: raw payoffs are in major ones
  std::optional<double> score_min{};  ///< what no normalised payoff is below, if known
  std::optional<double> score_max{};  ///< or above
  std::vector<MetaLineUp> line_ups;   ///< all that the game needs, the last seat moving fastest
  std::vector<std::size_t> missing;   ///< those without a match
  std::vector<std::string> left_out;  ///< agents that lack line-ups, of "all"
  std::string note;                   ///< why there is no game
  std::vector<MetaSolution> solutions;

  [[nodiscard]] std::size_t players() const { return seats.size(); }
  /// The line-up of these choices, by seat, in any order where seats are alike.
  [[nodiscard]] std::size_t line_up(std::vector<std::size_t> choices_of_seats) const;
};

/// All such games of an archive.
struct MetaReport {
  Narrowed scope;  ///< which matches it is of
  MetaQuestion question;
  FaultPolicy policy = FaultPolicy::as_played;
  double level = 0.95;  ///< of the intervals
  std::size_t resamples = 999;
  std::vector<MetaGame> games;
  std::size_t other_bases = 0;  ///< matches of agents of different bases: in no game
  std::size_t one_seat = 0;     ///< matches of one seat
  std::size_t not_chosen = 0;   ///< matches with an agent that lacks the label or is not named
  std::size_t excluded = 0;     ///< matches that the fault policy leaves out
};

/// Builds and solves the games of a question: one for each scenario, number of seats and base, over
/// all treatments. Agents have the same base if all their other labels and factors are the same,
/// and so are the suite's entry that factors made them of and, of agents with no other label or
/// factor, the name of the model; agents that are chosen by name need none. Throws Error
/// (not_found) if no agent has the label, an agent is not known, or no finished match fits.
[[nodiscard]] AGON_API MetaReport make_meta(const archive::Archive& archive,
                                            const MetaQuestion& question, FaultPolicy policy,
                                            double level);

/// As data for any renderer, and the names that its sections can be chosen by.
[[nodiscard]] AGON_API Document document(const MetaReport& report);
[[nodiscard]] AGON_API const std::vector<std::string>& meta_section_names();

/// As tables, headings bold with `colour`.
[[nodiscard]] AGON_API std::string text(const MetaReport& report, bool colour);

/// The same of the archive at `path`, with fault policy and level as the suite says unless the
/// choice says otherwise.
[[nodiscard]] AGON_API MetaReport meta_of(const std::string& path, const MetaQuestion& question,
                                          const ReportRequest& choice);

}  // namespace agon::report
