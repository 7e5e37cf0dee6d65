#include <fmt/format.h>

#include <algorithm>

#include "report/grid.hpp"
#include "report/plot/markup.hpp"
#include "report/plot/picture.hpp"
#include "report/render.hpp"

namespace agon::report {
namespace {

void add_cell(std::string& out, const Grid& grid, const Grid::Row& row, std::size_t column) {
  const Grid::Cell& cell = row.cells[column];
  const bool names_row = column == 0;
  const char* tag = names_row ? "th" : "td";
  const std::size_t indent = std::min(cell.words.find_first_not_of(' '), cell.words.size());
  std::string attributes = names_row ? " scope=\"row\"" : "";
  if (grid.columns[column].align == text::Align::right) attributes += " class=\"figure\"";
  if (indent > 0 && names_row)
    attributes += fmt::format(" style=\"padding-left: {}em\"", 1 + indent / 2);
  out += fmt::format("<{}{}>{}</{}>", tag, attributes, markup(cell.words), tag);
}

void add_table(std::string& out, const Table& table) {
  const Grid grid = grid_of(table);
  if (grid.rows.empty()) return;
  out += "<div class=\"wide\"><table>\n";
  if (!table.title.empty()) out += "<caption>" + markup(table.title) + "</caption>\n";
  out += "<thead><tr>";
  for (const text::Column& column : grid.columns)
    out += fmt::format("<th scope=\"col\"{}>{}</th>",
                       column.align == text::Align::right ? " class=\"figure\"" : "",
                       markup(column.header));
  out += "</tr></thead>\n<tbody>\n";
  for (const Grid::Row& row : grid.rows) {
    out += row.heading ? "<tr class=\"heading\">" : "<tr>";
    for (std::size_t c = 0; c < row.cells.size(); ++c) add_cell(out, grid, row, c);
    out += "</tr>\n";
  }
  out += "</tbody>\n</table></div>\n";
}

void add_plot(std::string& out, const Section& section, const Plot& plot) {
  const std::string picture = render_svg(section, plot, false);
  if (picture.empty()) return;
  out += "<figure>\n<figcaption>" + markup(plot.title) + "</figcaption>\n<div class=\"wide\">" +
         picture + "</div>\n</figure>\n";
}

void add_section(std::string& out, const Section& section) {
  const auto paragraph = [&](const std::string& words) {
    if (!words.empty()) out += "<p>" + markup(words) + "</p>\n";
  };
  out += fmt::format("<section class=\"{}\">\n<h2>{}</h2>\n", markup(section.id),
                     markup(section.title));
  paragraph(section.explanation);
  for (const Plot& plot : section.plots) add_plot(out, section, plot);
  for (const Table& table : section.tables) add_table(out, table);
  for (const std::string& remark : section.remarks) paragraph(remark);
  if (!section.points.empty()) {
    out += "<ul>\n";
    for (const std::string& point : section.points) out += "<li>" + markup(point) + "</li>\n";
    out += "</ul>\n";
  }
  out += "</section>\n";
}

/// Readable without any other file, by day and by night, on a telephone and on paper.
constexpr std::string_view kStyle =
    ":root { color-scheme: light dark; --text: #222; --page: #fff; --rule: #ddd; --alert: #b00 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --text: #ddd; --page: #181a1c; --rule: #3a3d40; --alert: #ff7b6b } }\n"
    "body { max-width: 64em; margin: 2em auto; padding: 0 1em; font-family: sans-serif;\n"
    "  line-height: 1.4; color: var(--text); background: var(--page); overflow-wrap: anywhere }\n"
    ".wide { overflow-x: auto; overflow-wrap: normal }\n"
    "figure { margin: 1em 0 }\n"
    "figcaption, caption { text-align: left; font-weight: bold; padding-bottom: .3em }\n"
    "table { border-collapse: collapse; margin: 1em 0 }\n"
    "th, td { padding: .2em .8em; border-bottom: 1px solid var(--rule); text-align: left;\n"
    "  font-weight: normal; vertical-align: top }\n"
    "thead th { border-bottom: 2px solid var(--text); font-weight: bold }\n"
    ".figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }\n"
    ".heading th { font-style: italic }\n"
    ".alert { border-left: .3em solid var(--alert); padding-left: 1em }\n"
    "@media print {\n"
    "  body { max-width: none; margin: 0 } section, figure, tr { break-inside: avoid-page }\n"
    "  section { break-inside: auto } .wide { overflow: visible } h2 { break-after: avoid } }\n";

}  // namespace

std::string render_html(const Document& document) {
  std::string title = "Agon report";
  for (const Section& section : document.sections)
    if (section.where != Where::data) {
      title = section.title;
      break;
    }
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         markup(title) + "</title>\n<style>\n" + std::string(kStyle) +
         plot_style(Theme::of_reader) + "\n" + "</style>\n</head>\n<body>\n";
  for (const Alert& alert : document.alerts) {
    out += "<p class=\"alert\"><strong>" + markup(alert.words) + "</strong>";
    if (!alert.command.empty()) out += " <code>" + markup(alert.command) + "</code>";
    out += "</p>\n";
  }
  for (const Section& section : document.sections)
    if (section.where != Where::data) add_section(out, section);
  return out + "</body>\n</html>\n";
}

}  // namespace agon::report
