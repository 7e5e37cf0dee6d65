#include "report/render/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "archive/export/cell.hpp"
#include "report/render/render.hpp"
#include "report/tables.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"

namespace agon::report {

/// A table whose last columns may be too many for a page: they are then spread over several tables,
/// each of which repeats the first columns.
class WideTable {
 public:
  /// `fixed` columns come first in every part, `spread` are shared out over the parts.
  WideTable(std::vector<text::Column> fixed, std::vector<text::Column> spread);

  /// One cell for every column. `below`: the line belongs to the row before, and is left out of
  /// parts in which it says nothing.
  void add(std::vector<std::string> cells, bool below = false);

  /// All parts, with an empty line between, none wider than `page` unless a single column is.
  [[nodiscard]] std::string str(std::size_t indent = 2, std::size_t page = 100) const;

 private:
  std::vector<text::Column> columns_;
  std::size_t fixed_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> below_;
};

namespace {

/// Some units weigh so much more than others that their number misleads.
bool weighs_unevenly(const stats::Estimate& e) {
  return e.effective_n && *e.effective_n < 0.8 * static_cast<double>(e.units);
}

std::string units_words(const stats::Estimate& e) {
  return weighs_unevenly(e) ? fmt::format("{} (eff. {:.1f})", e.units, *e.effective_n)
                            : std::to_string(e.units);
}

std::string part_words(const Estimated& figure, FigurePart::What part) {
  const stats::Estimate& e = figure.estimate;
  switch (part) {
    case FigurePart::What::value:
      if (!figure.instead.empty()) return figure.instead;
      return e.value ? fixed(*e.value, figure.decimals, figure.sign) : "-";
    case FigurePart::What::interval:
      if (!figure.instead.empty()) return {};
      return interval_or_note(e, figure.decimals, figure.sign);
    case FigurePart::What::together:
      if (!figure.instead.empty()) return {};
      return figure.together ? interval(*figure.together, figure.decimals, figure.sign)
                             : interval_or_note(e, figure.decimals, figure.sign);
    case FigurePart::What::p:
      return figure.instead.empty() ? p_words(e.p_value) : std::string();
    case FigurePart::What::p_adjusted:
      return figure.instead.empty() ? p_words(figure.p_adjusted) : std::string();
    case FigurePart::What::units:
      return units_words(e);
    case FigurePart::What::out_of:
      return figure.out_of ? count_words(*figure.out_of) : std::string();
    case FigurePart::What::published:
      return figure.published ? fixed(*figure.published, figure.decimals) : std::string();
  }
  return {};
}

/// A figure in one cell; `usual`: as many units as the table says already.
std::string whole_words(const Estimated& figure, std::optional<std::size_t> usual) {
  if (!figure.instead.empty()) return figure.instead;
  std::string words = with_interval(figure.estimate, figure.decimals, figure.sign);
  if (!figure.mark.empty()) words += " " + figure.mark;
  if (figure.out_of)
    words += " n=" + count_words(*figure.out_of);
  else if (usual && figure.estimate.value &&
           (figure.estimate.units != *usual || weighs_unevenly(figure.estimate)))
    words += " n=" + units_words(figure.estimate);
  return words;
}

Grid::Cell cell_words(const ReportCell& cell, std::optional<std::size_t> usual) {
  if (const auto* missing = std::get_if<Missing>(&cell)) return {missing->shown, false};
  if (const auto* words = std::get_if<std::string>(&cell)) return {*words, false};
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return {std::to_string(*whole), true};
  if (const auto* number = std::get_if<Number>(&cell))
    return {fixed(number->value, number->decimals, number->sign), true};
  if (const auto* money = std::get_if<Dollars>(&cell))
    return {archive::dollars(money->billionths), true};
  const Estimated& figure = std::get<Estimated>(cell);
  return {whole_words(figure, usual), figure.instead.empty()};
}

/// The most units behind the shown figures of a column.
std::size_t most_units(const ReportTable& table, std::size_t column) {
  std::size_t most = 0;
  for (const ReportRow& row : table.rows)
    if (row.where != Where::data && column < row.cells.size())
      if (const auto* figure = std::get_if<Estimated>(&row.cells[column]))
        most = std::max(most, figure->estimate.units);
  return most;
}

/// The line of one part under a row with this label, if any of its figures has it.
void add_below(Grid& grid, const ReportTable& table, const ReportRow& row, const std::string& label,
               const FigurePart& part) {
  Grid::Row line;
  line.from = &row;
  line.below = true;
  bool says = false;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].where == Where::data) continue;
    const auto* figure = c < row.cells.size() ? std::get_if<Estimated>(&row.cells[c]) : nullptr;
    line.cells.push_back({figure != nullptr ? part_words(*figure, part.what) : "", true});
    says = says || !line.cells.back().words.empty();
  }
  if (!says) return;
  const std::size_t indent = std::min(label.find_first_not_of(' '), label.size());
  line.cells.front() = {std::string(indent + 2, ' ') + part.header, false};
  grid.rows.push_back(std::move(line));
}

}  // namespace

