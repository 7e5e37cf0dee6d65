#include <agon/error.hpp>

#include "catch.hpp"
#include "describe/file_text.hpp"

using agon::text::read_csv;
using Cells = std::vector<std::string>;

TEST_CASE("CSV is read as spreadsheets write it", "[text]") {
  const auto rows = read_csv(
      "\xEF\xBB\xBF"
      "a,b\r\n\r\n1,\"x, \"\"y\"\"\nz\"\r\n,\r\nlast,2",
      "f");
  REQUIRE(rows.size() == 4);
  CHECK((rows[0].line == 1 && rows[0].cells == Cells{"a", "b"}));
  CHECK((rows[1].line == 3 && rows[1].cells == Cells{"1", "x, \"y\"\nz"}));
  CHECK((rows[2].line == 5 && rows[2].cells == Cells{"", ""}));
  CHECK((rows[3].line == 6 && rows[3].cells == Cells{"last", "2"}));
  CHECK(read_csv("a;b,c;d\n1;2;3\n", "f")[1].cells == Cells{"1", "2", "3"});
  CHECK(read_csv("", "f").empty());
}

TEST_CASE("CSV with an open quote is refused with its line", "[text]") {
  try {
    (void)read_csv("a,b\n1,\"x\n\n", "f.csv");
    FAIL("nothing was thrown");
  } catch (const agon::Error& error) {
    CHECK(error.where() == "f.csv:2");
  }
}
