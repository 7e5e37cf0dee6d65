#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/contrasts.hpp"
#include "stats/ratings/strengths.hpp"
#include "stats/resampling.hpp"
#include "stats/score_table.hpp"

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

/// What a unit brings.
struct Unit {
  double value = 0;
  double size = 1;
};

/// Of simulated data sets: how many 95% CIs hold the truth, and their median width over that
/// of Student's t.
struct Coverage {
  double held = 0;
  double width = 0;
};

template <class Draw>
Coverage coverage(std::size_t blocks, double truth, const stats::ValueBounds& range, Draw draw) {
  constexpr std::size_t data_sets = 2000;
  double given = 0;
  double held = 0;
  std::vector<double> widths;
  const boost::math::students_t_distribution<double> law(static_cast<double>(blocks) - 1);
  const double t = boost::math::quantile(law, 0.975);
  for (std::size_t d = 0; d < data_sets; ++d) {
    stats::ResamplingDice dice(2026, d);
    stats::ContrastProblem problem;
    problem.units = {blocks};
    problem.cells.resize(1);
    problem.cells[0].units = problem.cells[0].blocks = blocks;
    problem.cells[0].range = range;
    problem.cells[0].terms.resize(1);
    for (std::size_t b = 0; b < blocks; ++b) {
      const Unit unit = draw(dice);
      problem.cells[0].terms[0].numerator.push_back(unit.value);
      problem.cells[0].terms[0].denominator.push_back(unit.size);
    }
    problem.contrasts = {{{0, 1.0}}};
    const auto found = stats::ContrastEstimates(problem, {}).estimates()[0];
    if (!found.interval) continue;
    given += 1;
    held += holds(*found.interval, truth) ? 1 : 0;
    if (found.standard_error)
      widths.push_back((found.interval->high - found.interval->low) /
                       (2 * t * *found.standard_error));
  }
  std::sort(widths.begin(), widths.end());
  return {held / given, widths[widths.size() / 2]};
}

