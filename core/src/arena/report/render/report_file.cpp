#include "report/render/report_file.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <cmath>

#include "archive/export/cell.hpp"
#include "describe/file_text.hpp"
#include "describe/schema.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "report/render/render.hpp"
#include "report/tables.hpp"

namespace agon::report_file {
namespace {

using report::Where;

void set(std::optional<std::string>& member, const std::string& words) {
  if (!words.empty()) member = words;
}
void set(std::optional<double>& member, const std::optional<double>& number) {
  if (number && std::isfinite(*number)) member = *number;
}
void set(std::optional<std::int64_t>& member, std::size_t count) {
  if (count > 0) member = static_cast<std::int64_t>(count);
}
void set(std::optional<double>& low, std::optional<double>& high,
         const std::optional<stats::Interval>& interval) {
  if (!interval) return;
  set(low, interval->low);
  set(high, interval->high);
}

std::string note_of(const stats::Estimate& e) {
  return e.note == stats::Note::too_few ? report::why_no_interval(e) : stats::describe(e.note);
}

void set(Cell& cell, const report::Subject& about) {
  set(cell.game, about.game);
  set(cell.treatment, about.treatment);
  set(cell.role, about.role);
  set(cell.agent, about.agent);
  set(cell.other, about.other);
  set(cell.position, about.position);
  set(cell.metric, about.metric);
  set(cell.unit, about.unit);
  set(cell.better, about.better);
  set(cell.row, about.row);
  set(cell.column, about.column);
  set(cell.text, about.text);
}

/// What makes cells of one section.
class Cells {
 public:
  Cells(const report::Document& document, const report::ReportSection& section)
      : document_(document),
        section_(section),
        level_(section.level.value_or(document.made.level)) {}

  void set_figure(Cell& cell, const report::Estimated& figure) const {
    const stats::Estimate& e = figure.estimate;
    set(cell.value, e.value);
    set(cell.low, cell.high, e.interval);
    set(cell.low_together, cell.high_together, figure.together);
    if (e.interval || figure.together) set(cell.level, level_);
    set(cell.standard_error, e.standard_error);
    set(cell.p, e.p_value);
    set(cell.p_adjusted, figure.p_adjusted);
    set(cell.n, e.units);
    set(cell.blocks, e.blocks);
    set(cell.effective_n, e.effective_n);
    set(cell.largest_share, e.largest_share);
    set(cell.largest_unit, e.largest_unit);
    set(cell.out_of, figure.out_of);
    set(cell.unseen, e.unseen);
    set(cell.unseen_effect, e.unseen_effect);
    if (e.units_won) {
      cell.won = static_cast<std::int64_t>(e.units_won->won);
      cell.tied = static_cast<std::int64_t>(e.units_won->tied);
      cell.lost = static_cast<std::int64_t>(e.units_won->lost);
      set(cell.p_won, e.units_won->p_value);
    }
    set(cell.degenerate, e.degenerate);
    set(cell.published, figure.published);
    set(cell.text, figure.instead);
    if (e.interval || e.p_value) set(cell.method, section_.method);
    set(cell.note, figure.mark.empty() ? note_of(e) : figure.mark);
  }

  /// Names the warnings that are about a figure.
  void warn(Cell& cell) const {
    if (!cell.value || section_.id == "notes") return;
    std::string ids;
    for (const report::ReportAlert& alert : document_.alerts) {
      const bool is_about =
          alert.games.empty() || !cell.game ||
          std::find(alert.games.begin(), alert.games.end(), *cell.game) != alert.games.end();
      // Several may have one name.
      if (alert.id.empty() || !is_about ||
          (" " + ids + " ").find(" " + alert.id + " ") != std::string::npos)
        continue;
      ids += (ids.empty() ? "" : " ") + alert.id;
    }
    set(cell.warnings, ids);
  }

  /// The subject of a figure's row goes before that of its column, and this before the table's.
  [[nodiscard]] Cell of(const report::ReportTable& table, const report::ReportRow& row,
                        std::size_t c) const {
    Cell cell;
    const report::ReportColumn& column = table.columns[c];
    if (c >= row.cells.size() || std::holds_alternative<report::Missing>(row.cells[c])) return cell;
    if (!column.key)
      for (const report::Subject* about : {&table.about, &column.about, &row.about})
        set(cell, *about);
    const report::ReportCell& from = row.cells[c];
    if (const auto* words = std::get_if<std::string>(&from))
      set(cell.text, *words);
    else if (const auto* whole = std::get_if<std::int64_t>(&from))
      set(cell.value, static_cast<double>(*whole));
    else if (const auto* number = std::get_if<report::Number>(&from))
      set(cell.value, number->value);
    else if (const auto* money = std::get_if<report::Dollars>(&from))
      set(cell.value, static_cast<double>(money->billionths) / 1e9);
    else
      set_figure(cell, std::get<report::Estimated>(from));
    warn(cell);
    return cell;
  }

