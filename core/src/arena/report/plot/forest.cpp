#include <algorithm>
#include <cmath>

#include "report/plot/drawings.hpp"

namespace agon::report {
namespace {

void show(Scale& scale, const Drawn& figure) {
  scale.show(figure.value);
  for (const auto* interval : {&figure.own, &figure.together})
    if (*interval) {
      scale.show((*interval)->low);
      scale.show((*interval)->high);
    }
  if (figure.published) scale.show(*figure.published);
}

std::string hint_of(const std::string& label, const std::string& column, const Drawn& figure) {
  std::string hint = label;
  if (!column.empty()) hint += ", " + column;
  hint += ": " + figure.words;
  if (figure.units > 0) hint += " (n = " + std::to_string(figure.units) + ")";
  return hint;
}

}  // namespace

std::optional<Sheet> draw_forest(const Table& table, const Plot& plot) {
  struct Line {
    std::string label;
    std::vector<std::pair<std::size_t, Drawn>> figures{};  // with the number of the series
  };
  std::vector<Line> lines;
  Scale scale;
  Legend legend;
  double label_width = 0;
  for (const std::size_t c : plot.columns) legend.names.push_back(table.columns.at(c).header);
  for (const Row& row : table.rows) {
    Line line{.label = shortened(label_of(table, row))};
    for (std::size_t s = 0; s < plot.columns.size(); ++s)
      if (auto figure = drawn(row, plot.columns[s])) {
        show(scale, *figure);
        legend.published = legend.published || figure->published;
        line.figures.emplace_back(s, std::move(*figure));
      }
    if (line.figures.empty()) continue;
    label_width = std::max(label_width, words_width(line.label));
    lines.push_back(std::move(line));
  }
  if (scale.empty()) return std::nullopt;
  if (plot.line) scale.show(*plot.line);
  Sheet sheet;
  Picture& picture = sheet.picture;
  const bool one = plot.columns.size() == 1;
  const double left = label_width + 18, right = left + kPlotWidth;
  sheet.width = right + (one ? 66 : 20);
  scale.lay(left, right, 6);
  const double top = legend.draw(picture, {4, 2}, sheet.width - 8) + 6;
  const double height = one ? 22 : 12 * static_cast<double>(plot.columns.size()) + 10;
  const double bottom = top + height * static_cast<double>(lines.size());
  sheet.height = bottom + draw_axis(picture, scale, top, bottom, plot.unit, plot.line) + 4;
  double y = top;
  for (const Line& line : lines) {
    picture.words({left - 10, y + height / 2 + 4}, line.label, "", Anchor::end);
    for (const auto& [s, figure] : line.figures) {
      const double at = one ? y + height / 2 : y + 11 + 12 * static_cast<double>(s);
      picture.open(hint_of(line.label, one ? "" : legend.names[s], figure));
      draw_figure(picture, scale, figure, at, s);
      picture.close();
      if (one) picture.words({right + 10, at + 4}, figure.words, "small");
    }
    y += height;
  }
  return sheet;
}

}  // namespace agon::report
