// What holds in every match, whoever plays.

#include <boost/json.hpp>
#include <map>
#include <set>

#include "catch.hpp"
#include "water-allocation/game.hpp"
#include "water_allocation_town.hpp"

using namespace water_allocation_test;
namespace json = boost::json;

namespace {

/// Bids half as much again as it has, half of the time.
class Reckless final : public agon::Agent {
 public:
  void answer(agon::Question& question) const override {
    auto dice = question.dice();
    question.answer_json(dice.below(2) == 0 ? R"({"bid": 150.25})" : R"({"bid": 40})");
  }
};

agon::test::Played play_all(const std::string& settings, const agon::Agent& agent,
                            std::uint64_t luck) {
  agon::test::ScriptedMatch match(the_game(), settings);
  for (int seat = 0; seat < 5; ++seat) match.agent(seat, agent);
  return match.luck(luck).play();
}

std::int64_t cents(const json::value& v) {
  return static_cast<std::int64_t>(std::llround(v.to_number<double>() * 100));
}

struct Body {
  std::int64_t balance = 0;
  std::int64_t hp = 8;
  std::int64_t no_drink = 1;
};

/// Checks every day of a match of the five residents; gives back how many drank in it.
int check_days(const agon::test::Played& played, std::int64_t least, std::int64_t most) {
  std::map<std::string, Body> town;
  std::map<std::string, water_allocation::Resident> facts;
  for (const auto& r : water_allocation::five_residents()) town[r.name], facts[r.name] = r;
  int drinks = 0;
  std::int64_t earned = 0, paid = 0, forfeited = 0;
  for (std::size_t n = 0; n < played.count("day"); ++n) {
    const json::value day = json::parse(played.event("day", n).json);
    const std::int64_t supply = day.at("supply").as_int64();
    CHECK(supply >= least);
    CHECK(supply <= most);
    std::int64_t used = 0;
    // Nobody but the living bids.
    CHECK(day.at("residents").as_array().size() == town.size());
    for (const json::value& line : day.at("residents").as_array()) {
      const std::string name(line.at("name").as_string());
      REQUIRE(town.count(name) == 1);
      Body& body = town[name];
      const auto& fact = facts[name];
      body.balance += fact.salary.cents;
      earned += fact.salary.cents;
      if (line.at("won").as_bool()) {
        ++drinks;
        used += fact.need;
        const std::int64_t bid = cents(line.at("bid"));
        CHECK(bid <= body.balance);
        body.balance -= bid;
        paid += bid;
        body.hp = std::min<std::int64_t>(10, body.hp + 2);
        body.no_drink = 1;
      } else {
        body.hp -= body.no_drink++;
      }
      CHECK(body.balance >= 0);
      CHECK(cents(line.at("balance")) == body.balance);
      CHECK(line.at("hp").as_int64() == body.hp);
      CHECK(line.at("no_drink").as_int64() == body.no_drink);
      if (body.hp <= 0) {
        forfeited += body.balance;
        town.erase(name);
      }
    }
    CHECK(used <= supply);
    CHECK(day.at("used").as_int64() == used);
  }
  std::int64_t left = 0;
  for (const auto& [name, body] : town) left += body.balance;
  CHECK(left == earned - paid - forfeited);
  CHECK(played.metric("survivors") == static_cast<double>(town.size()));
  CHECK(played.metric("spent") == static_cast<double>(paid));
  CHECK(played.metric("drinks") == drinks);
  return drinks;
}

void check_metrics(const agon::test::Played& played) {
  agon::test::check_metric_bounds(played);
  CHECK(played.metric("survivors") <= played.metric("survivors_bound"));
  CHECK(played.metric("water_used") <= played.metric("water_best"));
  CHECK(played.metric("drinks") <= played.metric("drinks_best"));
  CHECK(played.metric("overpaid") <= played.metric("spent"));
  for (int seat = 0; seat < 5; ++seat) {
    CHECK(played.metric("wins", seat) + played.metric("dry_days", seat) ==
          played.metric("bids", seat) + played.metric("no_bids", seat));
    CHECK(played.metric("balance_end", seat) == played.metric("earned", seat) -
                                                    played.metric("spent", seat) -
                                                    played.metric("forfeited", seat));
    CHECK(played.outcome[seat].score == played.metric("days_survived", seat));
    CHECK(played.outcome[seat].score >= played.outcome[seat].disagreement);
    CHECK(played.outcome[seat].score <= played.outcome[seat].ideal);
  }
}

}  // namespace

TEST_CASE("water: money, water and health add up in random matches") {
  const agon::test::DrawingAgent random;
  int drinks = 0;
  for (std::uint64_t luck = 1; luck <= 40; ++luck) {
    const auto played = play_all("{}", random, luck);
    drinks += check_days(played, 10, 20);
    check_metrics(played);
    for (const auto& asked : played.asked) CHECK_FALSE(asked.forced);
  }
  CHECK(drinks > 40);
}

TEST_CASE("water: they add up where bids above the balance are ignored") {
  const Reckless reckless;
  int drinks = 0;
  double ignored = 0;
  for (std::uint64_t luck = 1; luck <= 20; ++luck) {
    const auto played = play_all(R"({"preset": "paper", "supply": [20, 30]})", reckless, luck);
    drinks += check_days(played, 20, 30);
    check_metrics(played);
    for (int seat = 0; seat < 5; ++seat) ignored += played.metric("ignored_bids", seat);
    for (const auto& asked : played.asked) CHECK(asked.rejected == 0);
  }
  CHECK(drinks > 20);
  CHECK(ignored > 20);
}

TEST_CASE("water 2.4: both ends of the supply come up, and it does not depend on who plays") {
  const agon::test::DrawingAgent random;
  const Reckless reckless;
  std::set<std::int64_t> seen;
  for (std::uint64_t luck = 1; luck <= 40; ++luck) {
    const auto a = play_all("{}", random, luck);
    const auto b = play_all(R"({"preset": "paper"})", reckless, luck);
    const std::size_t days = std::min(a.count("day"), b.count("day"));
    for (std::size_t n = 0; n < days; ++n) {
      const json::value one = json::parse(a.event("day", n).json);
      const json::value other = json::parse(b.event("day", n).json);
      CHECK(one.at("supply") == other.at("supply"));
      seen.insert(one.at("supply").as_int64());
    }
  }
  CHECK(seen.size() == 11);
  CHECK(*seen.begin() == 10);
  CHECK(*seen.rbegin() == 20);
}

TEST_CASE("water: the record is the same for the same random numbers") {
  const agon::test::DrawingAgent random;
  CHECK(play_all("{}", random, 5).record == play_all("{}", random, 5).record);
  CHECK(play_all("{}", random, 5).record != play_all("{}", random, 6).record);
}