 private:
  const report::Document& document_;
  const report::ReportSection& section_;
  double level_;
};

Table of(const report::ReportTable& from, const Cells& cells) {
  Table table;
  table.title = from.title;
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    if (from.columns[c].where == Where::shown) continue;
    columns.push_back(c);
    table.columns.push_back({from.columns[c].header, from.columns[c].key});
  }
  for (const report::ReportRow& row : from.rows) {
    if (row.where == Where::shown) continue;
    Row& out = table.rows.emplace_back();
    for (const std::size_t c : columns) out.cells.push_back(cells.of(from, row, c));
  }
  return table;
}

Series of(const report::PlotSeries& from, const Cells& cells) {
  Series series{
      from.name, {from.x.label, from.x.unit}, {from.y.label, from.y.unit}, from.tabled, {}};
  for (const report::Point& point : from.points) {
    Cell& cell = series.points.emplace_back();
    set(cell, from.about);
    set(cell.position, point.x);
    set(cell.unit, from.y.unit);
    cells.set_figure(cell, point.y);
    cells.warn(cell);
  }
  return series;
}

}  // namespace

Report of(const report::Document& document) {
  Report file;
  file.made = document.made;
  for (const report::ReportAlert& alert : document.alerts) {
    Alert& out = file.alerts.emplace_back();
    out.words = alert.words;
    set(out.command, alert.command);
    set(out.id, alert.id);
    if (!alert.games.empty()) out.games = alert.games;
  }
  for (const report::ReportSection& from : document.sections) {
    if (from.where == Where::shown) continue;
    const Cells cells(document, from);
    Section& section = file.sections.emplace_back();
    section.id = from.id;
    section.title = from.title;
    section.explanation = from.explanation;
    for (const report::ReportTable& table : from.tables) section.tables.push_back(of(table, cells));
    for (const report::PlotSeries& series : from.series)
      section.series.push_back(of(series, cells));
    section.notes = from.remarks;
    section.notes.insert(section.notes.end(), from.points.begin(), from.points.end());
  }
  return file;
}

}  // namespace agon::report_file

namespace agon::report {

std::string render_json(const Document& document) {
  return json::write_pretty(json::parse(write_json(report_file::of(document)), "report"));
}

std::string report_schema() {
  boost::json::object schema =
      json::parse(schema_json(type_of<report_file::Report>(), {}), "schema").as_object();
  require_format(schema, report_file::kFormat, report_file::kVersion);
  return schema_document("report", "What agon report --json prints", std::move(schema));
}

namespace {

archive::ExportCell field_of(const Field& f, const report_file::Cell& cell) {
  void* member = f.at(const_cast<report_file::Cell*>(&cell));
  if (f.type->count(member) == 0) return archive::Absent();
  const Type& type = *f.type->element;
  const void* value = f.type->item(member, 0);
  if (type.kind == Kind::text) return std::string(type.text(value));
  if (type.kind == Kind::integer) return type.get(value);
  return *static_cast<const double*>(value);
}

class CsvWriter {
 public:
  CsvWriter() : out_("section," + CsvRows::header(type_of<report_file::Cell>())) {}

  /// A line, unless the cell has nothing to say.
  void add(const std::string& section, const report_file::Cell& cell) {
    std::string line;
    archive::append_csv(line, section);
    bool says = false;
    for (const Field& f : type_of<report_file::Cell>().fields) {
      const archive::ExportCell field = field_of(f, cell);
      says = says || !std::holds_alternative<archive::Absent>(field);
      line += ',';
      archive::append_csv(line, field);
    }
    if (says) out_ += line + "\r\n";
  }
  void say(const std::string& words) {
    report_file::Cell cell;
    cell.text = words;
    add("notes", cell);
  }

  std::string out_;
};

}  // namespace

std::string render_csv(const Document& document) {
  const report_file::Report file = report_file::of(document);
  CsvWriter csv;
  for (const report_file::Alert& alert : file.alerts)
    csv.say(alert.words + (alert.command ? " " + *alert.command : ""));
  for (const report_file::Section& section : file.sections) {
    for (const report_file::Table& table : section.tables)
      for (const report_file::Row& row : table.rows)
        for (std::size_t c = 0; c < row.cells.size(); ++c)
          if (!table.columns[c].key) csv.add(section.id, row.cells[c]);
    for (const report_file::Series& series : section.series)
      if (!series.tabled)
        for (const report_file::Cell& point : series.points) csv.add(section.id, point);
    if (section.id == "notes")
      for (const std::string& note : section.notes) csv.say(note);
  }
  return std::move(csv.out_);
}

}  // namespace agon::report
