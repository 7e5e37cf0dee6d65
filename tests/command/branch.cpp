// Recorded matches play on from a question with one thing changed, as people ask for it.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <csignal>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

namespace bj = boost::json;

/// A repeated prisoner's dilemma, in which both seats choose at the same time: questions 2p and
/// 2p + 1 are those of period p, from 0.
std::string dilemma(const std::string& alice, const std::string& bob, const std::string& blocks,
                    const std::string& more = "") {
  return R"({"suite": "pd", "seed": 7, "agents": {"alice": )" + alice + R"(, "bob": )" + bob +
         R"(}, "design": {"fixed": [["alice", "bob"]], "seat_rotation": "as-listed", "blocks": )" +
         blocks + R"(},)" + more +
         R"("scenarios": [{"game": "classic", "set": {"game": "prisoners-dilemma", "periods": 4}}]})";
}

/// Plays it into pd.agon.
void play_parents(const Folder& folder, const std::string& alice = R"("tit-for-tat")",
                  const std::string& bob = R"("grim")", const std::string& blocks = "2") {
  folder.write("pd.json", dilemma(alice, bob, blocks));
  folder.succeeds({"run", "pd.json", "--out", "pd.agon", "--quiet"});
}

const Words kDefect{"--answer", R"({"action": "choice_2"})"};

Words branch(const Words& more, const std::string& out = "b.agon") {
  return joined({"branch", "pd.agon"}, joined(more, {"--out", out, "--quiet"}));
}

std::vector<bj::object> listed(const Folder& folder, const std::string& archive) {
  std::vector<bj::object> rows;
  const bj::value shown =
      json_of(folder.succeeds({"show", archive, "--json", "--limit", "1000"}).out);
  for (const bj::value& row : shown.as_array()) rows.push_back(row.as_object());
  return rows;
}

/// The rows of branches of this kind of change.
std::vector<bj::object> with_change(const Folder& folder, const std::string& archive,
                                    std::string_view change) {
  std::vector<bj::object> rows = listed(folder, archive);
  std::erase_if(rows, [&](const bj::object& row) {
    return row.at("branch").at("change").as_string() != change;
  });
  return rows;
}

/// What was chosen in a match, seat after seat and period after period: "11 11 21".
std::string moves(const Folder& folder, const std::string& archive, const bj::object& row) {
  std::string all;
  const std::string number = std::to_string(row.at("match").as_int64());
  const bj::value record = json_of(folder.succeeds({"show", archive, number, "--json"}).out);
  for (const bj::value& entry : record.as_array())
    if (entry.at("entry").as_string() == "question")
      all += entry.at("value").at("action").as_string().back();
  return all;
}

/// The records of an archive by match.
std::map<std::string, std::string> records(const Folder& folder, const std::string& name) {
  std::map<std::string, std::string> all;
  const auto archive = agon::archive::Archive::open(folder.at(name));
  archive.matches().numbers([&](std::int64_t number) {
    const agon::archive::MatchRow match = archive.matches().at(number);
    all[match.key.id.hex()] = match.record;
  });
  return all;
}

std::multiset<std::string> record_set(const Folder& folder, const std::string& name) {
  std::multiset<std::string> all;
  for (const auto& [id, record] : records(folder, name)) all.insert(record);
  return all;
}

}  // namespace

TEST_CASE("without a change a branch is its parent, byte for byte and without a call") {
  const Folder folder;
  play_parents(folder, R"({"llm": "mock"})");
  REQUIRE_FALSE(exported(folder, "pd.agon", "calls").empty());
  folder.succeeds(branch({}));
  CHECK(record_set(folder, "b.agon") == record_set(folder, "pd.agon"));
  CHECK(exported(folder, "b.agon", "calls").empty());
  folder.succeeds({"replay", "b.agon"});
  // With a change, the model is asked from there on, and the parents still are as they were.
  folder.succeeds(branch(joined({"1", "--at", "4", "--seat", "Alice"}, kDefect), "c.agon"));
  const std::size_t calls = exported(folder, "c.agon", "calls").size();
  CHECK(calls == 1);  // of the last period
  CHECK(record_set(folder, "c.agon").size() == 2);
  folder.succeeds({"replay", "c.agon"});
}

