#include "archive/cell.hpp"
#include "describe/csv_rows.hpp"
#include "report/render.hpp"
#include "report/report_file.hpp"

namespace agon::report {
namespace {

archive::Cell field_of(const Field& f, const report_file::Cell& cell) {
  void* member = f.at(const_cast<report_file::Cell*>(&cell));
  if (f.type->count(member) == 0) return archive::Absent();
  const Type& type = *f.type->element;
  const void* value = f.type->item(member, 0);
  if (type.kind == Kind::text) return std::string(type.text(value));
  if (type.kind == Kind::integer) return type.get(value);
  return *static_cast<const double*>(value);
}

class Csv {
 public:
  Csv() : out_("section," + CsvRows::header(type_of<report_file::Cell>())) {}

  /// A line, unless the cell has nothing to say.
  void add(const std::string& section, const report_file::Cell& cell) {
    std::string line;
    archive::append_csv(line, section);
    bool says = false;
    for (const Field& f : type_of<report_file::Cell>().fields) {
      const archive::Cell field = field_of(f, cell);
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
  Csv csv;
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
