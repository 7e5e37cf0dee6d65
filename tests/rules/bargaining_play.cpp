// Whole matches of bargaining: sections 1.1 to 1.3 of its rules, presets, and who sees what.

#include <agon/conversion.hpp>
#include <cmath>

#include "bargaining/game.hpp"
#include "bargaining/strategies.hpp"
#include "catch.hpp"
#include "settings/settings.hpp"
#include "support/folders.hpp"
#include "support/scripted_match.hpp"
#include "support/settings.hpp"

using agon::test::check_all_metrics;
using agon::test::Played;
using agon::test::ScriptedMatch;
using agon::test::undefined;
using bargaining::OfferGenerator;
using bargaining::TimeDependent;

namespace {

/// What was played refers to it.
const agon::Game& the_game() {
  static const agon::Game game = bargaining::game();
  return game;
}

/// L = 100.00, C = 60.00; at 0.8 B = 80.00.
std::string settings(std::string_view more = "") {
  return R"({"products": [{"codename": "lamp_1", "category": "lamps", "title": "A lamp",
             "description": "It shines", "list_price_cents": 10000, "cost_cents": 6000}])" +
         std::string(more.empty() ? "" : ", ") + std::string(more) + "}";
}

/// The members of a preset, and its number of second tries.
struct PresetOf {
  std::string members;
  int reasks;
};
PresetOf preset(std::string_view name) {
  for (const agon::Preset& p : the_game().card.presets)
    if (p.name == name) {
      std::string text(p.settings);
      return {text.substr(text.find('{') + 1, text.rfind('}') - text.find('{') - 1), p.reasks};
    }
  FAIL("there is no such preset: " << name);
  return {};
}

std::string says(std::string_view kind, std::string_view price = "") {
  std::string text = R"({"talk": "", "action": {"kind": ")" + std::string(kind) + '"';
  if (!price.empty()) text += R"(, "price": )" + std::string(price);
  return text + "}}";
}

Played play(std::vector<std::string> buyer, std::vector<std::string> seller,
            const std::string& with = settings(), int reasks = 3) {
  return ScriptedMatch(the_game(), with)
      .reasks(reasks)
      .seat(0, std::move(buyer))
      .seat(1, std::move(seller))
      .play();
}

std::string end_of(const Played& played) {
  const std::string& json = played.event("end").json;
  const std::size_t at = json.find(R"("label":")") + 9;
  return json.substr(at, json.find('"', at) - at);
}

