// The workflows of the classic games as parts of model agents, with a model that says what a test
// has it say.

#include <boost/json/value.hpp>
#include <memory>

#include "catch.hpp"
#include "model_table.hpp"

namespace classic_workflows_test {
namespace {

using namespace agon;
using namespace agon::test;

/// The number after "PLAYER gets" in a line.
double gets(const std::string& line, const std::string& player) {
  const std::size_t at = line.find(player + " gets ");
  return at == std::string::npos ? -1e9 : std::stod(line.substr(at + player.size() + 6));
}

/// A model that reasons as it is asked to: in a step it takes the option whose line gives the
/// player most, and it answers with what its strategy begins with.
ModelCall reasons_well(const ModelRequest& request) {
  // The last question, which may have been turned down since.
  std::string text;
  for (const ChatMessage& m : request.messages)
    if (m.role == "user" && !has(m.text, "was turned down")) text = m.text;
  if (request.purpose == "step") {
    const std::size_t who = text.find("the highest payoff");
    const std::string before = text.substr(0, who);
    const std::size_t gives = before.rfind("gives ") + 6;
    const std::string player = before.substr(gives, before.size() - gives - 1);
    std::string best;
    double most = -1e8;
    for (std::size_t at = text.find("If " + player + " chooses "); at != std::string::npos;
         at = text.find("If " + player + " chooses ", at + 1)) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      const std::size_t name = 3 + player.size() + 9;
      if (const double value = gets(line, player); value > most) {
        most = value;
        best = line.substr(name, line.find(',') - name);
      }
    }
    return said(R"({"action": ")" + best + R"(", "reason": "it pays )" + player + " most\"}");
  }
  if (request.purpose == "period") return said(R"({"finding": "FOUND it"})");
  if (request.purpose == "strategy") return said(R"({"strategy": "STRATEGY of mine"})");
  if (has(request.schema, "halt")) return said(R"({"text": "hello", "halt": false})");
  return said(R"({"action": "choice_2"})");
}

struct Run {
  std::shared_ptr<ScriptedModel> alice = std::make_shared<ScriptedModel>(&reasons_well);
  std::shared_ptr<ScriptedModel> bob = std::make_shared<ScriptedModel>(&reasons_well);
  Run(const std::string& part, const std::string& settings) {
    ModelTable("classic", settings)
        .model(0, "reasoning=" + part, alice)
        .model(1, "reasoning=" + part, bob)
        .play_to_end();
  }
};

/// The prompts of one purpose.
std::vector<std::string> prompts(const ScriptedModel& model, std::string_view purpose) {
  std::vector<std::string> texts;
  for (const auto& asked : model.asked())
    if (asked.purpose == purpose) texts.push_back(asked.last());
  return texts;
}

}  // namespace

TEST_CASE("best-response workflow: a call for each action of either player, then a strategy") {
  const Run run("best-response-workflow", R"({"game": "prisoners-dilemma", "rounds": 1})");
  const auto steps = prompts(*run.alice, "step");
  REQUIRE(steps.size() == 4);
  check_has(steps[0], {"Suppose this: Alice chooses choice_1.", "best action of Bob",
                       "If Bob chooses choice_1, then Alice gets 3 and Bob gets 3.\n"
                       "If Bob chooses choice_2, then Alice gets 0 and Bob gets 5."});
  CHECK(has(steps[1], "Suppose this: Alice chooses choice_2."));
  CHECK(has(steps[2], "Suppose this: Bob chooses choice_1."));
  CHECK(has(steps[3], "If Alice chooses choice_2, then Alice gets 1 and Bob gets 1."));
  const auto summed = prompts(*run.alice, "strategy");
  REQUIRE(summed.size() == 1);
  check_has(summed[0],
            {"If Alice chooses choice_1, the best reply of Bob is choice_2; then Alice gets 0 and "
             "Bob gets 5. (it pays Bob most)",
             "If Bob chooses choice_2, the best reply of Alice is choice_2"});
  // Once before play: the strategy is before its eyes in the negotiation and at the action.
  const auto answers = prompts(*run.alice, "answer");
  REQUIRE(answers.size() == 2);
  for (const std::string& prompt : answers) {
    CHECK(has(prompt, "STRATEGY of mine"));
    CHECK_FALSE(has(prompt, "How you came to it"));
    CHECK(prompt.find("STRATEGY") < prompt.find("All that can come of the game"));
  }
  // Bob works out his own.
  CHECK(prompts(*run.bob, "step").size() == 4);
  CHECK(run.alice->asked().size() == 7);
}

