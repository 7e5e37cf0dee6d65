#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <algorithm>
#include <map>

#include "report/document.hpp"
#include "report/sections/sections.hpp"

/// How tables of papers are drawn: which figures of PaperTable::plots come into which picture. No
/// picture has figures of two units on one axis.

namespace agon::report {
namespace {

using How = TablePlot::How;

/// More figures than this in a line of a plot cannot be told apart.
constexpr std::size_t kMostPlotted = 6;

/// The label of the row that a row stands under; empty: of none. A row whose figures are all
/// missing looks like a heading, and rows after it do not stand under it.
std::string heading_of(const ReportRow& row) {
  const auto& label = std::get<std::string>(row.cells.front());
  const std::string own = ": " + label.substr(std::min(label.find_first_not_of(' '), label.size()));
  const std::string& whole = row.about.row;
  return whole.ends_with(own) ? whole.substr(0, whole.size() - own.size()) : "";
}

/// Curves of a section with what decides on their picture.
struct CurvesUnder {
  std::vector<PlotSeries> series{};
  std::vector<std::string> headings{};  ///< that each stands under; empty: none
  std::vector<std::size_t> columns{};   ///< of the table; 0: a curve is a row
  std::vector<bool> plotted{};
};

/// The curves that a table is the data of, and the places of its figures on them.
CurvesUnder add_curves(const Curves& curves, ReportTable& table) {
  if (table.about.unit.empty()) table.about.unit = curves.unit;
  const std::string common = table.about.unit;
  // "mean rank" says that it is of ranks.
  const bool said = curves.unit.empty() && curves.y.find(common) != std::string::npos;
  const std::string shown = said ? "" : common;
  const auto place_of = [&](double number) {
    const auto index = static_cast<std::size_t>(number) - 1;
    return index < curves.at.size() ? curves.at[index] : number;
  };
  CurvesUnder all;
  std::map<std::string, std::size_t> at;  // by name
  std::string heading;
  double below = 0;  // rows under the heading
  for (ReportRow& row : table.rows) {
    below = row.heading ? 0 : below + 1;
    if (row.heading) heading = std::get<std::string>(row.cells.front());
    if (curves.down) row.about.position = place_of(below);
    for (std::size_t c = 1; c < row.cells.size(); ++c) {
      Subject& column = table.columns[c].about;
      if (!curves.down) column.position = place_of(static_cast<double>(c));
      const auto* figure = std::get_if<Estimated>(&row.cells[c]);
      if (figure == nullptr) continue;
      const std::string name =
          !curves.down ? row.about.row : (heading.empty() ? "" : heading + ": ") + column.column;
      const auto [found, added] = at.try_emplace(name, all.series.size());
      if (added) {
        const std::string& own = curves.down ? column.unit : row.about.unit;
        const bool other = !own.empty() && own != common;
        all.series.push_back({.name = name,
                              .about = curves.down ? column : row.about,
                              .x = {curves.x},
                              .y = {.label = other ? own : curves.y, .unit = other ? "" : shown},
                              .in_table = true,
                              .theory = !curves.down && row.theory});
        all.headings.push_back(curves.down ? heading : heading_of(row));
        all.columns.push_back(curves.down ? c : 0);
        all.plotted.push_back(row.plotted);
      }
      all.series[found->second].points.push_back(
          {curves.down ? *row.about.position : *column.position, *figure});
    }
  }
  return all;
}

/// The title of one picture of several: the section's, then what tells it from the others.
std::string title_of(const ReportSection& section, const std::vector<std::string>& parts) {
  std::string words;
  for (const std::string& part : parts)
    if (!part.empty()) words += (words.empty() ? "" : ", ") + part;
  return words.empty() ? section.title : section.title + ": " + words;
}

void add_plot(ReportSection& section, Plot plot) {
  const std::size_t before = section.plots.size();
  plot.name = before == 0 ? "figure" : fmt::format("figure-{}", before + 1);
  section.plots.push_back(std::move(plot));
}

/// One plot of the curves of a unit, or where there are many, or where theory says of each
/// something else, one under each heading.
void add_curve_plots(ReportSection& section, const CurvesUnder& under, const TablePlot& asked) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> units;  // with their curves
  for (std::size_t s = 0; s < section.series.size(); ++s) {
    const std::size_t column = under.columns[s];
    if (!under.plotted[s] ||
        (column > 0 && !asked.columns.empty() && !std::ranges::count(asked.columns, column - 1)))
      continue;
    const PlotAxis& y = section.series[s].y;
    const std::string unit = y.unit.empty() ? y.label : y.unit;
    auto found = std::ranges::find_if(units, [&](const auto& one) { return one.first == unit; });
    if (found == units.end()) found = units.insert(units.end(), {unit, {}});
    found->second.push_back(s);
  }
  for (const auto& [unit, curves] : units) {
    const bool together =
        !asked.apart && curves.size() <= kMostPlotted &&
        std::ranges::count_if(curves, [&](std::size_t s) { return section.series[s].theory; }) < 2;
    const std::size_t first = section.plots.size();
    for (const std::size_t s : curves) {
      const std::string heading = together ? "" : under.headings[s];
      std::string title = heading.empty() ? section.title : heading;
      for (const std::string& part : {asked.title, units.size() > 1 ? unit : ""})
        if (!part.empty()) title += ", " + part;
      auto found =
          std::find_if(section.plots.begin() + static_cast<std::ptrdiff_t>(first),
                       section.plots.end(), [&](const Plot& plot) { return plot.title == title; });
      if (found == section.plots.end()) {
        add_plot(section, {.title = title, .drawing = Drawing::curves, .heading = heading});
        found = section.plots.end() - 1;
      }
      found->columns.push_back(s);
    }
  }
}

bool has_figure(const ReportRow& row, std::size_t column) {
  if (row.heading || !row.plotted || column >= row.cells.size()) return false;
  const auto* figure = std::get_if<Estimated>(&row.cells[column]);
  return figure != nullptr && (figure->estimate.value || figure->published);
}

/// Figures that may stand on one axis.
struct OneUnit {
  std::string unit{};  ///< empty: it is not said, and they are of one column
  std::vector<std::size_t> columns{};
};

/// The figures of these columns by their unit, in the order in which units come up.
std::vector<OneUnit> by_unit(const ReportTable& table, const std::vector<std::size_t>& columns) {
  std::vector<OneUnit> all;
  for (const std::size_t column : columns)
    for (const ReportRow& row : table.rows) {
      if (!has_figure(row, column)) continue;
      const std::string& unit = unit_of(table, row, column);
      auto found = std::ranges::find_if(all, [&](const OneUnit& one) {
        return one.unit == unit && (!unit.empty() || one.columns.front() == column);
      });
      if (found == all.end()) found = all.insert(all.end(), {unit, {column}});
      if (found->columns.back() != column) found->columns.push_back(column);
    }
  return all;
}

/// Rows under one heading.
struct Under {
  std::string heading{};
  std::vector<std::size_t> rows{};
};

std::vector<Under> by_heading(const ReportTable& table) {
  std::vector<Under> all;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.rows[r].heading) continue;
    const std::string heading = heading_of(table.rows[r]);
    if (all.empty() || all.back().heading != heading) all.push_back({.heading = heading});
    all.back().rows.push_back(r);
  }
  return all;
}

