// Settings at the edge of what makes sense, game by game: the last ones that are accepted, and the
// first that are refused.

#include <string>

#include "bargaining/game.hpp"
#include "catch.hpp"
#include "classic/settings.hpp"
#include "clock-auction/game.hpp"
#include "deal-or-no-deal/settings.hpp"
#include "ebay/game.hpp"
#include "english-auction/prepared.hpp"
#include "english-auction/settings.hpp"
#include "guess-average/game.hpp"
#include "sealed-bid/settings.hpp"
#include "survival-auction/game.hpp"
#include "water-allocation/game.hpp"

namespace edges_of_settings_test {
namespace {

using agon::major;
using agon::Money;
using Catch::Matchers::Contains;

/// Why settings are refused, once they are changed so; empty: they are not.
template <class Settings, class Change>
std::string why_not(Settings settings, Change change) {
  change(settings);
  return check(settings);
}

}  // namespace

TEST_CASE("edges of settings: water allocation") {
  using water_allocation::Settings;
  const auto why = [](auto change) { return why_not(Settings{}, change); };
  CHECK(why([](Settings& s) { s.first_day = s.days; }).empty());
  CHECK_THAT(why([](Settings& s) { s.first_day = s.days + 1; }), Contains("first_day"));
  CHECK(why([](Settings& s) { s.supply = {15, 15}; }).empty());
  CHECK_THAT(why([](Settings& s) { s.supply = {16, 15}; }), Contains("turn the two round"));
  const auto list = [&](std::vector<int> supplies) {
    return why([&](Settings& s) { s.days = 2, s.supply = {10, 20}, s.supply_list = supplies; });
  };
  CHECK(list({10, 20}).empty());
  CHECK_THAT(list({9, 20}), Contains("supply_list[0]"));
  CHECK_THAT(list({10, 21}), Contains("supply_list[1]"));
  CHECK_THAT(list({10}), Contains("2 days"));
  CHECK_THAT(list({10, 10, 10}), Contains("2 days"));
  CHECK(why([](Settings& s) { s.start_hp = s.max_hp; }).empty());
  CHECK_THAT(why([](Settings& s) { s.start_hp = s.max_hp + 1; }), Contains("start_hp"));
  CHECK(why([](Settings& s) { s.residents[0].hp = s.max_hp; }).empty());
  CHECK_THAT(why([](Settings& s) { s.residents[0].hp = s.max_hp + 1; }), Contains("[0].hp"));
  // One who lives is enough.
  const auto last = [&](int hp) {
    return why([&](Settings& s) {
      for (auto& r : s.residents) r.hp = 0;
      s.residents[4].hp = hp;
    });
  };
  CHECK(last(1).empty());
  CHECK_THAT(last(0), Contains("dead"));
}

TEST_CASE("edges of settings: survival auction and guess the average") {
  using Survival = survival_auction::Settings;
  CHECK(why_not(Survival{}, [](Survival& s) { s.start_hp = s.max_hp; }).empty());
  CHECK_FALSE(why_not(Survival{}, [](Survival& s) { s.start_hp = s.max_hp + 1; }).empty());
  using Guess = guess_average::Settings;
  CHECK(why_not(Guess{}, [](Guess& s) { s.lowest = 99; }).empty());
  CHECK_FALSE(why_not(Guess{}, [](Guess& s) { s.lowest = 100; }).empty());
}

TEST_CASE("edges of settings: English auction") {
  using english_auction::Settings;
  const auto why = [](bool own_account, bool guide_bids) {
    return why_not(Settings{},
                   [&](Settings& s) { s.own_account = own_account, s.guide_bids = guide_bids; });
  };
  CHECK(why(true, false).empty());
  CHECK(why(false, true).empty());
  CHECK_THAT(why(true, true), Contains("set guide_bids to false"));
}

TEST_CASE("edges of settings: eBay") {
  using ebay::Settings;
  const auto why = [](auto change) { return why_not(Settings{}, change); };
  CHECK(why([](Settings& s) { s.values = {5, 5}; }).empty());
  CHECK_THAT(why([](Settings& s) { s.values = {6, 5}; }), Contains("turn the two round"));
  const auto days = [&](bool soft, int most) {
    return why([&](Settings& s) { s.soft_close = soft, s.days = 10, s.max_days = most; });
  };
  CHECK(days(true, 10).empty());
  CHECK_THAT(days(true, 9), Contains("max_days is 9"));
  CHECK(days(false, 9).empty());
  const auto highest = [&](std::int64_t cents) {
    return why([&](Settings& s) { s.start_price = major(50), s.highest_bid = Money{cents}; });
  };
  CHECK(highest(5000).empty());
  CHECK_THAT(highest(4999), Contains("nobody could bid"));
  CHECK(why([](Settings& s) { s.value_list = {major(1), major(2), major(3)}; }).empty());
  CHECK(why([](Settings& s) { s.orders = {{2, 1, 0}}, s.tie_order = {1, 0, 2}; }).empty());
  CHECK_THAT(why([](Settings& s) { s.orders = {{0, 1, -1}}; }), Contains("names seat -1"));
  CHECK_THAT(why([](Settings& s) { s.orders = {{0, 1, 3}}; }), Contains("names seat 3"));
  CHECK_THAT(why([](Settings& s) { s.bidders[1] = ""; }), Contains("bidders[1] has no name"));
}

TEST_CASE("edges of settings: where values come from") {
  using auction_values::Span;
  using auction_values::ValueModel;
  using sealed_bid::Settings;
  const auto why = [](ValueModel model, Span common, Span own) {
    return why_not(Settings{}, [&](Settings& s) {
      s.payment = sealed_bid::Payment::second_price;
      s.values = model, s.common_range = common, s.own_range = own;
    });
  };
  CHECK(why(ValueModel::independent, {0, 0}, {5, 5}).empty());
  CHECK_THAT(why(ValueModel::independent, {0, 0}, {6, 5}), Contains("own_range says"));
  CHECK(why(ValueModel::independent, {0, 0}, {0, 5}).empty());
  CHECK_THAT(why(ValueModel::independent, {0, 0}, {-1, 5}), Contains("own_range begins at -1"));
  // The common range is of no concern to independent values.
  CHECK(why(ValueModel::independent, {6, 5}, {0, 5}).empty());
  CHECK(why(ValueModel::affiliated, {5, 5}, {-5, 0}).empty());
  CHECK_THAT(why(ValueModel::affiliated, {6, 5}, {0, 0}), Contains("common_range says"));
  CHECK_THAT(why(ValueModel::affiliated, {5, 5}, {-6, 0}), Contains("add up to -1"));
  CHECK(why(ValueModel::common, {0, 5}, {-6, 6}).empty());
  CHECK_THAT(why(ValueModel::common, {-1, 5}, {-6, 6}), Contains("common_range begins at -1"));
}

TEST_CASE("edges of settings: sealed bids and the clock") {
  using Sealed = sealed_bid::Settings;
  using sealed_bid::Intervention;
  using sealed_bid::Payment;
  const auto sealed = [](Payment payment, Intervention intervention, int bidders = 3) {
    return why_not(Sealed{}, [&](Sealed& s) {
      s.payment = payment, s.intervention = intervention, s.bidders = bidders;
    });
  };
  CHECK(sealed(Payment::third_price, Intervention::none, 3).empty());
  CHECK_THAT(sealed(Payment::third_price, Intervention::none, 2), Contains("no third bid"));
  CHECK(sealed(Payment::second_price, Intervention::none, 2).empty());
  for (const auto about :
       {Intervention::menu, Intervention::proxy, Intervention::direct, Intervention::wrong}) {
    CHECK(sealed(Payment::second_price, about).empty());
    CHECK_THAT(sealed(Payment::first_price, about), Contains("describes the second price"));
  }
  for (const auto other : {Intervention::none, Intervention::nash, Intervention::risk})
    CHECK(sealed(Payment::first_price, other).empty());
  using Clock = clock_auction::Settings;
  const auto clock = [](int start, std::optional<int> ceiling = {}) {
    return why_not(Clock{}, [&](Clock& s) { s.start = start, s.ceiling = ceiling; });
  };
  CHECK(clock(40).empty());
  CHECK_THAT(clock(41), Contains("start is 41, above 40"));
  CHECK(clock(50, 50).empty());
  CHECK_THAT(clock(51, 50), Contains("start is 51, above 50"));
}

TEST_CASE("edges of settings: bargaining") {
  using bargaining::Settings;
  const auto why = [](auto change) {
    Settings settings;
    settings.products = {{"lamp_1", "lamps", "A lamp", "", 1000, 500}};
    return why_not(settings, change);
  };
  CHECK(why([](Settings& s) { s.product = 0; }).empty());
  CHECK_THAT(why([](Settings& s) { s.product = 1; }), Contains("does not exist"));
  // A ceiling of twice the list price of 10.00.
  CHECK(why([](Settings& s) { s.factor = 2; }).empty());
  CHECK_THAT(why([](Settings& s) { s.factor = 2.000001; }), Contains("price ceiling"));
  CHECK_THAT(why([](Settings& s) { s.factor = 3; }), Contains("price ceiling"));
  CHECK(why([](Settings& s) { s.factor = 2.5, s.budget = Money{2000}; }).empty());
  CHECK_THAT(why([](Settings& s) { s.budget = Money{2001}; }), Contains("price ceiling"));
  CHECK(why([](Settings& s) { s.cost = Money{2000}; }).empty());
  CHECK_THAT(why([](Settings& s) { s.cost = Money{2001}; }), Contains("price ceiling"));
  // The cheapest product that may be drawn counts, or the one that is chosen.
  const auto two = [&](std::optional<int> product) {
    return why([&](Settings& s) {
      s.products.push_back({"lamp_2", "lamps", "A better lamp", "", 3000, 500});
      s.cost = Money{2001}, s.product = product;
    });
  };
  CHECK_THAT(two({}), Contains("price ceiling"));
  CHECK_THAT(two(0), Contains("price ceiling"));
  CHECK(two(1).empty());
  const auto price = [&](std::int64_t list, std::int64_t cost) {
    return why([&](Settings& s) {
      s.products[0].list_price_cents = list, s.products[0].cost_cents = cost;
    });
  };
  CHECK(price(1, 1).empty());
  CHECK_THAT(price(1, 0), Contains("the cost is 0 cents"));
  CHECK_THAT(price(0, 0), Contains("the list price is 0 cents"));
  CHECK(price(1000, 1000).empty());
  CHECK_THAT(price(1000, 1001), Contains("above the list price"));
  CHECK(price(bargaining::kMaxPriceCents, 1).empty());
  CHECK_THAT(price(bargaining::kMaxPriceCents + 1, 1), Contains("the list price is"));
}

TEST_CASE("edges of settings: classic games") {
  using classic::Settings;
  const auto why = [](auto change) {
    Settings settings;
    settings.game.players = {"A", "B"};
    settings.game.actions = {{"a", "b"}, {"c"}};
    settings.game.payoffs = {{1, 2}, {3, 4}};
    return why_not(settings, change);
  };
  CHECK(why([](Settings&) {}).empty());
  CHECK(why([](Settings& s) { s.who_first = 1; }).empty());
  CHECK_THAT(why([](Settings& s) { s.who_first = 2; }),
             Contains("who_first is 2, but the players are 0 to 1"));
  CHECK(why([](Settings& s) { s.game.payoffs[1][1] = classic::kMaxPayoff; }).empty());
  CHECK(why([](Settings& s) { s.game.payoffs[1][1] = -classic::kMaxPayoff; }).empty());
  CHECK_THAT(why([](Settings& s) { s.game.payoffs[1][1] = 1.001 * classic::kMaxPayoff; }),
             Contains("payoffs[1][1]"));
  CHECK(why([](Settings& s) { s.scale = classic::kMaxPayoff / 4; }).empty());
  CHECK_THAT(why([](Settings& s) { s.scale = classic::kMaxPayoff / 3; }), Contains("scale"));
  const auto name = [&](const std::string& action) {
    return why([&](Settings& s) { s.game.actions[1][0] = action; });
  };
  CHECK(name(std::string(80, 'x')).empty());
  CHECK_THAT(name(std::string(81, 'x')), Contains("more than 80 bytes"));
  CHECK_THAT(name(""), Contains("empty name"));
  CHECK(name("give in").empty());
  CHECK_THAT(name(" c"), Contains("begins or ends with a blank"));
  CHECK_THAT(name("c "), Contains("begins or ends with a blank"));
  CHECK_THAT(name("c\x1f"), Contains("control character"));
  CHECK_THAT(name("c\x7f"), Contains("control character"));
}

TEST_CASE("edges of settings: deal or no deal") {
  using deal_or_no_deal::Protocol;
  using deal_or_no_deal::Settings;
  const auto why = [](auto change) {
    Settings settings;
    settings.instances = {{"p", 0, {1, 1, 3}, {{1, 3, 2}, {4, 0, 2}}, std::nullopt}};
    return why_not(settings, change);
  };
  CHECK(why([](Settings&) {}).empty());
  CHECK(why([](Settings& s) { s.instance = 0; }).empty());
  CHECK_THAT(why([](Settings& s) { s.instance = 1; }), Contains("instance is 1"));
  CHECK_THAT(why([](Settings& s) { s.total_value = 11; }), Contains("worth 10 to side 0"));
  CHECK(why([](Settings& s) { s.total_value = 0, s.beliefs = false; }).empty());
  CHECK_THAT(why([](Settings& s) { s.instances[0].values.pop_back(); }), Contains("two sides"));
  CHECK_THAT(why([](Settings& s) { s.items = {"book", ""}; }), Contains("empty name"));
  CHECK_THAT(why([](Settings& s) { s.items = {"book", "book"}; }), Contains("two item types"));
  CHECK_THAT(why([](Settings& s) { s.discount = 0.99; }), Contains("discount is for"));
  CHECK_THAT(why([](Settings& s) { s.prob_end = 0.01; }), Contains("prob_end is for"));
  CHECK(why([](Settings& s) {
          s.protocol = Protocol::alternating_offers, s.discount = 0.99, s.prob_end = 0.01;
        }).empty());
}

}  // namespace edges_of_settings_test
