#include <fmt/format.h>

#include <algorithm>

#include "report/plot/drawings.hpp"

namespace agon::report {

std::optional<Sheet> draw_bars(const Table& table, const Plot& plot) {
  struct Bar {
    std::string label;
    std::vector<std::pair<std::size_t, Drawn>> parts{};
    double length = 0;
  };
  std::vector<Bar> bars;
  Scale scale;
  double label_width = 0;
  // Parts that nobody has need no colour.
  std::vector<std::size_t> columns;
  for (const std::size_t c : plot.columns)
    if (std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
          const auto figure = drawn(row, c);
          return figure && figure->value > 0;
        }))
      columns.push_back(c);
  if (columns.empty()) return std::nullopt;
  Legend legend;
  for (const std::size_t c : columns) legend.names.push_back(table.columns.at(c).header);
  for (const Row& row : table.rows) {
    Bar bar{.label = shortened(label_of(table, row))};
    for (std::size_t s = 0; s < columns.size(); ++s)
      if (auto figure = drawn(row, columns[s]); figure && figure->value > 0) {
        bar.length += figure->value;
        bar.parts.emplace_back(s, std::move(*figure));
      }
    if (row.heading) continue;
    scale.show(bar.length);
    label_width = std::max(label_width, words_width(bar.label));
    bars.push_back(std::move(bar));
  }
  scale.show(0);
  Sheet sheet;
  Picture& picture = sheet.picture;
  const double left = label_width + 18, right = left + kPlotWidth;
  sheet.width = right + 24;
  scale.lay(left, right, 6);
  const double top = legend.draw(picture, {4, 2}, sheet.width - 8) + 6;
  constexpr double height = 22;
  const double bottom = top + height * static_cast<double>(bars.size());
  sheet.height = bottom + draw_axis(picture, scale, top, bottom, plot.unit, plot.line) + 4;
  double y = top;
  for (const Bar& bar : bars) {
    picture.words({left - 10, y + height / 2 + 4}, bar.label, "", Anchor::end);
    double from = 0;
    for (const auto& [s, figure] : bar.parts) {
      picture.open(fmt::format("{}, {}: {}", bar.label, legend.names[s], figure.words));
      picture.box({scale.at(from), y + 4}, scale.at(from + figure.value) - scale.at(from),
                  height - 8, "field " + series_class(s));
      picture.close();
      from += figure.value;
    }
    y += height;
  }
  return sheet;
}

}  // namespace agon::report
