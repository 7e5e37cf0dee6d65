#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  /// Words that rise to the right from their place.
  void aslant(PicturePoint place, std::string_view text);
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

}  // namespace agon::report
