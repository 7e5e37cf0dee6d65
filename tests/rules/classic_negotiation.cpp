// Negotiation, halting, bad answers, games of one's own.

#include <cmath>

#include "catch.hpp"
#include "classic/messages.hpp"
#include "classic_support.hpp"

using namespace classic_test;
using agon::test::ScriptedMatch;

namespace {

std::vector<std::string> many(int n, const std::string& last) {
  std::vector<std::string> answers;
  for (int i = 0; i < n; ++i) answers.push_back(message("message " + std::to_string(i)));
  answers.push_back(last);
  return answers;
}

/// Who spoke, as "010101".
std::string speakers(const agon::test::Played& played) {
  std::string text;
  for (const auto& asked : played.asked)
    if (asked.stage == "message") text += static_cast<char>('0' + asked.seat);
  return text;
}

}  // namespace

TEST_CASE("classic: rounds of negotiation, who speaks first, and choices that nobody sees") {
  for (const int first : {0, 1}) {
    const auto played = ScriptedMatch(classic::game(), with_game("prisoners-dilemma",
                                                                 "\"rounds\": 3, \"who_first\": " +
                                                                     std::to_string(first)))
                            .seat(0, many(3, choice(1)))
                            .seat(1, many(3, choice(2)))
                            .play();
    CHECK(speakers(played) == (first == 0 ? "010101" : "101010"));
    CHECK(played.metric("messages") == 6);
    CHECK(played.metric("halted") == 0);
    CHECK(played.event("talk-ended").json == R"({"step":1,"round":3,"why":"out_of_rounds"})");
    CHECK(played.outcome[0].score == 0);
    CHECK(played.outcome[1].score == 5);
    CHECK(played.metric("regret", 0) == 1);
    // Nothing is told between the two choices.
    const auto& last = played.asked.back();
    CHECK(last.view_json.find("choice_1\"}") == std::string::npos);
    CHECK(played.event("ended").json ==
          R"({"actions":["choice_1","choice_2"],"payoffs":[0.0,5.0]})");
  }
}

TEST_CASE("classic: one player who halts ends the negotiation, in the published code nobody does") {
  const std::vector<std::string> alice{message("hello"), message("", true), choice(1)};
  const std::vector<std::string> bob{message("hello to you"), choice(1)};
  const auto played = ScriptedMatch(classic::game(), with_game("stag-hunt", "\"rounds\": 4"))
                          .seat(0, alice)
                          .seat(1, bob)
                          .play();
  CHECK(speakers(played) == "010");
  CHECK(played.metric("halted") == 1);
  CHECK(played.metric("halted", 0) == 1);
  CHECK(played.metric("halted", 1) == 0);
  CHECK(played.event("talk-ended").json == R"({"step":1,"round":2,"why":"halted"})");

  const auto published =
      ScriptedMatch(classic::game(), with_game("stag-hunt", "\"rounds\": 2", "published-code"))
          .seat(0, {message("", true), message("", true), choice(1)})
          .seat(1, many(2, choice(1)))
          .play();
  CHECK(speakers(published) == "0101");
  CHECK(published.event("talk-ended").json == R"({"step":1,"round":2,"why":"out_of_rounds"})");
}

TEST_CASE("classic: halting words halt alone and not inside a sentence") {
  CHECK(classic::asks_to_halt({"halt negotiation", false}));
  CHECK(classic::asks_to_halt({"  Halt Negotiation\n", false}));
  CHECK(classic::asks_to_halt({"Halt negotiation.", false}));
  CHECK_FALSE(classic::asks_to_halt({" ... ", false}));
  CHECK(classic::asks_to_halt({"whatever", true}));
  CHECK_FALSE(classic::asks_to_halt({"", false}));
  CHECK_FALSE(classic::asks_to_halt({"halt", false}));
  CHECK_FALSE(classic::asks_to_halt({"Let us not halt negotiation yet.", false}));
  CHECK_FALSE(classic::asks_to_halt({"I would like to halt negotiation", false}));
  const auto played = ScriptedMatch(classic::game(), with_game("stag-hunt", "\"rounds\": 2"))
                          .seat(0, {message("we could halt negotiation now"),
                                    message("halt negotiation"), choice(1)})
                          .seat(1, {message("why?"), choice(1)})
                          .play();
  CHECK(speakers(played) == "010");
}

