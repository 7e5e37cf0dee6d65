#include "report/plot/drawings.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string_view>

#include "report/document.hpp"
#include "report/render/render.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"

namespace agon::report {
namespace {

/// The round number nearest above: 1, 2 or 5 times a power of ten.
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= step * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

}  // namespace

void Scale::show(double figure) {
  if (!std::isfinite(figure)) return;
  if (empty()) low_ = high_ = figure;
  whole_ = whole_ && figure == std::floor(figure);
  low_ = std::min(low_, figure);
  high_ = std::max(high_, figure);
}

void Scale::show(const std::optional<stats::Interval>& interval) {
  if (!interval) return;
  show(interval->low);
  show(interval->high);
}

void Scale::show(const PlotFigure& figure) {
  show(figure.value);
  for (const auto* interval : {&figure.own, &figure.together, &figure.published_spread})
    show(*interval);
  if (figure.published) show(*figure.published);
}

void Scale::lay(double from, double to, std::size_t count) {
  from_ = from;
  to_ = to;
  if (empty()) low_ = 0, high_ = 1;
  // A single figure has no extent of its own, and one that is lost in rounding is none.
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (high_ - low_ <= size * 1e-9) {
    const double around = size > 0 ? size / 2 : 1;
    low_ -= around;
    high_ += around;
  }
  double step = round_step((high_ - low_) / static_cast<double>(std::max<std::size_t>(count, 1)));
  if (whole_) step = std::max(step, 1.0);
  decimals_ = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  const double first = std::floor(low_ / step + 1e-9), last = std::ceil(high_ / step - 1e-9);
  const auto steps = static_cast<std::size_t>(std::max(0.0, last - first));
  ticks_.clear();
  for (std::size_t i = 0; i <= steps; ++i)
    ticks_.push_back((first + static_cast<double>(i)) * step);
  low_ = ticks_.front();
  high_ = ticks_.back();
}

double Scale::at(double figure) const {
  const double share = std::clamp((figure - low_) / (high_ - low_), 0.0, 1.0);
  return from_ + share * (to_ - from_);
}

std::string Scale::tick_words(double tick) const {
  return fixed(tick, decimals_);
}

namespace {

std::optional<PlotFigure> number_of(double value, std::string words) {
  if (!std::isfinite(value)) return std::nullopt;
  return PlotFigure{.value = value, .words = std::move(words)};
}

void draw_interval(Picture& picture, const Scale& scale, const stats::Interval& interval, double y,
                   const std::string& classes) {
  picture.line({scale.at(interval.low), y}, {scale.at(interval.high), y}, classes);
}

}  // namespace

std::optional<PlotFigure> drawn(const ReportCell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell))
    return number_of(static_cast<double>(*whole), std::to_string(*whole));
  if (const auto* number = std::get_if<Number>(&cell))
    return number_of(number->value, fixed(number->value, number->decimals, number->sign));
  if (const auto* money = std::get_if<Dollars>(&cell)) {
    const double dollars = static_cast<double>(money->billionths) / 1e9;
    return number_of(dollars, fixed(dollars, dollars < 1 ? 4 : 2));
  }
  const auto* figure = std::get_if<Estimated>(&cell);
  if (figure == nullptr) return std::nullopt;
  const stats::Estimate& e = figure->estimate;
  if (!e.value && !figure->published) return std::nullopt;
  PlotFigure out;
  out.value = e.value.value_or(NAN);
  out.own = e.interval;
  out.together = figure->together;
  out.published = figure->published;
  out.units = e.units;
  out.decimals = figure->decimals;
  if (e.value) out.words = fixed(*e.value, figure->decimals, figure->sign);
  return out;
}

std::optional<PlotFigure> drawn(const ReportRow& row, std::size_t column) {
  if (row.heading || column >= row.cells.size()) return std::nullopt;
  return drawn(row.cells[column]);
}

