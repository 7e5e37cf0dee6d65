#include <algorithm>
#include <boost/json/object.hpp>
#include <cmath>

#include "archive/export/cell.hpp"
#include "describe/file_text.hpp"
#include "describe/schema.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "report/document.hpp"
#include "report/render/render.hpp"

namespace agon::report {
namespace {

void set(std::string& member, const std::string& words) {
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
void set(Subject& subject, const Subject& about) {
  for (std::string Subject::*member :
       {&Subject::game, &Subject::treatment, &Subject::role, &Subject::agent, &Subject::other,
        &Subject::metric, &Subject::unit, &Subject::better, &Subject::row, &Subject::column,
        &Subject::text})
    set(subject.*member, about.*member);
  set(subject.position, about.position);
}

/// What makes the figures of one section.
class DataCells {
 public:
  DataCells(const Document& document, const ReportSection& section)
      : document_(document),
        section_(section),
        level_(section.level.value_or(document.made.level)) {}

  void set_figure(DataCell& out, const Estimated& figure) const {
    const stats::Estimate& e = figure.estimate;
    set(out.value, e.value);
    set(out.low, out.high, e.interval);
    set(out.low_simultaneous, out.high_simultaneous, figure.together);
    if (e.interval || figure.together) set(out.level, level_);
    set(out.standard_error, e.standard_error);
    set(out.p, e.p_value);
    set(out.p_adjusted, figure.p_adjusted);
    set(out.n, e.units);
    set(out.blocks, e.blocks);
    set(out.effective_n, e.effective_n);
    set(out.largest_share, e.largest_share);
    set(out.largest_unit, e.largest_unit);
    set(out.out_of, figure.out_of);
    set(out.unseen, e.unseen);
    set(out.unseen_effect, e.unseen_effect);
    if (e.units_won) {
      out.won = static_cast<std::int64_t>(e.units_won->won);
      out.tied = static_cast<std::int64_t>(e.units_won->tied);
      out.lost = static_cast<std::int64_t>(e.units_won->lost);
      set(out.p_won, e.units_won->p_value);
    }
    set(out.degenerate, e.degenerate);
    set(out.published, figure.published);
    set(out.text, figure.instead);
    if (e.interval || e.p_value) set(out.method, section_.method);
    set(out.note, !figure.mark.empty()             ? figure.mark
                  : e.note == stats::Note::too_few ? why_no_interval(e)
                                                   : stats::describe(e.note));
  }

  /// Names the warnings that are about a figure.
  void warn(DataCell& out) const {
    if (!out.value || section_.id == "notes") return;
    for (const ReportAlert& alert : document_.warnings) {
      const bool is_about = alert.games.empty() || out.game.empty() ||
                            std::ranges::find(alert.games, out.game) != alert.games.end();
      // Several may have one name.
      if (alert.id.empty() || !is_about ||
          (" " + out.warnings + " ").find(" " + alert.id + " ") != std::string::npos)
        continue;
      out.warnings += (out.warnings.empty() ? "" : " ") + alert.id;
    }
  }

  /// The subject of a figure's row goes before that of its column, and this before the table's.
  [[nodiscard]] DataCell of(const ReportTable& table, const ReportRow& row, std::size_t c) const {
    DataCell out;
    const ReportColumn& column = table.columns[c];
    if (c >= row.cells.size() || std::holds_alternative<NoFigure>(row.cells[c])) return out;
    if (!column.key)
      for (const Subject* about : {&table.about, &column.about, &row.about}) set(out, *about);
    const ReportCell& from = row.cells[c];
    if (const auto* words = std::get_if<std::string>(&from))
      set(out.text, *words);
    else if (const auto* whole = std::get_if<std::int64_t>(&from))
      set(out.value, static_cast<double>(*whole));
    else if (const auto* number = std::get_if<Number>(&from))
      set(out.value, number->value);
    else if (const auto* money = std::get_if<Dollars>(&from))
      set(out.value, static_cast<double>(money->billionths) / 1e9);
    else
      set_figure(out, std::get<Estimated>(from));
    warn(out);
    return out;
  }

 private:
  const Document& document_;
  const ReportSection& section_;
  double level_;
};

void set_cells(ReportTable& table, const DataCells& cells) {
  std::erase_if(table.rows, [](const ReportRow& row) { return row.where == Where::shown; });
  for (ReportRow& row : table.rows)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (table.columns[c].where != Where::shown) row.data.push_back(cells.of(table, row, c));
  std::erase_if(table.columns, [](const ReportColumn& c) { return c.where == Where::shown; });
}

void set_cells(PlotSeries& series, const DataCells& cells) {
  for (const Point& point : series.points) {
    DataCell& out = series.data.emplace_back();
    set(out, series.about);
    set(out.position, point.x);
    set(out.unit, series.y.unit);
    cells.set_figure(out, point.y);
    cells.warn(out);
  }
}

/// What programs get of a document: nothing that is for people only, and no number that is not
/// finite.
Document for_programs(Document document) {
  std::erase_if(document.sections, [](const ReportSection& s) { return s.where == Where::shown; });
  for (ReportSection& section : document.sections) {
    const DataCells cells(document, section);
    for (ReportTable& table : section.tables) set_cells(table, cells);
    for (PlotSeries& series : section.series) set_cells(series, cells);
    section.notes = section.remarks;
    for (const ListedRemark& point : section.points) section.notes.push_back(in_a_line(point));
  }
  return document;
}

}  // namespace

std::string render_json(const Document& document) {
  return json::write_pretty(json_value(for_programs(document)));
}

std::string report_schema() {
  boost::json::object schema = answer_schema(type_of<Document>());
  const Document now;
  require_format(schema, now.format, now.version);
  return schema_document("report", "What agon report --json prints", std::move(schema));
}

namespace {

archive::ExportCell field_of(const Field& f, const DataCell& figure) {
  void* member = f.at(const_cast<DataCell*>(&figure));
  if (is_left_out(f, member)) return archive::Absent();
  if (f.type->kind == Kind::text) return std::string(f.type->text(member));
  const void* value = f.type->item(member, 0);
  if (f.type->element->kind == Kind::integer) return f.type->element->get(value);
  return *static_cast<const double*>(value);
}

class CsvWriter {
 public:
  CsvWriter() : out_("section," + CsvRows::header(type_of<DataCell>())) {}

