// Games in other words, as a person uses them.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <map>
#include <sstream>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;
namespace bj = boost::json;

namespace {

/// One model bids what it is told that the item is worth, in whichever words; one knows those of
/// the original alone, and answers at random elsewhere.
std::string recall_suite(const std::string& skins) {
  return R"({
"suite": "recall", "seed": 3,
"models": {
  "reader": {"provider": "mock", "model": "reader",
    "mock": {"replies": [{"when": "is worth (\\d+) [a-z]+", "say": "{\"$name\":$1}"}]}},
  "knower": {"provider": "mock", "model": "knower",
    "mock": {"replies": [{"when": "item is worth (\\d+) dollars", "say": "{\"bid\":$1}"}]}}},
"agents": {"reader": {"llm": "reader"}, "knower": {"llm": "knower"},
           "value": "truthful", "floor": "random"},
"design": {"focal": ["reader", "knower", "value"], "background": "floor", "blocks": 20},
"scenarios": [{"game": "sealed-bid", "set": {"rounds": 2}}])" +
         (skins.empty() ? "" : ", \"skins\": " + skins) + "}";
}

std::string with_skins(const std::string& game, const std::string& skins) {
  return R"({"agents": {"a": "random"}, "design": {"round_robin": true, "blocks": 1},
"scenarios": [{"game": ")" +
         game + R"("}],
"skins": )" +
         skins + "}";
}

/// A skin in a file of its own.
std::string skin(const std::string& words, const std::string& more = "") {
  return R"({"story": "Test", "words": {)" + words + "}" + more + "}";
}

/// The cells of a CSV file without quoted commas.
std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    auto& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return rows;
}

}  // namespace

TEST_CASE("skins: who knows the original's words has a recall gap, who reads the rules has none") {
  const Folder folder;
  folder.write("recall.json",
               recall_suite(R"(["fishing-permits", "grazing-land", {"generated": 7}])"));
  folder.succeeds({"run", "recall.json", "--out", "r.agon"});
  const bj::value report = bj::parse(folder.succeeds({"report", "r.agon", "--json"}).out);
  const auto gap = [&](const std::string& agent) {
    return agon::test::figure(report,
                              {{"section", "recall"}, {"agent", agent}, {"metric", "recall_gap"}});
  };
  CHECK(gap("reader").at("value").to_number<double>() == 0);
  CHECK(gap("value").at("value").to_number<double>() == 0);
  CHECK(gap("knower").at("value").to_number<double>() > 0.05);
  CHECK(gap("knower").at("low").to_number<double>() > 0);
  const std::string text = folder.succeeds({"report", "r.agon"}).out;
  check_has(text, {"Recall gap", "knower", "reader"});
  // Whatever the words, it is one agent: no other name in each scenario.
  check_lacks(text, {"(prompts of", "reader (", "knower ("});
  // Nor in the game over agents.
  const std::string game = folder.succeeds({"report", "r.agon", "--metagame-agents", "all"}).out;
  check_has(game, {"knower", "reader"});
  check_lacks(game, {"knower@", "reader@"});
  // Without skins there is no such section.
  folder.write("plain.json", recall_suite(""));
  folder.succeeds({"run", "plain.json", "--out", "plain.agon"});
  check_lacks(folder.succeeds({"report", "plain.agon"}).out, {"Recall gap"});
}

TEST_CASE("skins: play proves that the game is the same") {
  const Folder folder;
  folder.write("s.json", recall_suite("10"));
  folder.succeeds({"run", "s.json", "--out", "s.agon"});
  folder.succeeds({"export", "s.agon", "--out", "seats.csv"});
  // What the seats of each scenario got, without the matches of the model that is at a loss.
  const std::vector<std::vector<std::string>> rows = rows_of(folder.read("seats.csv"));
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(rows.front(), name) - rows.front().begin());
  };
  std::map<std::string, std::vector<std::string>> by_scenario;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][column("line_up")].find("knower") != std::string::npos) continue;
    std::string got;
    for (const char* name : {"line_up", "block", "assignment", "seat", "agent", "payoff", "rank"})
      got += rows[i][column(name)] + " ";
    by_scenario[rows[i][column("scenario")]].push_back(got);
  }
  REQUIRE(by_scenario.size() == 11);
  for (auto& [scenario, got] : by_scenario) {
    std::ranges::sort(got);
    INFO(scenario);
    CHECK(got.size() >= 240);
    CHECK(got == by_scenario.at("sealed-bid"));
  }
  // The words of models map back to what the records have.
  check_has(folder.succeeds({"replay", "s.agon"}).out, {"1980"});
}

