#include "report/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "archive/cell.hpp"
#include "report/numbers.hpp"

namespace agon::report {
namespace {

/// Some units weigh so much more than others that their number misleads.
bool weighs_unevenly(const stats::Estimate& e) {
  return e.effective_n && *e.effective_n < 0.8 * static_cast<double>(e.units);
}

std::string units_words(const stats::Estimate& e) {
  return weighs_unevenly(e) ? fmt::format("{} (eff. {:.1f})", e.units, *e.effective_n)
                            : std::to_string(e.units);
}

std::string part_words(const Estimated& figure, Part::What part) {
  const stats::Estimate& e = figure.estimate;
  switch (part) {
    case Part::What::value:
      if (!figure.instead.empty()) return figure.instead;
      return e.value ? fixed(*e.value, figure.decimals, figure.sign) : "-";
    case Part::What::interval:
      if (!figure.instead.empty()) return {};
      return interval_or_note(e, figure.decimals, figure.sign);
    case Part::What::together:
      if (!figure.instead.empty()) return {};
      return figure.together ? interval(*figure.together, figure.decimals, figure.sign)
                             : interval_or_note(e, figure.decimals, figure.sign);
    case Part::What::p:
      return figure.instead.empty() ? p_words(e.p_value) : std::string();
    case Part::What::p_adjusted:
      return figure.instead.empty() ? p_words(figure.p_adjusted) : std::string();
    case Part::What::units:
      return units_words(e);
    case Part::What::out_of:
      return figure.out_of ? count_words(*figure.out_of) : std::string();
    case Part::What::published:
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

Grid::Cell cell_words(const Cell& cell, std::optional<std::size_t> usual) {
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
std::size_t most_units(const Table& table, std::size_t column) {
  std::size_t most = 0;
  for (const Row& row : table.rows)
    if (row.where != Where::data && column < row.cells.size())
      if (const auto* figure = std::get_if<Estimated>(&row.cells[column]))
        most = std::max(most, figure->estimate.units);
  return most;
}

/// The line of one part under a row with this label, if any of its figures has it.
void add_below(Grid& grid, const Table& table, const Row& row, const std::string& label,
               const Part& part) {
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

Grid grid_of(const Table& table) {
  Grid grid;
  std::vector<std::optional<std::size_t>> usual(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    if (column.where == Where::data) continue;
    if (column.units_in_head) usual[c] = most_units(table, c);
    grid.from.insert(grid.from.end(), std::max<std::size_t>(column.apart.size(), 1), &column);
    if (c < table.fixed) grid.fixed += std::max<std::size_t>(column.apart.size(), 1);
    for (const Part& part : column.apart)
      grid.columns.push_back({part.header, part.align, column.limit});
    if (column.apart.empty())
      grid.columns.push_back(
          {usual[c] ? fmt::format("{}, n={}", column.header, *usual[c]) : column.header,
           column.align, column.limit});
  }
  for (const Row& row : table.rows) {
    if (row.where == Where::data) continue;
    Grid::Row& out = grid.rows.emplace_back();
    out.from = &row;
    out.heading = row.heading;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      if (column.where == Where::data) continue;
      const Cell cell = c < row.cells.size() ? row.cells[c] : Cell(Missing{""});
      const auto* figure = std::get_if<Estimated>(&cell);
      if (column.apart.empty() && figure != nullptr && !table.below.empty()) {
        out.cells.push_back({part_words(*figure, Part::What::value), figure->instead.empty()});
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
    for (const Part& part : table.below) add_below(grid, table, row, label, part);
  }
  return grid;
}

}  // namespace agon::report