TEST_CASE("another answer leaves what was before it, and changes what comes after") {
  const Folder folder;
  play_parents(folder);
  folder.succeeds(branch(joined({"1", "--at", "2"}, kDefect)));
  const auto parents = with_change(folder, "b.agon", "none");
  const auto changed = with_change(folder, "b.agon", "answer");
  REQUIRE(parents.size() == 1);
  REQUIRE(changed.size() == 1);
  CHECK(moves(folder, "b.agon", parents[0]) == "11111111");
  // Bob chose at the same time, and did as he had done; then he is grim, and Alice follows.
  CHECK(moves(folder, "b.agon", changed[0]) == "11211222");
  const bj::object& from = changed[0].at("branch").as_object();
  CHECK(from.at("parent") == parents[0].at("id"));
  CHECK(from.at("match").as_int64() == 1);
  CHECK(from.at("archive").as_string() == "pd.agon");
  CHECK(from.at("question").as_int64() == 2);
  CHECK(from.at("seat").as_int64() == 0);
  CHECK(from.at("stage").as_string() == "choose");
  folder.succeeds({"replay", "b.agon"});
  const std::string tree = folder.succeeds({"show", "b.agon"}).out;
  check_has(tree, {"match 1 of pd.agon", "at question 2 (Alice, choose): answer"});
  const std::string number = std::to_string(changed[0].at("match").as_int64());
  check_has(folder.succeeds({"show", "b.agon", number}).out, {"branches from match"});
  const std::string both = folder.succeeds({"show", "b.agon", number, "--beside"}).out;
  check_has(both, {"> Alice choose: action choice_1", "> Alice choose: action choice_2"});
  check_lacks(both, {"Period 1 is over"});
  // Answers to one question stand in one line; what differs is marked.
  bool marked = false;
  for (const std::string& line : lines(both)) {
    marked = marked || (contains(line, "Alice choose: action choice_1") &&
                        contains(line, "Alice choose: action choice_2") && contains(line, " * "));
    if (count(line, "Bob choose: action choice_1") == 2) CHECK_FALSE(contains(line, " * "));
  }
  CHECK(marked);
  CHECK(count(both, "Bob choose: action choice_1") >= 2);
  // The export says the same.
  int branches = 0;
  for (const bj::object& row : exported(folder, "b.agon", "matches"))
    if (row.at("change").as_string() == "answer") {
      ++branches;
      CHECK(row.at("parent") == parents[0].at("id"));
      CHECK(row.at("cut").as_int64() == 2);
    }
  CHECK(branches == 1);
  for (const bj::object& row : exported(folder, "pd.agon", "matches"))
    CHECK_FALSE(row.contains("parent"));
}

TEST_CASE("another agent takes a seat over, and all chance stays as it was") {
  const Folder folder;
  play_parents(folder, R"("random")", R"("random")");
  folder.succeeds(branch({"1", "--at", "3", "--seat", "Bob=grim"}));
  const auto parent = with_change(folder, "b.agon", "none").at(0);
  const auto changed = with_change(folder, "b.agon", "agent").at(0);
  const std::string before = moves(folder, "b.agon", parent);
  const std::string after = moves(folder, "b.agon", changed);
  CHECK(after.substr(0, 3) == before.substr(0, 3));
  // Alice plays at random, with the same dice at the same questions.
  for (const std::size_t question : {4, 6}) CHECK(after[question] == before[question]);
  CHECK(contains(changed.at("agents").as_string(), "grim"));
  // Other repeats have other dice of the agents.
  folder.succeeds(branch({"--all-points", "--seat", "Bob=grim", "--repeats", "6"}, "c.agon"));
  std::set<std::string> futures;
  for (const bj::object& row : with_change(folder, "c.agon", "agent"))
    if (row.at("branch").at("question").as_int64() == 1 &&
        row.at("branch").at("match").as_int64() == 1)
      futures.insert(moves(folder, "c.agon", row));
  CHECK(futures.size() > 1);
  CHECK(listed(folder, "c.agon").size() == 2 + 2 * 4 * 6);
}