namespace {

/// A figure whose column has a standard deviation in another.
void spread_out(PlotFigure& figure, const PlotFigure& deviation) {
  figure.own.reset();
  const auto around = [](double middle, double side) {
    return std::isfinite(middle) && std::isfinite(side)
               ? std::optional(stats::Interval{middle - side, middle + side})
               : std::nullopt;
  };
  figure.together = around(figure.value, deviation.value);
  if (figure.published && deviation.published)
    figure.published_spread = around(*figure.published, *deviation.published);
}

}  // namespace

std::vector<const ReportRow*> rows_of(const ReportTable& table, const Plot& plot, bool scaled) {
  std::vector<const ReportRow*> rows;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const bool named = plot.rows.empty() || std::ranges::find(plot.rows, r) != plot.rows.end();
    if (table.rows[r].plotted && (named || (scaled && plot.shared_scale)))
      rows.push_back(&table.rows[r]);
  }
  return rows;
}

std::optional<PlotFigure> drawn(const ReportTable& table, const Plot& plot, const ReportRow& row,
                                std::size_t column) {
  if (plot.measure && unit_of(table, row, column) != *plot.measure) return std::nullopt;
  std::optional<PlotFigure> figure = drawn(row, column);
  if (!figure || plot.deviations.empty()) return figure;
  const auto at = std::ranges::find(plot.columns, column) - plot.columns.begin();
  if (const auto deviation = drawn(row, plot.deviations.at(static_cast<std::size_t>(at))))
    spread_out(*figure, *deviation);
  return figure;
}

std::string label_of(const ReportTable& table, const ReportRow& row) {
  // Rows of a paper's table are known by their heading too.
  if (!row.about.row.empty()) return row.about.row;
  std::string label;
  for (std::size_t c = 0; c < table.columns.size() && c < row.cells.size(); ++c) {
    const auto* words = std::get_if<std::string>(&row.cells[c]);
    if (!table.columns[c].key || words == nullptr) continue;
    const std::size_t indent = std::min(words->find_first_not_of(' '), words->size());
    label += (label.empty() ? "" : ", ") + words->substr(indent);
  }
  return label;
}

std::string label_of(const ReportTable& table, const Plot& plot, const ReportRow& row) {
  std::string label = label_of(table, row);
  if (!plot.heading.empty() && label.starts_with(plot.heading + ": "))
    label.erase(0, plot.heading.size() + 2);
  return label;
}

std::string shortened(const std::string& label) {
  const std::size_t width = text::width(label);
  if (width <= kWidestPlotLabel) return label;
  // Headings come first and are alike: what tells names apart stands at both ends.
  std::size_t from = 0;
  for (std::size_t skip = width - kWidestPlotLabel / 2; skip > 0; --skip)
    from += std::max<std::size_t>(text::decode(label, from).length, 1);
  std::string begins = text::shorten(label, kWidestPlotLabel / 2);
  return begins + label.substr(from);
}

double Legend::draw(Picture& picture, PicturePoint corner, double width) const {
  if (names.size() < 2 && !published && theory.empty()) return 0;
  constexpr double line_height = 18;
  PicturePoint at{corner.x, corner.y + 12};
  const auto add = [&](const std::string& name, const auto& mark) {
    const double taken = 22 + words_width(name) + 14;
    if (at.x > corner.x && at.x + taken > corner.x + width) at = {corner.x, at.y + line_height};
    mark();
    picture.words({at.x + 20, at.y}, name);
    at.x += taken;
  };
  if (names.size() > 1 || !theory.empty())
    for (std::size_t s = 0; s < names.size(); ++s)
      add(shortened(names[s]), [&] {
        if (lines)
          picture.line({at.x, at.y - 4}, {at.x + 15, at.y - 4}, "line " + series_class(s));
        else
          picture.mark({at.x + 8, at.y - 4}, s, "mark " + series_class(s));
      });
  if (published)
    add("published", [&] {
      if (lines)
        picture.line({at.x, at.y - 4}, {at.x + 15, at.y - 4}, "line printed s6");
      else
        picture.mark({at.x + 8, at.y - 4}, 3, "hollow s6");
    });
  for (const std::string& name : theory)
    add(shortened(name), [&] {
      picture.line({at.x, at.y - 4}, {at.x + 15, at.y - 4}, "line theory s6");
    });
  return at.y - corner.y + 10;
}

