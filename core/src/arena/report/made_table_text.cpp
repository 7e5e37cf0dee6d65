#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/made_table.hpp"
#include "report/numbers.hpp"
#include "report/wide_table.hpp"
#include "text/counted.hpp"
#include "text/paragraph.hpp"
#include "text/percent.hpp"
#include "text/table.hpp"
#include "text/utf8.hpp"

namespace agon::report {
namespace {

using text::Align;

/// One line of a row: what a cell has to say on it.
struct Line {
  const char* label;
  std::string (*say)(const TableCell& cell);
};

std::string value(const TableCell& cell) {
  if (!cell.text.empty()) return cell.text;
  return std::isnan(cell.ours.value) ? "-" : fixed(cell.ours.value, cell.decimals);
}

std::string bounds(const TableCell& cell) {
  if (std::isnan(cell.ours.low) || std::isnan(cell.ours.high)) return {};
  return interval({cell.ours.low, cell.ours.high}, cell.decimals);
}

std::string out_of(const TableCell& cell) {
  return std::isnan(cell.ours.n) ? std::string() : count_words(cell.ours.n);
}

std::string published(const TableCell& cell) {
  return std::isnan(cell.published) ? std::string() : fixed(cell.published, cell.decimals);
}

/// A row without any number or word heads those below it.
bool is_heading(const TableRow& row) {
  return std::all_of(row.cells.begin(), row.cells.end(), [](const TableCell& cell) {
    return cell.text.empty() && std::isnan(cell.ours.value) && std::isnan(cell.ours.n) &&
           std::isnan(cell.published);
  });
}

constexpr Line kLines[] = {
    {"", &value}, {"  interval", &bounds}, {"  n", &out_of}, {"  published", &published}};

/// The n that all cells share; empty if they differ.
std::string shared_n(const PaperTable& table) {
  std::set<std::string> all;
  for (const TableRow& row : table.rows)
    for (const TableCell& cell : row.cells)
      if (!std::isnan(cell.ours.n)) all.insert(out_of(cell));
  return all.size() == 1 ? *all.begin() : std::string();
}

bool any(const PaperTable& table, std::string (*say)(const TableCell&)) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const TableRow& row) {
    return std::any_of(row.cells.begin(), row.cells.end(),
                       [&](const TableCell& cell) { return !say(cell).empty(); });
  });
}

std::string explanation(const MadeTable& made, const std::string& n) {
  std::string words;
  if (any(made.table, &bounds))
    words += fmt::format(" Under a value: its {} interval over blocks.", text::percent(made.level));
  if (!n.empty())
    words += fmt::format(" Every value is out of n = {}.", n);
  else if (any(made.table, &out_of))
    words += " n: what a value is out of.";
  if (any(made.table, &published))
    words +=
        " Published: what the paper prints, or, where a note says so, what its published runs "
        "give.";
  return words;
}

/// Where the table is from, and how to read it.
std::string introduction(const MadeTable& made, const std::string& n) {
  return fmt::format("{}. From {} of {}.{}", made.source,
                     text::counted(made.matches, "match", "matches"), made.game,
                     explanation(made, n));
}

}  // namespace

Document document(const MadeTable& made) {
  const std::string n = shared_n(made.table);
  Section section;
  section.id = made.id;
  section.title = made.title;
  section.explanation = introduction(made, n);
  section.method = "over blocks";
  section.remarks = made.table.notes;
  Table& table = section.tables.emplace_back();
  table.columns = {{.header = made.table.corner, .key = true}};
  for (const std::string& column : made.table.columns)
    table.columns.push_back({.header = column, .align = Align::right});
  for (const TableRow& from : made.table.rows) {
    Row& row = table.rows.emplace_back();
    row.heading = is_heading(from);
    row.cells = {from.label};
    if (row.heading) continue;
    Row under{.cells = {std::string(label_indent(from.label) + 2, ' ') + "published"}};
    bool printed = false;
    for (const TableCell& cell : from.cells) {
      printed = printed || !std::isnan(cell.published);
      under.cells.push_back(std::isnan(cell.published) ? Cell(Missing{""})
                                                       : Number{cell.published, cell.decimals});
      if (!cell.text.empty()) {
        row.cells.emplace_back(cell.text);
        continue;
      }
      Estimated figure{.decimals = cell.decimals};
      if (!std::isnan(cell.ours.value)) figure.estimate.value = cell.ours.value;
      if (!std::isnan(cell.ours.low) && !std::isnan(cell.ours.high))
        figure.estimate.interval = stats::Interval{cell.ours.low, cell.ours.high};
      figure.estimate.note = stats::Note::none;
      if (n.empty() && !std::isnan(cell.ours.n)) figure.out_of = cell.ours.n;
      row.cells.emplace_back(std::move(figure));
    }
    if (printed) table.rows.push_back(std::move(under));
  }
  Document document;
  document.level = made.level;
  document.sections.push_back(std::move(section));
  return document;
}

std::string text(const MadeTable& made, bool colour) {
  const PaperTable& table = made.table;
  std::string out;
  const auto heading = [&](const std::string& title) {
    if (!out.empty()) out += '\n';
    const std::string shown = text::printable(title);
    out += colour ? "\x1b[1m" + shown + "\x1b[0m\n" : shown + "\n";
  };
  const std::string n = shared_n(table);
  heading(made.id + ": " + made.title);
  out += text::paragraph(introduction(made, n));
  out += '\n';
  constexpr std::size_t kWidestLabel = 52;
  std::vector<text::Column> columns;
  for (const std::string& column : table.columns) columns.push_back({column, Align::right});
  WideTable wide({{table.corner, Align::left, kWidestLabel}}, columns);
  for (const TableRow& row : table.rows) {
    for (const Line& line : kLines) {
      const bool first = line.say == &value;
      if (line.say == &out_of && !n.empty()) continue;
      std::vector<std::string> cells{
          first ? row.label : std::string(label_indent(row.label), ' ') + line.label};
      bool said = false;
      for (const TableCell& cell : row.cells) {
        cells.push_back(first && is_heading(row) ? "" : line.say(cell));
        said = said || !cells.back().empty();
      }
      if (first)
        wide.add(std::move(cells));
      else if (said)
        wide.add_detail(std::move(cells));
    }
  }
  if (table.rows.empty())
    out += "  nothing\n";
  else
    out += wide.str();
  if (!table.notes.empty()) {
    heading("Notes");
    for (const std::string& note : table.notes) out += text::paragraph(note, {2, "- "});
  }
  heading("Who played");
  text::Table who({{"agent", Align::left, kWidestLabel},
                   {"is", Align::left, 30},
                   {"with", Align::left, 48},
                   {"seats", Align::right}});
  std::set<std::string> mocks;
  for (const Participant& p : made.agents) {
    who.add({p.agent, p.plays, p.with, std::to_string(p.seats)});
    if (p.is_mock) mocks.insert(p.plays);
  }
  out += who.str(2);
  for (const std::string& mock : mocks)
    out += text::paragraph(fmt::format(
        "'{}' is no model: it answers at random. Its numbers say nothing about any model.", mock));
  return out;
}

}  // namespace agon::report
