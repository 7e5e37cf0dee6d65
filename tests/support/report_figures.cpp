#include "support/report_figures.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

#include "catch.hpp"

namespace agon::test {

namespace bj = boost::json;

std::vector<bj::object> figures(const bj::value& report,
                                const std::map<std::string, std::string>& about) {
  std::vector<bj::object> found;
  const auto add = [&](const bj::value& section, const bj::value& cell) {
    bj::object figure = cell.as_object();
    if (figure.empty()) return;
    figure["section"] = section.at("id");
    for (const auto& [name, words] : about) {
      const bj::value* said = figure.if_contains(name);
      if (said == nullptr || *said != bj::string(words)) return;
    }
    found.push_back(std::move(figure));
  };
  for (const bj::value& section : report.at("sections").as_array())
    for (const bj::value& table : section.at("tables").as_array())
      for (const bj::value& row : table.at("rows").as_array())
        for (std::size_t c = 0; c < row.at("cells").as_array().size(); ++c)
          if (!table.at("columns").at(c).at("key").as_bool()) add(section, row.at("cells").at(c));
  return found;
}

bj::object figure(const bj::value& report, const std::map<std::string, std::string>& about) {
  auto found = figures(report, about);
  std::string wanted;
  for (const auto& [name, words] : about) wanted += name + " " + words + ", ";
  INFO("figures about " << wanted << "of which there are " << found.size());
  REQUIRE(found.size() == 1);
  return std::move(found.front());
}

double value(const bj::value& report, const std::map<std::string, std::string>& about) {
  return figure(report, about).at("value").to_number<double>();
}

const std::vector<bj::value>& PaperFigures::row(std::string_view label) const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.label == label; });
  INFO("row " << label);
  REQUIRE(found != rows.end());
  return found->cells;
}

PaperFigures paper_figures(const bj::value& report) {
  const bj::value& section = report.at("sections").at(0);
  const bj::value& from = section.at("tables").at(0);
  PaperFigures table;
  for (const bj::value& column : from.at("columns").as_array())
    if (!column.at("key").as_bool()) table.columns.emplace_back(column.at("header").as_string());
  for (const bj::value& row : from.at("rows").as_array()) {
    PaperFigures::Row& out = table.rows.emplace_back();
    const bj::array& cells = row.at("cells").as_array();
    for (std::size_t c = 1; c < cells.size(); ++c) {
      bj::object cell = cells[c].as_object();
      if (const bj::value* label = cell.if_contains("row")) out.label = label->as_string();
      for (const char* name : {"value", "low", "high", "out_of", "published", "text"})
        cell.emplace(name, nullptr);
      out.cells.emplace_back(std::move(cell));
    }
  }
  for (const bj::value& note : section.at("notes").as_array())
    table.notes.emplace_back(note.as_string());
  return table;
}

}  // namespace agon::test
