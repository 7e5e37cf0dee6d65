#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "report/plot/drawings.hpp"

namespace agon::report {

std::optional<Sheet> draw_bars(const ReportTable& table, const Plot& plot) {
  struct Bar {
    std::string label;
    std::vector<std::pair<std::size_t, PlotFigure>> parts{};
    double length = 0;
  };
  std::vector<Bar> bars;
  Scale scale;
  double label_width = 0;
  // Parts that nobody has need no colour.
  std::vector<std::size_t> columns;
  for (const std::size_t c : plot.columns)
    if (std::ranges::any_of(table.rows, [&](const ReportRow& row) {
          const auto figure = drawn(row, c);
          return figure && figure->value > 0;
        }))
      columns.push_back(c);
  if (columns.empty()) return std::nullopt;
  Legend legend;
  for (const std::size_t c : columns) legend.names.push_back(table.columns.at(c).header);
  for (const ReportRow& row : table.rows) {
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

namespace {

/// Outliers are left off a scale that the others would have less than a third of.
constexpr double kFlattened = 3;
/// Of this many figures one may be an outlier.
constexpr std::size_t kForOneOutlier = 5;

/// Marks figures that would flatten the rest, the farthest ones from the median; the scale of what
/// remains. `line` stays on it. Nothing where all are of one size.
std::optional<Scale> without_outliers(std::vector<PlottedRow>& rows, std::optional<double> line) {
  std::vector<PlotFigure*> figures;
  for (PlottedRow& row : rows)
    for (auto& [series, figure] : row.figures)
      if (std::isfinite(figure.value)) figures.push_back(&figure);
  if (figures.size() < kForOneOutlier) return std::nullopt;
  const auto by_value = [](const PlotFigure* a, const PlotFigure* b) {
    return a->value < b->value;
  };
  std::ranges::sort(figures, by_value);
  const auto scale_of = [&](std::size_t left_out) {
    const double median = figures[figures.size() / 2]->value;
    std::vector<PlotFigure*> nearest = figures;
    std::ranges::stable_sort(nearest, {},
                             [&](const PlotFigure* f) { return std::abs(f->value - median); });
    for (PlotFigure* figure : figures) figure->off_scale = false;
    Scale scale;
    if (line) scale.show(*line);
    for (std::size_t i = 0; i < nearest.size(); ++i) {
      if (i + left_out < nearest.size())
        scale.show(*nearest[i]);
      else
        nearest[i]->off_scale = true;
    }
    return scale;
  };
  const Scale all = scale_of(0);
  for (std::size_t left_out = 1; left_out <= figures.size() / kForOneOutlier; ++left_out)
    if (const Scale some = scale_of(left_out); some.extent() * kFlattened < all.extent())
      return some;
  scale_of(0);
  return std::nullopt;
}

/// The rows of a forest, and the scale of their figures without outliers.
PlottedRows forest_rows(const ReportTable& table, const Plot& plot) {
  PlottedRows all = plotted_rows(table, plot);
  // What a paper prints stands beside its figure, and plots of one scale keep it.
  if (!plot.shared_scale && !all.legend.published)
    if (const auto some = without_outliers(all.rows, plot.line)) all.scale = *some;
  if (plot.line) all.scale.show(*plot.line);
  return all;
}

/// A forest of rows with so many figures each, below what is drawn already.
void draw_rows(Sheet& sheet, PlottedRows all, const Plot& plot, double width, std::size_t series) {
  auto& [lines, scale, legend] = all;
  Picture& picture = sheet.picture;
  const bool one = series == 1;
  double label_width = 0, beside = 20;
  for (const PlottedRow& line : lines) {
    label_width = std::max(label_width, words_width(line.label));
    for (const auto& [s, figure] : line.figures)
      if (one) beside = std::max(beside, 14 + words_width(figure.words));
  }
  const double left = label_width + 18, right = left + width;
  sheet.width = right + beside;
  scale.lay(left, right, width < kForestWidth ? 4 : 6);
  const double top = sheet.height + legend.draw(picture, {4, 2}, sheet.width - 8) + 6;
  const double height = one ? 22 : 12 * static_cast<double>(series) + 10;
  const double bottom = top + height * static_cast<double>(lines.size());
  sheet.height = bottom + draw_axis(picture, scale, top, bottom, plot.unit, plot.line) + 4;
  double y = top;
  for (const PlottedRow& line : lines) {
    picture.words({left - 10, y + height / 2 + 4}, line.label, "", Anchor::end);
    for (const auto& [s, figure] : line.figures) {
      const double at = one ? y + height / 2 : y + 11 + 12 * static_cast<double>(s);
      picture.open(hint_of(line.label, one ? "" : legend.names[s], figure));
      draw_figure(picture, scale, figure, at, s);
      picture.close();
      if (one && !figure.off_scale) picture.words({right + 10, at + 4}, figure.words, "small");
    }
    y += height;
  }
}

}  // namespace

std::optional<Sheet> draw_forest(const ReportTable& table, const Plot& plot) {
  PlottedRows all = forest_rows(table, plot);
  if (all.rows.empty()) return std::nullopt;
  Sheet sheet;
  draw_rows(sheet, std::move(all), plot, kForestWidth, plot.columns.size());
  return sheet;
}

std::vector<Sheet> draw_panels(const ReportTable& table, const Plot& plot) {
  const PlottedRows all = forest_rows(table, plot);
  std::vector<Sheet> panels;
  for (std::size_t s = 0; s < plot.columns.size() && !all.rows.empty(); ++s) {
    PlottedRows own{.scale = all.scale};
    for (const PlottedRow& row : all.rows) {
      PlottedRow& shown = own.rows.emplace_back(PlottedRow{.label = row.label});
      for (const auto& [series, figure] : row.figures)
        if (series == s) shown.figures.emplace_back(0, figure);
    }
    Sheet& sheet = panels.emplace_back();
    sheet.picture.words({4, 15}, table.columns.at(plot.columns[s]).header, "head");
    sheet.height = 18;
    draw_rows(sheet, std::move(own), plot, kPanelWidth, 1);
  }
  return panels;
}

namespace {

struct Curve {
  std::string hint;
  std::string label;  ///< without what the title says
  std::string agent;  ///< that it is of alone
  bool theory = false;
  std::string colour{};
  std::vector<std::pair<double, PlotFigure>> points{};

  /// Where it ends on the right: of ours, or of what is published where there is nothing else.
  [[nodiscard]] std::pair<double, double> end() const;
};

std::pair<double, double> Curve::end() const {
  std::pair<double, double> last{-INFINITY, NAN};
  for (const auto& [at, figure] : points) {
    const double y = std::isfinite(figure.value) ? figure.value : figure.published.value_or(NAN);
    if (std::isfinite(y) && at >= last.first) last = {at, y};
  }
  return last;
}

/// What a plot of curves shows, and the scales that hold it.
struct CurveSet {
  std::vector<Curve> curves{};
  Scale x{}, y{};
  Legend legend{.names = {}, .lines = true};

  CurveSet(const ReportSection& section, const Plot& plot, const std::vector<std::size_t>& chosen);
  /// Gives labels and colours.
  void name_curves();
  /// Pixels that names at the ends of the lines take on the right; nothing where they are in the
  /// legend: they do not fit there, or lines end elsewhere.
  [[nodiscard]] double beside(double height) const;
};

CurveSet::CurveSet(const ReportSection& section, const Plot& plot,
                   const std::vector<std::size_t>& chosen) {
  // What the title says need not stand before every name.
  const std::string heading = (plot.heading.empty() ? plot.title : plot.heading) + ": ";
  for (const std::size_t s : chosen) {
    const PlotSeries& series = section.series.at(s);
    Curve curve{.hint = series.name,
                .label = series.name,
                .agent = series.about.agent,
                .theory = series.theory};
    for (const Point& point : series.points) {
      auto figure = drawn(ReportCell(point.y));
      if (!figure) continue;
      x.show(point.x);
      y.show(figure->value);
      y.show(figure->own);
      if (figure->published) y.show(*figure->published), legend.published = true;
      curve.points.emplace_back(point.x, std::move(*figure));
    }
    if (curve.points.empty()) continue;
    if (curve.label.starts_with(heading)) curve.label.erase(0, heading.size());
    curves.push_back(std::move(curve));
  }
  if (plot.line && !y.empty()) y.show(*plot.line);
  name_curves();
}

void CurveSet::name_curves() {
  // Where each is of an agent of its own, its name alone tells them apart: "rank of a".
  std::set<std::string> agents;
  const bool apart = std::ranges::all_of(curves, [&](const Curve& curve) {
    return curve.theory || (!curve.agent.empty() && curve.label.ends_with(curve.agent) &&
                            agents.insert(curve.agent).second);
  });
  for (Curve& curve : curves) {
    if (apart && !curve.theory) curve.label = curve.agent;
    // Lines of theory take no colour.
    curve.colour = curve.theory ? "theory s6" : series_class(legend.names.size());
    (curve.theory ? legend.theory : legend.names).push_back(curve.label);
  }
}

/// Pixels of a plot of curves with what is beside it, and of its narrowest field.
constexpr double kCurvesWidth = 560;
constexpr double kNarrowestField = 270;
constexpr double kLabelHeight = 14;

double CurveSet::beside(double height) const {
  constexpr double from_line = 12, latest = 0.75;
  double widest = 0, first = INFINITY, last = -INFINITY;
  for (const Curve& curve : curves) {
    widest = std::max(widest, words_width(curve.label));
    first = std::min(first, curve.points.front().first);
    last = std::max(last, curve.end().first);
  }
  const bool end_there = std::ranges::all_of(curves, [&](const Curve& curve) {
    return curve.end().first >= first + latest * (last - first);
  });
  // A phone has them larger than the picture around them.
  const double width = from_line + 1.15 * widest + 4;
  const bool fits = kLabelHeight * static_cast<double>(curves.size()) <= height &&
                    width <= kCurvesWidth - 62 - kNarrowestField;
  return curves.size() > 1 && end_there && fits ? width : 0;
}

/// Places of labels that stand one below the other between two pixels, each as near to where it is
/// `wanted` (from above) as the others leave it.
std::vector<double> moved_apart(const std::vector<double>& wanted, double top, double bottom) {
  struct Touching {
    double sum = 0, count = 0;  ///< of where the first of them would stand
  };
  std::vector<Touching> groups;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    groups.push_back({wanted[i] - kLabelHeight * static_cast<double>(i), 1});
    while (groups.size() > 1) {
      const Touching last = groups.back();
      Touching& before = groups[groups.size() - 2];
      if (before.sum * last.count <= last.sum * before.count) break;
      before = {before.sum + last.sum, before.count + last.count};
      groups.pop_back();
    }
  }
  const double lowest = bottom - kLabelHeight * static_cast<double>(wanted.size() - 1);
  std::vector<double> places;
  for (const Touching& group : groups)
    for (double i = 0; i < group.count; ++i)
      places.push_back(std::clamp(group.sum / group.count, top, std::max(top, lowest)) +
                       kLabelHeight * static_cast<double>(places.size()));
  return places;
}

/// The name of each curve right of its end, with a thin line to it where it is not beside it.
void label_ends(Picture& picture, const CurveSet& set, double top, double bottom) {
  struct CurveEnd {
    const Curve* curve;
    PicturePoint at;
  };
  std::vector<CurveEnd> ends;
  for (const Curve& curve : set.curves) {
    const auto [x, y] = curve.end();
    ends.push_back({&curve, {set.x.at(x), set.y.at(y)}});
  }
  std::ranges::stable_sort(ends, {}, [](const CurveEnd& end) { return end.at.y; });
  std::vector<double> wanted;
  double right = 0;
  for (const CurveEnd& end : ends) {
    wanted.push_back(end.at.y);
    right = std::max(right, end.at.x);
  }
  const std::vector<double> places = moved_apart(wanted, top, bottom);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto& [curve, at] = ends[i];
    if (std::abs(places[i] - at.y) > 2 || at.x < right - 1)
      picture.line(at, {right + 10, places[i]}, "leader " + curve->colour);
    picture.words({right + 12, places[i] + 4}, curve->label, "name");
  }
}

/// More places than this are a line without marks.
constexpr std::size_t kMostMarks = 25;

void draw_curve(Picture& picture, const CurveSet& set, const Curve& curve, std::size_t s) {
  const auto& [x, y] = std::tie(set.x, set.y);
  std::vector<PicturePoint> line, printed, upper, lower;
  for (const auto& [at, figure] : curve.points) {
    if (std::isfinite(figure.value)) line.push_back({x.at(at), y.at(figure.value)});
    if (figure.published) printed.push_back({x.at(at), y.at(*figure.published)});
    if (figure.own) {
      upper.push_back({x.at(at), y.at(figure.own->high)});
      lower.push_back({x.at(at), y.at(figure.own->low)});
    }
  }
  picture.open(curve.hint);
  if (upper.size() > 1) {
    upper.insert(upper.end(), lower.rbegin(), lower.rend());
    picture.area(upper, curve.colour);
  } else if (upper.size() == 1) {
    picture.line(upper.front(), lower.front(), "together " + curve.colour);
  }
  if (line.size() > 1) picture.path(line, curve.colour);
  if (line.size() <= kMostMarks && (!curve.theory || line.size() == 1))
    for (const PicturePoint& place : line) picture.mark(place, s, "mark " + curve.colour);
  if (printed.size() > 1) picture.path(printed, "printed " + curve.colour);
  for (const PicturePoint& place : printed) picture.mark(place, 3, "hollow " + curve.colour);
  picture.close();
}

}  // namespace

std::optional<Sheet> draw_curves(const ReportSection& section, const Plot& plot) {
  std::vector<std::size_t> chosen = plot.columns;
  if (chosen.empty())
    for (std::size_t s = 0; s < section.series.size(); ++s) chosen.push_back(s);
  CurveSet set(section, plot, chosen);
  if (set.y.empty()) return std::nullopt;
  const PlotSeries& first = section.series.at(chosen.front());
  Sheet sheet{.width = kCurvesWidth};
  Picture& picture = sheet.picture;
  constexpr double height = 260, left = 62;
  const double beside = set.beside(height);
  if (beside > 0) set.legend.names.clear(), set.legend.theory.clear();
  const double right = sheet.width - std::max(beside, 24.0);
  const double top = set.legend.draw(picture, {4, 2}, sheet.width - 8) + 24;
  const double bottom = top + height;
  set.x.lay(left, right, right - left < 400 ? 5 : 8);
  set.y.lay(bottom, top, 6);
  const auto with_unit = [](const PlotAxis& axis) {
    return axis.unit.empty() ? axis.label : axis.label + " (" + axis.unit + ")";
  };
  draw_upright(picture, set.y, left, right, with_unit(first.y), top - 10, plot.line);
  sheet.height = bottom + draw_axis(picture, set.x, top, bottom, with_unit(first.x), {}) + 4;
  std::size_t s = 0;
  for (const Curve& curve : set.curves) draw_curve(picture, set, curve, curve.theory ? 0 : s++);
  if (beside > 0) label_ends(picture, set, top, bottom);
  return sheet;
}

namespace {

/// Pixels of the smallest mark's radius, and of what the largest has beyond it.
constexpr double kLeastRadius = 2.5;
constexpr double kMoreRadius = 8.5;

struct PlacedPoint {
  std::size_t series = 0;
  std::string label;
  PlotFigure x, y;
  double weight = 1;
};

/// What stands under one heading.
struct TheoryLine {
  std::string name;
  std::vector<std::pair<double, double>> places{};
};

/// What a plot of points shows, and the scales that hold it.
struct PointCloud {
  std::vector<PlacedPoint> points{};
  std::vector<TheoryLine> lines{};  ///< of theory
  Legend legend{};
  Scale x{}, y{};
  double largest = 0;  ///< weight

