// Sessions whose suite declares who plays what, when and with whom: what the store keeps of it,
// what is there after a restart, and designs that cannot come about.
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <set>
#include <thread>

#include "people.hpp"

using namespace people;
using archive_samples::Folder;
using boost::json::object;

namespace {

/// What a query finds in the file of the people, cells of a row with | between.
std::vector<std::string> rows_of(const std::filesystem::path& file, const std::string& query) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  sqlite3_busy_timeout(db, 60'000);
  std::vector<std::string> rows;
  const auto add = [](void* to, int cells, char** texts, char**) {
    std::string row;
    for (int i = 0; i < cells; ++i) row += (i == 0 ? "" : "|") + std::string(texts[i]);
    static_cast<std::vector<std::string>*>(to)->push_back(std::move(row));
    return 0;
  };
  char* problem = nullptr;
  sqlite3_exec(db, query.c_str(), add, &rows, &problem);
  INFO((problem == nullptr ? "" : problem));
  CHECK(problem == nullptr);
  sqlite3_close(db);
  return rows;
}

/// A scenario with so many people at a match, and its treatments.
std::string scenario(const std::string& name, int people,
                     const std::string& treatments = R"({"rounds": [1, 2]})") {
  std::string seats;
  for (int i = 0; i < 3; ++i)
    seats += std::string(i == 0 ? "" : ", ") + (i < people ? R"("me")" : R"("rule")");
  return R"({"name": ")" + name + R"(", "game": "parley", "treatments": )" + treatments +
         R"(, "design": {"fixed": [[)" + seats + R"(]], "seat_rotation": "as-listed"}})";
}

std::string stage_of_play(int participants, const std::string& play) {
  return R"({"instructions": false, "participants": )" + std::to_string(participants) +
         R"(, "stages": [{"play": )" + play + "}]}";
}

void come_to(Lab& lab, std::vector<Player>& players, std::size_t from, std::size_t end) {
  const auto links = lab.session.links();
  for (std::size_t i = from; i < end; ++i) {
    players.push_back({std::make_unique<Somebody>(lab, links[i])});
    players.back().who->open();
    players.back().who->until("welcome");
    REQUIRE(players.back().who->act("begin") == 204);
    players.back().play_to("question");
  }
}

std::string log_of(Lab& lab) {
  return agon::json::write(lab.state().at("log"));
}

/// Why the suite's people cannot take part so.
std::string refused(const std::string& people, const std::string& scenarios, int blocks = 4) {
  const Folder folder;
  try {
    const Lab lab(folder.path(), people, blocks, scenarios, 0);
  } catch (const agon::Error& error) {
    return std::string(error.what()) + " " + error.hint();
  }
  return "";
}

}  // namespace

TEST_CASE("each person has a treatment, kept and balanced over a restart", "[serve][people]") {
  const Folder folder;
  const std::string people =
      stage_of_play(4, R"({"treatments": "person", "order": "latin", "matches": 2})");
  const std::string scenarios = scenario("a", 1) + ", " + scenario("b", 1);
  const std::string query =
      "select participant, scenario, number, draw, why, value from assigned where kind = "
      "'treatment' order by rowid";
  std::vector<std::string> before, links;
  {
    Lab lab(folder.path(), people, 8, scenarios, 0);
    links = lab.session.links();
    lab.run();
    std::vector<Player> players;
    come_to(lab, players, 0, 3);
    before = rows_of(folder / "lab.people", query);
    REQUIRE(before.size() == 6);  // three people, two scenarios
    CHECK(before[0].find("|a|") != std::string::npos);
    CHECK(before[4].find("block 2 of treatments, position 1") != std::string::npos);
    CHECK(before[0].ends_with("}"));
    // The researcher sees it, with the reason.
    const std::string log = log_of(lab);
    CHECK(log.find("1: treatment of a {") != std::string::npos);
    CHECK(log.find("row 2 of 2, began as number 2") != std::string::npos);
  }
  Lab lab(folder.path(), people, 8, scenarios, 0);
  CHECK(rows_of(folder / "lab.people", query) == before);
  lab.run();
  Player last{std::make_unique<Somebody>(lab, links[3])};
  last.who->open();
  last.who->until("welcome");
  CHECK(last.who->act("begin") == 204);
  last.play_to("question");
  const auto counts = rows_of(folder / "lab.people",
                              "select scenario, number, count(*) from assigned where kind = "
                              "'treatment' group by scenario, number order by 1, 2");
  CHECK(counts == std::vector<std::string>{"a|0|2", "a|1|2", "b|0|2", "b|1|2"});
  CHECK(rows_of(folder / "lab.people",
                "select value, count(*) from assigned where kind = 'order' "
                "group by value order by 1") ==
        std::vector<std::string>{R"(["a","b"]|2)", R"(["b","a"]|2)"});
  // Where they sit is the scenario that comes first for them, under their treatment.
  const auto sits = rows_of(
      folder / "lab.people",
      "select o.value, s.label from seated s join assigned o on o.participant = s.participant "
      "and o.kind = 'order'");
  CHECK(sits.size() == 4);
  for (const std::string& row : sits) CHECK(row.substr(2, 1) == row.substr(row.size() - 1));
}

