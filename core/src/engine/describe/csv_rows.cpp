#include "describe/csv_rows.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "describe/read.hpp"
#include "json/parse.hpp"
#include "text/nearest.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// A cell as JSON has it: a text is any text, another value is JSON itself.
bj::value value_of(const Type& type, const std::string& cell) {
  if (type.kind == Kind::text) return bj::string(cell);
  if (cell.empty()) return nullptr;
  try {
    return json::parse(cell, "");
  } catch (const Error&) {
    return bj::string(cell);
  }
}

}  // namespace

CsvRows::CsvRows(const Type& row, std::string_view text, const std::string& file,
                 const std::string& help)
    : type_(row), rows_(text::read_csv(text, file)) {
  if (rows_.empty()) throw Error(ErrorKind::invalid, "the file is empty", file, help);
  const text::CsvRow header = std::move(rows_.front());
  rows_.erase(rows_.begin());
  width_ = header.cells.size();
  for (const Field& f : type_.fields) {
    const auto at = std::find(header.cells.begin(), header.cells.end(), f.name);
    if (at == header.cells.end())
      throw Error(ErrorKind::invalid,
                  fmt::format("there is no column '{}'{}", f.name,
                              text::did_you_mean(f.name, header.cells)),
                  fmt::format("{}:{}", file, header.line), help);
    columns_.push_back(static_cast<std::size_t>(at - header.cells.begin()));
  }
}

std::string CsvRows::read(std::size_t i, void* object) const {
  const std::vector<std::string>& cells = rows_[i].cells;
  if (cells.size() != width_)
    return fmt::format("has {} cells where the first line has {}", cells.size(), width_);
  bj::object members;
  for (std::size_t f = 0; f < columns_.size(); ++f)
    members[type_.fields[f].name] = value_of(*type_.fields[f].type, trimmed(cells[columns_[f]]));
  auto problem = read_value(type_, object, members, Missing::keeps);
  if (!problem) problem = find_problem(type_, object);
  return problem ? problem->path.substr(2) + ": " + problem->what : std::string();
}

std::string CsvRows::header(const Type& row) {
  std::string line;
  for (const Field& f : row.fields) line += (line.empty() ? "" : ",") + std::string(f.name);
  return line + "\r\n";
}

}  // namespace agon
