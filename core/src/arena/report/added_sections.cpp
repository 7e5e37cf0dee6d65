// Sections of a report that somebody computed from an archive (docs/report.md, your own sections).
#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <optional>

#include "describe/file_text.hpp"
#include "json/parse.hpp"
#include "report/report.hpp"
#include "report/sections/sections.hpp"

namespace agon::report {
namespace {

struct AddedFigure {
  double value = 0;
  std::optional<double> low, high, level;
  std::optional<std::int64_t> n;
  std::string unit;
};
AGON_DESCRIBE(AddedFigure, (value, "the figure"), (low, "of its interval", left_out),
              (high, "likewise", left_out), (level, "of the interval", range(0, 1), left_out),
              (n, "independent units behind the figure", at_least(0), left_out),
              (unit, "of value, low and high", left_out))

struct AddedSection {
  std::string id;
  std::string title;
  std::string note;
  std::vector<InOrder<JsonText>> rows;
};
AGON_DESCRIBE(AddedSection, (id, "lower-case letters, digits, _ and -", length(1, 64)),
              (title, "in words; empty: the id"), (note, "what to know about it; may be empty"),
              (rows, "by column: a text, a number or a figure; null or absent: an empty cell",
               length(1, 100'000)))

struct SectionsFile {
  std::string format;
  int version = 0;
  std::vector<AddedSection> sections;
};
AGON_DESCRIBE(SectionsFile, (format, "agon.sections"), (version, "1"),
              (sections, "in the order in which they are shown", length(1, 1000)))

/// Makes a section of a file's rows.
class SectionReader {
 public:
  SectionReader(const FileText& file, json::Path path) : file_(file), path_(std::move(path)) {}

  ReportSection read(const AddedSection& said) {
    section_ = {.id = said.id,
                .title = said.title.empty() ? said.id : said.title,
                .explanation = said.note};
    for (const auto& row : said.rows)
      for (const auto& [name, cell] : row)
        if (std::ranges::find(table_.columns, name, &ReportColumn::header) == table_.columns.end())
          table_.columns.push_back({.header = name, .key = true});
    for (std::size_t i = 0; i < said.rows.size(); ++i) add_row(said.rows[i], (path_ / "rows")[i]);
    for (std::size_t c = 0; c < table_.columns.size(); ++c)
      if (!table_.columns[c].key) set_decimals(c);
    for (ReportRow& row : table_.rows) set_about(row);
    section_.tables.push_back(std::move(table_));
    return std::move(section_);
  }

 private:
  void add_row(const InOrder<JsonText>& said, const json::Path& path) {
    if (said.empty()) file_.fail("the row has no cells", path, "leave it out");
    ReportRow& row = table_.rows.emplace_back();
    row.cells.resize(table_.columns.size(), std::string());
    for (const auto& [name, cell] : said) {
      const auto column = std::ranges::find(table_.columns, name, &ReportColumn::header);
      row.cells[static_cast<std::size_t>(column - table_.columns.begin())] =
          read_cell(cell, *column, path / name);
    }
  }

  ReportCell read_cell(const JsonText& said, ReportColumn& column, const json::Path& path) {
    const boost::json::value cell = parsed(said);
    if (cell.is_null()) return std::string();
    if (cell.is_string()) return std::string(cell.get_string());
    AddedFigure figure;
    if (cell.is_number())
      figure.value = cell.to_number<double>();
    else if (!cell.is_object())
      file_.fail("a cell is a text, a number or a figure", path,
                 R"(write {"value": 3.5, "low": 3.1, "high": 3.9})");
    else if (const auto problem =
                 read_json(type_of<AddedFigure>(), &figure, said.text, {}, Missing::keeps))
      file_.fail(problem->what, path / *json::Path::read(problem->path));
    else if (!cell.get_object().contains("value"))
      file_.fail("a figure needs a value", path, R"(write {"value": 3.5})");
    if (figure.low.has_value() != figure.high.has_value())
      file_.fail("an interval needs low and high", path, "give both, or neither");
    if (figure.low && *figure.low > *figure.high)
      file_.fail("low is above high", path, "swap them");
    agree(section_.level, figure.level, "all intervals of a section have one level", path);
    if (column.key) {
      column.key = false;
      column.align = text::Align::right;
      column.about.metric = column.header;
    }
    std::string& unit = column.about.unit;
    if (!unit.empty() && !figure.unit.empty() && unit != figure.unit)
      file_.fail("all figures of a column have one unit", path / "unit", "use another column");
    if (!figure.unit.empty()) unit = figure.unit;
    Estimated out;
    out.estimate.value = figure.value;
    out.estimate.note = stats::Note::none;
    out.estimate.units = static_cast<std::size_t>(figure.n.value_or(0));
    if (figure.low) out.estimate.interval = stats::Interval{*figure.low, *figure.high};
    return out;
  }

  void agree(std::optional<double>& level, const std::optional<double>& said,
             const std::string& problem, const json::Path& path) const {
    if (level && said && *level != *said) file_.fail(problem, path / "level", "use two sections");
    if (said) level = said;
  }

  /// Whole numbers stay whole; others show four digits of the largest of their column.
  void set_decimals(std::size_t column) {
    bool whole = true;
    double largest = 0;
    const auto look_at = [&](double value) {
      whole = whole && value == std::floor(value);
      largest = std::max(largest, std::abs(value));
    };
    for (const ReportRow& row : table_.rows)
      if (const auto* figure = std::get_if<Estimated>(&row.cells[column])) {
        look_at(*figure->estimate.value);
        if (const auto& interval = figure->estimate.interval) {
          look_at(interval->low);
          look_at(interval->high);
        }
      }
    const int decimals =
        whole ? 0 : std::clamp(3 - static_cast<int>(std::floor(std::log10(largest))), 0, 12);
    for (ReportRow& row : table_.rows)
      if (auto* figure = std::get_if<Estimated>(&row.cells[column])) figure->decimals = decimals;
  }

  /// What a row is about, for programs: columns that name what figures of reports are about, and
  /// all other texts together.
  void set_about(ReportRow& row) const {
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      const auto* words = std::get_if<std::string>(&row.cells[c]);
      if (!table_.columns[c].key || words == nullptr || words->empty()) continue;
      const std::string& name = table_.columns[c].header;
      std::string& member = name == "agent"       ? row.about.agent
                            : name == "game"      ? row.about.game
                            : name == "treatment" ? row.about.treatment
                            : name == "role"      ? row.about.role
                            : name == "other"     ? row.about.other
                                                  : row.about.row;
      member += (member.empty() ? "" : ", ") + *words;
    }
  }

  const FileText& file_;
  const json::Path path_;
  ReportSection section_;
  ReportTable table_;
};

bool is_id(const std::string& id) {
  return std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

void add_sections(Document& document, const std::string& file) {
  const FileText text(json::read_file(file), file, "see docs/report.md, your own sections");
  text.require_format("agon.sections", 1, "a file of sections");
  const auto said = text.read<SectionsFile>();
  text.check(said);
  std::vector<std::string> taken = section_names();
  for (const ReportSection& section : document.sections) taken.push_back(section.id);
  for (std::size_t i = 0; i < said.sections.size(); ++i) {
    const AddedSection& section = said.sections[i];
    const json::Path path = (json::Path() / "sections")[i];
    if (!is_id(section.id))
      text.fail("'" + section.id + "' is no id of a section", path / "id",
                "use lower-case letters, digits, _ and -");
    if (std::ranges::find(taken, section.id) != taken.end())
      text.fail("the report has a section '" + section.id + "' already", path / "id",
                "choose another id");
    taken.push_back(section.id);
    document.sections.push_back(SectionReader(text, path).read(section));
  }
}

}  // namespace agon::report
