// Tables of auctions and of bargaining, from matches written by hand.

#include <cmath>

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

namespace {

/// A session of a buyer and a seller; the profits are the normalised ones.
WrittenMatch bargain(const char* buyer, const char* seller, int product, bool mutual, bool deal,
                     double buyers, double sellers, const char* factor = "0.8") {
  return {.seats = {{buyer, {{"snp", buyers}}}, {seller, {{"snp", sellers}}}},
          .settings = std::string(R"({"factor": )") + factor + "}",
          .block = product,
          .metrics = {{"mutual", mutual ? 1 : 0},
                      {"deal", deal ? 1 : 0},
                      {"product", static_cast<double>(product)}}};
}

/// The row of a table as words.
std::string line_of(const agon::PaperTable& table, const std::string& label) {
  for (const std::string& line : cells_of(table))
    if (line.starts_with(label + " |")) return line;
  return "there is no row " + label;
}

/// What is published in the row, by column.
std::vector<double> printed_in(const agon::PaperTable& table, const std::string& label) {
  std::vector<double> numbers;
  for (const agon::TableRow& row : table.rows)
    if (row.label == label)
      for (const agon::TableCell& cell : row.cells) numbers.push_back(cell.published);
  return numbers;
}

}  // namespace

TEST_CASE("normalised profits are of all sessions, and 0 without a deal") {
  const auto played = [](const char* seller) {
    return WrittenMatches({bargain("Mixtral-8x7B", seller, 0, true, true, 0.75, 0.25),
                           bargain("Mixtral-8x7B", seller, 1, true, true, 0.25, 0.75),
                           bargain("Mixtral-8x7B", seller, 2, true, false, 0, 0),
                           bargain("Mixtral-8x7B", seller, 3, false, true, -0.75, -0.25)});
  };
  const agon::PaperTable table = bargaining::normalised_profits(played("reference"));
  // The buyer has 0.75 + 0.25 + 0 - 0.75 in four sessions, the seller 0.25 + 0.75 + 0 - 0.25.
  CHECK(line_of(table, "buyer's mean, all sessions") == "buyer's mean, all sessions | 0.062 of 4");
  CHECK(line_of(table, "buyer's mean, mutual interest") ==
        "buyer's mean, mutual interest | 0.333 of 3");
  CHECK(line_of(table, "buyer's mean, conflict") == "buyer's mean, conflict | -0.750 of 1");
  CHECK(line_of(table, "seller's mean, all sessions") ==
        "seller's mean, all sessions | 0.188 of 4");
  CHECK(line_of(table, "seller's mean, mutual interest") ==
        "seller's mean, mutual interest | 0.333 of 3");
  CHECK(line_of(table, "seller's mean, conflict") == "seller's mean, conflict | -0.250 of 1");
  CHECK(line_of(table, "buyers who beat the seller, mutual interest") ==
        "buyers who beat the seller, mutual interest | 0.500 of 2");
  CHECK(line_of(table, "buyers who beat the seller, conflict") ==
        "buyers who beat the seller, conflict | 0.000 of 1");
  const Lines lines = cells_of(table);
  // 16 parts from -2 on under a heading: -0.75 is in the 6th, 0 in the 9th, 0.75 in the 12th.
  const Lines buyer(lines.begin(), lines.begin() + 17),
      seller(lines.begin() + 17, lines.begin() + 34);
  CHECK(buyer[0] == "sessions by the buyer's normalised profit | ");
  CHECK(buyer[6] == "  -0.75 to -0.50 | 1");
  CHECK(buyer[9] == "  0.00 to 0.25 | 1");
  CHECK(buyer[10] == "  0.25 to 0.50 | 1");
  CHECK(buyer[12] == "  0.75 to 1.00 | 1");
  CHECK(seller[8] == "  -0.25 to 0.00 | 1");
  CHECK(seller[9] == "  0.00 to 0.25 | 1");
  CHECK(seller[10] == "  0.25 to 0.50 | 1");
  CHECK(seller[12] == "  0.75 to 1.00 | 1");
  // The published mean is that against the paper's reference alone.
  CHECK(printed_in(table, "buyer's mean, all sessions") == std::vector<double>{-0.0679});
  CHECK(std::isnan(printed_in(bargaining::normalised_profits(played("floor")),
                              "buyer's mean, all sessions")[0]));
}

TEST_CASE("models stand on both sides of the reference, at the paper's budget") {
  const WrittenMatches matches({bargain("ChatGPT", "reference", 0, true, true, 0.5, 0.5),
                                bargain("ChatGPT", "reference", 1, true, false, 0, 0),
                                bargain("reference", "ChatGPT", 0, true, true, 0.75, 0.25),
                                bargain("reference", "reference", 0, true, true, 0.5, 0.5),
                                bargain("ChatGPT", "reference", 0, true, true, 0.9, 0.1, "0.6"),
                                bargain("new", "ChatGPT", 0, true, true, 0.5, 0.5),
                                bargain("new", "reference", 0, true, true, 0.2, 0.8)});
  const agon::PaperTable table = bargaining::models_by_side(matches);
  CHECK(line_of(table, "ChatGPT") ==
        "ChatGPT | 0.5000 of 2 | 0.50 of 2 | 50.00 of 1 | 1.0000 of 1 | 0.25 of 1 | 25.00 of 1");
  CHECK(line_of(table, "new") == "new | 1.0000 of 1 | 0.20 of 1 | 20.00 of 1 |  |  | ");
  CHECK(line_of(table, "GPT-4") == "GPT-4 |  |  |  |  |  | ");
  // Sums over means are the numbers of deals.
  const std::vector<double> printed = printed_in(table, "ChatGPT");
  CHECK(std::lround(printed[1] / printed[2] * 100) == 276);
  CHECK(std::lround(printed[4] / printed[5] * 100) == 276);
  CHECK_THROWS_AS(
      bargaining::models_by_side(WrittenMatches({bargain("a", "b", 0, true, true, 0.5, 0.5)})),
      agon::LacksData);
}

TEST_CASE("narrators stand beside the same models alone") {
  const WrittenMatches matches({bargain("M", "reference", 0, true, true, -0.5, 1.5),
                                bargain("M", "reference", 1, true, false, 0, 0),
                                bargain("OG-Narrator M", "reference", 0, true, true, 0.25, 0.75),
                                bargain("OG-Narrator M", "reference", 1, true, true, 0.75, 0.25),
                                // Plays alone only, and in no pair.
                                bargain("N", "reference", 0, true, true, 0.5, 0.5)});
  const agon::PaperTable table = bargaining::narrators(matches);
  const std::string both =
      "0.5000 of 2 | 1.0000 of 2 | -0.50 of 2 | 1.00 of 2 | -50.00 of 1 | 50.00 of 2";
  CHECK(line_of(table, "M") == "M | " + both);
  CHECK(line_of(table, "all models") == "all models | " + both);
  CHECK(line_of(table, "N") == "there is no row N");
  const std::vector<double> headline = printed_in(table, "all models");
  CHECK(headline[0] == 0.2667);
  CHECK(headline[1] == 0.8888);
  CHECK_THROWS_AS(
      bargaining::narrators(WrittenMatches({bargain("M", "reference", 0, true, true, 0.5, 0.5)})),
      agon::LacksData);
}

}  // namespace tables_of_trade_test
