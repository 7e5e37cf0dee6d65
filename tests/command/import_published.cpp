// Runs that others published, read by `agon import` into archives. The samples are our own.

#include <fmt/format.h>

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <tuple>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

namespace bj = boost::json;

/// Imports and expects an archive.
bj::value imported(const Folder& folder, const std::string& importer, const std::string& path,
                   int code, const std::string& out = "p.agon") {
  const Ended ended = folder.agon({"import", importer, path, "--out", out, "--json"});
  INFO(ended.err);
  CHECK(ended.code == code);
  CHECK(folder.has(out));
  CHECK(folder.agon({"replay", out}).code == 0);
  return json_of(ended.out);
}

/// Imports and expects that nothing is left, and so no archive; returns what it says.
std::string refused(const Folder& folder, const std::string& importer, const std::string& path,
                    int code = 5) {
  const Ended ended = folder.agon({"import", importer, path, "--out", "none.agon"});
  CHECK(ended.code == code);
  CHECK_FALSE(folder.has("none.agon"));
  return ended.err;
}

std::size_t size(const bj::value& report, std::string_view member) {
  return report.at(member).as_array().size();
}

std::int64_t whole(const bj::value& report, std::string_view member) {
  return report.at(member).to_number<std::int64_t>();
}

// ---- the water game ----------------------------------------------------------------------------

constexpr std::array<const char*, 5> kNames{"Alex", "Bob", "Cindy", "David", "Eric"};
constexpr std::array<int, 5> kSalaries{70, 75, 100, 120, 120};

/// Alex gets water for `bid` on the first of five days; nobody else ever pays what was bid, so that
/// all are dead in the end. The log of one resident tells what all were told.
std::string water_log(const std::string& bid = "40", int days = 5) {
  constexpr std::array<int, 5> dry_hp{7, 5, 2, -2, 0}, alex_hp{10, 9, 7, 4, 0};
  bj::array told{
      bj::object{{"role", "system"},
                 {"content", "The total daily water supply will vary between 10 and 20 units."}}};
  for (int day = 0; day < days; ++day) {
    const auto d = static_cast<std::size_t>(day);
    std::string bids, evening;
    for (std::size_t i = 0; i < (day < 4 ? 5U : 1U); ++i) {
      const bool wins = i == 0 && day == 0;
      bids += fmt::format("{}{} bid {}", bids.empty() ? "" : ", ", kNames[i], wins ? bid : "5000");
      const int balance = kSalaries[i] * (day + 1) - (i == 0 ? 40 : 0);
      evening += fmt::format("{}NAME:{}\tBALANCE:{}\tHEALTH POINT:{}\tNO_DRINK:{}",
                             evening.empty() ? "" : "\n", kNames[i], balance,
                             i == 0 ? alex_hp[d] : dry_hp[d], i == 0 ? day + 1 : day + 2);
    }
    told.push_back(
        bj::object{{"role", "system"},
                   {"content", fmt::format("Hello, Alex! Today is the Day {} of it.", day + 1)}});
    told.push_back(bj::object{{"role", "assistant"}, {"content", "Water at all costs."}});
    told.push_back(bj::object{
        {"role", "system"},
        {"content",
         fmt::format("Thank you all for participating in Round {}. In this round, {}.\nTotal water "
                     "resource supply is {}. When tied, {} won this auction and obtain water. All "
                     "is as follows: {}",
                     day + 1, bids, 11 + day, day == 0 ? "Alex" : "no one", evening)}});
  }
  return bj::serialize(bj::object{{"A", told}, {"B", bj::array{told.front()}}});
}

// ---- auctions ----------------------------------------------------------------------------------

bj::object round_of(std::vector<int> values, const std::vector<double>& bids, int winner,
                    double price, std::vector<double> profits, int common = 0) {
  constexpr std::array<const char*, 3> names{"Bidder Andy", "Bidder Betty", "Bidder Charles"};
  bj::array history;
  for (std::size_t i = bids.size(); i-- > 0;)
    history.push_back(bj::object{{"agent", names[i]}, {"bid", bids[i]}});
  return {{"value", bj::value_from(values)},
          {"history",
           bj::object{{"bidding history", history},
                      {"winner", bj::object{{"winner", names[static_cast<std::size_t>(winner)]},
                                            {"price", price}}}}},
          {"profit", bj::value_from(profits)},
          {"common", common},
          {"plan", bj::array{"", "", ""}}};
}

