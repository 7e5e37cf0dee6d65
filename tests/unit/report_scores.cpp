// Normalised scores, differences, roles, focal agents, treatments, clusters and sequences.

#include <agon/error.hpp>
#include <limits>

#include "catch.hpp"
#include "json/parse.hpp"
#include "report_samples.hpp"
#include "results/participant.hpp"

using namespace report_samples;
using Catch::Matchers::Contains;

namespace {

constexpr double kNoPie = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("The report counts what stands behind a figure agent by agent", "[report]") {
  Book book("s", "g");
  for (int block = 0; block < 12; ++block) {
    const double luck = 0.1 * (block % 4);
    book.match({"s", block}, {{"a", 0.4 + luck}, {"b", 0.5}});
    if (block < 3) book.match({"s", block}, {{"b", 0.5}, {"c", 0.3 + luck}});
  }
  const auto report = book.make({.reference = "b"});
  const std::string text = agon::report::text(report, false);
  CHECK(text.find("g, n=12") != std::string::npos);
  CHECK(text.find("0.400 (too few) n=3\n") != std::string::npos);
  const auto& strengths = report.games[0].strengths->agents;
  CHECK(strengths[0].difference.units == 12);
  CHECK(strengths[2].difference.units == 3);
  CHECK(strengths[2].difference.note == agon::stats::Note::too_few);
}

TEST_CASE("A report says when strengths do not tell who beats whom", "[report]") {
  Book book("duel", "duel");
  const std::vector<std::string> agents = {"paper", "rock", "scissors"};
  for (std::int64_t block = 0; block < 12; ++block)
    for (std::size_t i = 0; i < 3; ++i)  // each beats the next, wherever it sits
      book.match({"duel", block}, {{agents[i], 1}, {agents[(i + 1) % 3], 0}});
  const auto made = book.make({.strength_resamples = 199});
  CHECK(made.games[0].fit.p_value.value() <= 0.01);
  CHECK_THAT(report::text(made, false), Contains("does NOT say who beats whom") &&
                                            Contains("rock wins 100% against scissors"));
  const auto json = data_of(made);
  const auto fit = [&](const char* metric) {
    return agon::test::figures(json, {{"section", "fit"}, {"metric", metric}});
  };
  CHECK(fit("cycles").at(0).at("value") == 1.0);
  CHECK(fit("triple_is_cycle").at(0).at("value") == 1.0);
  CHECK(fit("triple").at(0).at("text") == "paper, rock, scissors");
  REQUIRE(fit("won_share_fitted").size() == 3);
  CHECK(fit("won_share_fitted")[0].at("value").as_double() == Approx(0.5));
}

TEST_CASE("A score is a ratio of sums over blocks, its difference is paired", "[report]") {
  Book book("s", "g");
  // Pies of 10 and 30: a keeps 5 and 27, ref 5 and 3.
  book.match({"s", 0}, {{"a", 7, 2, 12}, {"ref", 7, 2, 12}});
  book.match({"s", 1}, {{"a", 29, 2, 32}, {"ref", 5, 2, 32}});
  const auto report = book.make({.reference = "ref"});
  CHECK(score_of(report, "a") == Approx(32.0 / 40));
  CHECK(score_of(report, "ref") == Approx(8.0 / 40));
  CHECK(row_of(report, "a").difference.value.value() == Approx(24.0 / 40));
  CHECK(row_of(report, "a").difference.note == agon::stats::Note::too_few);
  CHECK(row_of(report, "a").ranks->rank == 1);
  CHECK(row_of(report, "ref").ranks->rank == 2);
  CHECK_FALSE(row_of(report, "ref").difference.value);
  CHECK(report.leaderboard.rows.front().agent == "a");
  CHECK(report.leaderboard.depends_on_field);
}

TEST_CASE("Seats of a role are averaged first, then roles weigh the same", "[report]") {
  Book book("s", "g");
  // a sells twice and buys once in a block: (mean(0.2, 0.4) + 0.9) / 2.
  book.match({"s", 0}, {{"a", 0.2, 0, 1, "seller"}, {"b", 0, 0, 1, "buyer"}});
  book.match({"s", 0, {}, {}, 1}, {{"a", 0.4, 0, 1, "seller"}, {"b", 0, 0, 1, "buyer"}});
  book.match({"s", 0}, {{"b", 0, 0, 1, "seller"}, {"a", 0.9, 0, 1, "buyer"}});
  CHECK(score_of(book.make(), "a") == Approx((0.3 + 0.9) / 2));
}

TEST_CASE("With a focal agent only its own seats count", "[report]") {
  Book book;
  book.scenario("s", book.game("g", {{"m", "", "higher", 0}}));
  for (int block = 0; block < 2; ++block) {
    book.match({"s", block, "a"}, {{"a", 0.8, 0, 1, "", 0, {10}}, {"ref", 0.1, 0, 1, "", 0, {1}}});
    book.match({"s", block, "a"}, {{"ref", 0.1, 0, 1, "", 0, {1}}, {"a", 0.6, 0, 1, "", 0, {20}}});
    book.match({"s", block, "ref"},
               {{"ref", 0.4, 0, 1, "", 0, {3}}, {"ref", 0.6, 0, 1, "", 0, {5}}});
  }
  const auto report = book.make({.reference = "ref"});
  CHECK(score_of(report, "a") == Approx(0.7));
  CHECK(score_of(report, "ref") == Approx(0.5));  // not the 0.1 it got in the field of a
  CHECK_FALSE(report.leaderboard.depends_on_field);
  REQUIRE(report.games.front().metrics.size() == 1);
  CHECK(report.games.front().metrics[0].agents.at("a").value.value() == Approx(15));
  CHECK(report.games.front().metrics[0].agents.at("ref").value.value() == Approx(4));
  // Who met whom counts every seat.
  REQUIRE(report.games.front().pairs.size() == 2);
  CHECK(report.games.front().pairs[0].wins == 4);
  CHECK(report.games.front().pairs[0].difference.value.value() == Approx(0.6));
}

TEST_CASE("A reference that is only in the field leaves scores without differences", "[report]") {
  Book book("s", "g");
  book.match({"s", 0, "a"}, {{"a", 0.8}, {"ref", 0.1}});
  book.match({"s", 0, "b"}, {{"b", 0.9}, {"ref", 0.1}});
  const auto report = book.make({.reference = "ref"});
  CHECK(report.leaderboard.rows.size() == 2);
  CHECK_FALSE(report.leaderboard.reference_scored);
  CHECK(row_of(report, "b").ranks->rank == 1);
  CHECK_FALSE(row_of(report, "b").difference.value);
  CHECK(report::text(report, false).find("no score of its own") != std::string::npos);
}

TEST_CASE("Games weigh the same, and a game without a pie is left out", "[report]") {
  Book book("x", "first");
  book.scenario("y", book.game("second"));
  book.scenario("z", book.game("conflict", {{"loss_avoided", "", "higher", 0}}));
  for (int block = 0; block < 4; ++block) book.match({"x", block}, {{"a", 0.2}, {"ref", 0.1}});
  book.match({"y", 0}, {{"a", 0.8}, {"ref", 0.4}});
  book.match({"z", 0},
             {{"a", -5, kNoPie, kNoPie, "", 0, {1}}, {"ref", 5, kNoPie, kNoPie, "", 0, {0}}});
  const auto report = book.make({.reference = "ref"});
  CHECK(report.leaderboard.games == std::vector<std::string>{"first", "second"});
  REQUIRE(report.leaderboard.without.size() == 1);
  CHECK(report.leaderboard.without[0].game == "conflict");
  CHECK(report.leaderboard.without[0].reason == "no counted seat has a scale");
  CHECK(score_of(report, "a") == Approx(0.5));
  CHECK(row_of(report, "a").difference.value.value() == Approx(0.25));
  CHECK(report.results.games[0].seats_without_pie == 2);
  REQUIRE(report.games[0].game == "conflict");
  CHECK(report.games[0].metrics.at(0).agents.at("a").value.value() == 1);
}

TEST_CASE("A game whose scores pass what can be reckoned with is left out by name", "[report]") {
  const std::vector<Seat> beyond[] = {
      {{"a", 9e307, 0, 1, "", 0, {2}}, {"ref", 0.5, 0, 1, "", 0, {2}}},
      {{"a", 0.9, -1e308, 1e308, "", 0, {2}}, {"ref", 0.5, -1e308, 1e308, "", 0, {2}}},
      {{"a", 1, 0, 1e-308, "", 0, {2}}, {"ref", 0.5, 0, 1e-308, "", 0, {2}}}};
  for (const std::vector<Seat>& seats : beyond) {
    Book book("fair", "fair");
    book.scenario("wild", book.game("wild", {{"level", "", "higher", 0}}));
    for (int block = 0; block < 30; ++block) {
      book.match({"fair", block}, {{"a", 0.5 + 0.01 * (block % 7)}, {"ref", 0.5}});
      book.match({"fair", block}, {{"ref", 0.5}, {"a", 0.4}});
      book.match({"wild", block}, {{"a", 0.9, 0, 1, "", 0, {2}}, {"ref", 0.5, 0, 1, "", 0, {2}}});
    }
    book.match({"wild", 0}, {seats[1], seats[0]});
    book.match({"wild", 31}, seats);
    const auto report = book.make({.reference = "ref", .metric_resamples = 99});
    CHECK(report.leaderboard.games == std::vector<std::string>{"fair"});
    CHECK(score_of(report, "a") < 1);
    CHECK(report.games[1].metrics.at(0).agents.at("a").value.value() == 2);
    CHECK(report.games[1].pairs.at(0).wins == 32);
    CHECK_FALSE(report.games[1].pairs.at(0).difference.value);
    const std::string text = report::text(report, true);
    CHECK_THAT(text, Contains("Not counted: wild, as its scores are too large or too small"));
    CHECK_THAT(text, Contains("wild: in 2 of 32 matches"));
    CHECK_THAT(text, !Contains("inf") && !Contains("e+3"));
    CHECK(std::isfinite(value_of(report, "anytime", "a", "difference")));
  }
}

TEST_CASE("Where no game has a score, the report says why of each", "[report]") {
  Book book("wild", "wild");
  for (int block = 0; block < 12; ++block)
    book.match({"wild", block}, {{"a", 1, -1e308, 1e308}, {"ref", 0.5, -1e308, 1e308}});
  CHECK_THAT(report::text(book.make({.reference = "ref"}), false),
             Contains("No agent has a normalised score.\n  Not counted: wild, as its scores"));
}

TEST_CASE("A metric with values that no mean can hold is left out by name", "[report]") {
  Book book;
  book.scenario("s", book.game("g", {{"free", "", "higher", 0}, {"level", "", "higher", 0}},
                               {{"all", "", "higher", 0}}));
  for (int block = 0; block < 12; ++block)
    book.match({"s", block},
               {{"a", 0.9, 0, 1, "", 0, {1e308, 2}}, {"ref", 0.5, 0, 1, "", 0, {5e307, 1}}},
               {-1e200});
  const auto report = book.make({.reference = "ref", .metric_resamples = 99});
  REQUIRE(report.games[0].metrics.size() == 1);
  CHECK(report.games[0].metrics[0].metric.name == "level");
  CHECK(score_of(report, "a") == Approx(0.9));
  const std::string text = report::text(report, true);
  CHECK_THAT(text, Contains("g: 'free' has values beyond 1e+150") && Contains("g: 'all' has"));
}

TEST_CASE("A range of scores that reaches too far is none", "[report]") {
  for (const auto& [low, high] :
       {std::pair{-1e308, 1e308}, std::pair{-1e300, 1.0}, std::pair{0.0, 2e15}}) {
    Book book;
    archive::GameRow game;
    game.name = game.plugin = "g";
    game.score_min = low;
    game.score_max = high;
    book.scenario("s", book.writer().game(game));
    for (int block = 0; block < 30; ++block)
      book.match({"s", block}, {{"a", 0.5 + 0.01 * (block % 7)}, {"ref", 0.3}});
    const auto report = book.make({.reference = "ref"});
    CHECK(row_of(report, "a").difference.interval->high < 1);
    CHECK(figure_of(report, "anytime", "a", "difference").at("high").as_double() < 1);
    CHECK(figure_of(report, "anytime", "a", "sequence").at("text") == "asymptotic");
    CHECK_THAT(report::text(report, false), !Contains("inf") && !Contains("e+"));
  }
}

TEST_CASE("Pies that add up to nothing are no scale, of a game or of one treatment", "[report]") {
  Book book;
  const auto game = book.game("g");
  book.scenario("flat", game, "s", R"({"supply":10})");
  book.scenario("round", game, "s", R"({"supply":20})");
  book.scenario("none", book.game("nothing"));
  for (int block = 0; block < 2; ++block) {
    book.match({"flat", block}, {{"a", 3, 1, 1}, {"ref", 1, 1, 1}});
    book.match({"round", block}, {{"a", 0.8}, {"ref", 0.5}});
    book.match({"none", block}, {{"a", 3, 1, 1, "", 1}, {"ref", 1, 1, 1}});  // forced throughout
  }
  const auto report = book.make({.reference = "ref"});
  CHECK(report.leaderboard.games == std::vector<std::string>{"g"});
  REQUIRE(report.leaderboard.without.size() == 1);
  CHECK(report.leaderboard.without[0].game == "nothing");
  CHECK(report.leaderboard.without[0].reason == "its pies add up to nothing");
  CHECK(score_of(report, "a") == Approx(0.8));
  CHECK(score_of(report, "ref") == Approx(0.5));
}

namespace {

/// Bargains over products of which one costs 200 times as much as the others. 'a' gets the whole
/// gap of the dear one and half of the others, 'ref' nothing of the dear one.
void play_prices(Book& book, bool with_stake) {
  archive::Metric price{"price", "", "", 2};
  if (with_stake) price.stake = true;
  book.scenario("s", book.game("g", {}, {price}, 2));
  for (int block = 0; block < 12; ++block) {
    const double size = block == 0 ? 20000 : 100;
    const double part = 0.3 + 0.01 * block;
    book.match(
        {"s", block, "a"},
        {{"a", (block == 0 ? 1 : 0.5) * part * size, 0, part * size}, {"field", 0, 0, part * size}},
        {size});
    book.match({"s", block, "ref"},
               {{"ref", (block == 0 ? 0 : 0.5) * part * size, 0, part * size},
                {"field", 0, 0, part * size}},
               {size});
  }
}

}  // namespace

TEST_CASE("Scores of matches of different size are added up as shares of their stake", "[report]") {
  Book plain, staked;
  play_prices(plain, false);
  play_prices(staked, true);
  const report::ReportEstimates by_sum = plain.make({.reference = "ref"});
  const report::ReportEstimates by_stake = staked.make({.reference = "ref"});
  CHECK(score_of(by_sum, "a") > 0.95);
  // Parts are 0.30, 0.31, ... 0.41 of the price, and the first one whole.
  CHECK(score_of(by_stake, "a") == Approx((0.5 * 4.26 + 0.5 * 0.30) / 4.26));
  CHECK(row_of(by_stake, "a").difference.value.value() == Approx(0.30 / 4.26));
  // One product is nearly all of the sum in dollars, and no more than others in shares.
  CHECK_THAT(report::text(by_sum, false), Contains("(eff. 1.") && Contains("WEIGHS 9"));
  CHECK_THAT(report::text(by_stake, false), !Contains("(eff.") && !Contains("WEIGHS"));
  // Bounds of missing matches, learning and the meta-game are of the same shares.
  staked.unfinished({"s", 12, "a"}, {"a", "field"}, "stopped");
  const report::ReportEstimates missing = staked.make({.reference = "ref"});
  CHECK(value_of(missing, "bounds", "a", "worst") > 0.4);
  CHECK(value_of(missing, "bounds", "a", "best") < 0.6);
}

TEST_CASE("A stake is read of the newest card of a game, and of archives without one is 1",
          "[report]") {
  Book book;
  play_prices(book, false);
  CHECK(score_of(book.make({.reference = "ref"}), "a") > 0.95);
  archive::Metric price{"price", "", "", 2};
  price.stake = true;
  book.game("g", {}, {price}, 2);
  CHECK(score_of(book.make({.reference = "ref"}), "a") < 0.6);
}

TEST_CASE("What is over all games can be of ranks or winsorised, games stay as they are",
          "[report]") {
  Book book("calm", "calm");
  book.scenario("wild", book.game("wild"));
  for (int block = 0; block < 12; ++block) {
    const double luck = 0.01 * ((block * 7) % 12);
    for (const auto& [agent, calm, wild] :
         {std::tuple{"good", 0.7, 0.6}, std::tuple{"ref", 0.5, 0.5},
          std::tuple{"rash", 0.3, block % 4 == 0 ? -40.0 - block : 0.4}}) {
      book.match({"calm", block, agent}, {{agent, calm + luck}});
      book.match({"wild", block, agent}, {{agent, wild + luck * (calm - 0.4)}});
    }
  }
  using agon::stats::Aggregate;
  const auto made = [&](Aggregate aggregate) {
    report::ReportOptions options;
    options.reference = "ref";
    options.aggregate = aggregate;
    return book.make(options);
  };
  const report::ReportEstimates mean = made(Aggregate::mean), ranks = made(Aggregate::ranks),
                                cut = made(Aggregate::winsorised);
  CHECK(score_of(mean, "rash") < -5);
  CHECK(score_of(ranks, "rash") == Approx(0));
  CHECK(score_of(ranks, "ref") == Approx(0.5));
  CHECK(score_of(ranks, "good") == Approx(1));
  CHECK(score_of(cut, "rash") > -0.2);
  CHECK(score_of(cut, "good") == Approx(score_of(mean, "good")));
  for (const report::ReportEstimates* of : {&ranks, &cut})
    for (const report::LeaderRow& row : of->leaderboard.rows) {
      const auto& as_is = row_of(mean, row.agent);
      for (std::size_t g = 0; g < 2; ++g)
        CHECK(row.games[g].score.value == as_is.games[g].score.value);
      if (row.difference.interval) {
        CHECK(row.difference.interval->low >= -2);
        CHECK(row.difference.interval->high <= 2);
      }
    }
  // Who makes the mean over games wide is named, with what can be done.
  REQUIRE(row_of(mean, "rash").widest);
  CHECK(row_of(mean, "rash").widest->game == 1);
  CHECK(row_of(mean, "rash").widest->share > 0.99);
  const auto data = [](const report::ReportEstimates& of) {
    return report::render_json(report::document(of, report::Detail::data));
  };
  CHECK_THAT(data(mean), Contains("wild makes most of the variance over all games of") &&
                             Contains("'rash' (100%)") && Contains("--without wild") &&
                             Contains("a suite can declare in advance"));
  CHECK_THAT(data(ranks), Contains("ties half, in place of the normalised score") &&
                              Contains("\"difference_ranks\"") &&
                              !Contains("makes most of the variance"));
  CHECK_THAT(report::render_json(report::document(ranks, report::Detail::data)),
             Contains("\"aggregate\": \"ranks\"") || Contains("\"aggregate\":\"ranks\""));
}

TEST_CASE("Treatments weigh the same whatever their pies, and share the chance of a block",
          "[report]") {
  Book book;
  const auto game = book.game("g");
  book.scenario("low", game, "s", R"({"supply":10})");
  book.scenario("high", game, "s", R"({"supply":20})");
  for (int block = 0; block < 12; ++block) {
    const double luck = block % 3;
    book.match({"low", block}, {{"a", 0.2 + 0.1 * luck}, {"ref", 0.1 * luck}});
    book.match({"high", block}, {{"a", 60 + 10 * luck, 0, 100}, {"ref", 30, 0, 100}});
  }
  const auto report = book.make({.reference = "ref"});
  CHECK(score_of(report, "a") == Approx((0.3 + 0.7) / 2));
  CHECK(row_of(report, "a").difference.units == 12);
  CHECK(report.results.games[0].blocks == 12);
  REQUIRE(report.treatments.size() == 2);
  CHECK(report.treatments[0].facts.label == "s: supply 10");
  CHECK(report.treatments[0].rows[0].score.value.value() == Approx(0.3));
  CHECK(report.treatments[1].rows[0].difference.value.value() == Approx(0.4));
}

TEST_CASE("Blocks of one item are one unit", "[report]") {
  Book book;
  book.scenario("s", book.game("g", {}, {{"product", "", "", 0}, {"deals", "", "higher", 0}}));
  for (int block = 0; block < 24; ++block) {
    const int product = block / 2;
    book.match({"s", block, {}, std::to_string(product)},
               {{"a", 0.1 * (product % 5)}, {"ref", 0.05 * (block % 3)}},
               {static_cast<double>(product), 1.0 * (block % 2)});
  }
  const auto report = book.make({.reference = "ref"});
  CHECK(row_of(report, "a").difference.blocks == 24);
  CHECK(row_of(report, "a").difference.units == 12);
  CHECK(row_of(report, "a").difference.interval);
  // The number of the item is no result.
  REQUIRE(report.games[0].metrics.size() == 1);
  CHECK(report.games[0].metrics[0].metric.name == "deals");
  CHECK(report.games[0].metrics[0].agents.at("a").units == 12);
  CHECK(report.games[0].pairs[0].difference.units == 12);
}

TEST_CASE("A learning sequence is one block", "[report]") {
  Book book("s", "g");
  for (int block = 0; block < 2; ++block)
    for (int position = 0; position < 3; ++position)
      book.match({"s", block, {}, std::to_string(position), 0, position},
                 {{"a", 0.1 * position}, {"ref", 0.0}});
  const auto report = book.make({.reference = "ref"});
  CHECK(score_of(report, "a") == Approx(0.1));
  CHECK(row_of(report, "a").score.blocks == 2);
  // Its items do not tie it to other sequences.
  CHECK(row_of(report, "a").score.units == 2);
}

TEST_CASE("Long runs count neighbouring blocks together, with the same scores", "[report]") {
  Book book;
  book.scenario("s", book.game("g", {{"m", "", "", 0}}));
  for (int block = 0; block < 100; ++block)
    book.match({"s", block}, {{"a", 0.01 * block, 0, 1, "", 0, {1.0 * block}},
                              {"ref", 0.2, 0, 1 + 0.5 * (block % 2), "", 0, {0}}});
  const auto exact = book.make({.reference = "ref"});
  const auto binned = book.make({.reference = "ref"}, {.most_bins = 25, .most_rankings = 40});
  CHECK(score_of(binned, "a") == Approx(score_of(exact, "a")));
  CHECK(score_of(binned, "ref") == Approx(20.0 / 125));
  CHECK(row_of(exact, "a").score.units == 100);
  CHECK(row_of(binned, "a").score.units == 25);
  CHECK(binned.results.games[0].blocks == 100);
  CHECK(binned.games[0].metrics[0].agents.at("a").value.value() == Approx(49.5));
  CHECK(binned.games[0].strengths->matches == 40);
  CHECK(binned.games[0].strengths_note == "from 40 of 100 matches: those of the leading blocks");
  CHECK(binned.games[0].pairs[0].wins + binned.games[0].pairs[0].losses +
            binned.games[0].pairs[0].ties ==
        100);
}

TEST_CASE("Games with the same draws have blocks of their own", "[report]") {
  Book book;
  book.scenario("long", book.game("g"), "s");
  book.scenario("short", book.game("h"), "s");
  for (int block = 0; block < 100; ++block) book.match({"long", block}, {{"a", 1}, {"b", 0}});
  for (int block = 0; block < 10; ++block) book.match({"short", block}, {{"a", 1}, {"b", 0}});
  const auto found = book.collect({.most_bins = 25});
  REQUIRE(found.games.size() == 2);
  CHECK(found.games[0].blocks == 100);
  CHECK(found.games[0].bins.size() == 25);
  CHECK(found.games[1].blocks == 10);
  CHECK(found.games[1].bins.size() == 10);
}

TEST_CASE("An agent with two specs is two agents, one spec a game is one", "[report]") {
  Book book("x", "first");
  book.scenario("y", book.game("second"));
  book.match({"x", 0}, {{"a", 0.8}, {"ref", 0.1}});
  // The name stands for another rule in another game.
  book.match({"y", 0}, {{"b", 0.8}, {"ref", 0.1}});
  auto results = book.collect();
  CHECK(results.agents == std::vector<std::string>{"a", "b", "ref"});

  archive::MatchRow row;
  row.key.id.bytes.fill(7);
  row.key.scenario = 1;
  row.seats.resize(2);
  row.seats[0].agent = book.agent("a", "{\"rule\":\"other\"}");
  row.seats[1].agent = book.agent("ref", "{\"rule\":\"ref\"}");
  for (auto& seat : row.seats) seat.payoff = seat.disagreement = 0, seat.ideal = 1;
  book.writer().write_finished(row);
  results = book.collect();
  REQUIRE(results.agents.size() == 4);
  CHECK(results.agents[0] == "a (rule a)");
  CHECK(results.agents[1] == "a (rule other)");
  CHECK(results.several_specs == std::vector<std::string>{"a"});
}

TEST_CASE("Agents that differ in prompts alone are told apart in every table", "[report]") {
  Book book;
  const std::int64_t game = book.game("g");
  for (const std::string scenario : {"plain", "bold"}) book.scenario(scenario, game);
  // Made from factors, so that tables say the levels only.
  std::map<std::pair<std::string, std::string>, std::int64_t> agents;
  for (const std::string level : {"whole", "notebook"})
    for (const std::string scenario : {"plain", "bold"}) {
      archive::AgentRow row;
      row.name = "a-rather-long-name-of-an-agent/memory=" + level;
      row.hash = agon::hash::sha256(row.name + scenario);
      row.family = "a-rather-long-name-of-an-agent";
      row.factors = R"({"memory":")" + level + R"("})";
      row.prompts = book.writer().store("prompts", R"({"task":"Be )" + scenario + R"(."})");
      agents[{level, scenario}] = book.writer().agent(row);
    }
  int number = 0;
  for (const std::string scenario : {"plain", "bold"})
    for (int block = 0; block < 12; ++block)
      for (const std::string level : {"whole", "notebook"}) {
        archive::MatchRow row;
        const auto digest = agon::hash::sha256(std::to_string(number++));
        std::copy_n(digest.begin(), row.key.id.bytes.size(), row.key.id.bytes.begin());
        row.key.scenario = scenario == "plain" ? 1 : 2;
        row.key.block = block;
        row.seats.resize(2);
        row.seats[0].agent = row.focal.emplace(agents[{level, scenario}]);
        row.seats[1].agent = book.agent("ref");
        for (auto& seat : row.seats) seat.payoff = block % 3, seat.disagreement = 0, seat.ideal = 2;
        book.writer().write_finished(row);
      }
  const auto report = book.make();
  const std::string text = report::text(report, false);
  for (const std::string level : {"whole", "notebook"})
    for (const std::string scenario : {"plain", "bold"})
      CHECK_THAT(text, Contains("a-rather-long-name-of-an-agent/" + level + " (prompts of " +
                                scenario + ")"));
  // Each set of prompts is a family of its own: what a part adds is told under each.
  REQUIRE(sections_of(report, "factors").size() == 2);
  const std::string family = "a-rather-long-name-of-an-agent (prompts of bold)";
  CHECK(value_of(report, "factors", family, "agents") == 2);
  CHECK(figures_of(report, "factors", family, "memory: notebook less whole").size() == 1);
}

TEST_CASE("Prompts that one scenario had before and after are told apart by the text", "[report]") {
  Book book("s", "g");
  for (const std::string text : {"Be bold.", "Be kind."}) {
    archive::AgentRow row{agon::hash::sha256(text), "a", "{}"};
    row.prompts = book.writer().store("prompts", R"({"same":"x","task":")" + text + R"("})");
    archive::MatchRow match;
    const auto digest = agon::hash::sha256("match" + text);
    std::copy_n(digest.begin(), match.key.id.bytes.size(), match.key.id.bytes.begin());
    match.key.scenario = 1;
    match.seats.resize(1);
    match.seats[0].agent = book.writer().agent(row);
    match.seats[0].payoff = match.seats[0].disagreement = 0, match.seats[0].ideal = 1;
    book.writer().write_finished(match);
  }
  CHECK(book.collect().agents ==
        std::vector<std::string>{"a (prompt task Be bold.)", "a (prompt task Be kind.)"});
}

TEST_CASE("One model under one name over several games is one agent", "[report]") {
  Book book("x", "first");
  book.scenario("y", book.game("second"));
  int number = 0;
  for (const std::int64_t scenario : {1, 2})
    for (const std::string model : {"small", "large"}) {
      archive::MatchRow row;
      const auto digest = agon::hash::sha256(std::to_string(number++));
      std::copy_n(digest.begin(), row.key.id.bytes.size(), row.key.id.bytes.begin());
      row.key.scenario = scenario;
      row.seats.resize(1);
      row.seats[0].agent = book.agent(
          "a", R"({"agent":"llm","params":{"model":{"provider":"p","model":")" + model + R"("}}})");
      row.seats[0].payoff = row.seats[0].disagreement = 0, row.seats[0].ideal = 1;
      book.writer().write_finished(row);
    }
  const auto results = book.collect();
  CHECK(results.agents == std::vector<std::string>{"a (model large)", "a (model small)"});
  CHECK(results.facts[0].models == std::set<std::string>{"p/large"});
}

TEST_CASE("The leaderboard says which model played, as it was served, and which did not",
          "[report]") {
  Book book("s", "g");
  archive::RunRow run;
  run.suite_file = book.writer().store(
      "suite", R"({"models":{"GPT-4":{"provider":"openai","model":"gpt-4-0613"},)"
               R"("GPT-4 mini":"openai/gpt-4-mini"}})");
  const std::int64_t number = book.writer().begin_run(run);
  const auto play = [&](const std::string& agent, const std::string& model, double score) {
    const std::string spec =
        R"({"agent":"llm","params":{"model":{"provider":"openai","model":")" + model + R"("}}})";
    book.labelled(agent, "{}", {}, spec);
    for (int block = 0; block < 12; ++block)
      book.match({"s", block, agent}, {{agent, score + 0.1 * (block % 2)}, {"ref", 0.1}});
  };
  const auto text = [&] { return report::text(book.make({.reference = "ref"}), false); };
  play("GPT-4 mini", "gpt-4-mini", 0.4);
  CHECK_THAT(text(), Contains("The model behind the agents that call one: openai/gpt-4-mini."));
  play("bold GPT-4", "other", 0.6);
  book.writer().end_run(number, "done",
                        R"({"models":[{"provider":"openai","model":"other",)"
                        R"("served_as":["other-2026","other"]}]})");
  for (int block = 0; block < 12; ++block) book.match({"s", block, "ref"}, {{"ref", 0.5}});
  CHECK_THAT(text(), Contains("openai/other (served as other-2026)") &&
                         Contains("openai/gpt-4-mini") &&
                         Contains("'bold GPT-4' was openai/other, not openai/gpt-4-0613."));
  CHECK_THAT(text(), !Contains("'GPT-4 mini' was"));
  const auto data = data_of(book.make({.reference = "ref"}));
  const auto model = agon::test::figure(
      data, {{"section", "leaderboard"}, {"metric", "model"}, {"agent", "bold GPT-4"}});
  CHECK(model.at("text") == "openai/other (served as other-2026)");
}

TEST_CASE("Settings that endpoints did not take are listed by agent in every format", "[report]") {
  Book book("s", "g");
  const auto spec = [](const std::string& effort, const std::string& memory = "whole") {
    return R"({"agent":"llm","params":{"model":{"provider":"openai","model":"m",)"
           R"("reasoning_effort":")" +
           effort + R"("},"memory":")" + memory + R"("}})";
  };
  book.labelled("low", "{}", "", spec("low"));
  book.labelled("high", "{}", "", spec("high"));
  book.labelled("other", "{}", "", spec("low", "none"));
  book.labelled("taken", "{}", "", spec("low", "window"));
  book.labelled("none", "{}", "", spec(""));
  book.labelled("cold", "{}", "",
                R"({"agent":"llm","params":{"model":{"provider":"openai","model":"n",)"
                R"("temperature":0,"sampling":"no"}}})");
  for (int block = 0; block < 3; ++block)
    book.match({"s", block},
               {{"low", 1}, {"high", 2}, {"other", 3}, {"taken", 4}, {"none", 5}, {"cold", 6}});
  book.writer().flush();
  std::vector<archive::MatchId> ids;
  archive::Archive::open(book.path()).matches().ids([&](const archive::MatchId& id, std::int64_t) {
    ids.push_back(id);
  });
  const auto call = [&](const archive::MatchId& id, int seat, const std::string& parameters,
                        const std::string& purpose = "answer") {
    archive::CallRow row;
    row.match = id;
    row.seat = seat;
    row.answered = true;
    row.call.purpose = purpose;
    row.call.model = purpose == "embed" ? "embedder" : "";
    row.call.parameters = parameters;
    row.parameters = book.writer().store("parameters", parameters);
    book.writer().save_call(row);
  };
  for (const archive::MatchId& id : ids) {
    for (const int seat : {0, 1, 2}) call(id, seat, R"({"not_applied":["reasoning_effort"]})");
    call(id, 3, R"({"reasoning_effort":"low"})");
    call(id, 4, "{}");
    call(id, 5, R"({"not_applied":["temperature"]})");
    // Texts to embed take no settings of the agent.
    for (const int seat : {0, 1, 2, 3}) call(id, seat, "{}", "embed");
  }
  // From the middle of the run on, an endpoint took no bounds either.
  call(ids[0], 3, R"({"reasoning_effort":"low","not_applied":["bounds of the schema"]})");
  book.writer().flush();
  const std::string words =
      "SETTINGS NOT APPLIED, as endpoints did not take them or the suite says so: 'low': "
      "reasoning_effort (\"low\") in "
      "3 "
      "of 3 calls; 'high': reasoning_effort (\"high\") in 3 of 3 calls; 'other': reasoning_effort "
      "(\"low\") in 3 of 3 calls; 'taken': bounds of the schema in 1 of 4 calls; 'cold': "
      "temperature "
      "(0; \"sampling\" is \"no\") in 3 of 3 calls. 'low', 'high' and 'none' "
      "were asked alike: they are equal treatments, and what differs between them is chance.";
  CHECK(report::not_applied_words(archive::Archive::open(book.path())) == words);
  const report::Document document =
      report::document_of(book.path().string(), {.detail = report::Detail::data});
  for (const std::string& said :
       {report::text_of(book.path().string(), {}, false), report::render_json(document),
        report::render_csv(document), report::render_markdown(document),
        report::render_latex(document), report::render_html(document)}) {
    CHECK_THAT(said, Contains("SETTINGS NOT APPLIED"));
    CHECK_THAT(said, Contains("equal"));
  }
}

