#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kAgents = R"("agents": {"a": "random", "b": "default"})";
const std::string kScenario = R"("scenarios": [{"game": "bargaining", "blocks": 2}])";
/// Plays the buyer only, and who plays both.
const std::string kRoles = R"("agents": {"og": {"rule": "offer-generator"}, "c": "random"})";

struct WrongSuite {
  std::string suite;
  int code;
  std::string place;  ///< file:line:column, and the path inside the file
  std::string says;
};

void check_suite(const WrongSuite& w) {
  const Folder folder;
  folder.write("w.json", w.suite);
  for (const char* command : {"run", "doctor"}) {
    const Ended ended = folder.agon({command, "w.json"});
    INFO(command << " " << w.suite.substr(0, 300) << "\n" << ended.err.substr(0, 1000));
    CHECK(ended.code == w.code);
    CHECK(ended.out.empty());
    check_has(ended.err, {w.place, w.says});
    CHECK(count(ended.err, "\n") == (contains(ended.err, "\nhint: ") ? 2 : 1));
  }
  // Nothing is made before the suite is known to be sound.
  CHECK_FALSE(folder.has("w.agon"));
}

std::string scenario(const std::string& text) {
  return "{" + kAgents + ",\n\"scenarios\": [\n" + text + "]}";
}
std::string with(const std::string& more) {
  return "{" + kAgents + ",\n" + more + ",\n" + kScenario + "}";
}

}  // namespace

TEST_CASE("suites that are not JSON") {
  const std::vector<WrongSuite> all{
      {"", 5, "w.json:1:1", "there is no JSON value"},
      {"{\n  \"suite\": \"x\",\n  \"agents\": {\"a\": \"random\",}\n}", 5, "w.json:3:27",
       "trailing comma"},
      {"{\n  \"suite\": \"x\"\n  \"seed\": 1\n}", 5, "w.json:3:3", ""},
      {"{\"suite\": \"\xff\xfe\"}", 5, "w.json:1:12", "not valid UTF-8"},
      {"{\"suite\": \"x\", \"seed\": 1, \"seed\": 2}", 5, "w.json:1:27", "appears twice"},
      {std::string(5'000'000, '[') + std::string(5'000'000, ']'), 5, "w.json:1:65",
       "nested more than 64 deep"},
      {std::string("{\"suite\": \"a\0b\"}", 16), 5, "w.json:1:", ""},
      {scenario(R"({"game": "bargaining", "set": {"factor": NaN}})"), 5, "w.json:3:", "NaN"},
      {scenario(R"({"game": "bargaining", "set": {"factor": 1e999}})"), 5, "w.json:3:", ""},
      {"[1, 2]", 5, "w.json:1:1", "must be an object"},
      {"\"suite\"", 5, "w.json:1:1", "must be an object"},
      {"{", 5, "w.json:1:", ""},
  };
  for (const WrongSuite& w : all) check_suite(w);
}

