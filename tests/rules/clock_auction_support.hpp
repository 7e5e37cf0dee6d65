#pragma once

#include <boost/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "clock-auction/game.hpp"
#include "clock-auction/strategies.hpp"
#include "support/scripted_match.hpp"

namespace clock_auction_test {

using agon::test::Played;
using agon::test::ScriptedMatch;

inline const agon::Game& the_clock() {
  static const agon::Game game = clock_auction::game();
  return game;
}

inline boost::json::value json(const std::string& text) {
  return boost::json::parse(text);
}

/// One round with these values; `more` goes into the settings.
inline ScriptedMatch match(const std::vector<int>& values, const std::string& more = "") {
  std::string list;
  for (const int v : values) list += (list.empty() ? "" : ", ") + std::to_string(v);
  return ScriptedMatch(the_clock(), R"({"rounds": 1, "bidders": )" + std::to_string(values.size()) +
                                        R"(, "given": [{"values": [)" + list + "]}]" +
                                        (more.empty() ? "" : ", " + more) + "}");
}

/// Answers of a seat that leaves at `exit`, from 0 in steps of 1.
inline std::vector<std::string> stays(int exit) {
  std::vector<std::string> answers(static_cast<std::size_t>(exit), R"({"stay": true})");
  answers.emplace_back(R"({"stay": false})");
  return answers;
}

/// All stay in as long as the price is below their value.
inline Played play_truthful(const std::vector<int>& values, std::uint64_t luck = 1,
                            const std::string& more = "") {
  const clock_auction::Truthful truthful({});
  ScriptedMatch made = match(values, more);
  for (std::size_t i = 0; i < values.size(); ++i) made.agent(static_cast<int>(i), truthful);
  return made.luck(luck).play();
}

inline std::string winner(const Played& played, std::size_t round = 0) {
  const auto sold = json(played.event("sold", round).json);
  return sold.at("winner").is_null() ? "" : std::string(sold.at("winner").as_string());
}
inline int price(const Played& played, std::size_t round = 0) {
  return json(played.event("sold", round).json).at("price").to_number<int>();
}
/// The exits by seat, as JSON.
inline std::string exits(const Played& played, std::size_t round = 0) {
  return boost::json::serialize(json(played.event("sold", round).json).at("exits"));
}
inline std::vector<double> profits(const Played& played) {
  std::vector<double> result;
  for (int seat = 0; seat < played.outcome.seats(); ++seat)
    result.push_back(played.outcome[seat].score);
  return result;
}

}  // namespace clock_auction_test