/// Picks one of its own actions, each as likely as the others, but quits seldom; a deal takes any
/// offer there is. (draw() is uniform over all prices, and so hardly ever finds one to take.)
class Haggler : public agon::Agent {
 public:
  void answer(agon::Question& question) const override {
    using namespace bargaining;
    agon::Dice dice = question.dice();
    auto& action = question.answer<Message>()->action;
    const auto* buyer = question.view<BuyerView>();
    const auto offers =
        buyer != nullptr ? buyer->seller_offers : question.view<SellerView>()->buyer_offers;
    const auto kind = dice.below(10);
    const agon::Money price{dice.between(0, 10'000)};
    if (kind == 0)
      action = Quit{};
    else if (kind <= 3)
      action = Reject{};
    else if (kind <= 6 && !offers.empty())
      action = Deal{offers[dice.below(offers.size())]};
    else if (buyer != nullptr)
      action = Buy{price};
    else
      action = Sell{price};
  }
};

}  // namespace

TEST_CASE("Bargaining 1.1: a deal splits the gap between budget and cost") {
  const Played p = play({says("buy", "50"), says("deal", "75")}, {says("sell", "75")});
  CHECK(end_of(p) == "BUYER:deal");
  CHECK(p.outcome[0].score == 500);
  CHECK(p.outcome[1].score == 1500);
  for (const int seat : {0, 1}) {
    CHECK(p.outcome[seat].disagreement == 0);
    CHECK(p.outcome[seat].ideal == 2000);
  }
  CHECK(p.metric("snp", 0) == Approx(0.25));
  CHECK(p.metric("share_mutual", 1) == Approx(0.75));
  CHECK(std::isnan(p.metric("share_conflict", 1)));
  CHECK(p.metric("ahead", 0) == 0);
  CHECK(p.metric("ahead", 1) == 1);
  CHECK(p.metric("surplus_share", 1) == Approx(0.75));
  CHECK(p.metric("split_distance") == Approx(0.25));
  CHECK(p.metric("efficiency") == 1);
  CHECK(p.metric("in_zone") == 1);
  CHECK(p.metric("deal_mutual") == 1);
  CHECK(std::isnan(p.metric("deal_conflict")));
  CHECK(p.metric("price") == 7500);
  CHECK(p.metric("budget") == 8000);
  CHECK(p.metric("cost") == 6000);
  CHECK(p.metric("list_price") == 10000);
  CHECK(p.metric("turns") == 2);
  CHECK(p.metric("messages") == 3);
  CHECK(p.metric("buy_offers") == 1);
  CHECK(p.metric("sell_offers") == 1);
  CHECK(p.metric("product") == 0);
}

TEST_CASE("Bargaining 1.3: the seller takes an earlier offer of the buyer, not only the latest") {
  const Played p =
      play({says("buy", "70"), says("buy", "65")}, {says("sell", "90"), says("deal", "70")});
  CHECK(end_of(p) == "SELLER:deal");
  CHECK(p.outcome[0].score == 1000);
  CHECK(p.outcome[1].score == 1000);
  CHECK(p.metric("split_distance") == Approx(0.0));
}

TEST_CASE("Bargaining 1.3: after the seller's message of the last turn there is no more") {
  const std::vector<std::string> buyer(6, says("buy", "50"));
  const std::vector<std::string> seller(6, says("sell", "60"));
  const Played p = play(buyer, seller);
  CHECK(end_of(p) == "turn limit");
  CHECK(p.asked.size() == 12);
  CHECK(p.outcome[0].score == 0);
  CHECK(p.outcome[1].score == 0);
  CHECK(p.metric("deal") == 0);
  CHECK(p.metric("valid") == 1);
  CHECK(p.metric("deal_if_valid") == 0);
  CHECK(p.metric("turn_limit") == 1);
  CHECK(p.metric("efficiency") == 0);
  CHECK(p.metric("turns") == 6);
  CHECK(p.metric("surplus_share", 0) == 0);
  CHECK(std::isnan(p.metric("share", 0)));
}

TEST_CASE("Bargaining 1.3: the buyer cannot take the seller's very last offer") {
  const Played p = play({says("buy", "50")}, {says("sell", "60")}, settings(R"("max_turns": 1)"));
  CHECK(end_of(p) == "turn limit");
  CHECK(p.asked.size() == 2);
  CHECK(p.asked.back().seat == 1);
}

TEST_CASE("Bargaining 1.3: the buyer speaks first, and turns left are told") {
  const Played p = play({says("reject"), says("quit")}, {says("sell", "90")});
  REQUIRE(p.asked.size() == 3);
  CHECK(p.asked[0].stage == "buy");
  CHECK(p.asked[1].stage == "sell");
  CHECK_THAT(p.asked[0].view_json, Catch::Contains(R"("turn":1,"turns_left":6,"max_turns":6)"));
  CHECK_THAT(p.asked[2].view_json, Catch::Contains(R"("turn":2,"turns_left":5,"max_turns":6)"));
  CHECK(end_of(p) == "BUYER:quit");
  CHECK(p.metric("quit") == 1);
}

TEST_CASE("Bargaining 1.3: REJECT does not cancel earlier offers") {
  const Played p = play({says("buy", "50"), says("reject"), says("deal", "70")},
                        {says("sell", "70"), says("reject")});
  CHECK(end_of(p) == "BUYER:deal");
  CHECK(p.metric("price") == 7000);
}

TEST_CASE("Bargaining 1.2: where a deal may be one cent off, it closes at the price it names") {
  const std::string cents = settings(R"("tolerance": "cents")");
  CHECK(end_of(play({says("buy", "50"), says("deal", "99.99")}, {says("sell", "100")}, cents, 0)) ==
        "BUYER:deal");
  const Played p = play({says("buy", "50"), says("deal", "10.01")}, {says("sell", "10.02")}, cents);
  CHECK(end_of(p) == "BUYER:deal");
  CHECK(p.metric("price") == 1001);
  // 50 of loss for the seller, who sold below cost.
  CHECK(p.metric("loss", 1) == 4999);
  CHECK(p.metric("in_zone") == 0);
}

TEST_CASE("Bargaining 1.3, preset agon: a deal that takes no offer is asked for again") {
  const Played p =
      play({says("buy", "50"), says("deal", "70"), says("buy", "55"), says("deal", "90")},
           {says("sell", "100"), says("sell", "90")});
  CHECK(end_of(p) == "BUYER:deal");
  REQUIRE(p.asked.size() == 5);
  CHECK(p.asked[2].rejected == 1);
  CHECK(p.metric("turned_down", 0) == 1);
  CHECK(p.metric("valid") == 1);
}

TEST_CASE("Bargaining 1.3, preset agon: the other side's kind of offer is asked for again") {
  const Played p = play({says("sell", "50"), says("quit")}, {});
  CHECK(p.asked[0].rejected == 1);
  CHECK(end_of(p) == "BUYER:quit");
}

TEST_CASE("Bargaining, preset agon: no price above twice the list price") {
  const Played p =
      play({says("buy", "50"), says("quit")}, {says("sell", "200.01"), says("sell", "200")});
  CHECK(p.asked[1].rejected == 1);
  CHECK_FALSE(p.asked[1].forced);
}

TEST_CASE("Bargaining 1.2: no legal action at all is an action error of its side") {
  const Played p = play({says("deal", "1"), "{}", "no", says("sell", "5")}, {});
  CHECK(end_of(p) == "BUYER:action error");
  CHECK(p.metric("valid") == 0);
  CHECK(p.metric("wrong_action") == 1);
  CHECK(p.metric("wrong_action", 0) == 1);
  CHECK(p.metric("wrong_action", 1) == 0);
  const Played q = play({says("buy", "50")}, {"this is no message"}, settings(), 0);
  CHECK(end_of(q) == "SELLER:action error");
  CHECK(q.metric("messages") == 1);
}

TEST_CASE("Bargaining 1.3, presets paper and published-code: an unmatched deal ends the match") {
  for (const char* name : {"paper", "published-code"}) {
    INFO(name);
    const PresetOf chosen = preset(name);
    CHECK(chosen.reasks == 0);
    const Played p = play({says("buy", "50"), says("deal", "70")}, {says("sell", "100")},
                          settings(chosen.members), chosen.reasks);
    CHECK(end_of(p) == "BUYER:invalid deal");
    CHECK(p.metric("wrong_action") == 1);
    CHECK(p.metric("valid") == 0);
    CHECK(p.metric("deal") == 0);
    CHECK(p.outcome[0].score == 0);
    const Played q =
        play({says("buy", "50")}, {says("deal", "50.02")}, settings(chosen.members), chosen.reasks);
    CHECK(end_of(q) == "SELLER:invalid deal");
  }
}

TEST_CASE("Bargaining 1.2, preset published-code: prices are compared as binary dollars") {
  const auto ends = [&](std::string_view name) {
    const PresetOf chosen = preset(name);
    return end_of(play({says("buy", "50"), says("deal", "99.99")}, {says("sell", "100")},
                       settings(chosen.members), chosen.reasks));
  };
  CHECK(ends("paper") == "BUYER:deal");
  CHECK(ends("published-code") == "BUYER:invalid deal");
  const PresetOf chosen = preset("published-code");
  CHECK(end_of(play({says("buy", "9"), says("deal", "10.01")}, {says("sell", "10.02")},
                    settings(chosen.members), chosen.reasks)) == "BUYER:deal");
}

TEST_CASE("Bargaining 1.3: the other side's kind of offer, by preset") {
  const PresetOf code = preset("published-code");
  const Played p = play({says("sell", "50"), says("quit")}, {says("buy", "60")},
                        settings(code.members), code.reasks);
  CHECK(end_of(p) == "BUYER:quit");
  CHECK(p.metric("messages") == 3);
  CHECK(p.metric("buy_offers") == 0);
  CHECK(p.metric("sell_offers") == 0);
  CHECK(p.metric("valid") == 1);
  const PresetOf paper = preset("paper");
  CHECK(end_of(play({says("sell", "50")}, {}, settings(paper.members), paper.reasks)) ==
        "BUYER:action error");
}

TEST_CASE("Bargaining 1.1: where the cost is above the budget, to walk away is best") {
  const std::string conflict = settings(R"("cost": 90)");
  const Played walks = play({says("quit")}, {}, conflict);
  CHECK(end_of(walks) == "BUYER:quit");
  CHECK(walks.metric("conflict") == 1);
  CHECK(walks.metric("deal_conflict") == 0);
  CHECK(std::isnan(walks.metric("efficiency")));
  CHECK(std::isnan(walks.outcome[0].disagreement));
  CHECK(std::isnan(walks.outcome[1].ideal));
  CHECK(walks.metric("loss_avoided", 0) == 1);
  CHECK(walks.metric("loss_avoided", 1) == 1);
  const Played deals = play({says("buy", "78")}, {says("deal", "78")}, conflict);
  CHECK(deals.outcome[0].score == 200);
  CHECK(deals.outcome[1].score == -1200);
  CHECK(deals.metric("loss_avoided", 0) == 1);
  CHECK(deals.metric("loss_avoided", 1) == 0);
  CHECK(deals.metric("loss", 1) == 1200);
  CHECK(deals.metric("share_conflict", 0) == Approx(0.2));
  CHECK(deals.metric("share_conflict", 1) == Approx(-1.2));
  CHECK(deals.metric("ahead", 0) == 1);
  CHECK(deals.metric("ahead", 1) == 0);
}

TEST_CASE("Bargaining 1.1: the guard moves the published profit, never the score") {
  const Played p =
      play({says("buy", "79.50")}, {says("deal", "79.50")}, settings(R"("cost": 79.5)"));
  CHECK(p.outcome[0].score == 50);
  CHECK(p.outcome[0].ideal == 50);
  CHECK(p.metric("profit", 0) == 100);
  CHECK(p.metric("share", 0) == Approx(1.0));
  CHECK(p.metric("surplus_share", 0) == Approx(1.0));
}

TEST_CASE("Bargaining 1.4: messages are told with their text form") {
  const Played p = play({says("buy", "50.5"), says("quit")}, {says("reject")});
  CHECK_THAT(p.event("message", 0).json, Catch::Contains("[BUY] $50.5 (1x lamp_1)"));
  CHECK_THAT(p.event("message", 1).json, Catch::Contains("[REJECT]"));
  CHECK_THAT(p.event("message", 2).json, Catch::Contains("[QUIT]"));
  CHECK(p.event("message").audience == ~0U);
}

TEST_CASE("Bargaining: what a seat sees does not depend on the other's secret") {
  const auto seen = [](int seat, const std::string& with) {
    const std::vector<std::string> buyer{says("buy", "50"), says("deal", "1"), says("buy", "60"),
                                         says("buy", "70")};
    const std::vector<std::string> seller{says("sell", "99"), says("deal", "2"), says("sell", "90"),
                                          says("deal", "70")};
    const Played p = play(buyer, seller, with);
    std::string all;
    for (const auto& s : p.said)
      if ((s.audience >> seat & 1U) != 0) all += s.name + s.json + "\n";
    for (const auto& a : p.asked)
      if (a.seat == seat) all += a.stage + a.view_json + a.answer_json + "\n";
    return all;
  };
  const std::string rich = settings(R"("budget": 95)"), poor = settings(R"("budget": 61.23)");
  const std::string dear = settings(R"("cost": 75)"), cheap = settings(R"("cost": 12.34)");
  CHECK(seen(1, rich) == seen(1, poor));
  CHECK(seen(1, settings(R"("factor": 0.9)")) == seen(1, settings(R"("factor": 0.7)")));
  CHECK(seen(0, dear) == seen(0, cheap));
  CHECK(seen(0, rich) != seen(0, poor));
  CHECK(seen(1, dear) != seen(1, cheap));
  // The rules text is the same for all secrets.
  bargaining::Settings a, b;
  b.factor = 0.7;
  b.budget = agon::Money{6123};
  b.cost = agon::Money{1234};
  const agon::GameCard& card = the_game().card;
  CHECK(card.rules_for(&a, agon::Language::english()) ==
        card.rules_for(&b, agon::Language::english()));
  CHECK_THAT(card.rules_for(&a, agon::Language::english()), Catch::Contains("at most 6 turns"));
}

TEST_CASE("Bargaining: acceptance identity over random play, P'b + P's is 1 or -1 for each deal") {
  const Haggler haggler;
  int mutual_deals = 0, conflict_deals = 0;
  double mutual_sum = 0, conflict_sum = 0;
  for (const char* with : {R"("cost": 30, "price_ceiling": 1)", R"("cost": 79.99)",
                           R"("cost": 80.01)", R"("cost": 95, "max_turns": 10)"}) {
    ScriptedMatch match(the_game(), settings(with));
    match.agent(0, haggler).agent(1, haggler);
    for (std::uint64_t luck = 1; luck <= 60; ++luck) {
      const Played p = match.luck(luck).play();
      INFO(with << " chance " << luck);
      REQUIRE(p.metric("wrong_action") == 0);
      const double sum = p.metric("snp", 0) + p.metric("snp", 1);
      if (p.metric("deal") == 0) {
        REQUIRE(sum == 0);
        REQUIRE(p.outcome[0].score == 0);
        continue;
      }
      const bool mutual = p.metric("mutual") == 1;
      REQUIRE(sum == Approx(mutual ? 1.0 : -1.0));
      // Money is conserved: both scores make up budget minus cost.
      REQUIRE(p.outcome[0].score + p.outcome[1].score ==
              Approx(p.metric("budget") - p.metric("cost")).margin(1e-6));
      ++(mutual ? mutual_deals : conflict_deals);
      (mutual ? mutual_sum : conflict_sum) += sum;
    }
  }
  CHECK(mutual_deals > 10);
  CHECK(conflict_deals > 10);
  CHECK(mutual_sum == Approx(mutual_deals));
  CHECK(conflict_sum == Approx(-conflict_deals));
}

TEST_CASE("Bargaining: without settings the shipped catalogue is drawn from") {
  agon::DataFolders folders;
  folders.beside = (agon::test::source_folder() / "games/bargaining/data").string();
  for (const char* text : {"{}", R"({"preset": "paper"})", R"({"preset": "published-code"})"}) {
    const agon::Settings read = agon::test::read_settings(the_game(), text, "test", folders);
    const auto& s = *static_cast<const bargaining::Settings*>(read.get());
    CHECK(s.products.size() == 180);
    CHECK(s.check_deals == (read.preset() == "agon"));
    CHECK(s.role_actions == (read.preset() != "published-code"));
    CHECK(read.reasks() == (read.preset() == "agon" ? 3 : 0));
    CHECK(read.seating().size() == 2);
  }
}

TEST_CASE("Bargaining: a uniform draw over the limits is always legal") {
  const agon::test::DrawingAgent drawer;
  for (const char* name : {"agon", "published-code"}) {
    const std::string members = std::string(name) == "agon" ? "" : preset(name).members;
    ScriptedMatch match(the_game(), settings(members));
    match.agent(0, drawer).agent(1, drawer).reasks(0);
    for (std::uint64_t luck = 1; luck <= 40; ++luck) {
      const Played p = match.luck(luck).play();
      INFO(name << " chance " << luck);
      REQUIRE(p.metric("turned_down", 0) + p.metric("turned_down", 1) == 0);
    }
  }
}

TEST_CASE("Bargaining: products are drawn by luck, within a category, or fixed") {
  const std::string list =
      R"({"products": [
        {"codename": "a_1", "category": "a", "title": "A", "description": "", "list_price_cents": 1000, "cost_cents": 500},
        {"codename": "b_1", "category": "b", "title": "B", "description": "", "list_price_cents": 2000, "cost_cents": 500},
        {"codename": "b_2", "category": "b", "title": "C", "description": "", "list_price_cents": 3000, "cost_cents": 500}])";
  const auto drawn = [&](const std::string& more) {
    std::array<int, 3> count{};
    ScriptedMatch match(the_game(), list + more + "}");
    for (std::uint64_t luck = 1; luck <= 90; ++luck) {
      const Played p = match.luck(luck).play();
      ++count.at(static_cast<std::size_t>(p.metric("product")));
    }
    return count;
  };
  const auto any = drawn("");
  for (const int n : any) CHECK(n > 10);
  const auto b = drawn(R"(, "category": "b")");
  CHECK(b[0] == 0);
  CHECK(b[1] > 25);
  CHECK(b[2] > 25);
  CHECK(drawn(R"(, "product": 2)") == std::array{0, 0, 90});
}