std::string rounds(const std::vector<bj::object>& all) {
  bj::object log;
  for (std::size_t i = 0; i < all.size(); ++i) log["round_" + std::to_string(i)] = all[i];
  return bj::serialize(log);
}

/// One call of an eBay auction: who is asked on which day, after these prices, and bids or not.
std::string ebay_call(const std::string& who, int value, int day, const std::vector<int>& prices,
                      int bid) {
  std::string prompt = fmt::format(
      "You are Bidder {}. Your private value for this item is ${}. There are in total 10 days, "
      "and this is day {}. Prices:\n",
      who, value, day);
  for (const int price : prices) prompt += fmt::format("the price became {} \n", price);
  const std::string said =
      fmt::format("<ACTION> {} </ACTION>\n<AMOUNT> {} </AMOUNT>", bid > 0 ? "BID" : "HOLD", bid);
  const bj::object reply{
      {"choices", bj::array{bj::object{{"message", bj::object{{"content", said}}}}}}};
  return bj::serialize(bj::object{{"0123", bj::object{{"model", "gpt-4o"},
                                                      {"user_prompt", prompt},
                                                      {"output", bj::serialize(reply)}}}}) +
         "\n";
}

/// Two auctions at once, call by call in turn: in each everybody bids on day 0 and holds.
std::string ebay_log(int days = 10) {
  const std::array<std::array<int, 3>, 2> values{{{30, 80, 50}, {90, 20, 60}}};
  const std::array<std::array<int, 3>, 2> after{{{0, 31, 51}, {0, 21, 61}}};
  constexpr std::array<const char*, 3> names{"Andy", "Betty", "Charles"};
  std::array<std::vector<int>, 2> prices;
  std::string log;
  for (int day = 0; day < days; ++day)
    for (std::size_t turn = 0; turn < 3; ++turn)
      for (std::size_t a = 0; a < 2; ++a) {
        log +=
            ebay_call(names[turn], values[a][turn], day, prices[a], day == 0 ? values[a][turn] : 0);
        prices[a].push_back(day == 0 ? after[a][turn] : after[a][2]);
      }
  return log;
}

constexpr const char* kDialogues =
    "<input> 1 4 2 3 3 0 </input> <dialogue> YOU: both hats ? <eos> THEM: fine <eos> YOU: "
    "<selection> </dialogue> <output> item0=0 item1=2 item2=0 item0=1 item1=0 item2=3 </output> "
    "<partner_input> 1 1 2 0 3 3 </partner_input>\n"
    "<input> 1 1 2 0 3 3 </input> <dialogue> THEM: both hats ? <eos> YOU: fine <eos> THEM: "
    "<selection> </dialogue> <output> item0=1 item1=0 item2=3 item0=0 item1=2 item2=0 </output> "
    "<partner_input> 1 4 2 3 3 0 </partner_input>\n"
    "<input> 1 4 2 3 3 0 </input> <dialogue> THEM: all for me <eos> YOU: <selection> </dialogue> "
    "<output> <disagree> <disagree> <disagree> <disagree> <disagree> <disagree> </output> "
    "<partner_input> 1 1 2 0 3 3 </partner_input>\n";

