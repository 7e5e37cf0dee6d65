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
double tree_regret(const Prepared& made, const Course& course, std::size_t player) {
  const double got = made.payoffs(course.outcome)[player];
  double regret = 0;
  for (const std::size_t n : course.nodes) {
    if (made.tree->nodes()[n].player != player) continue;
    const double value = made.tree->nodes()[made.solution.end[n]].payoffs[player];
    regret = std::max(regret, value - got);
  }
  return regret;
}

int choice_of(const Prepared& made, const Course& course, std::size_t player) {
  if (!made.tree) return static_cast<int>(course.actions[player]) + 1;
  for (std::size_t i = 0; i < course.nodes.size(); ++i)
    if (made.tree->nodes()[course.nodes[i]].player == player)
      return static_cast<int>(course.actions[i]) + 1;
  return 0;
}

void add_equilibria(MatchMetrics& m, const Prepared& made, const Course& course) {
  if (made.tree) {
    m.spe = m.valid && course.actions == made.solution.path;
    m.nash = m.best_nash = m.spe;
  } else {
    m.cell = static_cast<int>(course.outcome);
    if (!made.nash.empty()) {
      m.nash = m.valid && made.nash[course.outcome];
      m.best_nash = m.valid && made.best_nash[course.outcome];
    }
  }
}

}  // namespace

agon::Outcome settle(const Prepared& made, const Course& course) {
  const std::size_t n = made.players();
  const std::span<const double> payoffs = made.payoffs(course.outcome);
  agon::Outcome outcome(static_cast<int>(n));
  MatchMetrics m;
  int cooperators = 0;
  for (std::size_t p = 0; p < n; ++p) {
    const Anchors& anchors = made.anchors[p];
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bool pie = anchors.one > anchors.zero;
    const int seat = static_cast<int>(p);
    outcome.seat(seat, {.score = payoffs[p],
                        .disagreement = pie ? anchors.zero : none,
                        .ideal = pie ? anchors.one : none});
    SeatMetrics own;
    own.payoff = payoffs[p];
    own.choice = choice_of(made, course, p);
    if (!made.cooperate.empty()) {
      own.cooperated = own.choice == made.cooperate[p] + 1;
      cooperators += *own.cooperated ? 1 : 0;
    }
    own.regret =
        made.tree ? tree_regret(made, course, p) : table_regret(*made.matrix, course.outcome, p);
    own.messages = course.messages[p];
    own.halted = course.halted[p];
    own.forced = course.forced[p];
    outcome.seat_metrics(seat, own);
    m.valid = m.valid && !own.forced;
    m.welfare += payoffs[p];
    m.messages += own.messages;
    m.halted = m.halted || own.halted;
  }
  add_equilibria(m, made, course);
  m.pareto = made.pareto[made.tree ? course.outcome - made.game.nodes.size() : course.outcome];
  if (made.best_welfare > made.worst_welfare)
    m.welfare_share = (m.welfare - made.worst_welfare) / (made.best_welfare - made.worst_welfare);
  if (!made.cooperate.empty())
    m.cooperation = static_cast<double>(cooperators) / static_cast<double>(n);
  m.moves = static_cast<int>(course.actions.size());
  outcome.match_metrics(m);
  return outcome;
}

}  // namespace classic