TEST_CASE("backward-induction workflow: the deepest nodes first, with what was decided behind") {
  const Run run("backward-induction-workflow", R"({"game": "draco", "rounds": 1})");
  const auto steps = prompts(*run.bob, "step");
  REQUIRE(steps.size() == 5);
  CHECK(has(steps[0],
            "Alice has chosen choice_1, then Bob has chosen choice_2. It is the turn of "
            "Alice."));
  CHECK(has(steps[1], "Alice has chosen choice_2, then Bob has chosen choice_2."));
  CHECK(has(steps[2],
            "If Bob chooses choice_1, the game ends and Alice gets 5 and Bob gets 5.\n"
            "If Bob chooses choice_2, then Alice chooses choice_2, and Alice gets 3 and "
            "Bob gets 4."));
  CHECK(has(steps[3],
            "If Bob chooses choice_2, then Alice chooses choice_1, and Alice gets 5 and "
            "Bob gets 3."));
  check_has(steps[4], {"Nobody has moved yet. It is the turn of Alice.",
                       "If Alice chooses choice_1, then Bob chooses choice_1, and Alice gets 5 and "
                       "Bob gets 5.\nIf Alice chooses choice_2, then Bob chooses choice_1, and "
                       "Alice gets 4 and Bob gets 5."});
  CHECK(has(prompts(*run.bob, "strategy").at(0),
            "Nobody has moved yet: the best choice of Alice is choice_1; it leads to this: Alice "
            "chooses choice_1, then Bob chooses choice_1, and Alice gets 5 and Bob gets 5."));
  for (const std::string& prompt : prompts(*run.bob, "answer")) {
    check_has(prompt, {"STRATEGY of mine", "How you came to it"});
  }
}

TEST_CASE("a workflow answers directly where it does not fit, and one name chooses by the game") {
  const auto steps = [](const std::string& part, const std::string& game) {
    const Run run(part, R"({"game": ")" + game + "\"}");
    return prompts(*run.alice, "step").size();
  };
  CHECK(steps("best-response-workflow", "stag-hunt") == 4);
  CHECK(steps("best-response-workflow", "monopoly") == 0);
  CHECK(steps("backward-induction-workflow", "stag-hunt") == 0);
  CHECK(steps("backward-induction-workflow", "monopoly") == 2);
  CHECK(steps("workflow", "duopoly") == 12);
  CHECK(steps("workflow", "trigame") == 7);
  CHECK(steps("workflow:most_steps=11", "duopoly") == 0);
}

TEST_CASE("a workflow's step that cannot be read is asked for again, then the question is") {
  int left = 2;
  const auto model = std::make_shared<ScriptedModel>([&](const ModelRequest& request) {
    if (request.purpose == "step" && left-- > 0) return said(R"({"action": "choice_7"})");
    return reasons_well(request);
  });
  const auto other = std::make_shared<ScriptedModel>(&reasons_well);
  ModelTable("classic", R"({"game": "stag-hunt"})")
      .model(0, "reasoning=workflow:tries=3", model)
      .model(1, "", other)
      .play_to_end();
  CHECK(prompts(*model, "step").size() == 6);
  CHECK(prompts(*model, "answer").size() == 1);

  const auto mute = std::make_shared<ScriptedModel>([&](const ModelRequest& request) {
    if (request.purpose == "step") return said("I do not know");
    return reasons_well(request);
  });
  const MatchResult result = ModelTable("classic", R"({"game": "stag-hunt"})")
                                 .model(0, "reasoning=workflow:tries=2", mute)
                                 .model(1, "", other)
                                 .play_to_end();
  // Four attempts of the preset, two tries each; then the fallback.
  CHECK(prompts(*mute, "step").size() == 8);
  CHECK(prompts(*mute, "answer").empty());
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::unparsable)] == 4);
}

