#include "report/wide_table.hpp"

#include <algorithm>

#include "text/utf8.hpp"

namespace agon::report {

WideTable::WideTable(std::vector<text::Column> fixed, std::vector<text::Column> spread)
    : columns_(std::move(fixed)), fixed_(columns_.size()) {
  columns_.insert(columns_.end(), spread.begin(), spread.end());
}

void WideTable::add(std::vector<std::string> cells, bool below) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
  below_.push_back(below);
}

std::string WideTable::str(std::size_t indent, std::size_t page) const {
  std::vector<text::Column> all = columns_;
  std::vector<std::string> headers;
  for (const text::Column& column : columns_) headers.push_back(text::printable(column.header));
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::vector<std::string> cells;
    for (const auto& row : rows_) cells.push_back(text::printable(row[c]));
    std::size_t& limit = all[c].limit;
    // Every part must cut alike, and heads stand beside one another.
    if (!text::stay_apart(cells, limit) || !text::stay_apart(headers, limit)) limit = 0;
    std::size_t widest = text::width(headers[c]);
    for (const std::string& cell : cells) widest = std::max(widest, text::width(cell));
    if (limit > 0) widest = std::min(widest, limit);
    widths.push_back(widest + 2);
  }
  std::size_t start = indent;
  for (std::size_t c = 0; c < fixed_; ++c) start += widths[c];
  std::string out;
  for (std::size_t first = fixed_; first < columns_.size() || first == fixed_;) {
    std::size_t end = first;
    std::size_t used = start;
    while (end < columns_.size() && (end == first || used + widths[end] - 2 <= page))
      used += widths[end++];
    std::vector<text::Column> columns(all.begin(),
                                      all.begin() + static_cast<std::ptrdiff_t>(fixed_));
    columns.insert(columns.end(), all.begin() + static_cast<std::ptrdiff_t>(first),
                   all.begin() + static_cast<std::ptrdiff_t>(end));
    text::Table table(columns);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto& row = rows_[r];
      const auto from = row.begin() + static_cast<std::ptrdiff_t>(first);
      const auto to = row.begin() + static_cast<std::ptrdiff_t>(end);
      if (below_[r] && std::all_of(from, to, [](const std::string& cell) { return cell.empty(); }))
        continue;
      std::vector<std::string> cells(row.begin(),
                                     row.begin() + static_cast<std::ptrdiff_t>(fixed_));
      cells.insert(cells.end(), from, to);
      table.add(std::move(cells));
    }
    if (!out.empty()) out += '\n';
    out += table.str(indent);
    if (end >= columns_.size()) break;
    first = end;
  }
  return out;
}

}  // namespace agon::report
