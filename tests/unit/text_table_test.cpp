#include <stdexcept>

#include "catch.hpp"
#include "text/layout.hpp"

using agon::text::Align;
using agon::text::TextTable;

TEST_CASE("a table is aligned by code points and has no trailing spaces") {
  TextTable table({{"name"}, {"gain", Align::right}, {"note"}});
  CHECK(table.empty());
  table.add({"Ren\u00e9e", "5", "first"});
  table.add({"Al", "1250"});
  CHECK_FALSE(table.empty());
  CHECK(table.str() ==
        "name   gain  note\n"
        "-----  ----  -----\n"
        "Ren\u00e9e     5  first\n"
        "Al     1250\n");
  CHECK(table.str(2).starts_with("  name   gain  note\n  -----"));
}

TEST_CASE("a table without headers shows rows only") {
  TextTable table({{""}, {""}});
  table.add({"a", "b"});
  table.add({"long", "c"});
  CHECK(table.str() == "a     b\nlong  c\n");
  CHECK(TextTable({{"only"}}).str() == "only\n----\n");
}

TEST_CASE("a header is cut to its limit as cells are") {
  TextTable table({{"a name that is long", Align::left, 6}});
  table.add({"short"});
  CHECK(table.str() == "a nam…\n------\nshort\n");
}

TEST_CASE("cells that would read the same when cut are not cut") {
  TextTable table({{"who", Align::left, 6}, {"note", Align::left, 6}});
  table.add({"agent one", "the same note"});
  table.add({"agent two", "the same note"});
  CHECK(table.str() ==
        "who        note\n"
        "---------  ------\n"
        "agent one  the s\u2026\n"
        "agent two  the s\u2026\n");
}

TEST_CASE("cells are made harmless and cut to their limit") {
  TextTable table({{"text", Align::left, 6}, {"n", Align::right}});
  table.add({"abcdefghij", "1"});
  table.add({"a\nb\x1b", "2"});
  CHECK(table.str() ==
        "text    n\n"
        "------  -\n"
        "abcde\u2026  1\n"
        "a\\nb\\\u2026  2\n");
  CHECK_THROWS_AS(table.add({"1", "2", "3"}), std::invalid_argument);
}
