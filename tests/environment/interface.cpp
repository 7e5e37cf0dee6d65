// Games as environments through agon.h: what is asked, what counts as an answer, what is refused.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "catch.hpp"
#include "environment/library.hpp"

using namespace environment_test;
namespace bj = boost::json;

namespace {

const bj::object& member(const bj::value& of, std::string_view name) {
  return of.as_object().at(name).as_object();
}

}  // namespace

TEST_CASE("every game is played to its end under every seed, the same each time") {
  const Catalogue catalogue;
  const char* list = nullptr;
  REQUIRE(agon_list(catalogue.handle, &list) == AGON_OK);
  const bj::value games = bj::parse(list);
  CHECK(games.at("games").as_array().size() == 11);
  for (const bj::value& entry : games.at("games").as_array()) {
    const std::string id(entry.at("id").as_string());
    CAPTURE(id);
    const Game game(catalogue, id);
    const Env env(game, R"({"record": true})"), other(game, R"({"record": true})");
    const auto record = [](const Env& e, std::uint64_t seed, std::uint64_t block) {
      e.reset(seed, block);
      e.play_through();
      return e.record();
    };
    const std::string first = record(env, 1, 0);
    CHECK(first.size() > 100);
    CHECK(record(env, 2, 0) != first);
    CHECK(record(other, 1, 1) != first);
    CHECK(record(other, 1, 0) == first);
    // In the middle of another match too.
    env.reset(3, 3);
    CHECK(record(env, 1, 0) == first);
  }
}

TEST_CASE(
    "a match is the one that 'agon run' plays of the same seed, scenario, block and answers") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("agon-environment-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "s.json") << R"({"seed": 5, "agents": {"a": "random"}, "scenarios": [
    {"name": "bargains", "game": "bargaining", "blocks": 3, "design": {"fixed": [["a", "a"]]}}]})";
  const std::string agon = std::string(AGON_TEST_COMMAND) + " ";
  const std::string at = " " + folder.string();
  REQUIRE(std::system((agon + "run" + at + "/s.json --quiet --out" + at + "/a.agon").c_str()) == 0);
  REQUIRE(std::system(
              (agon + "export" + at + "/a.agon --rows records --format jsonl >" + at + "/a.jsonl")
                  .c_str()) == 0);
  const Catalogue catalogue;
  const Game game(catalogue, "bargaining");
  const Env env(game, R"({"agents": {"buyer": "random"}, "scenario": "bargains", "record": true})");
  std::ifstream rows(folder / "a.jsonl");
  int matches = 0;
  for (std::string row; std::getline(rows, row); ++matches) {
    const bj::value match = bj::parse(row);
    env.reset(5, static_cast<std::uint64_t>(match.at("block").as_int64()));
    for (const bj::value& entry : match.at("record").as_array()) {
      if (entry.at("entry") != "question" || entry.at("seat") != 1) continue;
      const std::string answer = bj::serialize(entry.at("value"));
      REQUIRE(agon_env_answer_json(env.handle, 0, answer.c_str()) == AGON_OK);
      env.step();
    }
    CHECK(env.open().empty());
    CHECK(bj::parse(env.record()).as_array().size() == match.at("record").as_array().size());
    CHECK(bj::parse(env.record()).as_array().back() == match.at("record").as_array().back());
    CHECK(bj::parse(env.record()).as_array().front() == match.at("record").as_array().front());
  }
  CHECK(matches == 3);
  std::filesystem::remove_all(folder);
}

TEST_CASE("seats that do not see one another's answers are asked together") {
  const Catalogue catalogue;
  const Game game(catalogue, "classic");
  const Env env(game);
  env.reset(1);
  const std::vector<agon_question> open = env.open();
  REQUIRE(open.size() == 2);
  CHECK(open[0].seat == 0);
  CHECK(open[1].seat == 1);
  CHECK(open[1].together == 2);
  // One answer is not enough, and says whose is missing.
  REQUIRE(agon_env_answer(env.handle, 0, nullptr) == AGON_OK);
  CHECK(agon_env_step(env.handle) == AGON_USAGE);
  CHECK(last_error().find("the question to seat 1 has no answer yet") != std::string::npos);
  REQUIRE(agon_env_answer(env.handle, 1, nullptr) == AGON_OK);
  env.step();
}

