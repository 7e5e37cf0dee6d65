#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agon::test {

/// The figures of a report's JSON that are about this: member to words, "section" among them.
/// Curves are not looked at.
std::vector<boost::json::object> figures(const boost::json::value& report,
                                         const std::map<std::string, std::string>& about);
/// The only one; a test that finds none or several fails.
boost::json::object figure(const boost::json::value& report,
                           const std::map<std::string, std::string>& about);
/// The value of the only one.
double value(const boost::json::value& report, const std::map<std::string, std::string>& about);

/// A paper's table, read from its JSON.
struct PaperFigures {
  struct Row {
    std::string label;  ///< behind that of its heading: "heading: label"
    /// One a column; value, low, high, out_of, published and text are null where there is none.
    std::vector<boost::json::value> cells;
  };
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::vector<std::string> notes;

  /// The cells of the only row with this label; a test without it fails.
  [[nodiscard]] const std::vector<boost::json::value>& row(std::string_view label) const;
};
PaperFigures paper_figures(const boost::json::value& report);

}  // namespace agon::test