/// With both bars: an interval that holds everything says nothing.
void check(const Coverage& found, double least, double most, double widest) {
  CHECK(found.held >= least);
  CHECK(found.held <= most);
  CHECK(found.width <= widest);
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
    std::vector<stats::MatchRanking> matches;
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
TEST_CASE("intervals hold the truth, and are not wider than they need be", "[stats][coverage]") {
  const auto of = [](auto value) {
    return [value](stats::ResamplingDice& dice) { return Unit{value(dice)}; };
  };
  for (const std::size_t blocks : {10UL, 12UL, 20UL, 40UL}) {
    CAPTURE(blocks);
    const double tight = blocks <= 12 ? 1.2 : 1.1;
    check(coverage(blocks, 0, {}, of(normal)), .935, .98, tight);
    // Agents that are nearly alike in a game with scores from 0 to 1.
    for (const double deviation : {.02, .1, .25})
      check(coverage(blocks, 0, {-1, 1}, of([&](auto& d) { return deviation * normal(d); })), .935,
            .98, tight);
    check(coverage(blocks, .5, {0, 1}, of([](auto& d) { return d.unit(); })), .945, .99, tight);
    check(coverage(blocks, 1, {}, of(exponential)), .945, .98, 1.85);
    check(coverage(blocks, std::exp(.5), {}, of([](auto& d) { return std::exp(normal(d)); })), .92,
          .98, 1.85);
    check(coverage(blocks, 0, {}, of([](auto& d) { return exponential(d) - exponential(d); })),
          .935, .98, 1.35);
    // Pies of which one may outweigh all others, and clusters of 1 or 10 blocks.
    check(coverage(blocks, .5, {},
                   [](auto& d) {
                     const double pie = std::exp(1.5 * normal(d));
                     return Unit{pie * (.5 + .2 * normal(d)), pie};
                   }),
          .93, .98, 1.85);
    check(coverage(blocks, 0, {},
                   [](auto& d) {
                     const double size = d.unit() < .5 ? 1 : 10;
                     return Unit{
                         std::sqrt(.8) * size * normal(d) + std::sqrt(.2 * size) * normal(d), size};
                   }),
          .93, .98, 1.55);
  }
}

TEST_CASE("scenarios with few blocks are covered at half the weight", "[stats][coverage]") {
  for (const std::size_t few : {6UL, 10UL}) {
    double held = 0;
    constexpr std::size_t data_sets = 2000;
    for (std::size_t d = 0; d < data_sets; ++d) {
      stats::ResamplingDice dice(17, d);
      stats::ContrastProblem problem;
      problem.units = {60};
      problem.cells.resize(1);
      problem.cells[0].units = problem.cells[0].blocks = 60;
      problem.cells[0].terms.assign(2, {.5, std::vector<double>(60), std::vector<double>(60), {}});
      for (std::size_t i = 0; i < 60; ++i) {
        problem.cells[0].terms[i < few ? 0 : 1].numerator[i] = normal(dice);
        problem.cells[0].terms[i < few ? 0 : 1].denominator[i] = 1;
      }
      problem.contrasts = {{{0, 1.0}}};
      held += holds(*stats::ContrastEstimates(problem, {}).estimates()[0].interval, 0) ? 1 : 0;
    }
    CHECK(held / data_sets >= .935);
    CHECK(held / data_sets <= .98);
  }
}

TEST_CASE("equal agents are told apart as often as the level says", "[stats][coverage]") {
  std::size_t wrong = 0;
  constexpr std::size_t suites = 400;
  const std::vector<std::size_t> family = {0, 1, 2, 3};
  for (std::size_t s = 0; s < suites; ++s) {
    stats::ResamplingDice dice(55, s);
    stats::ContrastProblem problem;
    problem.units = {20};
    for (const std::size_t k : family) {
      problem.cells.emplace_back();
      problem.cells[k].units = problem.cells[k].blocks = 20;
      problem.cells[k].range = {-1, 1};
      problem.cells[k].difference = true;
      problem.cells[k].terms = {{1, {}, std::vector<double>(20, 1.0), {}}};
      problem.contrasts.push_back({{k, 1.0}});
    }
    for (std::size_t b = 0; b < 20; ++b) {
      const double reference = normal(dice);
      for (auto& cell : problem.cells)
        cell.terms[0].numerator.push_back(.05 * (normal(dice) - reference));
    }
    const auto joint =
        stats::ContrastEstimates(problem, {.resamples = 499, .seed = s}).jointly(family);
    bool any = false;
    for (const auto& one : joint) any = any || !holds(*one.interval, 0);
    wrong += any ? 1 : 0;
  }
  CHECK(wrong >= suites * 2 / 100);
  CHECK(wrong <= suites * 7 / 100);
}

TEST_CASE("what a pilot tells is found as often as it says", "[stats][coverage]") {
  // With and without a declared range: a range does not move what is found.
  for (const double range : {1.0, 1e9}) {
    for (const std::size_t blocks : {12UL, 40UL}) {
      std::size_t gains = 0, losses = 0;
      constexpr std::size_t pilots = 300;
      const auto cell_of = [&](stats::ResamplingDice& dice) {
        stats::StratumCell cell;
        cell.units = cell.blocks = blocks;
        cell.difference = true;
        cell.range = {-range, range};
        cell.terms = {{1, {}, std::vector<double>(blocks, 1.0), {}}};
        for (std::size_t b = 0; b < blocks; ++b)
          cell.terms[0].numerator.push_back(.03 * normal(dice));
        return cell;
      };
      for (std::size_t s = 0; s < pilots; ++s) {
        stats::ResamplingDice dice(63 + blocks, s);
        stats::PowerOptions options;
        options.studies = 199;
        options.seed = s;
        const auto effect =
            stats::detectable_effect({{cell_of(dice), 1, blocks, 1}}, options).value();
        stats::ContrastProblem study;
        study.units = {blocks};
        study.cells = {cell_of(dice)};
        study.contrasts = {{{0, 1.0}}};
        const auto found = *stats::ContrastEstimates(study, {}).estimates()[0].interval;
        gains += found.low + effect.gain > 0 ? 1 : 0;
        losses += found.high - effect.loss < 0 ? 1 : 0;
      }
      for (const std::size_t found : {gains, losses}) {
        CHECK(found >= pilots * 72 / 100);
        CHECK(found <= pilots * 88 / 100);
      }
    }
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

namespace {

/// Two games, in one of which bargains go wrong now and then by many times what there was to gain.
/// 'better' is ahead of 'ref' by `ahead` in the other one; 'equal' and 'third' are like 'ref'.
std::vector<stats::ScoreRow> calm_and_wild(std::uint64_t set, std::size_t blocks, double ahead) {
  stats::ResamplingDice dice(4711, set);
  std::vector<stats::ScoreRow> rows;
  for (std::size_t b = 0; b < blocks; ++b) {
    const double luck = 0.3 * normal(dice);
    for (const char* agent : {"better", "equal", "ref", "third"}) {
      const double calm = 0.5 + luck + 0.15 * normal(dice) + (agent[0] == 'b' ? ahead : 0);
      const double wild =
          dice.unit() < 0.15 ? -std::exp(1.5 * normal(dice)) * 3 : 0.5 + 0.2 * normal(dice);
      rows.push_back({"calm", std::to_string(b), "", "", 0, agent, calm, 0, 1});
      rows.push_back({"wild", std::to_string(b), "", "", 0, agent, wild, 0, 1});
    }
  }
  return rows;
}

/// How often the interval of an agent's difference over both games lies beyond 0.
double found(const std::string& agent, stats::Aggregate aggregate, std::size_t blocks,
             double ahead) {
  constexpr std::size_t sets = 500;
  stats::IntervalOptions options;
  options.resamples = 19;  // own intervals only
  double beyond = 0;
  for (std::size_t set = 0; set < sets; ++set) {
    const stats::ScoreTable table(calm_and_wild(set, blocks, ahead));
    for (const auto& row : stats::headline(table, "ref", options, aggregate).rows)
      if (row.agent == agent && row.difference.interval)
        beyond += row.difference.interval->low > 0 || row.difference.interval->high < 0 ? 1 : 0;
  }
  return beyond / sets;
}

}  // namespace

TEST_CASE("aggregates that one game cannot decide keep their level and find what the mean loses",
          "[stats][coverage]") {
  using stats::Aggregate;
  for (const Aggregate aggregate : {Aggregate::winsorised, Aggregate::ranks})
    for (const std::size_t blocks : {12, 20, 40}) {
      const double level = found("equal", aggregate, blocks, 0);
      INFO(static_cast<int>(aggregate) << ", " << blocks << " blocks: " << level);
      CHECK(level > 0.015);
      CHECK(level < 0.075);
    }
  const double by_mean = found("better", Aggregate::mean, 20, 0.25);
  CHECK(by_mean < 0.15);
  CHECK(found("better", Aggregate::winsorised, 20, 0.25) > by_mean + 0.05);
  CHECK(found("better", Aggregate::ranks, 20, 0.25) > 0.6);
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
