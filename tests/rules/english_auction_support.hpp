#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "english-auction/game.hpp"
#include "support/scripted_match.hpp"

namespace english_auction_test {

using agon::test::Played;
using agon::test::ScriptedMatch;

/// One game for all tests: a played match points to it.
inline const agon::Game& auction() {
  static const agon::Game game = english_auction::game();
  return game;
}

inline std::string out() {
  return R"({"move": {"kind": "withdraw"}})";
}
inline std::string bid(int dollars) {
  return R"({"move": {"kind": "raise", "amount": )" + std::to_string(dollars) + "}}";
}
/// A seat's answers: dollars, or 0 to withdraw.
inline std::vector<std::string> moves(const std::vector<int>& dollars) {
  std::vector<std::string> answers;
  for (const int d : dollars) answers.push_back(d == 0 ? out() : bid(d));
  return answers;
}

inline boost::json::value json(const std::string& text) {
  return boost::json::parse(text);
}
inline double number(const boost::json::value& object, std::string_view member) {
  return object.at(member).to_number<double>();
}
inline std::string text(const boost::json::value& object, std::string_view member) {
  return std::string(object.at(member).as_string());
}

/// How the n-th item ended.
struct Hammer {
  std::string item;
  std::string winner;  ///< empty: unsold
  double price = 0;    ///< dollars
};
inline Hammer hammer(const Played& played, std::size_t n) {
  const boost::json::value event = json(played.event("hammer", n).json);
  if (event.at("winner").is_null()) return {text(event, "item"), "", 0};
  return {text(event, "item"), text(event, "winner"), number(event, "price")};
}

/// Settings of an auction without chance and probes: these bidders, the items in the order listed.
inline std::string settings(int bidders, const std::string& items, const std::string& more = "") {
  return R"({"seats": )" + std::to_string(bidders) +
         R"(, "shuffle": false, "everyone": {"budget": 20000, "planning": "none",
              "beliefs": false}, "items": )" +
         items + (more.empty() ? "" : ", " + more) + "}";
}
inline constexpr const char* kOneItem = R"([{"name": "Widget A", "price": 1000, "value": 2000}])";

}  // namespace english_auction_test
