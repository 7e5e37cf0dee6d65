#include "classic/tables/rate_table.hpp"

#include <algorithm>
#include <cmath>

namespace classic {

RateTable::RateTable(std::string corner, std::vector<std::string> models)
    : corner_(std::move(corner)), columns_(std::move(models)) {}

void RateTable::row(const std::string& label) {
  rows_.push_back(label);
}

void RateTable::publish(const std::string& row, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i])) published_[{row, columns_[i]}] = values[i];
}

void RateTable::add(const std::string& row, const std::string& column, const std::string& block,
                    bool is) {
  if (std::find(columns_.begin(), columns_.end(), column) == columns_.end())
    columns_.push_back(column);
  samples_[{row, column}].add(block, is ? 1 : 0);
}

void RateTable::add_choices(const std::string& row, const std::string& column, const Trial& trial,
                            int choice) {
  for (const int taken : trial.choices) add(row, column, trial.block, taken == choice);
}

agon::PaperTable RateTable::make(double level, const std::string& lacks,
                                 std::vector<std::string> notes) const {
  if (samples_.empty()) throw agon::LacksData{lacks};
  agon::PaperTable table;
  table.corner = corner_;
  table.columns = columns_;
  std::string missing;
  for (const std::string& label : rows_) {
    agon::TableRow row{label, {}};
    bool played = false;
    for (const std::string& column : columns_) {
      agon::TableCell cell;
      if (const auto found = samples_.find({label, column}); found != samples_.end()) {
        cell.ours = found->second.share(level);
        played = true;
      }
      if (const auto found = published_.find({label, column}); found != published_.end())
        cell.published = found->second;
      row.cells.push_back(std::move(cell));
    }
    if (!played) missing += (missing.empty() ? "" : "; ") + label;
    table.rows.push_back(std::move(row));
  }
  table.notes = std::move(notes);
  if (!missing.empty()) table.notes.push_back("Nobody has played: " + missing + ".");
  return table;
}

std::string title_of(const std::string& game) {
  static const std::map<std::string, std::string> titles{
      {"prisoners-dilemma", "Prisoner's Dilemma"},
      {"stag-hunt", "Stag Hunt"},
      {"battle-of-sexes", "Battle of the Sexes"},
      {"wait-go", "Wait-Go"},
      {"duopoly", "Duopoly"},
      {"rock-paper-scissors", "Rock-Paper-Scissors"},
      {"escalation", "Escalation"},
      {"monopoly", "Monopoly"},
      {"hot-cold", "Hot-Cold"},
      {"draco", "Draco"},
      {"trigame", "TriGame"}};
  const auto found = titles.find(game);
  return found == titles.end() ? game : found->second;
}

}  // namespace classic
