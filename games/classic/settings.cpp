#include "classic/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace classic {
namespace {

constexpr std::string_view kShippedGame = R"({"game": "prisoners-dilemma"})";

constexpr agon::Preset kAllPresets[] = {
    {.name = "agon",
     .doc = "our rules, without negotiation unless rounds are set",
     .settings = kShippedGame,
     .reasks = 3},
    {.name = "paper",
     .doc = "Hua et al. 2024: bad answers are asked for again ten times, then the trial is invalid",
     .settings = R"({"game": "prisoners-dilemma", "tell_score": false})",
     .reasks = 10},
    {.name = "published-code",
     .doc = "the same with the code's slip: asking to halt does not end a negotiation",
     .settings = R"({"game": "prisoners-dilemma", "honour_halt": false, "tell_score": false})",
     .reasks = 100},
};

double largest_payoff(const GameData& game) {
  double largest = 0;
  const auto look = [&](const std::vector<double>& payoffs) {
    for (const double x : payoffs) largest = std::max(largest, std::fabs(x));
  };
  for (const auto& cell : game.payoffs) look(cell);
  for (const TreeNode& node : game.nodes)
    for (const TreeMove& move : node.moves) look(move.payoffs);
  return largest;
}

}  // namespace

std::string check(const Settings& settings) {
  if (std::string why = problem_of(settings.game); !why.empty()) return "game." + why;
  if (static_cast<std::size_t>(settings.who_first) >= settings.game.players.size())
    return fmt::format("who_first is {}, but the players are 0 to {}", settings.who_first,
                       settings.game.players.size() - 1);
  if (largest_payoff(settings.game) * settings.scale > kMaxPayoff)
    return fmt::format("scale makes a payoff larger than {:.0e}", kMaxPayoff);
  if (settings.labels && is_tree(settings.game) &&
      std::any_of(settings.game.nodes.begin(), settings.game.nodes.end(),
                  [](const TreeNode& n) { return n.moves.front().label.empty(); }))
    return "labels are to be shown, but some moves of the tree have none";
  if (settings.periods == 1 && settings.continuation < 1)
    return "continuation is for repeated play: set periods to the most there may be, or leave it "
           "at "
           "1";
  if (settings.periods == 1 && !settings.tell_horizon)
    return "tell_horizon is for repeated play: set periods, or leave it at true";
  return {};
}

std::span<const agon::Preset> presets() {
  return kAllPresets;
}

}  // namespace classic