/// An auction of three items, the last one tied, and one that nobody wants.
std::string memo(int profit = 800) {
  const std::string log =
      "## Auction Log\n\n### 1. Widget A, starting at $1000.\n\n\n#### 1st bid:\n\n"
      "* Bidder 1: $1200\n* Bidder 2: $1000\n* Bidder 3: $1200\n\n#### 2nd bid:\n\n"
      "* Bidder 1: $1300\n* Bidder 2: Withdrew\n\n#### 3rd bid:\n\n* Bidder 3: $1400\n\n"
      "#### 4th bid:\n\n* Bidder 1: $1500\n\n#### 5th bid:\n\n* Bidder 3: Withdrew\n\n"
      "#### Hammer price (true value):\n\n* Bidder 1: $1500 ($2000)\n\n"
      "### 2. Doodad D, starting at $1000.\n\n\n#### 1st bid:\n\n* Bidder 1: $1200\n"
      "* Bidder 2: $1200\n* Bidder 3: $1100\n\n#### 2nd bid:\n\n* Bidder 1: Withdrew\n"
      "* Bidder 3: Withdrew\n\n#### Hammer price (true value):\n\n* Bidder 2: $1200 ($2000)\n\n"
      "### 3. Gadget B, starting at $5000.\n\n\n#### 1st bid:\n\n* Bidder 1: Withdrew\n"
      "* Bidder 2: Withdrew\n* Bidder 3: Withdrew\n\n#### Hammer price (true value):\n\n"
      "* None bid";
  bj::array reports;
  bj::object models, profits;
  for (int i = 1; i <= 3; ++i) {
    const std::string name = "Bidder " + std::to_string(i);
    reports.push_back(bj::value(fmt::format("* {}, starting with $10000, did well.", name)));
    models[name] = i == 3 ? "rule" : "gpt-4";
    profits[name] = i == 1 ? 500 : i == 2 ? profit : 0;
  }
  return bj::serialize(bj::object{
      {"auction_log", log}, {"memo_text", reports}, {"profit", profits}, {"model_info", models}});
}

}  // namespace

TEST_CASE("published games of water come into an archive and stand in every command") {
  const Folder folder;
  folder.write("logs/WAC_nopersona_10_20_1.json", water_log());
  const Ended ended = folder.succeeds({"import", "alympics-water", "logs", "--out", "p.agon"});
  check_has(ended.out, {"1 games with 5 days of water",
                        "1 match in p.agon; 85 of 85 published figures agree with our rules"});
  CHECK(folder.agon({"replay", "p.agon"}).code == 0);
  CHECK(contains(folder.agon({"report", "p.agon"}).out, "published: gpt-4-32k"));
  CHECK(contains(
      folder.agon({"report", "p.agon", "--paper-table", "alympics/lowest-winning-bids"}).out,
      "published: gpt-4-32k"));
  const std::string shown = folder.agon({"show", "p.agon", "1"}).out;
  check_has(shown, {"WAC_nopersona_10_20_1.json:1, of github.com/microsoft/Alympics", "(MIT)",
                    "chance: supply at 1 was given as 11", "Water at all costs."});
  CHECK(contains(folder.agon({"export", "p.agon"}).out, "published: gpt-4-32k"));

  // The same again changes nothing; runs of ours come beside it.
  const auto again = imported(folder, "alympics-water", "logs", 0);
  CHECK(whole(again, "before") == 1);
  CHECK(whole(again, "matches") == 1);
  CHECK(finished(folder.at("p.agon")) == 1);
  folder.write("ours.json", R"({"suite": "ours", "seed": 1, "agents": {"ours": "survivor"},
      "design": {"fixed": [["ours", "ours", "ours", "ours", "ours"]], "blocks": 2},
      "scenarios": [{"game": "water-allocation", "preset": "paper"}]})");
  CHECK(folder.agon({"run", "ours.json", "--out", "p.agon"}).code == 0);
  const std::string both = folder
                               .agon({"report", "p.agon", "--all-suites", "--paper-table",
                                      "alympics/lowest-winning-bids"})
                               .out;
  check_has(both, {"published: gpt-4-32k", "ours"});
  CHECK(folder.agon({"replay", "p.agon"}).code == 0);
}

TEST_CASE("what our rules do not come to is listed match by match") {
  const Folder folder;
  std::string log = water_log();
  const std::string there = "NAME:Alex\\tBALANCE:30\\t";
  log.replace(log.find(there), there.size(), "NAME:Alex\\tBALANCE:31\\t");
  folder.write("logs/one.json", log);
  folder.write("logs/two.json", water_log());
  const auto report = imported(folder, "alympics-water", "logs", 5);
  CHECK(whole(report, "matches") == 2);
  REQUIRE(size(report, "disagreements") == 1);
  const auto& d = report.at("disagreements").at(0);
  CHECK(d.at("file").as_string() == "logs/one.json");
  CHECK(d.at("what").as_string() == "day 1: balance of Alex");
  CHECK(d.at("ours").to_number<double>() == 30);
  CHECK(d.at("published").to_number<double>() == 31);
  const Ended told = folder.agon({"import", "alympics-water", "logs", "--out", "p.agon"});
  CHECK(contains(told.out, "day 1: balance of Alex: ours 30, published 31"));
}

