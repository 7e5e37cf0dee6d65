// What an archive holds is what was asked: another suite, another version of it, another seed or
// another setting never gets into a report of this one.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <csignal>
#include <set>
#include <string>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"
#include "json/write.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

/// Two games: 6 matches of water-allocation and 3 of bargaining a block.
std::string text_of(const std::string& rule, int seed, const std::string& water = "",
                    const std::string& name = "fair", int blocks = 3) {
  return R"({"suite": ")" + name + R"(", "seed": )" + std::to_string(seed) +
         R"(, "agents": {"floor": "random", "reference": {"rule": {
  "water-allocation": ")" +
         rule + R"(", "bargaining": "time-dependent"}}},
  "design": {"focal": ["floor", "reference"], "background": "reference", "blocks": )" +
         std::to_string(blocks) + R"(},
  "scenarios": [{"game": "bargaining"}, {"game": "water-allocation")" +
         water + R"(}]})";
}

struct Here {
  Folder folder;

  Ended run(const std::string& suite, const Words& more = {}) const {
    folder.write("s.json", suite);
    return folder.succeeds(joined({"run", "s.json", "--out", "a.agon"}, more));
  }
  Ended report(const Words& more = {}) const {
    return folder.agon(joined({"report", "a.agon"}, more));
  }
  /// The report of this suite alone, in an archive of its own.
  std::string alone(const std::string& suite) const {
    const Folder other;
    other.write("s.json", suite);
    REQUIRE(other.agon({"run", "s.json", "--out", "a.agon", "--quiet"}).code == 0);
    return results_of(other.agon({"report", "a.agon", "--json"}).out);
  }
  std::string reported(const Words& more = {}) const {
    const Ended ended = report(joined({"--json"}, more));
    INFO(ended.err);
    REQUIRE(ended.code == 0);
    return results_of(ended.out);
  }
  /// What a report says but for what else the archive holds.
  static std::string results_of(const std::string& text) {
    boost::json::object all = json_of(text).as_object();
    all.at("made").as_object().erase("scope");
    all.erase("warnings");
    std::string rest = agon::json::write(boost::json::value(std::move(all)));
    // That the other suite asked for another number of blocks is said beside every figure.
    const std::string looked = R"(,"warnings":"looked")";
    for (std::size_t at = rest.find(looked); at != std::string::npos; at = rest.find(looked))
      rest.erase(at, looked.size());
    return rest;
  }
  boost::json::object scope(const Words& more = {}) const {
    return json_of(report(joined({"--json"}, more)).out).at("made").at("scope").as_object();
  }
  /// How many reasons there are why matches are missing.
  std::size_t missing(const Words& more = {}) const {
    return agon::test::figures(json_of(report(joined({"--json"}, more)).out),
                               {{"section", "missing"}})
        .size();
  }
  /// Which matches a suite asked for, by id.
  std::vector<std::string> asked_by(std::int64_t suite) const {
    auto archive = agon::archive::Archive::open(folder.at("a.agon"));
    archive.narrow(archive.asked_by(suite));
    std::vector<std::string> ids;
    archive.matches().ids(
        [&](const agon::archive::MatchId& id, std::int64_t) { ids.push_back(id.hex()); });
    archive.matches().partials([&](const agon::archive::PartialMatch& partial) {
      ids.push_back("open " + partial.key.id.hex());
    });
    std::sort(ids.begin(), ids.end());
    return ids;
  }
};

}  // namespace

TEST_CASE("an edited suite is reported by itself, with what it shares with its former self") {
  const Here here;
  const std::string before = text_of("fixed", 1), after = text_of("survivor", 1);
  CHECK_FALSE(contains(here.run(before).err, "another"));
  CHECK(here.reported() == here.alone(before));
  CHECK(here.scope().at("also_here").as_array().empty());

  const Ended edited = here.run(after);
  // The matches of bargaining are the same; those of the other game are not.
  check_has(edited.err, {"a.agon was last run with another version of this suite: of 27 ",
                         "9 are shared with this suite, 18 are not asked for any more; 18 are "
                         "new",
                         "agon report a.agon --suite 1"});
  CHECK(here.reported() == here.alone(after));
  CHECK(here.reported({"--suite", "2"}) == here.alone(after));
  CHECK(here.reported({"--suite", "1"}) == here.alone(before));
  const std::string text = here.report().out;
  check_has(text, {"Also here: 27 matches of suite 'fair' (seed 1, version ",
                   "9 of them shared: --suite 1."});

  // Taken up again, it is nothing new; and what it was before can be had again.
  CHECK_FALSE(contains(here.run(after).err, "was last run with"));
  CHECK(here.reported() == here.alone(after));
  CHECK(contains(here.run(before).err, "27 of 27 matches (27 from before)"));
  CHECK(here.reported() == here.alone(before));

  // All together, the agents that share a name stand apart.
  const std::string all = here.report({"--all-suites"}).out;
  check_has(all, {"reference (fixed)", "reference (survivor)"});
  CHECK_FALSE(contains(all, "reference@"));
}

