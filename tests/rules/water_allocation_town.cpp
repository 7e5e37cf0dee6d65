#include "water_allocation_town.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <ostream>

#include "water-allocation/game.hpp"

namespace water_allocation_test {

namespace {

boost::json::value day_event(const agon::test::Played& played, std::size_t n) {
  return boost::json::parse(played.event("day", n).json);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Evening& e) {
  return out << e.balance << "/" << e.hp << "/" << e.no_drink;
}

const agon::Game& the_game() {
  static const agon::Game game = water_allocation::game();
  return game;
}

agon::test::Played play(const Case& c) {
  const char* names[] = {"Alex", "Bob", "Cindy", "David", "Eric"};
  std::string residents;
  for (std::size_t i = 0; i < c.players.size(); ++i) {
    const Player& p = c.players[i];
    residents += fmt::format(
        R"({}{{"name": "{}", "need": {}, "salary": {}, "balance": {}, "hp": {}, "no_drink": {}}})",
        i == 0 ? "" : ", ", p.name.empty() ? names[i] : p.name, p.need, p.salary, p.balance, p.hp,
        p.no_drink);
  }
  const auto last = static_cast<std::size_t>(c.first_day) + c.supplies.size() - 1;
  const std::string settings =
      fmt::format(R"({{"residents": [{}], "first_day": {}, "days": {}, "supply": [0, 1000], )"
                  R"("supply_list": [{}]{}{}}})",
                  residents, c.first_day, last, fmt::join(c.supplies, ", "),
                  c.more.empty() ? "" : ", ", c.more);
  agon::test::ScriptedMatch match(the_game(), settings);
  for (std::size_t i = 0; i < c.players.size(); ++i) {
    std::vector<std::string> answers;
    for (const std::string& bid : c.players[i].bids)
      answers.push_back(fmt::format(R"({{"bid": {}}})", bid));
    match.seat(static_cast<int>(i), answers);
  }
  return match.play();
}

std::vector<Evening> evening(const agon::test::Played& played, std::size_t n) {
  std::vector<Evening> result;
  const auto day = day_event(played, n);
  for (const auto& line : day.at("residents").as_array())
    result.push_back({line.at("balance").to_number<int>(), line.at("hp").to_number<int>(),
                      line.at("no_drink").to_number<int>()});
  return result;
}

std::vector<std::string> winners(const agon::test::Played& played, std::size_t n) {
  std::vector<std::string> result;
  const auto day = day_event(played, n);
  for (const auto& line : day.at("residents").as_array())
    if (line.at("won").as_bool()) result.emplace_back(line.at("name").as_string().c_str());
  return result;
}

std::vector<Player> five(const std::vector<std::string>& bids) {
  const int needs[] = {8, 9, 10, 11, 12};
  const int salaries[] = {70, 75, 100, 120, 120};
  std::vector<Player> players;
  for (std::size_t i = 0; i < 5; ++i)
    players.push_back({.need = needs[i], .salary = salaries[i], .bids = {bids[i]}});
  return players;
}

}  // namespace water_allocation_test
