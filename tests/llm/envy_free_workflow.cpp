// The workflow of the published code around a model: section 3.8 of the rules of Deal or No Deal.

#include <deque>
#include <memory>

#include "catch.hpp"
#include "deal-or-no-deal/play.hpp"
#include "model_table.hpp"

namespace llm_envy_free_test {
namespace {

using namespace agon;
using namespace agon::test;
using Asked = ScriptedModel::Asked;

constexpr std::string_view kGame = "deal-or-no-deal";

/// One book, one hat, three balls; worth 1, 3, 2 to Alice and 4, 0, 2 to Bob.
std::string settings(const std::string& more = R"("max_rounds": 3)") {
  return R"({"instances": [{"id": "p", "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 2]]}], )" +
         more + "}";
}

std::string message(const std::string& text, const std::string& take, bool halt = false) {
  return R"({"text":")" + text + R"(","proposal":)" +
         (take.empty() ? "null" : R"({"take":)" + take + "}") +
         (halt ? R"(,"halt":true})" : R"(,"halt":false})");
}
std::string final_take(const std::string& items) {
  return R"({"choice":{"kind":"take","items":)" + items + "}}";
}

/// Says these in turn, by the purpose of the call; runs out with a failure of the test.
std::shared_ptr<ScriptedModel> says(std::map<std::string, std::deque<std::string>> texts) {
  auto left = std::make_shared<decltype(texts)>(std::move(texts));
  return std::make_shared<ScriptedModel>([left](const ModelRequest& request) {
    auto& queue = (*left)[std::string(request.purpose)];
    if (queue.empty()) return said("nothing is left to say for " + std::string(request.purpose));
    std::string text = std::move(queue.front());
    queue.pop_front();
    return said(std::move(text));
  });
}

std::vector<Asked> of(const ScriptedModel& model, std::string_view purpose) {
  std::vector<Asked> found;
  for (const Asked& asked : model.asked())
    if (asked.purpose == purpose) found.push_back(asked);
  return found;
}

double metric(const MatchResult& result, std::string_view name, int seat) {
  const Type& type = type_of<deal_or_no_deal::SeatMetrics>();
  for (std::size_t i = 0; i < type.fields.size(); ++i)
    if (type.fields[i].name == name) return result.outcome[seat].metrics[i];
  FAIL("no metric " << name);
  return 0;
}

/// Bob asks for the hat and two balls all the time.
std::shared_ptr<ScriptedModel> stubborn() {
  const std::string again = message("mine", "[0,1,2]");
  return says({{"answer", {again, again, again, final_take("[0,1,2]")}}});
}

}  // namespace

TEST_CASE("envy-free workflow: from round 2 on a draft is reflected on until it stays") {
  const auto alice = says({{"answer",
                            {message("first", "[0,1,3]"), message("second", "[0,1,2]"),
                             message("third", "[0,1,1]"), final_take("[0,1,1]")}},
                           {"reconsider",
                            {message("better", "[1,0,2]"), message("back", "[0,1,2]"),
                             message("third again", "[0,1,1]")}}});
  ModelTable(kGame, settings())
      .model(0, "reasoning=envy-free-workflow", alice)
      .model(1, "", stubborn())
      .play_to_end();

  // Three drafts and the take; two rewrites in round 2, the second of which repeats the draft; one
  // in round 3.
  const auto drafts = of(*alice, "answer");
  const auto thoughts = of(*alice, "reconsider");
  REQUIRE(drafts.size() == 4);
  REQUIRE(thoughts.size() == 3);
  CHECK(of(*alice, "extract").empty());

  CHECK_FALSE(has(drafts[0].last(), "wants another split"));
  CHECK(
      has(drafts[1].last(), "You would take 0 books, 1 hat and 3 balls by your latest proposal."));
  check_has(drafts[1].last(), {"you would take: 1 book, 0 hats and 1 ball.",
                               "it refused yours because it would envy you is 1.00"});
  CHECK_FALSE(has(drafts[3].last(), "wants another split"));

  check_has(thoughts[0].last(),
            {R"("text":"second")", "That is worth 7 to you", "likely to be accepted"});
  check_has(thoughts[1].last(), {R"("text":"better")", "That is worth 5 to you"});
  // What was sent is the last one, and Bob was told so.
  CHECK(has(drafts[2].text(), "\"back\""));
  CHECK(has(drafts[3].text(), "\"third again\""));
  CHECK_FALSE(has(drafts[3].text(), "\"second\""));
}

