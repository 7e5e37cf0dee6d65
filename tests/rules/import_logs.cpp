// Published logs of matches, as their importers read them.

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>

#include "catch.hpp"
#include "support/data_rows.hpp"

namespace import_logs_test {
namespace {

namespace bj = boost::json;

agon::Imported read(std::string_view importer, std::string text) {
  return agon::test::import(importer, {{"log", std::move(text)}});
}

/// A bidder's turn on a day, after so many turns in which the price stayed 0; it holds.
std::string turn(const char* bidder, int value, int day, std::size_t turns) {
  std::string prompt = fmt::format(
      "You are Bidder {}. Your private value for this item is ${}. There are in total 2 days, and "
      "this is day {}. Prices:\n",
      bidder, value, day);
  for (std::size_t i = 0; i < turns; ++i) prompt += "the price became 0 \n";
  const std::string reply = R"({"choices": [{"message": {"content": "<ACTION> HOLD </ACTION>"}}]})";
  return bj::serialize(bj::object{
             {"1", bj::object{{"model", "m"}, {"user_prompt", prompt}, {"output", reply}}}}) +
         "\n";
}

constexpr std::array<const char*, 3> kBidders{"Andy", "Betty", "Charles"};

}  // namespace

TEST_CASE("calls of auctions with the same prices are told apart by the bidders' values") {
  const std::array<std::array<int, 3>, 2> values{{{30, 80, 50}, {90, 20, 60}}};
  std::string log;
  for (std::size_t turns = 0; turns < 6; ++turns)
    for (const std::size_t k : {0U, 1U}) {
      // On the first day the second auction's calls come first.
      const std::size_t auction = turns < 3 ? 1 - k : k;
      log += turn(kBidders[turns % 3], values[auction][turns % 3], turns < 3 ? 0 : 1, turns);
    }
  const agon::Imported imported = read("llm-auctions-ebay", log);
  REQUIRE(imported.matches.size() == 2);
  CHECK(imported.bad_rows.empty());
  for (const std::size_t auction : {0U, 1U}) {
    std::vector<std::int64_t> drawn(3);
    for (const agon::PublishedDraw& draw : imported.matches[auction].draws)
      if (draw.name == "value")
        drawn[static_cast<std::size_t>(draw.at.front())] = draw.values.front();
    CHECK(drawn == std::vector<std::int64_t>(values[auction].begin(), values[auction].end()));
  }
}

TEST_CASE("an auction whose last day lacks a turn is cut") {
  std::string log;
  for (std::size_t turns = 0; turns < 6; ++turns) {
    if (turns == 5) {
      const agon::Imported cut = read("llm-auctions-ebay", log);
      CHECK(cut.matches.empty());
      REQUIRE(cut.bad_rows.size() == 1);
      CHECK_THAT(cut.bad_rows.front().reason,
                 Catch::Matchers::Contains("on day 1 only 2 of 3 bidders have their turn"));
    }
    log += turn(kBidders[turns % 3], 40, turns < 3 ? 0 : 1, turns);
  }
  CHECK(read("llm-auctions-ebay", log).matches.size() == 1);
}

TEST_CASE("a bid of 0 is a bid and one below 0 is what nobody could read") {
  // Everybody is dead after one day, so that the log is whole.
  const std::string day =
      "Thank you all for participating in Round 1. In this round, Alex bid 0, Bob bid -1, Cindy "
      "bid 5, David bid 6, Eric bid 7.\nTotal water resource supply is 12. When tied, no one won "
      "this auction. All is as follows: NAME:Alex\tBALANCE:70\tHEALTH POINT:0\tNO_DRINK:2";
  const auto said = [](const char* role, const std::string& content) {
    return bj::object{{"role", role}, {"content", content}};
  };
  const bj::array told{
      said("system", "The total daily water supply will vary between 10 and 20 units."),
      said("system", "Hello, Alex! Today is the Day 1 of it."), said("assistant", "No money."),
      said("system", day)};
  const agon::Imported imported = read("alympics-water", bj::serialize(bj::object{{"A", told}}));
  REQUIRE(imported.matches.size() == 1);
  const auto bid = [&](std::size_t seat) {
    return bj::parse(imported.matches[0].seats[seat].answers.at("bid").at(0).json).at("bid");
  };
  CHECK(bid(0).to_number<double>() == 0);
  CHECK(bid(1).is_null());
  CHECK(bid(2).to_number<double>() == 5);
}

}  // namespace import_logs_test
