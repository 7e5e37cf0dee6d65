#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"
#include "command/snapshot.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

/// Every line of `some` is also in `all`; both are sorted.
bool within(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

const std::string kAllGames =
    R"({"game": "english-auction", "blocks": 2}, {"game": "water-allocation", "blocks": 2},
       {"game": "bargaining", "blocks": 2}, {"game": "deal-or-no-deal", "blocks": 2})";
const std::string kFocal =
    R"("design": {"focal": ["floor", "reference"], "background": "reference"},)";

}  // namespace

TEST_CASE("the first benchmark plays, and not twice") {
  const Folder folder;
  const std::string suite = std::string(AGON_TEST_SOURCE) + "/scenarios/quickstart.json";
  const auto played = json_of(folder.succeeds({"run", suite, "--json"}).out);
  CHECK(played.at("archive").as_string() == "quickstart.agon");
  CHECK(played.at("played") == played.at("matches"));
  CHECK(played.at("matches").to_number<int>() > 1000);
  CHECK(finished(folder.at("quickstart.agon")) == played.at("matches").to_number<int>());

  const auto again = json_of(folder.agon({"run", suite, "--json"}).out);
  CHECK(again.at("played").to_number<int>() == 0);
  CHECK(again.at("before") == played.at("matches"));
  const Ended replayed = folder.succeeds({"replay", "quickstart.agon", "--json"});
  CHECK(json_of(replayed.out).at("same") == played.at("matches"));
  const auto report = json_of(folder.agon({"report", "quickstart.agon", "--json"}).out);
  CHECK(report.is_object());
}

TEST_CASE("one job and eight give the same archive") {
  const Folder folder;
  folder.write("s.json", suite(kAllGames, kFocal));
  REQUIRE(folder.agon({"run", "s.json", "--out", "one.agon", "--jobs", "1"}).code == 0);
  REQUIRE(folder.agon({"run", "s.json", "--out", "eight.agon", "--jobs", "8"}).code == 0);
  const auto one = content(folder, "one.agon");
  // focal in a field of reference: 2 blocks x (seats + 1 of the reference alone)
  CHECK(one.size() == 2 * ((3 + 1) + (5 + 1) + (2 + 1) + (2 + 1)));
  CHECK(one == content(folder, "eight.agon"));
  // Other random numbers: other matches.
  std::string other = suite(kAllGames, kFocal);
  other.replace(other.find("\"seed\": 11"), 10, "\"seed\": 12");
  folder.write("t.json", other);
  REQUIRE(folder.agon({"run", "t.json", "--out", "other.agon"}).code == 0);
  CHECK(one != content(folder, "other.agon"));
}

TEST_CASE("more blocks, another agent: only what is new is played") {
  const Folder folder;
  const auto played = [&](const std::string& text) {
    folder.write("s.json", text);
    const auto json = json_of(folder.succeeds({"run", "s.json", "--out", "s.agon", "--json"}).out);
    return std::pair(json.at("before").to_number<int>(), json.at("played").to_number<int>());
  };
  const auto blocks = [](int n) {
    return suite(R"({"game": "bargaining", "blocks": )" + std::to_string(n) +
                     R"(}, {"game": "water-allocation", "blocks": )" + std::to_string(n) + "}",
                 kFocal);
  };
  const int each = 3 + 6;  // matches of a block
  CHECK(played(blocks(2)) == std::pair(0, 2 * each));
  const auto two = content(folder, "s.agon");
  CHECK(played(blocks(5)) == std::pair(2 * each, 3 * each));
  const auto five = content(folder, "s.agon");
  CHECK(within(two, five));

  std::string more = blocks(5);
  more.replace(more.find("\"floor\": \"random\""), 17,
               "\"floor\": \"random\", \"mute\": \"default\"");
  more.replace(more.find("\"focal\": ["), 10, "\"focal\": [\"mute\", ");
  CHECK(played(more) == std::pair(5 * each, 5 * (2 + 5)));
  CHECK(within(five, content(folder, "s.agon")));

  // A new name is a new agent: its matches are its own, even if it plays as another does.
  std::string twin = more;
  twin.replace(twin.find("\"mute\": \"default\""), 17,
               "\"mute\": \"default\", \"twin\": \"default\"");
  twin.replace(twin.find("\"focal\": ["), 10, "\"focal\": [\"twin\", ");
  CHECK(played(twin) == std::pair(5 * each + 5 * (2 + 5), 5 * (2 + 5)));
  // Other settings never resume into old matches.
  std::string changed = blocks(5);
  changed.replace(changed.find("\"bargaining\", \"blocks\""), 22,
                  "\"bargaining\", \"set\": {\"factor\": 0.7}, \"blocks\"");
  CHECK(played(changed) == std::pair(5 * 6, 5 * 3));
}