TEST_CASE("That a mock played is said beside the first table", "[report]") {
  Book book("s", "g");
  book.labelled("a", "{}", {},
                R"({"agent":"llm","mock":{},"params":{"model":{"provider":"mock"}}})");
  book.match({"s", 0, "a"}, {{"a", 0.8}, {"ref", 0.1}});
  book.writer().flush();
  const std::string text = report::text_of(book.path().string(), {}, false);
  const std::size_t said = text.find("A mock that makes up answers, and no model, played for 'a'");
  REQUIRE(said != std::string::npos);
  CHECK(said < text.find("rank  agent"));
}

TEST_CASE("The rank of a leaderboard is a range where blocks do not tell", "[report]") {
  Book book("s", "g");
  for (int block = 0; block < 12; ++block) {
    const double luck = 0.05 * (block % 3);
    book.match({"s", block, "best"}, {{"best", 0.9 + 0.01 * (block % 2)}, {"ref", 0.1}});
    book.match({"s", block, "one"}, {{"one", luck + 0.2 * (block % 2)}, {"ref", 0.1}});
    book.match({"s", block, "ref"}, {{"ref", luck + 0.09}});
  }
  const auto report = book.make({.reference = "ref"});
  const auto rank = [&](const char* agent) {
    return agon::test::figure(data_of(report),
                              {{"section", "leaderboard"}, {"metric", "rank"}, {"agent", agent}});
  };
  CHECK(rank("best").at("low") == 1.0);
  CHECK(rank("best").at("high") == 1.0);
  for (const char* agent : {"one", "ref"}) {
    CHECK(rank(agent).at("low") == 2.0);
    CHECK(rank(agent).at("high") == 3.0);
    CHECK(rank(agent).at("level") == 0.95);
  }
  CHECK(rank("one").at("value") == 2.0);
  CHECK_THAT(report::text(report, false), Contains("\n   2-3  one"));
  CHECK_THAT(report::render_latex(report::document(report, report::Detail::brief)),
             Contains("2-3"));
}

