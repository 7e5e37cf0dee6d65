// The offer generator (section 1.6 of the rules of bargaining) and time-dependent concession.

#include <agon/error.hpp>
#include <cmath>

#include "bargaining/strategies.hpp"
#include "catch.hpp"

using namespace bargaining;
using agon::Money;

namespace {

void check_factors(const Ladder& ladder, int turns, std::vector<double> wanted) {
  const auto found = factors(ladder, turns, 1);
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO("share " << i);
    CHECK(found[i] == Approx(wanted[i]).epsilon(1e-12));
  }
}

BuyerView buyer_at(int turn, int turns, Money budget, std::span<const Money> asks) {
  BuyerView view;
  view.product.codename = "thing_1";
  view.budget = budget;
  view.turn = turn;
  view.max_turns = turns;
  view.seller_offers = asks;
  return view;
}

SellerView seller_at(int turn, int turns, Money list_price, Money cost,
                     std::span<const Money> bids) {
  SellerView view;
  view.product.list_price = list_price;
  view.cost = cost;
  view.turn = turn;
  view.max_turns = turns;
  view.buyer_offers = bids;
  return view;
}

OfferGenerator generator(Shape shape) {
  OfferGenerator::Params params;
  params.shape = shape;
  return OfferGenerator(params);
}

}  // namespace

TEST_CASE("Bargaining 1.6: linear shares for six turns") {
  check_factors({}, 6, {0.5, 0.6, 0.7, 0.8, 0.9, 1.0});
}

TEST_CASE("Bargaining 1.6: exp shares rise by a tenth up to 1") {
  Ladder ladder;
  ladder.shape = Shape::exp;
  check_factors(ladder, 6, {0.5, 0.55, 0.605, 0.6655, 0.73205, 0.805255});
  const auto many = factors(ladder, 12, 1);
  CHECK(many[7] == Approx(0.5 * std::pow(1.1, 7)));
  CHECK(many[8] == 1.0);
  CHECK(many[11] == 1.0);
}

TEST_CASE("Bargaining 1.6: swish shares fall for half of the turns, then rise to 1") {
  Ladder ladder;
  ladder.shape = Shape::swish;
  check_factors(ladder, 6, {0.5, 0.48, 0.46, 0.44, 0.72, 1.0});
  check_factors(ladder, 5, {0.5, 0.48, 0.46, 0.73, 1.0});
  check_factors(ladder, 3, {0.5, 0.48, 1.0});
}

TEST_CASE("Bargaining 1.6 [R]: one turn gives the start, two end with the end") {
  for (const Shape shape : {Shape::linear, Shape::exp, Shape::swish, Shape::random}) {
    Ladder ladder;
    ladder.shape = shape;
    check_factors(ladder, 1, {0.5});
  }
  Ladder ladder;
  check_factors(ladder, 2, {0.5, 1.0});
  ladder.shape = Shape::swish;
  check_factors(ladder, 2, {0.5, 1.0});
  ladder.shape = Shape::exp;
  check_factors(ladder, 2, {0.5, 0.55});
}

TEST_CASE("Bargaining 1.6: random shares lie between start and end, and follow from the key") {
  Ladder ladder;
  ladder.shape = Shape::random;
  bool differs = false;
  int starts = 0, ends = 0;
  for (std::uint64_t key = 0; key < 200; ++key) {
    const auto shares = factors(ladder, 6, key);
    REQUIRE(shares.size() == 6);
    for (const double share : shares) {
      REQUIRE(share >= 0.5);
      REQUIRE(share <= 1.0);
      starts += share == 0.5 ? 1 : 0;
      ends += share == 1.0 ? 1 : 0;
    }
    REQUIRE(shares == factors(ladder, 6, key));
    differs = differs || !(shares == factors(ladder, 6, key + 1));
  }
  CHECK(differs);
  // Start and end are two of seven values, of which six are used: 6/7 of 200 each.
  CHECK(starts > 150);
  CHECK(starts < 195);
  CHECK(ends > 150);
  CHECK(ends < 195);
}

