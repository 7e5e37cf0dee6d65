// How games were played: tables and plots of their own, part of every page of a report.
#include <algorithm>
#include <boost/json/object.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"
#include "command/snapshot.hpp"
#include "describe/file_text.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

/// Every game that has a table of its own, played by those who play by the book and by others.
const std::string kAll = R"({"suite": "all", "seed": 5,
  "agents": {
    "good": {"rule": {"english-auction": "value-cap", "water-allocation": "survivor",
      "bargaining": "time-dependent", "deal-or-no-deal": "concede", "clock-auction": "truthful",
      "sealed-bid": "equilibrium-bid", "ebay": "truthful", "classic": "nash",
      "guess-average": "k-level", "survival-auction": "adaptive"}},
    "other": {"rule": {"english-auction": "rule", "water-allocation": "fraction",
      "bargaining": "tit-for-tat", "deal-or-no-deal": "envy-free-bayes", "clock-auction": "shade",
      "sealed-bid": "shade", "ebay": "incremental", "classic": "k-level",
      "guess-average": "mono", "survival-auction": "last"}}},
  "design": {"focal": ["good", "other"], "background": "good", "blocks": 3},
  "scenarios": [{"game": "english-auction"}, {"game": "water-allocation", "set": {"days": 6}},
    {"game": "survival-auction"}, {"game": "guess-average"}, {"game": "bargaining"},
    {"game": "deal-or-no-deal"}, {"game": "clock-auction"},
    {"game": "sealed-bid", "treatments": {"payment": ["first_price", "second_price"]}},
    {"game": "ebay"}, {"game": "classic", "name": "once"},
    {"game": "classic", "name": "again", "set": {"periods": 4}}]})";

/// The figures of one table, from CSV.
struct Figures {
  std::map<std::pair<std::string, std::string>, double> value;  // by row and column
  std::map<std::string, std::size_t> tables;                    // rows by table

  Figures(const std::string& csv, const std::string& table) {
    const auto rows = agon::text::read_csv(csv, "report.csv");
    std::map<std::string, std::size_t> at;
    for (std::size_t c = 0; c < rows.front().cells.size(); ++c) at[rows.front().cells[c]] = c;
    for (std::size_t r = 1; r < rows.size(); ++r) {
      const auto& row = rows[r].cells;
      ++tables[row[at["metric"]]];
      if (row[at["metric"]] == table && !row[at["value"]].empty())
        value[{row[at["row"]], row[at["column"]]}] = std::stod(row[at["value"]]);
    }
  }
};

}  // namespace

