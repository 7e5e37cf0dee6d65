#include "report/plot/drawings.hpp"
#include "report/render.hpp"

namespace agon::report {

std::string render_svg(const Section& section, const Plot& plot, bool stands_alone) {
  const auto sheet = [&]() -> std::optional<Sheet> {
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
  return sheet->picture.str(sheet->width, sheet->height, plot.title, stands_alone);
}

}  // namespace agon::report