TEST_CASE("skins: the rules in other words, for people who check them") {
  const Folder folder;
  const Ended told = folder.succeeds({"describe", "sealed-bid", "--skin", "fishing-permits"});
  check_has(told.out, {"skippers compete for one permit", "Skipper Astrid", "kroner"});
  check_lacks(told.out.substr(0, told.out.find("Words\n")), {"bidder", "dollars", "auction"});
  check_has(folder.succeeds({"describe", "sealed-bid", "--skin", "generated-3"}).out,
            {"generated-3"});
  folder.refuses({"describe", "sealed-bid", "--skin", "fishing-permit"}, 3,
                 {"unknown skin 'fishing-permit'", "did you mean 'fishing-permits'"});
  folder.refuses({"describe", "play-rating", "--skin", "x"}, 3, {"the game has no skins"});
}

/// A person and rule agents, in the words of a skin whose amounts are shown times 10.
std::string town(const std::string& more = "") {
  return R"({"suite": "town", "seed": 4, "agents": {"me": "human", "rule": "random"}, )" + more +
         R"("design": {"fixed": [["me", "rule", "rule", "rule", "rule"]], "seat_rotation": "as-listed"},
"scenarios": [{"game": "water-allocation", "set": {"days": 2}, "blocks": 1}],
"skins": ["oxygen"]})";
}

TEST_CASE("skins: a person reads what a model reads, answers in it, and so does who looks on") {
  const Folder folder;
  folder.write("t.json", town());
  // The skin's match comes first: 15.05 is no amount in it. The original's are the same bids.
  const Ended run =
      folder.succeeds({"run", "t.json", "--jobs", "1"}, {.in = "15.05\n30\n{\"offer\": 40}\n"
                                                               "3\n4\n"});
  const std::size_t parts = run.err.rfind("Water Allocation");
  REQUIRE(parts != std::string::npos);
  const std::string shown = run.err.substr(0, parts), original = run.err.substr(parts);
  check_has(original, {"You are Alex", "units of water", "$70", "bid (0 to 70 dollars"});
  check_has(shown, {"Oxygen Allocation", "You are Vega", "CR 700", "offer (0 to 700 coins",
                    "amounts go in steps of 0.1", "CR 30 "});
  check_lacks(shown, {"water", "Water", "Alex", "Bob", "drought", "dollar", "$", " bid"});
  // Both were the same match.
  CHECK(folder.agon({"replay", "t.agon"}).code == 0);
  const auto seats = rows_of(folder.agon({"export", "t.agon"}).out);
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(seats.front(), name) - seats.front().begin());
  };
  std::map<std::string, std::vector<std::string>> by_scenario;
  for (std::size_t i = 1; i < seats.size(); ++i)
    by_scenario[seats[i][column("scenario")]].push_back(seats[i][column("payoff")] + " " +
                                                        seats[i][column("metric_bid_sum")]);
  REQUIRE(by_scenario.size() == 2);
  CHECK(by_scenario.at("water-allocation") == by_scenario.at("water-allocation/oxygen"));
  // What was played is shown in the words in which it was; programs get the game's own.
  const std::string match = folder.succeeds({"show", "t.agon", "1"}).out;
  check_has(match, {"told in the words of 'oxygen'", "Vega offer: offer 40 coins", "CR 30 "});
  check_lacks(match.substr(match.find('\n')),
              {"water", "Alex", "Bob", "drought", "dollar", " bid"});
  CHECK(folder.agon({"show", "t.agon", "1", "--seat", "Vega"}).code == 0);
  check_lacks(folder.succeeds({"show", "t.agon", "2"}).out, {"oxygen", "Vega", "offer"});
  const std::string record = folder.succeeds({"show", "t.agon", "1", "--json"}).out;
  check_has(record, {"\"bid\": 3"});
  check_lacks(record, {"offer", "Vega"});
  // A person is one participant too, whatever the words.
  check_lacks(folder.succeeds({"report", "t.agon"}).out, {"(prompts of", "me ("});
}

TEST_CASE("skins: a person plays one match in other words, on the draws of the original") {
  const Folder folder;
  const std::vector<std::string> original{"play",   "water-allocation", "--set",  "days=2",
                                          "--seat", "0=human",          "--seed", "4"};
  std::vector<std::string> other = original;
  other.insert(other.end(), {"--skin", "oxygen", "--out", "p.agon"});
  const Ended shown = folder.succeeds(other, {.in = "30\n40\n"});
  check_has(shown.err, {"Oxygen Allocation", "You are Vega", "offer (0 to 700 coins"});
  check_lacks(shown.err, {"water", "Alex", "drought", "dollar", "$", " bid"});
  check_has(shown.out, {"Vega"});
  const Ended plain = folder.succeeds(original, {.in = "3\n4\n"});
  check_has(plain.out, {"Alex"});
  // The scores are the game's own.
  const auto score = [](const Ended& end) { return end.out.substr(end.out.find("human")); };
  CHECK(score(shown) == score(plain));
  CHECK(folder.agon({"replay", "p.agon"}).code == 0);
  check_has(folder.succeeds({"show", "p.agon", "1"}).out, {"told in the words of 'oxygen'"});
  folder.refuses({"play", "water-allocation", "--skin", "oxygn"}, 3, {"did you mean 'oxygen'"});
}

