// Exact quantities of the bargaining game: section 1.1 of its rules, and the rounding of 1.6.

#include "bargaining/play.hpp"
#include "bargaining/strategies.hpp"
#include "catch.hpp"

using namespace bargaining;
using agon::Money;

namespace {

Product product(std::int64_t list_price, std::int64_t cost) {
  return {"thing_1", "things", "A thing", "It does what it says", list_price, cost};
}

Terms terms(std::int64_t list_price, std::int64_t cost, double factor = 0.8) {
  Settings settings;
  settings.factor = factor;
  return terms_of(product(list_price, cost), settings, BudgetFactor(factor));
}

}  // namespace

TEST_CASE("Bargaining 1.1: the budget is the factor times the list price, not rounded") {
  const Terms t = terms(1999, 1000);
  CHECK(t.budget == 1599'200'000);
  CHECK(t.affordable() == Money{1599});
  CHECK(t.rest() == 200'000);
  CHECK(terms(1, 1, 0.333333).budget == 333'333);
  // The largest price and factor fit.
  CHECK(terms(kMaxPriceCents, 1, 100).budget == kMaxPriceCents * 100 * kMicrosPerCent);
}

TEST_CASE("Bargaining 1.1: equality of cost and budget is mutual interest, exactly") {
  CHECK(terms(10'000, 8'000).mutual());
  CHECK_FALSE(terms(10'000, 8'001).mutual());
  // 0.7 * 0.1 dollars is below 0.07 as binary numbers; it is equal here.
  CHECK(terms(10, 7, 0.7).mutual());
  CHECK(terms(10, 7, 0.7).gap() == 0);
  // A budget of 15.992 does not cover 16.00, but covers 15.99.
  CHECK_FALSE(terms(1999, 1600).mutual());
  CHECK(terms(1999, 1599).mutual());
}

TEST_CASE("Bargaining 1.1: terms agree with the interests of the products") {
  for (std::int64_t list_price = 1; list_price < 400; list_price += 7)
    for (std::int64_t cost = 1; cost <= list_price; cost += 3)
      for (const double factor : {0.5, 0.8, 0.85, 1.0}) {
        const Terms t = terms(list_price, cost, factor);
        const BudgetFactor exact(factor);
        const Zone z = zone(product(list_price, cost), exact);
        REQUIRE(t.mutual() == (z.interest == Interest::mutual));
        REQUIRE(t.gap() * exact.denominator() == z.scaled_gap * kMicrosPerCent);
        REQUIRE(z.guarded == (t.guarded_budget() != t.budget));
      }
}

TEST_CASE("Bargaining 1.1: budget and cost can be given instead") {
  Settings settings;
  settings.budget = Money{5000};
  settings.cost = Money{4000};
  const Terms t = terms_of(product(9999, 100), settings, BudgetFactor());
  CHECK(t.budget == 5000 * kMicrosPerCent);
  CHECK(t.cost == Money{4000});
  CHECK(t.list_price == Money{9999});
}

TEST_CASE("Bargaining 1.1: profits of both sides, raw and normalised") {
  const Terms t = terms(10'000, 6'000);  // B = 80.00, C = 60.00
  const Profits raw = profits(t, Money{6'500});
  CHECK(raw.buyer == 1'500);
  CHECK(raw.seller == 500);
  const Profits part = normalised_profits(t, Money{6'500});
  CHECK(part.buyer == Approx(0.75));
  CHECK(part.seller == Approx(0.25));
  CHECK(split_distance(t, Money{6'500}) == Approx(0.25));
  CHECK(split_distance(t, Money{7'000}) == Approx(0.0));
  // A budget between cents shows in the profit.
  CHECK(profits(terms(1999, 1000), Money{1500}).buyer == Approx(99.2));
}

TEST_CASE("Bargaining 1.1: the guard for gaps below a dollar") {
  SECTION("mutual: 0 <= B - C < 1 counts as one dollar, in the raw profit too") {
    const Terms t = terms(10'000, 7'950);  // B - C = 0.50
    CHECK(t.guarded_budget() == 8'050 * kMicrosPerCent);
    CHECK(published_profits(t, Money{7'950}).buyer == 100);
    CHECK(profits(t, Money{7'950}).buyer == 50);
    CHECK(normalised_profits(t, Money{7'950}).buyer == Approx(1.0));
    CHECK(terms(10'000, 8'000).guarded_budget() == 8'100 * kMicrosPerCent);
  }
  SECTION("a gap of exactly one dollar is not touched") {
    CHECK(terms(10'000, 7'900).guarded_budget() == 8'000 * kMicrosPerCent);
    CHECK(terms(10'000, 8'100).guarded_budget() == 8'000 * kMicrosPerCent);
  }
  SECTION("conflicting: -1 < B - C < 0 counts as one dollar below") {
    const Terms t = terms(10'000, 8'001);
    CHECK(t.guarded_budget() == 7'901 * kMicrosPerCent);
    CHECK(published_profits(t, Money{8'001}).buyer == -100);
    CHECK(normalised_profits(t, Money{8'001}).buyer == Approx(-1.0));
  }
}

TEST_CASE("Bargaining 1.1: normalised profits of any deal sum to 1 or -1") {
  for (std::int64_t cost = 7'700; cost <= 8'300; cost += 13)
    for (std::int64_t price = 0; price <= 20'000; price += 777) {
      const Terms t = terms(10'000, cost);
      const Profits part = normalised_profits(t, Money{price});
      REQUIRE(part.buyer + part.seller == Approx(t.mutual() ? 1.0 : -1.0));
    }
}

TEST_CASE("Bargaining 1.1: settings that make no sense are refused with a reason") {
  Settings s;
  s.products = {product(1000, 500)};
  CHECK(check(s).empty());
  SECTION("no products") {
    s.products.clear();
    CHECK_THAT(check(s), Catch::Contains("there are no products"));
  }
  SECTION("an index beyond the list") {
    s.product = 1;
    CHECK_THAT(check(s), Catch::Contains("product 1 does not exist"));
  }
  SECTION("product and category at once") {
    s.product = 0;
    s.category = "things";
    CHECK_THAT(check(s), Catch::Contains("not both"));
  }
  SECTION("one product for all blocks, and in turn") {
    s.order = agon::Dealing::in_turn;
    CHECK(check(s).empty());
    s.product = 0;
    CHECK_THAT(check(s), Catch::Contains("leave out product or order"));
  }
  SECTION("a category that no product has") {
    s.category = "boats";
    CHECK_THAT(check(s), Catch::Contains("\"boats\""));
  }
  SECTION("a factor that is no decimal of six places") {
    s.factor = 1.0 / 3;
    CHECK_THAT(check(s), Catch::Contains("factor"));
  }
  SECTION("a budget above the price ceiling") {
    s.budget = Money{2001};
    CHECK_THAT(check(s), Catch::Contains("price ceiling"));
    s.price_ceiling = 0;
    CHECK(check(s).empty());
  }
  SECTION("1.4 [R]: a codename with a mark of the action form") {
    s.products[0].codename = "thing(1)";
    CHECK_THAT(check(s), Catch::Contains("products[0]"));
  }
  SECTION("a codename that two products have") {
    s.products.push_back(s.products[0]);
    CHECK_THAT(check(s), Catch::Contains("products[1]: another product before it"));
    s.products[1].codename = "other";
    CHECK(check(s).empty());
  }
  SECTION("a product that is not valid") {
    s.products[0].cost_cents = 1001;
    CHECK_THAT(check(s), Catch::Contains("products[0]") && Catch::Contains("above the list price"));
  }
}

TEST_CASE("Bargaining 1.6: cents of a binary number, ties to even on its exact value") {
  CHECK(cents_of(0.0) == Money{0});
  CHECK(cents_of(10.5) == Money{1050});
  CHECK(cents_of(0.125) == Money{12});   // a true tie: 12 is even
  CHECK(cents_of(0.375) == Money{38});   // a true tie: 38 is even
  CHECK(cents_of(0.625) == Money{62});   // a true tie: 62 is even
  CHECK(cents_of(2.675) == Money{267});  // stored as 2.67499999...
  CHECK(cents_of(1.005) == Money{100});  // stored as 1.00499999...
  CHECK(cents_of(1.115) == Money{111});  // stored as 1.11499999...
  CHECK(cents_of(0.005) == Money{1});    // stored as 0.00500000000000000010...
  CHECK(cents_of(0.0049999) == Money{0});
  CHECK(cents_of(1e-300) == Money{0});
  CHECK(cents_of(0x1.0p52) == Money{450359962737049600});
  CHECK(cents_of(0x1.fffffffffffffp52) == Money{900719925474099100});
  CHECK_FALSE(cents_of(-1));
  CHECK_FALSE(cents_of(0x1.0p53));
  CHECK_FALSE(cents_of(std::numeric_limits<double>::quiet_NaN()));
  // Every cent comes back from the binary number next to it.
  for (std::int64_t cents = 0; cents < 1'000'000; cents += 37)
    REQUIRE(cents_of(static_cast<double>(cents) / 100) == Money{cents});
}