TEST_CASE("Bargaining: strategies play whole matches without a wrong action") {
  const TimeDependent both({});
  for (const auto shape : {bargaining::Shape::linear, bargaining::Shape::exp,
                           bargaining::Shape::swish, bargaining::Shape::random}) {
    OfferGenerator::Params params;
    params.shape = shape;
    const OfferGenerator buyer(params);
    for (const int turns : {1, 2, 3, 6, 40})
      for (const char* name : {"agon", "paper", "published-code"}) {
        const std::string members = std::string(name) == "agon" ? "" : preset(name).members + ",";
        const std::string with = settings(members + R"("max_turns": )" + std::to_string(turns));
        const Played p =
            ScriptedMatch(the_game(), with).agent(0, buyer).agent(1, both).reasks(0).play();
        REQUIRE(p.metric("wrong_action") == 0);
        REQUIRE(p.metric("turned_down", 0) + p.metric("turned_down", 1) == 0);
        const Played q =
            ScriptedMatch(the_game(), with).agent(0, both).agent(1, both).reasks(0).play();
        REQUIRE(q.metric("wrong_action") == 0);
        REQUIRE(q.metric("deal") == 1);
      }
  }
}

TEST_CASE("Bargaining: tit-for-tat answers the generator step by step") {
  const OfferGenerator buyer({});
  const bargaining::TitForTat seller({});
  const Played p = ScriptedMatch(the_game(), settings(R"("max_turns": 4)"))
                       .agent(0, buyer)
                       .agent(1, seller)
                       .play();
  // Buyer 40, 53.33, 66.67, 80; seller 100, 86.67, then 73.33; in the last turn it takes 80.
  CHECK(end_of(p) == "BUYER:deal");
  CHECK(p.metric("price") == 7333);
  CHECK(p.metric("last_offer", 0) == 6667);
}

