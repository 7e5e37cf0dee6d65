// The text form of replies and actions: section 1.4 of the rules of bargaining.

#include "bargaining/action_text.hpp"
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

TEST_CASE("Bargaining 1.4: what is printed is read back") {
  for (const std::int64_t cents : {0, 1, 9, 10, 99, 100, 110, 12345, 429998}) {
    for (const Action& action :
         {Action{Buy{Money{cents}}}, Action{Sell{Money{cents}}}, Action{Deal{Money{cents}}}}) {
      const auto back = read_action(action_text(action, "home-kitchen_12"));
      REQUIRE(back);
      CHECK(back->action == action);
      CHECK(is_about(*back, "home-kitchen_12"));
    }
  }
  for (const Action& action : {Action{Reject{}}, Action{Quit{}}}) {
    const auto back = read_action(action_text(action, "x"));
    REQUIRE(back);
    CHECK(back->action == action);
    CHECK(is_about(*back, "x"));
  }
}

TEST_CASE("Bargaining 1.4: prices may have commas and decimals, rounded to cents") {
  CHECK(read_action("[BUY] $1,234.5 (1x a)")->action == Action{Buy{Money{123450}}});
  CHECK(read_action("[BUY] $10.999 (1 a)")->action == Action{Buy{Money{1100}}});
  CHECK(read_action("[SELL] $2.675 (1 a)")->action == Action{Sell{Money{267}}});
}

TEST_CASE("Bargaining 1.4: lists of items, with and without the x") {
  const auto read = read_action("[SELL] $7 (2x apple_1, 10 pear tree_3)");
  REQUIRE(read);
  CHECK(read->items == std::vector<Item>{{2, "apple_1"}, {10, "pear tree_3"}});
  CHECK_FALSE(is_about(*read, "apple_1"));
  CHECK(action_text(*read) == "[SELL] $7 (2x apple_1, 10x pear tree_3)");
  CHECK_FALSE(is_about(*read_action("[DEAL] $7 (2x apple_1)"), "apple_1"));
}

TEST_CASE("Bargaining 1.4: the last action counts") {
  CHECK(read_action("[BUY] $5 (1x a) or rather [QUIT]")->action == Action{Quit{}});
  CHECK(read_action("not [QUIT] but [BUY] $5 (1x a)")->action == Action{Buy{Money{500}}});
  CHECK_FALSE(read_action("[BUY] $5 (1x a) [MAYBE]"));
  // Small letters in brackets are no action.
  CHECK(read_action("[REJECT] [see above]")->action == Action{Reject{}});
}

TEST_CASE("Bargaining 1.4: REJECT and QUIT have neither price nor list") {
  CHECK(read_action("[REJECT] $10")->action == Action{Reject{}});
  CHECK(read_action("[QUIT] (1x a)")->action == Action{Quit{}});
  CHECK_FALSE(read_action("[REJECT] $10 (1x a)"));
  CHECK_FALSE(read_action("[QUIT] $10 (1x a)"));
}

TEST_CASE("Bargaining 1.4: what is no action") {
  for (const char* text : {"",
                           "I buy it",
                           "BUY $10 (1x a)",
                           "[]",
                           "[Buy] $10 (1x a)",
                           "[HAGGLE] $10 (1x a)",
                           "[BUY]",
                           "[BUY] $10",
                           "[BUY] 10 (1x a)",
                           "[BUY]$10 (1x a)",
                           "[BUY]  $10 (1x a)",
                           "[BUY] $ (1x a)",
                           "[BUY] $-1 (1x a)",
                           "[BUY] $10(1x a)",
                           "[BUY] $10 1x a",
                           "[BUY] $10 ()",
                           "[BUY] $10 (a)",
                           "[BUY] $10 (0x a)",
                           "[BUY] $10 (-1x a)",
                           "[BUY] $10 (1xa)",
                           "[BUY] $10 (1x )",
                           "[BUY] $10 (1x a",
                           "[BUY] $10 (1x a,2x b)",
                           "[BUY] $10 (1x a, )",
                           "[BUY] $10. (1x a)",
                           "[BUY] $99999999999999999999 (1x a)",
                           "[BUY] $1 (99999999999999999999x a)",
                           "[BUY",
                           "["}) {
    INFO(text);
    CHECK_FALSE(read_action(text));
  }
}

TEST_CASE("Bargaining 1.4: the three fields of a reply") {
  const auto reply = read_reply(
      "Thought: they want 20\nTalk: Would you take ten?\nAction: [BUY] $10 (1x apple_1)\n"
      "Talk: this is a second line\n");
  CHECK(reply.thought == "they want 20");
  CHECK(reply.talk == "Would you take ten?");
  CHECK(reply.action == "[BUY] $10 (1x apple_1)");
  const auto missing = read_reply("Talk: only this");
  CHECK(missing.thought.empty());
  CHECK(missing.talk == "only this");
  CHECK(missing.action.empty());
  CHECK_FALSE(read_action(missing.action));
}
