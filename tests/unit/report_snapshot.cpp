// One whole report, kept beside this file. To accept a change: AGON_UPDATE_SNAPSHOTS=1.

#include <algorithm>
#include <boost/json/value.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "catch.hpp"
#include "json/parse.hpp"
#include "report_samples.hpp"
#include "stats/resampling.hpp"
#include "support/folders.hpp"

using namespace report_samples;

namespace {

using agon::stats::ResamplingDice;

/// How good the agents of the sample are, out of a pie of 1.
double skill(const std::string& agent) {
  return agent == "random" ? 0.1 : agent == "reference" ? 0.5 : agent == "clever" ? 0.7 : 0.52;
}

const std::vector<std::string> agents = {"clever", "steady", "reference", "random"};

/// A common-pool game: a focal agent among two references, two treatments.
void play_pool(Book& book, int blocks) {
  const auto game = book.game(
      "pool",
      {{"days", "days", "higher", 0}, {"spent", "dollars", "lower", 2}, {"bids", "", "", 0}},
      {{"survivors", "", "higher", 0}, {"price", "dollars", "", 2}});
  ResamplingDice dice(1);
  for (const std::string supply : {"scarce", "ample"}) {
    book.scenario("pool " + supply, game, "pool", "{\"supply\":\"" + supply + "\"}");
    for (int block = 0; block < blocks; ++block) {
      const double luck = 0.3 * dice.unit();
      for (const std::string& focal : agents) {
        std::vector<Seat> seats;
        for (int s = 0; s < 3; ++s) {
          const std::string& agent = s == 0 ? focal : "reference";
          const double days =
              20 * (0.7 * skill(agent) + luck + (supply == "ample" ? 0.1 : 0) + 0.1 * dice.unit());
          Seat seat{agent, std::floor(days), 0, 20};
          seat.metrics = {std::floor(days), 100 * std::floor(40 * dice.unit()), days / 2};
          if (agent == "random" && dice.unit() < 0.1) seat.fallbacks = 1;
          seats.push_back(seat);
        }
        const double price = std::floor(900 * dice.unit());
        book.match({"pool " + supply, block, focal}, seats, {1 + std::floor(2 * luck), price});
      }
    }
  }
}

/// Haggling over products, everybody against everybody in both roles; every fifth has no pie.
void play_haggle(Book& book, int blocks) {
  book.scenario("haggle",
                book.game("haggle", {{"profit", "dollars", "higher", 2}, {"loss", "", "lower", 0}},
                          {{"product", "", "", 0}, {"deal", "", "higher", 0}}, 2));
  ResamplingDice dice(2);
  for (int block = 0; block < blocks; ++block) {
    const int product = block / 2;
    const double pie = 1000 + 100 * (product % 7);
    const bool conflict = product % 5 == 4;
    for (const std::string& buyer : agents) {
      for (const std::string& seller : agents) {
        if (buyer == seller) continue;
        const double share = std::clamp(
            0.5 + 0.5 * (skill(buyer) - skill(seller)) + 0.4 * (dice.unit() - 0.5), 0.0, 1.0);
        const double buys = std::floor(share * pie);
        const double no_stakes = std::numeric_limits<double>::quiet_NaN();
        const bool deal = dice.unit() < 0.9;
        Seat b{buyer, deal ? buys : 0, conflict ? no_stakes : 0, conflict ? no_stakes : pie,
               "buyer"};
        Seat s{seller, deal ? pie - buys : 0, b.disagreement, b.ideal, "seller"};
        b.metrics = {b.score, b.score < 0 ? 1.0 : 0.0};
        s.metrics = {s.score, 0};
        book.match({"haggle", block, {}, std::to_string(product)}, {b, s},
                   {1.0 * product, deal ? 1.0 : 0.0});
      }
    }
  }
}

void play_all(Book& book, int blocks) {
  play_pool(book, blocks);
  play_haggle(book, 2 * blocks);
  book.unfinished({"pool ample", 3, "clever"}, {"clever", "reference", "reference"}, "HTTP 503");
  book.unfinished({"pool ample", 4, "clever"}, {"clever", "reference", "reference"}, "HTTP 503");
  book.game_fault({"haggle", 5}, {"clever", "random"}, "the split of 1.00 does not add up");
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The first line in which two texts differ.
std::string first_difference(const std::string& seen, const std::string& kept) {
  std::istringstream a(seen);
  std::istringstream b(kept);
  std::string line_a;
  std::string line_b;
  for (int line = 1;; ++line) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "";
    if (more_a != more_b || line_a != line_b)
      return "line " + std::to_string(line) + "\n  now:  " + (more_a ? line_a : "(the end)") +
             "\n  kept: " + (more_b ? line_b : "(the end)");
  }
}

}  // namespace

