#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/bootstrap.hpp"
#include "stats/resampling_dice.hpp"
#include "stats/strengths.hpp"

namespace stats = agon::stats;

namespace {

constexpr std::size_t matches_a_block = 4;

double normal(stats::ResamplingDice& dice) {
  const boost::math::normal_distribution<double> standard;
  return boost::math::quantile(standard, dice.unit());
}

/// What a block is worth.
enum class Truth {
  exponential,  ///< skewness 2, mean 1
  lognormal,    ///< exp of a standard normal: skewness 6.2, mean exp(1/2)
};

double true_mean(Truth truth) {
  return truth == Truth::exponential ? 1 : std::exp(0.5);
}

/// Blocks of four matches: each adds noise of its own to what the block is worth.
std::vector<std::vector<double>> skewed_blocks(Truth truth, std::size_t blocks,
                                               stats::ResamplingDice& dice) {
  std::vector<std::vector<double>> values(blocks);
  for (auto& block : values) {
    const double level =
        truth == Truth::exponential ? -std::log(dice.unit()) : std::exp(normal(dice));
    for (std::size_t m = 0; m < matches_a_block; ++m) block.push_back(level + 0.5 * normal(dice));
  }
  return values;
}

std::vector<double> block_means(const std::vector<std::vector<double>>& blocks) {
  std::vector<double> means;
  for (const auto& block : blocks) {
    double sum = 0;
    for (const double value : block) sum += value;
    means.push_back(sum / static_cast<double>(block.size()));
  }
  return means;
}

bool holds(const stats::Interval& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

stats::Interval studentised(const std::vector<double>& values, std::uint64_t seed,
                            std::size_t resamples) {
  stats::BootstrapProblem problem;
  problem.units = {values.size()};
  stats::Cell cell;
  cell.units = cell.blocks = values.size();
  cell.terms = {{1, values, std::vector<double>(values.size(), 1.0)}};
  problem.cells = {cell};
  problem.contrasts = {{{0, 1.0}}};
  return stats::StudentisedBootstrap(problem, {.resamples = resamples, .seed = seed})
      .estimates()
      .at(0)
      .interval.value();
}

/// What Agon does not do: the quantiles of resampled means.
stats::Interval percentile(const std::vector<double>& values, std::uint64_t seed,
                           std::size_t resamples) {
  std::vector<double> means;
  for (std::size_t b = 0; b < resamples; ++b) {
    stats::ResamplingDice dice(seed, b);
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += values[static_cast<std::size_t>(dice.below(values.size()))];
    }
    means.push_back(sum / static_cast<double>(values.size()));
  }
  std::sort(means.begin(), means.end());
  return {stats::order_statistic(means, 0.025), stats::order_statistic(means, 0.975)};
}

/// What Agon does not do either: every match taken for independent evidence.
stats::Interval match_level(const std::vector<std::vector<double>>& blocks, std::uint64_t seed,
                            std::size_t resamples) {
  std::vector<double> all;
  for (const auto& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return percentile(all, seed, resamples);
}

struct Coverage {
  double studentised = 0;
  double percentile = 0;
  double match_level = 0;
};

/// Shares of simulated data sets whose 95% interval holds the truth.
Coverage measure(Truth truth, std::size_t blocks, std::size_t data_sets, std::size_t resamples) {
  Coverage coverage;
  const double mean = true_mean(truth);
  const double share = 1 / static_cast<double>(data_sets);
  for (std::size_t d = 0; d < data_sets; ++d) {
    stats::ResamplingDice dice(2026, d);
    const auto data = skewed_blocks(truth, blocks, dice);
    const auto means = block_means(data);
    if (holds(studentised(means, d, resamples), mean)) coverage.studentised += share;
    if (holds(percentile(means, d, resamples), mean)) coverage.percentile += share;
    if (holds(match_level(data, d, resamples), mean)) coverage.match_level += share;
  }
  return coverage;
}

// The checks return a line with what they measured, for the long run to print.

/// The studentised interval must stay in the band [least, 0.985] and beat the other two.
std::string check_bands(const std::string& truth, std::size_t blocks, const Coverage& coverage,
                        double least) {
  CHECK(coverage.studentised >= least);
  CHECK(coverage.studentised <= 0.985);
  CHECK(coverage.percentile < coverage.studentised);
  CHECK(coverage.match_level < coverage.percentile);
  CHECK(coverage.match_level < 0.75);
  std::ostringstream line;
  line << truth << ", " << blocks << " blocks: studentised " << coverage.studentised
       << ", percentile " << coverage.percentile << ", match-level " << coverage.match_level;
  return line.str();
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
      for (std::size_t m = 0; m < matches_a_block; ++m) {
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
    stats::BootstrapProblem problem;
    problem.units = {blocks};
    for (const std::size_t k : family) {
      problem.cells.emplace_back();
      problem.cells[k].units = problem.cells[k].blocks = blocks;
      problem.cells[k].terms = {{1, {}, std::vector<double>(blocks, 1.0)}};
      problem.contrasts.push_back({{k, 1.0}});
    }
    for (std::size_t b = 0; b < blocks; ++b) {
      const double reference = -std::log(dice.unit());  // shared by all four: true difference 0
      for (auto& cell : problem.cells) {
        cell.terms[0].numerator.push_back(-std::log(dice.unit()) - reference);
      }
    }
    const stats::StudentisedBootstrap bootstrap(problem, {.resamples = resamples, .seed = d});
    const auto joint = bootstrap.simultaneous(family);
    bool all_alone = true;
    bool all_together = true;
    for (const std::size_t k : family) {
      all_alone = all_alone && holds(bootstrap.estimates()[k].interval.value(), 0);
      all_together = all_together && holds(joint[k].value(), 0);
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

}  // namespace

TEST_CASE("intervals cover a skewed truth", "[stats][coverage]") {
  for (const std::size_t blocks : {10UL, 20UL, 50UL}) {
    check_bands("exponential", blocks, measure(Truth::exponential, blocks, 400, 499), 0.91);
  }
}

TEST_CASE("strength intervals cover", "[stats][coverage]") {
  check_strengths(20, 200, 199);
}

TEST_CASE("simultaneous intervals cover all at once", "[stats][coverage]") {
  check_family(20, 400, 499);
}

TEST_CASE("coverage, the long run", "[.][stats][slow][coverage]") {
  for (const std::size_t blocks : {10UL, 20UL, 50UL}) {
    WARN(check_bands("exponential", blocks, measure(Truth::exponential, blocks, 5000, 1999), 0.93));
    WARN(check_bands("lognormal", blocks, measure(Truth::lognormal, blocks, 5000, 1999), 0.89));
    WARN(check_strengths(blocks, 2000, 999));
    WARN(check_family(blocks, 5000, 999));
  }
}