TEST_CASE("a run equals the same matches played in two halves") {
  const Folder folder;
  folder.write("whole.json", suite(R"({"game": "english-auction", "blocks": 4})", kFocal));
  folder.write("half.json", suite(R"({"game": "english-auction", "blocks": 2})", kFocal));
  REQUIRE(folder.agon({"run", "whole.json", "--out", "whole.agon"}).code == 0);
  REQUIRE(folder.agon({"run", "half.json", "--out", "halves.agon"}).code == 0);
  REQUIRE(folder.agon({"run", "whole.json", "--out", "halves.agon"}).code == 0);
  CHECK(content(folder, "whole.agon") == content(folder, "halves.agon"));
}

TEST_CASE("treatments are crossed on the same blocks") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "water-allocation", "blocks": 3, "set": {"days": 4},
      "treatments": {"supply": [[10, 20], [20, 30]], "over_balance": ["refused", "ignored"]}})",
                               kFocal));
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  const auto rows = exported(folder, "s.agon", "matches");
  REQUIRE(rows.size() == 4 * 3 * 6);
  std::map<std::string, int> treatments;
  std::map<std::int64_t, std::set<std::string>> luck;
  for (const auto& match : rows) {
    ++treatments[boost::json::serialize(match.at("treatment_supply")) +
                 boost::json::serialize(match.at("treatment_over_balance"))];
    luck[match.at("block").as_int64()].emplace(match.at("rng_key").as_string());
  }
  CHECK(treatments.size() == 4);
  for (const auto& [treatment, n] : treatments) CHECK(n == 3 * 6);
  CHECK(luck.size() == 3);
  for (const auto& [block, keys] : luck) CHECK(keys.size() == 1);
}

