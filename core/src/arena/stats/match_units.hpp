#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "stats/match_result.hpp"
#include "stats/resampling_dice.hpp"

namespace agon::stats {

/// Matches sorted into the units of resampling: a game's clusters of blocks. The order of units
/// follows their names, so that the order of the matches given never matters to which are drawn.
class MatchUnits {
 public:
  /// One independent unit.
  struct Unit {
    std::vector<std::size_t> blocks;  ///< places in blocks()
  };
  /// One block of matches, in the order given.
  struct Block {
    std::size_t game = 0;              ///< place in games()
    std::size_t unit = 0;              ///< place in units()
    std::vector<std::size_t> matches;  ///< places in the matches given
  };

  /// How much there is of one agent.
  struct Presence {
    std::size_t blocks = 0;     ///< blocks with a match of it
    std::size_t units = 0;      ///< units with a match of it
    std::size_t fewest = 0;     ///< such units of that of its games which has fewest
    std::size_t component = 0;  ///< agents of one component are linked by matches
  };

  /// Throws agon::Error for a score that is not finite and for a block in two clusters.
  explicit MatchUnits(std::span<const MatchResult> matches);

  [[nodiscard]] const std::vector<std::string>& agents() const { return agents_; }
  [[nodiscard]] const std::vector<std::string>& games() const { return games_; }
  [[nodiscard]] const std::vector<Unit>& units() const { return units_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  /// By place in agents(). Components are numbered in the order of their first agent.
  [[nodiscard]] const std::vector<Presence>& presence() const { return presence_; }
  /// How many groups of agents there are that no match links; 1 is connected.
  [[nodiscard]] std::size_t components() const;
  /// Place of an agent in agents(), or the number of agents.
  [[nodiscard]] std::size_t agent_index(const std::string& name) const;

  /// How often each unit is taken when, game by game, as many units are drawn with replacement as
  /// there are.
  void draw(ResamplingDice& dice, std::vector<std::size_t>& times) const;

 private:
  std::vector<std::string> agents_;
  std::vector<std::string> games_;
  std::vector<std::size_t> first_unit_;
  std::vector<Unit> units_;
  std::vector<Block> blocks_;
  std::vector<Presence> presence_;

  void count_agents(std::span<const MatchResult> matches);
  void link_agents(std::span<const MatchResult> matches);
};

/// Places of agents in groups that finished level, best first.
using Groups = std::vector<std::vector<std::size_t>>;

/// The agents of a match in groups of equal score; an agent in several seats is named as often.
[[nodiscard]] Groups finishing_groups(const MatchResult& match, const MatchUnits& sorted);

/// Whether every seat has the same agent, so that nobody is compared.
[[nodiscard]] bool one_agent_only(const MatchResult& match);

}  // namespace agon::stats
