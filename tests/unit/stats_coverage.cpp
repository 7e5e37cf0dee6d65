#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/contrast_estimates.hpp"
#include "stats/rank_intervals.hpp"
#include "stats/resampling_dice.hpp"
#include "stats/strengths.hpp"

namespace stats = agon::stats;

namespace {

constexpr std::size_t kMatchesABlock = 4;

double normal(stats::ResamplingDice& dice) {
  const boost::math::normal_distribution<double> standard;
  return boost::math::quantile(standard, dice.unit());
}

bool holds(const stats::Interval& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

double exponential(stats::ResamplingDice& dice) {
  return -std::log(dice.unit());
}

/// Share of simulated data sets whose 95% interval of a mean holds the truth.
template <class Draw>
double coverage(std::size_t blocks, double truth, const stats::Range& range, Draw draw) {
  constexpr std::size_t data_sets = 600;
  double held = 0;
  for (std::size_t d = 0; d < data_sets; ++d) {
    stats::ResamplingDice dice(2026, d);
    stats::ContrastProblem problem;
    problem.units = {blocks};
    problem.cells.resize(1);
    problem.cells[0].units = problem.cells[0].blocks = blocks;
    problem.cells[0].range = range;
    problem.cells[0].terms = {{1, {}, std::vector<double>(blocks, 1.0)}};
    for (std::size_t b = 0; b < blocks; ++b)
      problem.cells[0].terms[0].numerator.push_back(draw(dice));
    problem.contrasts = {{{0, 1.0}}};
    held +=
        holds(stats::ContrastEstimates(problem, {}).estimates()[0].interval.value(), truth) ? 1 : 0;
  }
  return held / data_sets;
}

/// Of simulated round robins: how many gave an interval, and how many of those held the truth.
struct StrengthCoverage {
  double given = 0;
  double held = 0;
};

StrengthCoverage measure_strengths(std::size_t blocks, std::size_t data_sets,
                                   std::size_t resamples) {
  const double truth = 0.7;
  StrengthCoverage count;
  for (std::size_t d = 0; d < data_sets; ++d) {
    stats::ResamplingDice dice(77, d);
    std::vector<stats::MatchResult> matches;
    for (std::size_t b = 0; b < blocks; ++b) {
      for (std::size_t m = 0; m < kMatchesABlock; ++m) {
        const double a_wins = 1 / (1 + std::exp(-truth));
        const double a = dice.unit() < a_wins ? 1 : 0;
        matches.push_back({"g", std::to_string(b), "", {{"a", a}, {"r", 1 - a}}});
        const double c = dice.unit() < 0.5 ? 1 : 0;
        matches.push_back({"g", std::to_string(b), "", {{"c", c}, {"r", 1 - c}}});
      }
    }
    stats::StrengthOptions options;
    options.bootstrap.resamples = resamples;
    const auto fit = stats::bradley_terry(matches, "r", options);
    const auto& interval = fit.agents.at(0).difference.interval;
    if (!interval) continue;
    count.given += 1;
    if (holds(*interval, truth)) count.held += 1;
  }
  return count;
}

std::string check_strengths(std::size_t blocks, std::size_t data_sets, std::size_t resamples) {
  const auto count = measure_strengths(blocks, data_sets, resamples);
  const double given = count.given / static_cast<double>(data_sets);
  const double held = count.held / count.given;
  CHECK(given >= 0.99);
  CHECK(held >= 0.90);
  CHECK(held <= 0.985);
  std::ostringstream line;
  line << "log strengths, " << blocks << " blocks: " << held << ", given in " << given;
  return line.str();
}

/// Four differences to one reference, each by itself at 95%, and all at once.
std::string check_family(std::size_t blocks, std::size_t data_sets, std::size_t resamples) {
  double alone = 0;
  double together = 0;
  const double share = 1 / static_cast<double>(data_sets);
  const std::vector<std::size_t> family = {0, 1, 2, 3};
  for (std::size_t d = 0; d < data_sets; ++d) {
    stats::ResamplingDice dice(99, d);
    stats::ContrastProblem problem;
    problem.units = {blocks};
    for (const std::size_t k : family) {
      problem.cells.emplace_back();
      problem.cells[k].units = problem.cells[k].blocks = blocks;
      problem.cells[k].terms = {{1, {}, std::vector<double>(blocks, 1.0)}};
      problem.contrasts.push_back({{k, 1.0}});
    }
    for (std::size_t b = 0; b < blocks; ++b) {
      const double reference = exponential(dice);  // shared by all four: true difference 0
      for (auto& cell : problem.cells) {
        cell.terms[0].numerator.push_back(exponential(dice) - reference);
      }
    }
    const stats::ContrastEstimates made(problem, {.resamples = resamples, .seed = d});
    const auto joint = made.jointly(family);
    bool all_alone = true;
    bool all_together = true;
    for (const std::size_t k : family) {
      all_alone = all_alone && holds(made.estimates()[k].interval.value(), 0);
      all_together = all_together && holds(joint[k].interval.value(), 0);
    }
    alone += all_alone ? share : 0;
    together += all_together ? share : 0;
  }
  CHECK(together >= 0.92);
  CHECK(together <= 0.99);
  CHECK(alone < together - 0.03);
  std::ostringstream line;
  line << "four differences, " << blocks << " blocks: simultaneous " << together << ", one by one "
       << alone;
  return line.str();
}

/// Agents that play the same blocks, with these true scores.
struct Field {
  const char* name;
  std::vector<double> truth;
  double (*noise)(stats::ResamplingDice&);  ///< of mean 0
};

double skewed(stats::ResamplingDice& dice) {
  return exponential(dice) - 1;
}

/// How often the ranks that the intervals leave open have all true ones among them, those that a
/// tie allows included, and how many ranks they leave to an agent.
struct RankCoverage {
  double all = 0;
  double width = 0;
};

RankCoverage measure_ranks(const Field& field, std::size_t blocks, std::size_t data_sets,
                           std::size_t resamples) {
  const std::size_t agents = field.truth.size();
  RankCoverage found;
  for (std::size_t d = 0; d < data_sets; ++d) {
    stats::ResamplingDice dice(41, d);
    std::vector<stats::ScoreRow> rows;
    for (std::size_t b = 0; b < blocks; ++b) {
      const double shared = normal(dice);
      for (std::size_t a = 0; a < agents; ++a) {
        stats::ScoreRow& row = rows.emplace_back();
        row.game = "g";
        row.block = std::to_string(b);
        row.agent = std::to_string(a);
        row.x = field.truth[a] + shared + field.noise(dice);
      }
    }
    const auto ranks =
        stats::rank_intervals(stats::ScoreTable(rows), {.resamples = resamples, .seed = d});
    bool all = true;
    for (std::size_t a = 0; a < agents; ++a) {
      std::size_t better = 0;
      std::size_t worse = 0;
      for (const double other : field.truth) {
        better += other > field.truth[a] ? 1 : 0;
        worse += other < field.truth[a] ? 1 : 0;
      }
      const stats::RankInterval& rank = ranks[a].value();
      all = all && rank.low <= better + 1 && rank.high >= agents - worse;
      found.width +=
          static_cast<double>(rank.high - rank.low + 1) / static_cast<double>(agents * data_sets);
    }
    found.all += all ? 1 / static_cast<double>(data_sets) : 0;
  }
  return found;
}

const Field kFields[] = {{"five equal, normal", {0, 0, 0, 0, 0}, &normal},
                         {"five equal, exponential", {0, 0, 0, 0, 0}, &skewed},
                         {"two, two and one, normal", {1, 1, 0, 0, -1}, &normal},
                         {"five a deviation apart, normal", {4, 3, 2, 1, 0}, &normal},
                         {"ten equal, normal", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, &normal}};

}  // namespace

// A short look with fixed seeds; bench_coverage is the long one.
TEST_CASE("intervals hold the truth", "[stats][coverage]") {
  for (const std::size_t blocks : {10UL, 20UL}) {
    const double normally = coverage(blocks, 0, {}, normal);
    CHECK(normally >= 0.94);
    CHECK(normally <= 0.985);
    CHECK(coverage(blocks, 1, {}, exponential) >= 0.94);
    CHECK(coverage(blocks, std::exp(0.5), {}, [](auto& dice) { return std::exp(normal(dice)); }) >=
          0.91);
    CHECK(coverage(blocks, 0.1, {0, 1, true},
                   [](auto& dice) { return dice.unit() < 0.1 ? 1.0 : 0.0; }) >= 0.95);
    CHECK(coverage(blocks, -0.2575, {-2, 1, true}, [](auto& dice) {
            return dice.unit() < 0.15 ? -2.0 : 0.05 + 0.02 * (dice.unit() - 0.5);
          }) >= 0.93);
  }
}

TEST_CASE("strength intervals cover", "[stats][coverage]") {
  check_strengths(20, 200, 199);
}

TEST_CASE("simultaneous intervals cover all at once", "[stats][coverage]") {
  check_family(20, 400, 499);
}

TEST_CASE("ranges of ranks hold all true ranks at once", "[stats][coverage]") {
  const RankCoverage equal = measure_ranks(kFields[0], 12, 300, 299);
  CHECK(equal.all >= 0.93);
  CHECK(equal.width > 4.8);
  CHECK(measure_ranks(kFields[1], 12, 300, 299).all >= 0.93);
  const RankCoverage some = measure_ranks(kFields[2], 20, 300, 299);
  CHECK(some.all >= 0.93);
  CHECK(some.width < 3.5);
  const RankCoverage apart = measure_ranks(kFields[3], 50, 100, 299);
  CHECK(apart.all >= 0.93);
  CHECK(apart.width < 1.5);
}

TEST_CASE("coverage, the long run", "[.][stats][slow][coverage]") {
  for (const std::size_t blocks : {10UL, 20UL, 50UL}) {
    WARN(check_strengths(blocks, 2000, 999));
    WARN(check_family(blocks, 5000, 999));
    for (const Field& field : kFields) {
      const RankCoverage ranks = measure_ranks(field, blocks, 2000, 999);
      std::ostringstream line;
      line << "ranks, " << field.name << ", " << blocks << " blocks: all " << ranks.all
           << ", width " << ranks.width;
      WARN(line.str());
    }
  }
}

TEST_CASE("coverage of ranges of ranks; the long run", "[.][stats][slow][coverage]") {
  for (const Field& field : kFields)
    for (const std::size_t blocks : {10UL, 12UL, 20UL, 50UL}) {
      const RankCoverage ranks = measure_ranks(field, blocks, 2000, 999);
      std::ostringstream line;
      line << field.name << ", " << blocks << " blocks: all " << ranks.all << ", ranks an agent "
           << ranks.width;
      WARN(line.str());
    }
}
