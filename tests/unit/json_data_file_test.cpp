#include <agon/data_file.hpp>
#include <agon/error.hpp>
#include <array>

#include "catch.hpp"

namespace {

constexpr agon::DataFormat kFormat{"agon.test.things", 2, "things"};

/// Where reading this goes wrong, and why.
std::string refusal(const std::string& text) {
  const agon::JsonDocument document(text, "f.json");
  try {
    static_cast<void>(agon::read_data_file(kFormat, document));
  } catch (const agon::Error& error) {
    return error.where() + ": " + error.problem() + "; " + error.mend();
  }
  return "it was read";
}

}  // namespace

TEST_CASE("a data file reads back what was written", "[json]") {
  const agon::DataSource source{"a \"name\"", "by hand", "", "x"};
  const std::array<std::string, 2> rows{R"({"a": 1})", R"({"a": 2})"};
  const std::string text = agon::write_data_file(kFormat, source, rows);
  CHECK(text ==
        "{\n  \"format\": \"agon.test.things\",\n  \"version\": 2,\n  \"source\": {\"name\": "
        "\"a \\\"name\\\"\", \"format\": \"by hand\", \"licence\": \"\", \"note\": \"x\"},\n"
        "  \"rows\": [\n{\"a\": 1},\n{\"a\": 2}\n  ]\n}\n");
  const agon::JsonDocument document(text, "f.json");
  const agon::DataRows file = agon::read_data_file(kFormat, document);
  CHECK(file.source == source);
  REQUIRE(file.rows.size() == 2);
  CHECK(file.rows[1]["a"].whole() == 2);
}

TEST_CASE("a data file without rows or source is one too", "[json]") {
  const std::string text = agon::write_data_file(kFormat, {}, {});
  const agon::JsonDocument written(text, "f.json");
  CHECK(agon::read_data_file(kFormat, written).rows.size() == 0);
  const agon::JsonDocument bare(R"({"format": "agon.test.things", "version": 2, "rows": []})",
                                "f.json");
  CHECK(agon::read_data_file(kFormat, bare).source == agon::DataSource{});
}

TEST_CASE("what is no data file of the format says where and why", "[json]") {
  const auto has = [](const std::string& text, std::string_view words) {
    INFO(text);
    CHECK(text.find(words) != std::string::npos);
  };
  has(refusal(R"({"format": "agon.other", "version": 2, "rows": []})"),
      "($.format): this is not a file of things; the format is \"agon.test.things\"");
  has(refusal(R"({"format": "agon.test.things", "version": 1, "rows": []})"),
      "($.version): this version of the format is not known; use version 2");
  has(refusal(R"({"format": "agon.test.things", "version": 2})"), "rows");
  has(refusal(R"({"format": "agon.test.things", "version": 2, "rows": [], "more": 1})"), "more");
  has(refusal(R"({"format": "agon.test.things", "version": 2, "rows": [], "source": {"by": ""}})"),
      "by");
}
