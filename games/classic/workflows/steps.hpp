#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classic/game_data.hpp"

namespace classic {

/// One question of a workflow: a player, its actions, and what comes of each in words.
struct Step {
  std::string player;                ///< whose best action is asked for
  std::string situation;             ///< where it stands: "Alice chooses choice_1"
  std::vector<std::string> options;  ///< its actions
  std::vector<std::string> results;  ///< what comes of each, one line an action
};

/// What a workflow found out, line by line.
using Chain = std::vector<std::string>;

/// The best-response workflow for two players with a payoff table: for every action of the first
/// player the other's best reply, then the other way round. Source: Hua et al. 2024, section 4.
class BestResponses {
 public:
  explicit BestResponses(const GameData& game) : game_(game) {}
  /// One step an action of either player.
  [[nodiscard]] std::size_t size() const {
    return game_.actions[0].size() + game_.actions[1].size();
  }
  [[nodiscard]] Step step(std::size_t i) const;
  /// The line of the chain once option `best` was found for step `i`.
  [[nodiscard]] std::string line(std::size_t i, std::size_t best, std::string_view reason) const;

 private:
  /// The player whose action is supposed, and which it is.
  [[nodiscard]] std::pair<std::size_t, std::size_t> supposed(std::size_t i) const;
  /// "then Alice gets 3 and Bob gets 0".
  [[nodiscard]] std::string payoffs(std::size_t player, std::size_t action,
                                    std::size_t reply) const;

  const GameData& game_;
};

/// The backward-induction workflow: the deepest undecided nodes first, each with what was decided
/// behind it. Source: Hua et al. 2024, section 4.
class Inductions {
 public:
  explicit Inductions(const GameData& game);
  /// One step a node.
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] Step step(std::size_t i) const;
  /// Decides step `i`; steps are decided in order. Returns the line of the chain.
  std::string decide(std::size_t i, std::size_t best, std::string_view reason);

 private:
  struct Decided {
    std::size_t move = 0;
    std::string after;            ///< the moves that follow, in words; empty at an end
    std::vector<double> payoffs;  ///< what comes of it
  };
  [[nodiscard]] std::string payoffs(const std::vector<double>& values) const;

  const GameData& game_;
  std::vector<std::size_t> order_;
  std::vector<std::string> ways_;               ///< how each node is reached, in words
  std::vector<std::vector<std::size_t>> next_;  ///< by node and move: the node it leads to
  std::vector<Decided> decided_;                ///< by node
};

}  // namespace classic
