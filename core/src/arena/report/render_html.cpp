#include <fmt/format.h>

#include <algorithm>

#include "report/grid.hpp"
#include "report/render.hpp"
#include "text/utf8.hpp"

namespace agon::report {
namespace {

/// Words in which nothing is read as HTML.
std::string html_words(std::string_view text) {
  std::string out;
  for (const char c : text::printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void add_cell(std::string& out, const Grid& grid, const Grid::Row& row, std::size_t column) {
  const Grid::Cell& cell = row.cells[column];
  const bool names_row = column == 0;
  const char* tag = names_row ? "th" : "td";
  const std::size_t indent = std::min(cell.words.find_first_not_of(' '), cell.words.size());
  std::string attributes = names_row ? " scope=\"row\"" : "";
  if (grid.columns[column].align == text::Align::right) attributes += " class=\"figure\"";
  if (indent > 0 && names_row)
    attributes += fmt::format(" style=\"padding-left: {}em\"", 1 + indent / 2);
  out += fmt::format("<{}{}>{}</{}>", tag, attributes, html_words(cell.words), tag);
}

void add_table(std::string& out, const Table& table) {
  const Grid grid = grid_of(table);
  if (grid.rows.empty()) return;
  out += "<table>\n";
  if (!table.title.empty()) out += "<caption>" + html_words(table.title) + "</caption>\n";
  out += "<thead><tr>";
  for (const text::Column& column : grid.columns)
    out += fmt::format("<th scope=\"col\"{}>{}</th>",
                       column.align == text::Align::right ? " class=\"figure\"" : "",
                       html_words(column.header));
  out += "</tr></thead>\n<tbody>\n";
  for (const Grid::Row& row : grid.rows) {
    out += row.heading ? "<tr class=\"heading\">" : "<tr>";
    for (std::size_t c = 0; c < row.cells.size(); ++c) add_cell(out, grid, row, c);
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n";
}

void add_section(std::string& out, const Section& section) {
  const auto paragraph = [&](const std::string& words) {
    if (!words.empty()) out += "<p>" + html_words(words) + "</p>\n";
  };
  out += fmt::format("<section class=\"{}\">\n<h2>{}</h2>\n", html_words(section.id),
                     html_words(section.title));
  paragraph(section.explanation);
  for (const Table& table : section.tables) add_table(out, table);
  for (const std::string& remark : section.remarks) paragraph(remark);
  if (!section.points.empty()) {
    out += "<ul>\n";
    for (const std::string& point : section.points) out += "<li>" + html_words(point) + "</li>\n";
    out += "</ul>\n";
  }
  out += "</section>\n";
}

/// Readable without any other file, on paper too.
constexpr std::string_view kStyle =
    "body { max-width: 60em; margin: 2em auto; padding: 0 1em; font-family: sans-serif;\n"
    "  line-height: 1.4; color: #222; background: #fff }\n"
    "table { border-collapse: collapse; margin: 1em 0 }\n"
    "caption { text-align: left; font-weight: bold; padding-bottom: .3em }\n"
    "th, td { padding: .2em .8em; border-bottom: 1px solid #ddd; text-align: left;\n"
    "  font-weight: normal; vertical-align: top }\n"
    "thead th { border-bottom: 2px solid #222; font-weight: bold }\n"
    ".figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }\n"
    ".heading th { font-style: italic }\n"
    ".alert { border-left: .3em solid #b00; padding-left: 1em }\n";

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
         html_words(title) + "</title>\n<style>\n" + std::string(kStyle) +
         "</style>\n</head>\n<body>\n";
  for (const Alert& alert : document.alerts) {
    out += "<p class=\"alert\"><strong>" + html_words(alert.words) + "</strong>";
    if (!alert.command.empty()) out += " <code>" + html_words(alert.command) + "</code>";
    out += "</p>\n";
  }
  for (const Section& section : document.sections)
    if (section.where != Where::data) add_section(out, section);
  return out + "</body>\n</html>\n";
}

}  // namespace agon::report
