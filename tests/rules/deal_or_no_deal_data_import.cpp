// Reading the published formats, on made-up lines: section 2.1 of the game's rules.

#include <agon/error.hpp>
#include <string>

#include "catch.hpp"
#include "deal_or_no_deal_rows.hpp"

using namespace deal_or_no_deal;
using test::import_text;

namespace {

std::string tagged(const std::string& input, const std::string& output,
                   const std::string& partner) {
  return "<input> " + input +
         " </input> <dialogue> YOU: hello <eos> THEM: the balls are mine <eos> YOU: <selection> "
         "</dialogue> <output> " +
         output + " </output> <partner_input> " + partner + " </partner_input>\n";
}

std::string six(const std::string& token) {
  std::string all;
  for (int i = 0; i < 6; ++i) all += token + " ";
  return all;
}

}  // namespace

TEST_CASE("Deal or No Deal 2.1: tagged dialogues") {
  const std::string text =
      tagged("1 4 4 1 1 2", "item0=1 item1=0 item2=1 item0=0 item1=4 item2=0", "1 0 4 2 1 2") +
      "\n" + tagged("1 4 4 1 1 2", six("<disagree>"), "1 0 4 2 1 2") +
      tagged("1 4 4 1 1 2", six("<no_agreement>"), "1 0 4 2 1 2") +
      tagged("1 4 4 1 1 2", six("<disconnect>"), "1 0 4 2 1 2");
  const auto found = import_text(text, "some/folder/made.v1.txt");
  CHECK(found.format == "tagged-dialogues");
  CHECK(found.bad.empty());
  REQUIRE(found.rows.size() == 4);
  const Row& row = found.rows[0];
  CHECK(row.instance == Instance{"made.v1-1", 1, {1, 4, 1}, {Amounts{4, 1, 2}, Amounts{0, 2, 2}}});
  REQUIRE(row.human);
  CHECK(row.human->ending == Ending::agreed);
  CHECK(row.human->messages == 2);
  CHECK(row.human->split == Split{{Amounts{1, 0, 1}, Amounts{0, 4, 0}}});
  CHECK(found.rows[1].instance.line == 3);  // a blank line counts
  CHECK(found.rows[1].human->ending == Ending::disagreed);
  CHECK(found.rows[2].human->ending == Ending::no_agreement);
  CHECK(found.rows[3].human->ending == Ending::disconnected);
  CHECK_FALSE(found.rows[3].human->split);
}

TEST_CASE("Deal or No Deal 2.1: flat dialogues, whose tails differ") {
  const std::string talk = " THEM: mine ? <eos> YOU: ok <eos> THEM: <selection> ";
  const std::string text =
      "1 4 4 1 1 2" + talk + "item0=1 item1=0 item2=1 <eos> reward=6 agree 1 0 4 2 1 2\r\n" +
      "1 4 4 1 1 2" + talk + "item0=1 item1=0 item2=1 <eos> reward=6 disagree 1 0 4 2 1 2\r\n" +
      "1 4 4 1 1 2" + talk + "no agreement <eos> reward=no agreement agree 1 0 4 2 1 2\r\n" +
      "1 4 4 1 1 2" + talk + "no agreement <eos> reward=no agreement disagree 1 0 4 2 1 2\r\n" +
      "1 4 4 1 1 2" + talk + "disconnect <eos> reward=disconnect disagree 1 0 4 2 1 2";
  const auto found = import_text(text, "flat");
  CHECK(found.format == "flat-dialogues");
  CHECK(found.bad.empty());
  REQUIRE(found.rows.size() == 5);
  CHECK(found.rows[0].instance.values[1] == Amounts{0, 2, 2});
  CHECK(found.rows[0].human->split == Split{{Amounts{1, 0, 1}, Amounts{0, 4, 0}}});
  CHECK(found.rows[0].human->messages == 2);
  CHECK(found.rows[1].human->ending == Ending::disagreed);
  CHECK_FALSE(found.rows[1].human->split);
  CHECK(found.rows[2].human->ending == Ending::no_agreement);
  CHECK(found.rows[3].human->ending == Ending::disagreed);
  CHECK(found.rows[4].human->ending == Ending::disconnected);
}

