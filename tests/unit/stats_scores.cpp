#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/contrasts.hpp"
#include "stats/resampling.hpp"
#include "stats/score_table.hpp"

namespace stats = agon::stats;

namespace {

stats::ScoreRow row(const std::string& block, const std::string& agent, double x, double one = 1) {
  stats::ScoreRow result;
  result.game = "g";
  result.block = block;
  result.agent = agent;
  result.x = x;
  result.ideal = one;
  return result;
}

/// Two digits, so that names sort as numbers do.
std::string number(std::size_t n) {
  return (n < 10 ? "0" : "") + std::to_string(n);
}

stats::Estimate estimate(const stats::ScoreTable& table, stats::StratumCell cell) {
  stats::ContrastProblem problem;
  problem.units = {table.units(0)};
  problem.cells = {std::move(cell)};
  problem.contrasts = {{{0, 1.0}}};
  return stats::ContrastEstimates(problem, {}).estimates().front();
}

stats::Estimate score(const stats::ScoreTable& table, const std::string& agent) {
  return estimate(table, table.score_cell(0, table.agent_index(agent)));
}

stats::Estimate difference(const stats::ScoreTable& table, const std::string& agent) {
  return estimate(table,
                  table.difference_cell(0, table.agent_index(agent), table.agent_index("ref")));
}

/// Four games, `agents` agents and a reference; agent a is better by a tenth of its number.
std::vector<stats::ScoreRow> simulated_suite(std::size_t agents, std::size_t blocks,
                                             std::size_t roles) {
  std::vector<stats::ScoreRow> rows;
  stats::ResamplingDice dice(11);
  for (const std::string game : {"auction", "bargaining", "deal", "water"}) {
    for (std::size_t b = 0; b < blocks; ++b) {
      const double luck = dice.unit();
      for (std::size_t a = 0; a < agents; ++a) {
        for (std::size_t r = 0; r < roles; ++r) {
          stats::ScoreRow entry;
          entry.game = game;
          entry.block = number(b);
          entry.role = "role " + std::to_string(r);
          entry.seat = static_cast<int>(r);
          entry.agent = a == 0 ? "reference" : "agent " + std::to_string(a);
          entry.disagreement = 2;
          entry.ideal = 12 + 10 * luck;
          entry.x = entry.disagreement +
                    (entry.ideal - entry.disagreement) * (0.4 + 0.1 * static_cast<double>(a) +
                                                          0.3 * luck + 0.2 * (dice.unit() - 0.5));
          rows.push_back(entry);
        }
      }
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("the normalised score is a ratio of sums and is not clipped", "[stats]") {
  // Gains 9 and 1 of pies 10 and 90: 10 / 100, where the mean of ratios would be 0.4555.
  const std::vector<stats::ScoreRow> rows = {row("1", "a", 9, 10),  row("2", "a", 1, 90),
                                             row("1", "b", 30, 10), row("2", "b", -5, 5),
                                             row("1", "c", 1, 0),   row("2", "c", 1, -3)};
  const stats::ScoreTable table(rows);
  CHECK(*table.score(0, table.agent_index("a")) == Approx(0.1));
  CHECK(*table.score(0, table.agent_index("b")) == Approx(25.0 / 15));
  CHECK_FALSE(table.score(0, table.agent_index("c")));  // a pie of -3 can be shared by no rule
  CHECK(score(table, "a").note == stats::Note::too_few);
  CHECK(score(table, "c").note == stats::Note::undefined);
  CHECK_THROWS_AS(table.agent_index("d"), agon::Error);
  CHECK_THROWS_AS(table.game_index("h"), agon::Error);
}

TEST_CASE("rows are averaged per seat, then per role, then over roles", "[stats]") {
  std::vector<stats::ScoreRow> rows;
  const auto add = [&](const std::string& role, int seat, double x) {
    rows.push_back(row("1", "a", x));
    rows.back().role = role;
    rows.back().seat = seat;
  };
  // Seat 0 was played three times (mean 0.2), seat 1 once (0.8): sellers 0.5. Buyers 0.1.
  add("seller", 0, 0.1);
  add("seller", 0, 0.2);
  add("seller", 1, 0.8);
  add("seller", 0, 0.3);
  add("buyer", 2, 0.1);
  const stats::ScoreTable table(rows);
  CHECK(*table.score(0, 0) == Approx(0.3));
  std::reverse(rows.begin(), rows.end());
  CHECK(*stats::ScoreTable(rows).score(0, 0) == Approx(0.3));
}

TEST_CASE("every role has its own ratio", "[stats]") {
  std::vector<stats::ScoreRow> rows = {row("1", "a", 1, 10), row("2", "a", 2, 10),
                                       row("1", "a", 90, 100), row("2", "a", 60, 100)};
  rows[0].role = rows[1].role = "buyer";
  rows[2].role = rows[3].role = "seller";
  CHECK(*stats::ScoreTable(rows).score(0, 0) == Approx((0.15 + 0.75) / 2));
}

TEST_CASE("differences are paired on common blocks and roles", "[stats]") {
  std::vector<stats::ScoreRow> rows = {row("1", "a", 0.5),   row("2", "a", 0.7),
                                       row("3", "a", 0.9),   row("2", "ref", 0.1),
                                       row("3", "ref", 0.2), row("4", "ref", 99)};
  CHECK(*difference(stats::ScoreTable(rows), "a").value == Approx(0.8 - 0.15));
  rows.push_back(row("2", "a", 55));
  rows.back().role = "dealer";  // the reference never deals
  CHECK(*difference(stats::ScoreTable(rows), "a").value == Approx(0.8 - 0.15));
  const auto paired = difference(stats::ScoreTable(rows), "a");
  CHECK(paired.blocks == 2);
  CHECK(paired.units == 2);
}

TEST_CASE("pairing takes the chance of the block out of the error", "[stats]") {
  std::vector<stats::ScoreRow> rows;
  stats::ResamplingDice dice(5);
  for (std::size_t b = 0; b < 30; ++b) {
    const double luck = 10 * dice.unit();
    const double noise = 0.1 * dice.unit();
    rows.push_back(row(number(b), "a", luck + 1 + noise));
    rows.push_back(row(number(b), "ref", luck));
  }
  const stats::ScoreTable table(rows);
  const auto alone = score(table, "a");
  const auto paired = difference(table, "a");
  CHECK(*alone.standard_error > 0.3);
  CHECK(*paired.standard_error < 0.01);
  CHECK(paired.interval->low > 1);
  CHECK(paired.interval->high < 1.1);
  const auto self = difference(table, "ref");
  CHECK(*self.value == 0);
  CHECK(self.note == stats::Note::no_variation);
}

TEST_CASE("clusters of blocks are the units", "[stats]") {
  std::vector<stats::ScoreRow> rows;
  stats::ResamplingDice dice(6);
  for (std::size_t item = 0; item < 12; ++item) {
    const double quality = dice.unit();
    for (std::size_t b = 0; b < 8; ++b) {
      rows.push_back(row(number(item) + "-" + number(b), "a", quality + 0.05 * dice.unit()));
    }
  }
  const auto naive = score(stats::ScoreTable(rows), "a");
  for (auto& entry : rows) entry.cluster = entry.block.substr(0, 2);
  const auto clustered = score(stats::ScoreTable(rows), "a");
  CHECK(naive.units == 96);
  CHECK(clustered.units == 12);
  CHECK(clustered.blocks == 96);
  CHECK(*clustered.value == Approx(*naive.value));
  // Eight blocks of one item say little more than one: the error is near sqrt(8) times as large.
  CHECK(*clustered.standard_error / *naive.standard_error > 2.4);
  CHECK(*clustered.standard_error / *naive.standard_error < 3.3);

  rows[0].cluster = "elsewhere";
  rows.push_back(rows[0]);
  rows.back().cluster = "nowhere";
  CHECK_THROWS_AS(stats::ScoreTable(rows), agon::Error);
}

TEST_CASE("a score that is not finite is refused", "[stats]") {
  const std::vector<stats::ScoreRow> rows = {row("1", "a", std::nan(""))};
  CHECK_THROWS_AS(stats::ScoreTable(rows), agon::Error);
}

TEST_CASE("the headline weighs games equally", "[stats]") {
  std::vector<stats::ScoreRow> rows;
  // In game x the agent leads by 0.4 on 10 blocks, in y it trails by 0.2 on 30.
  for (std::size_t b = 0; b < 30; ++b) {
    const double wobble = b % 2 == 0 ? 0.05 : -0.05;
    for (const std::string game : {"x", "y"}) {
      if (game == "x" && b >= 10) continue;
      rows.push_back(row(number(b), "a", 0.5 + (game == "x" ? 0.4 : -0.2) + wobble));
      rows.back().game = game;
      rows.push_back(row(number(b), "ref", 0.5));
      rows.back().game = game;
    }
  }
  const auto result = stats::headline(stats::ScoreTable(rows), "ref", {});
  REQUIRE(result.rows.size() == 1);
  const auto& a = result.rows[0];
  CHECK(*a.difference.value == Approx(0.1));
  REQUIRE(a.games.size() == 2);
  CHECK(*a.games[0].difference.value == Approx(0.4));
  CHECK(*a.games[1].difference.value == Approx(-0.2));
  CHECK(*a.games[0].score.value == Approx(0.9));
  CHECK(*result.reference_scores[1].value == Approx(0.5));
  // Variances 0.0025 * 10/9 / 10 and 0.0025 * 30/29 / 30, a quarter of their sum.
  CHECK(*a.difference.standard_error == Approx(std::sqrt((0.0025 / 9 + 0.0025 / 29) / 4)));
  CHECK(a.difference.blocks == 40);
  // All games: the agent first. Without x it comes second, without y first.
  REQUIRE(a.ranks);
  CHECK(a.ranks->rank == 1);
  CHECK(a.ranks->best == 1);
  CHECK(a.ranks->worst == 2);
  CHECK(result.reference_ranks->rank == 2);
  CHECK(result.reference_ranks->best == 1);
}

TEST_CASE("an agent that lacks a game has no headline", "[stats]") {
  auto rows = simulated_suite(3, 12, 1);
  std::erase_if(rows, [](const stats::ScoreRow& entry) {
    return entry.game == "water" && entry.agent == "agent 2";
  });
  const auto result = stats::headline(stats::ScoreTable(rows), "reference", {.resamples = 199});
  REQUIRE(result.rows.size() == 2);
  CHECK(result.rows[0].difference.interval);
  CHECK(result.rows[1].difference.note == stats::Note::undefined);
  CHECK_FALSE(result.rows[1].difference.value);
  CHECK_FALSE(result.rows[1].simultaneous);
  CHECK_FALSE(result.rows[1].simultaneous_p);
  CHECK_FALSE(result.rows[1].ranks);
  CHECK(result.rows[1].games[0].difference.interval);
  CHECK(result.rows[0].ranks->rank == 1);
  CHECK_THROWS_AS(stats::headline(stats::ScoreTable(rows), "nobody", {}), agon::Error);
}

TEST_CASE("ranks are ranges where pairs are not told apart", "[stats]") {
  std::vector<stats::ScoreRow> rows;
  for (std::size_t b = 0; b < 12; ++b) {
    const double luck = static_cast<double>(b % 4) / 4;
    const double turn = b % 2 == 0 ? 0.3 : -0.29;  // one wins, then the other
    for (const auto& [agent, x] : {std::pair<const char*, double>{"best", 2 + luck / 9},
                                   {"one", turn},
                                   {"other", 0},
                                   {"worst", -2 + luck / 10}})
      rows.push_back(row(number(b), agent, luck + x));
  }
  rows.push_back(row("00", "guest", 0));  // one block tells nothing
  const stats::ScoreTable table(rows);
  const auto ranks = stats::rank_intervals(table, {});
  const auto of = [&](const char* agent) { return ranks[table.agent_index(agent)].value(); };
  CHECK(of("best").low == 1);
  CHECK(of("best").high == 2);  // the guest may be better
  CHECK(of("one").low == 2);
  CHECK(of("one").high == 4);
  CHECK(of("other").low == 2);
  CHECK(of("other").high == 4);
  CHECK(of("worst").low == 4);
  CHECK(of("worst").high == 5);
  CHECK(of("guest").low == 1);
  CHECK(of("guest").high == 5);
}

TEST_CASE("who lacks a game has no range of ranks, and takes no rank from others", "[stats]") {
  auto rows = simulated_suite(3, 12, 1);
  std::erase_if(rows, [](const stats::ScoreRow& entry) {
    return entry.game == "water" && entry.agent == "agent 2";
  });
  const stats::ScoreTable table(rows);
  const auto ranks = stats::rank_intervals(table, {});
  CHECK_FALSE(ranks[table.agent_index("agent 2")]);
  CHECK(ranks[table.agent_index("agent 1")]->low == 1);
  CHECK(ranks[table.agent_index("reference")]->high == 2);
}

TEST_CASE("the headline finds simulated differences, whatever the order of rows", "[stats]") {
  auto rows = simulated_suite(5, 40, 2);
  const auto result = stats::headline(stats::ScoreTable(rows), "reference", {});
  REQUIRE(result.rows.size() == 4);
  for (std::size_t a = 0; a < 4; ++a) {
    const auto& agent = result.rows[a];
    const double truth = 0.1 * static_cast<double>(a + 1);
    CHECK(*agent.difference.value == Approx(truth).margin(0.02));
    CHECK(agent.difference.interval->low < truth);
    CHECK(agent.difference.interval->high > truth);
    CHECK(agent.simultaneous->high - agent.simultaneous->low >
          agent.difference.interval->high - agent.difference.interval->low);
    CHECK(*agent.simultaneous_p < 1e-6);
    CHECK(agent.ranks->rank == 4 - a);
    CHECK(agent.ranks->worst == 4 - a);
    CHECK(agent.difference.degenerate == 0);
  }
  CHECK(result.reference_ranks->rank == 5);

  stats::ResamplingDice dice(3);
  dice.shuffle(std::span<stats::ScoreRow>(rows));
  const auto shuffled = stats::headline(stats::ScoreTable(rows), "reference", {});
  for (std::size_t a = 0; a < 4; ++a) {
    CHECK(shuffled.rows[a].difference.interval->low == result.rows[a].difference.interval->low);
    CHECK(shuffled.rows[a].simultaneous->high == result.rows[a].simultaneous->high);
  }
}

TEST_CASE("a score says how many equal blocks it is worth, and whose part is the largest",
          "[stats]") {
  std::vector<stats::ScoreRow> rows;
  for (std::size_t b = 0; b < 12; ++b)
    rows.push_back(row(number(b), "a", static_cast<double>(b % 3), b == 7 ? 33 : 3));
  const stats::ScoreTable table(rows);
  const stats::Estimate seen = score(table, "a");
  // One pie of 33 and eleven of 3: half of all is in one block.
  CHECK(*seen.largest_share == Approx(0.5));
  CHECK(seen.largest_unit == "block 07");
  CHECK(*seen.effective_n == Approx(1 / (0.25 + 11 * 0.25 / 121)));
  CHECK(seen.units == 12);

  for (auto& entry : rows) entry.ideal = 3;
  const stats::Estimate equal = score(stats::ScoreTable(rows), "a");
  CHECK(*equal.effective_n == Approx(12));
  CHECK(*equal.largest_share == Approx(1.0 / 12));
}

TEST_CASE("scores made alike are ranks in a block, or cut to what could be got", "[stats]") {
  std::vector<stats::ScoreRow> rows;
  const auto add = [&](const std::string& block, const std::string& agent, double gain,
                       double pie) {
    stats::ScoreRow one = row(block, agent, gain);
    one.ideal = pie;
    rows.push_back(one);
  };
  add("1", "a", 3, 2);
  add("1", "b", -9, 2);
  add("1", "c", 1, 2);
  add("2", "a", 0.1 + 0.2, 1);
  add("2", "b", 0.3, 1);
  add("2", "c", 0, 1);
  add("3", "a", 5, 0);
  const stats::ScoreTable table(rows);
  const stats::ScoreTable ranks = table.made_alike(stats::Aggregate::ranks);
  CHECK(*ranks.score(0, 0) == Approx((1 + 0.75 + 0.5) / 3));  // alone in block 3: a half
  CHECK(*ranks.score(0, 1) == Approx((0 + 0.75) / 2));
  CHECK(*ranks.score(0, 2) == Approx((0.5 + 0) / 2));
  const stats::ScoreTable cut = table.made_alike(stats::Aggregate::winsorised);
  CHECK(*cut.score(0, 0) == Approx((2 + 0.3 + 0) / 3));
  CHECK(*cut.score(0, 1) == Approx((-2 + 0.3) / 3));
  CHECK(*table.made_alike(stats::Aggregate::mean).score(0, 1) == Approx((-9 + 0.3) / 3));
}

TEST_CASE("the game that makes most of the variance over games is found", "[stats]") {
  const auto of = [](std::vector<double> errors) {
    std::vector<stats::Estimate> games(errors.size());
    for (std::size_t g = 0; g < errors.size(); ++g)
      if (errors[g] > 0) games[g].standard_error = errors[g];
    return stats::widest_game(games);
  };
  CHECK_FALSE(of({1}));
  CHECK_FALSE(of({0, 0}));
  CHECK(of({1, 3, 1})->game == 1);
  CHECK(of({1, 3, 1})->share == Approx(9.0 / 11));
  CHECK(of({1, 3, 1})->decides(3));
  CHECK_FALSE(of({1, 1, 1})->decides(3));
  CHECK_FALSE(of({1, 1.5})->decides(2));
  CHECK(of({1, 2})->decides(2));
  CHECK(of({1e200, 3e200})->share == Approx(0.9));
}
