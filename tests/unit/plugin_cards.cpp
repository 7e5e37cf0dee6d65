// Cards that would fail in the middle of a run are refused when they are registered.
#include <agon/agent.hpp>
#include <agon/error.hpp>
#include <agon/game.hpp>
#include <functional>

#include "catch.hpp"
#include "plugin/catalogue.hpp"

using namespace agon;

namespace cards {

struct Inner {
  int depth = 1;
};
AGON_DESCRIBE(Inner, (depth, "how deep"))
struct Settings {
  int pie = 10;
  Inner inner{};
  std::vector<int> rows{};
};
AGON_DESCRIBE(Settings, (pie, "coins", agon::range(1, 100)), (inner, "nested"),
              (rows, "rows", agon::data_file("agon-rows/1")))
struct Take {
  int coins = 0;
};
AGON_DESCRIBE(Take, (coins, "coins you take"))

constexpr Stage<"take", Take> kTake{"how many you take"};

Outcome play(Table<kTake> table, const Settings& s) {
  return {{.score = table.ask(0, kTake, limit(&Take::coins, 0, s.pie)).coins}};
}

struct Metrics {
  double a = 0;
};
AGON_DESCRIBE(Metrics, (a, "a metric"))

std::unique_ptr<Agent> make_none(const void*, const AgentServices&) {
  return nullptr;
}

}  // namespace cards

namespace {

const Type& kInt = type_of<int>();

Game good() {
  return game<&cards::play>("cards", {.seats = {1, 1}, .rules = "{{pie}} and {{inner.depth}}"});
}

/// The message with which a game is refused after one change.
std::string refused(const std::function<void(Game&)>& change) {
  Game game = good();
  change(game);
  Catalogue catalogue;
  try {
    catalogue.add(game);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::invalid);
    CHECK(catalogue.all<Game>().empty());
    return error.what();
  }
  return "taken";
}

}  // namespace

TEST_CASE("A card without faults is taken") {
  CHECK(refused([](Game&) {}) == "taken");
}

TEST_CASE("Names of games have small letters, digits and hyphens") {
  CHECK(refused([](Game& g) { g.id = ""; }) == "a game has no name");
  for (const char* name : {"Cards", "two words", "caf\xc3\xa9", "a/b", "a_b", "\x1b[31m"})
    CHECK(refused([&](Game& g) { g.id = name; }).find("other characters than a-z, 0-9 and -") !=
          std::string::npos);
  CHECK(refused([](Game& g) { g.id = "4-cards"; }) == "taken");
}

TEST_CASE("A game has settings, a function that plays it, and seats") {
  CHECK(refused([](Game& g) { g.play = nullptr; }).find("no function that plays it") !=
        std::string::npos);
  CHECK(refused([](Game& g) { g.settings = nullptr; }) ==
        "game 'cards': the settings are not described");
  CHECK(refused([](Game& g) { g.settings = &kInt; }) ==
        "game 'cards': the settings are not a described struct");
  CHECK(refused([](Game& g) {
          g.card.seats = {3, 2};
        }) == "game 'cards': the game has 3 to 2 seats; it must be 1 to 16");
  CHECK(refused([](Game& g) {
          g.card.seats = {1, 17};
        }) == "game 'cards': the game has 1 to 17 seats; it must be 1 to 16");
}

TEST_CASE("Stages and events have names of their own") {
  static const StageCard same[] = {{"take", "", &type_of<cards::Take>()},
                                   {"take", "", &type_of<cards::Take>()}};
  static const StageCard nameless[] = {{"", "", &type_of<cards::Take>()}};
  CHECK(refused([](Game& g) { g.stages = same; }) == "game 'cards': two stages are named 'take'");
  CHECK(refused([](Game& g) { g.stages = nameless; }) == "game 'cards': a stage has no name");
  static const EventCard unlike[] = {{"told", "", &type_of<cards::Take>()},
                                     {"told", "", &type_of<cards::Metrics>(), Audience::record}};
  static const EventCard alike[] = {{"told", "", &type_of<cards::Take>()},
                                    {"told", "", &type_of<cards::Take>(), Audience::record}};
  static const EventCard by_role[] = {{"told", "", &type_of<cards::Take>(), Audience::one_seat},
                                      {"told", "", &type_of<cards::Metrics>(), Audience::one_seat}};
  static const EventCard silent[] = {{"", "", &type_of<cards::Take>()}};
  CHECK(refused([](Game& g) { g.events = unlike; }) ==
        "game 'cards': two events of different types are named 'told'");
  CHECK(refused([](Game& g) { g.events = alike; }) == "taken");
  CHECK(refused([](Game& g) { g.events = by_role; }) == "taken");
  CHECK(refused([](Game& g) { g.events = silent; }) == "game 'cards': an event has no name");
}

