#pragma once

#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/export.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <utility>

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

  [[nodiscard]] json::Position position(const json::Path& path) const {
    return positions_.of(path);
  }
  /// "suite.json:3:5 ($.agents)"
  [[nodiscard]] std::string where(const json::Path& path) const;
  [[noreturn]] void fail(const std::string& what, const json::Path& path,
                         const std::string& mend = {}) const;
  /// What `f` returns; an Error without a place gets this one.
  template <class F>
  auto placed(const json::Path& path, F&& f) const {
    try {
      return f();
    } catch (const Error& error) {
      if (!error.where().empty()) throw;
      throw Error(ErrorKind::invalid, error.problem(), where(path), error.mend());
    }
  }

 private:
  void read(const Type& type, void* object) const;
  void check(const Type& type, const void* object) const;

  std::string text_;
  std::string file_;
  std::string help_;
  boost::json::value document_;
  mutable json::Positions positions_;
};

}  // namespace agon
