// The pages of experiments with auctions: what they print is what their commands print.

#include <fmt/format.h>

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <string>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

std::string experiment(const std::string& name) {
  return std::string(AGON_TEST_SOURCE) + "/scenarios/experiments/" + name + ".json";
}
std::string page(const std::string& name) {
  return read_file(std::string(AGON_TEST_SOURCE) + "/docs/experiments/" + name + ".md");
}

void run(const Folder& folder, std::vector<std::string> words) {
  words.insert(words.end(), {"--quiet", "--out", "a.agon"});
  folder.succeeds(words);
}

agon::test::PaperFigures table_of(const Folder& folder, const std::string& id) {
  return paper_table(folder, "a.agon", id);
}

/// "0.999", or "-" where there is no figure.
std::string figure(const boost::json::value& cell, int decimals) {
  const boost::json::value& value = cell.at("value");
  return value.is_null() ? "-" : fmt::format("{:.{}f}", value.to_number<double>(), decimals);
}

}  // namespace

TEST_CASE("the page on shills and collusion prints what its command does") {
  const Folder folder;
  run(folder, {"run", experiment("shill-and-collusion"), "--agent", "bidder=ring"});
  const auto table = table_of(folder, "experiments/shill-and-collusion");
  const std::string text = page("shill-and-collusion");
  REQUIRE(table.columns.size() == 9);
  int printed = 0;
  for (const auto& [label, cells] : table.rows) {
    const std::size_t at = label.find("reserve none: ");
    if (at == std::string::npos) continue;
    CHECK(cells.at(0).at("value").to_number<double>() == 40);
    std::string line = "| " + label.substr(at + 14) + " |";
    const std::array<int, 7> decimals{3, 3, 0, 0, 0, 0, 2};
    for (std::size_t c = 0; c < decimals.size(); ++c)
      line += " " + figure(cells.at(c + 1), decimals[c]) + " |";
    INFO(line);
    CHECK(contains(text, line));
    ++printed;
  }
  CHECK(printed == 8);
}

TEST_CASE("the page on a seller that acts prints what its command does") {
  const Folder folder;
  run(folder, {"run", experiment("acting-seller"), "--agent", "bidder=value-cap", "--agent",
               "seller=brisk"});
  std::map<std::string, std::array<double, 4>> sums;
  int matches = 0;
  for (const std::string& line :
       lines(folder.agon({"export", "a.agon", "--rows", "matches", "--json"}).out)) {
    const boost::json::value match = json_of(line);
    const std::string row =
        fmt::format("{}, {}", std::string(match.at("treatment_reserve").as_string()),
                    match.at("treatment_seller_acts").as_bool());
    std::array<double, 4>& sum = sums[row];
    const std::array<const char*, 4> metrics{"rounds", "seller_gain", "efficiency", "well_placed"};
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const boost::json::value& value = match.at(std::string("metric_match_") + metrics[m]);
      // Money is decimal text.
      sum[m] +=
          value.is_string() ? std::stod(std::string(value.as_string())) : value.to_number<double>();
    }
    ++matches;
  }
  CHECK(matches == 160);
  REQUIRE(sums.size() == 4);
  const std::string text = page("acting-seller");
  for (const auto& [row, sum] : sums) {
    const std::string line = fmt::format("| {} | {:.1f} | {:.1f} | {:.3f} | {:.2f} |", row,
                                         sum[0] / 40, sum[1] / 40, sum[2] / 40, sum[3] / 40);
    INFO(line);
    CHECK(contains(text, line));
  }
  CHECK(sums["none, true"][0] < sums["none, false"][0]);
}