TEST_CASE("Names on cards fit into a line") {
  static const std::string wide(101, 'n');
  static const StageCard stage[] = {{wide, "", &type_of<cards::Take>()}};
  static const EventCard event[] = {{wide, "", &type_of<cards::Take>()}};
  static const std::string_view role[] = {wide};
  const std::string but = " has a name of more than 100 characters; shorten it";
  CHECK(refused([](Game& g) { g.id = wide; }) == "a game" + but);
  CHECK(refused([](Game& g) { g.stages = stage; }) == "game 'cards': a stage" + but);
  CHECK(refused([](Game& g) { g.events = event; }) == "game 'cards': an event" + but);
  Catalogue catalogue;
  CHECK_THROWS_WITH(catalogue.add(AgentCard{.id = "one",
                                            .roles = role,
                                            .params = &type_of<cards::Inner>(),
                                            .make = &cards::make_none}),
                    "agent 'one': a role" + but);
}

TEST_CASE("Placeholders of the rules are settings") {
  CHECK(refused([](Game& g) { g.card.rules = "{{pi}}"; }) ==
        "game 'cards', rules: there is nothing for the placeholder {{pi}} (did you mean 'pie'?)");
  CHECK(refused([](Game& g) { g.card.rules = "{{pie"; }).find("never closed") != std::string::npos);
}

TEST_CASE("The range of the normalised score holds what every game can come to") {
  CHECK(refused([](Game& g) { g.card.score_range = range(0, 1); }) == "taken");
  CHECK(refused([](Game& g) { g.card.score_range = at_most(1); }) == "taken");
  for (const Range& none : {range(0.1, 1), range(0, 0.9), range(1, 0), at_most(0)})
    CHECK(refused([&](Game& g) { g.card.score_range = none; }) ==
          "game 'cards': the range of the normalised score has not both 0 and 1 in it; a forfeited "
          "match counts as 0, the best that a seat can get as 1");
}

TEST_CASE("Cluster and stake name metrics of the match") {
  for (const auto& [what, member] :
       {std::pair{"cluster", &GameCard::cluster}, std::pair{"stake", &GameCard::stake}}) {
    const auto with = [member = member](const char* name, bool declared) {
      return refused([&](Game& g) {
        g.card.*member = name;
        if (declared) g.card.match_metrics = &type_of<cards::Metrics>();
      });
    };
    const std::string one{type_of<cards::Metrics>().fields[0].name};
    CHECK(with(one.c_str(), true) == "taken");
    for (const bool declared : {false, true})
      CHECK(with("nothing", declared) == "game 'cards': the card's " + std::string(what) +
                                             " is 'nothing', which is not a match metric; "
                                             "name a member of the struct given as match_metrics");
  }
}

TEST_CASE("Metrics are a described struct of a bounded size") {
  CHECK(refused([](Game& g) { g.card.seat_metrics = &type_of<cards::Metrics>(); }) == "taken");
  CHECK(refused([](Game& g) { g.card.match_metrics = &kInt; }) ==
        "game 'cards': the match metrics are not a described struct");
  static const std::vector<Field> fields(kMaxMetrics + 1, type_of<cards::Metrics>().fields[0]);
  static Type many = type_of<cards::Metrics>();
  many.fields = fields;
  CHECK(refused([](Game& g) { g.card.seat_metrics = &many; }) ==
        "game 'cards': the seat metrics are 33, at most 32 are kept");
  static constexpr RateCard rates[] = {{.name = "share", .above = "a", .below = "b"}};
  CHECK(refused([](Game& g) {
          g.card.seat_metrics = &type_of<cards::Metrics>();
          g.card.rates = rates;
        }) == "game 'cards': the rate 'share' names 'b', which is no metric of a seat");
}