TEST_CASE("envy-free workflow: rewriting ends after the set number") {
  std::deque<std::string> rewrites;
  for (const std::string take : {"[0,1,2]", "[1,1,1]", "[1,0,2]", "[1,1,2]"})
    rewrites.push_back(message("r", take));
  const auto alice =
      says({{"answer", {message("a", "[0,1,3]"), message("b", "[1,1,3]"), final_take("[0,0,0]")}},
            {"reconsider", rewrites}});
  ModelTable(kGame, settings(R"("max_rounds": 2)"))
      .model(0, "reasoning=envy-free-workflow:rewrites=2", alice)
      .model(1, "", stubborn())
      .play_to_end();
  CHECK(of(*alice, "reconsider").size() == 2);
  CHECK(has(of(*alice, "answer")[2].last(),
            "You would take 1 book, 1 hat and 1 ball by your latest proposal."));
}

TEST_CASE("envy-free workflow: a rewrite that cannot be sent leaves the draft") {
  for (const std::string& wrong : {std::string("I am content."), message("r", "[9,0,0]")}) {
    const auto alice = says(
        {{"answer", {message("a", "[0,1,3]"), message("kept", "[0,1,2]"), final_take("[0,0,0]")}},
         {"reconsider", {wrong}}});
    const MatchResult result = ModelTable(kGame, settings(R"("max_rounds": 2)"))
                                   .model(0, "reasoning=envy-free-workflow", alice)
                                   .model(1, "", stubborn())
                                   .play_to_end();
    CHECK(of(*alice, "answer").size() == 3);
    CHECK(of(*alice, "reconsider").size() == 1);
    CHECK(has(of(*alice, "answer")[2].text(), "\"kept\""));
    CHECK(result.forced[0] == 0);
  }
}

TEST_CASE("envy-free workflow: proposals are looked for in words that state none") {
  const auto play = [](const std::string& parts, const std::shared_ptr<ScriptedModel>& alice) {
    const auto bob = says({{"answer",
                            {message("I want the hat and two balls", ""),
                             message("mine", "[0,1,2]"), final_take("[0,1,2]")}}});
    ModelTable(kGame, settings(R"("max_rounds": 2)"))
        .model(0, "reasoning=envy-free-workflow" + parts, alice)
        .model(1, "", bob)
        .play_to_end();
    return bob;
  };
  const auto script = [](std::deque<std::string> found) {
    return says({{"answer",
                  {message("the hat and all balls for me", ""), message("so?", "[0,1,2]"),
                   final_take("[0,1,2]")}},
                 {"extract", std::move(found)},
                 {"reconsider", {message("so?", "[0,1,2]")}}});
  };
  // Alice's own words, then Bob's: each is looked into once.
  const auto alice = script({R"({"take":[0,1,3]})", R"({"take":[0,1,2]})"});
  const auto bob = play("", alice);
  const auto extractions = of(*alice, "extract");
  REQUIRE(extractions.size() == 2);
  CHECK(has(extractions[0].text(), "\"the hat and all balls for me\""));
  CHECK(has(extractions[1].text(), "\"I want the hat and two balls\""));
  // Nobody's values are in it.
  CHECK(extractions[1].messages.size() == 1);
  CHECK_FALSE(has(extractions[1].text(), "worth"));
  CHECK(of(*alice, "reconsider").size() == 1);
  // What was found in her own words is stated to the other side.
  CHECK(has(of(*bob, "answer")[0].last(),
            "The other side would take 0 books, 1 hat and 3 balls by its latest"));

  // Nothing found, or never looked for: then there is nothing to reflect on.
  const auto none = script({R"({"take":null})", R"(no)"});
  play("", none);
  CHECK(of(*none, "extract").size() == 2);
  CHECK(of(*none, "reconsider").empty());
  const auto never = script({});
  play(":extract=never", never);
  CHECK(of(*never, "extract").empty());
  CHECK(of(*never, "reconsider").empty());
}

TEST_CASE(
    "envy-free workflow: it tells its belief without a call, whatever the part beliefs says") {
  for (const std::string beliefs : {"", " beliefs=on"}) {
    const auto alice =
        says({{"answer", {message("a", "[0,1,2]"), message("b", "[0,1,2]"), final_take("[0,1,2]")}},
              {"reconsider", {message("b", "[0,1,2]")}}});
    const MatchResult result = ModelTable(kGame, settings(R"("max_rounds": 2)"))
                                   .model(0, "reasoning=envy-free-workflow" + beliefs, alice)
                                   .model(1, "", stubborn())
                                   .play_to_end();
    CHECK(metric(result, "belief_reports", 0) == 2);
    CHECK(metric(result, "belief_reports", 1) == 0);
    CHECK(metric(result, "belief_prior", 0) == 26);
    // Who refuses the book and a ball for the hat and two balls: E has 14 valuations, and G those
    // that could live with the first and like the second better.
    CHECK(metric(result, "belief_size", 0) == 14);
    CHECK(alice->asked().size() == 4);
  }
}

