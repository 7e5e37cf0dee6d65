// What bidders read: units, rounds and who is spoken of, in every format.

#include "catch.hpp"
#include "clock-auction/game.hpp"
#include "clock-auction/messages.hpp"
#include "ebay/game.hpp"
#include "ebay/play.hpp"
#include "english-auction/messages.hpp"
#include "model_table.hpp"
#include "sealed-bid/game.hpp"
#include "sealed-bid/messages.hpp"

namespace llm_auction_words_test {
namespace {

using namespace agon;
using namespace agon::test;

/// All last messages of a match of models that answer at random, but where `say` has an answer.
std::vector<std::string> questions(std::string_view game, const std::string& settings,
                                   const std::string& parts, ScriptedModel::Say say = {}) {
  const auto model = std::make_shared<ScriptedModel>(std::move(say));
  ModelTable(game, settings).everybody(parts, model).play_to_end();
  std::vector<std::string> texts;
  for (const auto& asked : model->asked()) texts.push_back(asked.last());
  REQUIRE(!texts.empty());
  return texts;
}

}  // namespace

TEST_CASE("money in words has its thousands apart and stands right in tables") {
  CHECK(with_thousands(0) == "0");
  CHECK(with_thousands(999) == "999");
  CHECK(with_thousands(1000) == "1,000");
  CHECK(with_thousands(-1000) == "-1,000");
  CHECK(with_thousands(-999) == "-999");
  CHECK(with_thousands(1234567) == "1,234,567");
  CHECK(money_text(major(10000)) == "$10,000");
  CHECK(money_text({-123456705}) == "-$1,234,567.05");
  constexpr std::array<std::string_view, 2> headings{"name", "bid"};
  const std::vector<std::vector<std::string>> rows{{"Ann", "$5"}, {"Bob", "$10,000"}};
  CHECK(small_table(headings, rows) == "  name      bid\n  Ann        $5\n  Bob   $10,000");
  CHECK(auction_values::amount_text(1000, auction_values::Currency::yen) == "1,000 yen");
  CHECK(auction_values::amount_text(-1, auction_values::Currency::dollars) == "-1 dollar");
}

TEST_CASE("the common practice of bidding is said where it is set: when an item is opened") {
  const auto hints = [](const std::string& settings) {
    std::size_t opened = 0, later = 0, unhinted = 0;
    for (const std::string& text : questions("english-auction", settings, "")) {
      if (!has(text, "Do you bid, and how much")) continue;
      const bool is_hinted = has(text, "It is common to open low");
      const bool is_opening = has(text, "This is round 1 of");
      opened += is_hinted && is_opening;
      later += is_hinted && !is_opening;
      unhinted += !is_hinted && is_opening;
    }
    CHECK(later == 0);
    CHECK((opened == 0 || unhinted == 0));
    return opened;
  };
  CHECK(hints(R"({"arena": "demo"})") == 0);
  CHECK(hints(R"({"arena": "demo", "opening_hint": true})") > 0);
  CHECK(hints(R"({"arena": "demo", "preset": "paper"})") > 0);
}

TEST_CASE("bidders are not told in a plan what to think about") {
  for (const std::string& text :
       questions("english-auction", R"({"arena": "demo"})", "planning=adaptive")) {
    check_lacks(text, {"Think about which", "Consider who"});
  }
}

TEST_CASE("priorities stand with the items to come in the order of sale; those sold are left out") {
  const auto model = std::make_shared<ScriptedModel>();
  ModelTable("english-auction", R"({"arena": "demo"})")
      .everybody("memory=none planning=adaptive", model)
      .play_to_end();
  // The game asks for plans: nobody makes one on the side.
  CHECK(model->count("plan") == 0);
  std::size_t bids = 0;
  for (const auto& asked : model->asked()) {
    const std::string& text = asked.last();
    // Reasons and no list in the order of the alphabet.
    CHECK_FALSE(has(text, "priorities:"));
    if (!has(text, "is under the hammer")) continue;
    ++bids;
    CHECK(has(text, "Your priority for it is "));
    const std::size_t at = text.find("Still to come after it:\n");
    REQUIRE((at == std::string::npos) == has(text, "Item 5, "));
    if (at != std::string::npos) CHECK(has(text.substr(at, 100), "your priority"));
  }
  CHECK(bids > 0);
}

TEST_CASE("a bidder's account of the auction is told in sentences, and nobody is asked twice") {
  const auto model = std::make_shared<ScriptedModel>();
  ModelTable("english-auction", R"({"arena": "demo", "preset": "paper"})")
      .everybody("memory=none planning=adaptive beliefs=on", model)
      .play_to_end();
  CHECK(model->count("beliefs") == 0);
  std::size_t bids = 0, plans = 0;
  for (const auto& asked : model->asked()) {
    const std::string& text = asked.last();
    CHECK_FALSE(has(text, "remaining_budget"));
    const bool is_bid = has(text, "is under the hammer") && !has(text, "Item 1, ");
    const bool is_plan = has(text, "Look over your plan");
    if (!is_bid && !is_plan) continue;
    (is_bid ? bids : plans) += 1;
    // The account, right or wrong, and none of the true figures.
    check_has(text, {"By your own last account you have $", "\n- Bidder 1: profit "});
    check_lacks(text, {"You have $", "The items sold so far", "You have won"});
  }
  CHECK(bids > 0);
  CHECK(plans > 0);
}

TEST_CASE("what was wrong in an account of oneself is said to oneself") {
  std::size_t corrected = 0;
  for (const std::string& text :
       questions("english-auction", R"({"arena": "demo"})", "beliefs=corrected")) {
    if (!has(text, "What was wrong in your last answer:")) continue;
    corrected += has(text, "- your total profit is ");
    CHECK_FALSE((has(text, "the total profit of Bidder 1 is") && has(text, "profit of Bidder 2") &&
                 has(text, "profit of Bidder 3")));
  }
  CHECK(corrected > 0);
}

TEST_CASE("bidders at an auction hear each other and the seller hears nothing") {
  const auto say = [](const ModelRequest& request) {
    const std::string& asked = request.messages.back().text;
    if (has(asked, "What do you say to the other bidders?")) return said(R"({"text":"psst"})");
    if (has(asked, "At what price does the bidding start"))
      return said(R"({"start_price":1000,"reserve":1500})");
    return said(R"({"move":{"kind":"withdraw"}})");
  };
  const std::string settings =
      R"({"preset": "laboratory", "arena": "demo", "talk": 2, "desires": ["profit", "spite", "shill"]%})";
  const auto texts = [&](const std::string& more) {
    std::string all = settings;
    all.replace(all.find('%'), 1, more);
    return questions("english-auction", all, "memory=none", say);
  };
  std::size_t bids = 0, second = 0, puts = 0, spiteful = 0, shills = 0;
  for (const std::string& text : texts("")) {
    CHECK_FALSE(has(text, "to you alone) Before"));
    if (has(text, "Do you bid, and how much")) {
      check_has(text, {"- (to the bidders, not to the seller) Before the bidding for ",
                       ", message 2 of 2: "});
      CHECK((has(text, "you said \"psst\"") && has(text, "Bidder")));
      ++bids;
    }
    if (has(text, "this is message 2 of 2")) second += has(text, ", message 1 of 2: ");
    if (has(text, "At what price does the bidding start")) {
      CHECK_FALSE(has(text, "psst"));
      CHECK(has(text, "You may set a reserve"));
      ++puts;
    }
    spiteful += has(text, "less 50% of the mean profit of the other bidders");
    shills += has(text, "You work in secret for the seller");
    CHECK_FALSE((has(text, "You work in secret") && has(text, "less 50% of the mean")));
  }
  CHECK(bids == 15);
  CHECK(second == 15);
  CHECK(puts == 5);
  CHECK(spiteful > 0);
  CHECK(shills > 0);
  // What all hear is an event for all.
  bool heard = false;
  for (const std::string& text : texts(R"(, "seller_hears": true)"))
    heard = heard || (has(text, "At what price does the bidding start") && has(text, "psst"));
  CHECK(heard);
}

TEST_CASE("a relative aim stands in the rules and in every question of a bidder") {
  const auto model = std::make_shared<ScriptedModel>();
  ModelTable("english-auction",
             R"({"arena": "demo", "aim": "relative", "desires": ["profit", "items"]})")
      .everybody("memory=none planning=adaptive", model)
      .play_to_end();
  std::size_t profits = 0, items = 0;
  for (const auto& asked : model->asked()) {
    const std::string text = asked.text();
    CHECK(has(text, "A bidder wants more profit than every other bidder"));
    check_lacks(text, {"as much profit as possible", "as many items as possible"});
    if (!has(asked.last(), "Do you bid, and how much")) continue;
    profits += has(asked.last(), "You want to end the auction with more profit than every other");
    items += has(asked.last(), "You want to end the auction with more items than every other");
  }
  CHECK(profits > 0);
  CHECK(items > 0);
  for (const std::string& text :
       questions("english-auction", R"({"arena": "demo"})", "memory=none"))
    CHECK_FALSE(has(text, "than every other bidder"));
}

TEST_CASE("what a bidder notes of the others is in its later questions, and in nobody else's") {
  const std::string mark = "You are Bidder ";
  const auto reader_of = [&](const std::string& text) {
    const std::size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    return text.substr(at + mark.size(), 1);
  };
  const auto say = [&](const ModelRequest& request) {
    const std::string& asked = request.messages.back().text;
    if (has(asked, "Do you bid, and how much")) return said(R"({"move":{"kind":"withdraw"}})");
    return said(R"({"rivals":"a secret of )" + reader_of(request.messages.front().text) +
                R"(","remaining_budget":10000,"total_profits":{"Bidder 1":0,"Bidder 2":0,
                "Bidder 3":0},"winning_bids":{"Bidder 1":[],"Bidder 2":[],"Bidder 3":[]}})");
  };
  const auto model = std::make_shared<ScriptedModel>(say);
  ModelTable("english-auction", R"({"arena": "demo", "preset": "paper", "sum_up": true,
                     "everyone": {"planning": "none"}})")
      .everybody("memory=none beliefs=corrected", model)
      .play_to_end();
  std::size_t asks = 0, bids = 0, before = 0;
  for (const auto& asked : model->asked()) {
    const std::string text = asked.text();
    const std::string reader = reader_of(text);
    for (const std::string other : {"1", "2", "3"})
      CHECK((other == reader || !has(text, "a secret of " + other)));
    asks += has(asked.last(), "what was notable in what the other bidders did");
    if (!has(asked.last(), "Do you bid")) continue;
    const bool noted = has(text, "What you noted of the other bidders: \"a secret of " + reader);
    (has(asked.last(), "Item 1, ") ? before : bids) += noted;
  }
  CHECK(asks == 15);
  CHECK(bids == 12);
  CHECK(before == 0);
}

