#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/numbers.hpp"
#include "report/sections.hpp"
#include "report/table_document.hpp"
#include "text/percent.hpp"

namespace agon::report {
namespace {

using text::Align;

constexpr std::size_t kWidestLabel = 52;
/// More figures than this in a line of a plot cannot be told apart.
constexpr std::size_t kMostPlotted = 6;

std::optional<double> known(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

bool says_nothing(const TableCell& cell) {
  return cell.text.empty() && std::isnan(cell.ours.value) && std::isnan(cell.ours.n) &&
         std::isnan(cell.published);
}

Cell cell_of(const TableCell& from) {
  if (says_nothing(from)) return Missing{};
  if (!from.text.empty() && std::isnan(from.published)) return from.text;
  Estimated figure{.decimals = from.decimals, .published = known(from.published)};
  figure.instead = from.text;
  figure.estimate.value = known(from.ours.value);
  if (!std::isnan(from.ours.low) && !std::isnan(from.ours.high))
    figure.estimate.interval = stats::Interval{from.ours.low, from.ours.high};
  figure.estimate.note = stats::Note::none;
  figure.out_of = known(from.ours.n);
  return figure;
}

/// The n that all cells share; none if they differ.
std::optional<double> shared_n(const PaperTable& table) {
  std::set<double> all;
  for (const TableRow& row : table.rows)
    for (const TableCell& cell : row.cells)
      if (!std::isnan(cell.ours.n)) all.insert(cell.ours.n);
  return all.size() == 1 ? std::optional(*all.begin()) : std::nullopt;
}

std::size_t indent_of(const std::string& label) {
  return std::min(label.find_first_not_of(' '), label.size());
}

/// By row: its label with that of the row that it stands under, the last one above with a smaller
/// indent. Many tables have the same labels under several headings.
std::vector<std::string> full_labels(const PaperTable& table) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string& label = table.rows[i].label;
    std::size_t above = i;
    while (above > 0 && indent_of(table.rows[above].label) >= indent_of(label)) --above;
    const std::string& heading = table.rows[above].label;
    const std::string own = label.substr(indent_of(label));
    all.push_back(indent_of(heading) < indent_of(label) ? heading + ": " + own : own);
  }
  return all;
}

/// True if some figure has what `part` is of it.
bool any(const Table& table, bool (*part)(const Estimated&)) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
    return std::any_of(row.cells.begin(), row.cells.end(), [&](const Cell& cell) {
      const auto* figure = std::get_if<Estimated>(&cell);
      return figure != nullptr && part(*figure);
    });
  });
}

std::string how_to_read(const Table& table, const std::optional<double>& n, double level) {
  std::string words;
  if (any(table, [](const Estimated& f) { return f.estimate.interval.has_value(); }))
    words += fmt::format(" Under a value: its {} interval over blocks.", text::percent(level));
  if (n)
    words += fmt::format(" Every value is out of n = {}.", count_words(*n));
  else if (any(table, [](const Estimated& f) { return f.out_of.has_value(); }))
    words += " n: what a value is out of.";
  if (any(table, [](const Estimated& f) { return f.published.has_value(); }))
    words +=
        " Published: what the paper prints, or, where a note says so, what its published runs "
        "give.";
  return words;
}

/// Curves of a section, and the heading that each stands under; empty: none.
struct CurvesUnder {
  std::vector<Series> series{};
  std::vector<std::string> headings{};
};

/// The curves that a table is the data of, and the places of its figures on them.
CurvesUnder add_curves(const Curves& curves, Table& table) {
  table.about.unit = curves.unit;
  const auto place_of = [&](double number) {
    const auto index = static_cast<std::size_t>(number) - 1;
    return index < curves.at.size() ? curves.at[index] : number;
  };
  CurvesUnder all;
  std::map<std::string, std::size_t> at;  // by name
  std::string heading;
  double below = 0;  // rows under the heading
  for (Row& row : table.rows) {
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
        all.series.push_back({.name = name,
                              .about = curves.down ? column : row.about,
                              .x = {curves.x},
                              .y = {curves.y, curves.unit},
                              .tabled = true,
                              .theory = !curves.down && row.theory});
        all.headings.push_back(name.starts_with(heading + ": ") ? heading : "");
      }
      all.series[found->second].points.push_back(
          {curves.down ? *row.about.position : *column.position, *figure});
    }
  }
  return all;
}

