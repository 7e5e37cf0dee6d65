// What must be known whichever figure is read is said beside every table, in every format.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

/// One seat picks a number. `body` may change it to `s`, the score, out of 10.
std::string pick_game(const std::string& body = "", const std::string& card = "") {
  return R"py(from dataclasses import dataclass
import agon
@dataclass
class Settings:
    most: int = agon.field(10, "the most", min=1, max=10)
@dataclass
class Pick:
    x: int = agon.field(0, "a number", min=0, max=10)
PICK = agon.Stage("pick", Pick, "a number")
def play(table: agon.Table[PICK], settings: Settings):
    luck = table.chance("luck").between(0, 1)
    x = table.ask(0, PICK, agon.limit("x", 0, 10 - 5 * luck)).x
    s = x + luck / 4
)py" + body +
         R"py(
    return [agon.SeatScore(s, disagreement=0, ideal=10)]
agon.game("pick", play, title="Pick", seats=(1, 1), rules="Pick a number.",
          disagreement="nothing", ideal="ten")py" +
         card + ")\n";
}

std::string pick_suite(const std::string& blocks, const std::string& agents,
                       const std::string& more = "") {
  return R"({"suite": "s", "seed": 3, "agents": {"reference": "random", )" + agents +
         R"(}, "design": {"round_robin": true, "blocks": )" + blocks +
         R"(}, "scenarios": [{"game": "./pick.py"}])" + more + "}";
}

const std::string kThreeScript = R"("three": {"script": {"stages": {"pick": [{"x": 3}]}}})";

/// The game and its suite. `agents`: beside the random one.
void write_pick(const Folder& folder, const std::string& blocks,
                const std::string& agents = kThreeScript) {
  folder.write("pick.py", pick_game());
  folder.write("s.json", pick_suite(blocks, agents));
}

void run_pick(const Folder& folder, Words words = {}) {
  folder.succeeds(joined({"run", "s.json", "--trust", "--quiet"}, words));
}

/// Every format and every single section says it; figures name it.
void warned_of(const Folder& folder, const std::string& id, const std::string& word,
               const Words& more = {}) {
  INFO(id);
  const auto report = [&](Words words) {
    words.insert(words.begin(), {"report", "s.agon"});
    words.insert(words.end(), more.begin(), more.end());
    return folder.succeeds(words).out;
  };
  CHECK(contains(report({}), word));
  for (const char* section : {"leaderboard", "scores"}) {
    CHECK(contains(report({"--section", section}), word));
    for (const char* format : {"latex", "markdown", "html"})
      CHECK(contains(report({"--section", section, "--format", format}), word));
  }
  // In LaTeX it goes with the table, not with the file alone.
  const std::string latex = report({"--section", "scores", "--format", "latex"});
  CHECK(contains(latex.substr(latex.find("\\begin{minipage}")), word));
  const auto json = json_of(report({"--json"}));
  bool named = false;
  for (const auto& alert : json.at("warnings").as_array())
    if (const auto* known = alert.as_object().if_contains("id");
        known != nullptr && std::string(known->as_string()) == id)
      named = named || contains(alert.at("words").as_string(), word);
  CHECK(named);
  const auto figure = agon::test::figure(
      json, {{"section", "scores"}, {"agent", "three"}, {"metric", "normalized_score"}});
  const auto* warnings = figure.if_contains("warnings");
  REQUIRE(warnings != nullptr);
  CHECK(contains(" " + std::string(warnings->as_string()) + " ", " " + id + " "));
  const std::string csv = report({"--csv"});
  CHECK(contains(csv, word));
  std::size_t lines_with = 0;
  for (const std::string& line : lines(csv))
    if (line.starts_with("leaderboard,") && contains(line, "three"))
      lines_with += contains(line, id) ? 1 : 0;
  CHECK(lines_with > 0);
}

bool not_warned_of(const Folder& folder, const std::string& id) {
  const auto json = json_of(folder.agon({"report", "s.agon", "--json"}).out);
  for (const auto& alert : json.at("warnings").as_array())
    if (const auto* known = alert.as_object().if_contains("id");
        known != nullptr && std::string(known->as_string()) == id)
      return false;
  return true;
}

}  // namespace