TEST_CASE("envy-free workflow: it hears stated values where it is told to") {
  const auto weighed = [](const std::string& parts, const std::string& stated) {
    const auto alice = says({{"answer",
                              {R"({"values":null})", message("a", "[0,1,3]"),
                               message("b", "[0,1,2]"), final_take("[0,1,2]")}},
                             {"reconsider", {message("b", "[0,1,2]")}}});
    const std::string again = message("mine", "[0,1,2]");
    const auto bob = says({{"answer", {stated, again, again, final_take("[0,1,2]")}}});
    ModelTable(kGame, settings(R"("max_rounds": 2, "claims": "at_once", "beliefs": false)"))
        .model(0, "reasoning=envy-free-workflow" + parts, alice)
        .model(1, "", bob)
        .play_to_end();
    const auto thoughts = of(*alice, "reconsider");
    REQUIRE(thoughts.size() == 1);
    return thoughts[0].last();
  };
  const std::string nothing = R"({"values":null})", values = R"({"values":{"each":[1,3,2]}})";
  CHECK(weighed("", values) == weighed("", nothing));
  CHECK(weighed(":hears=trusts", nothing) == weighed("", nothing));
  CHECK(weighed(":hears=trusts", values) != weighed("", values));
}

TEST_CASE("envy-free workflow: with alternating offers it asks once a move") {
  const auto alice = std::make_shared<ScriptedModel>();
  const MatchResult result =
      ModelTable(kGame, settings(R"("protocol": "alternating_offers", "max_turns": 6)"))
          .model(0, "reasoning=envy-free-workflow", alice)
          .model(1, "", std::make_shared<ScriptedModel>())
          .play_to_end();
  CHECK(alice->asked().size() == of(*alice, "answer").size());
  CHECK(metric(result, "belief_reports", 0) >= 1);
}

TEST_CASE("envy-free workflow: where nothing can be known of the other side it asks once") {
  const std::string unknown = R"({"max_rounds": 3, "total_value": 0, "instances":
      [{"id": "p", "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 3]]}]})";
  const std::string huge = R"({"max_rounds": 3, "total_value": 0, "beliefs": false, "instances":
      [{"id": "p", "counts": [9, 9, 9, 9], "values": [[90, 1, 1, 1], [4, 90, 9, 3]]}]})";
  std::string told = huge;
  told.replace(told.find(R"("total_value": 0)"), 16, R"("total_value": 900)");
  told.replace(told.find("[[90, 1, 1, 1], [4, 90, 9, 3]]"), 30, "[[97, 1, 1, 1], [1, 97, 1, 1]]");
  for (const std::string& settings : {unknown, huge, told}) {
    INFO(settings);
    const std::string again = message("mine", settings == unknown ? "[0,1,2]" : "[1,1,1,1]");
    const auto alice =
        says({{"answer", {again, again, again, R"({"choice":{"kind":"no_deal"}})"}}});
    const auto bob = says({{"answer", {again, again, again, R"({"choice":{"kind":"no_deal"}})"}}});
    ModelTable(kGame, settings)
        .model(0, "reasoning=envy-free-workflow", alice)
        .model(1, "", bob)
        .play_to_end();
    CHECK(alice->asked().size() == 4);
    CHECK(of(*alice, "answer").size() == 4);
  }
}

TEST_CASE("envy-free workflow: the same calls give the same match") {
  Ledgers ledgers;
  const auto first = std::make_shared<ScriptedModel>();
  const MatchResult live = ModelTable(kGame)
                               .everybody("reasoning=envy-free-workflow memory=notebook", first)
                               .ledgers(ledgers)
                               .play_to_end();
  CHECK(first->count("extract") > 0);
  ledgers.close();
  const auto second = std::make_shared<ScriptedModel>();
  const MatchResult again = ModelTable(kGame)
                                .everybody("reasoning=envy-free-workflow memory=notebook", second)
                                .ledgers(ledgers)
                                .play_to_end();
  CHECK(second->asked().empty());
  CHECK(again.record == live.record);
  for (const Asked& asked : first->asked()) CHECK_FALSE(has(asked.text(), "{{"));
}

}  // namespace llm_envy_free_test