TEST_CASE("the seats of agents are played by them, by number, name or role") {
  const Catalogue catalogue;
  const Game game(catalogue, "bargaining");
  for (const char* options :
       {R"({"agents": {"0": "time-dependent"}})", R"({"agents": {"buyer": "time-dependent"}})"}) {
    const Env env(game, options);
    env.reset(1);
    while (!env.open().empty()) {
      CHECK(env.open()[0].seat == 1);
      env.draw_all();
    }
  }
  agon_env* env = nullptr;
  const auto refused = [&](const char* options) {
    CHECK(agon_env_make(game.handle, options, &env) == AGON_INVALID);
    return last_error();
  };
  CHECK(refused(R"({"agents": {"sellr": "random"}})").find("seller") != std::string::npos);
  CHECK(refused(R"({"agents": {"seller": "offer-generator"}})").find("the role seller") !=
        std::string::npos);
  CHECK(refused(R"({"agents": {"seller": "randon"}})").find("random") != std::string::npos);
  CHECK(refused(R"({"agents": {"0": "random", "1": "random"}})").find("leave out") !=
        std::string::npos);
  CHECK(refused(R"({"agent": {}})").find("agents") != std::string::npos);
  CHECK(refused(R"({"reasks": -1})").find("reasks") != std::string::npos);
  CHECK(refused("{").find("options") != std::string::npos);
}

TEST_CASE("an answer that is not legal is asked again with the reason, then the fallback counts") {
  const Catalogue catalogue;
  const Game game(catalogue, "guess-average");
  const Env env(game, R"({"reasks": 1})");
  env.reset(1);
  const auto answer_all = [&](const char* first) {
    const int n = static_cast<int>(env.open().size());
    for (int i = 0; i < n; ++i)
      REQUIRE(agon_env_answer_json(env.handle, i, i == 0 ? first : R"({"number": 7})") == AGON_OK);
    env.step();
  };
  answer_all(R"({"number": 1000})");
  REQUIRE(env.open().size() == 1);
  CHECK(env.open()[0].seat == 0);
  CHECK(env.open()[0].attempt == 1);
  CHECK(std::string(bj::parse(env.question(0)).at("complaint").as_string()).find("100") !=
        std::string::npos);
  answer_all("no JSON");
  // All others stand as they were given.
  REQUIRE(env.open().size() == 5);
  CHECK(env.open()[0].attempt == 0);
  std::vector<std::int32_t> fallbacks(5);
  REQUIRE(agon_env_fallbacks(env.handle, fallbacks.data()) == AGON_OK);
  CHECK(fallbacks == std::vector<std::int32_t>{1, 0, 0, 0, 0});
  answer_all(nullptr);
  REQUIRE(agon_env_fallbacks(env.handle, fallbacks.data()) == AGON_OK);
  CHECK(fallbacks[0] == 1);
  env.play_through();
  CHECK(env.outcome()[0].fallbacks == 1);
  CHECK(env.outcome()[1].fallbacks == 0);
}

TEST_CASE("numbers in places are answers, and what is no number there is not") {
  const Catalogue catalogue;
  const Game game(catalogue, "guess-average");
  const Env env(game, R"({"record": true})");
  const auto played = [&](double number) {
    env.reset(1);
    for (int i = 0; i < static_cast<int>(env.open().size()); ++i)
      REQUIRE(agon_env_answer(env.handle, i, &number) == AGON_OK);
    env.step();
    while (!env.open().empty()) env.draw_all();
    return env.outcome()[0].fallbacks;
  };
  CHECK(played(42) == 0);
  CHECK(env.record().find(R"("value":{"number":42})") != std::string::npos);
  CHECK(played(0.5) == 1);
  CHECK(env.record().find("0.5") != std::string::npos);
  CHECK(played(NAN) == 1);
  CHECK(played(1e300) == 1);
  CHECK(played(101) == 1);
  CHECK(played(100) == 0);
}