std::string hint_of(const std::string& label, const std::string& column, const PlotFigure& figure) {
  std::string hint = label;
  if (!column.empty()) hint += ", " + column;
  hint += ": " + figure.words;
  if (figure.units > 0) hint += " (n = " + std::to_string(figure.units) + ")";
  if (figure.off_scale) hint += ", off the scale";
  return hint;
}

void draw_figure(Picture& picture, const Scale& scale, const PlotFigure& figure, double y,
                 std::size_t series) {
  const std::string colour = series_class(series);
  if (figure.off_scale) {
    const double end = scale.at(figure.value);
    const bool left = scale.at(figure.value) < scale.at(scale.ticks().back());
    const double inwards = left ? 7 : -7;
    picture.shape({{end, y}, {end + inwards, y - 5}, {end + inwards, y + 5}}, "field " + colour);
    picture.words({end + 1.7 * inwards, y + 4}, figure.words, "small",
                  left ? Anchor::start : Anchor::end);
    return;
  }
  if (figure.together) {
    draw_interval(picture, scale, *figure.together, y, "together " + colour);
    for (const double end : {figure.together->low, figure.together->high})
      picture.line({scale.at(end), y - 4}, {scale.at(end), y + 4}, "together " + colour);
  }
  if (figure.own) draw_interval(picture, scale, *figure.own, y, "own " + colour);
  if (std::isfinite(figure.value))
    picture.mark({scale.at(figure.value), y}, series, "mark " + colour);
  if (figure.published_spread)
    draw_interval(picture, scale, *figure.published_spread, y, "together printed " + colour);
  if (figure.published) picture.mark({scale.at(*figure.published), y}, 3, "hollow " + colour);
}

void draw_upright(Picture& picture, const Scale& scale, double left, double right,
                  const std::string& name, double name_at, std::optional<double> line) {
  picture.words({4, name_at}, name, "small");
  for (const double tick : scale.ticks()) {
    picture.line({left, scale.at(tick)}, {right, scale.at(tick)}, "grid");
    picture.words({left - 6, scale.at(tick) + 4}, scale.tick_words(tick), "small", Anchor::end);
  }
  if (line) picture.line({left, scale.at(*line)}, {right, scale.at(*line)}, "zero");
}

double draw_axis(Picture& picture, const Scale& scale, double top, double bottom,
                 const std::string& unit, std::optional<double> line) {
  const double left = scale.at(scale.ticks().front()), right = scale.at(scale.ticks().back());
  for (const double tick : scale.ticks()) {
    const double x = scale.at(tick);
    picture.line({x, top}, {x, bottom}, "grid");
    picture.words({x, bottom + 15}, scale.tick_words(tick), "small", Anchor::middle);
  }
  picture.line({left, bottom}, {right, bottom}, "axis");
  if (line) picture.line({scale.at(*line), top}, {scale.at(*line), bottom}, "zero");
  if (unit.empty()) return 20;
  picture.words({(left + right) / 2, bottom + 31}, unit, "", Anchor::middle);
  return 38;
}

PlottedRows plotted_rows(const ReportTable& table, const Plot& plot) {
  PlottedRows all;
  for (const std::size_t c : plot.columns) all.legend.names.push_back(table.columns.at(c).header);
  for (const ReportRow* row : rows_of(table, plot, true))
    for (const std::size_t c : plot.columns)
      if (const auto figure = drawn(table, plot, *row, c)) all.scale.show(*figure);
  for (const ReportRow* row : rows_of(table, plot)) {
    PlottedRow plotted{.label = shortened(label_of(table, plot, *row))};
    for (std::size_t s = 0; s < plot.columns.size(); ++s)
      if (auto figure = drawn(table, plot, *row, plot.columns[s])) {
        all.legend.published = all.legend.published || figure->published;
        plotted.figures.emplace_back(s, std::move(*figure));
      }
    if (!plotted.figures.empty()) all.rows.push_back(std::move(plotted));
  }
  return all;
}

