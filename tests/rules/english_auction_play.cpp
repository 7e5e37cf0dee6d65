// Whole auctions: discounts, re-asks, orders, probes, learning, and properties of random play.

#include <algorithm>
#include <cmath>
#include <set>

#include "english-auction/strategies.hpp"
#include "english_auction_support.hpp"

using namespace english_auction_test;
using namespace english_auction;

namespace {

/// Bids by dice: mostly legal, now and then too much or too little, and any probe at random.
class Haphazard final : public agon::Agent {
 public:
  void answer(agon::Question& question) const override {
    Bid* bid = question.answer<Bid>();
    if (bid == nullptr) return question.draw();
    const BidView* view = question.view<BidView>();
    agon::Dice dice = question.dice();
    const std::uint64_t mood = dice.below(10);
    if (mood < 3)
      bid->move = Withdraw{};
    else if (mood == 3)
      bid->move = Raise{view->budget + agon::Money{1}};
    else if (mood == 4)
      bid->move = Raise{view->minimum - agon::Money{1}};
    else
      bid->move = Raise{view->minimum + agon::Money{dice.between(0, 99999)}};
  }
  [[nodiscard]] bool answers_probes() const override { return true; }
};

/// Plays like another agent, but declines every probe.
class Silent final : public agon::Agent {
 public:
  explicit Silent(const agon::Agent& agent) : agent_(agent) {}
  void answer(agon::Question& question) const override { agent_.answer(question); }

 private:
  const agon::Agent& agent_;
};

std::vector<std::string> order_of_sale(const Played& played) {
  std::vector<std::string> names;
  const boost::json::value opening = json(played.event("opening").json);
  for (const boost::json::value& item : opening.at("items").as_array())
    names.push_back(text(item, "item"));
  return names;
}

}  // namespace

TEST_CASE("English auction: a discounted item is open to all again (section 1.2)") {
  const Played played = ScriptedMatch(auction(), settings(3, kOneItem, R"("discount": true)"))
                            .seat(0, moves({0, 500, 0}))
                            .seat(1, moves({0, 550, 650}))
                            .seat(2, moves({0, 0}))
                            .play();
  REQUIRE(played.count("discount") == 1);
  CHECK(hammer(played, 0).winner == "Bidder 2");
  CHECK(hammer(played, 0).price == 550);
  CHECK(played.metric("discounts") == 1);
  // The least raise follows the price as it stands.
  const boost::json::value view = json(played.asked.back().view_json);
  CHECK(number(view, "increment") == 50);
  CHECK(number(view, "minimum") == 600);
  CHECK(number(view, "start_price") == 500);
}

TEST_CASE("English auction: too many bad bids end in a forced withdrawal (section 1.2)") {
  const Played played = ScriptedMatch(auction(), settings(2, kOneItem))
                            .seat(0, moves({1000, 1300}))
                            .seat(1, moves({1100, 1050, 1090, 1}))
                            .reasks(2)
                            .play();
  // Bidder 2 leads with 1100, Bidder 1 raises to 1300, and Bidder 2 never finds a legal bid.
  CHECK(hammer(played, 0).winner == "Bidder 1");
  REQUIRE(played.count("forced-withdrawal") == 1);
  const agon::test::Said& event = played.event("forced-withdrawal");
  CHECK(event.audience == 0);
  CHECK(text(json(event.json), "bidder") == "Bidder 2");
  CHECK(number(json(event.json), "attempts") == 3);
  CHECK(played.metric("forced_withdrawals", 1) == 1);
  CHECK(played.metric("failed_bids", 1) == 3);
  CHECK(played.metric("total_bids", 1) == 4);
  CHECK(played.metric("failed_rate", 1) == 0.75);
  CHECK(played.metric("failed_bids", 0) == 0);
}

TEST_CASE("English auction: what cannot be read is an answer, but no failed bid (section 1.2)") {
  const Played played = ScriptedMatch(auction(), settings(2, kOneItem))
                            .seat(0, moves({1000, 1300}))
                            .seat(1, {R"("I bid a lot")", R"({"move": {"kind": "fly"}})", bid(999),
                                      bid(1100), bid(1399), R"({"move": {}})", out()})
                            .play();
  CHECK(hammer(played, 0).winner == "Bidder 1");
  CHECK(played.metric("total_bids", 1) == 7);
  CHECK(played.metric("failed_bids", 1) == 2);
  CHECK(played.metric("failed_rate", 1) == Approx(2.0 / 7));
  CHECK(played.metric("failed_bids") == 2);
}

