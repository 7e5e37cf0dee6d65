// How often intervals hold the truth, how wide they are, and how often tests that should find
// nothing find something, on simulated data whose truth is known.
//
//   bench_coverage [DATA_SETS] [THREADS] [single|unequal|families|apart|power]
//
// The tables of docs/statistics-derivations.md were made with 4000 data sets.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "stats/contrasts.hpp"
#include "stats/resampling.hpp"

namespace {

namespace stats = agon::stats;
using Dice = stats::ResamplingDice;

constexpr std::size_t kSizes[] = {10, 12, 20, 40};

double exponential(Dice& dice) {
  return -std::log(dice.unit());
}
double normal(Dice& dice) {
  return std::sqrt(2 * exponential(dice)) * std::cos(2 * std::numbers::pi * dice.unit());
}
double lognormal(Dice& dice, double sigma) {
  return std::exp(sigma * normal(dice));
}
double lognormal_mean(double sigma) {
  return std::exp(sigma * sigma / 2);
}
bool chance(Dice& dice, double p) {
  return dice.unit() < p;
}

/// What a unit brings: a numerator and a denominator.
struct Unit {
  double value = 0;
  double size = 1;
};

/// A population of units, its true ratio, and the range that is declared for it.
struct Truth {
  std::string name;
  std::function<Unit(Dice&)> draw;
  double mean = 0;
  stats::ValueBounds range{};
  bool yes_or_no = false;
};

Truth plain(std::string name, std::function<double(Dice&)> draw, double mean,
            stats::ValueBounds range = {}) {
  return {std::move(name), [draw](Dice& dice) { return Unit{draw(dice), 1}; }, mean, range};
}

Truth yes_or_no(double p) {
  Truth truth = plain(fmt::format("{:.0f}% yes", 100 * p),
                      [p](Dice& d) { return chance(d, p) ? 1.0 : 0.0; }, p, {0, 1});
  truth.yes_or_no = true;
  return truth;
}

/// The difference of two agents that are nearly alike, in a game with scores from 0 to 1.
Truth small(double deviation) {
  return plain(fmt::format("pair: normal {}, in [-1, 1]", deviation),
               [deviation](Dice& d) { return deviation * normal(d); }, 0, {-1, 1});
}

Truth disasters(double share, double loss, double else_mean, double else_deviation) {
  return plain(
      fmt::format("{:.0f}% of {:g}", 100 * share, loss),
      [=](Dice& d) { return chance(d, share) ? loss : else_mean + else_deviation * normal(d); },
      share * loss + (1 - share) * else_mean);
}

double gamma_below_one(Dice& dice, double shape) {
  // Ahrens and Dieter, "Computer methods for sampling from gamma ...", Computing 12 (1974).
  const double b = 1 + shape / std::numbers::e;
  for (;;) {
    const double p = b * dice.unit();
    const double x = p <= 1 ? std::pow(p, 1 / shape) : -std::log((b - p) / shape);
    if (dice.unit() < (p <= 1 ? std::exp(-x) : std::pow(x, shape - 1))) return x;
  }
}

Truth ratio(const std::string& name, double sigma, double nothing) {
  return {name,
          [=](Dice& d) {
            const double pie = lognormal(d, sigma);
            return Unit{chance(d, nothing) ? 0 : pie * (.5 + .2 * normal(d)), pie};
          },
          .5 * (1 - nothing)};
}

Truth clusters(const std::string& name, std::function<std::uint64_t(Dice&)> size, double shared) {
  return {name,
          [=](Dice& d) {
            const std::uint64_t blocks = size(d);
            Unit unit{0, static_cast<double>(blocks)};
            const double together = std::sqrt(shared) * normal(d);
            for (std::uint64_t b = 0; b < blocks; ++b)
              unit.value += together + std::sqrt(1 - shared) * normal(d);
            return unit;
          },
          0};
}

/// The rows of the table. Constants were fitted on those before "gamma(.3)".
std::vector<Truth> truths() {
  return {
      plain("normal", normal, 0),
      small(.02),
      small(.1),
      small(.25),
      plain("normal .5, .02 in [0, 1]", [](Dice& d) { return .5 + .02 * normal(d); }, .5, {0, 1}),
      plain("uniform in [0, 1]", [](Dice& d) { return d.unit(); }, .5, {0, 1}),
      plain("five steps in [0, 1]", [](Dice& d) { return static_cast<double>(d.below(5)) / 4; }, .5,
            {0, 1}),
      plain("pair: -1, 0 or 1",
            [](Dice& d) {
              const double u = d.unit();
              return u < .15 ? -1.0 : u < .3 ? 1.0 : 0.0;
            },
            0, {-1, 1}),
      plain("exponential", exponential, 1),
      plain(
          "lognormal 1", [](Dice& d) { return lognormal(d, 1); }, lognormal_mean(1)),
      plain(
          "lognormal 1.5", [](Dice& d) { return lognormal(d, 1.5); }, lognormal_mean(1.5)),
      plain(
          "30% exponential, else 0", [](Dice& d) { return chance(d, .3) ? exponential(d) : 0; },
          .3),
      disasters(.2, -3, .5, .3),
      disasters(.05, -10, .5, .05),
      plain(
          "pair: lognormal 1.2 less .6",
          [](Dice& d) { return lognormal(d, 1.2) - lognormal(d, .6); },
          lognormal_mean(1.2) - lognormal_mean(.6)),
      ratio("ratio, pies lognormal 1.5", 1.5, 0),
      ratio("ratio, pies lognormal 1, 40% get nothing", 1, .4),
      clusters(
          "clusters of 1 or 10 blocks", [](Dice& d) { return chance(d, .5) ? 1 : 10; }, .8),
      yes_or_no(.1),
      yes_or_no(.5),
      // not fitted on
      plain(
          "gamma .3", [](Dice& d) { return gamma_below_one(d, .3); }, .3),
      plain(
          "Weibull .5", [](Dice& d) { return std::pow(exponential(d), 2); }, 2),
      plain(
          "Laplace", [](Dice& d) { return exponential(d) - exponential(d); }, 0),
      plain("arcsine in [0, 1]",
            [](Dice& d) {
              const double s = std::sin(std::numbers::pi * d.unit() / 2);
              return s * s;
            },
            .5, {0, 1}),
      plain(
          "Pareto 2.2", [](Dice& d) { return std::pow(d.unit(), -1 / 2.2); }, 2.2 / 1.2),
      plain("beta(2, .3) in [0, 1]",
            [](Dice& d) {
              const double a = exponential(d) + exponential(d);
              return a / (a + gamma_below_one(d, .3));
            },
            2 / 2.3, {0, 1}),
      plain(
          "two normals, 80 to 20",
          [](Dice& d) { return chance(d, .2) ? 3 + .3 * normal(d) : .3 * normal(d); }, .6),
      plain("pair: 70% ties, else 1 or -1",
            [](Dice& d) { return chance(d, .7)   ? 0.0
                                 : chance(d, .5) ? 1.0
                                                 : -1.0; }, 0, {-1, 1}),
      ratio("ratio, pies lognormal 1.5, 40% get nothing", 1.5, .4),
      clusters(
          "clusters of 1 to 24 blocks",
          [](Dice& d) { return (1 + d.below(8)) * (chance(d, .2) ? 3 : 1); }, .5),
      plain(
          "pair: 70% ties, else normal", [](Dice& d) { return chance(d, .7) ? 0 : normal(d); }, 0),
  };
}

stats::StratumCell cell_of(const std::vector<Unit>& units, std::size_t stratum,
                           const stats::ValueBounds& range, bool yes_or_no = false) {
  stats::StratumCell cell;
  cell.stratum = stratum;
  cell.units = cell.blocks = units.size();
  cell.range = range;
  cell.yes_or_no = yes_or_no;
  cell.terms.resize(1);
  for (const Unit& unit : units) {
    cell.terms[0].numerator.push_back(unit.value);
    cell.terms[0].denominator.push_back(unit.size);
  }
  return cell;
}

std::vector<Unit> draw(const Truth& truth, std::size_t n, Dice& dice) {
  std::vector<Unit> units;
  for (std::size_t i = 0; i < n; ++i) units.push_back(truth.draw(dice));
  return units;
}

/// Does pieces of work on several threads.
void in_parallel(std::size_t pieces, std::size_t threads,
                 const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> crew;
  for (std::size_t t = 0; t < threads; ++t)
    crew.emplace_back([&] {
      for (std::size_t i = next++; i < pieces; i = next++) work(i);
    });
}

/// The width of Student's interval from the same data.
double of_student(const stats::Estimate& estimate) {
  const boost::math::students_t_distribution<double> law(static_cast<double>(estimate.units) - 1);
  return 2 * boost::math::quantile(law, .975) * estimate.standard_error.value_or(0);
}

struct Coverage {
  std::size_t given = 0;
  std::size_t held = 0;
  std::vector<double> widths;