TEST_CASE("scenarios have the same draws as another one, of another game too") {
  const Folder folder;
  const auto three = [](const std::string& draws) {
    return R"({"seed": 5, "agents": {"t": "truthful"},
      "design": {"fixed": [["t", "t", "t"]], "blocks": 4},
      "scenarios": [
        {"name": "clock", "game": "clock-auction", "preset": "paper"},
        {"name": "blind", "game": "clock-auction", "preset": "paper",
         "set": {"clock": "ascending_blind"})" +
           draws + R"(},
        {"name": "sealed", "game": "sealed-bid", "preset": "paper", "repeats": 2,
         "set": {"values": "affiliated", "rounds": 10})" +
           draws + "}]}";
  };
  folder.write("apart.json", three(""));
  folder.write("same.json", three(R"(, "same_draws_as": "clock")"));
  const auto matches = [&](const std::string& suite, const std::string& archive,
                           const std::string& records) {
    folder.succeeds({"run", suite, "--out", archive, records});
    std::map<std::string, boost::json::value> rows;  // by scenario, block and repeat
    for (const auto& row : exported(folder, archive, "matches"))
      rows[std::string(row.at("scenario").as_string()) + " " +
           std::to_string(row.at("block").as_int64()) + " " +
           std::to_string(row.at("repeat").as_int64())] = row;
    REQUIRE(rows.size() == 4 * 4);
    return rows;
  };
  const auto apart = matches("apart.json", "apart.agon", "--quiet");
  for (const char* records : {"--quiet", "--no-records"}) {
    auto same = matches("same.json", std::string("same") + records + ".agon", records);
    for (const std::string block : {"0", "1", "2", "3"}) {
      const boost::json::value& clock = same.at("clock " + block + " 0");
      // Its matches are what they were without the others.
      CHECK(clock.at("match") == apart.at("clock " + block + " 0").at("match"));
      for (const std::string& other :
           {"blind " + block + " 0", "sealed " + block + " 0", "sealed " + block + " 1"}) {
        INFO(records << " " << other);
        CHECK(same.at(other).at("rng_key") == clock.at("rng_key"));
        CHECK(apart.at(other).at("rng_key") != apart.at("clock " + block + " 0").at("rng_key"));
        CHECK(same.at(other).at("match") != apart.at(other).at("match"));
        // All bid what the same items are worth to them.
        for (const char* metric : {"metric_match_second_value_sum", "metric_match_revenue_sum"})
          CHECK(same.at(other).at(metric) == clock.at(metric));
      }
    }
  }
  // A block is one unit of a game, whichever of its scenarios played it; two games are not
  // independent then.
  for (const std::string archive : {"same--quiet.agon", "same--no-records.agon", "apart.agon"}) {
    const bool is_same = archive != "apart.agon";
    const Ended report = folder.succeeds({"report", archive, "--json"});
    CHECK(agon::test::value(json_of(report.out), {{"section", "games"},
                                                  {"game", "clock-auction"},
                                                  {"metric", "blocks"}}) == (is_same ? 4 : 8));
    CHECK(contains(report.out, "GAMES WITH THE SAME DRAWS: clock-auction, sealed-bid.") == is_same);
  }
  // What was played replays.
  CHECK(folder.agon({"replay", "same--quiet.agon"}).code == 0);
  // One alone has the draws all the same.
  folder.succeeds({"run", "same.json", "--scenario", "blind", "--out", "blind.agon"});
  // Rows of an archive have the columns of all its games, so records are compared and not rows.
  const auto records_of = [&](const std::string& archive) {
    std::map<std::string, std::string> records;
    for (const std::string& line : content(folder, archive)) {
      const boost::json::value row = json_of(line);
      records[std::string(row.at("match").as_string())] = boost::json::serialize(row.at("record"));
    }
    return records;
  };
  const auto alone = records_of("blind.agon");
  CHECK(alone.size() == 4);
  auto all = records_of("same--quiet.agon");
  for (const auto& [match, record] : alone) CHECK(all[match] == record);
}

TEST_CASE("line-up designs: who meets whom, on which seats") {
  const Folder folder;
  // Who sat where, in every match of a bargaining suite with one block.
  const auto seatings = [&](const std::string& agents, const std::string& design) {
    folder.write("d.json", "{\"agents\": {" + agents + "}, \"design\": {" + design +
                               "}, \"scenarios\": [{\"game\": \"bargaining\"}]}");
    std::filesystem::remove(folder.at("d.agon"));
    folder.succeeds({"run", "d.json"});
    std::multiset<std::string> found;
    const auto matches = json_of(folder.agon({"show", "d.agon", "--json"}).out);
    for (const auto& match : matches.as_array()) found.emplace(match.at("agents").as_string());
    return found;
  };
  using Set = std::multiset<std::string>;
  const std::string abc = R"("a": "random", "b": "default", "c": "time-dependent")";
  CHECK(seatings(abc, R"("round_robin": true)") ==
        Set{"a, b", "b, a", "a, c", "c, a", "b, c", "c, b"});
  CHECK(seatings(abc, R"("round_robin": ["a", "c"])") == Set{"a, c", "c, a"});
  CHECK(seatings(abc, R"("gauntlet": "a", "opponents": ["b", "c"])") ==
        Set{"a, b", "b, a", "a, c", "c, a"});
  CHECK(seatings(abc, R"("gauntlet": "a")") == Set{"a, b", "b, a", "a, c", "c, a"});
  CHECK(seatings(abc, R"("focal": ["b", "c"], "background": "a")") ==
        Set{"a, b", "b, a", "a, c", "c, a"});
  CHECK(seatings(abc, R"("focal": "*", "background": "a")") ==
        Set{"a, a", "a, b", "b, a", "a, c", "c, a"});
  CHECK(seatings(abc, R"("fixed": [["a", "b"], ["c", "c"]])") == Set{"a, b", "b, a", "c, c"});
  CHECK(seatings(abc, R"("fixed": [["a", "b"]], "blocks": 2, "repeats": 3)").size() == 2 * 2 * 3);
  // Who plays the buyer only is crossed with sellers, never rotated out of its role.
  const std::string roles = R"("og": {"rule": "offer-generator"}, "t": {"rule": "time-dependent"},
                               "x": "tit-for-tat")";
  CHECK(seatings(roles, R"("round_robin": true, "seat_rotation": "by-role")") ==
        Set{"og, t", "og, x", "t, x", "x, t"});
  CHECK(seatings(roles, R"("focal": ["og", "x"], "background": "t")") ==
        Set{"og, t", "t, x", "x, t"});
  CHECK(seatings(roles, R"("fixed": [["og", "t"]])") == Set{"og, t"});
}