TEST_CASE("a game's draws after the cut are those of the parent") {
  const Folder folder;
  folder.write("w.json", R"({"suite": "w", "seed": 3, "agents": {"f": "fraction", "s": "survivor"},
    "scenarios": [{"game": "water-allocation", "set": {"days": 8},
      "design": {"fixed": [["f", "s", "s", "s", "s"]], "seat_rotation": "as-listed"}}]})");
  folder.succeeds({"run", "w.json", "--out", "pd.agon", "--quiet"});
  folder.succeeds(branch({"1", "--sample", "3", "--seat", "Alex=survivor"}));
  const auto draws = [&](const bj::object& row) {
    std::map<std::string, std::string> all;
    const std::string number = std::to_string(row.at("match").as_int64());
    const bj::value record = json_of(folder.succeeds({"show", "b.agon", number, "--json"}).out);
    for (const bj::value& entry : record.as_array())
      if (entry.at("entry").as_string() == "draw")
        all[bj::serialize(entry.at("name")) + bj::serialize(entry.at("at"))] =
            bj::serialize(entry.at("value"));
    return all;
  };
  const auto recorded = draws(with_change(folder, "b.agon", "none").at(0));
  REQUIRE_FALSE(recorded.empty());
  const std::vector<bj::object> changed = with_change(folder, "b.agon", "agent");
  CHECK(changed.size() == 3);
  for (const bj::object& row : changed)
    for (const auto& [place, value] : draws(row))
      if (recorded.contains(place)) CHECK(recorded.at(place) == value);
}

TEST_CASE("a model's components go, and a persona comes, from a question on") {
  const Folder folder;
  play_parents(folder, R"({"llm": "mock"})");
  folder.succeeds(branch({"1", "--at", "2", "--without", "memory,plan"}));
  const auto changed = with_change(folder, "b.agon", "without");
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].at("branch").at("text").as_string() == "memory, plan");
  folder.succeeds({"replay", "b.agon"});
  folder.succeeds(branch({"1", "--at", "2", "--persona", "You are stubborn."}, "c.agon"));
  CHECK(contains(boost::json::serialize(bj::value(exported(folder, "c.agon", "calls").at(0))),
                 "You are stubborn."));
  folder.refuses(branch({"1", "--at", "3", "--without", "memory"}, "d.agon"), 5,
                 {"Bob in match 1", "which has no memory"});
}

TEST_CASE("branches are a suite: planned, resumed, and merged from shards") {
  const Folder folder;
  play_parents(folder, R"("random")", R"("random")", "6");
  const std::string text = R"({"suite": "s", "agents": {"grim": "grim"}, "branch": {
    "archive": "pd.agon", "at": {"every": "choose"}, "seat": "Bob",
    "changes": [{"agent": "grim"}, {"answer": {"action": "choice_1"}}]}})";
  folder.write("s.json", text);
  folder.succeeds({"run", "s.json", "--out", "whole.agon", "--quiet"});
  const auto whole = records(folder, "whole.agon");
  CHECK(whole.size() == 6 * (1 + 4 * 2));
  check_has(folder.succeeds({"plan", "s.json"}).out, {"54"});
  // Shards have whole blocks, and together the same matches and rows.
  for (const std::string n : {"1", "2"})
    folder.succeeds({"run", "s.json", "--shard", n + "/2", "--out", n + ".agon", "--quiet"});
  folder.succeeds({"merge", "merged.agon", "1.agon", "2.agon"});
  CHECK(records(folder, "merged.agon") == whole);
  const auto rows = [&](const std::string& archive) {
    std::set<std::string> all;
    for (const bj::object& row : listed(folder, archive))
      all.insert(bj::serialize(row.at("id")) + bj::serialize(row.at("branch")));
    return all;
  };
  CHECK(rows("merged.agon") == rows("whole.agon"));
  // What is there is not played again, and what is missing is.
  folder.succeeds({"run", "s.json", "--blocks", "2", "--out", "part.agon", "--quiet"});
  CHECK(records(folder, "part.agon").size() == 2 * (1 + 4 * 2));
  check_has(folder.succeeds({"run", "s.json", "--out", "part.agon"}).err, {"(18 from before)"});
  CHECK(records(folder, "part.agon") == whole);
}

