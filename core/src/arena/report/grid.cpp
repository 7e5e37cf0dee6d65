#include "report/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "archive/cell.hpp"
#include "report/numbers.hpp"

namespace agon::report {
namespace {

/// One part of a figure; `usual`: as many units as the table says already.
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
      return std::to_string(e.units);
  }
  return {};
}

std::string whole_words(const Estimated& figure, std::optional<std::size_t> usual) {
  if (!figure.instead.empty()) return figure.instead;
  std::string words = with_interval(figure.estimate, figure.decimals, figure.sign);
  if (!figure.mark.empty()) words += " " + figure.mark;
  if (figure.out_of)
    words += " n=" + count_words(*figure.out_of);
  else if (usual && figure.estimate.value && figure.estimate.units != *usual)
    words += fmt::format(" n={}", figure.estimate.units);
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

}  // namespace

Grid grid_of(const Table& table) {
  Grid grid;
  std::vector<std::optional<std::size_t>> usual(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    if (column.where == Where::data) continue;
    if (column.units_in_head) usual[c] = most_units(table, c);
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
    out.heading = row.heading;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      if (column.where == Where::data) continue;
      const Cell cell = c < row.cells.size() ? row.cells[c] : Cell(Missing{""});
      if (column.apart.empty()) {
        out.cells.push_back(cell_words(cell, usual[c] ? usual[c] : row.units));
        continue;
      }
      const auto* figure = std::get_if<Estimated>(&cell);
      for (std::size_t p = 0; p < column.apart.size(); ++p)
        out.cells.push_back(
            figure != nullptr
                ? Grid::Cell{part_words(*figure, column.apart[p].what), figure->instead.empty()}
            : p == 0 ? cell_words(cell, {})
                     : Grid::Cell{});
    }
  }
  return grid;
}

}  // namespace agon::report
