#include "classic/cooperation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "classic/prepared.hpp"

namespace classic {
namespace {

namespace theory = agon::theory;

/// What all but `player` get together.
double others_get(const theory::MatrixGame& game, std::size_t cell, std::size_t player) {
  const auto payoffs = game.payoffs(cell);
  return std::accumulate(payoffs.begin(), payoffs.end(), 0.0) - payoffs[player];
}

std::size_t action_in(const theory::MatrixGame& game, std::size_t cell, std::size_t player) {
  return cell / game.stride(player) % game.actions(player);
}

std::size_t punishment(const theory::MatrixGame& game, std::size_t player, std::size_t cooperate) {
  std::optional<std::size_t> worst;
  for (const std::size_t cell : theory::pure_equilibria(game)) {
    if (action_in(game, cell, player) == cooperate) continue;
    if (!worst || others_get(game, cell, player) < others_get(game, *worst, player)) worst = cell;
  }
  if (worst) return action_in(game, *worst, player);
  std::vector<double> most(game.actions(player), -std::numeric_limits<double>::infinity());
  for (std::size_t cell = 0; cell < game.profiles(); ++cell) {
    double& best = most[action_in(game, cell, player)];
    best = std::max(best, others_get(game, cell, player));
  }
  most[cooperate] = std::numeric_limits<double>::infinity();
  return static_cast<std::size_t>(std::min_element(most.begin(), most.end()) - most.begin());
}

/// The fairest outcome, if it is one alone.
std::optional<std::size_t> fairest(const theory::MatrixGame& game) {
  const auto rank = [&](std::size_t cell) {
    const auto payoffs = game.payoffs(cell);
    return std::pair(*std::min_element(payoffs.begin(), payoffs.end()),
                     std::accumulate(payoffs.begin(), payoffs.end(), 0.0));
  };
  std::size_t best = 0;
  bool alone = true;
  for (std::size_t cell = 1; cell < game.profiles(); ++cell) {
    if (rank(cell) < rank(best)) continue;
    alone = rank(cell) > rank(best);
    best = cell;
  }
  if (!alone) return std::nullopt;
  return best;
}

bool everybody_can_choose(const theory::MatrixGame& game) {
  for (std::size_t p = 0; p < game.players(); ++p)
    if (game.actions(p) < 2) return false;
  return true;
}

}  // namespace

Cooperation cooperation_by(const theory::MatrixGame& game, std::vector<std::size_t> action) {
  Cooperation made;
  made.action = std::move(action);
  const std::size_t together = game.index(made.action);
  for (std::size_t p = 0; p < game.players(); ++p) {
    made.punish.push_back(punishment(game, p, made.action[p]));
    std::vector<bool>& counts = made.counts.emplace_back(game.actions(p), true);
    for (std::size_t a = 0; a < counts.size(); ++a) {
      const std::size_t cell = together + a * game.stride(p) - made.action[p] * game.stride(p);
      for (std::size_t q = 0; q < game.players(); ++q)
        if (q != p && game.payoff(cell, q) < game.payoff(together, q)) counts[a] = false;
    }
  }
  return made;
}

std::optional<Cooperation> cooperation_of(const theory::MatrixGame& game) {
  if (!everybody_can_choose(game)) return std::nullopt;
  const auto cell = fairest(game);
  if (!cell) return std::nullopt;
  Cooperation made = cooperation_by(game, game.profile(*cell));
  const std::size_t punished = game.index(made.punish);
  for (std::size_t p = 0; p < game.players(); ++p)
    if (game.payoff(*cell, p) <= game.payoff(punished, p)) return std::nullopt;
  return made;
}

std::string why_no_cooperation(const Settings& settings) {
  if (is_tree(settings.game)) return "it plays games with a payoff table, and this is a tree";
  const theory::MatrixGame game = matrix_of(settings.game.actions, settings.game.payoffs);
  if (!everybody_can_choose(game)) return "a player of this game has one action only";
  if (!settings.game.cooperate.empty() || cooperation_of(game)) return {};
  return "the payoffs of this game do not say what cooperation is: no single outcome is the "
         "fairest "
         "and better for everybody than what punishment leaves; name the action with \"cooperate\" "
         "in the game's data";
}

}  // namespace classic
