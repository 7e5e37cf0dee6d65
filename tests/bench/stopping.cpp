// How often stop rules decide what is not so, and what they save. Simulated suites of one game;
// everything is what a run uses (stats/sequential/stop_test.hpp).
//
//   bench_stopping [SUITES] [BLOCKS] [PLANTED SUITES] [equal|rare|unequal|ties|planted]
//
// Without a part: all of them.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stats/sequential/stop_test.hpp"

namespace {

using namespace agon::stats;
using Dice = std::mt19937_64;

double even(Dice& dice) {
  return (static_cast<double>(dice() >> 11) + 0.5) * 0x1p-53;
}
double normal(Dice& dice) {
  return std::sqrt(-2 * std::log(even(dice))) * std::cos(2 * 3.14159265358979323846 * even(dice));
}

/// What a block is worth to an agent.
struct Truth {
  std::string name;
  std::function<double(Dice&)> draw;
  double mean = 0;
  bool bounded = false;  // in [0, 1]
};

const std::vector<Truth>& truths() {
  static const std::vector<Truth> all{
      {"normal", normal, 0, false},
      {"exponential", [](Dice& d) { return -std::log(even(d)); }, 1, false},
      {"lognormal(1)", [](Dice& d) { return std::exp(normal(d)); }, std::exp(0.5), false},
      {"lognormal(1.5)", [](Dice& d) { return std::exp(1.5 * normal(d)); }, std::exp(1.125), false},
      {"Pareto(2.2)", [](Dice& d) { return std::pow(even(d), -1 / 2.2); }, 2.2 / 1.2, false},
      {"five values",
       [](Dice& d) {
         const double u = even(d);
         return u < 0.6 ? 0 : u < 0.75 ? 0.25 : u < 0.85 ? 0.5 : u < 0.95 ? 0.75 : 1;
       },
       0.2125, true},
      {"15% disasters", [](Dice& d) { return even(d) < 0.15 ? -2 : 0.05 + 0.02 * normal(d); },
       -0.2575, false},
      {"binary, 50%", [](Dice& d) { return even(d) < 0.5 ? 1.0 : 0.0; }, 0.5, true},
      {"binary, 10%", [](Dice& d) { return even(d) < 0.1 ? 1.0 : 0.0; }, 0.1, true},
  };
  return all;
}

/// One suite: what every agent got in a block, and the test that looks at it.
class Suite {
 public:
  Suite(std::size_t agents, bool bounded, StopQuestion question)
      : looks_(agents, {bounded ? std::optional(Interval{0, 1}) : std::nullopt}),
        test_(std::move(question)) {}

  /// Plays a block; agents that are out are not asked for. Returns how many played.
  std::size_t play(const std::vector<double>& scores) {
    std::vector<LookRow> rows;
    for (std::size_t a = 0; a < scores.size(); ++a)
      if (test_.is_in(a)) rows.push_back({0, 0, looks_.looks(), a, scores[a], 1});
    looks_.add(rows);
    test_.look(looks_);
    return rows.size();
  }
  [[nodiscard]] const StopTest& test() const { return test_; }
  [[nodiscard]] std::vector<Standing> standings() const { return test_.standings(looks_); }

 private:
  PairedLooks looks_;
  StopTest test_;
};

StopQuestion question(StopQuestion::StopKind kind, std::size_t agents, double target) {
  StopQuestion q;
  q.kind = kind;
  q.target = target;
  for (std::size_t a = kind == StopQuestion::StopKind::difference ? 1 : 0; a < agents; ++a)
    q.agents.push_back(a);
  return q;
}

/// Calls `each` with the numbers 0 .. count - 1, from several threads.
void in_parallel(int count, const std::function<void(int)>& each) {
  std::atomic<int> next{0};
  std::vector<std::jthread> crew;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t)
    crew.emplace_back([&] {
      for (int i = next++; i < count; i = next++) each(i);
    });
}