TEST_CASE("Bargaining 1.6: offers are shares of the exact budget, rounded to cents") {
  // L = 19.99, B = 15.992.
  CHECK(offer_of(0.5, Money{1599}, 200'000) == Money{800});   // 7.996
  CHECK(offer_of(0.6, Money{1599}, 200'000) == Money{960});   // 9.5952
  CHECK(offer_of(0.7, Money{1599}, 200'000) == Money{1119});  // 11.1944
  CHECK(offer_of(1.0, Money{1599}, 200'000) == Money{1599});  // 15.992
  CHECK(offer_of(0.5, Money{25}, 0) == Money{12});            // 0.125 is a true tie
  CHECK(offer_of(0.5, Money{75}, 0) == Money{38});            // 0.375 is a true tie
  CHECK(offer_of(0.5, Money{201}, 0) == Money{100});          // 1.005 is stored lower
}

TEST_CASE("Bargaining 1.6: the ladder of offers at a budget of 80.00") {
  const OfferGenerator buyer = generator(Shape::linear);
  const std::int64_t wanted[] = {4000, 4800, 5600, 6400, 7200, 8000};
  for (int turn = 1; turn <= 6; ++turn)
    CHECK(buyer.decide(buyer_at(turn, 6, Money{8000}, {}), 0) ==
          Action{Buy{Money{wanted[turn - 1]}}});
}

TEST_CASE("Bargaining 1.6: a deal needs an offer strictly below the next own one") {
  const OfferGenerator buyer = generator(Shape::linear);
  const auto at = [&](int turn, std::vector<Money> asks) {
    return buyer.decide(buyer_at(turn, 6, Money{8000}, asks), 0);
  };
  CHECK(at(2, {Money{4800}}) == Action{Buy{Money{4800}}});
  CHECK(at(2, {Money{4799}}) == Action{Deal{Money{4799}}});
  // The lowest of all earlier ones, not the latest.
  CHECK(at(4, {Money{9000}, Money{5000}, Money{6000}}) == Action{Deal{Money{5000}}});
  // The last turn offers the whole budget, and takes what is below it.
  CHECK(at(6, {Money{8000}}) == Action{Buy{Money{8000}}});
  CHECK(at(6, {Money{7999}}) == Action{Deal{Money{7999}}});
}

TEST_CASE("Bargaining 1.6: random never takes a deal") {
  const OfferGenerator buyer = generator(Shape::random);
  const std::vector<Money> asks{Money{1}};
  for (int turn = 1; turn <= 6; ++turn)
    CHECK(std::holds_alternative<Buy>(buyer.decide(buyer_at(turn, 6, Money{8000}, asks), 3)));
}

TEST_CASE("Bargaining: the offer generator refuses a start above the end") {
  OfferGenerator::Params params;
  params.start = 0.9;
  params.end = 0.8;
  CHECK_THROWS_AS(OfferGenerator(params), agon::Error);
}

TEST_CASE("Bargaining: time-dependent concession, boulware and conceder") {
  const auto conceded = [](double e, int t) {
    TimeDependent::Params params;
    params.concession = e;
    return TimeDependent(params).conceded(t, 5);
  };
  CHECK(conceded(1, 0) == 0);
  CHECK(conceded(1, 2) == 400'000);
  CHECK(conceded(1, 5) == 1'000'000);
  CHECK(conceded(0.5, 2) == 160'000);  // (2/5)^2
  CHECK(conceded(2, 4) == 894'427);    // (4/5)^(1/2)
  CHECK(conceded(0.01, 4) == 0);
  CHECK(conceded(0.01, 5) == 1'000'000);
  TimeDependent::Params params;
  params.at_once = 0.25;
  CHECK(TimeDependent(params).conceded(0, 5) == 250'000);
  CHECK(TimeDependent(params).conceded(2, 5) == 550'000);
  CHECK(TimeDependent(params).conceded(0, 0) == 1'000'000);
}

TEST_CASE("Bargaining: a time-dependent buyer rises to its budget and takes what is as good") {
  const TimeDependent buyer({});
  const auto at = [&](int turn, std::vector<Money> asks) {
    return buyer.decide(buyer_at(turn, 6, Money{8000}, asks));
  };
  CHECK(at(1, {}) == Action{Buy{Money{4000}}});
  CHECK(at(2, {Money{9000}}) == Action{Buy{Money{4800}}});
  CHECK(at(2, {Money{4800}}) == Action{Deal{Money{4800}}});
  CHECK(at(2, {Money{4801}}) == Action{Buy{Money{4800}}});
  CHECK(at(6, {Money{8000}, Money{8500}}) == Action{Deal{Money{8000}}});
  CHECK(at(6, {Money{8001}}) == Action{Buy{Money{8000}}});
}

TEST_CASE("Bargaining: a time-dependent seller falls to its cost and walks away at the end") {
  const TimeDependent seller({});
  const auto at = [&](int turn, std::vector<Money> bids) {
    return seller.decide(seller_at(turn, 6, Money{10000}, Money{5000}, bids));
  };
  CHECK(at(1, {Money{4000}}) == Action{Sell{Money{10000}}});
  CHECK(at(2, {Money{4000}}) == Action{Sell{Money{9000}}});
  CHECK(at(3, {Money{8000}, Money{4000}}) == Action{Deal{Money{8000}}});
  CHECK(at(6, {Money{4999}}) == Action{Quit{}});
  CHECK(at(6, {Money{5000}, Money{4000}}) == Action{Deal{Money{5000}}});
  // A cost above the list price: it asks for the cost.
  CHECK(seller.decide(seller_at(1, 6, Money{100}, Money{150}, {})) == Action{Sell{Money{150}}});
}

TEST_CASE("Bargaining: tit-for-tat comes as far as the other side came") {
  const TitForTat agent({});
  const std::vector<Utterance> asked{{1, Side::buyer, "", Buy{Money{3000}}},
                                     {1, Side::seller, "", Sell{Money{9500}}},
                                     {2, Side::buyer, "", Buy{Money{3700}}}};
  const auto sells = [&](int turn, std::vector<Money> bids) {
    SellerView view = seller_at(turn, 6, Money{10000}, Money{5000}, bids);
    if (turn > 1) view.history = asked;
    return agent.decide(view);
  };
  CHECK(sells(1, {Money{3000}}) == Action{Sell{Money{10000}}});
  CHECK(sells(2, {Money{3000}}) == Action{Sell{Money{9500}}});
  CHECK(sells(2, {Money{3000}, Money{3700}}) == Action{Sell{Money{8800}}});
  CHECK(sells(2, {Money{3700}, Money{3000}}) == Action{Sell{Money{9500}}});  // backed off
  CHECK(sells(2, {Money{1}, Money{4900}}) == Action{Sell{Money{5000}}});     // not below the cost
  CHECK(sells(2, {Money{1000}, Money{8500}}) == Action{Deal{Money{8500}}});
  CHECK(sells(6, {Money{5000}, Money{5000}}) == Action{Deal{Money{5000}}});
  CHECK(sells(6, {Money{4999}}) == Action{Quit{}});

  const std::vector<Utterance> bid{{1, Side::buyer, "", Buy{Money{4100}}},
                                   {1, Side::seller, "", Sell{Money{9500}}}};
  const auto buys = [&](int turn, std::vector<Money> asks) {
    BuyerView view = buyer_at(turn, 6, Money{8000}, asks);
    if (turn > 1) view.history = bid;
    return agent.decide(view);
  };
  CHECK(buys(1, {}) == Action{Buy{Money{4000}}});
  CHECK(buys(2, {Money{9500}}) == Action{Buy{Money{4100}}});
  CHECK(buys(3, {Money{9500}, Money{9000}}) == Action{Buy{Money{4600}}});
  CHECK(buys(3, {Money{9000}, Money{9500}}) == Action{Buy{Money{4100}}});
  CHECK(buys(3, {Money{90000}, Money{9000}}) == Action{Buy{Money{8000}}});
  CHECK(buys(3, {Money{9000}, Money{6000}}) == Action{Deal{Money{6000}}});
  CHECK(buys(6, {Money{8000}}) == Action{Deal{Money{8000}}});
  CHECK(buys(6, {Money{8001}}) == Action{Buy{Money{4100}}});
}

namespace {

/// An adversary of this style as the seller of a thing with a list price of 100.00, a cost of 50.00
/// and no price above 200.00; `own`: what it has asked so far.
Action presses(Pressure style, int turn, std::vector<Money> own, std::vector<Money> bids,
               Money highest = Money{20000}) {
  std::vector<Utterance> history;
  for (const Money price : own) history.push_back({1, Side::seller, "", Sell{price}});
  SellerView view = seller_at(turn, 6, Money{10000}, Money{5000}, bids);
  view.history = history;
  Adversary::Params params;
  params.style = style;
  return Adversary(params).decide(view, highest);
}

Action presses_to_buy(Pressure style, int turn, std::vector<Money> own, std::vector<Money> asks) {
  std::vector<Utterance> history;
  for (const Money price : own) history.push_back({1, Side::buyer, "", Buy{price}});
  BuyerView view = buyer_at(turn, 6, Money{8000}, asks);
  view.history = history;
  Adversary::Params params;
  params.style = style;
  return Adversary(params).decide(view);
}

}  // namespace

TEST_CASE("Bargaining: who anchors opens far out and then splits the difference") {
  constexpr Pressure style = Pressure::anchoring;
  CHECK(presses(style, 1, {}, {Money{4000}}) == Action{Sell{Money{15000}}});
  CHECK(presses(style, 1, {}, {Money{4000}}, Money{12000}) == Action{Sell{Money{12000}}});
  CHECK(presses(style, 2, {Money{15000}}, {Money{4000}, Money{5000}}) ==
        Action{Sell{Money{10000}}});
  // Not below the cost, and not beyond what it asked before.
  CHECK(presses(style, 3, {Money{15000}, Money{5200}}, {Money{1000}}) == Action{Sell{Money{5000}}});
  CHECK(presses(style, 2, {Money{9000}}, {Money{9000}}) == Action{Deal{Money{9000}}});
  CHECK(presses(style, 5, {Money{9000}}, {Money{6000}}) == Action{Sell{Money{7500}}});
  CHECK(presses(style, 6, {Money{9000}}, {Money{6000}}) == Action{Deal{Money{6000}}});
  CHECK(presses(style, 6, {Money{9000}}, {Money{4999}}) == Action{Quit{}});
  CHECK(presses_to_buy(style, 1, {}, {}) == Action{Buy{Money{1600}}});
  CHECK(presses_to_buy(style, 2, {Money{1600}}, {Money{9000}}) == Action{Buy{Money{5300}}});
  CHECK(presses_to_buy(style, 3, {Money{5300}}, {Money{90000}}) == Action{Buy{Money{8000}}});
  CHECK(presses_to_buy(style, 6, {Money{5300}}, {Money{8000}}) == Action{Deal{Money{8000}}});
}

TEST_CASE("Bargaining: who is stubborn has one price") {
  constexpr Pressure style = Pressure::stubborn;
  for (int turn = 1; turn < 6; ++turn)
    CHECK(presses(style, turn, {}, {Money{7499}}) == Action{Sell{Money{7500}}});
  CHECK(presses(style, 2, {}, {Money{7500}}) == Action{Deal{Money{7500}}});
  CHECK(presses(style, 6, {}, {Money{7499}}) == Action{Quit{}});  // also at the end
  for (int turn = 1; turn <= 6; ++turn)
    CHECK(presses_to_buy(style, turn, {}, {Money{4801}}) == Action{Buy{Money{4800}}});
  CHECK(presses_to_buy(style, 2, {}, {Money{4800}}) == Action{Deal{Money{4800}}});
  // Even its cost is more than may be asked.
  CHECK(presses(style, 1, {}, {}, Money{4000}) == Action{Reject{}});
}

TEST_CASE("Bargaining: who exploits gives nothing to who gives, and takes the best at the end") {
  constexpr Pressure style = Pressure::exploiting;
  CHECK(presses(style, 1, {}, {Money{4000}}) == Action{Sell{Money{10000}}});
  CHECK(presses(style, 3, {Money{10000}}, {Money{4000}, Money{6000}, Money{8000}}) ==
        Action{Sell{Money{10000}}});
  // It has stopped: a tenth of the way to the cost.
  CHECK(presses(style, 3, {Money{10000}}, {Money{6000}, Money{6000}}) == Action{Sell{Money{9500}}});
  CHECK(presses(style, 6, {Money{10000}}, {Money{6000}, Money{8000}, Money{7000}}) ==
        Action{Deal{Money{8000}}});
  CHECK(presses(style, 6, {Money{10000}}, {Money{4999}}) == Action{Quit{}});
  CHECK(presses_to_buy(style, 3, {Money{4000}}, {Money{9000}, Money{8000}}) ==
        Action{Buy{Money{4000}}});
  CHECK(presses_to_buy(style, 3, {Money{4000}}, {Money{9000}, Money{9000}}) ==
        Action{Buy{Money{4400}}});
  CHECK(presses_to_buy(style, 6, {Money{4000}}, {Money{7000}, Money{9000}}) ==
        Action{Deal{Money{7000}}});
}
