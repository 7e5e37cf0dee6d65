#include "text/table.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "text/utf8.hpp"

namespace agon::text {
namespace {

std::string cell_text(const std::string& cell, std::size_t limit) {
  std::string shown = printable(cell);
  return limit == 0 ? shown : shorten(shown, limit);
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.header = cell_text(column.header, column.limit);
}

void Table::add(std::vector<std::string> cells) {
  if (cells.size() > columns_.size()) throw std::invalid_argument("a row has too many cells");
  cells.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = cell_text(cells[i], columns_[i].limit);
  rows_.push_back(std::move(cells));
}

std::string Table::str(std::size_t indent) const {
  std::vector<std::size_t> widths;
  std::vector<std::string> headers;
  std::vector<std::string> dashes;
  bool has_header = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t widest = width(columns_[i].header);
    for (const auto& row : rows_) widest = std::max(widest, width(row[i]));
    widths.push_back(widest);
    headers.push_back(columns_[i].header);
    dashes.emplace_back(widest, '-');
    has_header = has_header || !columns_[i].header.empty();
  }
  std::string out;
  const auto write_row = [&](const std::vector<std::string>& cells) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - width(cells[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::left ? cells[i] + padding : padding + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  if (has_header) {
    write_row(headers);
    write_row(dashes);
  }
  for (const auto& row : rows_) write_row(row);
  return out;
}

}  // namespace agon::text
