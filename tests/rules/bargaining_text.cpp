// The text form of actions: section 1.4 of the rules of bargaining.

#include "bargaining/messages.hpp"
#include "catch.hpp"

using namespace bargaining;
using agon::Money;

TEST_CASE("Bargaining 1.4: the canonical form of an action") {
  CHECK(action_text(Buy{Money{1000}}, "apple_1") == "[BUY] $10 (1x apple_1)");
  CHECK(action_text(Sell{Money{1050}}, "apple_1") == "[SELL] $10.5 (1x apple_1)");
  CHECK(action_text(Deal{Money{1005}}, "apple_1") == "[DEAL] $10.05 (1x apple_1)");
  CHECK(action_text(Deal{Money{123456789}}, "apple_1") == "[DEAL] $1234567.89 (1x apple_1)");
  CHECK(action_text(Buy{Money{0}}, "a", 3) == "[BUY] $0 (3x a)");
  CHECK(action_text(Reject{}, "apple_1") == "[REJECT]");
  CHECK(action_text(Quit{}, "apple_1") == "[QUIT]");
}