TEST_CASE("logs that cannot be imported are named, and nothing is half written") {
  const Folder folder;
  const auto water = [&](const std::string& text) {
    folder.write("w.json", text);
    const std::string said = refused(folder, "alympics-water", "w.json");
    CHECK(contains(said, "w.json:1: "));
    return said;
  };
  CHECK(contains(water(water_log().substr(0, 900)), "w.json:1: "));  // cut in the middle
  CHECK(contains(water(water_log("40", 4)), "the log ends after day 4 of 20"));
  CHECK(contains(water("[1, 2]"), "this is no record of the water game"));
  CHECK(contains(water(R"({"A": [{"role": "system", "content": "Version 2"}]})"), "lacks"));
  CHECK(contains(water("so it goes"), "is not a value"));
  // Money has two decimals.
  CHECK(contains(water(water_log("40.125")), "our rules refuse what Alex says at stage 'bid'"));

  // One bad log among good ones is left out.
  folder.write("logs/bad.json", "{}");
  folder.write("logs/good.json", water_log());
  const auto report = imported(folder, "alympics-water", "logs", 5);
  CHECK(whole(report, "matches") == 1);
  REQUIRE(size(report, "left_out") == 1);
  CHECK(report.at("left_out").at(0).at("file").as_string() == "logs/bad.json");

  std::filesystem::create_directory(folder.at("empty"));
  CHECK(contains(refused(folder, "alympics-water", "empty", 3), "no file ending in .json"));
  CHECK(contains(refused(folder, "alympics-water", "nowhere", 3), "nowhere"));
  folder.refuses({"import", "alympics-water", "w.json"}, 2, {"--out"});
}

TEST_CASE("what is wrong with a log is told with its place and what helps") {
  const Folder folder;
  const auto refusal = [&](const std::string& importer, const std::string& file,
                           const std::string& text) {
    folder.write(file, text);
    return refused(folder, importer, std::filesystem::path(file).parent_path().string());
  };
  const std::string sealed = rounds({round_of({26, 25, 20}, {10, 20, 20}, 2, 20, {0, 0, 0})});
  const std::string result = "private_second_price/result_1.json";
  std::string said = refusal("llm-auctions", result, sealed.substr(0, sealed.size() / 2));
  check_has(said, {result + ":1: ",
                   "; the log is cut, or was edited: fetch it again as it was published"});
  std::string other = sealed;
  other.replace(other.find("\"history\""), 9, "\"log\"");
  said = refusal("llm-auctions", result, other);
  check_has(said, {result + ":1: missing key \"history\" at $.round_0",
                   "of another version, or was edited: give it as it was published"});
  said = refusal("llm-auctions", result,
                 rounds({round_of({26, 25, 20}, {10, -20, 20}, 2, 20, {0, 0, 0})}));
  check_has(said, {result + ":1: our rules refuse what Bidder Betty says at stage 'bid'",
                   "; compare the log with its publication"});

  const std::string calls = "ebay_proxy/raw_output.jsonl";
  said = refusal("llm-auctions-ebay", calls, ebay_log().substr(0, 3000));
  check_has(said, {calls + ":", "fetch it again as it was published"});
  CHECK(contains(refusal("llm-auctions-ebay", calls, ebay_log(3)), "give the raw logs"));
  // Raw logs of sealed bids that are played once hold no bid.
  folder.write("one/raw_output.jsonl",
               R"({"1": {"model": "gpt-4", "user_prompt": "You are Bidder Andy. You will submit a )"
               R"(bid privately. Write your plans.", "output": "{}"}})");
  CHECK(contains(refused(folder, "llm-auctions-ebay", "one"),
                 "one/raw_output.jsonl:1: this is a raw log of sealed bids: it holds the bidders' "
                 "plans, and no value and no bid"));
}