TEST_CASE("classic: a tree has its negotiation before every move, and everybody sees the moves") {
  std::vector<std::string> alice{message("a1"), message("a2"), choice(2),     message("a3"),
                                 message("a4"), message("a5"), message("a6"), choice(1)};
  std::vector<std::string> bob{message("b1"), message("b2"), message("b3"), message("b4"),
                               choice(2),     message("b5"), message("b6")};
  const auto played = ScriptedMatch(classic::game(), with_game("escalation", "\"rounds\": 2"))
                          .seat(0, alice)
                          .seat(1, bob)
                          .play();
  CHECK(speakers(played) == "010101010101");
  CHECK(played.count("talk-ended") == 3);
  REQUIRE(played.count("moved") == 3);
  CHECK(played.event("moved", 1).json == R"({"step":2,"player":"Bob","action":"choice_2"})");
  CHECK(played.outcome[0].score == -2);
  CHECK(played.outcome[1].score == 1);
  CHECK(played.metric("spe") == 0);
  CHECK(played.metric("choice", 0) == 2);
  // From the start Alice would have had 0, and Bob never less than he got.
  CHECK(played.metric("regret", 0) == 2);
  CHECK(played.metric("regret", 1) == 0);
  CHECK(played.asked.back().view_json.find(R"("action":"choice_2"}])") != std::string::npos);
}

TEST_CASE("classic: ten bad answers more are an invalid trial, which reaches nothing") {
  // The fallback, choice_1, would be the equilibrium.
  std::vector<std::string> bad(11, R"({"action": "stag"})");
  bad.push_back(choice(1));
  const auto invalid = ScriptedMatch(classic::game(), with_game("stag-hunt", "", "paper"))
                           .seat(0, bad)
                           .seat(1, {choice(1)})
                           .play();
  CHECK(invalid.asked[0].rejected == 11);
  CHECK(invalid.asked[0].forced);
  CHECK(invalid.metric("forced", 0) == 1);
  CHECK(invalid.metric("valid") == 0);
  CHECK(invalid.metric("nash") == 0);
  CHECK(invalid.metric("best_nash") == 0);
  bad.erase(bad.begin());
  const auto valid = ScriptedMatch(classic::game(), with_game("stag-hunt", "", "paper"))
                         .seat(0, bad)
                         .seat(1, {choice(1)})
                         .play();
  CHECK(valid.asked[0].rejected == 10);
  CHECK(valid.metric("valid") == 1);
  CHECK(valid.metric("nash") == 1);
  // An invalid move in a tree, likewise.
  const auto tree = ScriptedMatch(classic::game(), with_game("draco"))
                        .seat(0, {choice(3), choice(0), choice(4), choice(9)})
                        .seat(1, {choice(1)})
                        .play();
  CHECK(tree.metric("valid") == 0);
  CHECK(tree.metric("spe") == 0);
}

TEST_CASE("classic: labels are told only where they are asked for") {
  const auto hidden = ScriptedMatch(classic::game(), with_game("prisoners-dilemma"))
                          .seat(0, {choice(1)})
                          .seat(1, {choice(2)})
                          .play();
  for (const auto& asked : hidden.asked) {
    CHECK(asked.view_json.find("cooperate") == std::string::npos);
    CHECK(asked.view_json.find("risoner") == std::string::npos);
  }
  const auto shown = ScriptedMatch(classic::game(), with_game("monopoly", "\"labels\": true"))
                         .seat(0, {R"({"action": "enter"})"})
                         .seat(1, {R"({"action": "accommodate"})"})
                         .play();
  CHECK(shown.metric("spe") == 1);
  CHECK(shown.asked[0].view_json.find("If you choose enter, then Bob chooses fight") !=
        std::string::npos);
}