TEST_CASE("a run that a rule stopped says so beside every table") {
  const Folder folder;
  write_pick(folder, "90",
             kThreeScript + R"(, "none": {"script": {"stages": {"pick": [{"x": 0}]}}})");
  run_pick(folder, {"--until", "three > none"});
  warned_of(folder, "stopped", "STOPPED");
  // With everything played, nothing was stopped.
  run_pick(folder, {"--until", "all"});
  CHECK(not_warned_of(folder, "stopped"));
}

TEST_CASE("a suite that was run with more and more blocks says so, and with fewer than it has") {
  const Folder folder;
  write_pick(folder, "30");
  run_pick(folder, {"--blocks", "12"});
  CHECK(not_warned_of(folder, "looked"));
  warned_of(folder, "fewer-blocks", "FEWER");
  for (const char* blocks : {"16", "20"}) run_pick(folder, {"--blocks", blocks});
  warned_of(folder, "looked", "SEVERAL");
  const Ended report = folder.agon({"report", "s.agon", "--section", "leaderboard"});
  check_has(report.out, {"12, 16, 20", "20 of 30 blocks"});
  // All that the suite has: looked at in between, all the same.
  run_pick(folder);
  CHECK(not_warned_of(folder, "fewer-blocks"));
  warned_of(folder, "looked", "SEVERAL");
  // Another agent more is no other number of blocks.
  const Folder other;
  write_pick(other, "12");
  run_pick(other);
  other.write("s.json", pick_suite("12", kThreeScript + R"(, "more": "random")"));
  run_pick(other);
  CHECK(not_warned_of(other, "looked"));
}

TEST_CASE("a game or a program whose file changed under one version is told of") {
  const Folder folder;
  write_pick(folder, "24");
  run_pick(folder, {"--blocks", "12"});
  CHECK(not_warned_of(folder, "changed"));
  folder.write("pick.py", pick_game("    s = min(10, s + 1)\n"));
  run_pick(folder);
  warned_of(folder, "changed", "CHANGED");
  const Ended doctor = folder.agon({"doctor", "s.agon"});
  check_has(doctor.out, {"warning", "CHANGED GAME", "24 matches with file"});
  // Shards that were played at the same time: each match is its own run's.
  const Folder shards;
  write_pick(shards, "24");
  run_pick(shards, {"--shard", "1/2", "--out", "s1.agon"});
  shards.write("pick.py", pick_game("    s = min(10, s + 1)\n"));
  run_pick(shards, {"--shard", "2/2", "--out", "s2.agon"});
  for (const std::string shard : {"s1.agon", "s2.agon"})
    run_sql(shards.at(shard), "update run set started = 1; update match set created = 2");
  shards.succeeds({"merge", "s.agon", "s1.agon", "s2.agon"});
  CHECK(contains(shards.agon({"doctor", "s.agon"}).out, "24 matches with file"));
  // What was changed while nothing was played is not in the table.
  const Folder idle;
  write_pick(idle, "12");
  run_pick(idle);
  idle.write("pick.py", pick_game("    s = min(10, s + 1)\n"));
  run_pick(idle);
  CHECK(not_warned_of(idle, "changed"));
}

TEST_CASE("a program that changed under one version is told of") {
  const Folder folder;
  const std::string bot =
      read_file(std::string(AGON_TEST_SOURCE) + "/agents/external/samples/bot.py");
  folder.write("bot.py", bot);
  folder.write("pick.py", pick_game());
  folder.write(
      "s.json",
      pick_suite("24",
                 kThreeScript + R"(, "bot": {"external": {"command": ["python3", "bot.py"]}})"));
  const Words run{"run", "s.json", "--trust"};
  Words half = run;
  half.insert(half.end(), {"--blocks", "12"});
  const std::string warning = "the files of 'bot' were changed since its matches";
  CHECK_FALSE(contains(folder.agon(half).err, warning));
  CHECK_FALSE(contains(folder.agon(half).err, warning));
  folder.write("bot.py", bot + "# another\n");
  CHECK(contains(folder.agon(run).err, warning));
  warned_of(folder, "changed", "CHANGED");
  CHECK(contains(folder.agon({"doctor", "s.agon"}).out, "the files of 'bot'"));
}