TEST_CASE("more seats than agents: auctions") {
  const Folder folder;
  folder.write("a.json",
               R"({"agents": {"a": "rule", "b": "value-cap", "c": "default", "d": "random"},
    "scenarios": [
      {"name": "all", "game": "english-auction", "design": {"round_robin": ["a", "b", "c"]}},
      {"name": "latin", "game": "english-auction", "seat_rotation": "latin",
       "design": {"round_robin": ["a", "b", "c"]}},
      {"name": "pairwise", "game": "english-auction", "set": {"seats": 4}, "seat_rotation": "pairwise",
       "design": {"fixed": [["a", "b", "c", "d"]]}},
      {"name": "field", "game": "english-auction", "design": {"focal": ["c", "d"], "background": "b"}}]})");
  folder.succeeds({"run", "a.json"});
  std::map<std::string, int> n;
  const auto matches = json_of(folder.agon({"show", "a.agon", "--json"}).out);
  for (const auto& match : matches.as_array()) ++n[std::string(match.at("scenario").as_string())];
  CHECK(n["all"] == 6);        // 3!
  CHECK(n["latin"] == 6);      // 2n rows for an odd n
  CHECK(n["pairwise"] == 12);  // n (n - 1) for a prime power
  CHECK(n["field"] == 6);      // each focal agent once on each of 3 seats
}

TEST_CASE("a sequence hands on what was learned") {
  const Folder folder;
  const std::string text = R"({"agents": {
    "pupil": {"script": {"stages": {"learn": [{"tips": ["bid less"]}, {"tips": ["bid less", "wait"]},
                                              {"tips": ["wait"]}]}}},
    "b": {"rule": "value-cap"}},
    "scenarios": [{"game": "english-auction", "sequence": 3, "blocks": 2,
      "set": {"everyone": {"learning": true}},
      "design": {"fixed": [["pupil", "b", "b"]]}}]})";
  folder.write("l.json", text);
  const Ended run = folder.succeeds({"run", "l.json", "--json"});
  CHECK(json_of(run.out).at("matches").to_number<int>() == 3 * 3 * 2);
  // Each match of a sequence replays, and a sequence that was cut is taken up again.
  CHECK(folder.agon({"replay", "l.agon"}).code == 0);
  const auto whole = content(folder, "l.agon");
  run_sql(folder.at("l.agon"),
          "create temp table gone as select number from match where position > 0 or block = 1;"
          "delete from record where match in gone; delete from seat where match in gone;"
          "delete from match where number in gone");
  REQUIRE(finished(folder.at("l.agon")) == 3);
  CHECK(folder.agon({"run", "l.json"}).code == 0);
  CHECK(content(folder, "l.agon") == whole);
}

