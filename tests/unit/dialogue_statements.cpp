#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "dialogue/statements.hpp"
#include "json/parse.hpp"

using namespace agon;
using namespace agon::dialogue;

namespace {

struct NoSettings {
  int level = 0;
};
AGON_DESCRIBE(NoSettings, (level, "nothing"))

constexpr std::uint32_t kEverybody = ~std::uint32_t{0};

std::vector<TalkedMove> two_moves(const void*, int) {
  return {{"choice_1", {"split", "cooperate"}}, {"choice_2", {"steal"}}};
}
/// Prices 1 and 3: 1 in equilibrium, 3 best for all.
std::optional<TalkedMarket> market(const void*) {
  return TalkedMarket{{{3, 1}, {3, 1}}, 1, 3};
}

/// A game in which all can be said.
const Game& trade() {
  static constexpr std::array<TalkMember, 1> kMessages{{{"say", "text"}}};
  static constexpr std::array<TalkMember, 1> kOffers{{{"say", "action.offer.price"}}};
  static constexpr std::array<TalkMember, 1> kAgreements{{{"say", "action.agree"}}};
  static constexpr std::array<TalkMember, 1> kMoves{{{"choose", "action"}}};
  static constexpr std::array<PrivateMember, 2> kValues{{{.event = "private",
                                                          .member = "budget",
                                                          .words = "limit,budget",
                                                          .unit = "dollars",
                                                          .understating = Understating::serves},
                                                         {.event = "private",
                                                          .member = "cost",
                                                          .words = "limit,cost",
                                                          .unit = "dollars",
                                                          .understating = Understating::harms}}};
  static const TalkCard kTalk{.messages = kMessages,
                              .values = kValues,
                              .stated = {},
                              .offers = kOffers,
                              .agreements = kAgreements,
                              .moves = kMoves,
                              .moves_for = &two_moves,
                              .market = &market};
  static const Game kGame = [] {
    Game game{};
    game.id = "trade";
    game.settings = &type_of<NoSettings>();
    game.card.talk = &kTalk;
    return game;
  }();
  return kGame;
}

/// A game about items.
const Game& division() {
  static constexpr std::array<TalkMember, 1> kMessages{{{"say", "text"}}};
  static constexpr std::array<TalkMember, 1> kOffers{{{"say", "take"}}};
  static constexpr std::array<TalkMember, 1> kStated{{{"claim", "each"}}};
  static constexpr std::array<PrivateMember, 1> kValues{{{.event = "private",
                                                          .member = "items[].value",
                                                          .label = "items[].item",
                                                          .count = "items[].count",
                                                          .unit = "points"}}};
  static const TalkCard kTalk{
      .messages = kMessages, .values = kValues, .stated = kStated, .offers = kOffers};
  static const Game kGame = [] {
    Game game{};
    game.id = "division";
    game.settings = &type_of<NoSettings>();
    game.card.talk = &kTalk;
    return game;
  }();
  return kGame;
}

HeardWords told(std::uint32_t audience, const std::string& json) {
  return {false, "private", -1, audience, -1, json::parse(json, "test")};
}
HeardWords answer(int seat, const std::string& stage, const std::string& json) {
  return {true, stage, seat, 0, 0, json::parse(json, "test")};
}
HeardWords says(int seat, const std::string& text,
                const std::string& action = R"({"kind":"reject"})") {
  return answer(seat, "say", R"({"text":")" + text + R"(","action":)" + action + "}");
}
std::string offer(const std::string& price) {
  return R"({"kind":"offer","price":)" + price + "}";
}

/// "0 misstated budget: said 30 dollars, is 40": each statement with its seat.
std::vector<std::string> found(const Game& game, std::vector<HeardWords> heard) {
  std::vector<std::string> all;
  for (const CheckedStatement& s : TalkListener(game, "{}").statements(heard))
    all.push_back(std::to_string(s.seat) + " " + in_words(s));
  return all;
}
/// Of a buyer with a budget of 40 and a seller with a cost of 20.
std::vector<std::string> traded(const std::vector<HeardWords>& after) {
  std::vector<HeardWords> all{told(1, R"({"budget":40})"), told(2, R"({"cost":20})")};
  all.insert(all.end(), after.begin(), after.end());
  return found(trade(), all);
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("own values are compared with what the seat alone was told") {
  CHECK(traded({says(0, "My budget is 30.")}) ==
        List{"0 misstated budget: said 30 dollars, is 40"});
  CHECK(traded({says(0, "My budget is 40.")}) == List{"0 leaked budget: said 40 dollars, is 40"});
  CHECK(traded({says(0, "My budget is about 41.")}) ==
        List{"0 leaked budget: said 41 dollars, is 40"});
  CHECK(traded({says(0, "My limit is not 40.")}) == List{"0 denied true budget"});
  CHECK(traded({says(0, "My limit is not 50.")}) == List{"0 true budget"});
  CHECK(traded({says(1, "My limit is 30.")}) == List{"1 misstated cost: said 30 dollars, is 20"});
  // What is told to everybody is no private value.
  CHECK(
      found(trade(), {told(kEverybody, R"({"budget":40})"), says(0, "My budget is 30.")}).empty());
  // Who is asked does not leak.
  CHECK(traded({says(1, "What is your budget?"), says(0, "My budget is 40.")}) ==
        List{"0 true budget: said 40 dollars, is 40"});
  CHECK(traded({says(1, "What do you want?"), says(0, "My budget is 40.")}) ==
        List{"0 leaked budget: said 40 dollars, is 40"});
}

TEST_CASE("a false number serves its seat or does not") {
  const auto serves = [](int seat, const std::string& text) {
    const std::vector<HeardWords> heard{told(1, R"({"budget":40})"), told(2, R"({"cost":20})"),
                                        says(seat, text)};
    return TalkListener(trade(), "{}").statements(heard).at(0).serves;
  };
  CHECK(serves(0, "My budget is 30.") == true);
  CHECK(serves(0, "My budget is 50.") == false);
  CHECK(serves(1, "My cost is 30.") == true);
  CHECK(serves(1, "My cost is 10.") == false);
  CHECK(!serves(0, "My budget is 40.").has_value());
}

TEST_CASE("restated offers are compared with those that were made") {
  CHECK(traded({says(0, "I offer 25.", offer("25"))}) ==
        List{"0 offer restated: said 25 dollars, is 25"});
  CHECK(traded({says(0, "I offer 25.", offer("28"))}) ==
        List{"0 offer restated wrongly: said 25 dollars, is 28"});
  CHECK(traded({says(0, "Hm.", offer("25")), says(0, "My last offer was 26.")}) ==
        List{"0 offer restated wrongly: said 26 dollars, is 25"});
  CHECK(traded({says(1, "Hm.", offer("35")), says(0, "You offered 30.")}) ==
        List{"0 offer restated wrongly: said 30 dollars, is 35"});
  CHECK(traded({says(1, "Hm.", offer("35")), says(0, "You offered 35.")}) ==
        List{"0 offer restated: said 35 dollars, is 35"});
  // An offer in words alone restates nothing.
  CHECK(traded({says(0, "I offer 25.")}).empty());
}

TEST_CASE("an agreement is there if it was taken, if offers meet or if others promised") {
  const std::string yes = " names an agreement";
  const std::string no = " claims an agreement that there is not";
  const auto deal = [](int seat, const std::string& action) {
    return says(seat, "We have a deal.", action);
  };
  const std::string agree = R"({"kind":"agree"})", reject = R"({"kind":"reject"})";
  CHECK(traded({deal(0, agree)}) == List{"0" + yes});
  CHECK(traded({deal(0, reject)}) == List{"0" + no});
  CHECK(traded({says(1, "", offer("35")), deal(0, offer("35"))}) == List{"0" + yes});
  CHECK(traded({says(1, "", offer("35")), deal(0, offer("34"))}) == List{"0" + no});
  CHECK(traded({says(1, "I will split."), deal(0, reject)}) ==
        List{"1 promise of choice_1: open", "0" + yes});
  CHECK(traded({says(0, "I will split."), deal(0, reject)}) ==
        List{"0 promise of choice_1: open", "0" + no});
}

TEST_CASE("promises are held against the next move of their seat") {
  const auto chooses = [](int seat, const std::string& action) {
    return answer(seat, "choose", R"({"action":")" + action + R"("})");
  };
  CHECK(traded({says(0, "I will split."), chooses(1, "choice_2"), chooses(0, "choice_1")}) ==
        List{"0 promise of choice_1: kept"});
  CHECK(traded({says(0, "I will split."), chooses(0, "choice_2")}) ==
        List{"0 promise of choice_1: broken"});
  CHECK(traded({says(0, "I won't steal."), chooses(0, "choice_2")}) ==
        List{"0 promise not to take choice_2: broken"});
  CHECK(traded({says(0, "I won't steal."), chooses(0, "choice_1")}) ==
        List{"0 promise not to take choice_2: kept"});
  // Only the next one counts, and only the last promise before it.
  CHECK(traded({says(0, "I will split."), chooses(0, "choice_1"), chooses(0, "choice_2")}) ==
        List{"0 promise of choice_1: kept"});
  CHECK(traded({says(0, "I will split."), says(0, "I will steal."), chooses(0, "choice_2")}) ==
        List{"0 promise of choice_1: open", "0 promise of choice_2: kept"});
}

TEST_CASE("values and parts of items") {
  const HeardWords priv = told(1, R"({"items":[{"item":"hat","count":2,"value":3},
                                          {"item":"ball","count":1,"value":4}]})");
  const HeardWords theirs = told(2, R"({"items":[{"item":"hat","count":2,"value":5},
                                            {"item":"ball","count":1,"value":0}]})");
  const auto proposes = [](int seat, const std::string& text, const std::string& take) {
    return answer(seat, "say", R"({"text":")" + text + R"(","take":)" + take + "}");
  };
  const auto divided = [&](const std::vector<HeardWords>& after) {
    std::vector<HeardWords> all{priv, theirs};
    all.insert(all.end(), after.begin(), after.end());
    return found(division(), all);
  };
  CHECK(divided({answer(0, "claim", R"({"each":[3,1]})")}) ==
        List{"0 true hat: said 3 points, is 3", "0 misstated ball: said 1 points, is 4"});
  CHECK(divided({proposes(0, "A hat is worth 3 to me.", "null")}) ==
        List{"0 leaked hat: said 3 points, is 3"});
  CHECK(divided({proposes(0, "I take 2 hats.", "[1,1]")}) ==
        List{"0 offer restated wrongly: said 2, is 1"});
  CHECK(divided({proposes(0, "I take 2 hats.", "[2,0]")}) ==
        List{"0 offer restated: said 2, is 2"});
  // The same split from both sides is an agreement.
  CHECK(divided({proposes(1, "", "[0,1]"), proposes(0, "We have a deal.", "[2,0]")}) ==
        List{"0 names an agreement"});
  CHECK(divided({proposes(1, "", "[1,1]"), proposes(0, "We have a deal.", "[2,0]")}) ==
        List{"0 claims an agreement that there is not"});
}

