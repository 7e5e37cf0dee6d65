#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <cmath>
#include <string>
#include <utility>

namespace agon::theory {

MatrixGame::MatrixGame(std::vector<std::size_t> actions, std::vector<double> payoffs)
    : actions_(std::move(actions)), strides_(actions_.size(), 1), payoffs_(std::move(payoffs)) {
  const auto refuse = [](std::string problem, std::string where, std::string mend) {
    throw Error(ErrorKind::invalid, std::move(problem), std::move(where), std::move(mend));
  };
  if (actions_.empty() || actions_.size() > kMostPlayers) {
    refuse("a matrix game has 1 to " + std::to_string(kMostPlayers) + " players, not " +
               std::to_string(actions_.size()),
           "actions", "list how many actions each player has");
  }
  std::size_t profiles = 1;
  for (std::size_t p = actions_.size(); p-- > 0;) {
    const std::string where = "actions[" + std::to_string(p) + "]";
    if (actions_[p] == 0) refuse("a player needs at least one action", where, "name its actions");
    strides_[p] = profiles;
    if (actions_[p] > kMostProfiles / profiles) {
      refuse("the players' actions make more than " + std::to_string(kMostProfiles) + " profiles",
             where, "take fewer players or actions");
    }
    profiles *= actions_[p];
  }
  if (payoffs_.size() != profiles * actions_.size()) {
    refuse("the table has a hole: " + std::to_string(profiles) + " profiles of " +
               std::to_string(actions_.size()) + " players need " +
               std::to_string(profiles * actions_.size()) + " payoffs, not " +
               std::to_string(payoffs_.size()),
           "payoffs", "give every player's payoff for every profile");
  }
  for (std::size_t i = 0; i < payoffs_.size(); ++i) {
    if (!std::isfinite(payoffs_[i])) {
      refuse("a payoff is not a finite number", "payoffs[" + std::to_string(i) + "]",
             "give a number");
    }
  }
}

std::size_t MatrixGame::index(std::span<const std::size_t> profile) const {
  if (profile.size() != players()) {
    throw Error(ErrorKind::invalid,
                "a profile names one action for each of " + std::to_string(players()) +
                    " players, not " + std::to_string(profile.size()),
                "profile");
  }
  std::size_t index = 0;
  for (std::size_t p = 0; p < profile.size(); ++p) {
    if (profile[p] >= actions_[p]) {
      throw Error(ErrorKind::invalid,
                  "there is no action " + std::to_string(profile[p]) + ", counted from 0",
                  "profile[" + std::to_string(p) + "]",
                  "the player has " + std::to_string(actions_[p]) + " actions");
    }
    index += profile[p] * strides_[p];
  }
  return index;
}

std::vector<std::size_t> MatrixGame::profile(std::size_t index) const {
  std::vector<std::size_t> actions(players());
  for (std::size_t p = 0; p < actions.size(); ++p) actions[p] = index / strides_[p] % actions_[p];
  return actions;
}

}  // namespace agon::theory