TEST_CASE("skins: what would show people other words is refused") {
  const Folder folder;
  folder.write("i.md", "Read this.\n");
  folder.write("t.json", town(R"("people": {"participants": 1, "language": "de"}, )"));
  folder.refuses({"run", "t.json"}, 5, {"people read 'de'", "skins are in English"});
}

TEST_CASE("skins: a false skin is refused with its place") {
  const Folder folder;
  struct False {
    std::string file;
    std::string says;
  };
  const False all[] = {
      {skin(R"("bid": "offer", "item": "offer")"),
       "$.words.item: 'bid' and 'item' are both 'offer' in the skin"},
      {skin(R"("item": "winner")"),
       "w.json:3:11 ($.skins[0]): the skin 'own' does not fit scenario 'sealed-bid': the rules: "
       "'winner', which stands for 'item', is a word of the text"},
      {skin(R"("item|items": "lot")"),
       R"($.words["item|items"]: has 2 forms, and its word of the skin has 1)"},
      {skin("", R"(, "scale": 7)"), "$.scale: a scale of 7 would show fractions of a cent"},
      {skin("", R"(, "size": 7)"), "($.size): unknown key 'size'"},
  };
  for (const False& one : all) {
    folder.write("own.json", one.file);
    folder.write("w.json", with_skins("sealed-bid", R"(["own.json"])"));
    INFO(one.file);
    const Ended ended = folder.agon({"run", "w.json"});
    CHECK(ended.code == 5);
    check_has(ended.err, {one.says});
    CHECK_FALSE(folder.has("w.agon"));
  }
  const auto refuses = [&](const std::string& game, const std::string& skins, const Words& says) {
    folder.write("w.json", with_skins(game, skins));
    INFO(skins);
    const Ended ended = folder.agon({"run", "w.json"});
    CHECK(ended.code == 5);
    check_has(ended.err, says);
  };
  refuses("sealed-bid", "0", {"$.skins", "1 to 1000"});
  refuses("sealed-bid", R"(["vineyard"])", {"$.skins[0]", "unknown skin 'vineyard'"});
  refuses("sealed-bid", R"(["cargo-slots", "cargo-slots"])", {"$.skins[1]", "duplicate"});
}

TEST_CASE("skins: shipped skins fit all that their games say") {
  const Folder folder;
  for (const char* game :
       {"bargaining", "classic", "clock-auction", "deal-or-no-deal", "ebay", "english-auction",
        "guess-average", "sealed-bid", "survival-auction", "water-allocation"}) {
    const Ended ended = folder.agon({"check", game, "--only", "skins"});
    INFO(game << ended.out << ended.err);
    CHECK(ended.code == 0);
    check_has(ended.out, {"11 skins"});
  }
}

TEST_CASE("agon solve: payoffs change, equilibria stay, and other games have others") {
  const Folder folder;
  const auto changed = [&](const std::string& game, const std::string& set) {
    return R"({"agents": {"a": "random"}, "scenarios": [{"game": "classic",
"set": {"game": ")" +
           game + R"(")" + set + "}}]}";
  };
  for (const char* game : {"prisoners-dilemma", "battle-of-sexes", "rock-paper-scissors"})
    for (const char* size : {"0.1", "3"}) {
      folder.write("c.json", changed(game, std::string(R"(, "payoff_change": )") + size +
                                               R"(, "change_seed": 5)"));
      INFO(game << " " << size);
      check_has(folder.succeeds({"solve", "c.json", "--same-as", game}).out,
                {"has the same equilibria"});
      CHECK(folder.succeeds({"solve", "c.json"}).out != folder.succeeds({"solve", game}).out);
    }
  const Ended other = folder.agon({"solve", "stag-hunt", "--same-as", "battle-of-sexes"});
  CHECK(other.code == 1);
  check_has(other.out, {"has other equilibria", "in stag-hunt alone: mixed (1/3 2/3; 1/3 2/3)",
                        "in battle-of-sexes alone: mixed (2/3 1/3; 1/3 2/3)"});
  CHECK(folder.agon({"solve", "draco", "--same-as", "stag-hunt"}).code == 1);
  folder.refuses({"solve", "stag-hunt", "--same-as"}, 2, {"--same-as needs a game"});
  folder.write("t.json", changed("draco", R"(, "payoff_change": 1)"));
  folder.refuses({"run", "t.json"}, 5, {"payoff_change is for payoff tables"});
}
