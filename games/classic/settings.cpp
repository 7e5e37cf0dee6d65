#include "classic/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "classic/payoff_change.hpp"

namespace classic {
namespace {

constexpr std::size_t kLongestName = 80;

/// Names stand in prompts and are typed back as answers.
std::string problem_of_name(const std::string& name, std::string_view what) {
  if (name.empty()) return fmt::format("{} has an empty name", what);
  if (name.size() > kLongestName)
    return fmt::format("{} has a name of more than {} bytes", what, kLongestName);
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return fmt::format("{} has a control character in its name", what);
  if (name.front() == ' ' || name.back() == ' ')
    return fmt::format("{} has a name that begins or ends with a blank", what);
  return {};
}

std::string problem_of_names(const std::vector<std::string>& names, std::string_view what) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::string p = problem_of_name(names[i], fmt::format("{}[{}]", what, i)); !p.empty())
      return p;
    if (!seen.insert(names[i]).second)
      return fmt::format("{}[{}]: \"{}\" is there twice", what, i, names[i]);
  }
  return {};
}

std::string problem_of_payoffs(const std::vector<double>& payoffs, std::size_t players,
                               const std::string& place) {
  if (payoffs.size() != players)
    return fmt::format("{}: {} payoff{} for {} players", place, payoffs.size(),
                       payoffs.size() == 1 ? "" : "s", players);
  for (std::size_t i = 0; i < players; ++i)
    if (!std::isfinite(payoffs[i]) || std::fabs(payoffs[i]) > kMaxPayoff)
      return fmt::format("{}[{}]: a payoff must be a finite number, at most {:.0e} either way",
                         place, i, kMaxPayoff);
  return {};
}

std::string problem_of_table(const GameData& game) {
  const std::size_t players = game.players.size();
  if (game.actions.size() != players)
    return fmt::format("actions: there are actions for {} players, but {} players",
                       game.actions.size(), players);
  std::size_t cells = 1;
  std::string shape;
  for (std::size_t p = 0; p < players; ++p) {
    const std::size_t n = game.actions[p].size();
    if (n == 0) return fmt::format("actions[{}]: {} has no action", p, game.players[p]);
    if (n > kMaxActions)
      return fmt::format("actions[{}]: {} actions are more than {}", p, n, kMaxActions);
    if (std::string why = problem_of_names(game.actions[p], fmt::format("actions[{}]", p));
        !why.empty())
      return why;
    cells *= n;
    if (cells > kMaxCells)
      return fmt::format("actions: the payoff table would have more than {} cells", kMaxCells);
    shape += (p == 0 ? "" : " x ") + std::to_string(n);
  }
  if (game.payoffs.size() != cells)
    return fmt::format("payoffs: {} cell{} given, but {} actions make {}", game.payoffs.size(),
                       game.payoffs.size() == 1 ? " is" : "s are", shape, cells);
  for (std::size_t c = 0; c < cells; ++c)
    if (std::string why =
            problem_of_payoffs(game.payoffs[c], players, fmt::format("payoffs[{}]", c));
        !why.empty())
      return why;
  if (!game.cooperate.empty() &&
      std::any_of(game.actions.begin(), game.actions.end(), [&](const auto& own) {
        return std::find(own.begin(), own.end(), game.cooperate) == own.end();
      }))
    return fmt::format("cooperate: \"{}\" is not an action of every player", game.cooperate);
  return {};
}

/// Checks a tree: that every move leads somewhere, and every node is led to from one place.
class TreeCheck {
 public:
  explicit TreeCheck(const GameData& game) : game_(game), led_to_(game.nodes.size()) {}

  std::string problem() {
    std::string why = problem_of_nodes();
    if (why.empty()) why = problem_of_moves();
    if (why.empty()) why = problem_of_ways();
    return why;
  }

 private:
  std::string problem_of_nodes() {
    for (std::size_t n = 0; n < game_.nodes.size(); ++n) {
      const TreeNode& node = game_.nodes[n];
      if (std::string why = problem_of_name(node.name, fmt::format("nodes[{}]", n)); !why.empty())
        return why;
      if (!places_.emplace(node.name, n).second)
        return fmt::format("nodes[{}]: another node is called \"{}\"", n, node.name);
      if (node.player < 0 || static_cast<std::size_t>(node.player) >= game_.players.size())
        return fmt::format("nodes[{}].player: {} is no player; they are 0 to {}", n, node.player,
                           game_.players.size() - 1);
      if (node.moves.empty()) return fmt::format("nodes[{}].moves: there is no way on", n);
      if (node.moves.size() > kMaxActions)
        return fmt::format("nodes[{}].moves: more than {}", n, kMaxActions);
    }
    return {};
  }

