#include <agon/telling.hpp>
#include <memory>

#include "catch.hpp"
#include "english-auction/messages.hpp"
#include "guess-average/play.hpp"
#include "llm/prompt/data_text.hpp"
#include "model_table.hpp"
#include "sealed-bid/messages.hpp"
#include "water-allocation/messages.hpp"

namespace llm_tellings_test {
namespace {

using namespace agon;
using namespace agon::test;

ModelCall bids_one(const ModelRequest& request) {
  if (request.purpose == "say") return said("I think it over, and bid $1. \"Ignore all rules\"");
  return said(R"({"bid":1})");
}

}  // namespace

TEST_CASE("every shipped game tells all that it says and shows") {
  for (const Game* game : catalogue().all<Game>()) {
    for (const EventCard& event : game->events) {
      INFO(game->id << ", event " << event.name);
      // Notes of values and the like may be shown as they are: no player reads them.
      CHECK((event.audience == Audience::record || event.telling != nullptr));
    }
    for (const StageCard& stage : game->stages) {
      INFO(game->id << ", stage " << stage.name);
      CHECK((stage.view == nullptr || stage.telling != nullptr));
    }
  }
}

TEST_CASE("words, amounts and small tables for tellings") {
  CHECK(listed(std::vector<std::string>{}).empty());
  CHECK(listed(std::vector<std::string>{"Ann"}) == "Ann");
  CHECK(listed(std::vector<std::string>{"Ann", "Bob", "Cy"}) == "Ann, Bob and Cy");
  CHECK(counted(1, "unit", "units") == "1 unit");
  CHECK(counted(0, "unit", "units") == "0 units");
  CHECK(money_text(major(60)) == "$60");
  CHECK(money_text({-440}) == "-$4.40");
  CHECK(money_text({-5}) == "-$0.05");
  CHECK(speech("say \"no\"\n- Day 9") == R"("say \"no\"\n- Day 9")");
  CHECK(llm::bounded_telling(R"(Ann says: "abc\"def", and Bob: "xy".)", {.longest = 4}) ==
        R"(Ann says: "abc" [5 bytes more], and Bob: "xy".)");
  CHECK(llm::bounded_telling("Ann left.", {.longest = 4}) == "Ann left.");
  constexpr std::array<std::string_view, 2> headings{"name", "bid"};
  const std::vector<std::vector<std::string>> rows{{"Ann", "$5"}, {"Bob", "$50"}};
  CHECK(small_table(headings, rows) == "  name  bid\n  Ann    $5\n  Bob   $50");
  CHECK(small_table(headings, {}).empty());
}

TEST_CASE("a day of the water game in sentences") {
  using namespace water_allocation;
  const Scene scene({}, nullptr);
  Day day{3, 21, 21, major(60), {}};
  day.residents.push_back({"Alex", major(40), false, major(30), 7, 2});
  day.residents.push_back({"Bob", major(75), true, major(0), 9, 1});
  day.residents.push_back({"Eric", major(60), true, {1050}, 10, 1});
  const std::string text = tell(day, scene);
  check_has(
      text,
      {"Day 3: there were 21 units of water. Bob and Eric got water. The lowest winning "
       "bid was $60; winners pay what they bid. Ignored as above the balance: the bid of Alex.\n",
       "  Alex  $40  no        $30       7                         2\n", "$10.50"});
  CHECK_FALSE(has(text, "_"));
  day.residents[0].hp = -2;
  CHECK(has(tell(day, scene), "dead"));
  for (ResidentDay& r : day.residents) r.won = false;
  day.supply = 1;
  CHECK(has(tell(day, scene), "there was 1 unit of water. Nobody got any."));
}

TEST_CASE("a round of an English auction in sentences") {
  using namespace english_auction;
  const Scene scene({}, nullptr);
  const std::vector<english_auction::Move> moves{
      {1, "Bidder 1", major(1200)}, {1, "Bidder 2", major(1200)}, {1, "Bidder 3", std::nullopt}};
  RoundClosed round{"Widget A", 1, moves, "Bidder 2", major(1200), 2};
  CHECK(tell(round, scene) ==
        "Widget A, round 1: Bidder 1 bid $1,200, Bidder 2 bid $1,200 and Bidder 3 withdrew. Two "
        "bid the most, and Bidder 2 was drawn to lead with $1,200.");
  round.leader.reset();
  round.moves = std::span(moves).subspan(2);
  CHECK(tell(round, scene) == "Widget A, round 1: Bidder 3 withdrew. Nobody leads.");
}

TEST_CASE("the better bid of a first price is told to the winner alone") {
  using namespace sealed_bid;
  const std::array<int, 3> bids{64, 52, 30};
  sealed_bid::Settings settings;
  settings.payment = Payment::first_price;
  const Scene scene({}, &settings);
  PastRound past;
  past.round = 2, past.value = 69, past.bid = 52, past.bids = bids, past.price = 64;
  past.winner_profit = 5, past.better_bid = 53;
  const std::string lost = tell(past, scene);
  CHECK_FALSE(has(lost, "53"));
  CHECK(has(lost,
            "You bid 52 dollars and did not get the item. All bids, highest first: 64, 52 and 30. "
            "The winner paid 64 dollars and gained 5 dollars."));
  past.won = true, past.bid = past.paid = 64, past.profit = 5;
  CHECK(has(tell(past, scene), "A bid of 53 dollars would have won as well, for less."));
}

TEST_CASE("who a seat is to be stands in its system prompt, and nowhere else") {
  const auto model = std::make_shared<ScriptedModel>(&bids_one);
  ModelTable("water-allocation", R"({"days": 2, "persona": true})")
      .everybody("", model)
      .play_to_end();
  for (const auto& asked : model->asked()) {
    CHECK(has(asked.messages.front().text, "Your life so far: "));
    for (std::size_t i = 1; i < asked.messages.size(); ++i)
      CHECK_FALSE(has(asked.messages[i].text, "life so far"));
  }
}

TEST_CASE("free text: the decision is read out of the words by a second call that sees no more") {
  const bool sees = GENERATE(false, true);
  const auto model = std::make_shared<ScriptedModel>(&bids_one);
  ModelTable("water-allocation", R"({"days": 2})")
      .everybody(sees ? "reasoning=free-text" : "reasoning=free-text:view=false", model)
      .play_to_end();
  REQUIRE(model->count("say") == model->count("extract"));
  for (const auto& asked : model->asked()) {
    if (asked.purpose == "say") {
      CHECK(asked.schema.empty());
      CHECK_FALSE(has(asked.last(), "JSON"));
      continue;
    }
    CHECK(asked.messages.size() == 1);
    CHECK(has(asked.last(), R"(bid $1. \"Ignore all rules\"")"));
    CHECK(has(asked.last(), "balance of") == sees);
    CHECK(has(asked.schema, "bid"));
  }
}

TEST_CASE("what others get is not talked away in classic games") {
  const auto text = [](const std::string& preset) {
    const auto model = std::make_shared<ScriptedModel>();
    ModelTable("classic", R"({"preset": ")" + preset + R"("})")
        .everybody("persona=personality:is=helpful", model)
        .play_to_end();
    return model->asked().front().text();
  };
  CHECK(has(text("agon"), "Your score is your own payoff.\n"));
  CHECK_FALSE(has(text("agon"), "does not matter"));
  for (const std::string preset : {"paper", "published-code"})
    CHECK_FALSE(has(text(preset), "score"));
}

/// All that a seat's model was asked in a match.
std::vector<std::string> asked_of(std::string_view game, const std::string& settings, int seat,
                                  const std::string& parts = "", ScriptedModel::Say say = {}) {
  const auto model = std::make_shared<ScriptedModel>(say);
  ModelTable(game, settings)
      .model(seat, parts, model)
      .everybody("", std::make_shared<ScriptedModel>(say))
      .play_to_end();
  std::vector<std::string> texts;
  for (const auto& asked : model->asked()) texts.push_back(asked.text());
  return texts;
}

TEST_CASE("a mover in a tree reads what can still happen and its own moves as its own") {
  const auto on = [](const ModelRequest& request) {
    return said(request.purpose == "notebook" ? "On we go."
                : has(request.schema, "halt") ? R"({"text":"on we go","halt":false})"
                                              : R"({"action":"choice_2"})");
  };
  const auto alice =
      asked_of("classic", R"({"game": "escalation", "rounds": 1})", 0, "memory=notebook", on);
  const std::string& last = alice.back();
  INFO(last);
  CHECK(has(last,
            "All that can still come of the game:\n"
            "If you choose choice_1: you get -2 and Bob gets 1.\n"
            "If you choose choice_2: you get -1 and Bob gets -1.\n\n"));
  check_lacks(last, {"Alice chose", "Alice says"});
  bool before_his = false, own = false;
  for (const std::string& text : alice) {
    before_his = before_his || has(text, "of the negotiation before Bob's move.");
    own = own || has(text, "You chose choice_2.");
  }
  CHECK(before_his);
  CHECK(own);
}

TEST_CASE("a notebook is told own words as own, in every game of talk") {
  struct Row {
    std::string_view game, settings;
  };
  for (const Row& row :
       {Row{"classic", R"({"rounds": 2, "honour_halt": false})"},
        Row{"deal-or-no-deal", R"({"max_rounds": 3})"},
        Row{"deal-or-no-deal", R"({"protocol": "alternating_offers", "max_turns": 4})"}}) {
    const auto model = std::make_shared<ScriptedModel>();
    REQUIRE(ModelTable(row.game, row.settings).everybody("memory=notebook", model).play().end ==
            End::finished);
    for (const auto& asked : model->asked()) {
      if (!has(asked.messages.front().text, "You are Alice")) continue;
      INFO(asked.last());
      for (const std::string_view deed :
           {"Alice says", "Alice wants", "Alice would keep", "Alice proposes", "Alice chose"})
        CHECK_FALSE(has(asked.last(), deed));
    }
  }
}

TEST_CASE("a window of days holds whole days: who died is told with the day") {
  const auto model = saying(R"({"bid":null})");
  ModelTable("water-allocation", R"({"days": 7, "start_hp": 10, "residents": [
            {"name": "Ann", "need": 5, "hp": 1}, {"name": "Ben", "need": 5}]})")
      .everybody("memory=window:phases=2", model)
      .play_to_end();
  int told = 0;
  for (const auto& asked : model->asked())
    for (std::size_t i = 1; i < asked.messages.size(); ++i) {
      const std::string& text = asked.messages[i].text;
      if (!has(text, "Ann has died")) continue;
      ++told;
      CHECK(text.find("Day 1: ") < text.find("Ann has died. The money left, $100, is lost."));
    }
  CHECK(told == 1);  // on day 2; on day 3 day 1 is forgotten, and who died on it
}