TEST_CASE("Bargaining 1.6: the linear generator against an even concession, all figures") {
  const OfferGenerator buyer({});
  const TimeDependent seller({});
  const Played p = ScriptedMatch(the_game(), settings()).agent(0, buyer).agent(1, seller).play();
  // Buyer 40, 48, 56, 64, 72; seller 100, 92, 84, 76, then 68 is its next price: it takes 72.
  CHECK(end_of(p) == "SELLER:deal");
  CHECK(p.metric("price") == 7200);
  CHECK(p.metric("turns") == 5);
  CHECK(p.metric("messages") == 10);
  CHECK(p.metric("first_offer", 0) == 4000);
  CHECK(p.metric("last_offer", 1) == 7600);
}

TEST_CASE("Bargaining 1.2: all metrics of a deal where interests are mutual") {
  // B = 80.00, C = 60.00; the buyer takes 65.00, after a deal that nobody had offered.
  const Played p =
      play({says("buy", "50"), says("buy", "60"), says("deal", "64"), says("deal", "65")},
           {says("sell", "90"), says("sell", "65")});
  check_all_metrics(p, 0,
                    {{"profit", 1500},
                     {"snp", 0.75},
                     {"snp_mutual", 0.75},
                     {"snp_conflict", undefined},
                     {"share", 0.75},
                     {"share_mutual", 0.75},
                     {"share_conflict", undefined},
                     {"ahead", 1},
                     {"surplus_share", 0.75},
                     {"loss_avoided", undefined},
                     {"offers", 2},
                     {"first_offer", 5000},
                     {"last_offer", 6000},
                     {"turned_down", 1}});
  check_all_metrics(p, 1,
                    {{"profit", 500},
                     {"snp", 0.25},
                     {"snp_mutual", 0.25},
                     {"snp_conflict", undefined},
                     {"share", 0.25},
                     {"share_mutual", 0.25},
                     {"share_conflict", undefined},
                     {"surplus_share", 0.25},
                     {"loss_avoided", undefined},
                     {"offers", 2},
                     {"first_offer", 9000},
                     {"last_offer", 6500}});
  check_all_metrics(p, -1,
                    {{"mutual", 1},
                     {"valid", 1},
                     {"deal", 1},
                     {"deal_if_valid", 1},
                     {"deal_mutual", 1},
                     {"deal_conflict", undefined},
                     {"efficiency", 1},
                     {"split_distance", 0.25},
                     {"in_zone", 1},
                     {"turns", 3},
                     {"messages", 5},
                     {"buy_offers", 2},
                     {"sell_offers", 2},
                     {"list_price", 10000},
                     {"budget", 8000},
                     {"cost", 6000},
                     {"price", 6500}});
}

