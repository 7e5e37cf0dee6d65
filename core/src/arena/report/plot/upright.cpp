#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/plot/drawings.hpp"

namespace agon::report {
namespace {

/// A drawing whose rows stand side by side over a horizontal line of their labels.
struct Upright {
  std::vector<std::string> labels{};
  Scale scale{};
  double slot = 0;  ///< pixels of a row
  double left = 62, right = 0, top = 0, bottom = 0;

  /// Lays it out below `head` pixels; draws the axes and the labels.
  void lay(Sheet& sheet, double head, const Plot& plot);
  /// The middle of a row.
  [[nodiscard]] double at(std::size_t row) const {
    return left + slot * (static_cast<double>(row) + 0.5);
  }
};

void Upright::lay(Sheet& sheet, double head, const Plot& plot) {
  constexpr double height = 240, line = 14, slope = 0.62, run = 0.79;
  double widest = 0;
  for (std::string& label : labels) {
    label = shortened(label);
    widest = std::max(widest, words_width(label));
  }
  const bool aslant = widest > slot - 4 && widest > 30;
  // Where rows are narrower than a line of words, not every one has its label.
  const auto step = static_cast<std::size_t>(
      std::max(1.0, std::ceil((aslant ? line : widest + 4) / std::max(slot, 1.0))));
  if (aslant) left = std::max(left, words_width(labels.front()) * run - slot / 2 + 10);
  right = left + std::max(slot * static_cast<double>(labels.size()), 120.0);
  top = head + 24;
  bottom = top + height;
  scale.lay(bottom, top, 6);
  draw_upright(sheet.picture, scale, left, right, plot.unit, top - 10, plot.line);
  sheet.picture.line({left, bottom}, {right, bottom}, "axis");
  for (std::size_t r = 0; r < labels.size(); r += step)
    if (aslant)
      sheet.picture.aslant({at(r) + 4, bottom + 14}, labels[r], Anchor::end);
    else
      sheet.picture.words({at(r), bottom + 15}, labels[r], "small", Anchor::middle);
  sheet.width = std::max(right + 24, words_width(plot.unit) + 12);
  sheet.height = bottom + (aslant ? widest * slope + 22 : 24);
}

/// An upright line with a short one at both ends.
void draw_span(Picture& picture, const Scale& scale, const stats::Interval& span, double x,
               double half, const std::string& classes) {
  picture.line({x, scale.at(span.low)}, {x, scale.at(span.high)}, classes);
  for (const double end : {span.low, span.high})
    picture.line({x - half, scale.at(end)}, {x + half, scale.at(end)}, classes);
}

/// A bar that stands on zero, with what is known around it.
void draw_upright_bar(Picture& picture, const Scale& scale, const PlotFigure& figure, double x,
                      double width, std::size_t series) {
  const double zero = scale.at(0);
  if (std::isfinite(figure.value)) {
    const double end = scale.at(figure.value);
    picture.box({x - width / 2 + 0.5, std::min(zero, end)}, width - 1, std::abs(zero - end),
                "field " + series_class(series), 0.75);
  }
  for (const auto* span : {&figure.own, &figure.together})
    if (*span) draw_span(picture, scale, **span, x, 3, "together s6");
  if (figure.published_spread)
    picture.line({x, scale.at(figure.published_spread->low)},
                 {x, scale.at(figure.published_spread->high)}, "together printed s6");
  if (figure.published) picture.mark({x, scale.at(*figure.published)}, 3, "hollow s6");
}

}  // namespace

std::optional<Sheet> draw_groups(const ReportTable& table, const Plot& plot) {
  const auto [groups, scale, legend] = plotted_rows(table, plot);
  if (groups.empty()) return std::nullopt;
  Upright upright{.scale = scale};
  upright.scale.show(0);  // bars stand on it
  for (const PlottedRow& group : groups) upright.labels.push_back(group.label);
  const auto series = static_cast<double>(plot.columns.size());
  // Many bars are thin ones.
  const double width =
      std::clamp(kPlotWidth * 1.6 / (series * static_cast<double>(groups.size())), 5.0, 22.0);
  upright.slot = width * series + std::max(4.0, width * 0.8);
  Sheet sheet;
  upright.lay(sheet, legend.draw(sheet.picture, {4, 2}, kPlotWidth), plot);
  if (legend.names.size() > 1) sheet.width = std::max(sheet.width, kPlotWidth);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const auto& [s, figure] : groups[g].figures) {
      const double x = upright.at(g) + width * (static_cast<double>(s) - (series - 1) / 2);
      sheet.picture.open(
          hint_of(upright.labels[g], legend.names.size() > 1 ? legend.names[s] : "", figure));
      draw_upright_bar(sheet.picture, upright.scale, figure, x, width, s);
      sheet.picture.close();
    }
  return sheet;
}