TEST_CASE("A whole report reads as kept", "[report]") {
  Book book;
  play_all(book, 12);
  const std::string text = report::text(book.make(), false);
  const auto path = agon::test::source_folder() / "tests/unit/report_snapshot.txt";
  if (const char* update = std::getenv("AGON_UPDATE_SNAPSHOTS");
      update != nullptr && *update == '1')
    std::ofstream(path, std::ios::binary) << text;
  INFO("to accept: AGON_UPDATE_SNAPSHOTS=1 for the test program");
  CHECK(first_difference(text, read(path)).empty());
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  CHECK(widest <= 112);
}

TEST_CASE("The same archive gives the same bytes with any number of threads", "[report]") {
  Book book;
  play_all(book, 12);
  const auto one = book.make({.threads = 1});
  const auto four = book.make({.threads = 4});
  CHECK(data_of(one) == data_of(four));
  CHECK(report::text(one, true) == report::text(four, true));
}

TEST_CASE("Matches written in another order give the same report", "[report]") {
  const auto report_of = [](bool backwards) {
    Book book("s", "g");
    for (int i = 0; i < 12; ++i) {
      const int block = backwards ? 11 - i : i;
      const double luck = (block * 7 % 5) / 10.0;
      if (backwards) book.agent("ref");
      book.match({"s", block}, {{"a", luck + 0.3 * (block % 2)}, {"ref", luck}});
    }
    return data_of(book.make({.reference = "ref"}));
  };
  CHECK(report_of(false) == report_of(true));
}

TEST_CASE("Intervals hold a known truth", "[report]") {
  Book book;
  play_pool(book, 40);
  const auto report = book.make();
  // Whole days are rounded down alike for both, so their expected difference stays.
  const auto& clever = row_of(report, "clever");
  CHECK(clever.difference.interval.value().low < 0.7 * 0.2);
  CHECK(clever.difference.interval.value().high > 0.7 * 0.2);
  CHECK(clever.simultaneous.value().low < clever.difference.interval->low);
  CHECK(clever.simultaneous_p.value() < 0.01);
  CHECK(row_of(report, "random").difference.value.value() == Approx(-0.28).margin(0.02));
  CHECK(clever.ranks->rank == 1);
  CHECK(row_of(report, "random").ranks->rank == 4);
}

TEST_CASE("JSON holds every number of the report", "[report]") {
  Book book;
  play_all(book, 12);
  const auto report = book.make();
  const auto json = data_of(report);
  CHECK(json.at("format") == "agon.report");
  CHECK(json.at("version") == 4);
  const auto found = [&](const std::map<std::string, std::string>& about) {
    return agon::test::figures(json, about);
  };
  const auto scores = found({{"section", "leaderboard"}, {"metric", "normalized_score"}});
  REQUIRE(scores.size() == 4);
  CHECK(scores[0].at("agent") == "clever");
  CHECK(scores[0].at("value") == score_of(report, "clever"));
  CHECK(scores[0].contains("standard_error"));
  const auto pool =
      agon::test::figure(json, {{"section", "differences"}, {"game", "pool"}, {"agent", "clever"}});
  CHECK(pool.at("low_simultaneous").as_double() < pool.at("low").as_double());
  CHECK(pool.at("other") == "reference");
  CHECK(found({{"section", "games"}, {"metric", "matches"}}).size() == 2);
  CHECK(found({{"section", "trueskill"}, {"metric", "mu"}}).size() == 4);
  CHECK(found({{"section", "strengths"}, {"metric", "log_likelihood"}}).size() == 2);
  CHECK(found({{"section", "pairs"}, {"metric", "meetings"}}).size() ==
        found({{"section", "pairs"}, {"metric", "won"}}).size());
  CHECK(found({{"section", "bounds"}, {"metric", "worst"}}).size() == 3);
}

TEST_CASE("The command's entry points take the suite's word unless told otherwise", "[report]") {
  Book book("s", "g");
  book.match({"s", 0}, {{"a", 0.9, 0, 1, "", 1}, {"b", 0.4}});
  archive::RunRow run;
  run.started = 1;
  run.suite_file = book.writer().store("suite", R"({ // as written by hand
    "report": {"reference": "b", "level": 0.9}, "faults": {"policy": "forfeit"}})");
  book.writer().begin_run(run);
  book.writer().flush();
  const auto best = [](const boost::json::value& json) {
    return agon::test::figures(json, {{"section", "leaderboard"}, {"metric", "normalized_score"}})
        .at(0)
        .at("agent");
  };
  auto json = data_of(report::document_of(book.path().string(), {}));
  CHECK(json.at("made").at("reference") == "b");
  CHECK(json.at("made").at("level") == 0.9);
  CHECK(json.at("made").at("policy") == "forfeit");
  CHECK(best(json) == "b");
  json =
      data_of(report::document_of(book.path().string(), {.against = "a", .policy = "as-played"}));
  CHECK(json.at("made").at("reference") == "a");
  CHECK(best(json) == "a");
  CHECK(report::text_of(book.path().string(), {}, true).find("\n\x1b[1mLeaderboard\x1b[0m") !=
        std::string::npos);
}
