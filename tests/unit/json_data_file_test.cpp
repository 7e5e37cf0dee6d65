#include "catch.hpp"
#include "describe/file_text.hpp"
#include "settings/settings.hpp"

TEST_CASE("a data file is read with its source", "[json]") {
  const agon::DataSource source{"a \"name\"", "by hand", "", "x"};
  const std::string text =
      "{\n  \"format\": \"agon.test.things\",\n  \"version\": 2,\n  \"source\": {\"name\":"
      "\"a \\\"name\\\"\",\"format\":\"by hand\",\"licence\":\"\",\"note\":\"x\"},\n"
      "  \"rows\": [\n{\"a\": 1},\n{\"a\": 2}\n  ]\n}\n";
  const auto frame = agon::FileText(text, "f.json", "").read<agon::DataFrame>();
  CHECK(frame.source == source);
  REQUIRE(frame.rows.size() == 2);
  CHECK(frame.rows[1].text == R"({"a":2})");
}