Drawing drawing_of(How how) {
  switch (how) {
    case How::bars:
      return Drawing::groups;
    case How::boxes:
      return Drawing::boxes;
    case How::heat_map:
      return Drawing::heat_map;
    default:
      return Drawing::forest;
  }
}

/// The columns of the report's table, whose first one has the labels.
std::vector<std::size_t> columns_of(const ReportTable& table,
                                    const std::vector<std::size_t>& named) {
  if (named.empty()) return plotted_columns(table);
  std::vector<std::size_t> columns;
  for (const std::size_t column : named) columns.push_back(column + 1);
  return columns;
}

/// What the axis counts: the column where there is one, and the unit where it is another word.
std::string axis_of(const ReportTable& table, const Plot& plot) {
  const std::string unit = plot.measure.value_or("");
  if (plot.columns.size() != 1) return unit;
  const std::string& header = table.columns[plot.columns.front()].header;
  const bool said = header.find(unit) != std::string::npos;
  return said ? header : fmt::format("{} ({})", header, unit);
}

/// Adds the plots of one unit's figures.
void add_unit(ReportSection& section, const TablePlot& asked, Plot plot, const std::string& tells) {
  const ReportTable& table = section.tables.front();
  plot.unit = axis_of(table, plot);
  if (!asked.apart) {
    plot.title = title_of(section, {asked.title, tells});
    add_plot(section, std::move(plot));
    return;
  }
  const auto shows = [&](std::size_t r, std::size_t c) {
    const ReportRow& row = table.rows[r];
    return has_figure(row, c) && unit_of(table, row, c) == plot.measure;
  };
  for (const Under& under : by_heading(table)) {
    Plot one = plot;
    for (const std::size_t r : under.rows)
      if (std::ranges::any_of(plot.columns, [&](std::size_t c) { return shows(r, c); }))
        one.rows.push_back(r);
    if (one.rows.empty()) continue;
    if (asked.how == How::heat_map)
      std::erase_if(one.columns, [&](std::size_t c) {
        return std::ranges::none_of(one.rows, [&](std::size_t r) { return shows(r, c); });
      });
    one.heading = under.heading;
    one.shared_scale = true;
    one.title = title_of(section, {under.heading, asked.title, tells});
    add_plot(section, std::move(one));
  }
}