TEST_CASE("prices of a repeated game: index, variation, and punishment of who undercuts") {
  const auto play = [](const std::vector<int>& first, const std::vector<int>& second) {
    std::vector<HeardWords> heard;
    for (std::size_t t = 0; t < first.size(); ++t)
      for (const int seat : {0, 1})
        heard.push_back(answer(seat, "choose",
                               R"({"action":"choice_)" +
                                   std::to_string(((seat == 0 ? first : second)[t] == 3) ? 1 : 2) +
                                   R"("})"));
    return TalkListener(trade(), "{}").pricing(heard);
  };
  const auto collusion = play({3, 3, 3, 3}, {3, 3, 3, 3});
  CHECK(collusion.at(0).index == 1);
  CHECK(collusion.at(0).variation == 0);
  CHECK(collusion.at(0).deviations == 0);
  CHECK(play({1, 1, 1}, {1, 1, 1}).at(0).index == 0);
  const auto mixed = play({3, 1}, {3, 3});
  CHECK(mixed.at(0).index == 0.5);
  CHECK(mixed.at(1).index == 1);
  CHECK(mixed.at(0).variation == Approx(std::sqrt(0.5) / 2.5));  // levels 3 and 2
  const auto punished = play({3, 1, 3, 3, 3}, {3, 3, 1, 1, 1});
  CHECK(punished.at(1).deviations == 1);
  CHECK(punished.at(1).punished == 1);
  CHECK(punished.at(0).deviations == 0);
  const auto forgiven = play({3, 1, 3, 3, 3}, {3, 3, 3, 3, 3});
  CHECK(forgiven.at(1).deviations == 1);
  CHECK(forgiven.at(1).punished == 0);
  // One period is no repeated game.
  CHECK(play({3}, {3}).empty());
}

TEST_CASE("who talks has words in a message") {
  const TalkListener listener(trade(), "{}");
  CHECK(listener.talkers({says(0, ""), says(1, "Hm.")}) == 2);
  CHECK(listener.talkers({says(0, "")}) == 0);
}