TEST_CASE("English auction: the most rounds end a bidding") {
  const Played played = ScriptedMatch(auction(), settings(2, kOneItem, R"("most_rounds": 2)"))
                            .seat(0, moves({1000, 1200, 1400}))
                            .seat(1, moves({1100, 1300}))
                            .play();
  CHECK(hammer(played, 0).winner == "Bidder 1");
  CHECK(hammer(played, 0).price == 1200);
  CHECK(played.metric("capped") == 1);
}

TEST_CASE("English auction: the order of sale is drawn, listed, or partly given") {
  const auto order = [](const std::string& more, std::uint64_t luck) {
    return order_of_sale(
        ScriptedMatch(auction(), R"({"arena": "ten")" + more + "}").luck(luck).play());
  };
  const std::vector<std::string> listed = order(R"(, "shuffle": false)", 1);
  CHECK(listed.front() == "Widget A");
  CHECK(listed.back() == "Mechanism J");
  std::set<std::vector<std::string>> seen;
  for (std::uint64_t luck = 1; luck <= 20; ++luck) {
    std::vector<std::string> drawn = order("", luck);
    seen.insert(drawn);
    std::sort(drawn.begin(), drawn.end());
    std::vector<std::string> all = listed;
    std::sort(all.begin(), all.end());
    CHECK(drawn == all);
    const std::vector<std::string> pinned =
        order(R"(, "order": ["*", "Equipment E", "Mechanism J"])", luck);
    CHECK(pinned[1] == "Equipment E");
    CHECK(pinned[2] == "Mechanism J");
    CHECK(std::set<std::string>(pinned.begin(), pinned.end()).size() == 10);
  }
  CHECK(seen.size() >= 19);
}

TEST_CASE("English auction: ties are even, and the published code's are not") {
  const auto wins = [](const std::string& rule) {
    std::vector<int> count(3);
    for (std::uint64_t luck = 1; luck <= 400; ++luck) {
      const Played played =
          ScriptedMatch(auction(), settings(3, kOneItem, R"("ties": ")" + rule + '"'))
              .seat(0, moves({1000, 0}))
              .seat(1, moves({1000, 0}))
              .seat(2, moves({1000, 0}))
              .luck(luck)
              .play();
      ++count[static_cast<std::size_t>(hammer(played, 0).winner.back() - '1')];
    }
    return count;
  };
  // Fixed chance, so the counts are fixed; the bounds are four standard deviations wide.
  for (const int n : wins("uniform")) CHECK(std::abs(n - 133) < 38);
  const std::vector<int> coins = wins("repeated_coin");
  CHECK(std::abs(coins[0] - 100) < 35);
  CHECK(std::abs(coins[1] - 100) < 35);
  CHECK(std::abs(coins[2] - 200) < 40);
}

TEST_CASE("English auction: one chance draws one winner, whoever else is tied") {
  const auto winner = [](const std::string& rule, const std::set<int>& tied, std::uint64_t luck) {
    ScriptedMatch match(auction(), settings(3, kOneItem, R"("ties": ")" + rule + '"'));
    for (int seat = 0; seat < 3; ++seat)
      match.seat(seat, tied.contains(seat) ? moves({1000, 0}) : moves({0}));
    return hammer(match.luck(luck).play(), 0).winner.back() - '1';
  };
  for (const char* rule : {"uniform", "repeated_coin"}) {
    for (std::uint64_t luck = 1; luck <= 60; ++luck) {
      const int first = winner(rule, {0, 1, 2}, luck);
      for (const std::set<int>& pair : {std::set{0, 1}, std::set{0, 2}, std::set{1, 2}})
        if (pair.contains(first)) CHECK(winner(rule, pair, luck) == first);
    }
  }
}

TEST_CASE("English auction: legal bids are stated as limits, or only checked afterwards") {
  const auto complaints = [](const std::string& preset) {
    return ScriptedMatch(auction(), R"({"preset": ")" + preset +
                                        R"(", "items": [{"name": "A"}], "bidders": [
                               {"planning": "none", "beliefs": false},
                               {"planning": "none", "beliefs": false, "budget": 900}]})")
        .seat(0, moves({1000}))
        .seat(1, moves({1000, 950, 0}))
        .play();
  };
  for (const char* preset : {"agon", "paper"}) {
    const Played played = complaints(preset);
    CHECK(hammer(played, 0).winner == "Bidder 1");
    CHECK(played.metric("failed_bids", 1) == 2);
  }
  const auto view = [&](const std::string& preset) {
    return json(complaints(preset).asked.front().view_json);
  };
  CHECK(number(view("agon"), "estimate") == 2200);
  CHECK(view("paper").at("estimate").is_null());  // it does not plan
}