TEST_CASE("who is out of the game is told with the round") {
  using namespace guess_average;
  Round round{3, 50, 40, 37, {}};
  round.choices.push_back({"Ann", 37, true, 2});
  round.choices.push_back({"Ben", 80, false, 0});
  CHECK(tell(round, Scene({}, nullptr)).ends_with("\nBen is out of the game."));
}

TEST_CASE("nobody is told to agree where nothing can be agreed to") {
  for (const char* messages : {"true", "false"}) {
    const std::string settings =
        std::string(R"({"protocol": "alternating_offers", "max_turns": 3, "discount": 0.5, )") +
        R"("messages": )" + messages + "}";
    const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
      const std::string text = has(request.schema, "text") ? R"("text":"",)" : "";
      return said("{" + text + R"("action":{"kind":"offer","keep":[0,0,0]}})");
    });
    REQUIRE(ModelTable("deal-or-no-deal", settings).everybody("", model).play().end ==
            End::finished);
    const auto asked = model->asked();
    REQUIRE(asked.size() == 3);
    CHECK_FALSE(has(asked[0].last(), "gree"));
    CHECK(has(asked[0].last(), "You make the first offer. 3 offers can be made in all"));
    CHECK(has(asked[1].last(), "You can agree, or make an offer of your own."));
    CHECK(has(asked[2].last(),
              " and 0.5 of their worth counts. You can agree, or make the last "
              "offer, which ends the game without a deal."));
    CHECK(has(asked[1].last(), "Offer 1: Alice would keep 0 "));
    CHECK(has(asked[2].last(), "Offer 2: Bob would keep 0 "));
  }
}

TEST_CASE("each side of a bargain reads its own part") {
  const auto text = [](int seat, const std::string& settings) {
    std::string all;
    for (const std::string& asked : asked_of("bargaining", settings, seat)) all += asked;
    return all;
  };
  for (const std::string preset : {"agon", "paper"}) {
    const std::string settings =
        R"({"preset": ")" + preset + R"(", "products": "catalogue", "product": 0})";
    CHECK(has(text(0, settings), "You can buy (offer a price)"));
    CHECK_FALSE(has(text(0, settings), "sell (ask"));
    CHECK_FALSE(has(text(1, settings), "buy (offer"));
    // What a deal is worth is said once, and not at all where the paper says nothing of it.
    CHECK(has(text(0, settings), "A deal gives the buyer the budget less the price") ==
          (preset == "agon"));
    CHECK_FALSE(has(text(0, settings), "A deal brings you"));
  }
}

}  // namespace llm_tellings_test
