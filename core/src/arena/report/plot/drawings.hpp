#pragma once

#include <agon/export.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/document.hpp"

namespace agon::report {

/// Where a text stands at its place.
enum class Anchor { start, middle, end };

/// A place in a picture, in pixels from its upper left corner.
struct PicturePoint {
  double x = 0;
  double y = 0;
};

/// What a picture is seen on.
enum class Theme {
  of_reader,  ///< light or dark, as the reader's screen
  on_white,   ///< paper
};

/// The looks of all pictures, as CSS.
[[nodiscard]] std::string plot_style(Theme theme);

/// A picture as it is drawn, element by element: SVG whose looks are classes of plot_style().
class Picture {
 public:
  void line(PicturePoint from, PicturePoint to, std::string_view classes);
  void box(PicturePoint corner, double width, double height, std::string_view classes,
           double opacity = 1);
  /// A line through places; what is drawn later lies above.
  void path(const std::vector<PicturePoint>& places, std::string_view classes);
  /// The same, closed and filled.
  void area(const std::vector<PicturePoint>& places, std::string_view classes);
  /// A filled polygon.
  void shape(const std::vector<PicturePoint>& corners, std::string_view classes);
  void disc(PicturePoint place, double radius, std::string_view classes);
  /// A mark of series number `shape`: marks of up to six series differ in form, too.
  void mark(PicturePoint place, std::size_t shape, std::string_view classes);
  void words(PicturePoint place, std::string_view text, std::string_view classes = "",
             Anchor anchor = Anchor::start);
  /// Words that rise to the right: from their place, or to it.
  void aslant(PicturePoint place, std::string_view text, Anchor anchor = Anchor::start);
  /// What another picture has, moved to a place.
  void place(PicturePoint corner, const Picture& other);
  /// Words of what is drawn until close(), shown where the pointer rests.
  void open(std::string_view hint);
  void close();

  /// As an element of a page: `title` names it for who cannot see it; `description`: what else is
  /// to be known of it, line by line.
  [[nodiscard]] std::string str(double width, double height, std::string_view title,
                                bool stands_alone, std::string_view description = {}) const;

 private:
  std::string body_{};
};

/// How wide a text is at most, in pixels, as the pictures have it.
[[nodiscard]] double words_width(std::string_view text);

/// The classes of series number `index`: its colour, again from the first one, dashed, after eight.
[[nodiscard]] std::string series_class(std::size_t index);

struct PlotFigure;

/// Maps figures to pixels, from one end of an axis to the other.
class AGON_API Scale {
 public:
  /// Widens what it has to show to round numbers. Figures that are not finite are left out.
  void show(double figure);
  /// Likewise both ends of an interval, where there is one.
  void show(const std::optional<stats::Interval>& interval);
  /// Likewise all that is known of one: its intervals, and what is published.
  void show(const PlotFigure& figure);

  /// True if there was nothing to show.
  [[nodiscard]] bool empty() const { return low_ > high_; }
  /// From the lowest to the highest figure.
  [[nodiscard]] double extent() const { return empty() ? 0 : high_ - low_; }

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
  std::optional<stats::Interval> published_spread{};  ///< a standard deviation to both sides
  std::size_t units = 0;                              ///< 0: not said
  std::string words{};                                ///< the value as tables have it
  int decimals = 2;                                   ///< of what is published
  bool off_scale = false;  ///< an outlier that a scale of all figures would flatten the rest for
};

/// Nothing for a cell that has no number.
[[nodiscard]] std::optional<PlotFigure> drawn(const ReportCell& cell);

/// The same of a table's cell; rows may end before their last columns.
[[nodiscard]] AGON_API std::optional<PlotFigure> drawn(const ReportRow& row, std::size_t column);

/// The rows that a plot shows; with `scaled` all that its scale holds.
[[nodiscard]] AGON_API std::vector<const ReportRow*> rows_of(const ReportTable& table,
                                                             const Plot& plot, bool scaled = false);

/// A figure of such a row: nothing where it has another unit than the plot. Where a column has a
/// standard deviation, that is in place of the interval.
[[nodiscard]] AGON_API std::optional<PlotFigure> drawn(const ReportTable& table, const Plot& plot,
                                                       const ReportRow& row, std::size_t column);

/// What a row is about: its heading and label, or the words of its columns that are no figures.
[[nodiscard]] std::string label_of(const ReportTable& table, const ReportRow& row);

/// The same as a plot has it: without the heading that all of its rows stand under.
[[nodiscard]] std::string label_of(const ReportTable& table, const Plot& plot,
                                   const ReportRow& row);

/// The widest label in a plot, in characters.
inline constexpr std::size_t kWidestPlotLabel = 44;

/// A label as it is drawn: cut in its middle where it is longer.
[[nodiscard]] std::string shortened(const std::string& label);

/// Pixels of a plot without labels, of a forest, which a phone shows whole, and of one of its
/// panels.
inline constexpr double kPlotWidth = 440;
inline constexpr double kForestWidth = 330;
inline constexpr double kPanelWidth = 118;

/// Names of series with their marks, in lines of at most `width` pixels.
struct Legend {
  std::vector<std::string> names;
  bool lines = false;                 ///< the series are lines, not marks
  bool published = false;             ///< some have what a paper prints
  std::vector<std::string> theory{};  ///< names of lines that theory draws

  /// Pixels from `top` to what comes below. Nothing where there is one series and nothing printed.
  double draw(Picture& picture, PicturePoint corner, double width) const;
};

/// A row of a plot, with a figure in at least one of its columns.
struct PlottedRow {
  std::string label{};                                        ///< shortened
  std::vector<std::pair<std::size_t, PlotFigure>> figures{};  ///< with the number of the series
};
/// What is drawn where each column of a plot is a series.
struct PlottedRows {
  std::vector<PlottedRow> rows{};
  Scale scale{};  ///< of their figures, and of those that share it
  Legend legend{};
};
[[nodiscard]] PlottedRows plotted_rows(const ReportTable& table, const Plot& plot);

/// What is shown where the pointer rests on a figure: whose it is, and its number.
[[nodiscard]] std::string hint_of(const std::string& label, const std::string& column,
                                  const PlotFigure& figure);

/// A figure and its intervals along a horizontal axis; of one off the scale, an arrow at that end
/// with the figure beside it.
void draw_figure(Picture& picture, const Scale& scale, const PlotFigure& figure, double y,
                 std::size_t series);

/// A horizontal axis under a plot from `top` to `bottom`, with `line` marked; pixels it takes
/// below.
double draw_axis(Picture& picture, const Scale& scale, double top, double bottom,
                 const std::string& unit, std::optional<double> line);

/// An upright axis from pixel `left` to pixel `right`, with its name at a place above and `line`
/// marked.
void draw_upright(Picture& picture, const Scale& scale, double left, double right,
                  const std::string& name, double name_at, std::optional<double> line);

/// What a drawing made, and how large it is.
struct Sheet {
  Picture picture{};
  double width = 0;
  double height = 0;
};

/// The panels of a forest, a column each: the same rows, in one order and on one scale.
[[nodiscard]] std::vector<Sheet> draw_panels(const ReportTable& table, const Plot& plot);

/// By Drawing; nothing where there is no figure to show.
[[nodiscard]] std::optional<Sheet> draw_forest(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_heat_map(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_scatter(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_points(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_arrows(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_groups(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_boxes(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_bars(const ReportTable& table, const Plot& plot);
[[nodiscard]] std::optional<Sheet> draw_curves(const ReportSection& section, const Plot& plot);

}  // namespace agon::report