TEST_CASE("suites that do not fit") {
  const std::vector<WrongSuite> all{
      {"{}", 5, "$.scenarios", "missing \"scenarios\""},
      {"{" + kAgents + R"(, "scenarios": []})", 5, "$.scenarios", "missing \"scenarios\""},
      {"{" + kScenario + "}", 5, "$.agents", "missing \"agents\""},
      {R"({"agents": {}, )" + kScenario + "}", 5, "$.agents", "missing \"agents\""},
      {"{\"agents\": {\"" + std::string(10'001, 'n') + "\": \"random\"}, " + kScenario + "}", 5,
       "$.agents", "an agent's name has 10001 bytes"},
      {R"({"agents": {"a": {"script": {}, "factors": {"then": ["random", ")" +
           std::string(10'001, 'n') + "\"]}}}, " + kScenario + "}",
       5, "$.agents.a.factors", "an agent's name has 10008 bytes"},
      {with(R"("blocks": 3)"), 5, "w.json:2:1 ($.blocks)", "unknown key 'blocks'"},
      {with(R"("desing": {})"), 5, "$.desing", "(did you mean 'design'?)"},
      {with(R"("seed": -3)"), 5, "$.seed", "-3 is less than 0"},
      {with(R"("seed": 1.5)"), 5, "$.seed", "whole number"},
      {with(R"("$schema": 3, "sede": 1)"), 5, "$.sede", "(did you mean 'seed'?)"},
      {with(R"("report": {"level": 0.5})"), 5, "$.report.level", "such as 0.95"},
      {with(R"("limits": {"cost": [3]})"), 5, "$.limits.cost", "must be a number or a text"},
      {with(R"("limits": {"cost": "3 EUR"})"), 5, "$.limits.cost",
       "invalid amount '3 EUR'; expected a number of dollars above 0"},
      {with(R"("stop": 3)"), 5, "$.stop", "must be a text or an object, not a number"},
      {with(R"("suite": 7)"), 5, "$.suite", "must be a text"},
      {with(R"("faults": {"policy": "exlude"})"), 5, "$.faults.policy",
       "(did you mean 'exclude'?)"},
      {with(R"("faults": {"reasks": 101})"), 5, "$.faults.reasks", "101 is more than 100"},
      {with(R"("report": {"reference": "z"})"), 5, "$.report.reference", "unknown agent 'z'"},
      {with(R"("report": {"level": 95})"), 5, "$.report.level", "95 is more than 1"},
      {with(R"("limits": {"jobs": 0})"), 5, "$.limits.jobs", "0 is less than 1"},
      // games and their settings
      {scenario(R"({"game": "bargainin"})"), 3, "w.json:3:2 ($.scenarios[0].game)",
       "(did you mean 'bargaining'?)"},
      {scenario(R"({"gam": "bargaining"})"), 5, "$.scenarios[0].gam", "(did you mean 'game'?)"},
      {scenario(R"({"blocks": 2})"), 5, "$.scenarios[0]", "missing \"game\""},
      {scenario(R"({"game": "bargaining", "bloks": 2})"), 5, "$.scenarios[0].bloks",
       "(did you mean 'blocks'?)"},
      {scenario(R"({"game": "bargaining", "blocks": 0})"), 5, "$.scenarios[0].blocks",
       "0 is less than 1"},
      {scenario(R"({"game": "bargaining", "blocks": 2.5})"), 5, "$.scenarios[0].blocks",
       "whole number"},
      {scenario(R"({"game": "bargaining", "treatments": {"factr": [1]}})"), 5,
       "$.scenarios[0].treatments.factr", "(did you mean 'factor'?)"},
      {scenario(R"({"game": "bargaining", "set": {"factr": 1}, "treatments": {"budget": [9]}})"), 5,
       "$.scenarios[0].set.factr", "(did you mean 'factor'?)"},
      {scenario(R"({"game": "bargaining", "preset": "papr"})"), 5, "$.scenarios[0].preset",
       "(did you mean 'paper'?)"},
      {scenario(R"({"game": "bargaining", "set": {"factr": 1}})"), 5, "$.scenarios[0].set.factr",
       "(did you mean 'factor'?)"},
      {scenario(R"({"game": "bargaining", "set": {"budget": -5}})"), 5, "$.scenarios[0].set.budget",
       "less than 0.01"},
      {scenario(R"({"game": "bargaining", "set": {"products": "nowhere"}})"), 3,
       "$.scenarios[0].set.products", "no data file 'nowhere'"},
      {scenario(R"({"game": "bargaining", "set": {"factor": 1}, "treatments": {"factor": [1]}})"),
       5, "$.scenarios[0].treatments.factor", "conflicts with \"set\""},
      {scenario(R"({"game": "bargaining", "treatments": {"factor": []}})"), 5,
       "$.scenarios[0].treatments.factor", "list of values"},
      {scenario(R"({"game": "bargaining", "treatments": {"factr": [1]}})"), 5, "$.scenarios[0]",
       "(did you mean 'factor'?)"},
      {scenario(R"({"game": "english-auction", "treatments": {"seats": [2, 3]}})"), 5,
       "$.scenarios[0].treatments", "leave the seats"},
      {scenario(
           "{\"game\": \"bargaining\", \"name\": \"x\"},\n{\"game\": \"bargaining\", \"name\": "
           "\"x\"}"),
       5, "w.json:4:24 ($.scenarios[1].name)", "duplicate scenario name 'x'"},
      {scenario(R"({"game": "bargaining", "name": "first"},
{"game": "bargaining", "same_draws_as": "frist"})"),
       5, "w.json:4:24 ($.scenarios[1].same_draws_as)",
       "unknown scenario 'frist' (did you mean 'first'?)"},
      {scenario(R"({"game": "bargaining", "name": "x", "same_draws_as": "x"})"), 5,
       "($.scenarios[0].same_draws_as)", "no scenario has draws of its own: x as x"},
      {scenario(R"({"game": "bargaining", "name": "x", "same_draws_as": "y"},
        {"game": "bargaining", "name": "y", "same_draws_as": "z"},
        {"game": "bargaining", "name": "z", "same_draws_as": "y"})"),
       5, "($.scenarios[2].same_draws_as)", "no scenario has draws of its own: x as y as z as y"},
      {scenario(R"({"game": "bargaining"}, {"game": "sealed-bid",
        "design": {"focal": "a", "background": "b"}, "same_draws_as": "bargaining"})"),
       5, "($.scenarios[1].same_draws_as)",
       "'sealed-bid' has 3 seats and 'bargaining' 2, so their draws are not the same"},
      {scenario(R"({"game": "bargaining", "same_draws_as": 3})"), 5,
       "($.scenarios[0].same_draws_as)", "must be a text"},
      {scenario(R"({"game": "water-allocation", "set": {"residents": [{"name": "A", "need": 3,
        "salary": 1}]}})"),
       5, "$.scenarios[0].set.residents", "fewer than 2"},
      // agents
      {R"({"agents": {"a": "randm"}, )" + kScenario + "}", 3, "$.agents.a",
       "(did you mean 'random'?)"},
      {R"({"agents": {"a": {"rul": "random"}}, )" + kScenario + "}", 5, "$.agents.a",
       "(did you mean 'rule'?)"},
      {R"({"agents": {"a": {"rule": "random", "human": {}}}, )" + kScenario + "}", 5, "$.agents.a",
       "one of 'rule' and 'human', not both"},
      {R"({"agents": {"a": {"rule": "random", "labels": "use"}}, )" + kScenario + "}", 5,
       "($.agents.a.labels)", "must be an object"},
      {R"({"agents": {"a": {"rule": "random", "labels": {"workflow": true}}}, )" + kScenario + "}",
       5, "($.agents.a.labels.workflow)", "must be a text"},
      {R"({"agents": {"a": {"rule": "fraction", "factors": {"share": [0.1, 0.2]},
        "labels": {"share": "low"}}}, )" +
           kScenario + "}",
       5, "($.agents.a.labels.share)", "'share' is a factor and a label at once"},
      {R"({"agents": {"a*": "random"}, )" + kScenario + "}", 5, "$.agents", "has no '*'"},
      {R"({"agents": {"a": {"rule": {"chess": "random"}}}, )" + kScenario + "}", 3, "$.agents.a",
       "unknown game 'chess'"},
      {R"({"agents": {"a": {"rule": "time-dependent", "params": {"concesion": 1}}}, )" + kScenario +
           "}",
       5, "$.agents.a", "(did you mean 'concession'?)"},
      {R"({"agents": {"a": {"rule": {"water-allocation": "fixed"}}, "b": "random"}, )" + kScenario +
           "}",
       5, "$.scenarios[0]", "agent 'a' does not play bargaining"},
      {R"({"agents": {"a": "equilibrium-bid", "b": "random"},
        "design": {"focal": "a", "background": "b"},
        "scenarios": [{"game": "sealed-bid"},
                      {"game": "sealed-bid", "set": {"payment": "first_price"},
                       "treatments": {"values": ["independent", "common"]}}]})",
       5, "$.scenarios[1]",
       "agent 'a' cannot play here: with common values it knows the equilibrium of the second "
       "price alone"},
      {R"({"agents": {"a": {"script": {"answers": "nowhere.json"}}}, )" + kScenario + "}", 3,
       "nowhere.json", "file not found"},
      // models, named by nobody
      {with(R"("models": {"m": {"provider": "mock", "modl": "x"}})"), 5, "($.models.m)",
       "parameter model.modl: unknown key 'modl' (did you mean"},
      {with(R"("models": {"m": "opnai/x"})"), 5, "($.models.m)", "(did you mean 'openai'?)"},
      {with(R"("models": {"m": 3})"), 5, "($.models.m)",
       "must be a text or an object, not a number"},
      // designs
      {with(R"("design": {"focal": "z", "background": "a"})"), 5, "$.design.focal",
       "unknown agent 'z'"},
      {with(R"("design": {"focal": "z*", "background": "a"})"), 5, "$.design.focal",
       "unknown agent 'z*'"},
      {with(R"("design": {"focal": "a"})"), 5, "$.design", "'focal' requires 'background'"},
      {with(R"("design": {"background": "a"})"), 5, "$.design",
       "expected focal, round_robin, gauntlet or fixed"},
      {with(R"("design": {"focal": "a", "background": "b", "round_robin": true})"), 5, "$.design",
       "one of focal, round_robin, gauntlet and fixed"},
      {with(R"("design": {"fixed": [["a", "b"]], "opponents": "b"})"), 5, "$.design.opponents",
       "'opponents' requires 'gauntlet'"},
      {with(R"("design": {"fixed": []})"), 5, "$.design.fixed", "0 elements, fewer than 1"},
      {with(R"("design": {"fixed": [["a", "b", "a"]]})"), 5, "$.scenarios[0]",
       "line-up 1 has 3 agents, but there are 2 seats"},
      {with(R"("design": {"fixed": [["a"]]})"), 5, "$.scenarios[0]", "line-up 1 has 1 agent"},
      {with(R"("design": {"seat_rotation": "diagonal"})"), 5, "$.design.seat_rotation",
       "invalid value 'diagonal'; expected automatic, all, pairwise, latin, by-role, as-listed or "
       "by-block"},
      {"{" + kRoles + R"(, "design": {"fixed": [["og", "c"]], "seat_rotation": "by-block"}, )" +
           kScenario + "}",
       5, "$.scenarios[0]", "by-block moves every agent over every seat"},
      // roles: nobody can sell
      {"{" + kRoles + R"(, "design": {"fixed": [["og", "og"]]}, )" + kScenario + "}", 5,
       "$.scenarios[0]", ""},
      {"{" + kRoles + R"(, "design": {"focal": "og", "background": "og"}, )" + kScenario + "}", 5,
       "$.scenarios[0]", "roles buyer, seller"},
      {R"({"agents": {"og": {"rule": "offer-generator"}}, )" + kScenario + "}", 5, "$.scenarios[0]",
       "roles buyer, seller"},
  };
  for (const WrongSuite& w : all) check_suite(w);
}