TEST_CASE("English auction: money is conserved over random play") {
  const Haphazard haphazard;
  for (std::uint64_t luck = 1; luck <= 60; ++luck) {
    ScriptedMatch match(auction(), luck % 2 == 0
                                       ? R"({"discount": true, "everyone": {"budget": 6000.5}})"
                                       : R"({"seats": 5, "arena": "twenty", "ties": "repeated_coin",
                                            "preset": "paper"})");
    const int seats = luck % 2 == 0 ? 3 : 5;
    for (int seat = 0; seat < seats; ++seat) match.agent(seat, haphazard);
    const Played played = match.luck(luck).play();
    const double budget = luck % 2 == 0 ? 600050 : 1000000;
    double spent = 0;
    double profit = 0;
    double won = 0;
    for (int seat = 0; seat < seats; ++seat) {
      CHECK(played.metric("money_left", seat) >= 0);
      CHECK(played.metric("money_left", seat) + played.metric("spent", seat) == budget);
      CHECK(played.metric("regret", seat) >= 0);
      CHECK(played.metric("failed_bids", seat) <= played.metric("total_bids", seat));
      CHECK(played.metric("belief_self_errors", seat) <= played.metric("belief_self_total", seat));
      CHECK(played.outcome[seat].score == played.metric("profit", seat));
      CHECK(played.outcome[seat].disagreement == 0);
      CHECK(played.outcome[seat].ideal > 0);
      spent += played.metric("spent", seat);
      profit += played.metric("profit", seat);
      won += played.metric("items_won", seat);
    }
    CHECK(spent == played.metric("revenue"));
    CHECK(profit == played.metric("surplus"));
    CHECK(profit == played.metric("value_sold") - played.metric("revenue"));
    CHECK(won == played.metric("items_sold"));
    CHECK(won + played.metric("items_unsold") == (luck % 2 == 0 ? 10 : 20));
    // Every price is a bid that somebody could make.
    for (std::size_t i = 0; i < played.count("hammer"); ++i)
      CHECK(100 * hammer(played, i).price <= budget);
  }
}

TEST_CASE("English auction: declined probes leave play unchanged") {
  const ValueCap bidder({});
  const Silent silent(bidder);
  for (std::uint64_t luck = 1; luck <= 10; ++luck) {
    const auto play = [&](const agon::Agent& agent) {
      return ScriptedMatch(auction())
          .agent(0, agent)
          .agent(1, agent)
          .agent(2, agent)
          .luck(luck)
          .play();
    };
    const Played with = play(bidder);
    const Played without = play(silent);
    for (int seat = 0; seat < 3; ++seat) {
      CHECK(with.outcome[seat].score == without.outcome[seat].score);
      CHECK(with.metric("total_bids", seat) == without.metric("total_bids", seat));
      CHECK(with.metric("plans", seat) == 10);
      CHECK(without.metric("plans", seat) == 0);
    }
    CHECK(with.metric("revenue") == without.metric("revenue"));
  }
}

TEST_CASE("English auction: a bidder sees nothing of what only another one knows") {
  const auto play = [](const std::string& other) {
    return ScriptedMatch(auction(),
                         R"({"arena": "demo", "shuffle": false, "bidders": [{}, )" + other + "]}")
        .seat(0, moves({1000, 1200, 0, 1000, 0, 0, 0}))
        .seat(1, moves({1000, 1300, 0, 1100, 1100, 0}))
        .probes(0, "plan", {R"({"priorities": {"Widget A": 3, "Gadget B": 2, "Thingamajig C": 1,
                                               "Doodad D": 1, "Equipment E": 1}})"})
        .probes(0, "belief",
                {R"({"remaining_budget": 1, "total_profits": {"Bidder 2": 3},
                     "winning_bids": {"Bidder 2": []}})",
                 R"({"remaining_budget": 10000, "total_profits": {"Bidder 1": 0, "Bidder 2": 700},
                     "winning_bids": {}})"})
        .play();
  };
  const Played plain = play("{}");
  const Played other = play(
      R"({"budget": 8000, "overestimate": -40, "desire": "specific_items",
          "wanted": ["Widget A"], "planning": "none", "beliefs": false})");
  const auto seen = [](const Played& played) {
    std::vector<std::string> all;
    for (const agon::test::Said& said : played.said)
      if ((said.audience & 1U) != 0) all.push_back(said.name + " " + said.json);
    for (const agon::test::Asked& asked : played.asked)
      if (asked.seat == 0) all.push_back(asked.stage + " " + asked.view_json);
    return all;
  };
  CHECK(seen(plain).size() > 20);
  CHECK(seen(plain) == seen(other));
}