TEST_CASE("blocks that the fault policy leaves out are told beside the figures") {
  const Folder folder;
  folder.write("pick.py", pick_game());
  // 7 is too much in about half of the blocks.
  folder.write("s.json",
               pick_suite("40", R"("three": {"script": {"stages": {"pick": [{"x": 7}]}}})",
                          R"(, "faults": {"policy": "exclude", "reasks": 0})"));
  run_pick(folder);
  warned_of(folder, "excluded", "LEFT OUT");
  CHECK_FALSE(
      contains(folder.agon({"report", "s.agon", "--fault-policy", "as-played"}).out, "LEFT OUT"));
}

TEST_CASE(
    "broken matches are told where they are many or unequal, with bounds from what was seen") {
  const Folder folder;
  // Who picks more than 2 loses, up to 5 beyond nothing; who picks 0 breaks the match.
  folder.write(
      "pick.py",
      pick_game("    if x == 0: raise ValueError('no pick')\n    s = 3 - x if x > 2 else x\n"));
  folder.write(
      "s.json",
      pick_suite("60", kThreeScript + R"(, "two": {"script": {"stages": {"pick": [{"x": 2}]}}})"));
  const Ended ended = folder.agon({"run", "s.json", "--trust", "--quiet"});
  CHECK(ended.code != 1);
  warned_of(folder, "broken", "BROKEN");
  const auto told = json_of(folder.agon({"report", "s.agon", "--json"}).out);
  const auto score = agon::test::figure(
      told, {{"section", "scores"}, {"agent", "reference"}, {"metric", "normalized_score"}});
  const auto worst = agon::test::figure(
      told, {{"section", "bounds"}, {"agent", "reference"}, {"metric", "worst"}});
  // Below what it would be with nothing for each: scores go below the outside option.
  CHECK(worst.at("value").as_double() < score.at("value").as_double() - 0.02);
  CHECK(worst.at("value").as_double() < 0);
}

TEST_CASE("a score beyond the declared range counts, and is told of once") {
  const Folder folder;
  folder.write(
      "s.json",
      pick_suite("20", kThreeScript + R"(, "best": {"script": {"stages": {"pick": [{"x": 5}]}}})"));
  folder.write("pick.py", pick_game("    s = 4 * x\n", ", score_range=(0, 1)"));
  run_pick(folder);
  warned_of(folder, "range", "OUTSIDE");
  const auto told = json_of(folder.agon({"report", "s.agon", "--json"}).out);
  const auto best = agon::test::figure(
      told, {{"section", "scores"}, {"agent", "best"}, {"metric", "normalized_score"}});
  CHECK(best.at("value").as_double() == Approx(2));
  CHECK(count(folder.agon({"report", "s.agon", "--full"}).out, "score_range") <= 1);
}

TEST_CASE("what an agent did against others than all agents met is counted by itself") {
  const Folder folder;
  const auto play = [&](const std::string& focal, const std::string& field) {
    folder.write("s.json", R"({"suite": "s", "seed": 1, "agents": {"three": "random",
        "reference": {"rule": {"bargaining": {"time-dependent": {"concession": 1}}}},
        "tough": {"rule": {"bargaining": {"time-dependent": {"concession": 0.2}}}}},
        "design": {"focal": [)" +
                               focal + R"(], "background": ")" + field +
                               R"(", "blocks": 12}, "scenarios": [{"game": "bargaining"}]})");
    run_pick(folder);
  };
  const auto scores = [&](const Words& scope) {
    return folder.succeeds(joined({"report", "s.agon", "--csv", "--section", "scores"}, scope)).out;
  };
  // Without its last column, the warnings.
  const auto line_of = [](const std::string& csv, const std::string& agent) {
    for (const std::string& line : lines(csv))
      if (line.starts_with("scores,bargaining,,," + agent + ",,,normalized_score,"))
        return line.substr(0, line.rfind(','));
    return std::string();
  };
  play(R"("three", "reference")", "reference");
  const std::string one = scores({});
  // All met both: that is a fair comparison, and one row each.
  SECTION("who all met the same is not taken apart") {
    play(R"("three", "reference")", "tough");
    const std::string all = scores({"--all-suites"});
    CHECK(line_of(all, "three (against tough)").empty());
    CHECK(line_of(all, "three") != line_of(one, "three"));
    warned_of(folder, "background", "DIFFERENT", {"--all-suites"});
    CHECK(not_warned_of(folder, "background"));
  }
  SECTION("one that met others too has a row for these") {
    play(R"("three")", "tough");
    const std::string two = scores({"--suite", "2"});
    const std::string all = scores({"--all-suites"});
    INFO(all);
    CHECK(line_of(all, "three") == line_of(one, "three"));
    CHECK(line_of(all, "reference") == line_of(one, "reference"));
    std::string against = line_of(all, "three (against tough)");
    REQUIRE_FALSE(against.empty());
    against.replace(against.find("three (against tough)"), 21, "three");
    CHECK(against == line_of(two, "three"));
    warned_of(folder, "background", "(against ...)", {"--all-suites"});
  }
}

