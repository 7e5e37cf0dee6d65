// Offers, deals and ends: sections 1.2 and 1.3 of the rules of bargaining.

#include "bargaining/play.hpp"
#include "catch.hpp"

using namespace bargaining;
using agon::Money;

namespace {

Message does(Action action) {
  return {"", action};
}

}  // namespace

TEST_CASE("Bargaining: a deal is at the very price of an offer") {
  CHECK(same_price(Money{10000}, Money{10000}, Tolerance::exact));
  CHECK_FALSE(same_price(Money{10000}, Money{9999}, Tolerance::exact));
}

TEST_CASE("Bargaining 1.2: a deal within one cent of an offer, in whole cents") {
  CHECK(same_price(Money{10000}, Money{9999}, Tolerance::cents));
  CHECK(same_price(Money{1002}, Money{1001}, Tolerance::cents));
  CHECK(same_price(Money{1001}, Money{1002}, Tolerance::cents));
  CHECK_FALSE(same_price(Money{1003}, Money{1001}, Tolerance::cents));
}

TEST_CASE("Bargaining 1.2: the published comparison rejects 100.00/99.99 and accepts 10.02/10.01") {
  CHECK_FALSE(same_price(Money{10000}, Money{9999}, Tolerance::binary));
  CHECK(same_price(Money{1002}, Money{1001}, Tolerance::binary));
  CHECK(same_price(Money{10000}, Money{10000}, Tolerance::binary));
  // Exactly 0.01 apart, in binary too.
  CHECK(same_price(Money{1}, Money{0}, Tolerance::binary));
  CHECK(same_price(Money{1}, Money{2}, Tolerance::binary));
  CHECK_FALSE(same_price(Money{1003}, Money{1001}, Tolerance::binary));
}

TEST_CASE("Bargaining 1.2: a deal takes any earlier offer of the other side") {
  Session s;
  s.add(1, Side::buyer, does(Buy{Money{500}}));
  s.add(1, Side::seller, does(Sell{Money{900}}));
  s.add(2, Side::buyer, does(Buy{Money{600}}));
  s.add(2, Side::seller, does(Sell{Money{800}}));
  const auto tolerance = Tolerance::cents;
  CHECK(s.takes_offer(Side::buyer, Money{800}, tolerance));
  CHECK(s.takes_offer(Side::buyer, Money{900}, tolerance));
  CHECK(s.takes_offer(Side::seller, Money{500}, tolerance));
  CHECK(s.takes_offer(Side::seller, Money{600}, tolerance));
  // Never an own one.
  CHECK_FALSE(s.takes_offer(Side::buyer, Money{600}, tolerance));
  CHECK_FALSE(s.takes_offer(Side::seller, Money{800}, tolerance));
  CHECK(end_after(s, Side::buyer, Deal{Money{900}}, tolerance) == End::buyer_deal);
  CHECK(end_after(s, Side::seller, Deal{Money{500}}, tolerance) == End::seller_deal);
  CHECK(end_after(s, Side::buyer, Deal{Money{700}}, tolerance) == End::buyer_invalid_deal);
  CHECK(end_after(s, Side::seller, Deal{Money{900}}, tolerance) == End::seller_invalid_deal);
}

TEST_CASE("Bargaining 1.3: REJECT makes no offer and takes none back") {
  Session s;
  s.add(1, Side::buyer, does(Reject{}));
  s.add(1, Side::seller, does(Sell{Money{900}}));
  s.add(2, Side::buyer, does(Reject{}));
  s.add(2, Side::seller, does(Reject{}));
  CHECK(s.offers(Side::buyer).empty());
  REQUIRE(s.offers(Side::seller).size() == 1);
  CHECK_FALSE(end_after(s, Side::buyer, Reject{}, Tolerance::cents));
  CHECK(end_after(s, Side::buyer, Deal{Money{900}}, Tolerance::cents) == End::buyer_deal);
}