  PointCloud(const ReportTable& table, const Plot& plot);
};

PointCloud::PointCloud(const ReportTable& table, const Plot& plot) {
  const std::size_t across = plot.columns.at(0), up = plot.columns.at(1);
  const bool weighed = plot.columns.size() > 2;
  std::string heading;
  for (const ReportRow& row : table.rows) {
    if (row.heading) heading = std::get<std::string>(row.cells.front());
    if (!row.plotted) continue;
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
  for (const TheoryLine& line : lines) legend.theory.push_back(line.name);
}

}  // namespace

std::optional<Sheet> draw_points(const ReportTable& table, const Plot& plot) {
  const std::size_t across = plot.columns.at(0), up = plot.columns.at(1);
  const bool weighed = plot.columns.size() > 2;
  PointCloud cloud(table, plot);
  auto& [points, lines, legend, x, y, largest] = cloud;
  if (points.empty()) return std::nullopt;
  Sheet sheet;
  Picture& picture = sheet.picture;
  const double left = 62, right = left + kPlotWidth;
  sheet.width = right + 24;
  const double top = legend.draw(picture, {4, 2}, sheet.width - 8) + 24,
               bottom = top + kPlotWidth * 0.8;
  x.lay(left, right, 6);
  y.lay(bottom, top, 6);
  draw_upright(picture, y, left, right, table.columns.at(up).header, top - 10, {});
  sheet.height =
      bottom + draw_axis(picture, x, top, bottom, table.columns.at(across).header, {}) + 4;
  for (const TheoryLine& line : lines) {
    std::vector<PicturePoint> places;
    for (const auto& [at, value] : line.places) places.push_back({x.at(at), y.at(value)});
    picture.open(line.name);
    picture.path(places, "theory s6");
    picture.close();
  }
  // The small ones last: they lie on the large ones.
  std::ranges::stable_sort(
      points, [](const PlacedPoint& a, const PlacedPoint& b) { return a.weight > b.weight; });
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

std::optional<Sheet> draw_scatter(const ReportTable& table, const Plot& plot) {
  const std::size_t across = plot.columns.at(0), up = plot.columns.at(1);
  struct Labelled {
    std::string label;
    PlotFigure x, y;
  };
  std::vector<Labelled> points;
  Scale x, y;
  double widest = 0;
  for (const ReportRow& row : table.rows) {
    const auto first = drawn(row, across), second = drawn(row, up);
    if (!first || !second || !std::isfinite(first->value) || !std::isfinite(second->value))
      continue;
    points.push_back({shortened(label_of(table, row)), *first, *second});
    widest = std::max(widest, words_width(points.back().label));
    x.show(first->value);
    y.show(second->value);
    y.show(second->own);
  }
  if (points.empty()) return std::nullopt;
  if (plot.line) y.show(*plot.line);
  Sheet sheet;
  Picture& picture = sheet.picture;
  const double left = 56, top = 22, bottom = 300, right = left + kPlotWidth;
  sheet.width = right + widest + 20;
  x.lay(left, right, 6);
  y.lay(bottom, top, 6);
  draw_upright(picture, y, left, right, table.columns.at(up).header, 13, plot.line);
  sheet.height =
      bottom + draw_axis(picture, x, top, bottom, table.columns.at(across).header, {}) + 4;
  // The frontier: those than whom nobody has more for as little.
  std::vector<const Labelled*> order;
  for (const Labelled& point : points) order.push_back(&point);
  std::ranges::stable_sort(order, [](const Labelled* a, const Labelled* b) {
    return a->x.value != b->x.value ? a->x.value < b->x.value : a->y.value > b->y.value;
  });
  std::vector<PicturePoint> frontier;
  double best = -INFINITY;
  for (const Labelled* point : order) {
    if (point->y.value <= best) continue;
    best = point->y.value;
    frontier.push_back({x.at(point->x.value), y.at(best)});
  }
  if (frontier.size() > 1) picture.path(frontier, "printed s6");
  for (const Labelled& point : points) {
    const PicturePoint at{x.at(point.x.value), y.at(point.y.value)};
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
