#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot/drawings.hpp"

namespace agon::report {

std::optional<Sheet> draw_scatter(const Table& table, const Plot& plot) {
  const std::size_t across = plot.columns.at(0), up = plot.columns.at(1);
  struct Labelled {
    std::string label;
    Drawn x, y;
  };
  std::vector<Labelled> points;
  Scale x, y;
  double widest = 0;
  for (const Row& row : table.rows) {
    const auto first = drawn(row, across), second = drawn(row, up);
    if (!first || !second || !std::isfinite(first->value) || !std::isfinite(second->value))
      continue;
    points.push_back({shortened(label_of(table, row)), *first, *second});
    widest = std::max(widest, words_width(points.back().label));
    x.show(first->value);
    y.show(second->value);
    if (second->own) y.show(second->own->low), y.show(second->own->high);
  }
  if (points.empty()) return std::nullopt;
  if (plot.line) y.show(*plot.line);
  Sheet sheet;
  Picture& picture = sheet.picture;
  const double left = 56, top = 22, bottom = 300, right = left + kPlotWidth;
  sheet.width = right + widest + 20;
  x.lay(left, right, 6);
  y.lay(bottom, top, 6);
  picture.words({4, 13}, table.columns.at(up).header, "small");
  for (const double tick : y.ticks()) {
    picture.line({left, y.at(tick)}, {right, y.at(tick)}, "grid");
    picture.words({left - 6, y.at(tick) + 4}, y.tick_words(tick), "small", Anchor::end);
  }
  if (plot.line) picture.line({left, y.at(*plot.line)}, {right, y.at(*plot.line)}, "zero");
  sheet.height =
      bottom + draw_axis(picture, x, top, bottom, table.columns.at(across).header, {}) + 4;
  // The frontier: those than whom nobody has more for as little.
  std::vector<const Labelled*> order;
  for (const Labelled& point : points) order.push_back(&point);
  std::stable_sort(order.begin(), order.end(), [](const Labelled* a, const Labelled* b) {
    return a->x.value != b->x.value ? a->x.value < b->x.value : a->y.value > b->y.value;
  });
  std::vector<Place> frontier;
  double best = -INFINITY;
  for (const Labelled* point : order) {
    if (point->y.value <= best) continue;
    best = point->y.value;
    frontier.push_back({x.at(point->x.value), y.at(best)});
  }
  if (frontier.size() > 1) picture.path(frontier, "printed s6");
  for (const Labelled& point : points) {
    const Place at{x.at(point.x.value), y.at(point.y.value)};
    picture.open(fmt::format("{}: {} for {}", point.label, point.y.words, point.x.words));
    if (point.y.own)
      picture.line({at.x, y.at(point.y.own->low)}, {at.x, y.at(point.y.own->high)}, "together s0");
    picture.mark(at, 0, "mark s0");
    picture.words({at.x + 8, at.y + 4}, point.label, "small");
    picture.close();
  }
  return sheet;
}

}  // namespace agon::report
