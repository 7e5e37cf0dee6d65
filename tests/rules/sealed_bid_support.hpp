#pragma once

#include <boost/json.hpp>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "sealed-bid/game.hpp"
#include "sealed-bid/play.hpp"
#include "sealed-bid/strategies.hpp"
#include "support/scripted_match.hpp"

namespace sealed_bid_test {

using agon::test::Played;
using agon::test::ScriptedMatch;

inline const agon::Game& the_auction() {
  static const agon::Game game = sealed_bid::game();
  return game;
}

inline boost::json::value json(const std::string& text) {
  return boost::json::parse(text);
}

inline std::string list(const std::vector<int>& numbers) {
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "[" + text + "]";
}

/// One round with these values and bids.
inline Played play(const std::string& payment, const std::vector<int>& values,
                   const std::vector<int>& bids, const std::string& more = "",
                   std::uint64_t luck = 1) {
  ScriptedMatch made(the_auction(), R"({"rounds": 1, "payment": ")" + payment +
                                        R"(", "bidders": )" + std::to_string(values.size()) +
                                        (more.find("given") == std::string::npos
                                             ? R"(, "given": [{"values": )" + list(values) + "}]"
                                             : "") +
                                        (more.empty() ? "" : ", " + more) + "}");
  for (std::size_t i = 0; i < bids.size(); ++i)
    made.seat(static_cast<int>(i), {R"({"bid": )" + std::to_string(bids[i]) + "}"});
  return made.luck(luck).play();
}

/// A match of one strategy against itself.
inline Played play_all(const agon::Agent& agent, int bidders, const std::string& settings,
                       std::uint64_t luck = 1) {
  ScriptedMatch made(the_auction(), R"({"bidders": )" + std::to_string(bidders) +
                                        (settings.empty() ? "" : ", " + settings) + "}");
  for (int seat = 0; seat < bidders; ++seat) made.agent(seat, agent);
  return made.luck(luck).play();
}

inline std::string winner(const Played& played, std::size_t round = 0) {
  return std::string(json(played.event("sold", round).json).at("winner").as_string());
}
inline int price(const Played& played, std::size_t round = 0) {
  return json(played.event("sold", round).json).at("price").to_number<int>();
}
inline std::vector<double> profits(const Played& played) {
  std::vector<double> result;
  for (int seat = 0; seat < played.outcome.seats(); ++seat)
    result.push_back(played.outcome[seat].score);
  return result;
}
/// What a seat was told after a round.
inline boost::json::value told(const Played& played, int seat, std::size_t round = 0) {
  for (const auto& said : played.said)
    if (said.name == "outcome" && said.audience == 1U << seat && round-- == 0)
      return json(said.json);
  FAIL("nothing was told");
  return {};
}

}  // namespace sealed_bid_test