TEST_CASE("every game tells how it was played in plots whose figures stand in tables", "[plots]") {
  const Folder folder;
  folder.write("s.json", kAll);
  REQUIRE(folder.agon({"run", "s.json", "--quiet"}).code == 0);
  const Ended csv = folder.succeeds({"report", "s.agon", "--section", "play", "--csv"});
  const std::set<std::string> all{"price-paths", "hammer-prices", "survival", "balances",
                                  "offers",      "splits",        "exits",    "bids",
                                  "maxima",      "actions",       "periods",  "choices"};
  std::set<std::string> found;
  for (const auto& [name, rows] : Figures(csv.out, "").tables) found.insert(name);
  CHECK(found == all);

  // Who plays by the book is where theory is, place by place.
  for (const std::string heading :
       {"sealed-bid: payment first_price", "sealed-bid: payment second_price"}) {
    const Figures bids(csv.out, "bids");
    std::size_t places = 0;
    for (const auto& [key, value] : bids.value) {
      if (key.first != heading + ": equilibrium") continue;
      // Bids are whole, and `other` bids a share: only the fields of the good ones agree.
      const auto own = bids.value.find({heading + ": good", key.second});
      if (own == bids.value.end()) continue;
      ++places;
      INFO(heading << " " << key.second);
      CHECK(own->second == Approx(value).margin(3));
    }
    CHECK(places >= 5);
  }
  const Figures exits(csv.out, "exits");
  for (const auto& [key, value] : exits.value) {
    if (key.first != "good") continue;
    const auto theory = exits.value.find({"at the value itself", key.second});
    REQUIRE(theory != exits.value.end());
    CHECK(value == Approx(theory->second).margin(5));
  }
  const Figures actions(csv.out, "actions");
  CHECK(actions.value.at({"once: Alice: choice_2", "good"}) == 1);
  CHECK(actions.value.at({"once: Alice: choice_2", "equilibrium"}) == 1);
  CHECK(actions.value.at({"once: Alice: choice_1", "equilibrium"}) == 0);
  const Figures periods(csv.out, "periods");
  CHECK(periods.value.at({"good: choice_1", "4"}) == 0);
  CHECK(!periods.value.contains({"good: choice_1", "5"}));
  const Figures alive(csv.out, "survival");
  for (const auto& [key, value] : alive.value)
    if (key.second == "1") CHECK(value == 1);
  const Figures paths(csv.out, "price-paths");
  for (const auto& [key, value] : paths.value) {
    if (key.second == "start") CHECK(value == 1);
    CHECK(value >= 1);
  }
  const Figures splits(csv.out, "splits");
  double matches = 0;
  for (const auto& [key, value] : splits.value) {
    if (key.second == "matches")
      matches += value;
    else
      CHECK(value <= 1);  // nothing lies beyond the frontier
  }
  CHECK(matches == 9);  // 3 blocks; both on both seats, and the field with itself

  // The page has them all as pictures; a report in words has none.
  REQUIRE(folder.agon({"report", "s.agon", "--html", "s.html"}).code == 0);
  const std::string page = folder.read("s.html");
  CHECK(count(page, "<section class=\"play\" id=") == 14);  // two games have survival and balances
  for (const char* title : {"How prices rise, round by round", "Who is alive, day by day",
                            "Splits, and the Pareto frontier", "Where bidders leave the clock"})
    CHECK(contains(page, title));
  check_has(page, {"line theory", "<h2>How offers come nearer"});
  CHECK(!contains(folder.agon({"report", "s.agon"}).out, "How prices rise"));
  CHECK(!contains(folder.agon({"report", "s.agon", "--full"}).out, "How prices rise"));
  // By itself it is a table like a paper's.
  const Ended one = folder.succeeds({"report", "s.agon", "--paper-table", "bargaining/offers"});
  CHECK(contains(one.out, "good as buyer"));
}

TEST_CASE("how a small archive was played is as it was", "[plots]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 3,
    "agents": {"a": {"rule": "time-dependent"}, "b": {"rule": "tit-for-tat"}},
    "design": {"focal": ["a", "b"], "background": "a", "blocks": 3},
    "scenarios": [{"game": "bargaining"}]})");
  REQUIRE(folder.agon({"run", "s.json", "--quiet"}).code == 0);
  const Ended text = folder.succeeds({"report", "s.agon", "--section", "play"});
  same_as_snapshot("snapshots/play.txt", text.out);
  REQUIRE(folder.agon({"report", "s.agon", "--section", "play", "--svg", "plots"}).code == 0);
  same_as_snapshot("snapshots/play-bargaining-offers.svg",
                   folder.read("plots/play-bargaining-offers.svg"));
}

TEST_CASE("of many matches a game's own tables read every so-manieth block and say so", "[plots]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 3,
    "agents": {"a": {"rule": "nash"}, "b": "random"},
    "design": {"focal": ["a", "b"], "background": "a", "blocks": 1100},
    "scenarios": [{"game": "classic"}]})");
  REQUIRE(folder.agon({"run", "s.json", "--quiet", "--keep", "results"}).code == 0);
  const Ended text = folder.succeeds({"report", "s.agon", "--section", "play"});
  CHECK(
      contains(text.out, "From 474 of 3300 matches of classic: of every scenario one block in 7,"));
}

TEST_CASE("of many treatments some are told and the table says of how many", "[plots]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 3,
    "agents": {"a": {"rule": {"classic": "nash", "guess-average": "mono"}}},
    "design": {"focal": ["a"], "background": "a", "blocks": 1},
    "scenarios": [
      {"game": "classic", "treatments": {"scale": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]}},
      {"game": "guess-average",
       "treatments": {"percent": [10, 20, 30, 40, 50, 60, 65, 70, 75, 80, 85, 90, 95]}}]})");
  REQUIRE(folder.agon({"run", "s.json", "--quiet"}).code == 0);
  const Ended text = folder.succeeds({"report", "s.agon", "--section", "play"});
  check_has(text.out, {"Of 13 scenarios and treatments the first 12.",
                       "Of 13 scenarios and treatments the 12 with the most values."});
  CHECK(count(text.out, "  guess-average: percent ") == 12);
  REQUIRE(folder.agon({"report", "s.agon", "--section", "play", "--svg", "plots"}).code == 0);
  CHECK(folder.has("plots/play-guess-average-choices-12.svg"));
  CHECK(!folder.has("plots/play-guess-average-choices-13.svg"));
}

