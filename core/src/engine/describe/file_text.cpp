#include "describe/file_text.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>
#include <variant>

#include "describe/read.hpp"
#include "json/parse.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

bool has(const bj::value& document, const json::Path& path) {
  const bj::value* at = &document;
  for (const json::Path::Step& step : path.steps()) {
    if (const auto* index = std::get_if<std::size_t>(&step))
      at = at->is_array() ? at->get_array().if_contains(*index) : nullptr;
    else
      at = at->is_object() ? at->get_object().if_contains(std::get<std::string>(step)) : nullptr;
    if (at == nullptr) return false;
  }
  return true;
}

/// Without the top member "$schema".
bj::value without_schema(const bj::value& document) {
  bj::object rest;
  for (const auto& member : document.get_object())
    if (member.key() != "$schema") rest.emplace(member.key(), member.value());
  return rest;
}

std::string missing(const json::Path& path) {
  const auto* name =
      path.steps().empty() ? nullptr : std::get_if<std::string>(&path.steps().back());
  return name == nullptr ? "is missing" : "missing key '" + text::printable(*name) + "'";
}

}  // namespace

FileText::FileText(std::string text, std::string file, std::string help)
    : text_(std::move(text)),
      file_(std::move(file)),
      help_(std::move(help)),
      document_(json::parse(text_, file_)),
      positions_(text_) {}

json::Path FileText::as_written(const json::Path& path) const {
  json::Path written;
  for (const json::Path::Step& step : path.steps()) {
    if (const auto* index = std::get_if<std::size_t>(&step)) {
      written = written[*index];
      continue;
    }
    const std::string& name = std::get<std::string>(step);
    const std::string here = written.str();
    written = written / name;
    for (const FormerName& former : former_)
      if (former.name == name && former.path.parent().str() == here) written = former.path;
  }
  return written;
}

std::string FileText::where(const json::Path& path) const {
  const json::Path written = as_written(path);
  return json::place(file_, positions_.of(written)) + " (" + written.str() + ")";
}

std::vector<std::string> FileText::former_names() const {
  std::vector<std::string> all;
  for (const FormerName& former : former_)
    all.push_back(fmt::format("{}: '{}' is now '{}'", where(former.path),
                              std::get<std::string>(former.path.steps().back()), former.name));
  return all;
}

void FileText::fail(const std::string& what, const json::Path& path,
                    const std::string& hint) const {
  throw Error(ErrorKind::invalid, what, where(path), hint.empty() ? help_ : hint);
}

bool FileText::is_of(std::string_view format) const {
  const bj::object* top = document_.if_object();
  const bj::value* its = top == nullptr ? nullptr : top->if_contains("format");
  return its != nullptr && *its == bj::value(format);
}

void FileText::require_format(std::string_view format, int version, const std::string& what) const {
  if (!is_of(format))
    throw Error(ErrorKind::invalid, "expected " + what, file_,
                "write \"format\": \"" + std::string(format) + "\"; " + help_);
  const bj::value* given = document_.get_object().if_contains("version");
  if (given != nullptr && *given != version)
    fail("unknown version of the format", json::Path() / "version",
         "use version " + std::to_string(version));
}

void FileText::read(const Type& type, void* object) const {
  const bj::object* top = document_.if_object();
  former_.clear();
  const auto problem =
      read_value(type, object,
                 top != nullptr && top->contains("$schema") ? without_schema(document_) : document_,
                 Missing::keeps, Unknown::is_wrong, nullptr, &former_);
  if (problem) fail(problem->what, *json::Path::read(problem->path));
}

void FileText::check(const Type& type, const void* object) const {
  const auto problem = find_problem(type, object);
  if (!problem) return;
  const json::Path path = *json::Path::read(problem->path);
  fail(has(document_, as_written(path)) ? problem->what : missing(path), path);
}

ErrorPlace ErrorPlace::operator/(std::string_view member) const {
  ErrorPlace below = *this;
  below.path_ = path_ / member;
  return below;
}

ErrorPlace ErrorPlace::operator/(const json::Path& below) const {
  ErrorPlace place = *this;
  place.path_ = path_ / below;
  return place;
}

std::string ErrorPlace::str() const {
  if (file_ != nullptr) return file_->where(path_);
  return path_.steps().empty() ? words_ : words_ + " (" + path_.str() + ")";
}

}  // namespace agon

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
    throw Error(ErrorKind::invalid, "unclosed quote", file + ":" + std::to_string(opened),
                "end the cell with a quote");
  end_row();
  return rows;
}

}  // namespace agon::text

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
      throw Error(
          ErrorKind::invalid,
          fmt::format("missing column '{}'{}", f.name, text::did_you_mean(f.name, header.cells)),
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
  return text::joined(row.fields, ",", &Field::name) + "\r\n";
}

}  // namespace agon