/// One plot of curves, or where there are many, or where theory says of each something else, one
/// under each heading.
void add_curve_plots(Section& section, const std::vector<std::string>& under) {
  std::vector<std::string> headings;
  const bool together = section.series.size() <= kMostPlotted &&
                        std::count_if(section.series.begin(), section.series.end(),
                                      [](const Series& series) { return series.theory; }) < 2;
  for (std::size_t c = 0; c < section.series.size(); ++c) {
    const std::string& heading = together || under[c].empty() ? section.title : under[c];
    const auto found = std::find(headings.begin(), headings.end(), heading);
    const auto at = static_cast<std::size_t>(found - headings.begin());
    if (found == headings.end()) {
      headings.push_back(heading);
      section.plots.push_back({.name = at == 0 ? "figure" : fmt::format("figure-{}", at + 1),
                               .title = heading,
                               .drawing = Drawing::curves});
    }
    section.plots[at].columns.push_back(c);
  }
}

/// Points where the table is made of them; else its figures in lines, with what is published.
void add_plots(Section& section, bool points) {
  const Table& table = section.tables.front();
  const std::vector<std::size_t> columns = plotted_columns(table);
  if (points)
    section.plots.push_back(
        {.name = "figure", .title = section.title, .drawing = Drawing::points, .columns = columns});
  else if (columns.size() <= kMostPlotted)
    section.plots.push_back({.name = "figure", .title = section.title, .columns = columns});
  else
    section.plots.push_back({.name = "figure",
                             .title = section.title,
                             .drawing = Drawing::heat_map,
                             .columns = columns});
}

/// A table that is no paper's is a part of reports: it is known by its game and what it is of.
void make_own(Section& section, const TableCard& card) {
  section.id = "play";
  Subject& about = section.tables.front().about;
  about.game = card.game;
  about.metric = card.id.substr(card.id.find('/') + 1);
  for (Series& series : section.series) {
    series.about.game = about.game;
    series.about.metric = about.metric;
  }
  std::string name(card.id);
  std::replace(name.begin(), name.end(), '/', '-');
  for (Plot& plot : section.plots) plot.name.replace(0, std::string_view("figure").size(), name);
}

}  // namespace

Section paper_section(const TableCard& card, const PaperTable& from,
                      const std::string& introduction, double level) {
  const std::optional<double> n = shared_n(from);
  const std::vector<std::string> labels = full_labels(from);
  Section section;
  section.id = card.id;
  section.title = card.title;
  if (!section.title.empty() && section.title.front() >= 'a' && section.title.front() <= 'z')
    section.title.front() = static_cast<char>(section.title.front() - 'a' + 'A');
  section.method = "over blocks";
  section.points = from.notes;
  Table& table = section.tables.emplace_back();
  table.fixed = 1;
  table.below = {{Part::What::interval, "interval"}};
  if (!n) table.below.push_back({Part::What::out_of, "n"});
  table.below.push_back({Part::What::published, "published"});
  table.columns = {{.header = from.corner, .limit = kWidestLabel, .key = true}};
  for (const std::string& column : from.columns)
    table.columns.push_back({.header = column, .align = Align::right, .about = {.column = column}});
  for (std::size_t r = 0; r < from.rows.size(); ++r) {
    Row& row = table.rows.emplace_back();
    row.about.row = labels[r];
    row.theory = from.rows[r].theory;
    row.cells = {from.rows[r].label};
    row.heading = std::all_of(from.rows[r].cells.begin(), from.rows[r].cells.end(), says_nothing);
    if (row.heading) {
      row.where = Where::shown;
      continue;
    }
    for (const TableCell& cell : from.rows[r].cells) row.cells.push_back(cell_of(cell));
  }
  section.explanation = introduction + how_to_read(table, n, level);
  CurvesUnder curves;
  if (from.curves) curves = add_curves(*from.curves, table);
  section.series = std::move(curves.series);
  if (section.series.empty())
    add_plots(section, from.points);
  else
    add_curve_plots(section, curves.headings);
  if (card.in_report) make_own(section, card);
  return section;
}

Section who_played(const std::vector<Participant>& agents) {
  Section section;
  section.id = "who-played";
  section.title = "Who played";
  section.explanation = "With: parameters that are not as by default.";
  Table& table = section.tables.emplace_back();
  table.columns = {{.header = "agent", .limit = kWidestLabel, .key = true},
                   {.header = "is", .limit = 30, .about = {.metric = "is"}},
                   {.header = "with", .limit = 48, .about = {.metric = "with"}},
                   number_column("seats", "seats")};
  std::set<std::string> mocks;
  for (const Participant& p : agents) {
    table.rows.push_back(
        {.about = {.agent = p.agent}, .cells = {p.agent, p.plays, p.with, p.seats}});
    if (p.is_mock) mocks.insert(p.plays);
  }
  for (const std::string& mock : mocks)
    section.remarks.push_back(fmt::format(
        "'{}' is no model: it answers at random. Its numbers say nothing about any model.", mock));
  return section;
}

}  // namespace agon::report