TEST_CASE("matches without records have no curves and no error", "[plots]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 3,
    "agents": {"a": {"rule": "time-dependent"}},
    "design": {"focal": ["a"], "background": "a", "blocks": 3},
    "scenarios": [{"game": "bargaining"}]})");
  REQUIRE(folder.agon({"run", "s.json", "--quiet", "--keep", "results"}).code == 0);
  REQUIRE(folder.agon({"report", "s.agon", "--html", "s.html"}).code == 0);
  CHECK(!contains(folder.read("s.html"), "How offers come nearer"));
  CHECK(folder.agon({"report", "s.agon", "--section", "play"}).code != 0);
}

TEST_CASE("plots of an earlier report that are not in this one go and nothing else does",
          "[plots]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 3,
    "agents": {"a": {"rule": "time-dependent"}, "b": {"rule": "tit-for-tat"}},
    "design": {"focal": ["a", "b"], "background": "a", "blocks": 3},
    "scenarios": [{"game": "bargaining"}]})");
  REQUIRE(folder.agon({"run", "s.json", "--quiet"}).code == 0);
  REQUIRE(folder.agon({"report", "s.agon", "--svg", "plots"}).code == 0);
  folder.write("plots/mine.svg", "mine");
  folder.write("plots/pairs-note.txt", "mine");
  REQUIRE(folder.has("plots/leaderboard-scores.svg"));
  const std::string before = folder.read("plots/leaderboard-scores.svg");
  // Where one file does not fit, all stay as they were.
  const Ended full = folder.agon({"report", "s.agon", "--svg", "plots", "--section", "play"},
                                 {.most_file_bytes = 2000});
  CHECK(full.code != 0);
  CHECK(!full.err.empty());
  CHECK(folder.has("plots/leaderboard-scores.svg"));
  REQUIRE(folder.agon({"report", "s.agon", "--svg", "plots", "--section", "play"}).code == 0);
  CHECK(!folder.has("plots/leaderboard-scores.svg"));
  CHECK(folder.has("plots/play-bargaining-offers.svg"));
  CHECK(folder.read("plots/mine.svg") == "mine");
  CHECK(folder.has("plots/pairs-note.txt"));
  folder.succeeds({"report", "s.agon", "--svg", "plots", "--section", "leaderboard"});
  CHECK(folder.read("plots/leaderboard-scores.svg") == before);
  // Nothing is left of the work.
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.at("plots")))
    names.insert(entry.path().filename().string());
  CHECK(names == std::set<std::string>{".agon-plots", "leaderboard-scores.svg",
                                       "leaderboard-differences.svg", "leaderboard-ranks.svg",
                                       "mine.svg", "pairs-note.txt"});
  // A list that says what it should not removes nothing else.
  folder.write("plots/.agon-plots", "../s.json\npairs-note.txt\n");
  REQUIRE(folder.agon({"report", "s.agon", "--svg", "plots", "--section", "play"}).code == 0);
  CHECK(folder.has("s.json"));
  CHECK(folder.has("plots/pairs-note.txt"));
}

TEST_CASE("a page that does not fit leaves the one that was there", "[plots]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 3, "agents": {"a": "random"},
    "design": {"focal": ["a"], "background": "a", "blocks": 2}, "scenarios": [{"game": "classic"}]})");
  REQUIRE(folder.agon({"run", "s.json", "--quiet"}).code == 0);
  folder.write("s.html", "before");
  const Ended full =
      folder.agon({"report", "s.agon", "--html", "s.html"}, {.most_file_bytes = 4096});
  CHECK(full.code != 0);
  CHECK(contains(full.err, "s.html"));
  CHECK(folder.read("s.html") == "before");
  CHECK(!folder.has("s.html.part"));
}

