// Whether to use a workflow, chosen by the game of that choice; and stances.

#include <algorithm>
#include <memory>

#include "catch.hpp"
#include "model_table.hpp"

namespace llm_meta_strategy_test {
namespace {

using namespace agon;
using namespace agon::test;

/// Both use it, seat 0 alone, seat 1 alone, neither.
const std::string kBothUse = "payoffs=[[5.93,6.25],[3.66,6.18],[5.75,4.14],[2.8,4.38]]";
const std::string kBobAlone = "payoffs=[[5.93,6.16],[4.88,6.57],[6.39,5.7],[5.55,5.57]]";
const std::string kPennies = "payoffs=[[1,-1],[-1,1],[-1,1],[1,-1]]";

/// The models of both seats, which answer at random.
struct Run {
  std::shared_ptr<ScriptedModel> models[2] = {std::make_shared<ScriptedModel>(),
                                              std::make_shared<ScriptedModel>()};
  MatchResult result;
  Run(const std::string& game, const std::string& settings, const std::string& payoffs,
      std::uint64_t block = 0)
      : result(ModelTable(game, settings)
                   .dice(block)
                   .model(0, "reasoning=meta-strategy:" + payoffs, models[0])
                   .model(1, "reasoning=meta-strategy:" + payoffs, models[1])
                   .play()) {
    INFO(result.problem);
    REQUIRE(result.end == End::finished);
  }
  [[nodiscard]] bool uses(int seat) const { return models[seat]->count("step") > 0; }
};

const std::string kStag = R"({"game": "stag-hunt", "periods": 3})";

}  // namespace

TEST_CASE("meta-strategy: each seat uses its workflow where an equilibrium of the choice says so") {
  const Run both("classic", kStag, kBothUse);
  CHECK(both.uses(0));
  CHECK(both.uses(1));
  // Two actions each, worked out once before the first of three periods.
  CHECK(both.models[0]->count("step") == 4);
  CHECK(both.models[0]->count("answer") == 3);
  const Run bob("classic", kStag, kBobAlone);
  CHECK_FALSE(bob.uses(0));
  CHECK(bob.uses(1));
  CHECK(bob.models[0]->asked().size() == 3);
}

TEST_CASE("meta-strategy: a mixed choice is drawn once a match and holds to its end") {
  int used = 0;
  for (std::uint64_t block = 0; block < 40; ++block) {
    const Run run("classic", kStag, kPennies, block);
    for (const int seat : {0, 1}) {
      const auto steps = run.models[seat]->count("step");
      CHECK((steps == 0 || steps == 4));
      used += steps > 0 ? 1 : 0;
    }
  }
  CHECK(used > 20);
  CHECK(used < 60);
}

TEST_CASE("meta-strategy: in Deal or No Deal it is the envy-free workflow that is used or not") {
  const std::string settings = R"({"instances": [{"id": "p", "counts": [1, 1, 3],
      "values": [[1, 3, 2], [4, 0, 2]]}], "max_rounds": 4})";
  // Who uses the workflow tells what it holds possible after every round, without a call.
  const auto reports = [&](const std::string& payoffs, int seat) {
    const Run run("deal-or-no-deal", settings, payoffs);
    return run.result.outcome[seat].metrics[8];
  };
  CHECK(reports(kBothUse, 0) > 0);
  CHECK(reports(kBothUse, 1) > 0);
  CHECK(reports(kBobAlone, 0) == 0);
  CHECK(reports(kBobAlone, 1) > 0);
}

