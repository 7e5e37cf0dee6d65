#pragma once

#include <agon/export.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/plot/picture.hpp"
#include "report/tables.hpp"

namespace agon::report {

/// Maps figures to pixels, from one end of an axis to the other.
class AGON_API Scale {
 public:
  /// Widens what it has to show to round numbers. Figures that are not finite are left out.
  void show(double figure);

  /// True if there was nothing to show.
  [[nodiscard]] bool empty() const { return low_ > high_; }

  /// Lays the axis from pixel `from` to pixel `to`, with about `count` round numbers on it.
  void lay(double from, double to, std::size_t count);

  /// The pixel of a figure; what lies outside is at the end. Needs lay().
  [[nodiscard]] double at(double figure) const;

  /// The round numbers, rising.
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

  /// A round number as it is written beside the others.
  [[nodiscard]] std::string tick_words(double tick) const;

 private:
  double low_ = 1;
  double high_ = 0;
  double from_ = 0;
  double to_ = 1;
  int decimals_ = 0;
  bool whole_ = true;  // all figures are: then round numbers are, too
  std::vector<double> ticks_{};
};

/// A figure of a table or a curve as plots show it.
struct PlotFigure {
  double value = 0;
  std::optional<stats::Interval> own{};
  std::optional<stats::Interval> together{};
  std::optional<double> published{};
  std::size_t units = 0;  ///< 0: not said
  std::string words{};    ///< the value as tables have it
};

/// Nothing for a cell that has no number.
[[nodiscard]] std::optional<PlotFigure> drawn(const ReportCell& cell);

/// The same of a table's cell; rows may end before their last columns.
[[nodiscard]] std::optional<PlotFigure> drawn(const ReportRow& row, std::size_t column);

/// What a row is about: its heading and label, or the words of its columns that are no figures.
[[nodiscard]] std::string label_of(const ReportTable& table, const ReportRow& row);

/// The widest label in a plot, in characters.
inline constexpr std::size_t kWidestPlotLabel = 44;

/// A label as it is drawn: cut in its middle where it is longer.
[[nodiscard]] std::string shortened(const std::string& label);

/// Pixels of a plot without labels.
inline constexpr double kPlotWidth = 440;

/// Names of series with their marks, in lines of at most `width` pixels.
struct Legend {
  std::vector<std::string> names;
  bool lines = false;                 ///< the series are lines, not marks
  bool published = false;             ///< some have what a paper prints
  std::vector<std::string> theory{};  ///< names of lines that theory draws

  /// Pixels from `top` to what comes below. Nothing where there is one series and nothing printed.
  double draw(Picture& picture, PicturePoint corner, double width) const;
};

/// A figure and its intervals along a horizontal axis.
void draw_figure(Picture& picture, const Scale& scale, const PlotFigure& figure, double y,
                 std::size_t series);

/// A horizontal axis under a plot from `top` to `bottom`, with `line` marked; pixels it takes
/// below.
double draw_axis(Picture& picture, const Scale& scale, double top, double bottom,
                 const std::string& unit, std::optional<double> line);

/// What a drawing made, and how large it is.
struct Sheet {
  Picture picture{};
  double width = 0;
  double height = 0;
};

/// By Drawing; nothing where there is no figure to show.
[[nodiscard]] std::optional<Sheet> draw_forest(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_heat_map(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_scatter(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_points(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_arrows(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_bars(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_curves(const ReportSection& section, const Plot& plot);

}  // namespace agon::report
