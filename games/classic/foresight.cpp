#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "classic/messages.hpp"
#include "classic/prepared.hpp"
#include "classic/strategies.hpp"
#include "shared/theory/equilibrium.hpp"

namespace classic {
namespace {

namespace theory = agon::theory;

/// More actions make a plan too slow to work out at every question.
constexpr std::size_t kMostPlanned = 16;

/// Periods before which nobody can tell a drawn action from one that is always the same.
constexpr std::size_t kPatience = 3;

/// The strategies that the other may follow, by number: each of its actions for ever, then grim,
/// tit-for-tat and win-stay-lose-shift where the payoffs say what cooperation is.
class RivalStrategies {
 public:
  RivalStrategies(const theory::MatrixGame& game, std::size_t planner,
                  std::optional<Cooperation> together)
      : game_(game), planner_(planner), together_(std::move(together)) {}

  [[nodiscard]] std::size_t other() const { return 1 - planner_; }
  [[nodiscard]] std::vector<std::size_t> all() const {
    std::vector<std::size_t> numbers(fixed() + (together_ ? 3 : 0));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    return numbers;
  }
  /// Of the one that is expected by name; none: the payoffs do not say what cooperation is.
  [[nodiscard]] std::vector<std::size_t> named(Rival rival) const {
    if (!together_) return {};
    return {fixed() + static_cast<std::size_t>(rival) - static_cast<std::size_t>(Rival::grim)};
  }

  [[nodiscard]] std::size_t next(std::size_t strategy, const Situation& now) const {
    if (strategy < fixed()) return strategy;
    return reciprocal_action(static_cast<Reciprocity>(strategy - fixed()), now, game_, *together_,
                             other());
  }

  [[nodiscard]] Situation after(const Situation& now, std::size_t cell) const {
    if (!together_) return {cell, false};
    return situation_after(now, cell, game_, *together_, other());
  }

  /// Those of `strategies` that would have done all that was seen.
  [[nodiscard]] std::vector<std::size_t> consistent(std::vector<std::size_t> strategies,
                                                    const std::vector<std::size_t>& cells) const {
    Situation now;
    for (const std::size_t cell : cells) {
      const std::size_t done = game_.profile(cell)[other()];
      std::erase_if(strategies, [&](std::size_t s) { return next(s, now) != done; });
      now = after(now, cell);
    }
    return strategies;
  }

 private:
  [[nodiscard]] std::size_t fixed() const { return game_.actions(other()); }

  const theory::MatrixGame& game_;
  std::size_t planner_;
  std::optional<Cooperation> together_;
};

/// The best plan over the periods that are left, against strategies that are equally likely.
class BestPlan {
 public:
  /// `continuation`: how likely each further period is.
  BestPlan(const theory::MatrixGame& game, std::size_t planner, const RivalStrategies& rivals,
           double continuation)
      : game_(game), planner_(planner), rivals_(rivals), continuation_(continuation) {}

  struct Found {
    double worth = 0;
    std::size_t action = 0;
  };

  /// Equal plans go to the first action. As deep as periods are planned.
  const Found& best(const Situation& now, const std::vector<std::size_t>& possible, int left) {
    const Key key{now.last, now.provoked, possible, left};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    std::vector<std::vector<std::size_t>> by_action(game_.actions(rivals_.other()));
    for (const std::size_t s : possible) by_action[rivals_.next(s, now)].push_back(s);
    std::optional<Found> found;
    for (std::size_t own = 0; own < game_.actions(planner_); ++own) {
      const double worth =
          worth_of(own, now, by_action, left) / static_cast<double>(possible.size());
      if (!found || worth > found->worth + kNoise * std::max(1.0, std::fabs(found->worth)))
        found = Found{worth, own};
    }
    return known_.emplace(key, *found).first->second;
  }

 private:
  using Key = std::tuple<std::optional<std::size_t>, bool, std::vector<std::size_t>, int>;

  /// Sums of the same payoffs in another order differ by less.
  static constexpr double kNoise = 1e-9;

