#include <agon/data_file.hpp>
#include <array>

#include "catch.hpp"
#include "describe/file_text.hpp"
#include "settings/data_file.hpp"

TEST_CASE("a data file reads back what was written", "[json]") {
  const agon::DataSource source{"a \"name\"", "by hand", "", "x"};
  const std::array<std::string, 2> rows{R"({"a": 1})", R"({"a": 2})"};
  const std::string text = agon::write_data_file({"agon.test.things", 2}, source, rows);
  CHECK(text ==
        "{\n  \"format\": \"agon.test.things\",\n  \"version\": 2,\n  \"source\": {\"name\":"
        "\"a \\\"name\\\"\",\"format\":\"by hand\",\"licence\":\"\",\"note\":\"x\"},\n"
        "  \"rows\": [\n{\"a\": 1},\n{\"a\": 2}\n  ]\n}\n");
  const auto frame = agon::FileText(text, "f.json", "").read<agon::DataFrame>();
  CHECK(frame.source == source);
  REQUIRE(frame.rows.size() == 2);
  CHECK(frame.rows[1].text == R"({"a":2})");
}