TEST_CASE("meta-strategy: payoffs that are no such game are refused with what to write") {
  const auto why = [](const std::string& payoffs) -> std::string {
    try {
      (void)ModelTable("classic", kStag)
          .model(0, "reasoning=meta-strategy" + payoffs, std::make_shared<ScriptedModel>())
          .play();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(why("").find("payoffs") != std::string::npos);
  CHECK(why(":payoffs=[[1,2],[3,4],[5,6]]").find("payoffs") != std::string::npos);
  CHECK(why(":payoffs=[[1,2],[3,4],[5,6],[7]]").find("four pairs") != std::string::npos);
}

namespace {

/// Steps and strategies are answered alike; with a workflow's strategy in view the model takes one
/// action, and without it the other.
std::shared_ptr<ScriptedModel> follower(const std::string& with, const std::string& without) {
  return std::make_shared<ScriptedModel>([=](const ModelRequest& r) {
    if (r.purpose == "step") return said(R"({"action":"choice_1","reason":"It pays."})");
    if (r.purpose == "strategy") return said(R"({"strategy":"MY STRATEGY"})");
    bool has_strategy = false;
    for (const ChatMessage& m : r.messages)
      has_strategy = has_strategy || m.text.find("MY STRATEGY") != std::string::npos;
    return said(R"({"action":")" + (has_strategy ? with : without) + "\"}");
  });
}

/// In which of the matches of a sequence the workflow was used, and what was learnt in the end.
std::pair<std::vector<bool>, std::string> learn(const std::string& with, const std::string& without,
                                                int matches) {
  std::vector<bool> used;
  std::string carried;
  for (int i = 0; i < matches; ++i) {
    const auto model = follower(with, without);
    ModelTable table("classic", R"({"game": "stag-hunt"})");
    table.dice(static_cast<std::uint64_t>(i))
        .model(0,
               "reasoning=meta-strategy:payoffs=[[3,3],[0,3],[3,0],[0,0]],think=false,learns=0.3",
               model)
        .model(1, "", follower("choice_1", "choice_1"))
        .in_sequence(static_cast<std::uint64_t>(i), true);
    if (!carried.empty()) table.carried(0, carried);
    const MatchResult result = table.play_to_end();
    // What is taken along is worked out without the model.
    for (const auto& asked : model->asked())
      CHECK(asked.schema.find("\"learnings\"") == std::string::npos);
    used.push_back(model->count("step") > 0);
    carried = result.carried[0];
  }
  return {used, carried};
}

}  // namespace

TEST_CASE("meta-strategy: over a sequence it learns whether the workflow pays, and says so") {
  const auto late = [](const std::vector<bool>& used) {
    return std::count(used.begin() + 40, used.end(), true);
  };
  // Against a hunter of stags, choice_1 brings 3 and choice_2 brings 1.
  const auto [pays, said_in_the_end] = learn("choice_1", "choice_2", 80);
  CHECK(late(pays) > 26);
  CHECK(said_in_the_end.find("Matches with the workflow: ") != std::string::npos);
  const auto uses = std::count(pays.begin(), pays.end(), true);
  CHECK(said_in_the_end.find("Matches with the workflow: " + std::to_string(uses) + ", points " +
                             std::to_string(3 * uses) + ".000000") != std::string::npos);
  CHECK(said_in_the_end.find("Matches without it: " + std::to_string(80 - uses) + ", points " +
                             std::to_string(80 - uses) + ".000000") != std::string::npos);
  const auto costs = learn("choice_2", "choice_1", 80).first;
  CHECK(late(costs) < 14);
}

TEST_CASE("meta-strategy: a rate of learning outside of its range is refused") {
  CHECK_THROWS_AS(make_agent("reasoning=meta-strategy:payoffs=[[1,1],[1,1],[1,1],[1,1]],learns=2",
                             "classic", std::make_shared<ScriptedModel>()),
                  Error);
}

TEST_CASE("meta-strategy: one that learns needs a sequence, and shows the model no figures") {
  const auto made = [](const std::string& more, const std::string& learning = "none") {
    return make_agent("learning=" + learning +
                          " reasoning=meta-strategy:payoffs=[[3,3],[0,3],[3,0],[0,0]]" + more,
                      "classic", std::make_shared<ScriptedModel>());
  };
  CHECK(made(",learns=0.3")->learns());
  CHECK_FALSE(made("")->learns());
  CHECK(made("", "on")->learns());
  CHECK_THROWS_WITH(made(",learns=0.3", "on"),
                    Catch::Contains("would show to the model as lessons"));
}

TEST_CASE("stance: a sentence in the system prompt of any game") {
  for (const std::string game : {"classic", "deal-or-no-deal"}) {
    const auto model = std::make_shared<ScriptedModel>();
    REQUIRE(ModelTable(game, "{}").everybody("persona=stance:is=deceptive", model).play().end ==
            End::finished);
    CHECK(model->asked().front().messages.front().text.find("You mislead the others") !=
          std::string::npos);
  }
}

TEST_CASE("claims: a model is asked for its values in words and by the form of the answer") {
  const auto model = std::make_shared<ScriptedModel>();
  ModelTable("deal-or-no-deal", R"({"claims": "in_turn", "max_rounds": 1})")
      .everybody("", model)
      .play_to_end();
  const auto& asked = model->asked();
  CHECK(asked[0].messages.front().text.find("Nothing checks whether it is true") !=
        std::string::npos);
  CHECK(asked[0].messages.front().text.find("Do not tell the other side") == std::string::npos);
  CHECK(asked[0].last().find("State what one item of each type is worth to you") !=
        std::string::npos);
  CHECK(asked[1].text().find("Alice states what the items are worth") != std::string::npos);
}

}  // namespace llm_meta_strategy_test
