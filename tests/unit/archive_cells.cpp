#include <bit>
#include <cmath>
#include <limits>

#include "archive/export/cell.hpp"
#include "archive/rows.hpp"
#include "catch.hpp"

using namespace agon::archive;

namespace {

std::string csv(const ExportCell& cell) {
  std::string out;
  append_csv(out, cell);
  return out;
}

std::string json(const ExportCell& cell) {
  std::string out;
  append_json(out, cell);
  return out;
}

const double nan_value = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("archive: metrics keep every digit, and what is undefined stays so") {
  const std::vector<double> metrics{0.1 + 0.2, nan_value, -5e-324, 1e308, 20, 0};
  const std::string text = write_metrics(metrics);
  CHECK(text == "[0.30000000000000004,null,-5e-324,1e+308,20.0,0.0]");
  std::vector<double> again;
  REQUIRE(read_metrics(text, again));
  REQUIRE(again.size() == metrics.size());
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (std::isnan(metrics[i]))
      CHECK(std::isnan(again[i]));
    else
      CHECK(std::bit_cast<std::uint64_t>(metrics[i]) == std::bit_cast<std::uint64_t>(again[i]));
  }
  CHECK(read_metrics("[]", again));
  CHECK(again.empty());
  for (const char* bad : {"", "[", "[1", "1]", "[1,]", "[,1]", "[1 2]", "[x]", "{}", "[nul]"}) {
    INFO(bad);
    CHECK_FALSE(read_metrics(bad, again));
  }
}

TEST_CASE("archive: CSV fields are quoted only where they must be") {
  CHECK(csv(std::string("plain text")) == "plain text");
  CHECK(csv(std::string("a,b")) == "\"a,b\"");
  CHECK(csv(std::string("say \"x\"")) == "\"say \"\"x\"\"\"");
  CHECK(csv(std::string("two\nlines")) == "\"two\nlines\"");
  CHECK(csv(std::string("two\rlines")) == "\"two\rlines\"");  // a line break to many readers
  CHECK(csv(ExportJson{"[1,2]"}) == "\"[1,2]\"");
  CHECK(csv(0.1) == "0.1");
  CHECK(csv(std::int64_t{-3}) == "-3");
  CHECK(csv(nan_value).empty());
  CHECK(csv(Absent{}).empty());
}

TEST_CASE("archive: CSV for a spreadsheet has no formulas and nothing that nobody sees") {
  const auto shown = [](const ExportCell& cell) {
    std::string out;
    append_csv(out, cell, CsvAudience::spreadsheet);
    return out;
  };
  const std::vector<std::string> formulas{"=HYPERLINK(A1)", "+x",   "-x",
                                          "@SUM(1)",        "\t=1", "-1+cmd|' /C calc'!A0",
                                          "\uff1d1",        "-",    "=1"};
  for (const std::string& text : formulas) {
    CHECK(shown(text) == "'" + text);
    CHECK(csv(text) == text);  // programs get what was said
  }
  for (const std::string& text : std::vector<std::string>{"-12.50", "-1e5", "a=b", "", "plain"})
    CHECK(shown(text) == text);
  CHECK(shown(std::string("\n=1")) == "\"'\n=1\"");
  CHECK(shown(std::string("\u202egnp")) == "\\u202egnp");
  CHECK(shown(std::int64_t{-3}) == "-3");
  CHECK(shown(ExportJson{"[1,2]"}) == "\"[1,2]\"");
}

TEST_CASE("archive: JSON cells") {
  CHECK(json(std::string("a\"b")) == R"("a\"b")");
  CHECK(json(ExportJson{"[1,2]"}) == "[1,2]");
  CHECK(json(1.0) == "1.0");
  CHECK(json(nan_value) == "null");
  CHECK(json(Absent{}) == "null");
}

TEST_CASE("archive: money is written as decimals, exactly") {
  CHECK(decimal(1250, 2) == ExportCell("12.50"));
  CHECK(decimal(-5, 2) == ExportCell("-0.05"));
  CHECK(decimal(0, 2) == ExportCell("0.00"));
  CHECK(decimal(90071992547409, 2) == ExportCell("900719925474.09"));
  CHECK(decimal(12.5, 2) == ExportCell("0.125"));  // a mean of amounts
  CHECK(decimal(12.5, 0) == ExportCell(12.5));
  CHECK(dollars(0) == "0.00");
  CHECK(dollars(1'500'000) == "0.0015");
  CHECK(dollars(-2'000'000'001) == "-2.000000001");
  CHECK(dollars(std::numeric_limits<std::int64_t>::min()) == "-9223372036.854775808");
}

TEST_CASE("archive: times are UTC") {
  CHECK(utc(0) == "1970-01-01T00:00:00.000Z");
  CHECK(utc(1'709'164'800'007) == "2024-02-29T00:00:00.007Z");
  CHECK(utc(-1) == "1969-12-31T23:59:59.999Z");
}