TEST_CASE("an import that finds no room leaves what was there, and no new file") {
  const Folder folder;
  folder.write("logs/one.json", water_log());
  folder.write("more/two.json", water_log("41"));
  const Ended none = folder.agon({"import", "alympics-water", "logs", "--out", "p.agon"},
                                 {.most_file_bytes = 8192});
  INFO(none.err);
  CHECK(none.code != 0);
  for (const char* name : {"p.agon", "p.agon-wal", "p.agon-shm"}) CHECK_FALSE(folder.has(name));
  imported(folder, "alympics-water", "logs", 0);
  REQUIRE(finished(folder.at("p.agon")) == 1);
  const Ended again = folder.agon({"import", "alympics-water", "more", "--out", "p.agon"},
                                  {.most_file_bytes = 8192});
  INFO(again.err);
  CHECK(again.code != 0);
  REQUIRE(folder.has("p.agon"));
  CHECK(finished(folder.at("p.agon")) == 1);
}

TEST_CASE("a folder of logs may itself be the one that says what they are of") {
  const Folder folder;
  folder.write("V10/GPT-4o/private_second_price/result_1.json",
               rounds({round_of({26, 25, 20}, {10, 20, 20}, 2, 20, {0, 0, 0})}));
  for (const char* path : {"V10", "V10/GPT-4o", "V10/GPT-4o/"}) {
    std::filesystem::remove(folder.at("p.agon"));
    imported(folder, "llm-auctions", path, 0);
    CHECK(contains(folder.agon({"export", "p.agon"}).out, "published: gpt-4o"));
  }
  std::filesystem::remove(folder.at("p.agon"));
  imported(folder, "llm-auctions", "V10/GPT-4o/private_second_price", 0);
  CHECK(finished(folder.at("p.agon")) == 1);
}

TEST_CASE("an import that is killed is completed by the next and leaves nothing behind") {
  const Folder folder;
  for (int jackpot = 0; jackpot < 30; ++jackpot) {
    bj::array decisions;
    for (int i = 0; i < 20; ++i)
      decisions.push_back(
          bj::object{{"Alice_action", i % 2 == 0 ? "choice_1" : "choice_2"},
                     {"Bob_action", (i + jackpot) % 3 == 0 ? "choice_1" : "choice_2"}});
    folder.write(fmt::format("balls/witty_{}.json", 250 + jackpot),
                 bj::serialize(bj::object{{"decisions", decisions}, {"negotiation", bj::array{}}}));
  }
  // Whether SQLite has put away its files beside the whole one is not what this is about.
  const auto files = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.at(".")))
      if (const std::string name = entry.path().filename().string();
          !name.starts_with("whole.agon-"))
        names.insert(name);
    return names;
  };
  const auto begin = std::chrono::steady_clock::now();
  imported(folder, "golden-balls", "balls", 0, "whole.agon");
  const auto took = std::chrono::steady_clock::now() - begin;
  const std::set<std::string> kept = files();
  for (int tenth = 1; tenth <= 9; ++tenth) {
    {
      Child import({"import", "golden-balls", "balls", "--out", "p.agon"}, folder.start());
      const auto until = std::chrono::steady_clock::now() + took * tenth / 10;
      while (std::chrono::steady_clock::now() < until && import.step()) {
      }
      import.send(SIGKILL);
      import.end();
    }
    const auto report = imported(folder, "golden-balls", "balls", 0);
    INFO(tenth);
    CHECK(whole(report, "matches") == 600);
    CHECK(finished(folder.at("p.agon")) == 600);
    CHECK(content(folder, "p.agon") == content(folder, "whole.agon"));
    std::filesystem::remove(folder.at("p.agon"));
    CHECK(files() == kept);
  }
}

TEST_CASE("what the paper prints stands beside its published runs") {
  const Folder folder;
  folder.write("WAC_nopersona_10_20_1.json", water_log());
  imported(folder, "alympics-water", "WAC_nopersona_10_20_1.json", 0);
  for (const auto& [table, printed, ours] : {std::tuple("alympics/survival-rates", "0.70", "0.0"),
                                             std::tuple("alympics/table-2", "0.83", ""),
                                             std::tuple("alympics/median-bids", "185.7", "40.0")}) {
    const std::string shown = folder.agon({"report", "p.agon", "--paper-table", table}).out;
    INFO(shown);
    CHECK(contains(shown, "setting 1 (low supply, no persona)\n") +
              contains(shown, "setting 1 (low supply, no persona) ") >
          0);
    check_has(shown, {printed, "published: g", ours});
  }
}