TEST_CASE("what the seller does in the middle of the bidding is told to the bidders") {
  const auto say = [](const ModelRequest& request) {
    const std::string& asked = request.messages.back().text;
    if (has(asked, "Does the bidding go on as it is"))
      return said(R"({"action":{"kind":"change_step","step":600},"words":"Wake up"})");
    if (has(asked, "At what price does the bidding start"))
      return said(R"({"start_price":1000,"reserve":0})");
    if (has(asked, "This is round 1 of") && has(asked, "start price of $1,000"))
      return said(R"({"move":{"kind":"raise","amount":1000}})");
    return said(R"({"move":{"kind":"withdraw"}})");
  };
  std::size_t told = 0, conducts = 0;
  for (const std::string& text :
       questions("english-auction",
                 R"({"preset": "laboratory", "arena": "demo", "talk": 0, "seller_acts": true})",
                 "memory=none", say)) {
    if (has(text, "Does the bidding go on as it is")) {
      ++conducts;
      check_has(text, {"2 bidders may still raise, by at least $100.",
                       "set the least raise for this item to $100 to $1,000"});
      CHECK_FALSE(has(text, "Wake up"));
    }
    if (!has(text, "This is round 2 of")) continue;
    check_has(text, {"After round 1 Seller says \"Wake up\" and sets the least raise for ",
                     "A raise is at least $600 above that"});
    ++told;
  }
  CHECK(conducts == 4);  // nobody bids for the expensive item
  CHECK(told == 8);
}

