// Items in AucArena's published form.

#include <agon/error.hpp>

#include "english-auction/game.hpp"
#include "english_auction_support.hpp"
#include "support/data_rows.hpp"

using namespace english_auction_test;

TEST_CASE("English auction: item lists are imported line by line") {
  const std::vector<agon::InputFile> files{
      {"items.jsonl",
       "{\"name\": \"Lamp \\\"L\\\"\", \"price\": 1000, \"desc\": \"\", \"id\": 1, "
       "\"true_value\": 2000}\r\n"
       "\n"
       "{\"name\": \"Chair\", \"price\": 12.5, \"true_value\": 0}\n"
       "not JSON\n"
       "{\"name\": \"Chair\", \"price\": 1, \"true_value\": 2}\n"
       "{\"name\": \"Table\", \"price\": 0.001, \"true_value\": 2}\n"
       "{\"name\": \"Desk\", \"price\": 1}"}};
  const agon::Imported imported = agon::test::import("auction-items", files);
  const boost::json::value data = json(imported.data);
  CHECK(text(data, "format") == "agon.english-auction.items");
  CHECK(data.at("version").as_int64() == 1);
  const boost::json::array& rows = data.at("rows").as_array();
  REQUIRE(rows.size() == 2);
  CHECK(text(rows[0], "name") == "Lamp \"L\"");
  CHECK(number(rows[0], "value") == 2000);
  CHECK(number(rows[1], "price") == 12.5);
  REQUIRE(imported.bad_rows.size() == 4);
  CHECK(imported.bad_rows[0].line == 4);
  CHECK_THAT(imported.bad_rows[1].reason, Catch::Matchers::Contains("Chair"));
  CHECK_THAT(imported.bad_rows[2].reason, Catch::Matchers::Contains("two decimals"));
  CHECK_THAT(imported.bad_rows[3].reason, Catch::Matchers::Contains("true_value"));
}

TEST_CASE("English auction: a list without items is refused") {
  const std::vector<agon::InputFile> files{{"items.jsonl", "\n"}};
  CHECK_THROWS_AS(agon::test::import("auction-items", files), agon::Error);
}

TEST_CASE("English auction: imported items are sold") {
  const std::vector<agon::InputFile> files{
      {"items.jsonl", R"({"name": "Lamp", "price": 30, "true_value": 45.5})"}};
  const std::string rows =
      boost::json::serialize(json(agon::test::import("auction-items", files).data).at("rows"));
  const Played played = ScriptedMatch(auction(), settings(2, rows))
                            .seat(0, {R"({"move": {"kind": "raise", "amount": 30.25}})"})
                            .seat(1, moves({0}))
                            .play();
  CHECK(played.metric("profit", 0) == 1525);
}
