#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

std::string labelled_suite(const std::string& line_ups) {
  return R"({"seed": 7, "agents": {
      "careful": {"rule": "envy-free-bayes", "labels": {"workflow": "use"}},
      "plain": {"rule": "concede", "labels": {"workflow": "not"}}},
    "scenarios": [{"game": "deal-or-no-deal", "blocks": 6, "seat_rotation": "all",
      "design": {"fixed": [)" +
         line_ups + "]}}]}";
}

}  // namespace

TEST_CASE("the game over a label, from an archive that was played") {
  const Folder folder;
  folder.write("s.json", labelled_suite(R"(["careful", "plain"], ["plain", "plain"])"));
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  const Ended part = folder.succeeds({"report", "s.agon", "--metagame", "workflow"});
  check_has(part.out, {"No match has 'use' and 'use'", "[\"careful\","});

  // As told: the line-up is added, and what was played stays.
  folder.write(
      "s.json",
      labelled_suite(R"(["careful", "plain"], ["plain", "plain"], ["careful", "careful"])"));
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  CHECK(finished(folder.at("s.agon")) == 24);
  const Ended whole = folder.succeeds({"report", "s.agon", "--metagame", "workflow"});
  CHECK_FALSE(contains(whole.out, "No match has"));
  check_has(whole.out, {"own: use", "quilibrium: "});
  const auto json =
      json_of(folder.agon({"report", "s.agon", "--metagame", "workflow", "--json"}).out);
  CHECK(json.at("made").at("metagame").at("label") == "workflow");
  const auto line_ups = [&](const char* metric) {
    return agon::test::figures(
        json, {{"section", "payoffs"}, {"metric", metric}, {"unit", "normalised"}});
  };
  // Seats are alike: (use, not) was played in both orders.
  REQUIRE(line_ups("blocks").size() == 3);
  for (const auto& blocks : line_ups("blocks")) CHECK(blocks.at("value") == 6.0);
  CHECK(line_ups("matches")[1].at("value") == 12.0);

  // Seats apart, and of the agents as of the label.
  const Ended apart =
      folder.succeeds({"report", "s.agon", "--metagame-agents", "careful,plain", "--asymmetric"});
  check_has(apart.out, {"Alice: careful", "Alpha-rank"});
  const Ended alpha = folder.succeeds(
      {"report", "s.agon", "--metagame-agents", "all", "--alpha", "5", "--section", "alpha-rank"});
  CHECK(contains(alpha.out, "alpha 5"));

  CHECK(folder.agon({"report", "s.agon", "--metagame", "mood"}).code == 3);
  CHECK(folder.agon({"report", "s.agon", "--metagame", "workflow", "--full"}).code == 2);
  CHECK(folder.agon({"report", "s.agon", "--metagame", "workflow", "--alpha", "-1"}).code == 2);
  CHECK(folder.agon({"report", "s.agon", "--alpha", "1"}).code == 2);
  CHECK(folder.agon({"report", "s.agon", "--metagame", "workflow", "--metagame-agents", "all"})
            .code == 2);
  CHECK(folder.agon({"report", "s.agon", "--metagame-agents", "nobody"}).code == 3);
}

TEST_CASE("labels change nothing in play, and the last ones hold") {
  const Folder folder;
  folder.write("s.json", labelled_suite(R"(["careful", "plain"])"));
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  folder.write("t.json", R"({"seed": 7, "agents": {"careful": {"rule": "envy-free-bayes"},
      "plain": {"rule": "concede", "labels": {"workflow": "other"}}},
    "scenarios": [{"game": "deal-or-no-deal", "blocks": 6, "seat_rotation": "all",
      "design": {"fixed": [["careful", "plain"]]}}]})");
  REQUIRE(folder.agon({"run", "t.json"}).code == 0);
  CHECK(content(folder, "s.agon").size() == content(folder, "t.agon").size());

  // The same suite with other labels on the same archive: nothing is played again.
  REQUIRE(folder.agon({"run", "t.json", "--out", "s.agon"}).code == 0);
  CHECK(finished(folder.at("s.agon")) == 12);
  const Ended ended = folder.agon({"report", "s.agon", "--metagame", "workflow"});
  CHECK(ended.code == 3);  // nobody else has a level
  CHECK(contains(ended.err, "'plain' (other)"));
}
