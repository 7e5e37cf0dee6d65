#include "catch.hpp"
#include "text/words.hpp"

using namespace agon::text;

TEST_CASE("edit distance counts a swap of neighbours as one edit") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("factor", "fatcor") == 1);
  CHECK(edit_distance("ca", "abc") == 3);  // 2 with the unrestricted form
  CHECK(edit_distance("flaw", "lawn") == edit_distance("lawn", "flaw"));
}

TEST_CASE("the nearest name is found, or none") {
  const std::vector<std::string> games{"auction", "ultimatum", "bargaining", "public-goods"};
  CHECK(nearest("autcion", games) == "auction");
  CHECK(nearest("Ultimatum", games) == "ultimatum");
  CHECK(nearest("barganing", games) == "bargaining");
  CHECK(nearest("publicgoods", games) == "public-goods");
  CHECK(nearest("public", games) == "public-goods");  // the only one that begins so
  CHECK(nearest("pu", games).empty());
  CHECK(nearest("water", {"water-allocation", "water-polo"}).empty());
  CHECK(nearest("chess", games).empty());
  CHECK(nearest("", games).empty());
  CHECK(nearest("x", {"a", "b"}).empty());
  CHECK(nearest("A", {"b", "a"}) == "a");
  CHECK(nearest("bat", {"cat", "rat"}) == "cat");  // the first of equals
  CHECK(nearest(std::string(100'000, 'a'), {std::string(100'000, 'a')}).empty());
  CHECK(nearest("anything", {}).empty());
}

TEST_CASE("an unknown name gets a suggestion or the short list of names") {
  CHECK(did_you_mean("factr", {"factor", "rounds"}) == " (did you mean 'factor'?)");
  CHECK(did_you_mean("zzzzzz", {"factor", "rounds"}) == " (known: factor, rounds)");
  CHECK(did_you_mean("zzzzzz", {}).empty());
  CHECK(did_you_mean("zzzzzz", std::vector<std::string>(11, "factor")).empty());
  CHECK(did_you_mean("zzzzzz", {std::string(101, 'n')}).empty());
  CHECK(did_you_mean("zzzzzz", {"\x1b[2J"}) == " (known: \\x1b[2J)");
}
