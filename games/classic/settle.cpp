#include <algorithm>
#include <limits>

#include "classic/metrics.hpp"
#include "classic/play.hpp"

namespace classic {
namespace {

namespace theory = agon::theory;

/// What the best reply to what the others did would have brought more.
double table_regret(const theory::MatrixGame& game, std::size_t cell, std::size_t player) {
  const std::size_t best = theory::best_replies(game, player, cell).front();
  std::vector<std::size_t> profile = game.profile(cell);
  profile[player] = best;
  return game.payoff(game.index(profile), player) - game.payoff(cell, player);
}

/// What backward induction from one of the player's own nodes would have brought more.
double tree_regret(const Prepared& made, const Course::Period& period, std::size_t player) {
  const double got = made.payoffs(period.outcome)[player];
  double regret = 0;
  for (const std::size_t n : period.nodes) {
    if (made.tree->nodes()[n].player != player) continue;
    const double value = made.tree->nodes()[made.solution.end[n]].payoffs[player];
    regret = std::max(regret, value - got);
  }
  return regret;
}

int choice_of(const Prepared& made, const Course::Period& period, std::size_t player) {
  if (!made.tree) return static_cast<int>(period.actions[player]) + 1;
  for (std::size_t i = 0; i < period.nodes.size(); ++i)
    if (made.tree->nodes()[period.nodes[i]].player == player)
      return static_cast<int>(period.actions[i]) + 1;
  return 0;
}

bool cooperated(const Prepared& made, const Course::Period& period, std::size_t player) {
  return made.cooperation->counts[player][period.actions[player]];
}

/// The mean over the periods of what `of` says of each.
template <class Of>
double mean(const Course& course, Of of) {
  double sum = 0;
  for (const Course::Period& period : course.periods) sum += of(period);
  return sum / static_cast<double>(course.periods.size());
}

void add_equilibria(MatchMetrics& m, const Prepared& made, const Course& course) {
  if (made.tree) {
    m.spe = mean(course, [&](const Course::Period& period) {
      return period.valid && period.actions == made.solution.path;
    });
    m.nash = m.best_nash = m.spe;
    return;
  }
  m.cell = static_cast<int>(course.periods.back().outcome);
  if (made.nash.empty()) return;
  const auto share = [&](const std::vector<bool>& cells) {
    return mean(course, [&](const Course::Period& period) {
      return period.valid && cells[period.outcome];
    });
  };
  m.nash = share(made.nash);
  m.best_nash = share(made.best_nash);
}

void add_cooperation(MatchMetrics& m, const Prepared& made, const Course& course) {
  if (!made.counts_cooperation) return;
  const auto n = static_cast<double>(made.players());
  const auto share = [&](const Course::Period& period) {
    int cooperators = 0;
    for (std::size_t p = 0; p < made.players(); ++p) cooperators += cooperated(made, period, p);
    return cooperators / n;
  };
  m.cooperation = mean(course, share);
  m.cooperation_first = share(course.periods.front());
  m.cooperation_last = share(course.periods.back());
  m.mutual_cooperation =
      mean(course, [&](const Course::Period& period) { return share(period) == 1; });
}

SeatMetrics seat_metrics(const Prepared& made, const Course& course, std::size_t p,
                         double periods_counted) {
  SeatMetrics own;
  own.choice = choice_of(made, course.periods.front(), p);
  if (made.counts_cooperation) {
    own.cooperated =
        mean(course, [&](const Course::Period& period) { return cooperated(made, period, p); });
    own.cooperated_first = cooperated(made, course.periods.front(), p);
    own.cooperated_last = cooperated(made, course.periods.back(), p);
  }
  own.regret = periods_counted * mean(course, [&](const Course::Period& period) {
                 return made.tree ? tree_regret(made, period, p)
                                  : table_regret(*made.matrix, period.outcome, p);
               });
  own.messages = course.messages[p];
  own.halted = course.halted[p];
  own.forced = course.forced[p];
  return own;
}

}  // namespace

std::vector<double> payoffs_of(const Settings& settings, const Prepared& made,
                               const Course& course) {
  std::vector<double> sums(made.players());
  for (const Course::Period& period : course.periods)
    for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += made.payoffs(period.outcome)[p];
  if (settings.payoff == Counted::average)
    for (double& sum : sums) sum /= static_cast<double>(course.periods.size());
  return sums;
}

agon::Outcome settle(const Settings& settings, const Prepared& made, const Course& course) {
  const std::size_t n = made.players();
  const std::vector<double> payoffs = payoffs_of(settings, made, course);
  // A mean over periods is worth one of them, a sum all of them.
  const double counted =
      settings.payoff == Counted::average ? 1 : static_cast<double>(course.periods.size());
  agon::Outcome outcome(static_cast<int>(n));
  MatchMetrics m;
  for (std::size_t p = 0; p < n; ++p) {
    const Anchors& anchors = made.anchors[p];
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bool pie = anchors.one > anchors.zero;
    const int seat = static_cast<int>(p);
    outcome.seat(seat, {.score = payoffs[p],
                        .disagreement = pie ? anchors.zero * counted : none,
                        .ideal = pie ? anchors.one * counted : none});
    SeatMetrics own = seat_metrics(made, course, p, counted);
    own.payoff = payoffs[p];
    outcome.seat_metrics(seat, own);
    m.valid = m.valid && !own.forced;
    m.welfare += payoffs[p];
    m.messages += own.messages;
    m.halted = m.halted || own.halted;
  }
  add_equilibria(m, made, course);
  add_cooperation(m, made, course);
  m.pareto = mean(course, [&](const Course::Period& period) {
    return made.pareto[made.tree ? period.outcome - made.game.nodes.size() : period.outcome];
  });
  if (made.best_welfare > made.worst_welfare)
    m.welfare_share = mean(course, [&](const Course::Period& period) {
      double welfare = 0;
      for (const double x : made.payoffs(period.outcome)) welfare += x;
      return (welfare - made.worst_welfare) / (made.best_welfare - made.worst_welfare);
    });
  for (const Course::Period& period : course.periods)
    m.moves += static_cast<int>(period.actions.size());
  m.periods = static_cast<int>(course.periods.size());
  outcome.match_metrics(m);
  return outcome;
}

}  // namespace classic
