#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "archive/export/cell.hpp"
#include "report/document.hpp"
#include "report/render/render.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::report {

std::string fixed(double value, int decimals, bool sign) {
  constexpr double most_in_full = 1e15;  // beyond, not even the units are known
  std::string text = std::abs(value) < most_in_full ? fmt::format("{:.{}f}", value, decimals)
                                                    : fmt::format("{:.6g}", value);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  if (sign && text.front() != '-' && text.find_first_not_of("0.") != std::string::npos)
    text.insert(0, 1, '+');
  return text;
}

std::string interval(const stats::Interval& interval, int decimals, bool sign) {
  return "[" + fixed(interval.low, decimals, sign) + ", " + fixed(interval.high, decimals, sign) +
         "]";
}

int decimals_for(double value) {
  const double size = std::abs(value);
  return size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
}

std::string note_words(stats::Note note) {
  if (note == stats::Note::no_variation) return "constant";
  if (note == stats::Note::degenerate) return "unstable";
  if (note == stats::Note::not_connected) return "not linked";
  return stats::describe(note);
}

std::string why_no_interval(const stats::Estimate& estimate) {
  if (estimate.note != stats::Note::too_few || estimate.fewest_of.empty() ||
      estimate.fewest_units >= stats::kFewestOfTerm || estimate.units < stats::kFewestUnits)
    return note_words(estimate.note);
  return fmt::format("too few: {} of {}", estimate.fewest_units, estimate.fewest_of);
}

std::string p_words(const std::optional<double>& p) {
  if (!p) return {};
  return *p < 0.0001 ? std::string("<0.0001") : fixed(*p, 4);
}

std::string count_words(double n) {
  return n == std::floor(n) ? fixed(n, 0) : fixed(n, 2);
}

stats::Estimate in_major_units(stats::Estimate estimate, int decimals) {
  if (decimals <= 0) return estimate;
  double scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  if (estimate.value) *estimate.value /= scale;
  if (estimate.standard_error) *estimate.standard_error /= scale;
  if (estimate.interval)
    estimate.interval =
        stats::Interval{estimate.interval->low / scale, estimate.interval->high / scale};
  return estimate;
}

