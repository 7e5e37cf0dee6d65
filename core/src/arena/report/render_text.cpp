#include "report/grid.hpp"
#include "report/render.hpp"
#include "report/wide_table.hpp"
#include "text/paragraph.hpp"
#include "text/utf8.hpp"

namespace agon::report {
namespace {

constexpr std::size_t kPageColumns = 100;

std::string aligned(const Grid& grid, std::size_t indent) {
  const auto cells = [](const Grid::Row& row) {
    std::vector<std::string> all;
    for (const Grid::Cell& cell : row.cells) all.push_back(cell.words);
    return all;
  };
  if (grid.fixed == 0) {
    text::Table table(grid.columns);
    for (const Grid::Row& row : grid.rows) table.add(cells(row));
    return table.str(indent);
  }
  const auto spread = grid.columns.begin() + static_cast<std::ptrdiff_t>(grid.fixed);
  WideTable table({grid.columns.begin(), spread}, {spread, grid.columns.end()});
  for (const Grid::Row& row : grid.rows) table.add(cells(row), row.below);
  return table.str(indent, kPageColumns);
}

}  // namespace

std::string render_table(const Table& table) {
  return aligned(grid_of(table), 0);
}

std::string render_text(const Document& document, bool colour) {
  std::string out;
  const auto paragraph = [&](const std::string& words, const char* bullet = "") {
    out += text::paragraph(words, {2, bullet, kPageColumns});
  };
  bool first = true;
  for (const Section& section : document.sections) {
    if (section.where == Where::data) continue;
    const std::string title = text::printable(section.title);
    if (!first) out += '\n';
    out += colour ? "\x1b[1m" + title + "\x1b[0m\n" : title + "\n";
    if (!section.explanation.empty()) paragraph(section.explanation);
    if (first) {
      for (const Alert& alert : document.alerts) {
        paragraph(alert.words);
        if (!alert.command.empty()) out += "  " + text::printable(alert.command) + '\n';
      }
    }
    first = false;
    for (const Table& table : section.tables) {
      const Grid grid = grid_of(table);
      if (!grid.rows.empty()) out += '\n' + aligned(grid, 2);
    }
    for (const std::string& remark : section.remarks) paragraph(remark);
    for (const std::string& point : section.points) paragraph(point, "- ");
  }
  return out;
}

}  // namespace agon::report
