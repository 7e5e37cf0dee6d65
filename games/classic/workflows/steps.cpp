#include "classic/workflows/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "classic/prepared.hpp"

namespace classic {
namespace {

/// "Alice gets 3 and Bob gets 0".
std::string what_all_get(const GameData& game, const std::vector<double>& payoffs) {
  std::string text;
  for (std::size_t p = 0; p < game.players.size(); ++p)
    text += fmt::format("{}{} gets {}",
                        p == 0                         ? ""
                        : p + 1 == game.players.size() ? " and "
                                                       : ", ",
                        game.players[p], payoff_text(payoffs[p], game.prefix));
  return text;
}

std::string with_reason(std::string line, std::string_view reason) {
  if (!reason.empty()) line += fmt::format(" ({})", reason);
  return line;
}

constexpr std::size_t at_end = std::numeric_limits<std::size_t>::max();

}  // namespace

std::pair<std::size_t, std::size_t> BestResponses::supposed(std::size_t i) const {
  const std::size_t first = game_.actions[0].size();
  return i < first ? std::pair<std::size_t, std::size_t>{0, i}
                   : std::pair<std::size_t, std::size_t>{1, i - first};
}

std::string BestResponses::payoffs(std::size_t player, std::size_t action,
                                   std::size_t reply) const {
  const std::size_t row = player == 0 ? action : reply;
  const std::size_t column = player == 0 ? reply : action;
  return what_all_get(game_, game_.payoffs[row * game_.actions[1].size() + column]);
}

Step BestResponses::step(std::size_t i) const {
  const auto [player, action] = supposed(i);
  const std::size_t other = 1 - player;
  Step step;
  step.player = game_.players[other];
  step.situation =
      fmt::format("{} chooses {}", game_.players[player], game_.actions[player][action]);
  step.options = game_.actions[other];
  for (std::size_t reply = 0; reply < step.options.size(); ++reply)
    step.results.push_back(fmt::format("If {} chooses {}, then {}.", step.player,
                                       step.options[reply], payoffs(player, action, reply)));
  return step;
}

std::string BestResponses::line(std::size_t i, std::size_t best, std::string_view reason) const {
  const auto [player, action] = supposed(i);
  const Step asked = step(i);
  return with_reason(fmt::format("If {}, the best reply of {} is {}; then {}.", asked.situation,
                                 asked.player, asked.options[best], payoffs(player, action, best)),
                     reason);
}

Inductions::Inductions(const GameData& game)
    : game_(game), ways_(game.nodes.size()), decided_(game.nodes.size()) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t n = 0; n < game.nodes.size(); ++n) places.emplace(game.nodes[n].name, n);
  std::vector<int> depths(game.nodes.size(), 0);
  next_.resize(game.nodes.size());
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t n = open.back();
    open.pop_back();
    order_.push_back(n);
    const TreeNode& node = game.nodes[n];
    for (const TreeMove& move : node.moves) {
      next_[n].push_back(move.to.empty() ? at_end : places.at(move.to));
      if (move.to.empty()) continue;
      const std::size_t child = next_[n].back();
      depths[child] = depths[n] + 1;
      ways_[child] = fmt::format("{}{} has chosen {}", ways_[n].empty() ? "" : ways_[n] + ", then ",
                                 game.players[static_cast<std::size_t>(node.player)], move.label);
      open.push_back(child);
    }
  }
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return depths[a] != depths[b] ? depths[a] > depths[b] : a < b;
  });
}

std::string Inductions::payoffs(const std::vector<double>& values) const {
  return what_all_get(game_, values);
}

Step Inductions::step(std::size_t i) const {
  const std::size_t n = order_[i];
  const TreeNode& node = game_.nodes[n];
  Step step;
  step.player = game_.players[static_cast<std::size_t>(node.player)];
  step.situation = ways_[n].empty() ? "Nobody has moved yet" : ways_[n];
  for (std::size_t m = 0; m < node.moves.size(); ++m) {
    const std::string& label = node.moves[m].label;
    step.options.push_back(label);
    if (next_[n][m] == at_end) {
      step.results.push_back(fmt::format("If {} chooses {}, the game ends and {}.", step.player,
                                         label, payoffs(node.moves[m].payoffs)));
      continue;
    }
    const Decided& then = decided_[next_[n][m]];
    step.results.push_back(fmt::format("If {} chooses {}, then {}, and {}.", step.player, label,
                                       then.after, payoffs(then.payoffs)));
  }
  return step;
}

std::string Inductions::decide(std::size_t i, std::size_t best, std::string_view reason) {
  const std::size_t n = order_[i];
  const TreeNode& node = game_.nodes[n];
  const Step asked = step(i);
  Decided& made = decided_[n];
  made.move = best;
  made.after = fmt::format("{} chooses {}", asked.player, node.moves[best].label);
  if (next_[n][best] == at_end) {
    made.payoffs = node.moves[best].payoffs;
  } else {
    const Decided& then = decided_[next_[n][best]];
    made.after += ", then " + then.after;
    made.payoffs = then.payoffs;
  }
  return with_reason(
      fmt::format("{}: the best choice of {} is {}; it leads to this: {}, and {}.", asked.situation,
                  asked.player, asked.options[best], made.after, payoffs(made.payoffs)),
      reason);
}

}  // namespace classic