TEST_CASE("Deal or No Deal 2.1: pairs of contexts, and pools") {
  const auto pairs = import_text("1 0 1 1 3 3\n1 1 1 0 3 3\n\n1 4 4 1 1 2\n1 0 4 2 1 2\n", "s.txt");
  CHECK(pairs.format == "paired-contexts");
  CHECK(pairs.bad.empty());
  REQUIRE(pairs.rows.size() == 2);
  CHECK(pairs.rows[0].instance.values[1] == Amounts{1, 0, 3});
  CHECK(pairs.rows[1].instance.id == "s-4");
  CHECK_FALSE(pairs.rows[1].human);

  const auto pools = import_text("1,2,3 8,1,0 4,0,2\n2,2 1,4 0,5\n", "p.txt");
  CHECK(pools.format == "pools");
  REQUIRE(pools.rows.size() == 2);
  CHECK(pools.rows[0].instance ==
        Instance{"p-1", 1, {1, 2, 3}, {Amounts{8, 1, 0}, Amounts{4, 0, 2}}});
  CHECK(pools.rows[1].instance.counts.size() == 2);
}

TEST_CASE("Deal or No Deal 2.1: bad lines are listed with their reasons") {
  const std::string good = "item0=1 item1=0 item2=1 item0=0 item1=4 item2=0";
  const std::string text =
      tagged("1 4 4 1 1 2", good, "1 0 4 2 1 2") + tagged("1 4 4 1 1", good, "1 0 4 2 1 2") +
      tagged("1 4 4 1 1 2", good, "2 0 4 2 1 2") + tagged("1 4 4 x 1 2", good, "1 0 4 2 1 2") +
      tagged("1 4 4 1 1 2", six("<maybe>"), "1 0 4 2 1 2") +
      tagged("1 4 4 1 1 2", "item0=1 item1=0", "1 0 4 2 1 2") +
      tagged("1 4 4 1 1 2", good + "1", "1 0 4 2 1 2") +
      tagged("0 4 4 1 1 2", six("<disagree>"), "0 0 4 2 1 2") + "1,2,3 8,1,0 4,0,2\n";
  const auto found = import_text(text, "made.txt");
  CHECK(found.rows.size() == 1);
  std::vector<std::string> reasons;
  for (const agon::BadRow& bad : found.bad) {
    CHECK(bad.file == "made.txt");
    CHECK(bad.line == static_cast<std::int64_t>(reasons.size()) + 2);
    reasons.push_back(bad.reason);
  }
  CHECK(reasons == std::vector<std::string>{
                       "a context has 5 numbers instead of 6",
                       "the two contexts count 1,4,1 and 2,4,1 items",
                       "\"x\" is not a whole number",
                       "the selection has \"<maybe>\" where item0= belongs",
                       "the output has 2 tokens instead of 6",
                       "the agreed selections 1,0,1 and 0,4,1 do not add up to 1,4,1",
                       "type 1 has 0 items instead of 1 to 1000",
                       "there is no <input>",
                   });
  const auto lonely = import_text("1 4 4 1 1 2\n1 0 4 2 1 2\n1 4 4 1 1 2\n", "s.txt");
  CHECK(lonely.rows.size() == 1);
  REQUIRE(lonely.bad.size() == 1);
  CHECK(lonely.bad[0].line == 3);
  CHECK(lonely.bad[0].reason == "the second line of the scenario is missing");
  CHECK(import_text("1,1 1 1\n1,1,1,1,1,1,1,1,1 1 1\n1,1 1,1 1,-1\n1,1 1,1 1,1", "p").bad.size() ==
        3);
}

TEST_CASE("Deal or No Deal 2.1: an imported instance may break the published constraints") {
  const auto rows = import_text("1,2,3 8,1,0 4,0,2\n1,2,3 1,0,3 4,0,3\n", "p").rows;
  REQUIRE(rows.size() == 2);
  CHECK(keeps(rows[0].instance));
  CHECK_FALSE(keeps(rows[1].instance));
}

TEST_CASE("Deal or No Deal 2.1: a file of another kind is refused") {
  for (const std::string text : {"", "\n\n", "once upon a time\n", "{\"rows\": []}", "1 2 3\n"}) {
    CHECK_THROWS_AS(import_text(text, "f"), agon::Error);
  }
}

TEST_CASE("Deal or No Deal 3.2: what makes a point covered, halvable or distant") {
  const Instance easy{"", 0, {1, 4, 1}, {Amounts{4, 1, 2}, Amounts{0, 2, 2}}};
  CHECK(value_distance(easy) == 5);
  CHECK_FALSE(covered(easy));  // they favour the book and the hats
  CHECK_FALSE(halvable(easy));
  const Instance alike{"", 0, {1, 2, 2}, {Amounts{4, 2, 1}, Amounts{4, 1, 2}}};
  CHECK(covered(alike));
  const Instance dear{"", 0, {1, 2, 2}, {Amounts{6, 1, 1}, Amounts{4, 1, 2}}};
  CHECK_FALSE(covered(dear));  // one book is worth 6 and everything else 4
  CHECK(halvable(Instance{"", 0, {2, 2, 2}, {}}));
}