TEST_CASE("Bargaining 1.2: all metrics where interests conflict, with a deal and without") {
  // B = 80.00, C = 90.00: at 84.00 the buyer loses 4, the seller 6.
  const std::string conflict = settings(R"("cost": 90)");
  const Played p = play({says("buy", "84")}, {says("deal", "84")}, conflict);
  check_all_metrics(p, 0,
                    {{"profit", -400},
                     {"snp", -0.4},
                     {"snp_mutual", undefined},
                     {"snp_conflict", -0.4},
                     {"share", -0.4},
                     {"share_mutual", undefined},
                     {"share_conflict", -0.4},
                     {"ahead", 1},
                     {"surplus_share", undefined},
                     {"loss", 400},
                     {"offers", 1},
                     {"first_offer", 8400},
                     {"last_offer", 8400}});
  check_all_metrics(p, 1,
                    {{"profit", -600},
                     {"snp", -0.6},
                     {"snp_mutual", undefined},
                     {"snp_conflict", -0.6},
                     {"share", -0.6},
                     {"share_mutual", undefined},
                     {"share_conflict", -0.6},
                     {"surplus_share", undefined},
                     {"loss", 600},
                     {"first_offer", undefined},
                     {"last_offer", undefined}});
  check_all_metrics(p, -1,
                    {{"conflict", 1},
                     {"valid", 1},
                     {"deal", 1},
                     {"deal_if_valid", 1},
                     {"deal_mutual", undefined},
                     {"deal_conflict", 1},
                     {"efficiency", undefined},
                     {"split_distance", undefined},
                     {"in_zone", undefined},
                     {"turns", 1},
                     {"messages", 2},
                     {"buy_offers", 1},
                     {"list_price", 10000},
                     {"budget", 8000},
                     {"cost", 9000},
                     {"price", 8400}});
  const Played quit = play({says("quit")}, {}, conflict);
  check_all_metrics(quit, 0,
                    {{"snp_mutual", undefined},
                     {"share", undefined},
                     {"share_mutual", undefined},
                     {"share_conflict", undefined},
                     {"ahead", undefined},
                     {"surplus_share", undefined},
                     {"loss_avoided", 1},
                     {"first_offer", undefined},
                     {"last_offer", undefined}});
  check_all_metrics(quit, -1,
                    {{"conflict", 1},
                     {"valid", 1},
                     {"deal_mutual", undefined},
                     {"efficiency", undefined},
                     {"split_distance", undefined},
                     {"in_zone", undefined},
                     {"quit", 1},
                     {"turns", 1},
                     {"messages", 1},
                     {"list_price", 10000},
                     {"budget", 8000},
                     {"cost", 9000},
                     {"price", undefined}});
}