/// Suites of agents with equal means: how many decide within so many blocks.
double decisions(const Truth& truth, bool bounded, bool alike, const StopQuestion& q, int suites,
                 int blocks) {
  std::atomic<int> decided{0};
  in_parallel(suites, [&](int s) {
    Dice dice(static_cast<std::uint64_t>(s) * 1'000'003U + 17);
    const std::size_t agents = q.agents.size();
    Suite suite(agents, bounded, q);
    std::vector<double> scores(agents);
    for (int b = 0; b < blocks && !suite.test().decided(); ++b) {
      // Alike: all draw from the truth. Else all but the first always get its mean.
      for (std::size_t a = 0; a < agents; ++a)
        scores[a] = alike || a == 0 ? truth.draw(dice) : truth.mean;
      suite.play(scores);
    }
    decided += suite.test().decided() ? 1 : 0;
  });
  return static_cast<double>(decided) / suites;
}

/// Of the intervals at which a difference rule stops, how many hold the truth; and how many stop.
std::pair<double, double> coverage(const Truth& truth, bool bounded, bool alike, double half_width,
                                   int suites, int blocks) {
  std::atomic<int> held{0};
  std::atomic<int> stopped{0};
  in_parallel(suites, [&](int s) {
    Dice dice(static_cast<std::uint64_t>(s) * 1'000'003U + 17);
    Suite suite(2, bounded, question(StopQuestion::StopKind::difference, 2, half_width));
    for (int b = 0; b < blocks && !suite.test().decided(); ++b) {
      const double reference = alike ? truth.draw(dice) : truth.mean;
      suite.play({reference, truth.draw(dice)});
    }
    stopped += suite.test().decided() ? 1 : 0;
    const auto interval = suite.standings().front().difference.interval;
    held += !interval || (interval->low <= 0 && interval->high >= 0) ? 1 : 0;
  });
  return {static_cast<double>(held) / suites, static_cast<double>(stopped) / suites};
}

/// Eight agents whose block scores have a part in common and parts of their own, such that the
/// difference of two has standard deviation 0.25.
std::vector<double> eight(const std::vector<double>& means, Dice& dice) {
  const double common = 0.5 * normal(dice);
  std::vector<double> scores;
  for (const double mean : means)
    scores.push_back(mean + common + 0.25 / std::sqrt(2.0) * normal(dice));
  return scores;
}

