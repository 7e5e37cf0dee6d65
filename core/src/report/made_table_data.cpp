#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "archive/cell.hpp"
#include "json/write.hpp"
#include "report/made_table.hpp"

namespace agon::report {

namespace bj = boost::json;

std::string csv(const MadeTable& made) {
  std::string out = "row,column,text,value,low,high,n,published\r\n";
  const PaperTable& table = made.table;
  for (const TableRow& row : table.rows)
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const TableCell& cell = row.cells[c];
      const archive::Cell text =
          cell.text.empty() ? archive::Cell(archive::Absent()) : archive::Cell(cell.text);
      const archive::Cell fields[] = {row.label,     table.columns[c], text,        cell.ours.value,
                                      cell.ours.low, cell.ours.high,   cell.ours.n, cell.published};
      bool first = true;
      for (const archive::Cell& field : fields) {
        if (!first) out += ',';
        first = false;
        archive::append_csv(out, field);
      }
      out += "\r\n";
    }
  return out;
}

std::string json(const MadeTable& made) {
  const PaperTable& table = made.table;
  bj::array columns, rows, notes, agents;
  for (const std::string& column : table.columns) columns.emplace_back(column);
  for (const TableRow& row : table.rows) {
    bj::array cells;
    for (const TableCell& cell : row.cells)
      cells.push_back(bj::object{{"text", cell.text.empty() ? bj::value() : bj::value(cell.text)},
                                 {"value", cell.ours.value},
                                 {"low", cell.ours.low},
                                 {"high", cell.ours.high},
                                 {"n", cell.ours.n},
                                 {"published", cell.published}});
    rows.push_back(bj::object{{"label", row.label}, {"cells", std::move(cells)}});
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
