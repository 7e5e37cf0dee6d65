// What carries over from match to match, in any game.

#include <agon/learning.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "model_table.hpp"
#include "record/record.hpp"

namespace {

using namespace agon;
using namespace agon::test;

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

/// Says this when it is asked what it takes along, and otherwise what the mock says.
std::shared_ptr<ScriptedModel> learner(const std::string& takes) {
  const auto mock = std::make_shared<ScriptedModel>();
  return std::make_shared<ScriptedModel>([mock, takes](const ModelRequest& request) {
    if (has(request.schema, "\"learnings\"")) return said(takes);
    return mock->call(request, ScriptedModel::Time::max(), Dice(1, 2, 3)).call;
  });
}

std::string learnt(std::string_view text) {
  return R"({"learnings":")" + std::string(text) + "\"}";
}

TakenAlong taken(const std::string& json) {
  const auto value = boost::json::parse(json).at("taken_along");
  return {value.at("match").as_int64(), std::string(value.at("ended").as_string()),
          std::string(value.at("learnings").as_string())};
}

std::vector<ScriptedModel::Asked> moves(const ScriptedModel& model) {
  std::vector<ScriptedModel::Asked> found;
  for (ScriptedModel::Asked& a : model.asked())
    if (!has(a.schema, "\"learnings\"")) found.push_back(std::move(a));
  return found;
}

}  // namespace

TEST_CASE("learning: what a match taught comes first in the next, in every game") {
  for (const std::string_view game : game_ids()) {
    INFO(game);
    // Where a game asks for lessons on the way, they take the place of what was brought along.
    const auto& stages = catalogue().game(game).stages;
    const bool asks = std::any_of(stages.begin(), stages.end(), [](const StageCard& stage) {
      return stage.purpose == Purpose::learn;
    });
    const auto first = learner(learnt("KEEP CALM"));
    const MatchResult one = ModelTable(game)
                                .model(0, "learning=on", first)
                                .everybody("", std::make_shared<ScriptedModel>())
                                .in_sequence(0, true)
                                .play_to_end();
    const auto asked = first->asked();
    REQUIRE(has(asked.back().schema, "\"learnings\""));
    CHECK(has(asked.back().last(), "Your score: "));
    CHECK((asks || !has(asked.back().last(), "What you have learnt")));
    // Who learns nothing takes nothing along.
    for (std::size_t seat = 1; seat < one.carried.size(); ++seat) CHECK(one.carried[seat].empty());
    const TakenAlong memo = taken(one.carried[0]);
    CHECK(memo.match == 2);
    CHECK(memo.learnings == "KEEP CALM");
    CHECK(has(memo.ended, "Your score: "));

    const auto second = learner(learnt("STILL CALM"));
    const MatchResult two = ModelTable(game)
                                .model(0, "learning=on", second)
                                .everybody("", std::make_shared<ScriptedModel>())
                                .carried(0, one.carried[0])
                                .in_sequence(1, true)
                                .play_to_end();
    const auto played = moves(*second);
    REQUIRE_FALSE(played.empty());
    const std::string front = played.front().text();
    CHECK(count_of(front, "KEEP CALM") == 1);
    for (const auto& a : played)
      CHECK((count_of(a.text(), "KEEP CALM") == 1 || (asks && !has(a.text(), "KEEP CALM"))));
    check_has(front, {"This is match 2 of the same game with the same players.", "Your score: "});
    CHECK((asks || has(second->asked().back().last(), "KEEP CALM")));
    CHECK(taken(two.carried[0]).match == 3);
    CHECK(taken(two.carried[0]).learnings == "STILL CALM");
  }
}

TEST_CASE("learning: how a match ended is what was told after a seat's last answer") {
  const auto model = learner(learnt("X"));
  const MatchResult result = ModelTable("water-allocation", R"({"days": 2})")
                                 .model(0, "learning=on", model)
                                 .everybody("", std::make_shared<ScriptedModel>())
                                 .in_sequence(0, true)
                                 .play_to_end();
  const std::string ended = taken(result.carried[0]).ended;
  INFO(ended);
  CHECK(has(ended, "Day 2"));
  CHECK_FALSE(has(ended, "Day 1"));
}

TEST_CASE("learning: nobody is asked after the last match, and the record plays again") {
  const auto play = [](bool follows, std::string past) {
    const auto model = learner(learnt("X"));
    const MatchResult result = ModelTable("guess-average")
                                   .everybody("learning=on", model)
                                   .in_sequence(0, follows)
                                   .past(std::move(past))
                                   .play_to_end();
    return std::pair(result, model);
  };
  const auto [last, silent] = play(false, "");
  CHECK(last.carried[0].empty());
  CHECK(moves(*silent).size() == silent->asked().size());
  const auto [whole, asked] = play(true, "");
  CHECK(moves(*asked).size() < asked->asked().size());
  const auto [again, nobody] = play(true, whole.record);
  CHECK(again.record == whole.record);
  CHECK(again.carried == whole.carried);
  CHECK(nobody->asked().empty());
}

TEST_CASE("learning: who says nothing of use keeps what it had, and no more than fits is kept") {
  const std::string before =
      R"({"taken_along":{"match":4,"ended":"Your score: 1.","learnings":"OLD"}})";
  for (const std::string& useless : {std::string("I refuse."), learnt(""), std::string("{}"),
                                     learnt(std::string(100'000, 'x'))}) {
    INFO(useless.substr(0, 40));
    const auto model = learner(useless);
    const MatchResult result = ModelTable("guess-average")
                                   .model(0, "learning=on", model)
                                   .everybody("", std::make_shared<ScriptedModel>())
                                   .carried(0, before)
                                   .in_sequence(4, true)
                                   .play_to_end();
    CHECK(taken(result.carried[0]).learnings == "OLD");
    CHECK(taken(result.carried[0]).match == 6);
    CHECK(result.forced[0] == 0);
    // What is too long is turned down with the bound, and shown to nobody whole.
    const auto again = model->asked().back();
    if (useless.size() > 1000)
      CHECK(has(again.last(), "learnings: 100000 characters, more than 4000."));
    CHECK(again.text().size() < 60'000);
  }
}

TEST_CASE("learning: a game that hands on something of its own is left to do so") {
  const auto model = learner(learnt("GENERIC"));
  const MatchResult result =
      ModelTable("english-auction", R"({"seats": 2, "items": [{"name": "A"}],)"
                                    R"("everyone": {"learning": true}})")
          .everybody("learning=on", model)
          .in_sequence(0, true)
          .play_to_end();
  CHECK(moves(*model).size() == model->asked().size());
  CHECK(has(result.carried[0], "\"log\""));
}