namespace {

/// "STOPPED BY A RULE after 24 of 90 blocks": a warning up to its first colon or full stop.
std::string_view head_of(std::string_view words) {
  return words.substr(0, std::min({words.size(), words.find(": "), words.find(". ")}));
}

/// What a file says above what is drawn: it stands without the page around it.
Sheet below_title(const Sheet& drawn, const Plot& plot) {
  constexpr double line = 16, narrowest = 360, letter = 7.4;
  Sheet sheet{.width = std::max(drawn.width, narrowest)};
  const auto add = [&](std::string_view words, const char* classes) {
    const auto columns = static_cast<std::size_t>((sheet.width - 8) / letter);
    const std::string folded = text::paragraph(words, {0, {}, columns});
    std::istringstream lines(folded);
    for (std::string part; std::getline(lines, part);)
      sheet.picture.words({4, sheet.height += line}, part, classes);
  };
  add(plot.title, "head");
  add(plot.shows, "");
  sheet.height += line / 2;
  sheet.picture.place({0, sheet.height}, drawn.picture);
  sheet.height += drawn.height;
  return sheet;
}

/// Panels in rows as wide as a page.
Sheet side_by_side(const std::vector<Sheet>& panels) {
  constexpr double page = 760;
  Sheet sheet;
  double x = 0, y = 0;
  for (const Sheet& panel : panels) {
    if (x > 0 && x + panel.width > page) x = 0, y = sheet.height;
    sheet.picture.place({x, y}, panel.picture);
    x += panel.width;
    sheet.width = std::max(sheet.width, x);
    sheet.height = std::max(sheet.height, y + panel.height + 6);
  }
  return sheet;
}

/// Adds a line for each warning below what is drawn; all of their words.
std::string add_warnings(Sheet& sheet, const std::vector<ReportAlert>& alerts) {
  constexpr double line = 16;
  std::string all;
  std::set<std::string_view> heads;
  for (const ReportAlert& alert : alerts) {
    if (alert.id.empty()) continue;  // no warning
    all += (all.empty() ? "" : "\n") + alert.words;
    const std::string_view head = head_of(alert.words);
    if (!heads.insert(head).second) continue;
    sheet.height += line;
    sheet.width = std::max(sheet.width, words_width(head) + 8);
    sheet.picture.words({4, sheet.height - 4}, head);
  }
  return all;
}

}  // namespace

std::string words_of(const Plot& plot) {
  return plot.title + (plot.shows.empty() ? "" : " " + plot.shows);
}

std::string render_svg(const ReportSection& section, const Plot& plot, bool stands_alone,
                       const std::vector<ReportAlert>& alerts) {
  std::vector<Sheet> panels;
  if (plot.panels) panels = draw_panels(section.tables.at(plot.table), plot);
  if (plot.panels && !stands_alone) {
    std::string all;
    for (std::size_t p = 0; p < panels.size(); ++p)
      all +=
          panels[p].picture.str(panels[p].width, panels[p].height,
                                section.tables.at(plot.table).columns.at(plot.columns[p]).header +
                                    ": " + words_of(plot),
                                false) +
          "\n";
    return all;
  }
  auto sheet = [&]() -> std::optional<Sheet> {
    if (!panels.empty()) return side_by_side(panels);
    if (plot.drawing == Drawing::curves) return draw_curves(section, plot);
    const ReportTable& table = section.tables.at(plot.table);
    switch (plot.drawing) {
      case Drawing::forest:
        return draw_forest(table, plot);
      case Drawing::heat_map:
        return draw_heat_map(table, plot);
      case Drawing::scatter:
        return draw_scatter(table, plot);
      case Drawing::points:
        return draw_points(table, plot);
      case Drawing::arrows:
        return draw_arrows(table, plot);
      case Drawing::groups:
        return draw_groups(table, plot);
      case Drawing::boxes:
        return draw_boxes(table, plot);
      default:
        return draw_bars(table, plot);
    }
  }();
  if (!sheet) return {};
  if (stands_alone) *sheet = below_title(*sheet, plot);
  const std::string description = add_warnings(*sheet, alerts);
  return sheet->picture.str(sheet->width, sheet->height, words_of(plot), stands_alone, description);
}

}  // namespace agon::report