/// The fixed design: the fewest blocks after which, in 95% of suites, the agent that leads is the
/// best one, and all its differences have a paired t test with Holm's p below 0.05.
std::size_t fixed_design(const std::vector<double>& means, int suites, std::size_t most) {
  const std::size_t k = means.size();
  std::vector<int> found(most + 1, 0);
  std::vector<std::vector<double>> critical(most + 1, std::vector<double>(k, INFINITY));
  for (std::size_t n = 2; n <= most; ++n)
    for (std::size_t j = 1; j < k; ++j)
      critical[n][j] = boost::math::quantile(boost::math::students_t(static_cast<double>(n - 1)),
                                             1 - 0.025 / static_cast<double>(j));
  for (int s = 0; s < suites; ++s) {
    Dice dice(static_cast<std::uint64_t>(s) * 7'919U + 5);
    std::vector<double> sum(k, 0);
    std::vector<std::vector<double>> cross(k, std::vector<double>(k, 0));
    for (std::size_t n = 1; n <= most; ++n) {
      const auto scores = eight(means, dice);
      for (std::size_t a = 0; a < k; ++a) {
        sum[a] += scores[a];
        for (std::size_t b = 0; b < k; ++b) cross[a][b] += scores[a] * scores[b];
      }
      const auto lead =
          static_cast<std::size_t>(std::max_element(sum.begin(), sum.end()) - sum.begin());
      if (lead != 0 || n < 2) continue;
      std::vector<double> t;
      const auto m = static_cast<double>(n);
      for (std::size_t b = 1; b < k; ++b) {
        const double d = (sum[0] - sum[b]) / m;
        const double squares = cross[0][0] - 2 * cross[0][b] + cross[b][b] - m * d * d;
        t.push_back(d / std::sqrt(squares / (m - 1) / m));
      }
      std::sort(t.rbegin(), t.rend());
      bool all = true;
      for (std::size_t i = 0; i < t.size(); ++i) all = all && t[i] > critical[n][t.size() - i];
      found[n] += all ? 1 : 0;
    }
  }
  for (std::size_t n = 2; n <= most; ++n)
    if (found[n] >= 0.95 * suites) return n;
  return most;
}

void planted(const std::string& name, const std::vector<double>& means, int suites) {
  const std::size_t fixed = fixed_design(means, suites, 600);
  const std::size_t most = 2 * fixed;
  for (const bool budget : {false, true}) {
    StopQuestion q = question(
        budget ? StopQuestion::StopKind::budget : StopQuestion::StopKind::best, means.size(), 0.95);
    q.most_looks = most;
    q.budget = fixed / 3;
    std::atomic<int> right{0};
    std::atomic<int> wrong{0};
    std::atomic<std::size_t> blocks{0};
    in_parallel(suites, [&](int s) {
      Dice dice(static_cast<std::uint64_t>(s) * 104'729U + 11);
      Suite suite(means.size(), false, q);
      for (std::size_t b = 0; b < most && !suite.test().decided(); ++b)
        blocks += suite.play(eight(means, dice));
      if (suite.test().decided()) ++(suite.test().best() == std::size_t{0} ? right : wrong);
    });
    const double cost = static_cast<double>(blocks) / suites;
    fmt::print("{:<22} {:<26} right {:.3f}, wrong {:.3f}; {:.0f} agent-blocks of {}: {:.0f}%\n",
               name, budget ? fmt::format("best of a budget of {}", q.budget) : "best=0.95",
               right.load() / static_cast<double>(suites),
               wrong.load() / static_cast<double>(suites), cost, fixed * means.size(),
               100 * cost / static_cast<double>(fixed * means.size()));
  }
}

/// Agents of which the first is hardly better, or no better, than others: who is called best.
void near_ties(const std::string& name, const std::vector<double>& means, int suites, int most) {
  std::atomic<int> right{0};
  std::atomic<int> wrong{0};
  in_parallel(suites, [&](int s) {
    Dice dice(static_cast<std::uint64_t>(s) * 15'485'863U + 29);
    Suite suite(means.size(), false, question(StopQuestion::StopKind::best, means.size(), 0.95));
    for (int b = 0; b < most && !suite.test().decided(); ++b) suite.play(eight(means, dice));
    if (suite.test().decided()) ++(suite.test().best() == std::size_t{0} ? right : wrong);
  });
  fmt::print("{:<34} the first {:.4f}, another {:.4f}\n", name,
             right.load() / static_cast<double>(suites),
             wrong.load() / static_cast<double>(suites));
}

/// Two agents of which the better one always gets about so much; the other gets more than that, but
/// for what rarely happens to it.
struct Rare {
  std::string name;
  double share = 0;  // of blocks in which it loses
  double loss = 0;
  double better = 0;  // what the better one gets
};

/// How often a rule calls the worse one better; `fewest` and `worst` as the question has them.
double misled(const Rare& rare, std::optional<std::size_t> fewest, std::optional<double> worst,
              int suites, int blocks) {
  StopQuestion q = question(StopQuestion::StopKind::decide, 2, 0.95);
  q.agents = {0, 1};
  q.fewest = fewest;
  q.worst = worst;
  std::atomic<int> wrong{0};
  in_parallel(suites, [&](int s) {
    Dice dice(static_cast<std::uint64_t>(s) * 32'452'843U + 7);
    Suite suite(2, false, q);
    for (int b = 0; b < blocks && !suite.test().decided(); ++b) {
      const double wild = even(dice) < rare.share ? rare.loss : 0.5 + 0.02 * normal(dice);
      suite.play({wild, rare.better + 0.02 * normal(dice)});
    }
    wrong += suite.test().decided() && suite.test().best() == std::size_t{0} ? 1 : 0;
  });
  return static_cast<double>(wrong) / suites;
}

void rare_losses(int suites, int blocks) {
  fmt::print(
      "\nThe worse of two, .5 but for rare losses, called better within {} blocks, by the\n"
      "fewest blocks that decide; and where the rule knows how much can be lost in one.\n\n",
      blocks);
  fmt::print("{:<34} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "truth", "24", "40", "60", "100",
             "150", "worst");
  for (const Rare& rare : {Rare{"3% of -10, against .30", 0.03, -10, 0.30},
                           Rare{"5% of -10, against .10", 0.05, -10, 0.10},
                           Rare{"1% of -20, against .40", 0.01, -20, 0.40},
                           Rare{"15% of -3, against .10", 0.15, -3, 0.10}}) {
    fmt::print("{:<34}", rare.name);
    for (const std::size_t fewest : {24, 40, 60, 100, 150})
      fmt::print(" {:>8.4f}", misled(rare, fewest, std::nullopt, suites, blocks));
    fmt::print(" {:>8.4f}\n", misled(rare, std::nullopt, 1 - rare.loss, suites, blocks));
  }
}

/// Two agents, in two scenarios of one game that weigh the same: how often a rule decides. A look
/// has one block of the first and its share of the other's.
double decisions_of_two(std::size_t few, std::size_t many, double ahead,
                        std::optional<std::size_t> fewest, int suites) {
  StopQuestion q = question(StopQuestion::StopKind::decide, 2, 0.95);
  q.fewest = fewest;
  std::atomic<int> decided{0};
  in_parallel(suites, [&](int s) {
    Dice dice(static_cast<std::uint64_t>(s) * 49'979'687U + 3);
    PairedLooks looks(2, {std::nullopt});
    StopTest test(q);
    std::size_t bin = 0;
    for (std::size_t look = 0; look < few && !test.decided(); ++look) {
      std::vector<LookRow> rows;
      const std::size_t others = (look + 1) * many / few - look * many / few;
      for (std::size_t i = 0; i <= others; ++i, ++bin) {
        const std::size_t cell = i == 0 ? 0 : 1;
        rows.push_back({0, cell, bin, 0, ahead + normal(dice), 1});
        rows.push_back({0, cell, bin, 1, normal(dice), 1});
      }
      looks.add(rows);
      test.look(looks);
    }
    decided += test.decided() ? 1 : 0;
  });
  return static_cast<double>(decided) / suites;
}

void unequal(int suites) {
  fmt::print(
      "\nTwo agents in two scenarios of one game that weigh the same: decisions with the default\n"
      "and with \"min_blocks\": 1, where they are equal and where one is 1.5 deviations of a "
      "score\n"
      "ahead.\n\n");
  fmt::print("{:<12} {:>8} {:>8} {:>8} {:>8}\n", "blocks", "equal", "from 1", "ahead", "from 1");
  for (const auto& [few, many] : {std::pair<std::size_t, std::size_t>{2, 200},
                                  {10, 300},
                                  {20, 300},
                                  {30, 300},
                                  {60, 300},
                                  {100, 300}}) {
    fmt::print("{:<12}", fmt::format("{} + {}", few, many));
    for (const double ahead : {0.0, 1.5})
      for (const std::optional<std::size_t> fewest : {std::optional<std::size_t>(), {1}})
        fmt::print(" {:>8.4f}", decisions_of_two(few, many, ahead, fewest, suites));
    fmt::print("\n");
  }
}

/// Agents with equal means: what is decided about them all the same.
void equal_means(int suites, int blocks) {
  fmt::print(
      "{} suites of agents with equal means, looked at after each of {} blocks.\n"
      "Decisions; for differences: intervals that hold the truth when a half-width of a fifth of\n"
      "the standard deviation is reached, or at the end.\n\n",
      suites, blocks);
  fmt::print("{:<34} {:>8} {:>8} {:>8} {:>8} {:>10}\n", "truth", "decide", "best of 2", "best of 4",
             "best of 8", "difference");
  using Kind = StopQuestion::StopKind;
  for (const bool alike : {true, false}) {
    for (const Truth& truth : truths()) {
      for (const bool bounded : {false, true}) {
        if (bounded && !truth.bounded) continue;
        Dice dice(3);
        double squares = 0;
        for (int i = 0; i < 100'000; ++i) squares += std::pow(truth.draw(dice) - truth.mean, 2);
        const double sd = std::sqrt((alike ? 2 : 1) * squares / 100'000);
        const auto rate = [&](Kind kind, std::size_t agents, int of) {
          return decisions(truth, bounded, alike, question(kind, agents, 0.95), of, blocks);
        };
        fmt::print("{:<34} {:>8.4f} {:>8.4f}",
                   truth.name + (bounded ? ", bounds" : "") + (alike ? "" : ", against its mean"),
                   rate(Kind::decide, 2, suites), rate(Kind::best, 2, suites));
        if (alike)
          fmt::print(" {:>8.4f} {:>8.4f}", rate(Kind::best, 4, suites),
                     rate(Kind::best, 8, suites));
        else
          fmt::print(" {:>8} {:>8}", "", "");
        const auto [held, stopped] = coverage(truth, bounded, alike, sd / 5, suites, blocks);
        fmt::print("   {:.4f} ({:.2f} stopped)\n", held, stopped);
      }
    }
  }
}

/// Agents of which some are hardly apart.
void ties(int suites, int blocks) {
  fmt::print("\nBest of several that are hardly apart: who is called best within {} blocks.\n\n",
             blocks);
  near_ties("two equal, six far behind", {0, 0, -1, -1, -1, -1, -1, -1}, suites, blocks);
  near_ties("three equal, five far behind", {0, 0, 0, -1, -1, -1, -1, -1}, suites, blocks);
  near_ties("four equal, four far behind", {0, 0, 0, 0, -1, -1, -1, -1}, suites, blocks);
  near_ties("0.01 ahead of seven equals", {0.01, 0, 0, 0, 0, 0, 0, 0}, suites, blocks);
  near_ties("0.02 ahead of seven equals", {0.02, 0, 0, 0, 0, 0, 0, 0}, suites, blocks);
  near_ties("steps of 0.01", {0, -0.01, -0.02, -0.03, -0.04, -0.05, -0.06, -0.07}, suites, blocks);
}

}  // namespace

int main(int argc, char** argv) {
  const int suites = argc > 1 ? std::atoi(argv[1]) : 2000;
  const int blocks = argc > 2 ? std::atoi(argv[2]) : 300;
  const int planted_suites = argc > 3 ? std::atoi(argv[3]) : suites;
  const std::string part = argc > 4 ? argv[4] : "";
  const auto is_wanted = [&](const char* name) { return part.empty() || part == name; };
  const bool is_part = is_wanted("equal") || is_wanted("rare") || is_wanted("unequal") ||
                       is_wanted("ties") || is_wanted("planted");
  if (suites < 1 || blocks < 1 || planted_suites < 1 || !is_part) {
    fmt::print(stderr,
               "bench_stopping [SUITES] [BLOCKS] [PLANTED SUITES] "
               "[equal|rare|unequal|ties|planted]\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (is_wanted("equal")) equal_means(suites, blocks);
  if (is_wanted("rare")) rare_losses(suites, blocks);
  if (is_wanted("unequal")) unequal(suites);
  if (is_wanted("ties")) ties(suites, blocks);
  if (!is_wanted("planted")) return 0;
  fmt::print("\nA planted best of eight, {} suites: what it costs, of the fixed design.\n\n",
             planted_suites);
  planted("0.1 ahead of equals", {0.1, 0, 0, 0, 0, 0, 0, 0}, planted_suites);
  planted("spread out", {0.1, 0, -0.05, -0.1, -0.2, -0.3, -0.4, -0.5}, planted_suites);
  planted("close second", {0.1, 0.05, 0, 0, 0, 0, 0, 0}, planted_suites);
  return 0;
}
