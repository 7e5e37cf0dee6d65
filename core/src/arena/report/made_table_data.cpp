#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "archive/cell.hpp"
#include "json/write.hpp"
#include "report/made_table.hpp"

namespace agon::report {

namespace bj = boost::json;

namespace {

/// By row: the row that it stands under, the last one above with a smaller indent; empty: none.
std::vector<std::string> headings(const PaperTable& table) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::size_t above = i;
    while (above > 0 && label_indent(table.rows[above].label) >= label_indent(table.rows[i].label))
      --above;
    const bool found = label_indent(table.rows[above].label) < label_indent(table.rows[i].label);
    all.push_back(found ? table.rows[above].label : std::string());
  }
  return all;
}

/// The label of a row by itself: many tables have the same labels under several headings.
std::string full_label(const std::string& heading, const std::string& label) {
  return heading.empty() ? label : heading + ": " + label.substr(label_indent(label));
}

}  // namespace

std::size_t label_indent(const std::string& label) {
  return std::min(label.find_first_not_of(' '), label.size());
}

std::string csv(const MadeTable& made) {
  std::string out = "row,column,text,value,low,high,n,published\r\n";
  const PaperTable& table = made.table;
  const std::vector<std::string> under = headings(table);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const TableRow& row = table.rows[r];
    const std::string label = full_label(under[r], row.label);
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const TableCell& cell = row.cells[c];
      const archive::Cell text =
          cell.text.empty() ? archive::Cell(archive::Absent()) : archive::Cell(cell.text);
      const archive::Cell fields[] = {label,         table.columns[c], text,        cell.ours.value,
                                      cell.ours.low, cell.ours.high,   cell.ours.n, cell.published};
      bool first = true;
      for (const archive::Cell& field : fields) {
        if (!first) out += ',';
        first = false;
        archive::append_csv(out, field);
      }
      out += "\r\n";
    }
  }
  return out;
}

std::string json(const MadeTable& made) {
  const PaperTable& table = made.table;
  bj::array columns, rows, notes, agents;
  for (const std::string& column : table.columns) columns.emplace_back(column);
  const std::vector<std::string> under = headings(table);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const TableRow& row = table.rows[r];
    bj::array cells;
    for (const TableCell& cell : row.cells)
      cells.push_back(bj::object{{"text", cell.text.empty() ? bj::value() : bj::value(cell.text)},
                                 {"value", cell.ours.value},
                                 {"low", cell.ours.low},
                                 {"high", cell.ours.high},
                                 {"n", cell.ours.n},
                                 {"published", cell.published}});
    rows.push_back(bj::object{{"label", row.label},
                              {"under", under[r].empty() ? bj::value() : bj::value(under[r])},
                              {"cells", std::move(cells)}});
  }
  for (const std::string& note : table.notes) notes.emplace_back(note);
  for (const Participant& p : made.agents)
    agents.push_back(
        bj::object{{"agent", p.agent}, {"is", p.plays}, {"with", p.with}, {"seats", p.seats}});
  return json::write_pretty(bj::value(bj::object{{"format", "agon.table"},
                                                 {"version", 1},
                                                 {"id", made.id},
                                                 {"title", made.title},
                                                 {"source", made.source},
                                                 {"game", made.game},
                                                 {"level", made.level},
                                                 {"matches", made.matches},
                                                 {"corner", table.corner},
                                                 {"columns", std::move(columns)},
                                                 {"rows", std::move(rows)},
                                                 {"notes", std::move(notes)},
                                                 {"agents", std::move(agents)}}));
}

}  // namespace agon::report