TEST_CASE("branches with models that were stopped go on where they were") {
  const Folder folder;
  play_parents(folder, R"({"llm": "mock"})", R"("grim")", "3");
  const Words words = branch(joined({"--all-points", "--seat", "Alice"}, kDefect));
  folder.succeeds(branch(joined({"--all-points", "--seat", "Alice"}, kDefect), "whole.agon"));
  // Some matches need a call that the cap leaves no room for.
  CHECK(folder.agon(joined(words, {"--max-calls", "5"})).code == 7);
  folder.succeeds(words);
  CHECK(records(folder, "b.agon") == records(folder, "whole.agon"));
  CHECK(exported(folder, "b.agon", "calls").size() ==
        exported(folder, "whole.agon", "calls").size());
}

TEST_CASE("what cannot be branched is refused with its reason") {
  const Folder folder;
  play_parents(folder);
  folder.refuses(branch(joined({"1", "--at", "99"}, kDefect)), 5,
                 {"match 1 has no question 99: its last is 7", "these can be changed: 0, 1, 2"});
  folder.refuses(branch({"1", "--at", "2", "--answer", R"({"action": "choice_3"})"}), 5,
                 {"question 2 of match 1 (stage choose) does not take this answer", "choice_3"});
  folder.refuses(branch(joined({"1", "--at", "2", "--seat", "Carol"}, kDefect)), 5,
                 {"there is no seat 'Carol'", "Alice"});
  folder.refuses(branch(joined({"1", "--at", "2", "--seat", "Bob"}, kDefect)), 5,
                 {"question 2 of match 1 is asked of Alice, not of Bob"});
  folder.refuses(branch({"1", "--at", "2", "--seat", "Alice=survivor"}), 3,
                 {"'survivor' plays water-allocation and not 'classic'"});
  folder.refuses(branch(joined({"--every", "offer"}, kDefect)), 5,
                 {"no stage 'offer'", "its stages are message, choose, move"});
  folder.refuses(branch(joined({"--every", "move"}, kDefect)), 5,
                 {"has no question of stage 'move'; it has choose"});
  folder.refuses(branch(joined({"9", "--at", "2"}, kDefect)), 3, {"9"});
  folder.refuses(branch(kDefect), 2, {"missing where the branches leave"});
  folder.refuses(branch(joined({"1", "--at", "2"}, kDefect), "pd.agon"), 2,
                 {"cannot be written into the archive"});
  CHECK_FALSE(folder.has("b.agon"));
  // Records that were not kept cannot be gone on from.
  folder.succeeds({"run", "pd.json", "--no-records", "--out", "r.agon", "--quiet"});
  folder.refuses({"branch", "r.agon", "1", "--out", "b.agon"}, 5, {"without keeping its record"});
  // Of another version of the game.
  run_sql(folder.at("pd.agon"), "update game set version = 99");
  folder.refuses(branch(joined({"1", "--at", "2"}, kDefect)), 3, {"version 99"});
}

TEST_CASE("a seat that a person played is named to another agent") {
  const Folder folder;
  folder.write("pd.json", dilemma(R"({"human": {"pseudonym": "p"}})", R"("grim")", "1"));
  std::string answers;
  for (int period = 0; period < 4; ++period) answers += "{\"action\": \"choice_1\"}\n";
  folder.succeeds({"run", "pd.json", "--out", "pd.agon", "--quiet"}, {.in = answers});
  folder.refuses(branch(joined({"1", "--at", "2"}, kDefect)), 5,
                 {"Alice in match 1 was played by a person", "--seat"});
  folder.succeeds(branch({"1", "--at", "2", "--seat", "Alice=tit-for-tat"}));
  CHECK(record_set(folder, "b.agon").contains(*record_set(folder, "pd.agon").begin()));
}