TEST_CASE("what changes nothing in play makes no other version of a suite") {
  const Here here;
  here.run(text_of("fixed", 1));
  std::string same = text_of("fixed", 1);
  same.insert(same.find("\"agents\""),
              "\"limits\": {\"calls\": 100}, \"report\": {\"level\": 0.9}, ");
  same = "// a comment\n" + same + "\n\n";
  here.folder.write("s.json", same);
  const Ended again = here.folder.succeeds({"run", "s.json", "--out", "a.agon"});
  CHECK_FALSE(contains(again.err, "was last run with"));
  CHECK(agon::archive::Archive::open(here.folder.at("a.agon")).suites().size() == 1);
  // The command line may change as much as the file.
  const Ended fewer = here.run(text_of("fixed", 1), {"--blocks", "1"});
  CHECK(contains(fewer.err,
                 "of 27 finished matches there, 9 are shared with this suite, 18 are "
                 "not asked for any more; 0 are new"));
  CHECK(json_of(here.report({"--json"}).out).at("made").at("matches") == 9);
}

TEST_CASE("whom line-ups are about makes another version of a suite, of the same matches") {
  const Folder folder;
  const auto suite = [&](const std::string& design) {
    folder.write("s.json", R"({"suite": "s", "seed": 1, "agents": {"a": "random"},
      "scenarios": [{"game": "guess-average", "blocks": 3, "design": )" +
                               design + "}]}");
    const Ended run = folder.succeeds({"run", "s.json"});
    return run.out + run.err;
  };
  const std::string another = "another version of this suite";
  CHECK_FALSE(contains(suite(R"({"focal": "a", "background": "a"})"), another));
  const std::string said = suite(R"({"fixed": [["a", "a", "a", "a", "a"]]})");
  check_has(said, {another, "3 are shared with this suite"});
  CHECK(finished(folder.at("s.agon")) == 3);
}

TEST_CASE("another seed is another suite; together their blocks and scenarios stand apart") {
  const Here here;
  here.run(text_of("fixed", 1));
  const Ended other = here.run(text_of("fixed", 7));
  check_has(other.err, {"was last run with this suite under seed 1, not 7: of 27 ",
                        "0 are shared with this suite"});
  CHECK(here.reported() == here.alone(text_of("fixed", 7)));
  CHECK(here.reported({"--suite", "1"}) == here.alone(text_of("fixed", 1)));
  const auto all = json_of(here.report({"--all-suites", "--json"}).out);
  CHECK(all.at("made").at("matches") == 54);
  for (const auto& blocks : agon::test::figures(all, {{"section", "games"}, {"metric", "blocks"}}))
    CHECK(blocks.at("value") == 6.0);
  const std::string text = here.report({"--all-suites"}).out;
  check_has(text, {"bargaining (seed 1)", "bargaining (seed 7)"});
}

TEST_CASE("a changed setting is another suite; together its scenarios are named by it") {
  const Here here;
  const std::string plain = text_of("fixed", 1);
  const std::string dry = text_of("fixed", 1, R"(, "set": {"days": 5})");
  here.run(plain);
  CHECK(contains(here.run(dry).err, "9 are shared with this suite, 18 are not asked for"));
  CHECK(here.reported() == here.alone(dry));
  CHECK(here.reported({"--suite", "1"}) == here.alone(plain));
  const std::string all = here.report({"--all-suites"}).out;
  check_has(all, {"water-allocation (settings: days 5)", "water-allocation (settings: days "});
  CHECK_FALSE(contains(all, "(settings 2)"));
}

TEST_CASE("suites are chosen by number, name or digest, and runs by number") {
  const Here here;
  here.run(text_of("fixed", 1));
  here.run(text_of("survivor", 1));
  const Ended other = here.run(text_of("fixed", 1, "", "other"));
  CHECK(contains(other.err, "was last run with suite 'fair': of 27 "));
  CHECK(contains(here.report().out, "This is suite 'other' (seed 1)."));
  CHECK(here.scope({"--suite", "other"}).at("suite").at("number") == 3);
  // It asks for no match that the first one has not got.
  CHECK(here.scope({"--suite", "1"}).at("also_here").as_array().size() == 1);
  CHECK(here.scope({"--run", "2"}).at("suite").at("number") == 2);
  CHECK(contains(here.report({"--run", "2"}).out, "What run 2 of suite 'fair' (seed 1, version "));

  const auto suites = agon::archive::Archive::open(here.folder.at("a.agon")).suites();
  const std::string digest = agon::hash::hex(*suites.at(2).digest);
  CHECK(here.scope({"--suite", digest.substr(0, 8)}).at("suite").at("number") == 2);

  const auto refused = [&](const Words& words, int code) {
    const Ended ended = here.report(words);
    CHECK(ended.code == code);
    CHECK(ended.out.empty());
    return ended.err;
  };
  const std::string both = refused({"--suite", "fair"}, 2);
  check_has(both, {"'fair' stands for 2 suites here", "1: suite 'fair' (seed 1, version "});
  const std::string unknown = refused({"--suite", "othre"}, 3);
  CHECK(contains(unknown, "there is no suite 'othre' (did you mean 'other'?)"));
  CHECK(contains(refused({"--suite", "4"}, 3), "there is no suite '4'"));
  check_has(refused({"--run", "4"}, 3), {"there is no run '4'", "the runs are numbered 1 to 3"});
  CHECK(contains(refused({"--run", "two"}, 3), "there is no run 'two'"));
  CHECK(contains(refused({"--run", "1", "--all-suites"}, 2), "--run conflicts with --all-suites"));
}

TEST_CASE("a run is what it played or found played, whatever came later") {
  const Here here;
  const std::string suite = text_of("fixed", 1);
  here.run(suite, {"--blocks", "1"});
  here.run(suite);
  here.run(suite);
  const auto matches = [&](const Words& words) {
    return json_of(here.report(joined({"--json"}, words)).out).at("made").at("matches");
  };
  CHECK(matches({"--run", "1"}) == 9);
  CHECK(matches({"--run", "2"}) == 27);
  CHECK(matches({"--run", "3"}) == 27);
  // The smaller one is a part of the other, and nothing else that is here.
  CHECK(here.scope().at("also_here").as_array().empty());
}

TEST_CASE("exports and judges take the same suites") {
  const Here here;
  here.run(text_of("fixed", 1));
  here.run(text_of("survivor", 1));
  const auto rows = [&](const Words& more) {
    return lines(here.folder.agon(joined({"export", "a.agon", "--rows", "matches"}, more)).out)
               .size() -
           1;
  };
  CHECK(rows({}) == 45);
  CHECK(rows({"--all-suites"}) == 45);
  CHECK(rows({"--suite", "1"}) == 27);
  CHECK(rows({"--run", "2"}) == 27);
  // 27 matches with two or five seats each, of the last suite only.
  const auto seats = [&](const Words& more) {
    return here.folder
        .agon(joined({"judge", "a.agon", "--records", "99999", "--judges", "5"}, more))
        .err;
  };
  CHECK(seats({}) != seats({"--all-suites"}));
  CHECK(contains(seats({}), "Also here: 27 matches"));
}

TEST_CASE("a suite that is killed and taken up again asks for the same matches") {
  const Here here, whole;
  here.run(text_of("fixed", 1, "", "fair", 30));
  whole.run(text_of("fixed", 1, "", "fair", 30));
  const std::string after = text_of("survivor", 1, "", "fair", 1000);
  here.folder.write("s.json", after);
  {
    Child run({"run", "s.json", "--out", "a.agon", "--jobs", "1"}, here.folder.start());
    REQUIRE(run.until([&] { return finished(here.folder.at("a.agon")) > 290; }));
    run.send(SIGKILL);
    run.end();
  }
  REQUIRE(finished(here.folder.at("a.agon")) < 9'000);
  // What was found is there, and what was played until then; it is a part of the suite.
  const auto part = here.asked_by(2);
  CHECK(part.size() >= 90 + 10);
  const Ended again = here.run(after);
  CHECK_FALSE(contains(again.err, "was last run with"));
  whole.run(after);
  CHECK(here.asked_by(1) == whole.asked_by(1));
  CHECK(here.asked_by(2) == whole.asked_by(2));
  CHECK(here.asked_by(2).size() == 9'000);
  const auto all = here.asked_by(2);
  CHECK(std::includes(all.begin(), all.end(), part.begin(), part.end()));
  CHECK(here.reported() == whole.reported());
}

TEST_CASE("a report while another suite is played has nothing of the former one") {
  const Here here;
  here.run(text_of("fixed", 1));
  here.folder.write("s.json", text_of("survivor", 1, "", "fair", 2000));
  Child run({"run", "s.json", "--out", "a.agon", "--jobs", "1"}, here.folder.start());
  REQUIRE(run.until([&] { return finished(here.folder.at("a.agon")) > 27; }));
  const auto report = json_of(here.report({"--json"}).out);
  CHECK(report.at("made").at("scope").at("suite").at("number") == 2);
  for (const auto& seats :
       agon::test::figures(report, {{"section", "faults"}, {"metric", "seats"}}))
    CHECK_FALSE(contains(std::string(seats.at("agent").get_string()), "("));
  CHECK(here.reported({"--suite", "1"}) == here.alone(text_of("fixed", 1)));
  run.send(SIGKILL);
  run.end();
}

TEST_CASE("what another suite left in its middle is not missing here") {
  const Here here;
  const auto held = [](const std::string& product) {
    return R"({"suite": "held", "seed": 3, "agents": {
  "ladder": {"rule": "offer-generator"}, "person": {"human": {"pseudonym": "p"}}},
  "scenarios": [{"game": "bargaining", "set": {"product": )" +
           product + R"(},
                 "design": {"fixed": [["ladder", "person"]]}}]})";
  };
  const std::string answer = R"({"talk": "too little", "action": {"kind": "reject"}})";
  here.folder.write("s.json", held("4"));
  CHECK(here.folder.agon({"run", "s.json", "--out", "a.agon"}, {.in = answer + "\n"}).code == 6);
  CHECK(partial(here.folder.at("a.agon")) == 1);
  CHECK(here.missing() == 1);
  here.run(text_of("fixed", 1));
  CHECK(here.missing() == 0);
  CHECK(here.missing({"--suite", "held"}) == 1);
  // Another suite that asks for the same match has it too, and brings it to its end.
  here.folder.write("t.json", R"({"suite": "also", )" + held("4").substr(17));
  CHECK(here.folder.agon({"run", "t.json", "--out", "a.agon"}, {.in = ""}).code == 6);
  CHECK(here.missing() == 1);
  CHECK(here.asked_by(1) == here.asked_by(3));
}