TEST_CASE("fault policies") {
  const Folder folder;
  // An agent that never answers legally: every answer is the fallback.
  const std::string text = R"({"agents": {
    "wrong": {"script": {"answers": ["no JSON", {"talk": 1}, {"action": "buy"}]}},
    "right": {"rule": "time-dependent"}},
    "design": {"focal": ["wrong", "right"], "background": "right", "blocks": 12},
    "scenarios": [{"game": "bargaining"}], "faults": {"reasks": 1, "policy": "POLICY"},
    "report": {"reference": "right"}})";
  std::set<std::string> reports;
  for (const std::string policy : {"as-played", "forfeit", "exclude"}) {
    std::string one = text;
    one.replace(one.find("POLICY"), 6, policy);
    folder.write("f.json", one);
    const Ended run = folder.succeeds({"run", "f.json", "--report"});
    reports.insert(run.out);
    CHECK(folder.agon({"report", "f.agon", "--fault-policy", policy}).code == 0);
  }
  CHECK(finished(folder.at("f.agon")) == 12 * 3);  // the policy is of the report, not of the play
  int forced = 0, faults = 0;
  for (const auto& seat : exported(folder, "f.agon")) {
    if (seat.at("agent").as_string() != "wrong") {
      CHECK(seat.at("fallbacks").to_number<int>() == 0);
      continue;
    }
    forced += seat.at("fallbacks").to_number<int>();
    faults += seat.at("illegal").to_number<int>() + seat.at("unparsable").to_number<int>() +
              seat.at("empty").to_number<int>();
  }
  CHECK(forced > 0);
  CHECK(faults > 0);
  CHECK(folder.agon({"report", "f.agon", "--fault-policy", "forfiet"}).code == 2);
}

TEST_CASE("a script that is to fail leaves its matches unfinished, and says at which stage") {
  const Folder folder;
  folder.write("s.json", R"({"agents": {
    "short": {"script": {"stages": {"sell": []}, "then": "fail"}},
    "b": {"rule": "time-dependent"}},
    "scenarios": [{"game": "bargaining", "blocks": 2}]})");
  folder.refuses({"run", "s.json"}, 6,
                 {"4 matches could not be finished", "the script has no answer for stage '",
                  ", and its \"then\" is \"fail\""});
}

TEST_CASE("answers for a stage that no match asks for are told of once") {
  const Folder folder;
  const auto suite = [&](const std::string& set) {
    folder.write("s.json", R"({"agents": {"a": {"script": {"stages": {"claim": [{"values": null}],
      "message": []}}}, "b": {"rule": "random"}},
      "scenarios": [{"game": "deal-or-no-deal", "blocks": 2)" +
                               set + "}]}");
  };
  const std::string told =
      "a: its answers for the stage 'claim' were never asked for in deal-or-no-deal\n";
  suite("");
  const Ended run = folder.succeeds({"run", "s.json"});
  CHECK(count(run.err, told) == 1);
  CHECK(count(run.err, "never asked for") == 1);
  // What was asked before is not known to who takes up the rest.
  CHECK_FALSE(contains(folder.agon({"run", "s.json", "--blocks", "3"}).err, "never asked for"));
  for (const Words& kept : {Words{}, Words{"--out", "p.agon"}}) {
    const Ended play =
        folder.agon(joined({"play", "deal-or-no-deal", "--agent",
                            R"({"script": {"stages": {"claim": [{"values": null}]}}})"},
                           kept));
    INFO(play.err);
    CHECK(count(play.err, "its answers for the stage 'claim' were never asked for") == 1);
  }
  suite(R"(, "set": {"claims": "at_once"})");
  const Ended asked = folder.succeeds({"run", "s.json", "--out", "claims.agon"});
  CHECK_FALSE(contains(asked.err, "never asked for"));
}

