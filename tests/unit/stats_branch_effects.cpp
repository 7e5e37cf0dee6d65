#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "stats/branch_effects.hpp"
#include "stats/resampling.hpp"

namespace stats = agon::stats;
using stats::GainAndPie;

namespace {

double normal_draw(stats::ResamplingDice& dice) {
  const boost::math::normal_distribution<double> standard;
  return boost::math::quantile(standard, dice.unit());
}

bool holds(const stats::Estimate& estimate, double truth) {
  return estimate.interval && estimate.interval->low <= truth && truth <= estimate.interval->high;
}

/// Cuts of parents: what a parent has in common, and noise of each cut.
std::vector<stats::ClusteredValue> cuts(stats::ResamplingDice& dice, std::size_t parents,
                                        double truth) {
  std::vector<stats::ClusteredValue> values;
  for (std::size_t p = 0; p < parents; ++p) {
    const double shared = normal_draw(dice);
    const std::size_t n = 1 + dice.below(5);
    for (std::size_t c = 0; c < n; ++c)
      values.push_back({p, truth + shared + normal_draw(dice) / 2});
  }
  return values;
}

struct ControlledStudy {
  double explained = 0;  ///< correlation of score and control
  double error = 0;      ///< mean of estimate less truth
  double spread = 0;     ///< standard deviation of that mean
  double held = 0;
  double saved = 0;
};

/// A card of 1 to 13 is worth its number; the agent gets that and its own luck, whose known value
/// is 7. The control gets the card, or something that has nothing to do with it.
ControlledStudy study(std::size_t blocks, double luck, bool related) {
  constexpr std::size_t kStudies = 1000, kBeyond = 2000;
  constexpr double kKnown = 7;
  ControlledStudy out;
  double sum = 0, squares = 0;
  for (std::size_t s = 0; s < kStudies; ++s) {
    stats::ResamplingDice dice(34, s);
    const auto card = [&] { return static_cast<double>(1 + dice.below(13)); };
    stats::ControlledTerm term;
    term.controls.resize(1);
    term.beyond.resize(1);
    for (std::size_t b = 0; b < blocks; ++b) {
      const double dealt = card();
      term.study.push_back({dealt + luck * normal_draw(dice), 1});
      term.controls[0].push_back({related ? dealt : card(), 1});
    }
    for (std::size_t b = 0; b < kBeyond; ++b) term.beyond[0].push_back({card(), 1});
    const auto got = stats::controlled(std::vector{term}, {});
    const double error = *got.controlled.value - kKnown;
    sum += error;
    squares += error * error;
    out.held += holds(got.controlled, kKnown) ? 1.0 / kStudies : 0;
    out.saved += got.saved.value_or(0) / kStudies;
  }
  out.error = sum / kStudies;
  out.spread = std::sqrt(squares) / kStudies;
  return out;
}

}  // namespace

TEST_CASE("effects of swaps hold the truth as often as they say, by parents and not by cuts",
          "[stats]") {
  constexpr std::size_t kSets = 2000;
  double held = 0, by_cut = 0;
  for (std::size_t s = 0; s < kSets; ++s) {
    stats::ResamplingDice dice(7, s);
    auto values = cuts(dice, 40, 0.3);
    held += holds(stats::clustered_mean(values, {}), 0.3) ? 1.0 / kSets : 0;
    for (std::size_t i = 0; i < values.size(); ++i) values[i].cluster = i;
    by_cut += holds(stats::clustered_mean(values, {}), 0.3) ? 1.0 / kSets : 0;
  }
  CHECK(held > 0.93);
  CHECK(held < 0.97);
  CHECK(by_cut < 0.90);  // what cuts share is counted as news
}

TEST_CASE("a mean over cuts counts each cut once", "[stats]") {
  const std::vector<stats::ClusteredValue> values{{4, 1}, {4, 1}, {4, 1}, {9, 5}};
  const stats::Estimate mean = stats::clustered_mean(values, {});
  CHECK(mean.value == 2.0);
  CHECK(mean.units == 2);
  CHECK(mean.blocks == 4);
  CHECK_FALSE(mean.interval);
  CHECK_FALSE(stats::clustered_mean({}, {}).value);
}

TEST_CASE("controls leave a known value where it is, and their intervals hold it", "[stats]") {
  for (const std::size_t blocks : {12UL, 40UL}) {
    const ControlledStudy related = study(blocks, 2, true);
    INFO(blocks << " blocks: error " << related.error << " +- " << related.spread << ", held "
                << related.held << ", saved " << related.saved);
    CHECK(std::abs(related.error) < 3.5 * related.spread);
    CHECK(related.held > 0.93);
    CHECK(related.held < 0.975);
    CHECK(related.saved > 0.65);  // the card makes 14 of 18 parts of the variance
    CHECK(related.saved < 0.80);
    const ControlledStudy unrelated = study(blocks, 2, false);
    INFO("unrelated: error " << unrelated.error << " +- " << unrelated.spread << ", held "
                             << unrelated.held << ", saved " << unrelated.saved);
    CHECK(std::abs(unrelated.error) < 3.5 * unrelated.spread);
    CHECK(unrelated.held > 0.93);
    CHECK(unrelated.held < 0.975);
    CHECK(unrelated.saved < 0.02);
  }
}