  void add(const stats::Estimate& estimate, double truth) {
    if (!estimate.interval) return;
    ++given;
    held += estimate.interval->low <= truth && truth <= estimate.interval->high ? 1 : 0;
    if (const double student = of_student(estimate); student > 0)
      widths.push_back((estimate.interval->high - estimate.interval->low) / student);
  }
  [[nodiscard]] std::string words(std::size_t sets) {
    if (given == 0 || widths.empty()) return "-";
    std::sort(widths.begin(), widths.end());
    return fmt::format("{:.3f} w {:.2f}{}", static_cast<double>(held) / static_cast<double>(given),
                       widths[widths.size() / 2],
                       given < sets ? fmt::format(" ({:.1f}%)", 100. * static_cast<double>(given) /
                                                                    static_cast<double>(sets))
                                    : "");
  }
};

/// One population at a time.
void single(std::size_t sets, std::size_t threads) {
  fmt::print(
      "One game. Coverage of 95% CIs, and median width over that of Student's t from the\n"
      "same data; in brackets: given in, where not always.\n\n");
  fmt::print("| truth | n=10 | 12 | 20 | 40 |\n|---|---|---|---|---|\n");
  const auto rows = truths();
  std::vector<std::string> lines(rows.size());
  in_parallel(rows.size(), threads, [&](std::size_t r) {
    const Truth& truth = rows[r];
    std::string line = "| " + truth.name;
    for (const std::size_t n : kSizes) {
      Coverage coverage;
      for (std::size_t s = 0; s < sets; ++s) {
        Dice dice(1000 * r + n, s);
        stats::ContrastProblem problem;
        problem.units = {n};
        problem.cells = {cell_of(draw(truth, n, dice), 0, truth.range, truth.yes_or_no)};
        problem.cells[0].difference = truth.name.starts_with("pair");
        problem.contrasts = {{{0, 1.0}}};
        coverage.add(stats::ContrastEstimates(problem, {}).estimates()[0], truth.mean);
      }
      line += " | " + coverage.words(sets);
    }
    lines[r] = line + " |";
  });
  for (const auto& line : lines) fmt::print("{}\n", line);
}

/// Two scenarios of a game that weigh the same, one of which has few blocks.
void unequal(std::size_t sets) {
  fmt::print("\nTwo scenarios of one game, half the weight each.\n\n| scores");
  constexpr std::pair<std::size_t, std::size_t> kBlocks[] = {
      {2, 58}, {5, 55}, {6, 54}, {8, 52}, {10, 50}};
  for (const auto& [few, many] : kBlocks) fmt::print(" | {} + {}", few, many);
  fmt::print(" |\n|---|---|---|---|---|---|\n");
  for (const bool skewed : {false, true}) {
    fmt::print("| {}", skewed ? "exponential" : "normal");
    for (const auto& [few, many] : kBlocks) {
      Coverage coverage;
      for (std::size_t s = 0; s < sets; ++s) {
        Dice dice(31 + few, s);
        stats::ContrastProblem problem;
        problem.units = {few + many};
        stats::StratumCell cell;
        cell.units = cell.blocks = few + many;
        cell.terms.assign(2,
                          {.5, std::vector<double>(few + many), std::vector<double>(few + many)});
        for (std::size_t i = 0; i < few + many; ++i) {
          stats::RatioTerm& term = cell.terms[i < few ? 0 : 1];
          term.numerator[i] = skewed ? exponential(dice) : normal(dice);
          term.denominator[i] = 1;
        }
        problem.cells = {cell};
        problem.contrasts = {{{0, 1.0}}};
        coverage.add(stats::ContrastEstimates(problem, {}).estimates()[0], skewed ? 1 : 0);
      }
      fmt::print(" | {}", coverage.given == 0 ? "too few" : coverage.words(sets));
    }
    fmt::print(" |\n");
  }
}

/// A population of scores for each game.
struct Suite {
  std::string name;
  std::vector<Truth> games;
  std::vector<std::size_t> blocks;
};

Truth scaled_normal(double deviation) {
  return plain(
      "normal", [deviation](Dice& d) { return deviation * normal(d); }, 0);
}
Truth heavy(double sigma) {
  return plain(
      "", [sigma](Dice& d) { return lognormal(d, sigma); }, lognormal_mean(sigma));
}

/// Four agents and a reference that all play alike, on the same blocks: scores of a suite of games,
/// the agents' differences to the reference, and what is said of all four at once.
void families(std::size_t sets, std::size_t threads) {
  const Truth tame = scaled_normal(.5);
  const auto four = [](const Truth& game) { return std::vector<Truth>(4, game); };
  const std::vector<std::size_t> growing = {10, 20, 50, 80}, twelve = {12, 12, 12, 12};
  const std::vector<Suite> suites = {
      {"normal, deviations 1 3 .5 2",
       {scaled_normal(1), scaled_normal(3), scaled_normal(.5), scaled_normal(2)},
       growing},
      {"10 blocks of lognormal 1, three normal", {heavy(1), tame, tame, tame}, growing},
      {"10 blocks of lognormal 1.5, three normal", {heavy(1.5), tame, tame, tame}, growing},
      {"10% of -2, three normal", {disasters(.1, -2, .05, .02), tame, tame, tame}, twelve},
      {"four of 50% yes", four(yes_or_no(.5)), twelve},
      {"four exponential", four(plain("", exponential, 1)), twelve},
      {"one normal", {tame}, {12}},
      {"one lognormal 1.5", {heavy(1.5)}, {12}},
  };
  fmt::print(
      "\nFour agents that are like the reference. Coverage of the score over all games and\n"
      "of the differences to the reference, each by itself; differences, all four at once;\n"
      "family-wise error: some agent's p for all at once is under .05.\n\n");
  fmt::print(
      "| games | score | difference | all at once | family-wise error | width at once / own "
      "|\n|---|---|---|---|---|---|\n");
  std::vector<std::string> lines(suites.size());
  in_parallel(suites.size(), threads, [&](std::size_t r) {
    const Suite& suite = suites[r];
    const std::size_t games = suite.games.size();
    constexpr std::size_t kAgents = 4;
    Coverage scores, own;
    std::size_t all = 0, wrong = 0;
    std::vector<double> wider;
    double truth = 0;
    for (const Truth& game : suite.games) truth += game.mean / static_cast<double>(games);
    for (std::size_t s = 0; s < sets; ++s) {
      Dice dice(77 + r, s);
      stats::ContrastProblem problem;
      problem.units = suite.blocks;
      std::vector<stats::Contrast> means(1 + kAgents);
      for (std::size_t g = 0; g < games; ++g) {
        const Truth& game = suite.games[g];
        const auto reference = draw(game, suite.blocks[g], dice);
        const auto add = [&](std::size_t contrast, stats::StratumCell cell) {
          means[contrast].push_back({problem.cells.size(), 1.0 / static_cast<double>(games)});
          problem.cells.push_back(std::move(cell));
        };
        add(0, cell_of(reference, g, game.range));
        stats::ValueBounds apart = game.range;
        apart.low = game.range.low - game.range.high;
        apart.high = -apart.low;
        for (std::size_t a = 1; a <= kAgents; ++a) {
          auto units = draw(game, suite.blocks[g], dice);
          for (std::size_t i = 0; i < units.size(); ++i) units[i].value -= reference[i].value;
          add(a, cell_of(units, g, apart));
          problem.cells.back().difference = true;
        }
      }
      problem.contrasts = means;
      stats::IntervalOptions options;
      options.resamples = 999;
      const stats::ContrastEstimates made(problem, options);
      const std::vector<std::size_t> family = {1, 2, 3, 4};
      const auto joint = made.jointly(family);
      scores.add(made.estimates()[0], truth);
      bool held = true, refused = false;
      for (std::size_t a = 0; a < kAgents; ++a) {
        const auto& estimate = made.estimates()[family[a]];
        own.add(estimate, 0);
        if (!joint[a].interval) continue;
        held = held && joint[a].interval->low <= 0 && 0 <= joint[a].interval->high;
        refused = refused || *joint[a].p_value < .05;
        if (estimate.interval->high > estimate.interval->low)
          wider.push_back((joint[a].interval->high - joint[a].interval->low) /
                          (estimate.interval->high - estimate.interval->low));
      }
      all += held ? 1 : 0;
      wrong += refused ? 1 : 0;
    }
    std::sort(wider.begin(), wider.end());
    const auto share = [&](std::size_t count) {
      return static_cast<double>(count) / static_cast<double>(sets);
    };
    lines[r] = fmt::format("| {} | {} | {} | {:.3f} | {:.3f} | {:.2f}, at most {:.2f} |",
                           suite.name, scores.words(sets), own.words(sets * kAgents), share(all),
                           share(wrong), wider[wider.size() / 2], wider.back());
  });
  for (const auto& line : lines) fmt::print("{}\n", line);
}

/// Four tame agents beside one with rare disasters: who widens whom.
void tame_and_wild(std::size_t sets) {
  std::vector<double> wider;
  for (std::size_t s = 0; s < sets; ++s) {
    Dice dice(4711, s);
    stats::ContrastProblem problem;
    problem.units = {12};
    const Truth wild = disasters(.1, -2, .05, .02);
    for (std::size_t a = 0; a < 5; ++a) {
      problem.cells.push_back(cell_of(draw(a == 4 ? wild : scaled_normal(.03), 12, dice), 0, {}));
      problem.contrasts.push_back({{a, 1.0}});
    }
    stats::IntervalOptions options;
    options.resamples = 1999;
    const stats::ContrastEstimates made(problem, options);
    const std::vector<std::size_t> family = {0, 1, 2, 3, 4};
    const auto joint = made.jointly(family);
    for (std::size_t a = 0; a < 4; ++a)
      wider.push_back((joint[a].interval->high - joint[a].interval->low) /
                      (made.estimates()[a].interval->high - made.estimates()[a].interval->low));
  }
  std::sort(wider.begin(), wider.end());
  fmt::print(
      "\nFour tame agents beside one with 10% disasters, 12 blocks: the tame ones' interval\n"
      "for all at once is {:.2f} times their own (median), {:.2f} times at most.\n",
      wider[wider.size() / 2], wider.back());
}

/// What studies find of the effects that their pilots tell.
void power(std::size_t pilots, std::size_t threads) {
  struct Design {
    std::size_t pilot, study;
  };
  constexpr Design kDesigns[] = {{12, 12}, {12, 40}, {20, 20}, {40, 12}, {40, 40}};
  std::vector<Truth> rows;
  for (const Truth& truth : truths())
    if (truth.name == "normal" || truth.range.high == 1 || truth.name == "exponential" ||
        truth.name == "lognormal 1")
      if (!truth.yes_or_no) rows.push_back(truth);
  fmt::print(
      "\nShare of studies that find the gain, and the loss, that their pilot told for a chance\n"
      "of 80%. Long tails are on the side of high values.\n\n| truth");
  for (const Design& d : kDesigns) fmt::print(" | pilot {}, study {}", d.pilot, d.study);
  fmt::print(" |\n|---|---|---|---|---|---|\n");
  std::vector<std::string> lines(rows.size());
  in_parallel(rows.size(), threads, [&](std::size_t r) {
    const Truth& truth = rows[r];
    std::string line = "| " + truth.name;
    for (const Design& design : kDesigns) {
      std::size_t gains = 0, losses = 0, told = 0;
      for (std::size_t s = 0; s < pilots; ++s) {
        Dice dice(9000 + 100 * r + design.pilot + design.study, s);
        stats::PilotGame game{cell_of(draw(truth, design.pilot, dice), 0, truth.range), 1,
                              design.study, 1};
        stats::PowerOptions options;
        options.studies = 399;
        options.seed = s;
        const auto effect = stats::detectable_effect({game}, options);
        if (!effect) continue;
        ++told;
        auto units = draw(truth, design.study, dice);
        for (Unit& unit : units) unit.value -= truth.mean;
        stats::ContrastProblem problem;
        problem.units = {design.study};
        // What is found of a true gain and a true loss, with the range that is declared.
        const auto found = [&](double truly) {
          auto moved = units;
          for (Unit& unit : moved) unit.value += truly;
          stats::ValueBounds range = truth.range;
          range.low -= truth.mean;
          range.high -= truth.mean;
          problem.cells = {cell_of(moved, 0, range)};
          problem.contrasts = {{{0, 1.0}}};
          const auto made = stats::ContrastEstimates(problem, {}).estimates()[0].interval;
          return made && (truly > 0 ? made->low > 0 : made->high < 0);
        };
        gains += found(effect->gain) ? 1 : 0;
        losses += found(-effect->loss) ? 1 : 0;
      }
      const auto share = [&](std::size_t count) {
        return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, told));
      };
      line += fmt::format(" | {:.2f}, {:.2f}", share(gains), share(losses));
    }
    lines[r] = line + " |";
  });
  for (const auto& line : lines) fmt::print("{}\n", line);
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, std::size_t otherwise) {
    return argc > i ? static_cast<std::size_t>(std::strtoul(argv[i], nullptr, 10)) : otherwise;
  };
  const std::size_t sets = std::max<std::size_t>(1, number(1, 10'000));
  const std::size_t threads = number(2, std::max(1U, std::thread::hardware_concurrency()));
  const std::string_view part = argc > 3 ? argv[3] : "";
  const auto wanted = [&](std::string_view name) { return part.empty() || part == name; };
  if (wanted("single")) single(sets, threads);
  if (wanted("unequal")) unequal(sets);
  if (wanted("families")) families(std::max<std::size_t>(1, sets / 5), threads);
  if (wanted("apart")) tame_and_wild(std::max<std::size_t>(1, sets / 20));
  if (wanted("power")) power(std::max<std::size_t>(1, sets / 10), threads);
  return 0;
}