TEST_CASE("bounds and masks say what is legal: whatever keeps to them is") {
  const Catalogue catalogue;
  for (const char* id : {"bargaining", "classic", "water-allocation", "english-auction"}) {
    CAPTURE(id);
    const Game game(catalogue, id);
    const Env env(game);
    const bj::value all = bj::parse(game.describe());
    for (std::uint64_t block = 0; block < 20; ++block) {
      env.reset(9, block);
      while (!env.open().empty()) {
        const auto open = env.open();
        for (int i = 0; i < static_cast<int>(open.size()); ++i) {
          const auto n = all.at("stages")
                             .as_array()[static_cast<std::size_t>(open[i].stage)]
                             .at("places")
                             .as_array()
                             .size();
          std::vector<double> low(n), high(n), places(n);
          std::vector<std::uint64_t> mask(n);
          REQUIRE(agon_env_bounds(env.handle, i, low.data(), high.data(), mask.data()) == AGON_OK);
          for (std::size_t k = 0; k < n; ++k) {
            CHECK(low[k] <= high[k]);
            places[k] = block % 2 == 0 ? low[k] : std::min(high[k], low[k] + 50);
            if (mask[k] == 0) continue;
            places[k] = block % 2 == 0 ? __builtin_ctzll(mask[k]) : 63 - __builtin_clzll(mask[k]);
          }
          REQUIRE(agon_env_answer(env.handle, i, places.data()) == AGON_OK);
        }
        env.step();
      }
      for (int seat = 0; seat < 2; ++seat) CHECK(env.outcome()[seat].fallbacks == 0);
    }
  }
}

TEST_CASE("a finite answer has actions, each of which is legal or not now") {
  const Catalogue catalogue;
  const Game game(catalogue, "clock-auction");
  const bj::value all = bj::parse(game.describe());
  const bj::array& stages = all.at("stages").as_array();
  const Env env(game);
  env.reset(1);
  const int stage = env.open()[0].stage;
  REQUIRE(stages[static_cast<std::size_t>(stage)].at("actions") == 2);
  std::vector<std::uint8_t> legal(2);
  REQUIRE(agon_env_actions(env.handle, 0, legal.data()) == AGON_OK);
  CHECK(legal == std::vector<std::uint8_t>{1, 1});
  CHECK(agon_env_answer_action(env.handle, 0, 2) == AGON_INVALID);
  CHECK(last_error().find("not one of 0 to 1") != std::string::npos);
  for (int i = 0; i < static_cast<int>(env.open().size()); ++i)
    REQUIRE(agon_env_answer_action(env.handle, i, 0) == AGON_OK);
  env.step();
  env.play_through();
  CHECK(env.outcome()[0].fallbacks == 0);
  const Game other(catalogue, "guess-average");
  const Env wide(other);
  wide.reset(1);
  CHECK(agon_env_actions(wide.handle, 0, legal.data()) == AGON_USAGE);
}