namespace {

/// "0.812 [0.790, 0.834]", "0.812 (too few)", "0.812 (always)" or "-".
std::string with_interval(const stats::Estimate& estimate, int decimals, bool sign) {
  if (!estimate.value)
    return estimate.note == stats::Note::not_connected ? note_words(estimate.note) : "-";
  std::string text = fixed(*estimate.value, decimals, sign);
  if (estimate.interval) return text + " " + interval(*estimate.interval, decimals, sign);
  if (estimate.note == stats::Note::none) return text;
  if (estimate.note == stats::Note::no_variation && estimate.unseen)
    return fmt::format("{} (constant; <{:.0f}%)", text, 100 * *estimate.unseen);
  return text + " (" + why_no_interval(estimate) + ")";
}

/// The interval alone, or why there is none.
std::string interval_or_note(const stats::Estimate& estimate, int decimals, bool sign) {
  return estimate.interval ? interval(*estimate.interval, decimals, sign)
                           : why_no_interval(estimate);
}

/// Some units weigh so much more than others that their number misleads.
bool weighs_unevenly(const stats::Estimate& e) {
  return e.effective_n && *e.effective_n < 0.8 * static_cast<double>(e.units);
}

std::string units_words(const stats::Estimate& e) {
  return weighs_unevenly(e) ? fmt::format("{} (eff. {:.1f})", e.units, *e.effective_n)
                            : std::to_string(e.units);
}

std::string part_words(const Estimated& figure, FigurePart::Item part) {
  const stats::Estimate& e = figure.estimate;
  switch (part) {
    case FigurePart::Item::value:
      if (!figure.instead.empty()) return figure.instead;
      return e.value ? fixed(*e.value, figure.decimals, figure.sign) : "-";
    case FigurePart::Item::interval:
      if (!figure.instead.empty()) return {};
      return interval_or_note(e, figure.decimals, figure.sign);
    case FigurePart::Item::together:
      if (!figure.instead.empty()) return {};
      return figure.together ? interval(*figure.together, figure.decimals, figure.sign)
                             : interval_or_note(e, figure.decimals, figure.sign);
    case FigurePart::Item::p:
      return figure.instead.empty() ? p_words(e.p_value) : std::string();
    case FigurePart::Item::p_adjusted:
      return figure.instead.empty() ? p_words(figure.p_adjusted) : std::string();
    case FigurePart::Item::units:
      return units_words(e);
    case FigurePart::Item::out_of:
      return figure.out_of ? count_words(*figure.out_of) : std::string();
    case FigurePart::Item::published:
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
  if (const auto* missing = std::get_if<NoFigure>(&cell)) return {missing->shown, false};
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
      const ReportCell cell = c < row.cells.size() ? row.cells[c] : ReportCell(NoFigure{""});
      const auto* figure = std::get_if<Estimated>(&cell);
      if (column.apart.empty() && figure != nullptr && !table.below.empty()) {
        out.cells.push_back(
            {part_words(*figure, FigurePart::Item::value), figure->instead.empty()});
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

namespace {

constexpr std::size_t kPageColumns = 100;

/// How wide each column is with a space of two behind it. Takes the limit from columns whose cells,
/// or all columns whose heads, would be cut alike: parts of a table must cut alike, and heads stand
/// beside one another.
std::vector<std::size_t> widths_of(const Grid& grid, std::vector<text::Column>& columns) {
  std::vector<std::string> headers;
  for (const text::Column& column : columns) headers.push_back(text::printable(column.header));
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<std::string> cells;
    for (const Grid::Row& row : grid.rows) cells.push_back(text::printable(row.cells[c].words));
    std::size_t& limit = columns[c].limit;
    if (!text::stay_apart(cells, limit) || !text::stay_apart(headers, limit)) limit = 0;
    std::size_t widest = text::width(headers[c]);
    for (const std::string& cell : cells) widest = std::max(widest, text::width(cell));
    widths.push_back((limit > 0 ? std::min(widest, limit) : widest) + 2);
  }
  return widths;
}

/// The first columns with those from `first` to `end`. A line below a row is left out where it says
/// nothing.
std::string part_of(const Grid& grid, const std::vector<text::Column>& columns, std::size_t first,
                    std::size_t end, std::size_t indent) {
  const auto chosen = [&](const auto& all, const auto& each) {
    for (std::size_t c = 0; c < grid.fixed; ++c) each(all[c]);
    for (std::size_t c = first; c < end; ++c) each(all[c]);
  };
  std::vector<text::Column> heads;
  chosen(columns, [&](const text::Column& column) { heads.push_back(column); });
  text::TextTable table(heads);
  for (const Grid::Row& row : grid.rows) {
    std::vector<std::string> cells;
    chosen(row.cells, [&](const Grid::Cell& cell) { cells.push_back(cell.words); });
    if (!row.below || std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(grid.fixed),
                                  cells.end(), [](const auto& cell) { return !cell.empty(); }))
      table.add(std::move(cells));
  }
  return table.str(indent);
}

/// In as many parts as the columns need, with an empty line between, none wider than a page unless
/// a single column is. Without fixed columns all are in one.
std::string aligned(const Grid& grid, std::size_t indent) {
  if (grid.fixed == 0) return part_of(grid, grid.columns, 0, grid.columns.size(), indent);
  std::vector<text::Column> columns = grid.columns;
  const std::vector<std::size_t> widths = widths_of(grid, columns);
  const std::size_t start = std::accumulate(
      widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(grid.fixed), indent);
  std::string out;
  std::size_t first = grid.fixed;
  do {
    std::size_t end = first;
    for (std::size_t used = start;
         end < widths.size() && (end == first || used + widths[end] - 2 <= kPageColumns);)
      used += widths[end++];
    out += (out.empty() ? "" : "\n") + part_of(grid, columns, first, end, indent);
    first = end;
  } while (first < widths.size());
  return out;
}

}  // namespace

std::string in_a_line(const ListedRemark& point) {
  return point.words + (point.below.empty() ? "" : " " + text::joined(point.below, "; "));
}

std::string render_table(const ReportTable& table) {
  return aligned(grid_of(table), 0);
}

std::string render_text(const Document& document, bool colour) {
  std::string out;
  const auto paragraph = [&](std::string_view words, const char* bullet = "",
                             std::size_t indent = 2) {
    out += text::paragraph(words, {indent, bullet, kPageColumns});
  };
  bool first = true;
  for (const ReportSection& section : document.sections) {
    if (section.where == Where::data) continue;
    const std::string title = text::printable(section.title);
    if (!first) out += '\n';
    out += colour ? "\x1b[1m" + title + "\x1b[0m\n" : title + "\n";
    if (!section.explanation.empty()) paragraph(section.explanation);
    if (first) {
      for (const ReportAlert& alert : document.warnings) {
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
    for (const auto& [words, below] : section.points) {
      paragraph(words, "- ");
      for (const std::string& item : below) paragraph(item, "- ", 4);
    }
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
  for (const ReportAlert& alert : document.warnings) {
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
    for (const auto& [words, below] : section.points) {
      out += "- " + markdown_words(words) + "\n";
      for (const std::string& item : below) out += "  - " + markdown_words(item) + "\n";
    }
  }
  return out;
}

}  // namespace agon::report