TEST_CASE("English auction: plans are followed up (section 1.8)") {
  const std::string first = R"({"priorities": {"A": 3, "B": 1, "C": 2}})";
  const Played played =
      ScriptedMatch(auction(),
                    R"({"seats": 2, "shuffle": false,
                        "items": [{"name": "A"}, {"name": "B"}, {"name": "C"}]})")
          .seat(0, moves({1000, 1200, 0, 1000, 0}))
          .seat(1, moves({1000, 1000, 1100}))
          .probes(0, "plan", {first})
          .probes(0, "replan",
                  {R"({"priorities": {"B": 1, "C": 2}})", R"({"priorities": {"C": 3}})"})
          .play();
  CHECK(played.metric("plans", 0) == 3);
  CHECK(played.metric("plan_changes", 0) == 1);
  boost::json::value pair;
  for (std::size_t i = 0; i < played.count("engagement"); ++i) {
    pair = json(played.event("engagement", i).json);
    if (text(pair, "bidder") == "Bidder 1" && text(pair, "item") == "C") break;
  }
  CHECK(number(pair, "initial_priority") == 2);
  CHECK(number(pair, "current_priority") == 3);
  CHECK(number(pair, "bids") == 1);
  CHECK(std::isnan(played.metric("initial_plan_bids", 1)));
  // Bids 1 or 2, 0, 1 against priorities 3, 1, 2 (first) and 3, 1, 3 (held).
  CHECK(played.metric("initial_plan_bids", 0) > 0.8);
  CHECK(played.metric("current_plan_bids", 0) > 0.8);
  // The plan is on the table when a bid is asked for.
  for (const agon::test::Asked& asked : played.asked)
    if (asked.seat == 0 && asked.stage == "bid")
      CHECK_FALSE(json(asked.view_json).at("priority").is_null());
}

TEST_CASE("English auction: after so many checks a belief is taken as it is (section 1.5)") {
  const std::string wrong =
      R"({"remaining_budget": 1, "total_profits": {"Bidder 1": 0, "Bidder 2": 0},
          "winning_bids": {"Bidder 1": [], "Bidder 2": []}})";
  const auto play = [&](const std::string& everyone) {
    return ScriptedMatch(auction(), R"({"seats": 2, "shuffle": false, "everyone": )" + everyone +
                                        R"(, "items": [{"name": "A"}, {"name": "B"}]})")
        .probes(0, "belief", std::vector<std::string>(8, wrong))
        .play();
  };
  SECTION("four checks, five answers, then the next item") {
    const Played played = play("{}");
    CHECK(played.metric("belief_answers", 0) == 8);
    CHECK(played.count("belief-checked") == 4 + 3);
    CHECK(played.metric("belief_self_errors", 0) == 7);
    CHECK(played.metric("belief_self_total", 0) == 21);
    std::vector<boost::json::value> views;
    for (const agon::test::Asked& asked : played.asked)
      if (asked.stage == "belief") views.push_back(json(asked.view_json));
    CHECK(views[0].at("corrections").as_array().empty());
    CHECK(views[4].at("corrections").as_array().size() == 1);
    CHECK(number(views[4], "last_budget") == 10000);
    // The second item starts from what was said last, without yesterday's corrections.
    CHECK(views[5].at("corrections").as_array().empty());
    CHECK(number(views[5], "last_budget") == 1);
  }
  SECTION("without correction each item has one answer") {
    const Played played = play(R"({"correct_beliefs": false})");
    CHECK(played.metric("belief_answers", 0) == 2);
    CHECK(played.metric("belief_self_rate", 0) == Approx(1.0 / 3));
  }
  SECTION("who is not asked does not answer") {
    CHECK(play(R"({"beliefs": false})").metric("belief_answers", 0) == 0);
  }
}

