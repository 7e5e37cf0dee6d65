#pragma once

#include <agon/conversion.hpp>
#include <agon/data_file.hpp>
#include <string>
#include <vector>

#include "catch.hpp"

namespace agon::test {

/// The rows of a data file, read as settings read them.
template <class Row>
std::vector<Row> data_rows(std::string_view format, std::string text) {
  const JsonDocument document(std::move(text), "rows.json");
  const JsonNode list = read_data_file({format, 1, "rows"}, document).rows;
  std::vector<Row> rows(list.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto problem = read_json(rows[i], list[i].write(), Missing::keeps);
    INFO((problem ? problem->text() : ""));
    REQUIRE_FALSE(problem);
  }
  return rows;
}

}  // namespace agon::test
