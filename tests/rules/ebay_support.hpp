#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "ebay/game.hpp"
#include "support/scripted_match.hpp"

namespace ebay_test {

using agon::test::Played;
using agon::test::ScriptedMatch;

/// One game for all tests: a played match points to it.
inline const agon::Game& the_game() {
  static const agon::Game game = ebay::game();
  return game;
}

/// What a seat does day by day: dollars, or 0 to hold.
inline std::vector<std::string> turns(const std::vector<double>& dollars) {
  std::vector<std::string> answers;
  for (const double d : dollars)
    answers.push_back(d == 0 ? R"({"bid": null})" : R"({"bid": )" + std::to_string(d) + "}");
  return answers;
}

/// Settings of three bidders worth 99, 66 and 33, asked in the order of their seats every day.
inline std::string settings(int days, const std::string& more = "") {
  std::string orders;
  for (int day = 0; day < 20; ++day) orders += day == 0 ? "[0, 1, 2]" : ", [0, 1, 2]";
  return R"({"value_list": [99, 66, 33], "days": )" + std::to_string(days) + R"(, "orders": [)" +
         orders + "]" + (more.empty() ? "" : ", " + more) + "}";
}

/// A match of scripts, one a seat.
inline Played play(const std::string& settings, const std::vector<std::vector<double>>& scripts,
                   std::uint64_t luck = 1) {
  ScriptedMatch match(the_game(), settings);
  for (std::size_t i = 0; i < scripts.size(); ++i)
    match.seat(static_cast<int>(i), turns(scripts[i]));
  return match.luck(luck).play();
}

inline boost::json::value json(const std::string& text) {
  return boost::json::parse(text);
}
inline boost::json::value close_of(const Played& played) {
  return json(played.event("close").json);
}
inline std::string winner(const Played& played) {
  const boost::json::value close = close_of(played);
  return close.at("winner").is_null() ? "" : std::string(close.at("winner").as_string());
}
/// The prices that were shown, turn by turn, in dollars.
inline std::vector<double> prices(const Played& played) {
  std::vector<double> all;
  for (std::size_t n = 0; n < played.count("price"); ++n)
    all.push_back(json(played.event("price", n).json).at("price").to_number<double>());
  return all;
}

}  // namespace ebay_test
