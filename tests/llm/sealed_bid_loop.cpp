// The published loop of sealed bids with a model agent: plan without the value, bid by plan and
// lesson, lesson from the outcome, and nothing else of the past in a bid.

#include "catch.hpp"
#include "model_table.hpp"

namespace llm_sealed_bid_test {
namespace {

using namespace agon;
using namespace agon::test;
using Asked = ScriptedModel::Asked;

std::shared_ptr<ScriptedModel> bidder() {
  auto plans = std::make_shared<int>(0);
  auto lessons = std::make_shared<int>(0);
  return std::make_shared<ScriptedModel>([plans, lessons](const ModelRequest& request) {
    if (has(request.schema, "\"plan\""))
      return said(R"({"plan":"PLAN )" + std::to_string(++*plans) + "\"}");
    if (has(request.schema, "\"lesson\""))
      return said(R"({"lesson":"LESSON )" + std::to_string(++*lessons) + "\"}");
    return said(R"({"bid":10})");
  });
}

std::shared_ptr<ScriptedModel> play(const std::string& game, const std::string& settings,
                                    const std::string& parts) {
  const auto model = bidder();
  const auto rival = std::make_shared<ScriptedModel>();
  ModelTable(game, settings).model(0, parts, model).everybody("", rival).play_to_end();
  return model;
}

const std::string kGiven = R"("bidders": 2, "rounds": 3,
    "given": [{"values": [71, 20]}, {"values": [72, 30]}, {"values": [73, 40]}])";

}  // namespace

TEST_CASE("sealed bids: a model plans without its value, bids by its plan, and learns") {
  const auto model =
      play("sealed-bid", "{" + kGiven + "}", "memory=none learning=on planning=adaptive");
  std::string order;
  std::vector<Asked> asked = model->asked();
  for (const Asked& a : asked)
    order += has(a.schema, "\"plan\"") ? "p" : has(a.schema, "\"lesson\"") ? "l" : "b";
  REQUIRE(order == "pblpblpb");
  // No plan knows the value that it is made for.
  CHECK_FALSE(has(asked[0].text(), "71"));
  CHECK_FALSE(has(asked[3].text(), "72"));
  CHECK_FALSE(has(asked[6].text(), "73"));
  // A bid has the last plan and the last lesson, the value, and nothing older.
  check_has(asked[7].last(), {"PLAN 3", "LESSON 2", "73 dollars"});
  check_lacks(asked[7].text(), {"71", "PLAN 2"});
  // A plan has the whole history, the last plan and the last lesson.
  check_has(asked[6].last(), {"71", "72", "PLAN 2", "LESSON 2"});
  // A lesson is taken from the last round.
  CHECK(has(asked[5].last(), "72"));
}

TEST_CASE("sealed bids out of the box: a model only bids") {
  const auto model = play("sealed-bid", R"({"preset": "out-of-the-box", )" + kGiven + "}",
                          "memory=none learning=on planning=none");
  CHECK(model->asked().size() == 3);
}

TEST_CASE("sealed bids: every intervention is in the system prompt") {
  for (const std::string what : {"menu", "proxy", "nash", "direct", "wrong", "risk"}) {
    const auto model =
        play("sealed-bid",
             R"({"preset": "one-shot", "bidders": 2, "intervention": ")" + what + "\"}", "");
    const std::string words = what == "menu"     ? "price to win"
                              : what == "proxy"  ? "rising clock"
                              : what == "nash"   ? "a little less"
                              : what == "direct" ? "dominant strategy"
                              : what == "wrong"  ? "half of what"
                                                 : "indifferent to risk";
    CHECK(has(model->asked().front().messages.front().text, words));
  }
}

TEST_CASE("clock: a model with a blind clock hears nothing of who left") {
  const auto texts = [](const std::string& clock) {
    const auto model = saying(R"({"stay":true})");
    const auto leaver = saying(R"({"stay":false})");
    const auto stayer = saying(R"({"stay":true})");
    ModelTable table("clock-auction",
                     R"({"preset": "paper", "written": false, "rounds": 1, "ceiling": 4,
        "values": "independent", "own_range": [0, 4], "clock": ")" +
                         clock + "\"}");
    table.model(0, "", model).model(1, "", leaver).model(2, "", stayer);
    table.play_to_end();
    return model->asked().back().text();
  };
  CHECK(has(texts("ascending"), "At the calls of this round"));
  CHECK_FALSE(has(texts("ascending_blind"), "At the calls of this round"));
}

}  // namespace llm_sealed_bid_test
