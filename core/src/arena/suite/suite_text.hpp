#pragma once

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/path.hpp"

namespace agon {

/// The text of a suite, and what is asked of the values in it. Throws Error (invalid) with the
/// file, line and path of a value that is something else.
class SuiteText {
 public:
  SuiteText(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  [[noreturn]] void fail(const std::string& what, const json::Path& path,
                         const std::string& mend = {}) const;
  /// "suite.json:3:5 ($.agents)"
  [[nodiscard]] std::string where(const json::Path& path) const;
  [[nodiscard]] const boost::json::object& object(const boost::json::value& v,
                                                  const json::Path& path) const;
  [[nodiscard]] std::string text(const boost::json::value& v, const json::Path& path) const;
  /// A whole number from `lo`, which is not negative, to `hi`.
  [[nodiscard]] std::uint64_t whole(const boost::json::value& v, const json::Path& path,
                                    std::int64_t lo, std::int64_t hi) const;
  /// Refuses members of other names.
  void known(const boost::json::object& o, const json::Path& path,
             const std::vector<std::string>& names) const;
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
  std::string text_;
  std::string file_;
};

}  // namespace agon
