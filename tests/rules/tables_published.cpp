// What papers print, as games/*/published.json has it.

#include <agon/error.hpp>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "shared/published.hpp"

namespace tables_published_test {
namespace {

using shared::PublishedTables;

agon::Error problem_of(const char* json) {
  try {
    const PublishedTables tables(json, "games/some/published.json");
    static_cast<void>(tables["some/table-1"]);
  } catch (const agon::Error& error) {
    return error;
  }
  FAIL("nothing is wrong with it");
  throw std::logic_error("unreachable");
}

}  // namespace

TEST_CASE("published numbers: by row and column, and beside ours in a table") {
  const PublishedTables tables(R"({"some/table-1": {
    "source": "Somebody, table 1", "columns": ["a", "b"],
    "rows": {"one: x": [0.5, null], "one: y": [1, 2], "two: x": [3, 4]}}})",
                               "games/some/published.json");
  const shared::PublishedTable& printed = tables["some/table-1"];
  CHECK(printed.agents() == std::vector<std::string>{"one", "two"});
  CHECK(printed.at("one: x", "a") == 0.5);
  CHECK(std::isnan(printed.at("one: x", "b")));
  CHECK(std::isnan(printed.at("three", "a")));
  CHECK(std::isnan(printed.at("one: x", "c")));

  agon::PaperTable table;
  table.columns = {"b", "c"};
  table.rows = {{"one", {{}, {}}}, {"  y", {{}, {}}}, {"two: x", {{}, {}}}};
  printed.fill(table);
  CHECK(std::isnan(table.rows[0].cells[0].published));
  CHECK(table.rows[1].cells[0].published == 2);
  CHECK(std::isnan(table.rows[1].cells[1].published));
  CHECK(table.rows[2].cells[0].published == 4);
}

TEST_CASE("published numbers: what is wrong is a failure that says where") {
  const agon::Error few = problem_of(
      R"({"some/table-1": {"source": "", "columns": ["a", "b"], "rows": {"one": [1]}}})");
  CHECK(few.kind() == agon::ErrorKind::failure);
  CHECK(few.where().find("games/some/published.json") != std::string::npos);
  CHECK(few.where().find("one") != std::string::npos);
  CHECK(few.problem() == "has 1 numbers for 2 columns");
  CHECK(problem_of(R"({"some/table-1": {"columns": [], "rows": {}}})").kind() ==
        agon::ErrorKind::failure);
  const agon::Error none = problem_of("{}");
  CHECK(none.kind() == agon::ErrorKind::failure);
  CHECK(none.problem() == "there is no table 'some/table-1'");
}

}  // namespace tables_published_test