TEST_CASE("comments are allowed, and scenarios may go without names") {
  const Folder folder;
  folder.write("c.json", "// a suite\n{" + kAgents + R"(, /* two of
    a kind */ "scenarios": [{"game": "bargaining"}, {"game": "bargaining", "set": {"factor": 0.5}}]
  } // done)");
  folder.succeeds({"run", "c.json", "--out", "c.agon"});
  const Ended shown = folder.agon({"show", "c.agon"});
  CHECK(contains(shown.out, "bargaining-2"));
}

TEST_CASE("one scenario of a suite is played by itself") {
  const Folder folder;
  folder.write("s.json", suite(R"({"name": "first", "game": "bargaining", "blocks": 3},
      {"name": "second", "game": "bargaining", "blocks": 4})"));
  folder.succeeds({"run", "s.json", "--scenario", "second", "--quiet"});
  const int alone = finished(folder.at("s.agon"));
  const std::string matches = folder.agon({"export", "s.agon", "--rows", "matches"}).out;
  CHECK(contains(matches, "second"));
  CHECK_FALSE(contains(matches, "first"));
  // The whole finds them: they are its own.
  const Ended whole = folder.agon({"run", "s.json"});
  CHECK(contains(whole.err, std::to_string(alone) + " from before"));
  CHECK(finished(folder.at("s.agon")) > alone);

  folder.refuses({"run", "s.json", "--scenario", "third"}, 2,
                 {"unknown scenario 'third'; expected first, second"});
  CHECK(contains(folder.agon({"plan", "s.json", "--scenario", "first"}).out, "first"));
}

TEST_CASE("files that a suite names lie beside it") {
  const Folder folder;
  folder.write("sub/lines.json", R"([{"talk": "hello", "action": {"kind": "quit"}}])");
  folder.write("sub/goods.json", R"({"format": "agon.bargaining.products", "version": 1,
    "source": {"name": "made up", "format": "", "licence": "", "note": ""},
    "rows": [{"codename": "lamp_1", "category": "lamps", "title": "Lamp", "description": "It shines.",
              "list_price_cents": 1200, "cost_cents": 425}]})");
  folder.write("sub/s.json", R"({"agents": {"a": {"script": {"answers": "lines.json"}}},
    "scenarios": [{"game": "bargaining", "set": {"products": "goods.json"}}]})");
  folder.succeeds({"run", "sub/s.json"});
  // The archive is written where the command was given.
  REQUIRE(folder.has("s.agon"));
  const Ended shown = folder.agon({"show", "s.agon", "1"});
  check_has(shown.out, {"lamp_1", "hello"});
  // It holds all that a replay needs.
  std::filesystem::remove_all(folder.at("sub"));
  CHECK(folder.agon({"replay", "s.agon"}).code == 0);
  CHECK(folder.agon({"report", "s.agon"}).code == 0);
}

