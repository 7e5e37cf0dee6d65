// A match that leaves its record at a question: what is kept of it, and what is asked again.

#include "branch/cut.hpp"

#include <agon/error.hpp>

#include "catch.hpp"
#include "support.hpp"

using agon::MatchResult;
using agon::branch::CutQuestion;
using namespace seam;

TEST_CASE("cut at any question, the same agents play on to the same bytes", "[seam][branch]") {
  for (const Case& c : all_cases()) {
    const Scene scene(c.game, c.settings);
    std::vector<std::shared_ptr<const agon::Agent>> rules;
    std::vector<const agon::Agent*> agents;
    for (const std::string& text : c.agents) rules.push_back(agent(text, c.game));
    for (std::size_t i = 0; i < scene.seats(); ++i) agents.push_back(rules[i % rules.size()].get());
    const agon::MatchSetup live = scene.setup(agents, 3);
    const std::string record = agon::play_match(live).record;
    INFO(c.game << " " << c.settings);
    const auto questions = agon::branch::questions_of(scene.replay(record, 3));
    REQUIRE_FALSE(questions.empty());
    const std::size_t step = 1 + questions.size() / 20;
    for (std::size_t i = 0; i < questions.size(); i += step) {
      const CutQuestion& q = questions[i];
      CHECK(q.last >= q.number);
      agon::MatchSetup on = live;
      on.past = record;
      on.cut = agon::MatchCut{q.number, q.last, {}};
      const bool same = agon::play_match(on).record == record;
      CHECK(same);
    }
  }
}

TEST_CASE("who was asked at the same time keeps to what it said", "[seam][branch]") {
  const Scene scene("classic", R"({"game": "prisoners-dilemma", "periods": 3})");
  const auto grim = agent("grim", "classic");
  const agon::MatchSetup live = scene.setup({grim.get()});
  const std::string record = agon::play_match(live).record;
  const agon::MatchSetup replay = scene.replay(record);
  const auto questions = agon::branch::questions_of(replay);
  REQUIRE(questions.size() == 6);
  for (std::uint32_t i = 0; i < 6; ++i) {
    CHECK(questions[i].number == i);
    CHECK(questions[i].last == (i | 1U));
    CHECK(questions[i].seat == static_cast<int>(i % 2));
  }
  const std::string defect = R"({"action":"choice_2"})";
  CHECK(agon::branch::why_not_accepted(replay, questions[2], defect).empty());
  CHECK_FALSE(agon::branch::why_not_accepted(replay, questions[2], R"({"action":"x"})").empty());
  CHECK_FALSE(agon::branch::why_not_accepted(replay, questions[2], "7").empty());
  agon::MatchSetup changed = live;
  changed.past = record;
  changed.cut = agon::MatchCut{2, 3, defect};
  const MatchResult played = agon::play_match(changed);
  std::vector<std::string> before, after;
  const auto entries = [](const std::string& bytes) {
    std::vector<std::string> all;
    for (const agon::record::Entry& e : agon::record::read(bytes).entries)
      all.push_back(text_of(e));
    return all;
  };
  before = entries(record);
  after = entries(played.record);
  // The event before play, two answers, the end of the period: then the answer that is changed.
  for (std::size_t i = 0; i < 4; ++i) CHECK(before[i] == after[i]);
  CHECK(before[4] != after[4]);
  CHECK(before[5] == after[5]);  // asked at the same time
  CHECK(before[7] == after[7]);  // grim of the one who defected
  CHECK(before[8] != after[8]);  // and of the one who saw it
  // The branch is a whole record.
  CHECK(agon::play_match(scene.replay(played.record)).record == played.record);
}

TEST_CASE("a record that does not come out again is no parent", "[seam][branch]") {
  const Scene scene("classic", R"({"game": "prisoners-dilemma", "periods": 3})");
  const auto grim = agent("grim", "classic");
  const std::string record = agon::play_match(scene.setup({grim.get()})).record;
  const Scene other("classic", R"({"game": "prisoners-dilemma", "periods": 2})");
  CHECK_THROWS_AS(agon::branch::questions_of(other.replay(record)), agon::Error);
}
