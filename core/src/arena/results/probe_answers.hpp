#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "archive/export/cell.hpp"
#include "results/participant.hpp"

namespace agon::report {

/// How good an answer was by one rule, and how good the base rate would have been at its place:
/// what came true in the other blocks of the scenario. None without another block.
struct ProbeScore {
  std::string_view rule;  ///< "Brier", "log", "absolute error", "interval score", "right"
  double own = 0;
  std::optional<double> base{};
};

/// An answer to a question of the suite's, and what the record says to it.
struct ProbeAnswer {
  std::string match;
  std::string game;
  std::string scenario;
  std::string treatment;  ///< JSON
  std::string draws;      ///< whose random draws it had; equal ones and block: not independent
  std::int64_t block = 0;
  std::int64_t repeat = 0;
  std::int64_t position = 0;
  std::int64_t seat = 0;
  std::string seat_name;
  std::string role;
  std::string agent;
  std::string probe;
  std::int64_t question = 0;  ///< its number in the record
  bool is_asked_for = false;  ///< there is a truth to be compared with
  bool declined = false;      ///< or no legal answer came
  std::string answer{};       ///< JSON; empty: none
  std::string truth{};        ///< in words; empty: the record has none
  std::vector<ProbeScore> scores{};
  /// Probabilities of yes-or-no statements, and whether they came true: for calibration.
  std::vector<std::pair<double, bool>> forecasts{};
};

/// Whether more of a rule is worse.
[[nodiscard]] inline bool is_loss(std::string_view rule) {
  return rule != "right";
}

/// All answers to probes of suites in the archive's finished matches, scored. `apart`: ends of
/// agents' names. Throws Error for a damaged archive.
[[nodiscard]] AGON_API std::vector<ProbeAnswer> probe_answers(const archive::Archive& archive,
                                                              const AgentsApart& apart);

/// Writes them, a row each, with a column a rule: JSON Lines, or CSV with a header line. Throws
/// Error when the stream fails.
AGON_API void export_probes(const std::vector<ProbeAnswer>& answers, std::ostream& out,
                            std::optional<archive::CsvAudience> csv);

}  // namespace agon::report