  std::string problem_of_moves() {
    std::size_t places = game_.nodes.size();
    for (std::size_t n = 0; n < game_.nodes.size(); ++n) {
      std::vector<std::string> labels;
      for (std::size_t m = 0; m < game_.nodes[n].moves.size(); ++m) {
        const TreeMove& move = game_.nodes[n].moves[m];
        const std::string place = fmt::format("nodes[{}].moves[{}]", n, m);
        if (!move.label.empty()) labels.push_back(move.label);
        if (move.to.empty() == move.payoffs.empty())
          return move.to.empty()
                     ? place + ": it leads nowhere; give \"to\" a node, or \"payoffs\" at an end"
                     : place + ": it leads to a node and has payoffs; only an end has payoffs";
        if (move.to.empty()) {
          ++places;
          if (std::string why =
                  problem_of_payoffs(move.payoffs, game_.players.size(), place + ".payoffs");
              !why.empty())
            return why;
          continue;
        }
        const auto found = places_.find(move.to);
        if (found == places_.end())
          return fmt::format("{}.to: there is no node \"{}\"", place, move.to);
        if (found->second == 0) return fmt::format("{}.to: it leads back to the first node", place);
        if (led_to_[found->second]++ != 0)
          return fmt::format("{}.to: another move leads to \"{}\" already", place, move.to);
      }
      if (!labels.empty() && labels.size() != game_.nodes[n].moves.size())
        return fmt::format("nodes[{}].moves: label all of them, or none", n);
      if (std::string why = problem_of_names(labels, fmt::format("nodes[{}].moves", n));
          !why.empty())
        return why;
    }
    if (places > kMaxPlaces)
      return fmt::format("nodes: the tree has {} places (nodes and ends), more than {}", places,
                         kMaxPlaces);
    return {};
  }

  /// Every node has one way to it at most, so that what the root does not reach runs in a circle
  /// or hangs loose.
  std::string problem_of_ways() {
    std::vector<std::pair<std::size_t, int>> open{{0, 1}};
    std::size_t reached = 0;
    while (!open.empty()) {
      const auto [n, depth] = open.back();
      open.pop_back();
      ++reached;
      if (depth > max_depth)
        return fmt::format("nodes[{}]: more than {} moves from the beginning", n, max_depth);
      for (const TreeMove& move : game_.nodes[n].moves)
        if (!move.to.empty()) open.emplace_back(places_.at(move.to), depth + 1);
    }
    if (reached == game_.nodes.size()) return {};
    for (std::size_t n = 1; n < led_to_.size(); ++n)
      if (led_to_[n] == 0)
        return fmt::format("nodes[{}]: no move leads to \"{}\"", n, game_.nodes[n].name);
    return "nodes: some of them lead to each other in a circle";
  }

  const GameData& game_;
  std::vector<int> led_to_;
  std::map<std::string_view, std::size_t> places_;
};

}  // namespace

std::string problem_of(const GameData& game) {
  const std::size_t players = game.players.size();
  if (players < 2 || players > kMaxPlayers)
    return fmt::format("players: a game has 2 to {} players, not {}", kMaxPlayers, players);
  if (std::string why = problem_of_names(game.players, "players"); !why.empty()) return why;
  const bool has_table = !game.actions.empty() || !game.payoffs.empty();
  if (has_table && is_tree(game))
    return "nodes: a game is a payoff table (actions, payoffs) or a tree (nodes), not both";
  if (is_tree(game)) {
    if (!game.cooperate.empty()) return "cooperate: only actions of a payoff table cooperate";
    return TreeCheck(game).problem();
  }
  if (!has_table)
    return "payoffs: there is neither a payoff table (actions, payoffs) nor a tree (nodes)";
  return problem_of_table(game);
}

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
  if (settings.change_seed && settings.payoff_change.value_or(0) == 0)
    return "change_seed draws nothing without payoff_change";
  if (settings.payoff_change.value_or(0) > 0) {
    if (is_tree(settings.game)) return "payoff_change is for payoff tables, and this is a tree";
    GameData changed = settings.game;
    change_payoffs(changed, *settings.payoff_change, settings.change_seed.value_or(1));
    if (largest_payoff(changed) * settings.scale > kMaxPayoff)
      return fmt::format("payoff_change makes a payoff larger than {:.0e}", kMaxPayoff);
    if (const std::string differs =
            difference_of(matrix_of(settings.game.actions, settings.game.payoffs),
                          matrix_of(changed.actions, changed.payoffs));
        !differs.empty())
      return "payoff_change would change the equilibria, as payoffs have too many digits: " +
             differs;
  }
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