  /// Of an action, times the number of strategies.
  double worth_of(std::size_t own, const Situation& now,
                  const std::vector<std::vector<std::size_t>>& by_action, int left) {
    double sum = 0;
    std::vector<std::size_t> actions(2);
    actions[planner_] = own;
    for (std::size_t theirs = 0; theirs < by_action.size(); ++theirs) {
      if (by_action[theirs].empty()) continue;
      actions[rivals_.other()] = theirs;
      const std::size_t cell = game_.index(actions);
      double worth = game_.payoff(cell, planner_);
      if (left > 1)
        worth += continuation_ * best(rivals_.after(now, cell), by_action[theirs], left - 1).worth;
      sum += static_cast<double>(by_action[theirs].size()) * worth;
    }
    return sum;
  }

  const theory::MatrixGame& game_;
  std::size_t planner_;
  const RivalStrategies& rivals_;
  double continuation_;
  std::map<Key, Found> known_;
};

/// The best action against what the other did, as often as it did it; ties to the first.
std::size_t reply_to_seen(const View& view, const theory::MatrixGame& game, std::size_t player) {
  const std::vector<double> sums = sums_over_seen(view, game, player, view.history);
  return static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

std::string why_no_foresight(const Settings& settings) {
  if (is_tree(settings.game)) return "it plays games with a payoff table, and this is a tree";
  if (settings.game.players.size() != 2) return "it plays games of two players";
  for (const auto& own : settings.game.actions)
    if (own.size() > kMostPlanned) return "it plans with at most 16 actions a player";
  return {};
}

std::size_t foresee(const ForesightParams& params, const View& view, std::size_t player,
                    agon::Dice dice) {
  const theory::MatrixGame game = matrix_of(view.actions, view.payoffs);
  const RivalStrategies rivals(game, player, cooperation_in(view, game));
  std::vector<std::size_t> cells;
  Situation now;
  for (const PeriodPlayed& played : view.history) {
    cells.push_back(game.index(actions_in(view, played)));
    now = rivals.after(now, cells.back());
  }
  std::vector<std::size_t> possible;
  if (params.expects != Rival::seen)
    possible = rivals.consistent(rivals.named(params.expects), cells);
  if (possible.empty()) {
    possible = rivals.consistent(rivals.all(), cells);
    const auto own = shared::equilibrium_action(game, player, dice);
    const auto theirs = shared::equilibrium_action(game, rivals.other(), dice);
    // Draws cannot be told from what is always the same until there are some.
    const bool is_early = !theirs.drawn || cells.size() < kPatience;
    const bool as_expected =
        is_early && std::all_of(cells.begin(), cells.end(), [&](std::size_t cell) {
          const std::size_t done = game.profile(cell)[rivals.other()];
          return theirs.drawn ? theirs.may[done] : done == theirs.action;
        });
    if (as_expected) return own.action;
  }
  if (possible.empty()) return reply_to_seen(view, game, player);
  const int left = std::min(view.periods_left.value_or(params.look_ahead), params.look_ahead);
  return BestPlan(game, player, rivals, view.continuation.value_or(1))
      .best(now, possible, left)
      .action;
}

}  // namespace

void answer_foresight(const ForesightParams& params, agon::Question& question) {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe() || !view->nodes.empty()) return question.decline();
  const bool talks = question.stage() == "message";
  say_or_take(question, params.talk,
              talks
                  ? std::string_view()
                  : view->options[foresee(params, *view, static_cast<std::size_t>(question.seat()),
                                          question.dice())]);
}

agon::AgentCard foresight_card() {
  return agon::agent<Foresight>(
      {.id = "foresight",
       .game = "classic",
       .doc = "Repeated play of two: plays the equilibrium in every period, by backward induction, "
              "as long as the other does its part; else the best plan over the periods that are "
              "left against the strategies that fit what was seen, each as likely: grim, "
              "tit-for-tat, win-stay-lose-shift, and one action for ever.",
       .source = "Kuhn 1953; Kalai and Lehrer 1993",
       .check = agon::hook<&why_no_foresight>});
}

}  // namespace classic