TEST_CASE("matches that are played by hand into one archive are one collection") {
  const Here here;
  for (const char* seed : {"1", "2", "2"})
    CHECK(here.folder
              .agon({"play", "bargaining", "--agent", "time-dependent", "--seed", seed, "--out",
                     "a.agon"})
              .code == 0);
  CHECK(json_of(here.report({"--json"}).out).at("made").at("matches") == 2);
  CHECK(here.scope().at("also_here").as_array().empty());
  here.run(text_of("fixed", 1));
  CHECK(json_of(here.report({"--json"}).out).at("made").at("matches") == 27);
  CHECK(contains(here.report().out, "Also here: 2 matches played by hand: --suite 1."));
}

TEST_CASE("what two versions of a suite share is told also where nothing is left to play") {
  const Here here;
  const std::string whole = text_of("survivor", 7);
  const std::string part = text_of("survivor", 7, "", "fair", 1);
  here.run(whole);
  CHECK(contains(here.run(part).err, "of 27 finished matches there, 9 are shared"));
  CHECK(contains(here.run(whole).err,
                 "of 9 finished matches there, 9 are shared with this suite, 0 are not asked for "
                 "any more; 0 are new"));
  CHECK(contains(here.run(part).err, "of 27 finished matches there, 9 are shared"));
}

