// Tables of auctions and of bargaining, from matches written by hand.

#include "bargaining/tables/tables.hpp"
#include "catch.hpp"
#include "english-auction/tables/tables.hpp"
#include "shared/tables.hpp"
#include "support/written_matches.hpp"

namespace tables_of_trade_test {
namespace {

using agon::test::cells_of;
using agon::test::WrittenMatch;
using agon::test::WrittenMatches;
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a laboratory's changes are to the mean of the plain auctions of a block") {
  const auto auction = [](const std::string& settings, int block, int repeat, double gain,
                          double surplus) {
    return WrittenMatch{.seats = {{"a"}, {"a"}, {"a"}},
                        .settings = settings,
                        .block = block,
                        .metrics = {{"efficiency", 0.75},
                                    {"revenue_to_competitive", 0.5},
                                    {"seller_gain", gain * 100},
                                    {"surplus", surplus * 100},
                                    {"uncontested_share", 0.25},
                                    {"rotation", 0.75},
                                    {"rotation_by_chance", 0.5}},
                        .repeat = repeat};
  };
  const std::string talk = R"({"talk": 1})";
  const WrittenMatches matches(
      // Block 0 is played twice: the plain auctions bring 100 and 300, 200 on average.
      {auction("{}", 0, 0, 100, 10), auction("{}", 0, 1, 300, 30), auction(talk, 0, 0, 150, 40),
       auction(talk, 0, 1, 190, 60),
       // Block 1 once: 500.
       auction("{}", 1, 0, 500, 50), auction(talk, 1, 0, 440, 90),
       // Block 2 has none to be held against.
       auction(talk, 2, 0, 1000, 1000)});
  const agon::PaperTable table = english_auction::laboratory(matches);
  // Plain: gain 900 / 3, surplus 90 / 3. Talk: gain (150 + 190 + 440 + 1000) / 4 = 445 and surplus
  // 1190 / 4 = 297.5; changes (-50 - 10 - 60) / 3 = -40 and (20 + 40 + 40) / 3 = 33.3.
  CHECK(cells_of(table) ==
        Lines{"a |  |  |  |  |  |  |  |  | ",
              "  3 buyers | 3 | 0.750 of 3 | 0.500 of 3 | 300 of 3 | - | 30 of 3 | - | 0.25 of 3 | "
              "0.25 of 3",
              "  3 buyers, talk | 4 | 0.750 of 4 | 0.500 of 4 | 445 of 4 | -40 of 3 | 298 of 4 | "
              "33 of 3 | 0.25 of 4 | 0.25 of 4"});
}

TEST_CASE("buyers' parts are of sessions and of deals") {
  const auto session = [](const char* buyer, double product, double mutual, double deal,
                          double part, const char* factor = "0.8") {
    return WrittenMatch{.seats = {{buyer, {{"snp", part}}}, {"s"}},
                        .settings = std::string(R"({"factor": )") + factor + "}",
                        .block = static_cast<std::int64_t>(product),
                        .metrics = {{"mutual", mutual}, {"deal", deal}, {"product", product}}};
  };
  const WrittenMatches matches(
      // a: two deals of three, at 0.75 and at a half, which beats nobody. The fourth is not mutual.
      {session("a", 0, 1, 1, 0.75), session("a", 1, 1, 1, 0.5), session("a", 2, 1, 0, 0),
       session("a", 3, 0, 1, -3),
       // b: no deal at all; c bargains under another budget alone.
       session("b", 0, 1, 0, 0), session("c", 0, 1, 1, 0.9, "1")});
  const agon::PaperTable table = bargaining::buyers_by_sellers(matches);
  CHECK(table.columns == Lines{"a", "b", "c"});
  CHECK(cells_of(table) == Lines{"s |  |  | ", "  deals | 0.667 of 3 | 0.000 of 1 | ",
                                 "  buyer's part, a session | 0.417 of 3 | 0.000 of 1 | ",
                                 "  buyer's part, a deal | 0.625 of 2 | no deal | ",
                                 "  deals in which it beats the seller | 0.500 of 2 | no deal | ",
                                 "s, B 1 L |  |  | ", "  deals |  |  | 1.000 of 1",
                                 "  buyer's part, a session |  |  | 0.900 of 1",
                                 "  buyer's part, a deal |  |  | 0.900 of 1",
                                 "  deals in which it beats the seller |  |  | 1.000 of 1"});
}

TEST_CASE("curves of few and of many places have a column for every place") {
  shared::MeanCurves curves;
  // Theory goes further than what was played, and one curve further than the other.
  curves.add("h", "a", 0, "0", 1);
  curves.add("h", "a", 0, "1", 3);
  curves.add("h", "a", 1, "0", 5);
  curves.add("h", "b", 0, "0", 7);
  curves.add_theory("h", "theory", 2, 4);
  curves.add_theory("h", "theory", 2, 6);
  const agon::PaperTable table =
      curves.table({.x = "place", .y = "mean", .at = {10, 20, 30, 40}},
                   {.decimals = 0, .columns = {"ten", "twenty"}}, 0.95, {});
  CHECK(table.columns == Lines{"ten", "twenty", "3"});
  CHECK(table.curves->at == std::vector<double>{10, 20, 30});
  CHECK(cells_of(table) == Lines{"a | 2 of 2 | 5 of 1 | ", "b | 7 of 1 |  | ", "theory |  |  | 5"});
  CHECK(table.rows.back().theory);
  CHECK_FALSE(table.rows.front().theory);
}

}  // namespace tables_of_trade_test