TEST_CASE("controls of ratios, of several terms and of nothing", "[stats]") {
  stats::ControlledTerm term;
  term.controls.resize(2);
  term.beyond.resize(2);
  stats::ResamplingDice dice(3);
  double beyond = 0;
  for (std::size_t b = 0; b < 30; ++b) {
    const double luck = dice.unit(), pie = 1 + dice.unit();
    term.study.push_back({luck * pie, pie});
    term.controls[0].push_back({2 * luck * pie, pie});
    term.controls[1].push_back({1, 1});  // never varies
    const double other = dice.unit();
    beyond += other / 30;
    term.beyond[0].push_back({2 * other, 1});
    term.beyond[1].push_back({1, 1});
  }
  // What the control explains wholly is known as well as the control.
  const auto got = stats::controlled(std::vector{term}, {});
  REQUIRE(got.controlled.value);
  CHECK(std::abs(*got.controlled.value - beyond) < 1e-9);
  stats::ControlledTerm half = term;
  term.weight = half.weight = 0.5;
  const auto two = stats::controlled(std::vector{term, half}, {});
  CHECK(std::abs(*two.controlled.value - *got.controlled.value) < 1e-9);
  CHECK(std::abs(*two.plain.value - *got.plain.value) < 1e-9);
  half.controls.clear();
  half.beyond.clear();
  half.weight = 1;
  const auto none = stats::controlled(std::vector{half}, {});
  CHECK(none.controlled.value == none.plain.value);
  CHECK(std::abs(none.saved.value_or(1)) < 1e-9);
  CHECK_FALSE(stats::controlled({}, {}).plain.value);
}

TEST_CASE("the best of many alike is not better than the base", "[stats]") {
  constexpr std::size_t kSets = 1000, kChoices = 12, kUnits = 24;
  double mean = 0, held = 0, wrong = 0, given = 0, naive = 0;
  for (std::size_t s = 0; s < kSets; ++s) {
    stats::ResamplingDice dice(11, s);
    std::vector<std::vector<double>> values(kChoices, std::vector<double>(kUnits));
    std::vector<double> means(kChoices);
    for (std::size_t c = 0; c < kChoices; ++c)
      for (double& value : values[c]) means[c] += (value = normal_draw(dice)) / kUnits;
    const stats::BestOfHalves best = stats::best_of_halves(values, 0, {});
    naive += (*std::max_element(means.begin(), means.end()) - means[0]) / kSets;
    if (best.is_base) {
      CHECK(best.gain.value == 0.0);
      continue;
    }
    ++given;
    mean += *best.gain.value;
    held += holds(best.gain, 0) ? 1 : 0;
    wrong += best.gain.interval->low > 0 ? 1 : 0;
  }
  INFO("mean " << mean / given << ", naive " << naive << ", held " << held / given);
  CHECK(naive > 0.25);
  // The base's luck in the choosing half has no part in the other half.
  CHECK(std::abs(mean / given) < 0.04);
  CHECK(held / given > 0.93);
  CHECK(held / given < 0.985);
  CHECK(wrong / given < 0.04);
}

TEST_CASE("a planted blunder is the worst decision that is found, and without one few are",
          "[stats]") {
  constexpr std::size_t kMatches = 100, kQuestions = 12, kAnswers = 8, kUnits = 24;
  std::size_t found = 0, false_ones = 0, decisions = 0;
  for (std::size_t m = 0; m < kMatches; ++m) {
    stats::ResamplingDice dice(5, m);
    const std::size_t planted = dice.below(kQuestions);
    double most = 0;
    std::size_t worst = kQuestions;
    for (std::size_t q = 0; q < kQuestions; ++q) {
      std::vector<std::vector<double>> values(kAnswers, std::vector<double>(kUnits));
      for (std::size_t a = 0; a < kAnswers; ++a)
        for (double& value : values[a])
          value = 0.5 * normal_draw(dice) - (q == planted && a == 0 ? 1.0 : 0.0);
      const stats::BestOfHalves best = stats::best_of_halves(values, 0, {});
      if (!best.gain.interval || !(best.gain.interval->low > 0)) continue;
      if (q != planted) ++false_ones;
      if (*best.gain.value > most) {
        most = *best.gain.value;
        worst = q;
      }
    }
    decisions += kQuestions - 1;
    found += worst == planted ? 1 : 0;
  }
  CHECK(found >= 95);
  CHECK(static_cast<double>(false_ones) / static_cast<double>(decisions) < 0.035);
}