TEST_CASE("agents that are told apart lead to their own matches", "[plots]") {
  const Folder folder;
  const auto played = [&](const char* name, const char* rule) {
    folder.write("s.json", std::string(R"({"suite": ")") + name + R"(", "seed": 3,
      "agents": {"x": {"rule": ")" +
                               rule + R"("}, "y": {"rule": "nash"}},
      "design": {"focal": ["x"], "background": "y", "blocks": 2}, "scenarios": [{"game": "classic"}]})");
    REQUIRE(folder.agon({"run", "s.json", "--out", "s.agon", "--quiet"}).code == 0);
  };
  played("one", "nash");
  played("two", "k-level");
  REQUIRE(folder.agon({"report", "s.agon", "--all-suites", "--html", "s.html"}).code == 0);
  const std::string page = folder.read("s.html");
  check_has(page, {"href=\"#matches?agent=x%20%28k%2Dlevel%29", "\"agent\":\"x (k-level)\"",
                   "\"agent\":\"y\""});
}

TEST_CASE("a page shows how differences settled where there are blocks enough", "[plots]") {
  const Folder folder;
  for (const int blocks : {4, 12}) {
    folder.write("s.json", R"({"suite": "s", "seed": 3,
      "agents": {"a": {"rule": "nash"}, "b": "random"},
      "design": {"focal": ["a", "b"], "background": "a", "blocks": )" +
                               std::to_string(blocks) +
                               R"(}, "scenarios": [{"game": "classic"}]})");
    const std::string archive = "s" + std::to_string(blocks) + ".agon";
    REQUIRE(folder.agon({"run", "s.json", "--out", archive, "--quiet"}).code == 0);
    REQUIRE(folder.agon({"report", archive, "--html", "s.html"}).code == 0);
    const bool drawn = contains(folder.read("s.html"), "Differences block by block");
    CHECK(drawn == (blocks == 12));
    CHECK(!contains(folder.agon({"report", archive, "--full"}).out,
                    "Differences that hold whenever one looks"));
  }
}

TEST_CASE("the game over agents is drawn with its best replies", "[plots]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 3,
    "agents": {"good": {"rule": "nash"}, "bad": {"script": {"stages": {"choose": [{"action": "choice_1"}]}}}},
    "design": {"fixed": [["good", "good"], ["good", "bad"], ["bad", "bad"]], "seat_rotation": "all",
      "blocks": 12}, "scenarios": [{"game": "classic"}]})");
  folder.succeeds({"run", "s.json", "--quiet"});
  folder.succeeds({"report", "s.agon", "--metagame-agents", "all", "--html", "s.html"});
  const std::string page = folder.read("s.html");
  CHECK(contains(page, "Best replies in "));
  // In the dilemma both who cooperate gain by defecting, whatever the other does.
  CHECK(count(page, "bad to good: ") == 2);
  CHECK(count(page, "good to bad: ") == 0);
  CHECK(count(page, "good, good: nobody gains by another choice") == 1);
  folder.succeeds({"report", "s.agon", "--metagame-agents", "all", "--svg", "plots"});
  CHECK(folder.has("plots/gains-best-replies.svg"));
}

TEST_CASE("all papers' tables of an archive come in one page", "[plots]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 3,
    "agents": {"a": {"rule": "time-dependent"}, "b": {"rule": "tit-for-tat"}},
    "design": {"focal": ["a", "b"], "background": "a", "blocks": 3},
    "scenarios": [{"game": "bargaining"}]})");
  REQUIRE(folder.agon({"run", "s.json", "--quiet"}).code == 0);
  folder.succeeds({"report", "s.agon", "--with-paper-tables", "--html", "s.html"});
  const std::string page = folder.read("s.html");
  for (const char* id : {"bargaining/experiment-a", "bargaining/figure-2", "bargaining/figure-5"})
    CHECK(contains(page, std::string("<section class=\"") + id + "\" id="));
  CHECK(contains(page, "<h2>Who played</h2>"));
  CHECK(!contains(page, "<section class=\"game-theory/"));
  REQUIRE(folder.agon({"report", "s.agon", "--html", "s.html"}).code == 0);
  CHECK(!contains(folder.read("s.html"), "bargaining/experiment-a"));
  CHECK(
      folder
          .agon({"report", "s.agon", "--with-paper-tables", "--paper-table", "bargaining/figure-2"})
          .code != 0);
}
