#include <algorithm>

#include "report/grid.hpp"
#include "report/render.hpp"
#include "text/utf8.hpp"

namespace agon::report {
namespace {

/// Words in which nothing is read as Markdown, HTML or mathematics.
std::string markdown_words(std::string_view text) {
  constexpr std::string_view special = "\\`*_[]<>|~$&#";
  std::string out;
  // Spaces at the beginning set a row in under another.
  const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
  if (indent > 0) out = "&emsp;";
  text.remove_prefix(indent);
  for (const char c : text::printable(text)) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

void add_markdown(std::string& out, const Grid& grid) {
  out += "\n|";
  for (const text::Column& column : grid.columns) out += " " + markdown_words(column.header) + " |";
  out += "\n|";
  for (const text::Column& column : grid.columns)
    out += column.align == text::Align::left ? " --- |" : " ---: |";
  out += '\n';
  for (const Grid::Row& row : grid.rows) {
    out += '|';
    for (const Grid::Cell& cell : row.cells) {
      // Figures have no brackets but those of intervals, which are no links.
      std::string shown = cell.figure ? cell.words : markdown_words(cell.words);
      if (cell.figure && shown.ends_with('*')) shown.insert(shown.size() - 1, 1, '\\');
      if (row.heading && !shown.empty()) shown = "*" + shown + "*";
      out += " " + shown + " |";
    }
    out += '\n';
  }
}

}  // namespace

std::string render_markdown(const Document& document) {
  std::string out;
  const auto paragraph = [&](const std::string& text) { out += "\n" + text + "\n"; };
  for (const Alert& alert : document.alerts) {
    if (!out.empty()) out += '\n';
    out += "> **" + markdown_words(alert.words) + "** " + markdown_words(alert.command) + "\n";
  }
  for (const Section& section : document.sections) {
    if (section.where == Where::data) continue;
    if (!out.empty()) out += '\n';
    out += "## " + markdown_words(section.title) + "\n";
    if (!section.explanation.empty()) paragraph(markdown_words(section.explanation));
    for (const Table& table : section.tables)
      if (const Grid grid = grid_of(table); !grid.rows.empty()) add_markdown(out, grid);
    for (const std::string& remark : section.remarks) paragraph(markdown_words(remark));
    if (!section.points.empty()) out += '\n';
    for (const std::string& point : section.points) out += "- " + markdown_words(point) + "\n";
  }
  return out;
}

}  // namespace agon::report