TEST_CASE("one agent a seat replays published data, by scenario and block") {
  const Folder folder;
  const auto says = [](const std::string& talk) {
    return R"({"answers": [{"talk": ")" + talk + R"(", "action": {"kind": "quit"}}]})";
  };
  const auto suite = [](const std::string& scenarios) {
    return R"({"suite": "again", "agents": {"a": {"script": {"scenarios": "said.json"}}},
      "scenarios": [)" +
           scenarios + "]}";
  };
  folder.write("said.json", "{\"first\": [" + says("of block none") + ", " + says("of block one") +
                                "], \"second\": [" + says("of the other") + "]}");
  folder.write("s.json", suite(R"({"name": "first", "game": "bargaining", "blocks": 2},
    {"name": "second", "game": "bargaining"})"));
  folder.succeeds({"run", "s.json", "--out", "s.agon"});
  std::string records;
  for (const char* match : {"1", "2", "3"}) records += folder.agon({"show", "s.agon", match}).out;
  for (const char* talk : {"of block none", "of block one", "of the other"})
    CHECK(contains(records, talk));
  CHECK(folder.agon({"replay", "s.agon"}).code == 0);
  const std::string again = folder.agon({"run", "s.json", "--out", "s.agon"}).err;
  CHECK(contains(again, "3 from before"));

  // What is missing is told before anything is played.
  for (const auto& [scenarios, message] : std::vector<std::pair<std::string, std::string>>{
           {R"({"name": "first", "game": "bargaining", "blocks": 3})",
            "its script has 2 blocks for the scenario 'first', and the scenario more"},
           {R"({"name": "third", "game": "bargaining"})",
            "its script says nothing for the scenario 'third'"}}) {
    folder.write("w.json", suite(scenarios));
    folder.refuses({"run", "w.json"}, 5,
                   {"($.scenarios[0]): agent 'a' cannot play here: " + message, "w.json:"});
    CHECK_FALSE(folder.has("w.agon"));
  }
  folder.write("said.json", R"({"first": [{"answrs": []}]})");
  folder.refuses({"run", "s.json"}, 5,
                 {"said.json:1:13 ($.first[0].answrs)", "(did you mean 'answers'?)"});
}

TEST_CASE("a mistake in a data file is told with that file and the place in it") {
  const Folder folder;
  const auto told = [&](const std::string& game, const std::string& suite) {
    folder.write("game.json",
                 R"({"format": "agon.classic.game", "version": 1, "rows": [)" + game + "]}");
    folder.write("w.json", R"({"agents": {"a": "random"}, "scenarios": [
      {"game": "classic", "set": {"game": )" +
                               suite + R"(}, "design": {"fixed": [["a", "a"]]}}]})");
    const Ended ended = folder.agon({"run", "w.json"});
    CHECK(ended.code == 5);
    CHECK_FALSE(folder.has("w.agon"));
    return ended.err;
  };
  const auto table = [](const std::string& payoffs) {
    return R"({"name": "g", "players": ["A", "B"], "actions": [["a", "b"], ["c", "d"]],
      "payoffs": )" +
           payoffs + "}";
  };
  const std::string text = table(R"([[1, 2], [3, "4"], [5, 6], [7, 8]])");
  const std::string hole = table("[[1, 2], [3, 4], [5, 6]]");
  CHECK(contains(told(text, R"("game.json")"), "($.rows[0].payoffs[1][1]): must be a"));
  CHECK(contains(told(hole, R"("game.json")"), "($.rows[0].payoffs): 3 cells are given"));
  // Written into the suite, the place is there.
  check_has(told(text, text), {"w.json:3:", "($.scenarios[0].set.game.payoffs[1][1]): must be a"});
  CHECK(contains(told(hole, hole), "($.scenarios[0].set.game.payoffs): 3 cells are given"));
  CHECK(contains(told(hole, R"({"name": "g", "players": ["A", "B"]})"),
                 "($.scenarios[0].set.game.payoffs): there is neither"));

  // Of many rows, the one that is wrong.
  folder.write("points.json",
               R"({"format": "agon.deal-or-no-deal.instances", "version": 1, "rows": [
    {"id": "p", "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 2]]},
    {"id": "q", "counts": [1, 1, "x"], "values": [[1, 3, 2], [4, 0, 2]]}]})");
  folder.write("d.json", R"({"agents": {"a": "random"}, "scenarios": [
    {"game": "deal-or-no-deal", "set": {"instances": "points.json"}, "design": {"fixed": [["a", "a"]]}}]})");
  folder.refuses({"run", "d.json"}, 5, {"($.rows[1].counts[2])"});
}