TEST_CASE("Bargaining 1.3: an offer of the wrong kind is heard but does not count") {
  Session s;
  s.add(1, Side::buyer, does(Sell{Money{500}}));
  s.add(1, Side::seller, does(Buy{Money{900}}));
  CHECK(s.history().size() == 2);
  CHECK(s.offers(Side::buyer).empty());
  CHECK(s.offers(Side::seller).empty());
  CHECK_FALSE(end_after(s, Side::buyer, Sell{Money{1}}, Tolerance::cents));
  CHECK(end_after(s, Side::seller, Deal{Money{500}}, Tolerance::cents) == End::seller_invalid_deal);
}

TEST_CASE("Bargaining 1.3: only DEAL and QUIT end a match") {
  const Session s;
  CHECK_FALSE(end_after(s, Side::buyer, Buy{Money{1}}, Tolerance::cents));
  CHECK_FALSE(end_after(s, Side::seller, Sell{Money{1}}, Tolerance::cents));
  CHECK_FALSE(end_after(s, Side::seller, Reject{}, Tolerance::cents));
  CHECK(end_after(s, Side::buyer, Quit{}, Tolerance::cents) == End::buyer_quit);
  CHECK(end_after(s, Side::seller, Quit{}, Tolerance::cents) == End::seller_quit);
}

TEST_CASE("Bargaining 1.2: end labels") {
  CHECK(label(End::buyer_deal) == "BUYER:deal");
  CHECK(label(End::seller_deal) == "SELLER:deal");
  CHECK(label(End::buyer_quit) == "BUYER:quit");
  CHECK(label(End::seller_quit) == "SELLER:quit");
  CHECK(label(End::buyer_action_error) == "BUYER:action error");
  CHECK(label(End::seller_action_error) == "SELLER:action error");
  CHECK(label(End::turn_limit) == "turn limit");
}

TEST_CASE("Bargaining: the reason against a deal lists the offers") {
  Session s;
  CHECK_THAT(why_no_deal(s, Side::buyer, does(Deal{Money{5}}), Tolerance::cents),
             Catch::Contains("no offer yet"));
  s.add(1, Side::buyer, does(Buy{Money{505}}));
  s.add(1, Side::seller, does(Sell{Money{900}}));
  s.add(2, Side::buyer, does(Buy{Money{605}}));
  CHECK(why_no_deal(s, Side::seller, does(Deal{Money{700}}), Tolerance::cents) ==
        "a deal takes an offer of the other side; none was at $7, these were: $5.05 and $6.05");
  CHECK(why_no_deal(s, Side::seller, does(Deal{Money{606}}), Tolerance::cents).empty());
  CHECK(why_no_deal(s, Side::seller, does(Sell{Money{700}}), Tolerance::cents).empty());
}

TEST_CASE("Bargaining 1.2: an action error and an invalid deal are wrong actions of their side") {
  const Terms terms{Money{10000}, Money{5000}, 8000 * kMicrosPerCent};
  Session s;
  s.add(1, Side::buyer, does(Buy{Money{5000}}));
  for (const End end : {End::seller_action_error, End::seller_invalid_deal}) {
    Result result;
    result.end = end;
    const MatchMetrics m = match_metrics(terms, s, result, 7);
    CHECK(m.product == 7);
    CHECK(m.wrong_action);
    CHECK_FALSE(m.valid);
    CHECK_FALSE(m.deal);
    CHECK_FALSE(m.deal_if_valid);
    CHECK(seat_metrics(terms, s, result, Side::seller).wrong_action);
    CHECK_FALSE(seat_metrics(terms, s, result, Side::buyer).wrong_action);
    CHECK(seat_metrics(terms, s, result, Side::buyer).snp == 0);
  }
  // Nothing said: not valid, even with no wrong action.
  CHECK_FALSE(match_metrics(terms, Session{}, Result{}, 0).valid);
  CHECK(match_metrics(terms, s, Result{}, 0).valid);
}