/// The plots of figures in dots, bars, boxes or fields.
void add_figures(ReportSection& section, const TablePlot& asked, bool as_said, bool several) {
  const ReportTable& table = section.tables.front();
  const std::vector<std::size_t> columns = columns_of(table, asked.columns);
  const std::vector<OneUnit> units = by_unit(table, columns);
  for (const OneUnit& one : units) {
    Plot plot{.drawing = drawing_of(asked.how), .columns = one.columns, .measure = one.unit};
    if (!as_said && one.columns.size() > kMostPlotted) plot.drawing = Drawing::heat_map;
    // A box needs all of its numbers, in their order.
    if (asked.how == How::boxes) plot.columns = columns;
    if (!asked.deviations.empty())
      for (const std::size_t column : one.columns) {
        const auto at = std::ranges::find(columns, column) - columns.begin();
        plot.deviations.push_back(asked.deviations[static_cast<std::size_t>(at)] + 1);
      }
    std::string tells;
    if (units.size() > 1 || (several && asked.title.empty()))
      tells = one.columns.size() == 1 ? table.columns[one.columns.front()].header : one.unit;
    add_unit(section, asked, std::move(plot), tells);
    if (asked.how == How::boxes && one.unit.empty()) return;
  }
}

}  // namespace

void add_paper_plots(ReportSection& section, const PaperTable& from) {
  ReportTable& table = section.tables.front();
  CurvesUnder curves;
  if (from.curves) curves = add_curves(*from.curves, table);
  section.series = std::move(curves.series);
  std::vector<TablePlot> plots = from.plots;
  if (plots.empty()) {
    TablePlot& plot = plots.emplace_back();
    if (!section.series.empty()) plot.how = How::curves;
    if (from.points) plot.how = How::points;
  }
  for (const TablePlot& plot : plots) {
    if (plot.how == How::none) continue;
    if (plot.how == How::curves)
      add_curve_plots(section, curves, plot);
    else if (plot.how == How::points)
      add_plot(section, {.title = title_of(section, {plot.title}),
                         .drawing = Drawing::points,
                         .columns = columns_of(table, plot.columns)});
    else
      add_figures(section, plot, !from.plots.empty(), plots.size() > 1);
  }
}

}  // namespace agon::report