  /// A line, unless the figure has nothing to say.
  void add(const std::string& section, const DataCell& figure) {
    std::string line;
    archive::append_csv(line, section);
    bool says = false;
    for (const Field& f : type_of<DataCell>().fields) {
      const archive::ExportCell field = field_of(f, figure);
      says = says || !std::holds_alternative<archive::Absent>(field);
      line += ',';
      archive::append_csv(line, field);
    }
    if (says) out_ += line + "\r\n";
  }
  void say(const std::string& words) {
    DataCell figure;
    figure.text = words;
    add("notes", figure);
  }

  std::string out_;
};

}  // namespace

std::string render_csv(const Document& document) {
  const Document data = for_programs(document);
  CsvWriter csv;
  for (const ReportAlert& alert : data.warnings)
    csv.say(alert.words + (alert.command.empty() ? "" : " " + alert.command));
  for (const ReportSection& section : data.sections) {
    for (const ReportTable& table : section.tables)
      for (const ReportRow& row : table.rows)
        for (std::size_t c = 0; c < row.data.size(); ++c)
          if (!table.columns[c].key) csv.add(section.id, row.data[c]);
    for (const PlotSeries& series : section.series)
      if (!series.in_table)
        for (const DataCell& point : series.data) csv.add(section.id, point);
    if (section.id == "notes")
      for (const std::string& note : section.notes) csv.say(note);
  }
  return std::move(csv.out_);
}

}  // namespace agon::report