TEST_CASE("published auctions: sealed bids, a clock, and profits that no rule gives") {
  const Folder folder;
  // In all-pay auctions the losers were credited their value less their bid.
  folder.write("V10/private_all_pay/result_2.json",
               rounds({round_of({66, 31, 98}, {33, 6, 1}, 0, 33, {33, 25, 97}),
                       round_of({10, 20, 30}, {5, 20, 20}, 2, 20, {5, 0, 10})}));
  folder.write("V10/GPT-4o/private_second_price/result_1.json",
               rounds({round_of({26, 25, 20}, {10, 20, 20}, 2, 20, {0, 0, 0})}));
  folder.write("V10/affiliated_ac/result_1.json",
               rounds({round_of({23, 30, 35}, {23, 30, 30}, 2, 30, {0, 0, 5}, 17)}));
  const auto report = imported(folder, "llm-auctions", "V10", 5);
  CHECK(whole(report, "matches") == 3);
  REQUIRE(size(report, "disagreements") == 4);
  CHECK(report.at("disagreements").at(0).at("what").as_string() ==
        "round 1: profit of Bidder Betty");
  CHECK(report.at("disagreements").at(0).at("ours").to_number<int>() == -6);
  CHECK(report.at("disagreements").at(0).at("published").to_number<int>() == 25);
  CHECK(size(report, "left_out") == 0);
  const std::string all = folder.agon({"export", "p.agon"}).out;
  check_has(all, {"published: gpt-4o", "clock-auction"});

  // Fractions of a dollar are no bids; a folder of another name says nothing.
  folder.write("f/private_first_price/result_1.json",
               rounds({round_of({10, 20, 30}, {5, 1.5, 20}, 2, 20, {0, 0, 10})}));
  CHECK(contains(refused(folder, "llm-auctions", "f"), "our rules refuse what Bidder Betty says"));
  folder.write("g/something/result_1.json", rounds({}));
  CHECK(contains(refused(folder, "llm-auctions", "g"), "'something' names no treatment"));
}

TEST_CASE("published eBay auctions that ran at once are told apart") {
  const Folder folder;
  folder.write("raw_output.jsonl", ebay_log());
  const auto report = imported(folder, "llm-auctions-ebay", "raw_output.jsonl", 0);
  CHECK(whole(report, "matches") == 2);
  CHECK(whole(report, "figures") == 58);
  folder.write("raw_output.jsonl", ebay_log(3));
  CHECK(contains(refused(folder, "llm-auctions-ebay", "raw_output.jsonl"),
                 "the log ends on day 2 of 9: it is cut"));
  folder.write("raw_output.jsonl", "{\"a\": {\"user_prompt\": \"hello\", \"model\": \"m\"}}\n");
  CHECK(contains(refused(folder, "llm-auctions-ebay", "raw_output.jsonl"), "raw_output.jsonl:1: "));
}

TEST_CASE("published dialogues are matches, each once") {
  const Folder folder;
  folder.write("test.txt", kDialogues);
  const auto report = imported(folder, "deal-or-no-deal-dialogues", "test.txt", 0);
  CHECK(whole(report, "matches") == 2);
  const std::string shown =
      folder.agon({"show", "p.agon", "1"}).out + folder.agon({"show", "p.agon", "2"}).out;
  check_has(shown, {"both hats ?", "test.txt:3"});
  folder.write("pools.txt", "1,2,3 4,3,0 0,2,2\n");
  CHECK(contains(refused(folder, "deal-or-no-deal-dialogues", "pools.txt"),
                 "agon import deal-or-no-deal"));
}

