#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot/drawings.hpp"

namespace agon::report {
namespace {

/// Pixels of the smallest mark's radius, and of what the largest has beyond it.
constexpr double kLeastRadius = 2.5;
constexpr double kMoreRadius = 8.5;

struct PlacedPoint {
  std::size_t series = 0;
  std::string label;
  Drawn x, y;
  double weight = 1;
};

/// What stands under one heading.
struct Line {
  std::string name;
  std::vector<std::pair<double, double>> places{};
};

}  // namespace

std::optional<Sheet> draw_points(const Table& table, const Plot& plot) {
  const std::size_t across = plot.columns.at(0), up = plot.columns.at(1);
  const bool weighed = plot.columns.size() > 2;
  std::vector<PlacedPoint> points;
  std::vector<Line> lines;
  Legend legend;
  Scale x, y;
  std::string heading;
  double largest = 0;
  for (const Row& row : table.rows) {
    if (row.heading) heading = std::get<std::string>(row.cells.front());
    const auto first = drawn(row, across), second = drawn(row, up);
    if (!first || !second || !std::isfinite(first->value) || !std::isfinite(second->value))
      continue;
    x.show(first->value);
    y.show(second->value);
    if (row.theory) {
      if (lines.empty() || lines.back().name != heading) lines.push_back({heading});
      lines.back().places.emplace_back(first->value, second->value);
      continue;
    }
    if (legend.names.empty() || legend.names.back() != heading) legend.names.push_back(heading);
    PlacedPoint& point = points.emplace_back();
    point.series = legend.names.size() - 1;
    point.label = label_of(table, row);
    point.x = *first;
    point.y = *second;
    if (const auto weight = weighed ? drawn(row, plot.columns[2]) : std::nullopt)
      point.weight = std::max(0.0, weight->value);
    largest = std::max(largest, point.weight);
  }
  if (points.empty()) return std::nullopt;
  for (const Line& line : lines) legend.theory.push_back(line.name);
  Sheet sheet;
  Picture& picture = sheet.picture;
  const double left = 62, right = left + kPlotWidth;
  sheet.width = right + 24;
  const double top = legend.draw(picture, {4, 2}, sheet.width - 8) + 24,
               bottom = top + kPlotWidth * 0.8;
  x.lay(left, right, 6);
  y.lay(bottom, top, 6);
  picture.words({4, top - 10}, table.columns.at(up).header, "small");
  for (const double tick : y.ticks()) {
    picture.line({left, y.at(tick)}, {right, y.at(tick)}, "grid");
    picture.words({left - 6, y.at(tick) + 4}, y.tick_words(tick), "small", Anchor::end);
  }
  sheet.height =
      bottom + draw_axis(picture, x, top, bottom, table.columns.at(across).header, {}) + 4;
  for (const Line& line : lines) {
    std::vector<Place> places;
    for (const auto& [at, value] : line.places) places.push_back({x.at(at), y.at(value)});
    picture.open(line.name);
    picture.path(places, "theory s6");
    picture.close();
  }
  // The small ones last: they lie on the large ones.
  std::stable_sort(points.begin(), points.end(),
                   [](const PlacedPoint& a, const PlacedPoint& b) { return a.weight > b.weight; });
  for (const PlacedPoint& point : points) {
    const double share = weighed && largest > 0 ? std::sqrt(point.weight / largest) : 0.3;
    std::string hint = fmt::format("{}: {}, {}", point.label, point.x.words, point.y.words);
    if (weighed) hint += fmt::format(" (n = {:g})", point.weight);
    picture.open(hint);
    picture.disc({x.at(point.x.value), y.at(point.y.value)}, kLeastRadius + kMoreRadius * share,
                 "disc " + series_class(point.series));
    picture.close();
  }
  return sheet;
}

}  // namespace agon::report