TEST_CASE("an agent that breaks is charged with it, and the match goes on") {
  const Folder folder;
  folder.write("s.json", R"({"agents": {
    "short": {"external": {"command": ["sh", "-c", "read x; echo '{\"type\":\"hello\",\"protocol\":1}'; read x; exit 3"]}},
    "b": {"rule": "time-dependent"}},
    "scenarios": [{"game": "bargaining", "blocks": 2}]})");
  const Ended run = folder.succeeds({"run", "s.json", "--trust"});
  check_has(run.err, {"short: ", " fallback answers in bargaining (4 matches)", "the first: match ",
                      "crashed: "});
  const auto fallbacks =
      json_of(folder.agon({"run", "s.json", "--trust", "--out", "other.agon", "--json"}).out)
          .at("fallbacks")
          .as_array();
  REQUIRE(fallbacks.size() == 1);
  CHECK(fallbacks[0].at("agent") == "short");
  const auto rows = exported(folder, "s.agon");
  REQUIRE(rows.size() == 8);
  for (const auto& seat : rows) {
    const int faults = seat.at("agent").as_string() == "short" ? 1 : 0;
    CHECK((seat.at("crashed").to_number<int>() > 0) == (faults > 0));
    CHECK((seat.at("fallbacks").to_number<int>() > 0) == (faults > 0));
  }
}

TEST_CASE("a game that breaks is charged with it, and the others go on") {
  const Folder folder;
  folder.write("s.json", R"({"seed": 2, "agents": {"floor": "random"}, "scenarios": [
    {"game": "breaks", "blocks": 30, "design": {"fixed": [["floor"]]}},
    {"game": "bargaining", "blocks": 3}]})");
  const std::string plugin = std::string(AGON_TEST_PLUGINS) + "/good/breaks.so";
  const Ended run = folder.refuses({"run", "s.json", "--plugin", plugin}, 6,
                                   {"33 of 33 matches", " matches ended because the game broke",
                                    "the first: breaks, match ", "the game fell apart"});
  CHECK(finished(folder.at("s.agon")) == 33);
  int broken = 0;
  for (const auto& match : exported(folder, "s.agon", "matches")) {
    const bool breaks = match.at("scenario").as_string() == "breaks";
    if (!breaks) CHECK(match.at("status").as_string() == "finished");
    broken += match.at("status").as_string() == "game-error" ? 1 : 0;
  }
  CHECK(broken > 0);
  CHECK(broken < 30);
  CHECK(contains(run.err, std::to_string(broken) + " matches ended because the game broke"));
  // Nothing is left to play, and still not all is well.
  folder.refuses(
      {"run", "s.json", "--plugin", plugin}, 6,
      {"33 of 33 matches (33 from before)",
       std::to_string(broken) + " matches ended because the game broke", "is not played again"});
  // No player is charged with it.
  for (const auto& seat : exported(folder, "s.agon")) {
    CHECK(seat.at("crashed").to_number<int>() == 0);
    CHECK(seat.at("fallbacks").to_number<int>() == 0);
  }
  const Ended report = folder.succeeds({"report", "s.agon"});
  check_has(report.out, {"breaks: " + std::to_string(broken) +
                             " broken by the game: the game threw after a question of stage",
                         "apart"});
  // A match is told in plain words with the plugin, and as JSON without.
  std::string one;
  for (const std::string& line : lines(folder.agon({"show", "s.agon"}).out))
    if (contains(line, "  breaks ")) {
      const std::size_t at = line.find_first_not_of(' ');
      one = line.substr(at, line.find(' ', at) - at);
    }
  REQUIRE_FALSE(one.empty());
  CHECK(contains(folder.agon({"show", "s.agon", one, "--plugin", plugin}).out, "pick: number "));
  CHECK(contains(folder.agon({"show", "s.agon", one}).out, "pick: number "));
  folder.succeeds({"replay", "s.agon", "--plugin", plugin});
}