TEST_CASE("classic: outcomes are told own first, own action outside") {
  const auto played = ScriptedMatch(classic::game(), with_game("prisoners-dilemma")).play();
  CHECK(
      played.asked[1].view_json.find(
          R"("game":"If you choose choice_1 and Alice chooses choice_1, then you get 3 and Alice gets 3.\n)"
          R"(If you choose choice_1 and Alice chooses choice_2, then you get 0 and Alice gets 5.\n)"
          R"(If you choose choice_2 and Alice chooses choice_1, then you get 5 and Alice gets 0.\n)"
          R"(If you choose choice_2 and Alice chooses choice_2, then you get 1 and Alice gets 1.")") !=
      std::string::npos);
  const auto tree = ScriptedMatch(classic::game(), with_game("escalation")).play();
  CHECK(tree.asked[0].view_json.find(
            R"("game":"If you choose choice_1: you get 0 and Bob gets 0.\n)"
            R"(If you choose choice_2, then Bob chooses choice_1: you get 1 and Bob gets -2.\n)") !=
        std::string::npos);
}

TEST_CASE("classic: the closing prompt comes with an action and only after a negotiation") {
  const auto advised = [](const std::string& more) {
    const auto played = ScriptedMatch(classic::game(), with_game("stag-hunt", more)).play();
    return played.asked.back().view_json.find(R"("advice":"")") == std::string::npos;
  };
  CHECK_FALSE(advised("\"prompt\": 6"));
  CHECK_FALSE(advised("\"rounds\": 1"));
  for (int n = 1; n <= 6; ++n) CHECK(advised("\"rounds\": 1, \"prompt\": " + std::to_string(n)));
  const auto played =
      ScriptedMatch(classic::game(), with_game("stag-hunt", R"("rounds": 1, "prompt": 6)")).play();
  CHECK(played.asked.front().view_json.find("You must") == std::string::npos);
  CHECK(played.asked.back().view_json.find("You must") != std::string::npos);
}

TEST_CASE("classic: three players, each with a number of actions of its own") {
  // A pays the number of players that match its choice; C alone has three actions.
  std::string cells;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 3; ++c)
        cells += std::string(cells.empty() ? "" : ", ") + "[" + std::to_string(a + b + c) + ", " +
                 std::to_string(a == b ? 1 : 0) + ", " + std::to_string(10 * c) + "]";
  const std::string game = R"({"game": {"name": "three", "players": ["Ann", "Ben", "Cleo"],
    "actions": [["x", "y"], ["x", "y"], ["x", "y", "z"]], "payoffs": [)" +
                           cells + "]}";
  const auto played = ScriptedMatch(classic::game(), game + R"(, "rounds": 1, "who_first": 2})")
                          .seat(0, {message("hi"), choice(2)})
                          .seat(1, {message("hi"), choice(2)})
                          .seat(2, {message("hi"), choice(3)})
                          .play();
  CHECK(speakers(played) == "201");
  CHECK(played.outcome[0].score == 4);
  CHECK(played.outcome[1].score == 1);
  CHECK(played.outcome[2].score == 20);
  CHECK(played.metric("nash") == 1);
  CHECK(played.metric("cell") == 11);
  const classic::Nash nash({});
  const auto exact = ScriptedMatch(classic::game(), game + "}")
                         .agent(0, nash)
                         .agent(1, nash)
                         .agent(2, nash)
                         .play();
  CHECK(exact.metric("nash") == 1);
  CHECK(exact.asked[1].view_json.find(
            "If you choose choice_1, Ann chooses choice_1 and Cleo chooses choice_2, then you get "
            "1, Ann gets 1 and Cleo gets 10.") != std::string::npos);
}