TEST_CASE("The reference is named, or found, or refused", "[report]") {
  Book book("s", "g");
  book.match({"s", 0}, {{"b", 0.8}, {"a", 0.1}});
  CHECK(book.make().options.reference == "a");
  try {
    (void)book.make({.reference = "c"});
    FAIL("an unknown reference was taken");
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::not_found);
    CHECK(error.hint() == "agents in the archive: a, b");
  }
  book.match({"s", 0}, {{"b", 0.8}, {"reference", 0.1}});
  CHECK(book.make().options.reference == "reference");
}

TEST_CASE("An empty archive has a report too", "[report]") {
  Book book;
  const auto report = book.make();
  CHECK(report::text(report, false).find("no match yet") != std::string::npos);
  CHECK(data_of(report).at("made").at("matches") == 0);
}

TEST_CASE("Bounds of metrics and scores hold for every version that played", "[report]") {
  const auto play = [](Book& book, std::int64_t version, std::vector<archive::Metric> metrics,
                       std::optional<double> low, std::optional<double> high, bool played = true) {
    archive::GameRow game;
    game.name = "split";
    game.version = version;
    game.seat_metrics = std::move(metrics);
    game.match_metrics = {{"even", "", "", 0, 0.0, 1.0}};
    game.score_min = low;
    game.score_max = high;
    const std::string name = "version " + std::to_string(version);
    book.scenario(name, book.writer().game(game));
    if (played) book.match({name}, {{"ann", 0.5}, {"bob", 1}});
  };
  const auto played_twice = [&](std::optional<double> second_min, bool is_played) {
    Book book;
    play(book, 1, {{"share", "", "", 0, 0.0, 1.0}, {"old", "", "", 0, 3.0, {}}}, 0, 1);
    play(book, 2, {{"new", "", "", 0, {}, 7.0}, {"share", "", "", 0, second_min, 2.0}}, -1, {},
         is_played);
    return book.collect().games.at(0);
  };
  const report::GameResults both = played_twice(-0.5, true);
  REQUIRE(both.metrics.size() == 4);
  CHECK(both.metrics[0].name == "share");
  CHECK(both.metrics[0].min == -0.5);
  CHECK(both.metrics[0].max == 2.0);
  CHECK(both.metrics[1].min == 3.0);
  CHECK_FALSE(both.metrics[1].max);
  CHECK(both.metrics[2].max == 7.0);
  CHECK(both.metrics[3].min == 0.0);
  CHECK(both.metrics[3].max == 1.0);
  CHECK(both.score_min == -1.0);
  CHECK_FALSE(both.score_max);
  // A bound that one version does not have is none; a version that did not play changes nothing.
  CHECK_FALSE(played_twice({}, true).metrics[0].min);
  CHECK(played_twice({}, false).metrics[0].min == 0.0);
  CHECK(played_twice({}, false).score_max == 1.0);
}

TEST_CASE("Differences that hold whenever one looks do not bet on an order that nobody kept",
          "[report]") {
  const auto anytime = [](int blocks) {
    archive::GameRow split;
    split.name = split.plugin = "split";
    split.score_min = 0;
    split.score_max = 1;
    Book book;
    book.scenario("s", book.writer().game(split));
    for (int block = 0; block < blocks; ++block)
      book.match({"s", block}, {{"a", 0.5 + 0.1 * (block % 3)}, {"b", 0.5}});
    const report::ReportEstimates made = book.make({.reference = "b"});
    CHECK(figure_of(made, "anytime", "a", "sequence").at("text") ==
          (blocks < 24 ? "none" : "asymptotic"));
    return figure_of(made, "anytime", "a", "difference");
  };
  CHECK(anytime(24).contains("low"));
  CHECK(anytime(24).at("n") == 24);
  CHECK_FALSE(anytime(23).contains("low"));
}
