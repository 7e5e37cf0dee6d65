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
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t widest = text::width(text::printable(columns_[c].header));
    for (const auto& row : rows_) widest = std::max(widest, text::width(text::printable(row[c])));
    if (columns_[c].limit > 0) widest = std::min(widest, columns_[c].limit);
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
    std::vector<text::Column> columns(columns_.begin(),
                                      columns_.begin() + static_cast<std::ptrdiff_t>(fixed_));
    columns.insert(columns.end(), columns_.begin() + static_cast<std::ptrdiff_t>(first),
                   columns_.begin() + static_cast<std::ptrdiff_t>(end));
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