TEST_CASE("Bargaining 1.1: the zone and the limits of both sides are met to the cent") {
  const auto deal_at = [](std::string_view price, const std::string& with) {
    return play({says("buy", "1"), says("deal", price)}, {says("sell", price)}, with);
  };
  struct Row {
    const char* price;
    double in_zone, buyer_loss, seller_loss;
  };
  // C = 60.00, B = 80.00.
  for (const Row& row : {Row{"59.99", 0, 0, 1}, Row{"60", 1, 0, 0}, Row{"60.01", 1, 0, 0},
                         Row{"79.99", 1, 0, 0}, Row{"80", 1, 0, 0}, Row{"80.01", 0, 1, 0}}) {
    INFO(row.price);
    const Played p = deal_at(row.price, settings());
    CHECK(p.metric("in_zone") == row.in_zone);
    CHECK(p.metric("loss", 0) == row.buyer_loss);
    CHECK(p.metric("loss", 1) == row.seller_loss);
  }
  // C = 90.00: the buyer avoids a loss up to its budget, the seller from its cost on.
  const std::string conflict = settings(R"("cost": 90)");
  const auto avoided = [&](std::string_view price) {
    const Played p = deal_at(price, conflict);
    return std::pair(p.metric("loss_avoided", 0), p.metric("loss_avoided", 1));
  };
  CHECK(avoided("80") == std::pair(1.0, 0.0));
  CHECK(avoided("80.01") == std::pair(0.0, 0.0));
  CHECK(avoided("89.99") == std::pair(0.0, 0.0));
  CHECK(avoided("90") == std::pair(0.0, 1.0));
}

