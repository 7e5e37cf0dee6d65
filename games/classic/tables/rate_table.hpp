#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <map>
#include <string>
#include <vector>

#include "classic/tables/trials.hpp"

namespace classic {

/// A table of shares: rows in a fixed order, a column for each model of the paper and then for
/// every other agent that played.
class RateTable {
 public:
  RateTable(std::string corner, std::vector<std::string> models);

  /// A row; rows stand in the order of these calls.
  void row(const std::string& label);
  /// What the paper prints, model by model in the order of the constructor; NaN: nothing.
  void publish(const std::string& row, const std::vector<double>& values);
  /// One observation.
  void add(const std::string& row, const std::string& column, const std::string& block, bool is);
  /// Those of a trial: how often each player took `choice`.
  void add_choices(const std::string& row, const std::string& column, const Trial& trial,
                   int choice);
  [[nodiscard]] bool empty() const { return samples_.empty(); }

  /// The table, with a note on rows that nobody played. Throws LacksData with `lacks` if nothing
  /// was added.
  [[nodiscard]] agon::PaperTable make(double level, const std::string& lacks,
                                      std::vector<std::string> notes) const;

 private:
  std::string corner_;
  std::vector<std::string> columns_;
  std::vector<std::string> rows_;
  std::map<std::pair<std::string, std::string>, agon::Sample> samples_;  ///< by row and column
  std::map<std::pair<std::string, std::string>, double> published_;      ///< likewise
};

/// The title of a shipped game, as the paper's tables have it; the name where it is none.
[[nodiscard]] std::string title_of(const std::string& game);

}  // namespace classic
