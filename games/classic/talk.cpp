#include "classic/talk.hpp"

#include <fmt/format.h>

#include <agon/analysis/game_theory.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>

#include "classic/prepared.hpp"
#include "classic/settings.hpp"

namespace classic {
namespace {

const Settings& settings_of(const void* settings) {
  return *static_cast<const Settings*>(settings);
}

std::vector<agon::TalkedMove> talked_moves(const void* erased, int seat) {
  const Settings& s = settings_of(erased);
  const GameData told = as_told(s);
  std::vector<agon::TalkedMove> moves;
  if (is_tree(told)) {
    for (const TreeNode& node : told.nodes)
      for (const TreeMove& move : node.moves)
        if (std::ranges::find(moves, move.label, &agon::TalkedMove::action) == moves.end())
          moves.push_back({move.label, {}});
    return moves;
  }
  const auto player = static_cast<std::size_t>(seat);
  if (player >= told.actions.size()) return moves;
  const std::vector<std::string>& labels = s.game.actions[player];
  for (std::size_t a = 0; a < labels.size(); ++a) {
    agon::TalkedMove& move = moves.emplace_back(told.actions[player][a], std::vector{labels[a]});
    if (s.game.cooperate.empty()) continue;
    if (labels[a] == s.game.cooperate)
      move.words.emplace_back("cooperate");
    else if (labels.size() == 2)
      move.words.emplace_back("defect");
  }
  return moves;
}

/// The number that a label ends with: "price 5".
std::optional<double> level_of(const std::string& label) {
  const std::size_t at = label.find_last_not_of("0123456789.");
  const std::string digits = label.substr(at == std::string::npos ? 0 : at + 1);
  if (digits.empty() || digits.front() == '.') return std::nullopt;
  return std::strtod(digits.c_str(), nullptr);
}

std::optional<agon::TalkedMarket> market_of(const void* erased) {
  const Settings& s = settings_of(erased);
  if (s.periods < 2 || is_tree(s.game)) return std::nullopt;
  agon::TalkedMarket market;
  for (const std::vector<std::string>& own : s.game.actions) {
    market.levels.emplace_back();
    for (const std::string& label : own) {
      const auto level = level_of(label);
      if (!level) return std::nullopt;
      market.levels.back().push_back(*level);
    }
  }
  const auto matrix = matrix_of(s.game.actions, s.game.payoffs);
  const auto total = [&](std::size_t cell) {
    double sum = 0;
    for (const double payoff : matrix.payoffs(cell)) sum += payoff;
    return sum;
  };
  const auto level = [&](const std::vector<std::size_t>& cells) {
    double sum = 0;
    for (const std::size_t cell : cells) {
      const auto profile = matrix.profile(cell);
      for (std::size_t p = 0; p < profile.size(); ++p) sum += market.levels[p][profile[p]];
    }
    return sum / static_cast<double>(cells.size() * market.levels.size());
  };
  const auto pure = agon::theory::pure_equilibria(matrix);
  if (pure.empty()) return std::nullopt;
  // Of several equilibria the most competitive one.
  market.nash = level({std::ranges::min(pure, {}, total)});
  std::vector<std::size_t> best{0};
  for (std::size_t cell = 1; cell < matrix.profiles(); ++cell) {
    if (total(cell) > total(best.front())) best.clear();
    if (best.empty() || total(cell) == total(best.front())) best.push_back(cell);
  }
  market.monopoly = level(best);
  if (market.monopoly == market.nash) return std::nullopt;
  return market;
}

}  // namespace

const agon::TalkCard* talk() {
  static constexpr std::array<agon::TalkMember, 1> kMessages{{{"message", "text"}}};
  static constexpr std::array<agon::TalkMember, 2> kMoves{
      {{"choose", "action"}, {"move", "action"}}};
  static const agon::TalkCard kCard = [] {
    agon::TalkCard card;
    card.messages = kMessages;
    card.moves = kMoves;
    card.moves_for = &talked_moves;
    card.market = &market_of;
    return card;
  }();
  return &kCard;
}

}  // namespace classic
