#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot/drawings.hpp"

namespace agon::report {
namespace {

/// Figures by row and column, both in the order in which they come up.
struct Fields {
  std::vector<std::string> rows, columns;
  struct Field {
    std::size_t row, column;
    Drawn figure;
  };
  std::vector<Field> fields;

  static std::size_t place(std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.push_back(name);
    return names.size() - 1;
  }
};

/// Every row says its place in words: the table is a list of pairs.
Fields from_pairs(const Table& table, std::size_t column) {
  Fields all;
  for (const Row& row : table.rows) {
    const auto figure = drawn(row, column);
    if (!figure || !std::isfinite(figure->value)) continue;
    const std::string& first = std::get<std::string>(row.cells.at(0));
    const std::string& second = std::get<std::string>(row.cells.at(1));
    const std::size_t r = Fields::place(all.rows, first), c = Fields::place(all.columns, second);
    all.fields.push_back({r, c, *figure});
  }
  // The same names down and across, where they are the same.
  std::vector<std::string> down = all.rows, across = all.columns;
  std::sort(down.begin(), down.end());
  std::sort(across.begin(), across.end());
  if (down == across && all.rows != all.columns) {
    for (Fields::Field& field : all.fields)
      field.column = Fields::place(all.rows, all.columns[field.column]);
    all.columns = all.rows;
  }
  return all;
}

Fields from_columns(const Table& table, const std::vector<std::size_t>& columns) {
  Fields all;
  for (const std::size_t c : columns) all.columns.push_back(table.columns.at(c).header);
  for (const Row& row : table.rows)
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto figure = drawn(row, columns[c]);
      if (!figure || !std::isfinite(figure->value)) continue;
      all.fields.push_back({Fields::place(all.rows, label_of(table, row)), c, *figure});
    }
  return all;
}

}  // namespace

std::optional<Sheet> draw_heat_map(const Table& table, const Plot& plot) {
  const Fields all = plot.columns.size() == 1 ? from_pairs(table, plot.columns.front())
                                              : from_columns(table, plot.columns);
  if (all.fields.empty()) return std::nullopt;
  double largest = 0, left = 0, head = 0, width = 64;
  bool counted = false;
  for (const auto& field : all.fields) {
    largest = std::max(largest, std::abs(field.figure.value));
    width = std::max(width, words_width(field.figure.words) + 12);
    counted = counted || field.figure.units > 0;
  }
  for (const std::string& name : all.rows) left = std::max(left, words_width(shortened(name)) + 14);
  for (const std::string& name : all.columns) head = std::max(head, words_width(shortened(name)));
  Sheet sheet;
  Picture& picture = sheet.picture;
  // Names that are wider than their column stand aslant.
  const bool aslant = head > width - 4;
  const double top = aslant ? head * 0.62 + 16 : 20;
  const double height = counted ? 34 : 24;
  for (std::size_t c = 0; c < all.columns.size(); ++c) {
    const double x = left + width * (static_cast<double>(c) + 0.5);
    if (aslant)
      picture.aslant({x - 6, top - 6}, shortened(all.columns[c]));
    else
      picture.words({x, top - 6}, shortened(all.columns[c]), "", Anchor::middle);
  }
  for (std::size_t r = 0; r < all.rows.size(); ++r)
    picture.words({left - 8, top + height * (static_cast<double>(r) + 0.5) + 4},
                  shortened(all.rows[r]), "", Anchor::end);
  for (const auto& [row, column, figure] : all.fields) {
    const Place corner{left + width * static_cast<double>(column),
                       top + height * static_cast<double>(row)};
    const double depth = largest > 0 ? std::abs(figure.value) / largest : 0;
    picture.open(fmt::format("{}, {}: {}", all.rows[row], all.columns[column], figure.words));
    // Never so deep that the words on it cannot be read.
    picture.box({corner.x + 1, corner.y + 1}, width - 2, height - 2,
                std::string("field ") + series_class(figure.value < 0 ? 1 : 0), 0.04 + 0.5 * depth);
    const double middle = corner.x + width / 2;
    picture.words({middle, corner.y + (counted ? 15 : 16)}, figure.words, "", Anchor::middle);
    if (figure.units > 0)
      picture.words({middle, corner.y + 28}, fmt::format("n {}", figure.units), "small",
                    Anchor::middle);
    picture.close();
  }
  sheet.width = left + width * static_cast<double>(all.columns.size()) + (aslant ? head * 0.75 : 8);
  sheet.height = top + height * static_cast<double>(all.rows.size()) + 6;
  return sheet;
}

}  // namespace agon::report