TEST_CASE("names with blanks and letters of all kinds, and no control characters") {
  const Folder folder;
  folder.write("my s\u00fcite.json", R"({"suite": "s\u001b[31m", "agents": {
    "gr\u00fcn \u001b[31m": {"script": {"answers": [{"talk": "\u001b[2J\u009bx \u00e9",
                                                    "action": {"kind": "quit"}}]}}},
    "scenarios": [{"game": "bargaining", "name": "one \u001b[0m"}]})");
  const Ended run = folder.succeeds({"run", "my s\u00fcite.json", "--report"});
  REQUIRE(folder.has("my s\u00fcite.agon"));
  std::string all = run.out + run.err;
  for (const Words& call : std::vector<Words>{{"show", "my s\u00fcite.agon"},
                                              {"show", "my s\u00fcite.agon", "1"},
                                              {"report", "my s\u00fcite.agon"},
                                              {"show", "my s\u00fcite.agon", "1", "--json"},
                                              {"report", "my s\u00fcite.agon", "--json"}}) {
    const Ended ended = folder.agon(call);
    INFO(call.front() << " " << ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_FALSE(contains(ended.out + ended.err, "\x1b"));
  }
  CHECK_FALSE(contains(all, "\x1b"));
  const Ended wrong = folder.agon({"describe", "bar\x1b[31mgain"});
  CHECK_FALSE(contains(wrong.err, "\x1b"));
}