TEST_CASE("matches that could not be finished: exit code 6") {
  const Folder folder;
  folder.write("s.json", R"({"agents": {"me": {"human": {}}, "b": {"rule": "offer-generator"}},
    "scenarios": [{"game": "bargaining", "blocks": 2, "design": {"fixed": [["b", "me"]]}}]})");
  const Ended run = folder.agon({"run", "s.json"});  // nobody is there to answer
  CHECK(run.code == 6);
  check_has(run.err,
            {"0 of 2 matches", "2 matches could not be finished", "the person at seat 1 left",
             "take it up again with: agon run s.json --out s.agon"});
  const Ended shown = folder.agon({"show", "s.agon"});
  CHECK(contains(shown.out, "Not finished:"));
  CHECK(count(shown.out, "the person at seat 1 left") == 2);
  const auto json = json_of(folder.agon({"run", "s.json", "--json"}).out);
  CHECK(json.at("unfinished").to_number<int>() == 2);
}

TEST_CASE("blocks that share no item are units of their own, and have intervals") {
  const Folder folder;
  // Generated instances have no place in a list: they cluster with nothing.
  folder.write("s.json", R"({"agents": {"a": "concede", "b": "concede"},
      "design": {"round_robin": true, "blocks": 12},
      "scenarios": [{"game": "deal-or-no-deal", "set": {"instances": []}}]})");
  folder.succeeds({"run", "s.json", "--out", "s.agon"});
  const auto report = json_of(folder.agon({"report", "s.agon", "--json"}).out);
  const auto score = agon::test::figure(
      report, {{"section", "leaderboard"}, {"metric", "normalized_score"}, {"agent", "a"}});
  CHECK(score.at("n") == 12);
  CHECK(score.at("low").is_double());
}

TEST_CASE("by-block: a block is one match, and the seats turn from block to block") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "turns", "seed": 5, "agents": {"a": "default", "b": "random"},
    "design": {"fixed": [["a", "b", "b", "b", "b"]], "seat_rotation": "by-block", "blocks": 400},
    "scenarios": [{"game": "guess-average"}]})");
  // Match and seat of "a", by block.
  const auto seats = [&](const std::string& blocks) {
    const std::string archive = blocks + ".agon";
    folder.succeeds({"run", "s.json", "--blocks", blocks, "--out", archive, "--quiet"});
    std::map<std::int64_t, std::pair<std::string, std::int64_t>> by_block;
    std::size_t all = 0;
    for (const auto& row : exported(folder, archive)) {
      ++all;
      if (row.at("agent") == "a")
        by_block[row.at("block").as_int64()] = {std::string(row.at("match").as_string()),
                                                row.at("seat").as_int64()};
    }
    CHECK(all == 5 * by_block.size());
    return by_block;
  };
  const auto ten = seats("10");
  REQUIRE(ten.size() == 10);
  std::map<std::int64_t, int> times;
  for (const auto& [block, at] : ten) ++times[at.second];
  CHECK(times == std::map<std::int64_t, int>{{0, 2}, {1, 2}, {2, 2}, {3, 2}, {4, 2}});
  // Fewer blocks are the first of them.
  const auto three = seats("3");
  CHECK(three.size() == 3);
  for (const auto& [block, at] : three) CHECK(at == ten.at(block));
  // A stopping rule looks at them block by block.
  const Ended until = folder.succeeds({"run", "s.json", "--until", "best=0.95", "--json"});
  const auto stopped = json_of(until.out);
  CHECK(stopped.at("stop").at("decided") == true);
  CHECK(stopped.at("played").as_int64() < 400);
}

TEST_CASE("what the documents call scenarios/X is found from any folder") {
  const Folder folder;
  const Ended shipped = folder.succeeds({"plan", "scenarios/quickstart.json"});
  CHECK(contains(shipped.out, "quickstart"));
  // One's own of that name comes first, and what is nowhere is told as it was asked for.
  std::filesystem::create_directory(folder.at("scenarios"));
  folder.write("scenarios/quickstart.json", suite(R"({"game": "bargaining", "blocks": 1})"));
  CHECK_FALSE(folder.agon({"plan", "scenarios/quickstart.json"}).out == shipped.out);
  folder.refuses({"plan", "scenarios/none.json"}, 3, {"scenarios/none.json: file not found"});
}