TEST_CASE("a falling clock tells its round, and asks in its own words") {
  const std::string settings = R"({"preset": "dutch", "rounds": 2, "own_range": [0, 3]})";
  std::size_t taken = 0, looked_back = 0, planned = 0;
  for (const std::string& text :
       questions("clock-auction", settings, "memory=none learning=on planning=adaptive")) {
    if (has(text, "Do you take the item")) {
      CHECK((has(text, "This is round 1 of 2.") || has(text, "This is round 2 of 2.")));
      ++taken;
    }
    looked_back += has(text, "if you had taken the item earlier, or waited for longer");
    planned += has(text, "at which price do you take the item");
    check_lacks(text, {"you left at", "stayed in", "stopped earlier"});
  }
  CHECK(taken > 0);
  CHECK(looked_back > 0);
  CHECK(planned > 0);
}

TEST_CASE("rounds of a clock that know nothing of each other are told as one auction") {
  clock_auction::Settings s;
  s.plan = s.reflect = s.history = false;
  CHECK_FALSE(has(clock_auction::rules_text(s), "round"));
  s.clock = clock_auction::Clock::ascending_blind;
  CHECK_FALSE(has(clock_auction::rules_text(s), "round"));
  s.plan = true;
  CHECK(has(clock_auction::rules_text(s), "in each of 10 rounds"));
}