TEST_CASE("English auction: what is learned goes along a sequence (section 1.6)") {
  const std::string settings =
      R"({"shuffle": false, "items": [{"name": "A"}], "bidders": [{"learning": true}, {}]})";
  const Played one = ScriptedMatch(auction(), settings)
                         .seat(0, moves({1500}))
                         .seat(1, moves({0}))
                         .probes(0, "learn", {R"({"tips": ["too early"]})"})
                         .play();
  CHECK(std::none_of(one.asked.begin(), one.asked.end(),
                     [](const agon::test::Asked& asked) { return asked.stage == "learn"; }));
  REQUIRE_FALSE(one.carried[0].empty());
  CHECK(one.carried[1].empty());
  const boost::json::value memo = json(one.carried[0]);
  CHECK_THAT(text(memo, "log"), Catch::Matchers::Contains("Sold to Bidder 1 for $1,500"));
  CHECK_THAT(text(memo, "log"), !Catch::Matchers::Contains("has $8,500 left"));
  CHECK_THAT(text(memo, "report"), Catch::Matchers::Contains("has $8,500 left"));
  CHECK(memo.at("learnings").as_array().empty());

  const Played two = ScriptedMatch(auction(), settings)
                         .carried(0, one.carried[0])
                         .seat(0, moves({1000}))
                         .seat(1, moves({0}))
                         .probes(0, "learn", {R"({"tips": ["Open at the start price."]})"})
                         .play();
  REQUIRE(two.asked.front().stage == "learn");
  CHECK(text(json(two.asked.front().view_json), "log") == text(memo, "log"));
  CHECK(two.metric("tips", 0) == 1);
  for (const agon::test::Asked& asked : two.asked)
    if (asked.stage != "learn")
      CHECK(json(asked.view_json).at("tips").as_array().size() == (asked.seat == 0 ? 1 : 0));
  CHECK(json(two.carried[0]).at("learnings").as_array().size() == 1);

  const Played three = ScriptedMatch(auction(), settings)
                           .carried(0, two.carried[0])
                           .probes(0, "learn", {"decline"})
                           .play();
  CHECK(three.metric("tips", 0) == 0);
  CHECK(json(three.carried[0]).at("learnings").as_array().empty());
}

TEST_CASE("English auction: scores follow the desire") {
  const std::string bidders =
      R"({"shuffle": false, "items": [{"name": "A"}, {"name": "B"}, {"name": "C"}], "bidders": [
          {"desire": "items", "beliefs": false, "planning": "none"},
          {"desire": "specific_items", "wanted": ["C"], "beliefs": false, "planning": "none"}]})";
  const Played played = ScriptedMatch(auction(), bidders)
                            .seat(0, moves({2500, 1000, 0}))
                            .seat(1, moves({0, 0, 1800}))
                            .play();
  // Shown with two decimals, as amounts are: 2.00 items of 3.00.
  CHECK(played.outcome[0].score == 200);
  CHECK(played.outcome[0].ideal == 300);
  CHECK(played.outcome[1].score == 100);
  CHECK(played.outcome[1].ideal == 100);
  // Ranks go by profit all the same: 500 against 200.
  CHECK(played.outcome[0].rank == 1);
  CHECK(played.outcome[1].rank == 2);
  CHECK(played.metric("overpaid", 0) == 30000);
  CHECK(played.metric("losses", 0) == 50000);
}

TEST_CASE("English auction: regret is overpaying plus the best deal left out") {
  const Played played =
      ScriptedMatch(auction(), settings(2, R"([{"name": "A"}, {"name": "B"}, {"name": "C"}])"))
          .seat(0, moves({2300, 0, 0}))
          .seat(1, moves({0, 1500, 0}))
          .play();
  // A cost 100 over the estimate of 2200; B could have been had for 1600, C for 1000.
  CHECK(played.metric("overpaid", 0) == 10000);
  CHECK(played.metric("missed", 0) == 120000);
  CHECK(played.metric("regret", 0) == 130000);
  CHECK(played.metric("missed", 1) == 120000);
  CHECK(played.metric("efficiency") == Approx(2.0 / 3));
}