TEST_CASE("Presets are read over the defaults") {
  const auto with = [](std::vector<Preset> presets) {
    return refused([&](Game& g) { g.card.presets = presets; });
  };
  CHECK(with({{"agon", "", "{\"pie\": 20}"}, {"paper", "", "{\"pie\": 30}", 0}}) == "taken");
  CHECK(with({{"agon", "", "{\"pi\": 20}"}}).find("(did you mean 'pie'?)") != std::string::npos);
  CHECK(with({{"agon", "", "{\"pie\": 200}"}}).find("$.pie") != std::string::npos);
  CHECK(with({{"agon", "", "{\"pie\": \"all\"}"}}).find("$.pie") != std::string::npos);
  CHECK(with({{"agon", "", "{\"pie\": 20"}}) != "taken");
  CHECK(with({{"agon", "", "[]"}}).find("are a JSON object") != std::string::npos);
  CHECK(with({{"agon", ""}, {"agon", ""}}) == "game 'cards': two presets are named 'agon'");
  CHECK(with({{"", ""}}).find("has no name") != std::string::npos);
  CHECK(with({{"agon", "", "{}", -1}}).find("negative number of times") != std::string::npos);

  SECTION("data files are not there yet, and what stands beside them is still checked") {
    CHECK(with({{"agon", "", "{\"rows\": \"no-such-file\"}"}}) == "taken");
    CHECK(with({{"agon", "", "{\"rows\": \"no-such-file\", \"pi\": 1}"}}).find("$.pi") !=
          std::string::npos);
    CHECK(with({{"agon", "", "{\"rows\": \"no-such-file\"}"}, {"paper", "", "{\"pi\": 1}"}})
              .find("preset 'paper'") != std::string::npos);
  }
}

TEST_CASE("Agents are checked too") {
  Catalogue catalogue;
  const Type& params = type_of<cards::Settings>();
  const auto agent = [&](AgentCard card) {
    try {
      catalogue.add(card);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  CHECK(agent({.id = "Bad Name", .params = &params, .make = &cards::make_none})
            .find("'Bad Name' of an agent") != std::string::npos);
  CHECK(agent({.id = "a", .params = &params}).find("no function that makes the agent") !=
        std::string::npos);
  CHECK(agent({.id = "a", .make = &cards::make_none}) ==
        "agent 'a': the parameters are not described");
  CHECK(agent({.id = "a",
               .check = +[](const void*) { return std::string(); },
               .params = &params,
               .make = &cards::make_none})
            .find("it has a check of settings, but plays any game") != std::string::npos);
  CHECK(agent({.id = "a", .game = "one", .params = &params, .make = &cards::make_none}) == "taken");

  SECTION("an agent's name is its own within each game that it plays") {
    CHECK(agent({.id = "a", .game = "two", .params = &params, .make = &cards::make_none}) ==
          "taken");
    CHECK(agent({.id = "a", .game = "one", .params = &params, .make = &cards::make_none})
              .find("an agent named 'a' of the game 'one' already") != std::string::npos);
    CHECK(agent({.id = "a", .params = &params, .make = &cards::make_none})
              .find("an agent named 'a' of the game 'one' already") != std::string::npos);
    CHECK(agent({.id = "b", .params = &params, .make = &cards::make_none}) == "taken");
    CHECK(agent({.id = "b", .game = "one", .params = &params, .make = &cards::make_none})
              .find("an agent named 'b' that plays any game already") != std::string::npos);
    CHECK(catalogue.agents_of("one").size() == 2);
    CHECK(catalogue.agents_of("three").size() == 1);
    CHECK(catalogue.all<AgentCard>().front()->id == "b");  // those for any game come first
  }
}