TEST_CASE("Bargaining 1.2: ahead is more than half, and half is not") {
  const auto ahead = [](std::string_view price, const std::string& with) {
    const Played p = play({says("buy", price)}, {says("deal", price)}, with);
    return std::pair(p.metric("ahead", 0), p.metric("ahead", 1));
  };
  CHECK(ahead("69.99", settings()) == std::pair(1.0, 0.0));
  CHECK(ahead("70", settings()) == std::pair(0.0, 0.0));
  CHECK(ahead("70.01", settings()) == std::pair(0.0, 1.0));
  const std::string conflict = settings(R"("cost": 90)");
  CHECK(ahead("84.99", conflict) == std::pair(1.0, 0.0));
  CHECK(ahead("85", conflict) == std::pair(0.0, 0.0));
  CHECK(ahead("85.01", conflict) == std::pair(0.0, 1.0));
}

TEST_CASE("Bargaining 1.2: a deal takes an offer from a cent below to a cent above") {
  const auto rejected = [](std::string_view price, const std::string& with) {
    const Played p =
        play({says("buy", "50"), says("deal", price), says("quit")}, {says("sell", "90")}, with);
    return p.asked[2].rejected;
  };
  const std::string cents = settings(R"("tolerance": "cents")");
  CHECK(rejected("89.98", cents) == 1);
  CHECK(rejected("89.99", cents) == 0);
  CHECK(rejected("90", cents) == 0);
  CHECK(rejected("90.01", cents) == 0);
  CHECK(rejected("90.02", cents) == 1);
  // By default no deal is made at a price that nobody offered.
  CHECK(rejected("89.99", settings()) == 1);
  CHECK(rejected("90", settings()) == 0);
  CHECK(rejected("90.01", settings()) == 1);
  for (const char* name : {"paper", "published-code"}) {
    const Played p = play({says("buy", "50"), says("deal", "10.01")}, {says("sell", "10.02")},
                          settings(preset(name).members), preset(name).reasks);
    CHECK(end_of(p) == "BUYER:deal");
  }
}

TEST_CASE("Bargaining 1.1: budget and cost alike are mutual interest with nothing to share") {
  const Played p = play({says("buy", "79")}, {says("deal", "79")}, settings(R"("cost": 80)"));
  CHECK(p.metric("mutual") == 1);
  CHECK(p.metric("efficiency") == 1);
  CHECK(p.metric("in_zone") == 0);
  CHECK(std::isnan(p.metric("surplus_share", 0)));
  CHECK(std::isnan(p.metric("surplus_share", 1)));
  CHECK(p.outcome[0].score == 100);
  CHECK(p.outcome[1].score == -100);
  CHECK(p.outcome[0].ideal == 0);
}
