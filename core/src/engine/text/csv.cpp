#include "text/csv.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <utility>

namespace agon::text {

std::vector<CsvRow> read_csv(std::string_view text, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string_view first = text.substr(0, text.find('\n'));
  const char separator =
      std::count(first.begin(), first.end(), ';') > std::count(first.begin(), first.end(), ',')
          ? ';'
          : ',';
  std::vector<CsvRow> rows;
  CsvRow row{1, {}};
  std::string cell;
  std::size_t line = 1;
  std::size_t opened = 0;  // line of the quote that is open; 0: none is
  bool anything = false;   // in this row
  const auto end_row = [&] {
    if (anything) {
      row.cells.push_back(std::move(cell));
      rows.push_back(std::move(row));
    }
    cell.clear();
    row = {line, {}};
    anything = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (opened != 0) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += '"';
        ++i;
      } else {
        opened = 0;
      }
    } else if (c == '\n' || (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n')) {
      if (c == '\r') continue;
      end_row();
    } else if (c == '"' && cell.empty()) {
      opened = line;
      anything = true;
    } else if (c == separator) {
      row.cells.push_back(std::move(cell));
      cell.clear();
      anything = true;
    } else {
      cell += c;
      anything = true;
    }
  }
  if (opened != 0)
    throw Error(ErrorKind::invalid, "a quote is not closed", file + ":" + std::to_string(opened),
                "end the cell with a quote");
  end_row();
  return rows;
}

}  // namespace agon::text