TEST_CASE("a seat is told what it is to know and no more, and a person's words are rendered") {
  const Catalogue catalogue;
  const Game game(catalogue, "bargaining");
  const Env env(game);
  env.reset(4);
  const char* text = nullptr;
  std::string told[2];
  while (!env.open().empty()) {
    REQUIRE(agon_env_question(env.handle, 0, &text) == AGON_OK);
    told[env.open()[0].seat] += bj::parse(text).at("text").as_string();
    REQUIRE(agon_env_told(env.handle, env.open()[0].seat, &text) == AGON_OK);
    CHECK(bj::parse(text).is_array());
    env.draw_all();
  }
  const auto has = [&](int seat, const char* words) {
    return told[seat].find(words) != std::string::npos;
  };
  CHECK((has(0, "You can spend $") && !has(1, "You can spend $")));
  CHECK((has(1, "It cost you $") && !has(0, "It cost you $")));
  CHECK((has(0, "You offer to pay $") && has(1, "The buyer offers to pay $")));
  CHECK(agon_env_told(env.handle, 9, &text) == AGON_USAGE);
  const Env without(game, R"({"events": false})");
  without.reset(4);
  CHECK(agon_env_told(without.handle, 0, &text) == AGON_USAGE);
  CHECK(last_error().find("\\\"events\\\": true") != std::string::npos);
}

TEST_CASE("a call that makes no sense is refused, with what to do instead") {
  const Catalogue catalogue;
  const Game game(catalogue, "classic");
  const Env env(game);
  agon_question question;
  CHECK(agon_env_open(env.handle, &question, 1) == -AGON_USAGE);
  CHECK(agon_env_step(env.handle) == AGON_USAGE);
  CHECK(last_error().find("agon_env_reset()") != std::string::npos);
  env.reset(1);
  agon_seat_outcome seats[2];
  CHECK(agon_env_outcome(env.handle, seats, nullptr) == AGON_USAGE);
  CHECK(agon_env_answer(env.handle, 5, nullptr) == AGON_USAGE);
  CHECK(agon_env_answer(env.handle, -1, nullptr) == AGON_USAGE);
  const char* text = nullptr;
  env.play_through();
  CHECK(agon_env_step(env.handle) == AGON_USAGE);
  CHECK(last_error().find("the match is over") != std::string::npos);
  CHECK(agon_env_record(env.handle, &text) == AGON_USAGE);
  env.reset(1);
  CHECK(agon_env_open(env.handle, nullptr, 1) == -AGON_USAGE);
  CHECK(agon_env_view(env.handle, 0, nullptr) == AGON_USAGE);
  CHECK(agon_env_bounds(env.handle, 0, nullptr, nullptr, nullptr) == AGON_USAGE);
  CHECK(agon_env_fallbacks(env.handle, nullptr) == AGON_USAGE);
  CHECK(agon_game_describe(game.handle, 100000, &text) == AGON_INVALID);
  CHECK(agon_game_describe(game.handle, 0, nullptr) == AGON_USAGE);
  env.play_through();
  CHECK(agon_env_outcome(env.handle, nullptr, nullptr) == AGON_USAGE);
  CHECK(agon_env_reset(nullptr, 1, 1) == AGON_USAGE);
  CHECK(last_error().find("is null") != std::string::npos);
  agon_game* none = nullptr;
  CHECK(agon_game_open(catalogue.handle, "classik", "", "", &none) == AGON_INVALID);
  CHECK(last_error().find("classic") != std::string::npos);
  CHECK(agon_game_open(catalogue.handle, "classic", "papr", "", &none) == AGON_INVALID);
  CHECK(agon_game_open(catalogue.handle, "classic", "", R"({"rounds": 1)", &none) == AGON_INVALID);
  CHECK(agon_game_open(catalogue.handle, "classic", "", "[]", &none) == AGON_INVALID);
  CHECK(none == nullptr);
  agon_catalogue* other = nullptr;
  CHECK(agon_open(R"({"plugins": ["/nowhere/x.so"]})", &other) == AGON_INVALID);
  CHECK(last_error().find("/nowhere/x.so") != std::string::npos);
  CHECK(agon_version() == AGON_C_VERSION);
}

