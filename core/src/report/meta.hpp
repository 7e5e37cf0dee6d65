#pragma once

#include <agon/game_theory.hpp>
#include <agon/paper_table.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "report/report.hpp"

namespace agon::report {

/// One cell: the matches in which seat 0's agent has the row's level and seat 1's the column's.
struct MetaCell {
  std::array<Figure, 2> score{};  ///< mean score of each seat; n: matches. NaN: none were played
  std::size_t blocks = 0;         ///< independent units behind it
};

/// A pure equilibrium of the means.
struct MetaPure {
  std::size_t row = 0;
  std::size_t column = 0;
  /// Share of resamples of the blocks in which it is an equilibrium too; nothing under two blocks.
  std::optional<double> stability{};
};

/// The game that two owners of one base agent play when each chooses a level for its agent.
struct MetaMatrix {
  std::string game;
  std::string label;           ///< of the scenario, and of its treatment where there is one
  std::size_t treatments = 1;  ///< how many of them the means are over
  std::string base;  ///< what all agents of the matrix have in common; empty: nothing is known
  std::array<std::string, 2> seats;
  std::vector<std::string> levels;  ///< both seats', in the order of the suite
  std::vector<MetaCell> cells;      ///< row by row
  /// An agent of each level, for telling how a missing cell is made.
  std::vector<std::string> agents;
  int decimals = 0;  ///< places that were taken off minor units: the scores are in major ones

  std::vector<std::pair<std::size_t, std::size_t>> missing;  ///< cells without a match
  std::vector<MetaPure> pure;                                ///< empty where a cell is missing
  std::vector<theory::MixedEquilibrium> mixed;  ///< extreme equilibria, the pure ones left out
  std::string mixed_note;                       ///< why there are no mixed ones to tell
};

/// All such games of an archive.
struct MetaReport {
  std::string factor;  ///< the label or factor
  FaultPolicy policy = FaultPolicy::as_played;
  double level = 0.95;  ///< of the intervals
  std::size_t resamples = 999;
  std::vector<MetaMatrix> matrices;
  std::size_t other_bases = 0;  ///< matches of two agents of different bases: in no matrix
  std::size_t other_seats = 0;  ///< matches with another number of seats than two
  std::size_t unlabelled = 0;   ///< two-player matches with an agent that lacks the label
  std::size_t excluded = 0;     ///< matches that the fault policy leaves out
};

/// Fills missing, pure and mixed of a matrix from its cells.
void solve(MetaMatrix& matrix);

/// Builds and solves the matrices for one label or factor: one for each scenario and base, over
/// all treatments. Agents have the same base if all their other labels and factors are the same,
/// and so are the suite's entry that factors made them of and, of agents with no other label or
/// factor, the name of the model. Throws Error (not_found) if no agent has the label, or if no
/// finished match fits.
[[nodiscard]] MetaReport make_meta(const archive::Archive& archive, const std::string& factor,
                                   FaultPolicy policy, double level);

/// As data for any renderer, and the names that its sections can be chosen by.
[[nodiscard]] Document document(const MetaReport& report);
[[nodiscard]] const std::vector<std::string>& meta_section_names();

/// As tables, headings bold with `colour`; and as JSON (format "agon.meta", version 1).
[[nodiscard]] std::string text(const MetaReport& report, bool colour);
[[nodiscard]] std::string json(const MetaReport& report);

/// The same of the archive at `path`, with fault policy and level as the suite says unless the
/// choice says otherwise.
[[nodiscard]] MetaReport meta_of(const std::string& path, const std::string& factor,
                                 const Choice& choice);

}  // namespace agon::report