// As where published data are played again: each scenario has agents of its own.
TEST_CASE("a run's manifest grows with its matches, not with agents times scenarios") {
  constexpr int scenarios = 30;
  std::string agents, list;
  for (int i = 0; i < scenarios; ++i) {
    agents += fmt::format(R"({}"a{}": "random", "b{}": "random")", i == 0 ? "" : ", ", i, i);
    list += fmt::format(R"({}{{"name": "s{}", "game": "deal-or-no-deal", "blocks": 1,
                            "design": {{"fixed": [["a{}", "b{}"]], "seat_rotation": "as-listed"}}}})",
                        i == 0 ? "" : ", ", i, i, i);
  }
  const Folder folder;
  folder.write("s.json",
               fmt::format(R"({{"seed": 1, "agents": {{{}}}, "scenarios": [{}]}})", agents, list));
  folder.succeeds({"run", "s.json", "--out", "s.agon", "--quiet"});
  const auto archive = agon::archive::Archive::open(folder.at("s.agon"));
  const auto plan = json_of(archive.runs().front().manifest).at("plan").as_array();
  REQUIRE(plan.size() == scenarios);
  for (const auto& row : plan) {
    const std::string number = std::string(row.at("scenario").as_string()).substr(1);
    std::set<std::string> names;
    for (const auto& agent : row.at("agents").as_array())
      names.emplace(agent.at("name").as_string());
    CHECK(names == std::set<std::string>{"a" + number, "b" + number});
  }
  // The same again finds all of it.
  const Ended again = folder.agon({"run", "s.json", "--out", "s.agon", "--json"});
  CHECK(json_of(again.out).at("before").as_int64() == scenarios);
}
