#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot/drawings.hpp"

namespace agon::report {
namespace {

struct Curve {
  std::string name;
  bool theory = false;
  std::vector<std::pair<double, Drawn>> points;
};

/// More places than this are a line without marks.
constexpr std::size_t kMostMarks = 25;

void draw_curve(Picture& picture, const Scale& x, const Scale& y, const Curve& curve,
                std::size_t s) {
  const std::string colour = curve.theory ? "theory s6" : series_class(s);
  std::vector<Place> line, printed, upper, lower;
  for (const auto& [at, figure] : curve.points) {
    if (std::isfinite(figure.value)) line.push_back({x.at(at), y.at(figure.value)});
    if (figure.published) printed.push_back({x.at(at), y.at(*figure.published)});
    if (figure.own) {
      upper.push_back({x.at(at), y.at(figure.own->high)});
      lower.push_back({x.at(at), y.at(figure.own->low)});
    }
  }
  picture.open(curve.name);
  if (upper.size() > 1) {
    upper.insert(upper.end(), lower.rbegin(), lower.rend());
    picture.area(upper, colour);
  } else if (upper.size() == 1) {
    picture.line(upper.front(), lower.front(), "together " + colour);
  }
  if (line.size() > 1) picture.path(line, colour);
  if (line.size() <= kMostMarks && (!curve.theory || line.size() == 1))
    for (const Place& place : line) picture.mark(place, s, "mark " + colour);
  if (printed.size() > 1) picture.path(printed, "printed " + colour);
  for (const Place& place : printed) picture.mark(place, 3, "hollow " + colour);
  picture.close();
}

}  // namespace

std::optional<Sheet> draw_curves(const Section& section, const Plot& plot) {
  std::vector<std::size_t> chosen = plot.columns;
  if (chosen.empty())
    for (std::size_t s = 0; s < section.series.size(); ++s) chosen.push_back(s);
  std::vector<Curve> curves;
  Scale x, y;
  Legend legend{.names = {}, .lines = true};
  for (const std::size_t s : chosen) {
    const Series& series = section.series.at(s);
    Curve curve{.name = series.name, .theory = series.theory, .points = {}};
    for (const Point& point : series.points) {
      auto figure = drawn(Cell(point.y));
      if (!figure) continue;
      x.show(point.x);
      y.show(figure->value);
      if (figure->own) y.show(figure->own->low), y.show(figure->own->high);
      if (figure->published) y.show(*figure->published), legend.published = true;
      curve.points.emplace_back(point.x, std::move(*figure));
    }
    if (curve.points.empty()) continue;
    // What the title says need not stand before every name.
    const std::string heading = plot.title + ": ";
    (curve.theory ? legend.theory : legend.names)
        .push_back(curve.name.starts_with(heading) ? curve.name.substr(heading.size())
                                                   : curve.name);
    curves.push_back(std::move(curve));
  }
  if (y.empty()) return std::nullopt;
  if (plot.line) y.show(*plot.line);
  const Series& first = section.series.at(chosen.front());
  Sheet sheet;
  Picture& picture = sheet.picture;
  const double left = 62, right = left + 520;
  sheet.width = right + 24;
  const double head = legend.draw(picture, {4, 2}, sheet.width - 8);
  const double top = head + 24, bottom = top + 260;
  x.lay(left, right, 8);
  y.lay(bottom, top, 6);
  const auto with_unit = [](const Axis& axis) {
    return axis.unit.empty() ? axis.label : axis.label + " (" + axis.unit + ")";
  };
  picture.words({4, top - 10}, with_unit(first.y), "small");
  for (const double tick : y.ticks()) {
    picture.line({left, y.at(tick)}, {right, y.at(tick)}, "grid");
    picture.words({left - 6, y.at(tick) + 4}, y.tick_words(tick), "small", Anchor::end);
  }
  if (plot.line) picture.line({left, y.at(*plot.line)}, {right, y.at(*plot.line)}, "zero");
  sheet.height = bottom + draw_axis(picture, x, top, bottom, with_unit(first.x), {}) + 4;
  std::size_t s = 0;  // lines of theory take no colour
  for (const Curve& curve : curves) draw_curve(picture, x, y, curve, curve.theory ? 0 : s++);
  return sheet;
}

}  // namespace agon::report