TEST_CASE("listed groups play in any order of arrival, and stay after a restart",
          "[serve][people]") {
  const Folder folder;
  const std::string people = stage_of_play(
      4, R"({"treatments": "group", "groups": [["1", "4"], ["2", "3"]], "matches": 2})");
  std::vector<std::string> links;
  {
    Lab lab(folder.path(), people, 8, scenario("a", 2), 0);
    links = lab.session.links();
    lab.run();
    std::vector<Player> players;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
      players.push_back({std::make_unique<Somebody>(lab, links[i])});
      players.back().who->open();
      players.back().who->until("welcome");
      REQUIRE(players.back().who->act("begin") == 204);
    }
    players[0].play_to("question");  // with the fourth, although the second was there before
    players[2].play_to("question");
    std::vector<std::future<void>> both;
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}})
      both.push_back(std::async(std::launch::async, [&players, i] {
        players[i].answer_one();
        players[i].play_to("result");
      }));
    for (auto& each : both) each.get();
  }
  Lab lab(folder.path(), people, 8, scenario("a", 2), 0);
  lab.run();
  std::vector<Player> players;
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{2}, std::size_t{1}}) {
    players.push_back({std::make_unique<Somebody>(lab, links[i])});
    players.back().who->open();
    auto& who = *players.back().who;
    if (i == 0 || i == 3) {
      players.back().play_to("result");
      CHECK(who.act("next") == 204);
    } else if (i == 2) {
      who.until("welcome");
      CHECK(who.act("begin") == 204);
    }
  }
  for (Player& p : players) p.play_to("question");
  const auto groups = rows_of(
      folder / "lab.people",
      "select group_concat(place, '') from (select s.match, p.place from seated s join participant "
      "p on p.id = s.participant order by s.match, p.place) group by match order by 1");
  CHECK(groups == std::vector<std::string>{"14", "14", "23"});
  // Each group drew once, and has the same in its second match.
  CHECK(rows_of(folder / "lab.people",
                "select count(distinct number), count(*) from assigned where kind = 'treatment'") ==
        std::vector<std::string>{"2|4"});
}

TEST_CASE("who is not here is not seated", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), stage_of_play(3, "{}"), 4, scenario("a", 2), 0);
  lab.run();
  const auto links = lab.session.links();
  std::vector<Player> players;
  for (std::size_t i = 0; i < 3; ++i) {
    players.push_back({std::make_unique<Somebody>(lab, links[i])});
    players.back().who->open();
    players.back().who->until("welcome");
    REQUIRE(players.back().who->act("begin") == 204);
    if (i == 0) players.back().who->until("waiting");
    if (i == 0) players.back().who->page->end();
  }
  players[1].play_to("question");
  players[2].play_to("question");
  CHECK(rows_of(folder / "lab.people",
                "select place from participant where id not in (select participant from seated)") ==
        std::vector<std::string>{"1"});
}

TEST_CASE("the log says for whom of perfect strangers no further group is possible",
          "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), stage_of_play(3, R"({"matching": "perfect-strangers", "matches": 2})"), 8,
          scenario("a", 2), 0);
  lab.run();
  const auto links = lab.session.links();
  std::vector<Player> players;
  const auto come = [&](std::size_t i) {
    players.push_back({std::make_unique<Somebody>(lab, links[i])});
    players.back().who->open();
    players.back().who->until("welcome");
    REQUIRE(players.back().who->act("begin") == 204);
  };
  come(0);
  come(1);
  std::vector<std::future<void>> both;
  for (Player& player : players)
    both.push_back(std::async(std::launch::async, [&player] { player.play_to("result"); }));
  for (auto& each : both) each.get();
  const std::string left = "1, 2: no further group of people who have not met is possible";
  CHECK(log_of(lab).find(left) == std::string::npos);
  for (Player& player : players) CHECK(player.who->act("next") == 204);
  for (Player& player : players) player.who->until("waiting");
  for (int i = 0; i < 400 && log_of(lab).find(left) == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(log_of(lab).find(left) != std::string::npos);
  // Somebody comes, and meets one of them.
  come(2);
  players.back().play_to("question");
  CHECK(rows_of(folder / "lab.people",
                "select count(*) from assigned where why like 'by a schedule drawn for 3 who meet "
                "nobody twice, key %'") == std::vector<std::string>{"2"});
}

