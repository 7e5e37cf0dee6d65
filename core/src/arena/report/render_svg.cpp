#include <algorithm>
#include <set>
#include <string_view>

#include "report/plot/drawings.hpp"
#include "report/render.hpp"

namespace agon::report {

namespace {

/// "STOPPED BY A RULE after 24 of 90 blocks": a warning up to its first colon or full stop.
std::string_view head_of(std::string_view words) {
  return words.substr(0, std::min({words.size(), words.find(": "), words.find(". ")}));
}

/// Adds a line for each warning below what is drawn; all of their words.
std::string add_warnings(Sheet& sheet, const std::vector<Alert>& alerts) {
  constexpr double line = 16;
  std::string all;
  std::set<std::string_view> heads;
  for (const Alert& alert : alerts) {
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

std::string render_svg(const Section& section, const Plot& plot, bool stands_alone,
                       const std::vector<Alert>& alerts) {
  auto sheet = [&]() -> std::optional<Sheet> {
    if (plot.drawing == Drawing::curves) return draw_curves(section, plot);
    const Table& table = section.tables.at(plot.table);
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
      default:
        return draw_bars(table, plot);
    }
  }();
  if (!sheet) return {};
  const std::string description = add_warnings(*sheet, alerts);
  return sheet->picture.str(sheet->width, sheet->height, plot.title, stands_alone, description);
}

}  // namespace agon::report
