// The card of every shipped game crosses to another process and comes back.

#include <agon/error.hpp>
#include <algorithm>

#include "catch.hpp"
#include "describe/description.hpp"
#include "remote/card_json.hpp"
#include "seam/support.hpp"

namespace remote_cards_test {

using namespace agon;
using namespace agon::remote;

TEST_CASE("cards of shipped games come back as they were written") {
  for (const Game* game : seam::catalogue().all<Game>()) {
    INFO(game->id);
    const std::string written = write_card(*game);
    const JsonDocument document(written, "");
    const RemoteCard card(document.root());
    const Game& read = card.game;
    CHECK(read.id == game->id);
    CHECK(read.card.title == game->card.title);
    CHECK(read.card.seats.min == game->card.seats.min);
    CHECK(read.card.seats.max == game->card.seats.max);
    CHECK(read.card.rules == game->card.rules);
    CHECK(read.card.score == game->card.score);
    CHECK(read.card.disagreement == game->card.disagreement);
    CHECK(read.card.ideal == game->card.ideal);
    CHECK(read.card.source == game->card.source);
    CHECK(read.card.cluster == game->card.cluster);
    CHECK(read.card.stake == game->card.stake);
    CHECK(read.card.reference == game->card.reference);
    CHECK(read.card.version == game->card.version);
    CHECK(read.card.score_decimals == game->card.score_decimals);
    CHECK(read.card.score_range.min == game->card.score_range.min);
    CHECK(read.card.score_range.max == game->card.score_range.max);
    CHECK(card.has_rules == static_cast<bool>(game->card.rules_for));
    CHECK(card.has_seating == static_cast<bool>(game->card.seating));
    CHECK(card.has_check == static_cast<bool>(game->card.check));
    CHECK(card.has_persona == static_cast<bool>(game->card.persona_for));
    CHECK(write_description(*read.settings) == write_description(*game->settings));
    REQUIRE(read.card.presets.size() == game->card.presets.size());
    for (std::size_t i = 0; i < read.card.presets.size(); ++i) {
      CHECK(read.card.presets[i].name == game->card.presets[i].name);
      CHECK(read.card.presets[i].reasks == game->card.presets[i].reasks);
    }
    REQUIRE(read.stages.size() == game->stages.size());
    for (std::size_t i = 0; i < read.stages.size(); ++i) {
      CHECK(read.stages[i].name == game->stages[i].name);
      CHECK(read.stages[i].probe == game->stages[i].probe);
      CHECK(read.stages[i].purpose == game->stages[i].purpose);
      CHECK(card.stage_told[i] == static_cast<bool>(game->stages[i].telling));
      CHECK(card.stage_ends[i] == static_cast<bool>(game->stages[i].ends));
    }
    REQUIRE(read.events.size() == game->events.size());
    for (std::size_t i = 0; i < read.events.size(); ++i) {
      CHECK(read.events[i].name == game->events[i].name);
      CHECK(read.events[i].audience == game->events[i].audience);
      CHECK(card.event_told[i] == static_cast<bool>(game->events[i].telling));
    }
    CHECK(read.card.rates.size() == game->card.rates.size());
  }
}

TEST_CASE("a card that is wrong is refused at its place") {
  const std::string good =
      R"({"id":"g","seats":{"min":2,"max":2},"rules":"r","settings":{"kind":"structure","name":"S","members":[],"default":{}},"stages":[{"name":"bid","answer":{"kind":"boolean"}}]})";
  REQUIRE(RemoteCard(JsonDocument(good, "").root()).game.id == "g");
  const auto row = GENERATE(table<std::string, std::string, std::string>({
      {R"("id":"g",)", "", "missing key \"id\""},
      {R"("max":2)", R"("max":"two")", "$.seats.max"},
      {R"("rules":"r")", R"("rulez":"r")", "$.rulez"},
      {R"("rules":"r")", "\"rules\":\"" + std::string((1 << 20) + 1, 'r') + "\"",
       "longer than 1 MiB"},
      {R"("name":"S")", "\"name\":\"" + std::string(101, 'S') + "\"",
       "the name has more than 100 characters"},
      {R"({"kind":"boolean"})", R"({"kind":"bool"})", "$.stages[0].answer"},
      {R"("answer":)", R"("purpose":"belief","answer":)", "$.stages[0]"},
      {R"("answer":)", R"("probe":true,"purpose":"act","answer":)", "$.stages[0]"},
      {R"("answer":)", R"("told":true,"answer":)", "$.stages[0]"},
      {R"("stages":)", R"("functions":["facts"],"stages":)", "$.functions"},
      {R"("stages":)",
       "\"events\":[0" +
           [] {
             std::string many;
             for (int i = 0; i < 1000; ++i) many += ",0";
             return many;
           }() +
           "],\"stages\":",
       "$.events): it has 1001 elements"},
      {R"("stages":)", R"("functions":["fact"],"stages":)", "$.functions[0]"},
      {R"("stages":)",
       R"("events":[{"name":"e","audience":"all","type":{"kind":"boolean"}}],"stages":)",
       "$.events[0].audience"},
      {R"("stages":)", R"("score_range":[0],"stages":)", "$.score_range"},
  }));
  std::string text = good;
  text.replace(text.find(std::get<0>(row)), std::get<0>(row).size(), std::get<1>(row));
  INFO(text);
  try {
    const RemoteCard card(JsonDocument(text, "").root());
    FAIL("it was read");
  } catch (const Error& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find(std::get<2>(row)) != std::string::npos);
  }
}

TEST_CASE("cards of agents come back too") {
  for (const AgentCard* agent : seam::catalogue().all<AgentCard>()) {
    INFO(agent->id);
    const JsonDocument document(write_card(*agent), "");
    const RemoteAgentCard card(document.root());
    CHECK(card.agent.id == agent->id);
    CHECK(card.agent.game == agent->game);
    CHECK(card.agent.doc == agent->doc);
    CHECK(std::equal(card.agent.roles.begin(), card.agent.roles.end(), agent->roles.begin(),
                     agent->roles.end()));
    CHECK(write_description(*card.agent.params) == write_description(*agent->params));
    CHECK(card.has_check == static_cast<bool>(agent->check));
  }
}

TEST_CASE("the card of a component is read, and refused at its place where it is wrong") {
  const std::string good =
      R"({"kind":"memory","id":"m","doc":"d","params":{"kind":"structure","name":"P","members":[],"default":{}},"overlaps":[{"kind":"tools","id":"t","what":"both"}]})";
  const JsonDocument document(good, "");
  const RemotePartCard card(document.root());
  CHECK(card.part.kind == PartKind::memory);
  CHECK(card.part.id == "m");
  REQUIRE(card.part.overlaps.size() == 1);
  CHECK(card.part.overlaps[0].kind == PartKind::tools);
  CHECK(card.part.overlaps[0].what == "both");
  const auto [from, to, where] = GENERATE(table<std::string, std::string, std::string>({
      {R"("kind":"memory")", R"("kind":"memories")", "$.kind"},
      {R"("id":"m",)", "", "missing key \"id\""},
      {R"("doc":"d")", R"("docs":"d")", "$.docs"},
      {R"({"kind":"structure")", R"({"kind":"struct")", "$.params"},
      {R"("kind":"tools")", R"("kind":"tool")", "$.overlaps[0].kind"},
  }));
  std::string text = good;
  text.replace(text.find(from), from.size(), to);
  INFO(text);
  CHECK_THROWS_WITH(RemotePartCard(JsonDocument(text, "").root()),
                    Catch::Matchers::Contains(where));
}

}  // namespace remote_cards_test