Grid grid_of(const ReportTable& table) {
  Grid grid;
  std::vector<std::optional<std::size_t>> usual(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const ReportColumn& column = table.columns[c];
    if (column.where == Where::data) continue;
    if (column.units_in_head) usual[c] = most_units(table, c);
    grid.from.insert(grid.from.end(), std::max<std::size_t>(column.apart.size(), 1), &column);
    if (c < table.fixed) grid.fixed += std::max<std::size_t>(column.apart.size(), 1);
    for (const FigurePart& part : column.apart)
      grid.columns.push_back({part.header, part.align, column.limit});
    if (column.apart.empty())
      grid.columns.push_back(
          {usual[c] ? fmt::format("{}, n={}", column.header, *usual[c]) : column.header,
           column.align, column.limit});
  }
  for (const ReportRow& row : table.rows) {
    if (row.where == Where::data) continue;
    Grid::Row& out = grid.rows.emplace_back();
    out.from = &row;
    out.heading = row.heading;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const ReportColumn& column = table.columns[c];
      if (column.where == Where::data) continue;
      const ReportCell cell = c < row.cells.size() ? row.cells[c] : ReportCell(Missing{""});
      const auto* figure = std::get_if<Estimated>(&cell);
      if (column.apart.empty() && figure != nullptr && !table.below.empty()) {
        out.cells.push_back(
            {part_words(*figure, FigurePart::What::value), figure->instead.empty()});
        continue;
      }
      if (column.apart.empty()) {
        out.cells.push_back(cell_words(cell, usual[c] ? usual[c] : row.units));
        continue;
      }
      for (std::size_t p = 0; p < column.apart.size(); ++p)
        out.cells.push_back(
            figure != nullptr
                ? Grid::Cell{part_words(*figure, column.apart[p].what), figure->instead.empty()}
            : p == 0 ? cell_words(cell, {})
                     : Grid::Cell{});
    }
    const std::string label = out.cells.front().words;
    for (const FigurePart& part : table.below) add_below(grid, table, row, label, part);
  }
  return grid;
}

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

namespace {

constexpr std::size_t kPageColumns = 100;

std::string aligned(const Grid& grid, std::size_t indent) {
  const auto cells = [](const Grid::Row& row) {
    std::vector<std::string> all;
    for (const Grid::Cell& cell : row.cells) all.push_back(cell.words);
    return all;
  };
  if (grid.fixed == 0) {
    text::Table table(grid.columns);
    for (const Grid::Row& row : grid.rows) table.add(cells(row));
    return table.str(indent);
  }
  const auto spread = grid.columns.begin() + static_cast<std::ptrdiff_t>(grid.fixed);
  WideTable table({grid.columns.begin(), spread}, {spread, grid.columns.end()});
  for (const Grid::Row& row : grid.rows) table.add(cells(row), row.below);
  return table.str(indent, kPageColumns);
}

}  // namespace

std::string render_table(const ReportTable& table) {
  return aligned(grid_of(table), 0);
}

std::string render_text(const Document& document, bool colour) {
  std::string out;
  const auto paragraph = [&](const std::string& words, const char* bullet = "") {
    out += text::paragraph(words, {2, bullet, kPageColumns});
  };
  bool first = true;
  for (const ReportSection& section : document.sections) {
    if (section.where == Where::data) continue;
    const std::string title = text::printable(section.title);
    if (!first) out += '\n';
    out += colour ? "\x1b[1m" + title + "\x1b[0m\n" : title + "\n";
    if (!section.explanation.empty()) paragraph(section.explanation);
    if (first) {
      for (const ReportAlert& alert : document.alerts) {
        paragraph(alert.words);
        if (!alert.command.empty()) out += "  " + text::printable(alert.command) + '\n';
      }
    }
    first = false;
    for (const ReportTable& table : section.tables) {
      const Grid grid = grid_of(table);
      if (!grid.rows.empty()) out += '\n' + aligned(grid, 2);
    }
    for (const std::string& remark : section.remarks) paragraph(remark);
    for (const std::string& point : section.points) paragraph(point, "- ");
  }
  return out;
}

namespace {

/// Words in which nothing is read as Markdown, HTML or mathematics.
std::string markdown_words(std::string_view text) {
  constexpr std::string_view special = "\\`*_[]<>|~$&#";
  std::string out;
  // Spaces at the beginning set a row in under another.
  const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
  if (indent > 0) out = "&emsp;";
  text.remove_prefix(indent);
  for (const char c : text::printable(text)) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

void add_markdown(std::string& out, const Grid& grid) {
  out += "\n|";
  for (const text::Column& column : grid.columns) out += " " + markdown_words(column.header) + " |";
  out += "\n|";
  for (const text::Column& column : grid.columns)
    out += column.align == text::Align::left ? " --- |" : " ---: |";
  out += '\n';
  for (const Grid::Row& row : grid.rows) {
    out += '|';
    for (const Grid::Cell& cell : row.cells) {
      // Figures have no brackets but those of intervals, which are no links.
      std::string shown = cell.figure ? cell.words : markdown_words(cell.words);
      if (cell.figure && shown.ends_with('*')) shown.insert(shown.size() - 1, 1, '\\');
      if (row.heading && !shown.empty()) shown = "*" + shown + "*";
      out += " " + shown + " |";
    }
    out += '\n';
  }
}

}  // namespace

std::string render_markdown(const Document& document) {
  std::string out;
  const auto paragraph = [&](const std::string& text) { out += "\n" + text + "\n"; };
  for (const ReportAlert& alert : document.alerts) {
    if (!out.empty()) out += '\n';
    out += "> **" + markdown_words(alert.words) + "** " + markdown_words(alert.command) + "\n";
  }
  for (const ReportSection& section : document.sections) {
    if (section.where == Where::data) continue;
    if (!out.empty()) out += '\n';
    out += "## " + markdown_words(section.title) + "\n";
    if (!section.explanation.empty()) paragraph(markdown_words(section.explanation));
    for (const ReportTable& table : section.tables)
      if (const Grid grid = grid_of(table); !grid.rows.empty()) add_markdown(out, grid);
    for (const std::string& remark : section.remarks) paragraph(markdown_words(remark));
    if (!section.points.empty()) out += '\n';
    for (const std::string& point : section.points) out += "- " + markdown_words(point) + "\n";
  }
  return out;
}

}  // namespace agon::report