namespace {

/// A sample as its box shows it; NaN where something is not known.
struct SampleBox {
  static constexpr std::size_t kNumbers = 6;
  std::string label;
  /// Low, lower quartile, median, upper quartile, high and mean.
  std::array<double, kNumbers> ours{}, published{};
  std::string words{};  ///< all of ours
};

std::optional<SampleBox> box_of(const ReportTable& table, const Plot& plot, const ReportRow& row) {
  SampleBox box{.label = label_of(table, plot, row)};
  box.ours.fill(NAN);
  box.published.fill(NAN);
  bool any = false;
  for (std::size_t i = 0; i < plot.columns.size() && i < SampleBox::kNumbers; ++i)
    if (const auto figure = drawn(table, plot, row, plot.columns[i])) {
      any = true;
      box.ours[i] = figure->value;
      box.published[i] = figure->published.value_or(NAN);
      box.words += fmt::format("{}{} {}", box.words.empty() ? "" : ", ",
                               table.columns.at(plot.columns[i]).header, figure->words);
    }
  return any ? std::optional(box) : std::nullopt;
}

/// Draws what is known of a box around `x`.
void draw_box(Picture& picture, const Scale& scale, const std::array<double, 6>& numbers, double x,
              double half, bool printed) {
  const auto [low, lower, median, upper, high, mean] = numbers;
  const std::string colour = printed ? " printed s6" : " s0";
  const auto known = [](double a, double b) { return std::isfinite(a) && std::isfinite(b); };
  for (const auto& [end, side] : {std::pair(low, lower), std::pair(high, upper)}) {
    if (!known(end, side)) continue;
    picture.line({x, scale.at(end)}, {x, scale.at(side)}, "together" + colour);
    picture.line({x - half / 2, scale.at(end)}, {x + half / 2, scale.at(end)}, "together" + colour);
  }
  if (known(lower, upper)) {
    const PicturePoint corner{x - half, scale.at(upper)};
    const double height = scale.at(lower) - scale.at(upper);
    if (!printed) picture.box(corner, 2 * half, height, "field s0", 0.2);
    picture.box(corner, 2 * half, height, "hollow" + colour);
  }
  if (std::isfinite(median))
    picture.line({x - half, scale.at(median)}, {x + half, scale.at(median)},
                 printed ? "together" + colour : "own s0");
  if (std::isfinite(mean))
    picture.line({x - half, scale.at(mean)}, {x + half, scale.at(mean)},
                 std::string("together unsure ") + (printed ? "s6" : "s1"));
}

/// What the lines of boxes are; pixels that it takes.
double draw_box_key(Picture& picture, bool mean, bool printed) {
  double x = 4;
  const auto add = [&](const char* words, const char* classes) {
    picture.line({x, 10}, {x + 15, 10}, classes);
    picture.words({x + 20, 14}, words);
    x += 34 + words_width(words);
  };
  add("median", "own s0");
  if (mean) add("mean", "together unsure s1");
  if (printed) add("published", "together printed s6");
  return 22;
}

}  // namespace

std::optional<Sheet> draw_boxes(const ReportTable& table, const Plot& plot) {
  std::vector<SampleBox> boxes;
  Upright upright;
  bool mean = false, printed = false;
  for (const ReportRow* row : rows_of(table, plot, true))
    if (const auto box = box_of(table, plot, *row))
      for (const auto* numbers : {&box->ours, &box->published})
        for (const double number : *numbers) upright.scale.show(number);
  for (const ReportRow* row : rows_of(table, plot))
    if (auto box = box_of(table, plot, *row)) {
      const auto is_known = [](double number) { return std::isfinite(number); };
      mean = mean || is_known(box->ours.back()) || is_known(box->published.back());
      printed = printed || std::ranges::any_of(box->published, is_known);
      upright.labels.push_back(box->label);
      boxes.push_back(std::move(*box));
    }
  if (boxes.empty()) return std::nullopt;
  constexpr double half = 8;
  upright.slot = printed ? 4 * half + 12 : 2 * half + 10;
  Sheet sheet;
  upright.lay(sheet, draw_box_key(sheet.picture, mean, printed), plot);
  sheet.width = std::max(sheet.width, 260.0);
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    // Ours on the left, what is published on the right of it.
    const double x = upright.at(b), aside = printed ? half + 1 : 0;
    sheet.picture.open(boxes[b].label + ": " + boxes[b].words);
    draw_box(sheet.picture, upright.scale, boxes[b].ours, x - aside, half, false);
    draw_box(sheet.picture, upright.scale, boxes[b].published, x + aside, half, true);
    sheet.picture.close();
  }
  return sheet;
}

}  // namespace agon::report