TEST_CASE("a process that was forked is told to make environments of its own") {
  const Catalogue catalogue;
  const Game game(catalogue, "classic");
  const Env env(game);
  env.reset(1);
  const pid_t child = fork();
  if (child == 0) {
    const bool refused =
        agon_env_step(env.handle) == AGON_USAGE && last_error().find("forked") != std::string::npos;
    agon_env_free(env.handle);
    _exit(refused ? 0 : 1);
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  env.play_through();
}

TEST_CASE("environments of one game are used by several threads at the same time") {
  const Catalogue catalogue;
  const Game game(catalogue, "deal-or-no-deal");
  std::vector<std::thread> threads;
  std::vector<double> payoffs(4);
  for (std::size_t t = 0; t < payoffs.size(); ++t)
    threads.emplace_back([&, t] {
      agon_env* env = nullptr;
      agon_env_make(game.handle, "", &env);
      while (env == nullptr) agon_env_make(game.handle, "", &env);  // the game was in use
      for (std::uint64_t block = 0; block < 20; ++block) {
        agon_env_reset(env, 7, block);
        agon_question open[2];
        for (int n = agon_env_open(env, open, 2); n > 0; n = agon_env_open(env, open, 2)) {
          for (int i = 0; i < n; ++i) agon_env_answer(env, i, nullptr);
          agon_env_step(env);
        }
        agon_seat_outcome seats[2];
        agon_env_outcome(env, seats, nullptr);
        payoffs[t] += seats[0].payoff + static_cast<double>(block) * seats[1].payoff;
      }
      agon_env_free(env);
    });
  for (std::thread& thread : threads) thread.join();
  for (const double payoff : payoffs) CHECK(payoff == payoffs[0]);
}

TEST_CASE("tables of a vector play the matches that one table plays") {
  const Catalogue catalogue;
  const std::string id = GENERATE("deal-or-no-deal", "english-auction", "classic", "ebay");
  CAPTURE(id);
  const Game game(catalogue, id);
  const bj::value all = bj::parse(game.describe());
  const std::size_t seats = all.at("seats").as_array().size();
  constexpr std::size_t kTables = 3;
  std::vector<double> payoff(kTables * seats);
  std::vector<std::uint8_t> over(kTables);
  std::vector<std::int32_t> seat(kTables);
  agon_vec_buffers buffers{};
  buffers.payoff = payoff.data();
  buffers.over = over.data();
  buffers.seat = seat.data();
  agon_vec* vec = nullptr;
  REQUIRE(agon_vec_make(game.handle, "", kTables, &buffers, &vec) == AGON_OK);
  CHECK(agon_vec_step(vec, nullptr) == AGON_USAGE);
  REQUIRE(agon_vec_reset(vec, 11) == AGON_OK);
  std::vector<std::uint64_t> block{0, 1, 2};
  const Env env(game);
  for (int ended = 0; ended < 12;) {
    REQUIRE(agon_vec_step(vec, nullptr) == AGON_OK);
    for (std::size_t i = 0; i < kTables; ++i) {
      if (over[i] == 0) continue;
      env.reset(11, block[i]);
      env.play_through();
      for (std::size_t s = 0; s < seats; ++s)
        CHECK(payoff[i * seats + s] == env.outcome()[s].payoff);
      block[i] += kTables;
      ++ended;
    }
  }
  agon_vec_free(vec);
  CHECK(agon_vec_make(game.handle, "", 0, &buffers, &vec) == AGON_INVALID);
  CHECK(agon_vec_make(game.handle, R"({"agents": {"0": "nobody"}})", 1, &buffers, &vec) ==
        AGON_INVALID);
}

TEST_CASE("a vector says which answers were not legal, and shows each table's question") {
  const Catalogue catalogue;
  const Game game(catalogue, "guess-average");
  constexpr std::size_t kTables = 2;
  std::vector<double> view(kTables * 200, 7), low(kTables), high(kTables);
  std::vector<std::uint64_t> mask(kTables);
  std::vector<std::uint8_t> fallback(kTables);
  std::vector<std::int32_t> seat(kTables);
  agon_vec_buffers buffers{};
  buffers.view = view.data();
  buffers.low = low.data();
  buffers.seat = seat.data();
  buffers.fallback = fallback.data();
  agon_vec* vec = nullptr;
  CHECK(agon_vec_make(game.handle, "", kTables, &buffers, &vec) == AGON_USAGE);
  CHECK(last_error().find("all three buffers") != std::string::npos);
  buffers.high = high.data();
  buffers.mask = mask.data();
  REQUIRE(agon_vec_make(game.handle, "", kTables, &buffers, &vec) == AGON_OK);
  REQUIRE(agon_vec_reset(vec, 1) == AGON_OK);
  CHECK(low == std::vector<double>{1, 1});
  CHECK(high == std::vector<double>{100, 100});
  const std::vector<double> places{0, 7};
  for (int step = 1; step < 12; ++step) {
    REQUIRE(agon_vec_step(vec, places.data()) == AGON_OK);
    CHECK(fallback == std::vector<std::uint8_t>{1, 0});
    CHECK(seat == std::vector<std::int32_t>(kTables, step % 5));
  }
  // The same in the second row as one table shows, with the block that it plays.
  const Env env(game);
  env.reset(1, 1);
  const auto answer_all = [&] {
    for (int i = 0; i < 5; ++i) REQUIRE(agon_env_answer(env.handle, i, &places[1]) == AGON_OK);
    env.step();
  };
  answer_all(), answer_all();
  REQUIRE(agon_vec_step(vec, places.data()) == AGON_OK);
  constexpr double kUnwritten = -12345;
  std::vector<double> row(200, kUnwritten);
  REQUIRE(agon_env_view(env.handle, 2, row.data()) == AGON_OK);
  const auto width =
      static_cast<std::size_t>(std::find(row.begin(), row.end(), kUnwritten) - row.begin());
  CHECK(width > 10);
  CHECK(std::equal(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(width),
                   view.begin() + static_cast<std::ptrdiff_t>(width)));
  agon_vec_free(vec);
}

TEST_CASE("two thousand environments fit into one process") {
  const Catalogue catalogue;
  std::vector<agon_game*> games(2000);
  std::vector<agon_env*> envs(2000);
  for (std::size_t i = 0; i < envs.size(); ++i) {
    REQUIRE(agon_game_open(catalogue.handle, "guess-average", "", "", &games[i]) == AGON_OK);
    REQUIRE(agon_env_make(games[i], "", &envs[i]) == AGON_OK);
    REQUIRE(agon_env_reset(envs[i], 1, i) == AGON_OK);
  }
  for (std::size_t i = 0; i < envs.size(); ++i) {
    agon_env_free(envs[i]);
    agon_game_close(games[i]);
  }
}

TEST_CASE("what a game is, as JSON, is what its arrays are") {
  const Catalogue catalogue;
  const Game game(catalogue, "bargaining", "", "{}");
  const bj::value all = bj::parse(game.describe());
  CHECK(all.at("seats").as_array()[0].at("role") == "buyer");
  CHECK(member(all, "score").contains("min"));
  for (const bj::value& stage : all.at("stages").as_array())
    for (const bj::value& column : stage.at("places").as_array()) {
      CHECK(column.at("path").as_string().starts_with("/"));
      CHECK_FALSE(column.at("kind").as_string().empty());
    }
  // Each column has a path of its own, and a seat sees all others where a list has them.
  const Game five(catalogue, "guess-average");
  const bj::value described = bj::parse(five.describe());
  for (const bj::value& stage : described.at("stages").as_array())
    for (const char* part : {"view", "places"}) {
      std::set<std::string> paths;
      for (const bj::value& column : stage.at(part).as_array())
        paths.emplace(column.at("path").as_string());
      CHECK(paths.size() == stage.at(part).as_array().size());
    }
  CHECK(five.describe().find("/players/4/") != std::string::npos);
}