TEST_CASE("a rising clock says when a call is the last, and units with amounts") {
  clock_auction::Settings settings;
  const std::array<std::string_view, 2> seats{"Ann", "Bob"};
  const Scene scene(seats, &settings);
  clock_auction::StayView view;
  view.round = 2, view.rounds = 10, view.value = 1, view.price = 0, view.next_price = 1;
  CHECK(tell(view, scene) ==
        "This is round 2 of 10. The item is worth 1 dollar to you.\n"
        "The price is 0 dollars now; at the next call it will be 1 dollar.");
  view.price = view.next_price = 40;
  const std::array<clock_auction::Called, 1> calls{{{1, 0, 2}}};
  view.transcript = calls;
  check_has(tell(view, scene), {"At the first call of this round, at 0 dollars, 2 bidders left.",
                                "The price is 40 dollars now; this is the last call."});
  clock_auction::PastRound past{1, 8, 1, true, 1, 7, 7};
  CHECK(tell(past, scene) ==
        "Round 1: the item was worth 8 dollars to you. You left at 1 dollar, as did all who were "
        "still in. By a draw you got the item for 1 dollar and gained 7 dollars. Your profit of "
        "all rounds so far is 7 dollars.");
  past.exit = past.price = 40, past.profit = -32;
  CHECK(has(tell(past, scene),
            "You were in up to 40 dollars, where the clock stopped. By a draw "
            "you got the item for 40 dollars and lost 32 dollars."));
}

TEST_CASE("a sealed bid's plan is asked for before what its model of values gives") {
  sealed_bid::Settings settings;
  const Scene scene({}, &settings);
  const sealed_bid::PlanView view{1, 10, 100, 0, {}};
  for (const auto model :
       {auction_values::ValueModel::independent, auction_values::ValueModel::affiliated}) {
    settings.values = model;
    CHECK(has(tell(view, scene), "get to know what the item is worth to you only after"));
  }
  settings.values = auction_values::ValueModel::common;
  CHECK(has(tell(view, scene), "get your estimate of what the item is worth only after"));
  CHECK(has(sealed_bid::rules_text(settings), "you are told what the item was worth, your profit"));
}

TEST_CASE("who pays stands in the aim as in the rules") {
  sealed_bid::Settings settings;
  CHECK(has(sealed_bid::rules_text(settings),
            "less what you pay if you get the item, nothing if you do not"));
  settings.payment = sealed_bid::Payment::all_pay;
  const std::string all_pay = sealed_bid::rules_text(settings);
  CHECK(has(all_pay, "if you get the item, less your bid whether you get it or not"));
  CHECK_FALSE(has(all_pay, "nothing if you do not"));
}

TEST_CASE("an online auction says whose turn a price came after, where the order is told") {
  const Scene scene({}, nullptr);
  CHECK(tell(ebay::PriceLine{3, 2, "Bidder Betty", {5247}}, scene) ==
        "Day 3, after the turn of Bidder Betty: the price is $52.47.");
  CHECK(tell(ebay::PriceLine{10, 2, std::nullopt, major(1000)}, scene) ==
        "Day 10, after turn 2: the price is $1,000.");
  std::string text;
  for (const std::string& question : questions("ebay", R"({"days": 2})", "memory=none"))
    text += question;
  check_has(text, {"Day 1, after the turn of Bidder ", "Day 2, after turn 1: "});
  CHECK_FALSE(has(text, "Day 2, after the turn of"));
}

TEST_CASE("the most that an online auction takes is in its rules") {
  ebay::Settings settings;
  settings.highest_bid = major(1000);
  CHECK(has(ebay::rules_text(settings), "the most you are willing to pay, up to $1,000"));
}

}  // namespace llm_auction_words_test