TEST_CASE("designs that cannot come about are refused before anybody comes", "[serve][people]") {
  const auto has = [](const std::string& text, const std::vector<std::string>& parts) {
    INFO(text);
    for (const std::string& part : parts) CHECK(text.find(part) != std::string::npos);
  };
  const std::string pairs = scenario("a", 2), alone = scenario("a", 1);
  const auto play = [](int n, const std::string& what) { return stage_of_play(n, what); };
  has(refused(play(4, R"({"groups": [["1", "2"], ["3"]]})"), pairs),
      {"$.people.stages[0].play.groups", "'4' is in no group"});
  has(refused(play(4, R"({"groups": [["1", "2"], ["3", "2"]]})"), pairs),
      {"play.groups[1]", "'2' is in two places"});
  has(refused(play(4, R"({"groups": [["1", "2"], ["3", "Ada"]]})"), pairs),
      {"play.groups[1]", "nobody who takes part is 'Ada'"});
  has(refused(play(4, R"({"groups": [["1", "2", "3", "4"]]})"), pairs),
      {"a group of 4, but a match has 2 people"});
  has(refused(play(4, R"({"groups": [["1", "2"]], "matching": "strangers"})"), pairs),
      {"conflicts with \"groups\""});
  has(refused(play(1, R"({"treatments": "person"})"), alone),
      {"play.treatments", "1 person for 2 treatments of 'a' are 0 for each, and a match has 1"});
  has(refused(play(3, R"({"treatments": "person"})"), pairs), {"1 for each, and a match has 2"});
  has(refused(play(3, R"({"treatments": "group"})"), pairs),
      {"3 people make 1 group of 2, fewer than the 2 treatments of 'a'"});
  has(refused(play(4, R"({"matching": "perfect-strangers", "matches": 4})"), pairs),
      {"each person would meet 1 + 1 + 1 + 1 = 4 others, and 4 take part: 3 others",
       "ask for 5 participants"});
  has(refused(play(4, R"({"matching": "partners", "treatments": "person"})"), pairs),
      {"\"treatments\": \"group\""});
  has(refused(play(4, R"({"matching": "partners"})"), pairs + ", " + scenario("b", 1)),
      {"the same people stay together", "'b'"});
  has(refused(play(1, "{}"), pairs), {"nobody can finish: 1 person"});
  has(refused(play(2, R"({"order": "latin"})"), pairs + ", " + scenario("b", 2)),
      {"nobody can finish: 2 people", "one order"});
  // The other side of each.
  for (const auto& [n, what] : std::vector<std::pair<int, std::string>>{
           {4, R"({"groups": [["1", "2"], ["3", "4"]]})"},
           {2, R"({"matching": "partners"})"},
           {4, R"({"treatments": "person"})"},
           {4, R"({"treatments": "group"})"},
           {4, R"({"matching": "perfect-strangers", "matches": 3})"},
           {2, R"({"matching": "strangers"})"}}) {
    INFO(what);
    CHECK(refused(play(n, what), pairs).empty());
  }
  CHECK(refused(play(2, R"({"treatments": "person"})"), alone).empty());
  CHECK(refused(play(4, R"({"order": "latin"})"), pairs + ", " + scenario("b", 2)).empty());
}

TEST_CASE("the archive's suite has no names of a list of groups", "[serve][people]") {
  const Folder folder;
  const std::string people = R"({"rooms": {"lab": ["Ada", "Bo"]}, "stages": [
      {"play": {"groups": [["Ada", "Bo"]]}}]})";
  const Lab lab(folder.path(), people, 4, scenario("a", 2), 0);
  CHECK(lab.suite.text.find("\"play\"") != std::string::npos);
  CHECK(lab.suite.text.find("Ada") == std::string::npos);
}
