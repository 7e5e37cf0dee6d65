#include <fmt/format.h>

#include <array>

#include "report/plot/drawings.hpp"
#include "report/render/render.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// A pixel's coordinate with one decimal, or none.
std::string px(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string points(const std::vector<PicturePoint>& places) {
  return text::joined(places, " ", [](PicturePoint at) { return px(at.x) + "," + px(at.y); });
}

constexpr std::size_t kColours = 8;

/// Okabe and Ito's palette (2008), which those see apart who confuse colours. Its black follows the
/// text, its yellow is too light for lines and became brown.
constexpr std::array<std::string_view, kColours> kOnWhite = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07d00", "#56b4e9", "currentColor", "#8c564b"};
constexpr std::array<std::string_view, kColours> kOnBlack = {
    "#4da3dd", "#ff8a3d", "#2fc79c", "#e0a0c4", "#e6b422", "#8fd0f5", "currentColor", "#c49c94"};

}  // namespace

void Picture::line(PicturePoint from, PicturePoint to, std::string_view classes) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>", px(from.x),
                       px(from.y), px(to.x), px(to.y), classes);
}

void Picture::box(PicturePoint corner, double width, double height, std::string_view classes,
                  double opacity) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"",
                       px(corner.x), px(corner.y), px(width), px(height), classes);
  if (opacity < 1) body_ += fmt::format(" fill-opacity=\"{:.2f}\"", opacity);
  body_ += "/>";
}

void Picture::path(const std::vector<PicturePoint>& places, std::string_view classes) {
  body_ += fmt::format("<polyline points=\"{}\" class=\"line {}\"/>", points(places), classes);
}

void Picture::area(const std::vector<PicturePoint>& places, std::string_view classes) {
  body_ += fmt::format("<polygon points=\"{}\" class=\"area {}\"/>", points(places), classes);
}

void Picture::shape(const std::vector<PicturePoint>& corners, std::string_view classes) {
  body_ += fmt::format("<polygon points=\"{}\" class=\"{}\"/>", points(corners), classes);
}

void Picture::disc(PicturePoint place, double radius, std::string_view classes) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"/>", px(place.x),
                       px(place.y), px(radius), classes);
}

void Picture::mark(PicturePoint place, std::size_t shape, std::string_view classes) {
  const double x = place.x, y = place.y;
  constexpr double r = 4;
  const auto polygon = [&](const std::vector<PicturePoint>& corners) {
    this->shape(corners, classes);
  };
  switch (shape % 6) {
    case 0:
      disc(place, r, classes);
      break;
    case 1:
      polygon({{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}});
      break;
    case 2:
      polygon({{x, y - r - 1}, {x + r + 1, y + r}, {x - r - 1, y + r}});
      break;
    case 3:
      polygon({{x, y - r - 1}, {x + r + 1, y}, {x, y + r + 1}, {x - r - 1, y}});
      break;
    case 4:
      polygon({{x, y + r + 1}, {x + r + 1, y - r}, {x - r - 1, y - r}});
      break;
    default:
      polygon({{x - r - 1, y}, {x, y - r}, {x + r + 1, y}, {x, y + r}});
  }
}

void Picture::words(PicturePoint place, std::string_view text, std::string_view classes,
                    Anchor anchor) {
  if (text.empty()) return;
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"", px(place.x), px(place.y));
  if (!classes.empty()) body_ += fmt::format(" class=\"{}\"", classes);
  if (anchor != Anchor::start)
    body_ += anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
  body_ += ">" + markup(text) + "</text>";
}

void Picture::aslant(PicturePoint place, std::string_view text, Anchor anchor) {
  body_ +=
      fmt::format("<text transform=\"translate({} {}) rotate(-38)\"{}>{}</text>", px(place.x),
                  px(place.y), anchor == Anchor::end ? " text-anchor=\"end\"" : "", markup(text));
}

void Picture::place(PicturePoint corner, const Picture& other) {
  body_ += fmt::format("<g transform=\"translate({} {})\">{}</g>\n", px(corner.x), px(corner.y),
                       other.body_);
}

void Picture::open(std::string_view hint) {
  body_ += "<g><title>" + markup(hint) + "</title>";
}

void Picture::close() {
  body_ += "</g>\n";
}

std::string Picture::str(double width, double height, std::string_view title, bool stands_alone,
                         std::string_view description) const {
  // Wider ones could not be read where they are made as narrow as a phone.
  constexpr double kStillRead = 640;
  std::string out = "<svg";
  if (stands_alone) out += " xmlns=\"http://www.w3.org/2000/svg\"";
  out += fmt::format(" class=\"{}\"", width > kStillRead ? "plot large" : "plot");
  out += fmt::format(
      " viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "role=\"img\" aria-label=\"{2}\">",
      px(width), px(height), markup(title));
  if (!description.empty()) out += "<desc>" + markup(description) + "</desc>";
  if (stands_alone) out += "<style>" + plot_style(Theme::on_white) + "</style>";
  return out + body_ + "</svg>";
}

double words_width(std::string_view text) {
  return 6.6 * static_cast<double>(text::width(text));
}

std::string series_class(std::size_t index) {
  return fmt::format("s{}{}", index % kColours, index >= kColours ? " again" : "");
}

std::string plot_style(Theme theme) {
  // Plain rules: programs that turn SVG into PDF know no variables.
  std::string out;
  const auto colours = [&](const std::array<std::string_view, kColours>& palette) {
    for (std::size_t i = 0; i < kColours; ++i)
      out += fmt::format(".plot .s{0}{{fill:{1};stroke:{1}}}", i, palette[i]);
  };
  out += ".plot{font:12px sans-serif;fill:currentColor}";
  colours(kOnWhite);
  if (theme == Theme::of_reader) {
    out += "@media (prefers-color-scheme:dark){";
    colours(kOnBlack);
    out += "}";
  } else {
    out += "svg{color:#222}";
  }
  return out +
         ".plot .line,.plot .hollow{fill:none;stroke-width:1.6}"
         ".plot .again{stroke-dasharray:6 3}"
         ".plot .printed{stroke-dasharray:2 3}"
         ".plot .theory{stroke-dasharray:7 3;opacity:.75}"
         ".plot .leader{stroke-width:.8;stroke-dasharray:none}"
         ".plot .disc{stroke:none;fill-opacity:.5}"
         ".plot .unsure{stroke-dasharray:4 3}"
         ".plot .area{fill-opacity:.16;stroke:none}"
         ".plot .mark,.plot .field{stroke:none}"
         ".plot .own{stroke-width:3.4}"
         ".plot .together{stroke-width:1.2}"
         ".plot .axis{stroke:currentColor;opacity:.6}"
         ".plot .grid{stroke:currentColor;opacity:.12}"
         ".plot .zero{stroke:currentColor;stroke-dasharray:4 3;opacity:.7}"
         ".plot .small{font-size:11px;opacity:.8}"
         ".plot .head{font-weight:bold}";
}

}  // namespace agon::report