namespace {

std::string concession(const std::string& name, const std::string& value) {
  return "\"" + name + R"(": {"rule": {"bargaining": {"time-dependent": {"concession": )" + value +
         "}}}}";
}

/// `design` without its blocks.
void run_bargaining(const Folder& folder, const std::string& agents, const std::string& design,
                    int blocks = 12) {
  folder.write("s.json", R"({"suite": "s", "seed": 1, "agents": {"three": "random", )" + agents +
                             R"(}, "design": {)" + design + R"(, "blocks": )" +
                             std::to_string(blocks) +
                             R"(}, "scenarios": [{"game": "bargaining"}]})");
  run_pick(folder);
}

boost::json::value all_of(const Folder& folder) {
  return json_of(folder.succeeds({"report", "s.agon", "--all-suites", "--json"}).out);
}

}  // namespace

TEST_CASE("background agents of one name and other parameters are kept apart") {
  const Folder folder;
  run_bargaining(folder, concession("reference", "4") + ", " + concession("mid", "0.6"),
                 R"("focal": ["three", "mid"], "background": "reference")");
  run_bargaining(folder, concession("reference", "0.1"),
                 R"("focal": ["three"], "background": "reference")");
  const auto all = all_of(folder);
  const auto before = agon::test::figure(
      json_of(folder.agon({"report", "s.agon", "--suite", "1", "--json"}).out),
      {{"section", "scores"}, {"agent", "three"}, {"metric", "normalized_score"}});
  const auto after = agon::test::figure(
      all, {{"section", "scores"}, {"agent", "three"}, {"metric", "normalized_score"}});
  CHECK(after.at("value") == before.at("value"));
  const Ended text = folder.agon({"report", "s.agon", "--all-suites", "--section", "scores"});
  CHECK(contains(text.out, "three (against reference ("));
  warned_of(folder, "background", "DIFFERENT BACKGROUND", {"--all-suites"});
}

TEST_CASE("round robins of different agents are counted together with a warning only") {
  const Folder folder;
  const std::string mid = ", " + concession("mid", "1");
  run_bargaining(folder, concession("easy", "5") + mid, R"("round_robin": true)");
  run_bargaining(folder, concession("hard", "0.1") + mid, R"("round_robin": true)");
  warned_of(folder, "background", "DIFFERENT OPPONENTS", {"--all-suites"});
  CHECK(not_warned_of(folder, "background"));
  CHECK(contains(folder.agon({"report", "s.agon", "--section", "pairs"}).out, "unadjusted"));
  // One suite that has all of them is no mixture.
  const Folder grown;
  run_bargaining(grown, concession("mid", "1"), R"("round_robin": true)");
  run_bargaining(grown, concession("easy", "5") + mid, R"("round_robin": true)");
  CHECK_FALSE(
      contains(grown.agon({"report", "s.agon", "--all-suites"}).out, "DIFFERENT OPPONENTS"));
}

TEST_CASE("agents are compared over background agents that all met on the same blocks") {
  const Folder folder;
  const std::string agents = concession("reference", "1") + ", " + concession("tough", "0.2");
  run_bargaining(folder, agents, R"("focal": ["three", "reference"], "background": "reference")");
  run_bargaining(folder, agents, R"("focal": ["three"], "background": "tough")");
  run_bargaining(folder, agents, R"("focal": ["reference"], "background": "tough")", 3);
  const auto all = all_of(folder);
  const auto against = agon::test::figure(
      all,
      {{"section", "scores"}, {"agent", "three (against tough)"}, {"metric", "normalized_score"}});
  CHECK(against.at("n").as_int64() == 9);
  const Ended text = folder.agon({"report", "s.agon", "--all-suites", "--section", "scores"});
  CHECK_FALSE(contains(text.out, "reference (against"));
}

TEST_CASE("what an agent did against others has neither rank nor difference") {
  const Folder folder;
  const std::string agents = concession("reference", "1") + ", " + concession("tough", "0.2");
  run_bargaining(folder, agents, R"("focal": ["three", "reference"], "background": "reference")");
  run_bargaining(folder, agents, R"("focal": ["three"], "background": "tough")");
  const Ended ended = folder.agon({"report", "s.agon", "--all-suites", "--csv"});
  std::size_t scores = 0;
  for (const std::string& line : lines(ended.out)) {
    if (!contains(line, ",three (against tough),")) continue;
    INFO(line);
    scores += line.starts_with("leaderboard,") && contains(line, ",normalized_score,") ? 1 : 0;
    check_lacks(line, {",rank,", ",difference,"});
    CHECK_FALSE(line.starts_with("policies,"));
    CHECK_FALSE(line.starts_with("anytime,"));
  }
  CHECK(scores == 1);
}

TEST_CASE("one block with most of what there was to get is warned of") {
  const Folder folder;
  std::string game = pick_game();
  // Of what there was to get, the block with the highest power of 4 has most.
  const std::string ideal = "ideal=10)]";
  game.replace(game.find(ideal), ideal.size(),
               "ideal=10 * 4 ** table.chance(\"pie\").between(0, 40))]");
  folder.write("pick.py", game);
  folder.write("s.json", pick_suite("20", kThreeScript));
  run_pick(folder);
  warned_of(folder, "one-block", "ONE BLOCK WEIGHS");
  CHECK(folder.agon({"report", "s.agon", "--svg", "plots"}).code == 0);
  const std::string plot = read_file(folder.at("plots/leaderboard-scores.svg"));
  CHECK(count(plot, "ONE BLOCK WEIGHS") == 2);
  const Folder even;
  write_pick(even, "20");
  run_pick(even);
  CHECK(not_warned_of(even, "one-block"));
  REQUIRE(even.agon({"report", "s.agon", "--svg", "plots"}).code == 0);
  CHECK_FALSE(contains(read_file(even.at("plots/leaderboard-scores.svg")), "ONE BLOCK"));
}

TEST_CASE("every p says whether it is adjusted, and statements by themselves say that they are") {
  const Folder folder;
  write_pick(folder, "20");
  run_pick(folder);
  const std::string board = folder.agon({"report", "s.agon", "--section", "leaderboard"}).out;
  CHECK(contains(board, "adj. p"));
  CHECK_FALSE(contains(board, "  p  "));
  const std::string by_game = folder.agon({"report", "s.agon", "--section", "differences"}).out;
  CHECK(contains(by_game, "statement alone, unadjusted"));
  const Folder metrics;
  metrics.write("s.json", R"({"suite": "s", "agents": {"a": "random", "b": "default"},
      "design": {"round_robin": true, "blocks": 10}, "scenarios": [{"game": "guess-average"}]})");
  REQUIRE(metrics.agon({"run", "s.json"}).code == 0);
  for (const char* section : {"metrics", "pairs"})
    for (const char* format : {"text", "json", "latex", "markdown", "html"}) {
      INFO(section << " " << format);
      const Ended report =
          metrics.succeeds({"report", "s.agon", "--section", section, "--format", format});
      CHECK(contains(report.out, "unadjusted"));
    }
}
