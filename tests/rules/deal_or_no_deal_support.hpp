#pragma once

#include <agon/agent.hpp>
#include <string>
#include <vector>

#include "deal-or-no-deal/game.hpp"
#include "support/scripted_match.hpp"

/// What the tests of whole matches of Deal or No Deal share.
namespace deal_or_no_deal::test {

using agon::test::Played;
using agon::test::ScriptedMatch;

/// One book, one hat, three balls; worth 1, 3, 2 to seat 0 and 4, 0, 2 to seat 1. The fair splits
/// give seat 0 the hat with one ball (5 and 8) or with two (7 and 6).
inline const std::string point_0 =
    R"("instances": [{"id": "p", "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 2]]}])";

/// The game: matches refer to it for as long as they live.
inline const agon::Game& dond() {
  static const agon::Game held = game();
  return held;
}

/// Settings over point_0.
inline std::string over_point_0(const std::string& more) {
  return "{" + point_0 + (more.empty() ? "" : ", " + more) + "}";
}
inline std::string offers_over_point_0(const std::string& more = "") {
  return over_point_0(R"("protocol": "alternating_offers", "messages": false, "beliefs": false)" +
                      (more.empty() ? "" : ", " + more));
}

inline std::string keep(const std::string& part) {
  return R"({"action": {"kind": "offer", "keep": )" + part + "}}";
}
inline const std::string agree = R"({"action": {"kind": "agree"}})";

inline std::string say(const std::string& text, const std::string& proposal = "null",
                       bool halt = false) {
  return R"({"text": ")" + text + R"(", "proposal": )" +
         (proposal == "null" ? proposal : R"({"take": )" + proposal + "}") + R"(, "halt": )" +
         (halt ? "true" : "false") + "}";
}
inline std::string take(const std::string& items) {
  return R"({"choice": {"kind": "take", "items": )" + items + "}}";
}
inline const std::string leave = R"({"choice": {"kind": "no_deal"}})";

/// `n` times the same answer.
inline std::vector<std::string> times(std::size_t n, const std::string& answer) {
  return std::vector<std::string>(n, answer);
}
inline std::vector<std::string> operator+(std::vector<std::string> a,
                                          const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace deal_or_no_deal::test