TEST_CASE("workflow: with each_period every period has its own strategy, from what is known") {
  const Run run("workflow:each_period=true", R"({"game": "prisoners-dilemma", "periods": 4})");
  // What a single period is like is found out once.
  CHECK(prompts(*run.alice, "step").size() == 4);
  const auto found = prompts(*run.alice, "period");
  const auto summed = prompts(*run.alice, "strategy");
  const auto answers = prompts(*run.alice, "answer");
  REQUIRE(found.size() == 7);
  REQUIRE(summed.size() == 4);
  REQUIRE(answers.size() == 4);

  check_has(found[0], {"a strategy for period 1, from the last period backwards",
                       "If Alice chooses choice_1, the best reply of Bob is choice_2;",
                       "4 periods are left, this one included."});
  CHECK(has(summed[0], "Back from the last period to this one: FOUND it"));
  CHECK_FALSE(has(summed[0], "From what was done so far"));
  CHECK(has(answers[0], "worked out for period 1"));

  CHECK(has(found[3], "2 periods are left, this one included."));
  CHECK(has(found[4],
            "from what all did so far:\n"
            "Period 1: Alice chose choice_2, Bob chose choice_2; Alice gets 1 and Bob gets 1.\n"
            "Period 2: Alice chose choice_2, Bob chose choice_2; Alice gets 1 and Bob gets 1.\n"));
  CHECK_FALSE(has(found[4], "Period 3:"));
  CHECK(has(summed[2],
            "Back from the last period to this one: FOUND it\n"
            "From what was done so far: FOUND it"));
  check_has(answers[2], {"worked out for period 3", "STRATEGY of mine"});

  CHECK(has(found[5], "This period is the last one."));
  CHECK(has(found[6], "Period 3: Alice chose choice_2"));
  CHECK(has(answers[3], "worked out for period 4"));
}

TEST_CASE("workflow: a number of periods that is not told is not counted back from") {
  const Run run("workflow:each_period=true",
                R"({"game": "prisoners-dilemma", "periods": 3, "tell_horizon": false})");
  // Before the second and the third period, about what was seen.
  const auto found = prompts(*run.alice, "period");
  REQUIRE(found.size() == 2);
  CHECK(has(found[0], "from what all did so far"));
  for (const std::string& summed : prompts(*run.alice, "strategy"))
    CHECK(has(summed, "How many periods are left is not known"));
}

TEST_CASE("workflow: a period has one strategy, whatever is asked in it") {
  const Run run("workflow:each_period=true",
                R"({"game": "prisoners-dilemma", "periods": 2, "rounds": 1})");
  CHECK(prompts(*run.alice, "strategy").size() == 2);
  CHECK(prompts(*run.alice, "period").size() == 3);
  CHECK(prompts(*run.alice, "answer").size() == 4);
}

TEST_CASE("workflow: of many periods the last are told one by one, and how often before") {
  const Run run("workflow:each_period=true", R"({"game": "prisoners-dilemma", "periods": 25})");
  const std::string last = prompts(*run.alice, "period").back();
  CHECK(has(last,
            "Of the first 4 periods, Alice chose choice_2 in 4.\n"
            "Of the first 4 periods, Bob chose choice_2 in 4.\n"
            "Period 5: "));
  CHECK_FALSE(has(last, "Period 4: "));
  CHECK(has(last, "Period 24: "));
}

TEST_CASE("workflow: repeated trees are told by who moved") {
  const Run run("workflow:each_period=true", R"({"game": "monopoly", "periods": 2})");
  CHECK(prompts(*run.bob, "step").size() == 2);
  CHECK(has(prompts(*run.bob, "period").back(),
            "Period 1: Alice chose choice_2, Bob chose choice_2; Alice gets "));
  CHECK(has(prompts(*run.bob, "answer").back(), "How you came to it"));
}