TEST_CASE("the page on plan-bid-reflect prints what its command does") {
  const Folder folder;
  run(folder, {"run", experiment("plan-bid-reflect-by-field"), "--model", "mock"});
  const auto table = table_of(folder, "experiments/plan-bid-reflect-by-field");
  CHECK(table.columns ==
        std::vector<std::string>{"against weak", "against strong", "against fierce"});
  const std::string text = page("plan-bid-reflect-by-field");
  int printed = 0, worth = 0;
  for (const auto& [label, cells] : table.rows) {
    worth += label.ends_with("planning and reflecting bring");
    const std::size_t at = label.find(": equilibrium");
    if (at == std::string::npos) continue;
    std::string line = "| " + label.substr(0, at) + " |";
    for (const auto& cell : cells) line += " " + figure(cell, 2) + " |";
    INFO(line);
    CHECK(contains(text, line));
    ++printed;
  }
  CHECK(printed == 2);
  CHECK(worth == 2);
  // Plans, bids and lessons are rows of their own, by name.
  const std::string answers = folder.agon({"export", "a.agon", "--rows", "answers"}).out;
  check_has(answers, {",plan,1,0,plan,", ",bid,0,0,bid,", ",reflect,1,0,lesson,"});
}

TEST_CASE("answers are exported field by field") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 1, "agents": {
      "a": {"script": {"answers": [{"plan": "Go up, slowly", "stay": true, "reflection": "a \"good\" one"},
                                   {"plan": "", "stay": true, "reflection": "x y"}]}},
      "b": {"script": {"answers": [{"plan": "Leave", "stay": false, "reflection": ""}]}}},
      "design": {"fixed": [["a", "b"]], "seat_rotation": "as-listed"},
      "scenarios": [{"game": "clock-auction", "preset": "paper",
                     "set": {"bidders": 2, "rounds": 1}, "treatments": {"step": [1]}}]})");
  run(folder, {"run", "s.json"});
  const Ended csv = folder.succeeds({"export", "a.agon", "--rows", "answers"});
  CHECK(contains(lines(csv.out).at(0),
                 ",seat,seat_name,role,agent,question,stage,probe,fallback,field,value,words,"
                 "treatment_step"));
  CHECK(lines(csv.out).size() == 7);
  check_has(csv.out,
            {",0,Bidder Andy,,a,0,stay-written,0,0,plan,\"Go up, slowly\",3,1\r\n",
             ",stay-written,0,0,stay,1,,1\r\n", ",reflection,\"a \"\"good\"\" one\",3,1\r\n",
             ",1,Bidder Betty,,b,1,stay-written,0,0,plan,Leave,1,1\r\n",
             ",stay-written,0,0,stay,0,,1\r\n"});
  const Ended jsonl = folder.agon({"export", "a.agon", "--rows", "answers", "--format", "jsonl"});
  CHECK(lines(jsonl.out).size() == 6);
  CHECK(json_of(lines(jsonl.out).at(0)).at("words").to_number<int>() == 3);
  CHECK(contains(folder.agon({"export", "a.agon", "--rows", "words"}).err,
                 "probes, people or codebook"));
}

TEST_CASE("values for an item that is not sold and treatments with other seats are refused") {
  const Folder folder;
  const auto problem = [&](const std::string& scenario) {
    folder.write("s.json", R"({"suite": "s", "agents": {"a": "value-cap"}, "design":
        {"fixed": [["a", "a", "a"]]}, "scenarios": [{"game": "english-auction", )" +
                               scenario + "}]}");
    const Ended ended = folder.agon({"doctor", "s.json"});
    CHECK(ended.code == 5);
    return ended.err + ended.out;
  };
  const std::string values = problem(
      R"("set": {"given_values": [{"bidder": "Bidder 1", "item": "Gadget Z", "value": 5}]})");
  INFO(values);
  check_has(values, {"a value of \"Gadget Z\" for Bidder 1, which is not for sale", "s.json:"});
  const std::string seats = problem(R"("sequence": 2, "treatments": {"seller": [false, true]})");
  INFO(seats);
  check_has(seats, {"treatments must leave the seats and their roles as they are",
                    "make a scenario of each"});
}