TEST_CASE("a suite with former keys is the same suite, with warnings") {
  const auto written = [](const char* report, const char* background, const char* opponents,
                          const char* seats, const char* sandbox, const std::string& people) {
    return std::string(
               R"({"agents": {"a": "random", "b": "default", "c": "random"}, "report": {")") +
           report + R"(": "b"}, ")" + sandbox + R"(": {"limits": {"silence": 5}},
"design": {"focal": ["a", "c"], ")" +
           background + R"(": "b", ")" + seats + R"(": "all"},
"scenarios": [{"game": "bargaining", ")" +
           seats + R"(": "as-listed"},
  {"game": "bargaining", "name": "g", "design": {"gauntlet": "a", ")" +
           opponents + R"(": "b"}}],
"people": )" +
           people + "}";
  };
  const Folder folder;
  folder.write("now.json", written("reference", "background", "opponents", "seat_rotation",
                                   "sandbox", R"({"practice": "random", "disclosure": "x",
  "payment": {"per_point": 2, "show_up_fee": 1, "minimum": 3}})"));
  folder.write("former.json", written("against", "field", "against", "seats", "isolate",
                                      R"({"trial": "random", "told": "x",
  "payoff": {"rate": 2, "show_up": 1, "at_least": 3}})"));
  const Ended now = folder.succeeds({"run", "now.json"});
  CHECK_FALSE(contains(now.err, "warning"));
  const Ended former = folder.succeeds({"run", "former.json"});
  for (const char* warning : {"($.isolate): 'isolate' is now 'sandbox'",
                              "former.json:1:", "($.report.against): 'against' is now 'reference'",
                              "former.json:2:", "($.design.field): 'field' is now 'background'",
                              "($.design.seats): 'seats' is now 'seat_rotation'",
                              "($.scenarios[0].seats): 'seats' is now 'seat_rotation'",
                              "($.scenarios[1].design.against): 'against' is now 'opponents'",
                              "($.people.trial): 'trial' is now 'practice'",
                              "($.people.told): 'told' is now 'disclosure'",
                              "($.people.payoff): 'payoff' is now 'payment'",
                              "($.people.payoff.rate): 'rate' is now 'per_point'",
                              "($.people.payoff.show_up): 'show_up' is now 'show_up_fee'",
                              "($.people.payoff.at_least): 'at_least' is now 'minimum'"})
    CHECK(contains(former.err, warning));
  CHECK(count(former.err, "warning: ") == 12);
  CHECK(folder.agon({"export", "now.agon", "--rows", "seats"}).out ==
        folder.agon({"export", "former.agon", "--rows", "seats"}).out);
  CHECK(folder.agon({"report", "now.agon", "--format", "json"}).code ==
        folder.agon({"report", "former.agon", "--format", "json"}).code);

  // What is wrong under a former key is told under it.
  check_suite({with(R"("design": {"focal": "a", "field": "z"})"), 5, "w.json:2:26 ($.design.field)",
               "unknown agent 'z'"});
  check_suite({with(R"("people": {"payoff": {"rate": -1}})"), 5,
               "w.json:2:23 ($.people.payoff.rate)", "-1 is less than 0"});
  check_suite({with(R"("report": {"against": "a", "reference": "b"})"), 5,
               "w.json:2:12 ($.report.against)", "'against' conflicts with 'reference'"});
}
