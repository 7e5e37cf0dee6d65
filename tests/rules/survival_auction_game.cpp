// The survival auction: the paper's worked day, ties without a fallback, health, metrics and
// strategies (rules for the water game, section 2.11; K-Level Reasoning).

#include <boost/json.hpp>

#include "catch.hpp"
#include "support/scripted_match.hpp"
#include "survival-auction/game.hpp"
#include "survival-auction/play.hpp"
#include "survival-auction/strategies.hpp"

namespace survival_auction_test {
namespace {

using agon::major;
using agon::test::answers_of;
using agon::test::check_all_metrics;
using agon::test::check_metric_bounds;
using agon::test::DrawingAgent;
using agon::test::play_agents;
using agon::test::Played;
using agon::test::ScriptedMatch;
using agon::test::undefined;
using namespace survival_auction;

const agon::Game& the_game() {
  static const agon::Game game = survival_auction::game();
  return game;
}

std::vector<std::string> bids(const std::vector<double>& dollars) {
  std::vector<std::string> answers;
  for (const double d : dollars) answers.push_back(R"({"bid": )" + std::to_string(d) + "}");
  return answers;
}

Played play(const std::string& settings, const std::vector<std::vector<double>>& scripts) {
  ScriptedMatch match(the_game(), settings);
  for (std::size_t i = 0; i < scripts.size(); ++i)
    match.seat(static_cast<int>(i), bids(scripts[i]));
  return match.play();
}

/// "balance/hp/no_drink" of everybody in the evening of day `n`, from 0.
std::vector<std::string> evening(const Played& played, std::size_t n) {
  std::vector<std::string> lines;
  const auto day = boost::json::parse(played.event("day", n).json);
  for (const auto& line : day.at("residents").as_array())
    lines.push_back(std::to_string(line.at("balance").to_number<int>()) + "/" +
                    std::to_string(line.at("hp").to_number<int>()) + "/" +
                    std::to_string(line.at("no_drink").to_number<int>()));
  return lines;
}

std::string winner(const Played& played, std::size_t n) {
  const auto day = boost::json::parse(played.event("day", n).json);
  return day.at("winner").is_null() ? "" : std::string(day.at("winner").as_string());
}

/// Bids up to twice what it has, half of the time.
class Reckless final : public agon::Agent {
 public:
  void answer(agon::Question& question) const override {
    auto dice = question.dice();
    question.answer_json(dice.below(2) == 0 ? R"({"bid": 250.25})" : R"({"bid": 40})");
  }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("survival auction 2.11: the paper's first day") {
  // Figure 5: 25, 40, 40, 30, 60: Eric drinks, everybody else loses a point.
  const auto played = play("{}", {{25}, {40}, {40}, {30}, {60}});
  CHECK(winner(played, 0) == "Eric");
  CHECK(evening(played, 0) == Lines{"100/7/2", "100/7/2", "100/7/2", "100/7/2", "40/10/1"});
}

TEST_CASE("survival auction: a tie at the top gives the water to nobody, not to the next") {
  const auto tied = play(R"({"days": 2})", {{50, 10}, {50, 20}, {49, 30}, {0, 0}, {0, 0}});
  CHECK(winner(tied, 0).empty());
  CHECK(winner(tied, 1) == "Cindy");
  CHECK(tied.metric("tied_days", 0) == 1);
  CHECK(tied.metric("tied_days", 1) == 1);
  CHECK(tied.metric("tied_days", 2) == 0);
  CHECK(tied.metric("tied_days") == 1);
  CHECK(tied.metric("days_with_winner") == 1);
}

TEST_CASE("survival auction: of tied bids the one that can be paid wins, if it is the only one") {
  const auto offers = [](const std::vector<std::pair<int, int>>& dollars) {
    std::vector<Offer> list;
    for (const auto& [bid, balance] : dollars) list.push_back({major(bid), major(balance)});
    return list;
  };
  CHECK(winner_of(offers({{60, 50}, {60, 70}, {10, 99}})) == 1U);
  CHECK_FALSE(winner_of(offers({{60, 60}, {60, 70}, {10, 99}})));
  // The highest bid is too high: there is no fallback to the second.
  CHECK_FALSE(winner_of(offers({{60, 50}, {40, 70}, {10, 99}})));
  CHECK(winner_of(offers({{50, 50}, {40, 70}})) == 0U);
  CHECK(winner_of(offers({{0, 100}})) == 0U);
  CHECK_FALSE(winner_of(offers({{0, 100}, {0, 100}})));
}

TEST_CASE("survival auction: a bid above the balance is refused, or wastes the water") {
  const auto refused = play(R"({"days": 2})", {{101, 60}, {30}, {20}, {10}, {0}});
  CHECK(refused.asked[0].rejected == 1);
  CHECK(winner(refused, 0) == "Alex");
  const auto wasted = play(R"({"days": 2, "preset": "paper"})", {{101, 60}, {30}, {20}, {10}, {0}});
  CHECK(winner(wasted, 0).empty());
  CHECK(wasted.metric("wasted_bids", 0) == 1);
  CHECK(wasted.metric("wasted_days") == 1);
  CHECK(wasted.metric("tied_days") == 0);
  CHECK(winner(wasted, 1) == "Alex");
}

TEST_CASE("survival auction: health goes as in the water game") {
  // Never drinking: 8, 7, 5, 2, -2: dead on day 4.
  const std::vector<double> nothing(10, 0);
  const auto played =
      play("{}", {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, nothing, nothing, nothing, nothing});
  CHECK(evening(played, 3)[1] == "400/-2/5");
  CHECK(played.outcome[1].score == 3);
  CHECK(played.metric("survival_round", 1) == 4);
  CHECK(played.metric("days_survived", 1) == 3);
  CHECK(played.count("death") == 4);
  // Health never rises above ten; alone, it drinks on.
  CHECK(evening(played, 1)[0] == "198/10/1");
  CHECK(played.metric("hp_end", 0) == 10);
  CHECK(played.outcome[0].score == 10);
  CHECK(played.metric("survival_round", 0) == 10);
  CHECK(played.metric("survivors") == 1);
  CHECK(played.metric("mean_survival_round") == Approx((10 + 4 * 4) / 5.0));
  // A bid of one dollar is 99 cents more than was needed, alone a whole one.
  CHECK(played.metric("overpaid", 0) == 4 * 99 + 6 * 100);
}

TEST_CASE("survival auction: all may die, and the game ends") {
  const std::vector<double> nothing(10, 0);
  const auto played = play("{}", {nothing, nothing, nothing, nothing, nothing});
  CHECK(played.metric("days_played") == 4);
  CHECK(played.metric("survival_rate") == 0);
  CHECK(played.metric("tied_days") == 4);
}

TEST_CASE("survival auction: adaption index compares the distance from the others' highest bid") {
  const auto played =
      play(R"({"days": 4, "residents": ["A", "B"]})", {{10, 20, 30, 40}, {30, 40, 20, 35}});
  // 20 and 20, then 10 and 5.
  CHECK(played.metric("distance_first", 0) == 2000);
  CHECK(played.metric("distance_second", 0) == 750);
  CHECK(played.metric("adaption_index", 0) == Approx(0.375));
  // Dead before the second half: undefined.
  const auto dead =
      play("{}", {{5, 5, 5, 5}, {4, 4, 4, 4}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 1, 1, 1}});
  CHECK(std::isnan(dead.metric("adaption_index", 4)));
}

TEST_CASE("survival auction: fraction, last and adaptive bid what they say") {
  const Fraction third({1.0 / 3});
  const Last last({});
  const auto played =
      play_agents(the_game(), R"({"days": 3, "residents": ["A", "B"]})", {&third, &last});
  CHECK(answers_of(played, 0)[0] == R"({"bid":33.33})");
  // B bids half of 100 first; then a dollar more than 33.33, or what it has.
  CHECK(answers_of(played, 1)[0] == R"({"bid":50})");
  CHECK(answers_of(played, 1)[1] == R"({"bid":34.33})");
}

TEST_CASE("survival auction: adaptive bids nothing it need not, and all it takes to live") {
  const Adaptive adaptive({.spread = {}});
  // Two days are survived without water.
  CHECK(answers_of(play_agents(the_game(), R"({"days": 2, "residents": ["A", "B"]})",
                               {&adaptive, &adaptive}),
                   0) == Lines{R"({"bid":0})", R"({"bid":0})"});
  // On its last point of health it beats all that a rival owns, if it can.
  const auto played =
      ScriptedMatch(the_game(),
                    R"({"days": 2, "start_hp": 1, "max_hp": 3, "residents": ["A", "B"]})")
          .agent(0, adaptive)
          .seat(1, bids({100, 0}))
          .play();
  CHECK(answers_of(played, 0)[0] == R"({"bid":100})");
  CHECK(played.metric("tied_days") == 1);
}

TEST_CASE("survival auction: adaptive draws its bid, so that its own kind does not always tie") {
  const Adaptive drawn({});
  const Adaptive set({.spread = {}});
  double with = 0, without = 0;
  for (std::uint64_t luck = 1; luck <= 20; ++luck) {
    const auto played =
        play_agents(the_game(), "{}", {&drawn, &drawn, &drawn, &drawn, &drawn}, luck);
    for (const auto& asked : played.asked) CHECK(asked.rejected == 0);
    with += played.metric("mean_survival_round");
    without += play_agents(the_game(), "{}", {&set, &set, &set, &set, &set}, luck)
                   .metric("mean_survival_round");
  }
  CHECK(without == 80);
  CHECK(with > 100);
}

TEST_CASE("survival auction: adaptive outlives the others in their own company") {
  const Adaptive adaptive({});
  const Fraction half({});
  const Last last({});
  const DrawingAgent random;
  for (const agon::Agent* field : std::vector<const agon::Agent*>{&half, &last, &random}) {
    double focal = 0, itself = 0;
    for (std::uint64_t luck = 1; luck <= 20; ++luck) {
      focal += play_agents(the_game(), "{}", {&adaptive, field, field, field, field}, luck)
                   .outcome[0]
                   .score;
      itself +=
          play_agents(the_game(), "{}", {field, field, field, field, field}, luck).outcome[0].score;
    }
    INFO(focal / 20 << " " << itself / 20);
    CHECK(focal > itself + 20);
  }
}

TEST_CASE("survival auction: money and days add up in random matches") {
  const DrawingAgent random;
  const Reckless reckless;
  double wasted = 0;
  for (const bool any : {false, true})
    for (std::uint64_t luck = 1; luck <= 20; ++luck) {
      const agon::Agent& who = any ? static_cast<const agon::Agent&>(reckless) : random;
      const auto played = play_agents(the_game(), any ? R"({"preset": "paper"})" : "{}",
                                      {&who, &random, &who, &random, &who}, luck);
      check_metric_bounds(played);
      double wins = 0, spent = 0, overpaid = 0;
      for (int seat = 0; seat < 5; ++seat) {
        wins += played.metric("wins", seat);
        spent += played.metric("spent", seat);
        overpaid += played.metric("overpaid", seat);
        const double days = played.metric("days_survived", seat);
        const bool survived = played.metric("survived", seat) == 1;
        CHECK(played.metric("survival_round", seat) == days + (survived ? 0 : 1));
        if (survived)
          CHECK(played.metric("balance_end", seat) == 10000 * days - played.metric("spent", seat));
        wasted += played.metric("wasted_bids", seat);
      }
      CHECK(wins == played.metric("days_with_winner"));
      CHECK(spent == played.metric("spent"));
      CHECK(overpaid == played.metric("overpaid"));
      CHECK(played.metric("days_with_winner") + played.metric("tied_days") +
                played.metric("wasted_days") ==
            played.metric("days_played"));
      for (const auto& asked : played.asked) CHECK_FALSE(asked.forced);
    }
  CHECK(wasted > 50);
}

TEST_CASE("survival auction: settings that make no sense together are refused with the reason") {
  Settings s;
  CHECK(check(s).empty());
  s.start_hp = 11;
  CHECK(check(s) == "start_hp is 11, above max_hp, 10");
}

TEST_CASE("survival auction: all metrics of one match") {
  // Day 1: Ann drinks, 40.51 would have been enough. Day 2: Bob drinks, 30.01 would have, and Cas
  // dies. Day 3: a tie. Day 4: Ann bids more than she has and dies. Day 5: Bob is alone.
  const auto played = play(R"({"days": 5, "start_hp": 3, "max_hp": 4, "over_balance": "wasted",
               "residents": ["Ann", "Bob", "Cas"]})",
                           {{50, 30, 70, 400}, {40.5, 60, 70, 10, 25}, {10, 20}});
  check_all_metrics(played, 0,
                    {{"days_survived", 3},
                     {"survival_round", 4},
                     {"hp_end", -2},
                     {"spent", 5000},
                     {"wins", 1},
                     {"tied_days", 1},
                     {"wasted_bids", 1},
                     {"bid_sum", 55000},
                     {"critical_days", 1},
                     {"overpaid", 949},
                     {"distance_first", (950 + 3000) / 2.0},
                     {"distance_second", (0 + 39000) / 2.0},
                     {"adaption_index", 39000.0 / 3950}});
  check_all_metrics(played, 1,
                    {{"survived", 1},
                     {"days_survived", 5},
                     {"survival_round", 5},
                     {"hp_end", 3},
                     {"balance_end", 41500},
                     {"spent", 8500},
                     {"wins", 2},
                     {"tied_days", 1},
                     {"bid_sum", 20550},
                     {"critical_days", 2},
                     {"critical_wins", 2},
                     {"overpaid", 2999 + 2500},
                     {"distance_first", (950 + 3000) / 2.0},
                     {"distance_second", (0 + 39000 + 2500) / 3.0},
                     {"adaption_index", 41500.0 / 3 / 1975}});
  check_all_metrics(played, 2,
                    {{"days_survived", 1},
                     {"survival_round", 2},
                     {"bid_sum", 3000},
                     {"critical_days", 1},
                     {"distance_first", 4000},
                     {"distance_second", undefined},
                     {"adaption_index", undefined}});
  check_all_metrics(played, -1,
                    {{"survivors", 1},
                     {"survival_rate", 1.0 / 3},
                     {"mean_survival_round", 11.0 / 3},
                     {"days_played", 5},
                     {"days_with_winner", 3},
                     {"tied_days", 1},
                     {"wasted_days", 1},
                     {"price_lowest", 2500},
                     {"price_highest", 6000},
                     {"price_mean", 4500},
                     {"spent", 13500},
                     {"overpaid", 949 + 2999 + 2500}});
  const double days[] = {3, 5, 1};
  for (int seat = 0; seat < 3; ++seat) {
    CHECK(played.outcome[seat].score == days[seat]);
    CHECK(played.outcome[seat].disagreement == 0);
    CHECK(played.outcome[seat].ideal == 5);
  }
}

TEST_CASE("survival auction: a bid of all the balance is paid, a cent more is too much") {
  const auto day = [](double bid) {
    return play(R"({"days": 2, "preset": "paper"})", {{bid}, {0}, {0}, {0}, {0}});
  };
  CHECK(winner(day(100), 0) == "Alex");
  CHECK(day(100).metric("wasted_bids", 0) == 0);
  CHECK(winner(day(100.01), 0).empty());
  CHECK(day(100.01).metric("wasted_bids", 0) == 1);
}

}  // namespace survival_auction_test
