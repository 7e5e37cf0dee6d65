#include "shared/published.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <utility>

namespace shared {
namespace {

std::vector<double> numbers_of(const agon::JsonNode& row, std::size_t columns) {
  if (row.size() != columns)
    row.fail(fmt::format("has {} numbers for {} columns", row.size(), columns),
             "write null where the paper prints none");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < columns; ++i)
    numbers.push_back(row[i].kind() == agon::JsonNode::Kind::null ? agon::kNothing
                                                                  : row[i].number());
  return numbers;
}

}  // namespace

std::vector<std::string> PublishedTable::agents() const {
  std::vector<std::string> agents;
  for (const std::string& row : rows_)
    if (std::string agent = row.substr(0, row.find_first_of(":,"));
        agents.empty() || agents.back() != agent)
      agents.push_back(std::move(agent));
  return agents;
}

std::span<const double> PublishedTable::row(std::string_view label) const {
  const auto found = std::find(rows_.begin(), rows_.end(), label);
  if (found == rows_.end()) return {};
  return numbers_[static_cast<std::size_t>(found - rows_.begin())];
}

double PublishedTable::at(std::string_view row, std::string_view column) const {
  const std::span<const double> numbers = this->row(row);
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  return numbers.empty() || found == columns_.end()
             ? agon::kNothing
             : numbers[static_cast<std::size_t>(found - columns_.begin())];
}

void PublishedTable::fill(agon::PaperTable& table) const {
  std::string heading;
  for (agon::TableRow& row : table.rows) {
    const bool below = row.label.starts_with("  ");
    if (!below) heading = row.label;
    const std::string label = below ? heading + ": " + row.label.substr(2) : row.label;
    for (std::size_t c = 0; has_row(label) && c < row.cells.size(); ++c)
      row.cells[c].published = at(label, table.columns[c]);
  }
}

PublishedTables::PublishedTables(std::string_view json, std::string file) : file_(std::move(file)) {
  try {
    const agon::JsonDocument document(std::string(json), file_);
    const agon::JsonNode tables = document.root();
    for (std::size_t t = 0; t < tables.member_count(); ++t) {
      const agon::JsonNode table = tables.member(t);
      table.allow_only({"source", "columns", "rows"});
      static_cast<void>(table["source"].text());
      PublishedTable& made = tables_[std::string(tables.name(t))];
      const agon::JsonNode columns = table["columns"], rows = table["rows"];
      for (std::size_t c = 0; c < columns.size(); ++c)
        made.columns_.emplace_back(columns[c].text());
      for (std::size_t r = 0; r < rows.member_count(); ++r) {
        made.rows_.emplace_back(rows.name(r));
        made.numbers_.push_back(numbers_of(rows.member(r), columns.size()));
      }
    }
  } catch (const agon::Error& error) {
    throw agon::Error(agon::ErrorKind::failure, error.problem(), error.where(), error.hint());
  }
}

const PublishedTable& PublishedTables::operator[](std::string_view id) const {
  const auto found = tables_.find(id);
  if (found == tables_.end())
    throw agon::Error(agon::ErrorKind::failure, fmt::format("there is no table '{}'", id), file_);
  return found->second;
}

}  // namespace shared
