#include <memory>

#include "catch.hpp"
#include "model_table.hpp"

namespace llm_games_test {
namespace {

using namespace agon;
using namespace agon::test;

}  // namespace

TEST_CASE("a model plays every game from the first question to the last") {
  for (const std::string_view game : game_ids()) {
    INFO(game);
    const auto model = std::make_shared<ScriptedModel>();
    const MatchResult result = ModelTable(game).everybody("", model).play_to_end();
    CHECK(model->count("answer") >= 1);
    for (const auto& faults : result.faults)
      CHECK(faults[static_cast<std::size_t>(Fault::crashed)] == 0);
  }
}

TEST_CASE("prompts fit every preset of every game") {
  for (const std::string_view game : game_ids())
    for (const Preset& preset : catalogue().game(game).card.presets) {
      INFO(game << " " << preset.name);
      const auto model = std::make_shared<ScriptedModel>();
      ModelTable(game, R"({"preset": ")" + std::string(preset.name) + R"("})")
          .everybody("memory=none planning=adaptive beliefs=on", model)
          .play_to_end();
      REQUIRE_FALSE(model->asked().empty());
    }
}

}  // namespace llm_games_test
