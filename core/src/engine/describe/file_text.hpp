#pragma once

#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/export.hpp>
#include <agon/type.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/path.hpp"

namespace agon {

/// The text of a JSON file that a described struct is read from. What is wrong in it is told with
/// file, line, column and JSON path.
class AGON_API FileText {
 public:
  /// `help` says where keys are explained: "see 'agon describe suite'". Throws Error (invalid) for
  /// what is no JSON.
  FileText(std::string text, std::string file, std::string help);
  FileText(const FileText&) = delete;
  FileText& operator=(const FileText&) = delete;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const boost::json::value& document() const { return document_; }

  /// True if the member "format" says this.
  [[nodiscard]] bool is_of(std::string_view format) const;
  /// Refuses another file than one of that format and version, before anything else is said of it.
  /// `what`: "a file of prices".
  void require_format(std::string_view format, int version, const std::string& what) const;

  /// What the file says, over the defaults. Unknown names and wrong forms are refused; a member
  /// "$schema" at the top, by which editors find the schema, is not. Bounds are check()'s business,
  /// so that a reader may first ask for what it cannot do without in words of its own.
  template <class T>
  [[nodiscard]] T read() const {
    T object;
    read(type_of<T>(), &object);
    return object;
  }
  template <class T>
  void check(const T& object) const {
    check(type_of<T>(), &object);
  }

  /// A path of the description is found under the former names that the file has.
  [[nodiscard]] json::Position position(const json::Path& path) const {
    return positions_.of(as_written(path));
  }
  /// "suite.json:3:5 ($.agents)"
  [[nodiscard]] std::string where(const json::Path& path) const;
  /// What was read under former names: "suite.json:3:5 ($.isolate): 'isolate' is now 'sandbox'".
  [[nodiscard]] std::vector<std::string> former_names() const;
  [[noreturn]] void fail(const std::string& what, const json::Path& path,
                         const std::string& hint = {}) const;
  /// What `f` returns; an Error without a place gets this one.
  template <class F>
  auto placed(const json::Path& path, F&& f) const {
    try {
      return f();
    } catch (const Error& error) {
      if (!error.where().empty()) throw;
      throw Error(ErrorKind::invalid, error.problem(), where(path), error.hint());
    }
  }

 private:
  void read(const Type& type, void* object) const;
  void check(const Type& type, const void* object) const;
  [[nodiscard]] json::Path as_written(const json::Path& path) const;

  std::string text_;
  std::string file_;
  std::string help_;
  boost::json::value document_;
  mutable json::Positions positions_;
  mutable std::vector<FormerName> former_;  ///< by the last read()
};

/// What stands in a file, for whose form the file's description does not speak.
[[nodiscard]] inline boost::json::value parsed(const JsonText& json) {
  return json::parse(json.text, "");
}
[[nodiscard]] inline boost::json::object parsed(const InOrder<JsonText>& members) {
  boost::json::object all;
  for (const auto& [name, value] : members) all[name] = parsed(value);
  return all;
}

}  // namespace agon

namespace agon::text {

/// One row of a CSV file.
struct CsvRow {
  std::size_t line = 0;  ///< where it begins, from 1
  std::vector<std::string> cells;
};

/// Reads CSV (RFC 4180): quoted cells may hold separators, line breaks and doubled quotes. A byte
/// order mark is passed over, lines may end in CR LF, empty lines are left out, and the separator
/// is a semicolon if the first line has more of them than commas, as spreadsheets of many countries
/// write it. Throws Error (invalid) with the line of a quote that is not closed.
[[nodiscard]] AGON_API std::vector<CsvRow> read_csv(std::string_view text, const std::string& file);

}  // namespace agon::text

namespace agon {

/// A CSV file whose rows are described structs of single values: a column a member, by its name.
/// Columns may stand in any order, and others beside them; an optional member's cell may be empty.
class AGON_API CsvRows {
 public:
  /// Throws Error (invalid) with file and line where a column is missing or there is no header.
  /// `help`: what to use instead.
  CsvRows(const Type& row, std::string_view text, const std::string& file, const std::string& help);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Where row `i` begins, from 1.
  [[nodiscard]] std::size_t line(std::size_t i) const { return rows_[i].line; }
  /// Reads row `i` into an object that is as it was made. What is wrong with it; empty: nothing.
  [[nodiscard]] std::string read(std::size_t i, void* object) const;

  /// The first line of such a file, with its line break.
  [[nodiscard]] static std::string header(const Type& row);

 private:
  const Type& type_;
  std::vector<text::CsvRow> rows_;
  std::vector<std::size_t> columns_;  // by member
  std::size_t width_ = 0;
};

class FileText;

/// Where something that is read stands: in a file, or in words, such as "--seat buyer". What it
/// holds is named by the path from there.
class AGON_API ErrorPlace {
 public:
  ErrorPlace(std::string words) : words_(std::move(words)) {}  // NOLINT: words are a place
  ErrorPlace(std::string_view words) : ErrorPlace(std::string(words)) {}  // NOLINT
  ErrorPlace(const char* words) : ErrorPlace(std::string(words)) {}       // NOLINT
  /// The file must outlive it.
  ErrorPlace(const FileText& file, json::Path path) : file_(&file), path_(std::move(path)) {}

  [[nodiscard]] ErrorPlace operator/(std::string_view member) const;
  [[nodiscard]] ErrorPlace operator/(const json::Path& below) const;
  /// "suite.json:3:5 ($.agents.floor)", "--seat buyer ($.params)", "--seat buyer"
  [[nodiscard]] std::string str() const;

 private:
  const FileText* file_ = nullptr;
  std::string words_;
  json::Path path_;
};

}  // namespace agon