TEST_CASE("published dialogues fill the paper's table of people") {
  const Folder folder;
  // Values that differ by 7 in all: in the column of 7 and those behind it. The book is worth more
  // to the side that did not take it, so that the split is not Pareto-optimal.
  folder.write("test.txt",
               "<input> 1 4 2 3 3 0 </input> <dialogue> YOU: both hats ? <eos> THEM: fine <eos> "
               "YOU: <selection> </dialogue> <output> item0=0 item1=2 item2=0 item0=1 item1=0 "
               "item2=3 </output> <partner_input> 1 0 2 2 3 2 </partner_input>\n");
  imported(folder, "deal-or-no-deal-dialogues", "test.txt", 0);
  const Ended table =
      folder.agon({"report", "p.agon", "--paper-table", "game-theory/table-9", "--csv"});
  INFO(table.out << table.err);
  const auto has = [&](const char* row, const char* column, const char* value) {
    return contains(table.out, fmt::format("{},{},{},", row, column, value));
  };
  CHECK(has("points", "7", "1"));
  CHECK(has("points", "6", "0"));
  CHECK(has("agreement", "7", "1"));
  CHECK(has("envy-free", "7", "1"));
  CHECK(has("Pareto-optimal", "7", "0"));
  CHECK(has("envy-free and Pareto-optimal", "7", "0"));
  CHECK_FALSE(has("agreement", "6", "1"));
}

TEST_CASE("published decisions in Golden Balls fill their table") {
  const Folder folder;
  folder.write("balls/friendly_1000_2.json", R"({"decisions": [
      {"Alice_action": "choice_1", "Bob_action": "choice_2"},
      {"Alice_action": "choice_1", "Bob_action": "choice_1"}], "negotiation": []})");
  const auto report = imported(folder, "golden-balls", "balls", 0);
  CHECK(whole(report, "matches") == 2);
  const std::string table =
      folder.agon({"report", "p.agon", "--paper-table", "game-theory/golden-balls", "--csv"}).out;
  INFO(table);
  CHECK(contains(table, "0.75"));
  // What people decided at other jackpots counts for the nearest: 3000 for 2500.
  folder.write("balls/people_3000.json", R"({"decisions": [
      {"Alice_action": "choice_1", "Bob_action": "choice_2"},
      {"Alice_action": "choice_2", "Bob_action": "choice_2"}], "negotiation": []})");
  std::filesystem::remove(folder.at("p.agon"));
  CHECK(whole(imported(folder, "golden-balls", "balls", 0), "matches") == 4);
  const auto curves = paper_table(folder, "p.agon", "game-theory/figure-12");
  CHECK(curves.row("people")[5].at("value") == 0.25);
  CHECK(curves.row("people")[4].at("value").is_null());
  CHECK(curves.row("friendly")[2].at("value") == 0.75);
  folder.write("balls/friendly.json", "{}");
  folder.write("other/unfriendly.json", "{}");
  CHECK(contains(refused(folder, "golden-balls", "other"), "personality and jackpot"));
}

TEST_CASE("memos of AucArena's program are matches of the English auction") {
  const Folder folder;
  folder.write("memo-0.json", memo());
  const auto report = imported(folder, "aucarena-memos", "memo-0.json", 0);
  CHECK(whole(report, "matches") == 1);
  CHECK(contains(folder.agon({"export", "p.agon"}).out, "published: rule"));
  folder.write("memo-1.json", memo(700));
  const auto wrong = imported(folder, "aucarena-memos", "memo-1.json", 5, "q.agon");
  REQUIRE(size(wrong, "disagreements") == 1);
  CHECK(wrong.at("disagreements").at(0).at("what").as_string() == "profit of Bidder 2");
  folder.write("memo-2.json", R"({"learnings": {}})");
  CHECK(
      contains(refused(folder, "aucarena-memos", "memo-2.json"), "this is no memo of an auction"));
}

TEST_CASE("the published runs themselves by the command") {
  const std::filesystem::path data = published_data();
  const Folder folder;
  const auto water = imported(folder, "alympics-water",
                              (data / "published-runs/alympics-water").string(), 0, "w.agon");
  CHECK(whole(water, "matches") == 10);
  CHECK(size(water, "disagreements") == 0);
  const auto auctions =
      imported(folder, "llm-auctions", (data / "published-runs/llm-auction").string(), 5, "a.agon");
  CHECK(whole(auctions, "matches") > 100);
  const auto balls =
      imported(folder, "golden-balls", (data / "game-theory-llm/golden-balls-results").string(), 0,
               "g.agon");
  CHECK(whole(balls, "matches") == 1700);
  const auto talks = imported(folder, "deal-or-no-deal-dialogues",
                              (data / "deal-or-no-deal/test.txt").string(), 0, "d.agon");
  CHECK(whole(talks, "matches") == 545);
}
