// Judges rate records, or their own play: one question a match.
#include <agon/conversion.hpp>

#include "catch.hpp"
#include "play-rating/game.hpp"

namespace play_rating_test {

using agon::judging::RecordToRate;
using play_rating::Settings;

TEST_CASE("play rating: settings that make no sense are refused with their place") {
  Settings settings;
  CHECK(play_rating::check(settings).empty());
  settings.records = {{"R01", "a", true, "x"}, {"R02", "b", false, "y"}};
  CHECK(play_rating::check(settings).empty());
  settings.records[1].id = "R01";
  CHECK(play_rating::check(settings) == "records[1].id: record 'R01' is there twice");
  settings.records[1].id = "own";
  CHECK(play_rating::check(settings).starts_with("records[1].id: 'own'"));
}

TEST_CASE("play rating: judges are told the levels of each dimension, and what they judge") {
  Settings settings;
  CHECK(play_rating::rules_text(settings).find("how you played yourself") != std::string::npos);
  settings.records = {{"R01", "a", true, "x"}};
  const std::string rules = play_rating::rules_text(settings);
  CHECK(rules.find("You are a judge of how somebody played") != std::string::npos);
  for (const auto& dimension : agon::judging::dimensions()) {
    CHECK(rules.find(std::string(dimension.question)) != std::string::npos);
    for (const std::string_view level : dimension.levels)
      CHECK(rules.find(std::string(level)) != std::string::npos);
  }
}

TEST_CASE("ratings are listed in the order of their dimensions") {
  agon::judging::Ratings ratings;
  ratings.IU = 1;
  ratings.IA = 5;
  CHECK(agon::judging::rating_at(ratings, 0) == 1);
  CHECK_FALSE(agon::judging::rating_at(ratings, 1));
  CHECK(agon::judging::rating_at(ratings, 5) == 5);
  // Out of the scale.
  CHECK(agon::read_json(ratings, R"({"IU": 6, "LR": 1, "SE": 1, "AD": 1, "LP": 1, "IA": null})",
                        agon::Missing::is_wrong));
}

}  // namespace play_rating_test