TEST_CASE("workflow: without each_period it reasons once, and games played once are asked alike") {
  const auto all = [](const std::string& part, const std::string& settings) {
    const Run run(part, settings);
    std::vector<std::string> texts;
    for (const auto& asked : run.alice->asked()) texts.push_back(asked.purpose + asked.text());
    return texts;
  };
  const std::string thrice = R"({"game": "stag-hunt", "periods": 3})";
  const Run run("workflow", thrice);
  CHECK(run.alice->count("period") == 0);
  CHECK(run.alice->count("strategy") == 1);
  REQUIRE(prompts(*run.alice, "answer").size() == 3);
  for (const std::string& prompt : prompts(*run.alice, "answer"))
    CHECK(has(prompt,
              "The strategy that you have worked out before the game, by reasoning about "
              "everybody's best choices:\nSTRATEGY of mine\n"));
  CHECK(all("workflow", thrice) == all("workflow:each_period=false", thrice));
  CHECK(all("workflow", thrice) != all("workflow:each_period=true", thrice));
  for (const std::string once : {"prisoners-dilemma", "monopoly"}) {
    const std::string settings = R"({"game": ")" + once + R"(", "rounds": 1})";
    const auto texts = all("workflow", settings);
    CHECK(texts == all("workflow:each_period=true", settings));
    for (const std::string& text : texts) CHECK_FALSE(has(text, "period"));
  }
  const Run paper("workflow", R"({"game": "prisoners-dilemma"})");
  CHECK(has(prompts(*paper.alice, "step")[0],
            "Do not choose anything yet: first you work out a strategy, step by step.\n\n"
            "Suppose this: Alice chooses choice_1.\n"
            "What is then the best action of Bob? What comes of each:\n"
            "If Bob chooses choice_1, then Alice gets 3 and Bob gets 3.\n"
            "If Bob chooses choice_2, then Alice gets 0 and Bob gets 5.\n\n"
            "Name the action that gives Bob the highest payoff, one of choice_1, choice_2, and the "
            "reason in a sentence."));
  CHECK(
      has(prompts(*paper.alice, "strategy")[0],
          "Sum it up into your own strategy: what you will choose, whatever the others may say;"));
}

TEST_CASE("workflow: a finding that cannot be read is asked for again, then the question is") {
  const auto mute = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (request.purpose == "period") return said("I do not know");
    return reasons_well(request);
  });
  const MatchResult result =
      ModelTable("classic", R"({"game": "stag-hunt", "periods": 2, "tell_horizon": false})")
          .model(0, "reasoning=workflow:tries=2,each_period=true", mute)
          .model(1, "", std::make_shared<ScriptedModel>(&reasons_well))
          .play_to_end();
  // Four attempts of the preset at the second period, two tries each; then the fallback.
  CHECK(mute->count("period") == 8);
  CHECK(mute->count("step") == 4);
  CHECK(mute->count("answer") == 1);
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::unparsable)] == 4);
}

TEST_CASE("the raw agent of the classic games: outcomes, options, and the closing prompt last") {
  const auto alice = std::make_shared<ScriptedModel>(&reasons_well);
  const auto bob = std::make_shared<ScriptedModel>(&reasons_well);
  const std::string parts = "reasoning=chain-of-thought persona=personality:is=witty";
  ModelTable("classic", R"({"game": "golden-balls", "scale": 250, "rounds": 1,
                                    "prompt": 4})")
      .model(0, parts, alice)
      .model(1, parts, bob)
      .play_to_end();
  const auto asked = alice->asked();
  REQUIRE(asked.size() == 2);
  CHECK(has(asked[0].messages.front().text, "witty"));
  for (const auto& a : asked) {
    check_lacks(a.text(), {"split", "Golden"});
  }
  // As it is, and not behind marks like something that others wrote.
  check_has(asked[1].last(), {"\nIf you choose choice_1 and Bob chooses choice_2, then you get $0 "
                              "and Bob gets $250.\n",
                              "You can choose your action whatever was said"});
  CHECK_FALSE(has(asked[0].last(), "whatever was said"));
  CHECK(has(asked[1].last(), "choose from:"));
  CHECK(asked[1].last().find("choose from:") < asked[1].last().find("whatever was said"));
  CHECK(has(bob->asked()[1].last(), "If you choose choice_1 and Alice chooses choice_2"));
}

}  // namespace classic_workflows_test
