#include "classic/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "classic/payoff_change.hpp"

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

GameData as_told(const Settings& s) {
  GameData game = s.game;
  // Adding zero makes -0 into 0, so that nobody reads "-0".
  const auto scaled = [&](std::vector<double>& payoffs) {
    for (double& x : payoffs) x = x * s.scale + 0.0;
  };
  if (s.payoff_change.value_or(0) > 0 && !is_tree(game))
    change_payoffs(game, *s.payoff_change, s.change_seed.value_or(1));
  for (auto& cell : game.payoffs) scaled(cell);
  for (TreeNode& node : game.nodes)
    for (TreeMove& move : node.moves) scaled(move.payoffs);
  if (s.labels) return game;
  for (auto& own : game.actions)
    for (std::size_t a = 0; a < own.size(); ++a) own[a] = fmt::format("choice_{}", a + 1);
  for (TreeNode& node : game.nodes)
    for (std::size_t m = 0; m < node.moves.size(); ++m)
      node.moves[m].label = fmt::format("choice_{}", m + 1);
  return game;
}

namespace {

namespace theory = agon::theory;

/// What `player` is sure of in a tree: it moves for its best, everybody else for its worst.
double tree_maximin(const theory::TreeGame& tree, std::size_t player) {
  std::vector<double> value(tree.nodes().size());
  const auto& order = tree.order();
  for (auto n = order.rbegin(); n != order.rend(); ++n) {
    const theory::TreeNode& node = tree.nodes()[*n];
    if (node.children.empty()) {
      value[*n] = node.payoffs[player];
      continue;
    }
    double best = value[node.children.front()];
    for (const std::size_t child : node.children)
      best = node.player == player ? std::max(best, value[child]) : std::min(best, value[child]);
    value[*n] = best;
  }
  return value[0];
}

void add_anchors(Prepared& made) {
  const std::size_t n = made.players();
  made.anchors.resize(n);
  for (std::size_t p = 0; p < n; ++p)
    made.anchors[p].zero =
        made.tree ? tree_maximin(*made.tree, p) : theory::pure_maximin(*made.matrix, p).value.value;
  for (std::size_t p = 0; p < n; ++p) {
    double& one = made.anchors[p].one;
    one = -std::numeric_limits<double>::infinity();
    for (std::size_t o = 0; o * n < made.ends.size(); ++o) {
      const std::span<const double> payoffs = std::span(made.ends).subspan(o * n, n);
      bool rational = true;
      for (std::size_t q = 0; q < n; ++q)
        rational = rational && (q == p || payoffs[q] >= made.anchors[q].zero);
      if (rational) one = std::max(one, payoffs[p]);
    }
  }
}

void add_outcomes(Prepared& made) {
  const std::size_t n = made.players();
  std::vector<std::vector<double>> points;
  const auto add = [&](std::span<const double> payoffs) {
    made.ends.insert(made.ends.end(), payoffs.begin(), payoffs.end());
    points.emplace_back(payoffs.begin(), payoffs.end());
    double welfare = 0;
    for (const double x : payoffs) welfare += x;
    const bool first = made.ends.size() == n;
    made.worst_welfare = first ? welfare : std::min(made.worst_welfare, welfare);
    made.best_welfare = first ? welfare : std::max(made.best_welfare, welfare);
  };
  if (made.tree) {
    for (const theory::TreeNode& node : made.tree->nodes())
      if (node.children.empty()) add(node.payoffs);
  } else {
    for (std::size_t c = 0; c < made.matrix->profiles(); ++c) add(made.matrix->payoffs(c));
  }
  made.pareto.resize(points.size());
  for (const std::size_t o : theory::pareto_frontier(points)) made.pareto[o] = true;
}

void add_cooperation(Prepared& made, const Settings& settings) {
  const std::string& named = settings.game.cooperate;
  if (named.empty()) {
    made.cooperation = cooperation_of(*made.matrix);
  } else {
    std::vector<std::size_t> actions;
    for (const auto& own : settings.game.actions)
      actions.push_back(
          static_cast<std::size_t>(std::find(own.begin(), own.end(), named) - own.begin()));
    made.cooperation = cooperation_by(*made.matrix, std::move(actions));
    // What a game names is that and nothing else.
    for (std::size_t p = 0; p < made.players(); ++p) {
      std::vector<bool>& counts = made.cooperation->counts[p];
      std::fill(counts.begin(), counts.end(), false);
      counts[made.cooperation->action[p]] = true;
    }
  }
  if (!made.cooperation) return;
  for (const std::size_t a : made.cooperation->action)
    made.focal.push_back(static_cast<int>(a) + 1);
  made.counts_cooperation = !named.empty() || settings.periods > 1;
}

}  // namespace

theory::MatrixGame matrix_of(std::span<const std::vector<std::string>> actions,
                             std::span<const std::vector<double>> payoffs) {
  std::vector<std::size_t> counts;
  for (const auto& own : actions) counts.push_back(own.size());
  std::vector<double> flat;
  flat.reserve(payoffs.size() * actions.size());
  for (const auto& cell : payoffs) flat.insert(flat.end(), cell.begin(), cell.end());
  return {std::move(counts), std::move(flat)};
}

theory::TreeGame tree_of(std::span<const TreeNode> nodes) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes[i].name, i);
  std::vector<theory::TreeNode> made(nodes.size());
  std::size_t players = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    made[i].player = static_cast<std::size_t>(nodes[i].player);
    for (const TreeMove& move : nodes[i].moves) {
      if (!move.to.empty()) {
        made[i].children.push_back(places.at(move.to));
        continue;
      }
      players = move.payoffs.size();
      made[i].children.push_back(made.size());
      theory::TreeNode end;
      end.payoffs = move.payoffs;
      made.push_back(std::move(end));
    }
  }
  return {players, std::move(made)};
}

std::span<const double> Prepared::payoffs(std::size_t outcome) const {
  return tree ? std::span<const double>(tree->nodes()[outcome].payoffs) : matrix->payoffs(outcome);
}

Prepared prepare(const Settings& settings) {
  Prepared made;
  made.game = as_told(settings);
  for (std::size_t p = 0; p < made.players(); ++p) made.told.push_back(sentences(made.game, p));
  if (is_tree(made.game)) {
    made.tree = tree_of(made.game.nodes);
    made.solution = theory::backward_induction(*made.tree);
    for (const TreeNode& node : made.game.nodes) {
      made.options.emplace_back();
      for (const TreeMove& move : node.moves) made.options.back().push_back(move.label);
    }
  } else {
    made.matrix = matrix_of(made.game.actions, made.game.payoffs);
    const std::size_t cells = made.matrix->profiles();
    const auto pure = theory::pure_equilibria(*made.matrix);
    if (!pure.empty()) made.nash.resize(cells), made.best_nash.resize(cells);
    for (const std::size_t c : pure) made.nash[c] = true;
    for (const std::size_t c : theory::best_pure_equilibria(*made.matrix)) made.best_nash[c] = true;
    add_cooperation(made, settings);
  }
  add_outcomes(made);
  add_anchors(made);
  return made;
}

namespace {

/// "you get 3 and Bob gets 0": the reader first, then the others in their order.
std::string rewards(const GameData& game, std::span<const double> payoffs, std::size_t reader) {
  std::string text = "you get " + payoff_text(payoffs[reader], game.prefix);
  std::size_t left = game.players.size() - 1;
  for (std::size_t p = 0; p < game.players.size(); ++p) {
    if (p == reader) continue;
    text += fmt::format("{}{} gets {}", --left == 0 ? " and " : ", ", game.players[p],
                        payoff_text(payoffs[p], game.prefix));
  }
  return text;
}

std::string table_sentences(const GameData& game, std::size_t reader) {
  const std::size_t n = game.players.size();
  // The reader's own action changes last, so that its outcomes stand together.
  std::vector<std::size_t> order{reader};
  for (std::size_t p = 0; p < n; ++p)
    if (p != reader) order.push_back(p);
  std::vector<std::size_t> strides(n, 1);
  for (std::size_t p = n - 1; p-- > 0;) strides[p] = strides[p + 1] * game.actions[p + 1].size();

  std::string text;
  std::vector<std::size_t> actions(n, 0);
  for (std::size_t count = 0; count < game.payoffs.size(); ++count) {
    std::size_t cell = 0;
    for (std::size_t p = 0; p < n; ++p) cell += actions[p] * strides[p];
    text += text.empty() ? "" : "\n";
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t p = order[i];
      const std::string& name = game.actions[p][actions[p]];
      if (i == 0)
        text += "If you choose " + name;
      else
        text += (i + 1 == n ? " and " : ", ") + game.players[p] + " chooses " + name;
    }
    text += ", then " + rewards(game, game.payoffs[cell], reader) + ".";
    for (std::size_t i = n; i-- > 0;) {
      const std::size_t p = order[i];
      if (++actions[p] < game.actions[p].size()) break;
      actions[p] = 0;
    }
  }
  return text;
}

class TreeSentences {
 public:
  TreeSentences(const GameData& game, std::size_t reader) : game_(game), reader_(reader) {
    for (std::size_t i = 0; i < game.nodes.size(); ++i) places_.emplace(game.nodes[i].name, i);
  }
  std::string take(std::size_t from) {
    walk(from, "If");
    return std::move(text_);
  }

 private:
  /// As deep as the tree, which is bounded by max_depth.
  void walk(std::size_t n, const std::string& way) {
    const TreeNode& node = game_.nodes[n];
    const auto player = static_cast<std::size_t>(node.player);
    for (const TreeMove& move : node.moves) {
      std::string here =
          way + (player == reader_ ? " you choose " : " " + game_.players[player] + " chooses ") +
          move.label;
      if (!move.to.empty()) {
        walk(places_.at(move.to), here + ", then");
        continue;
      }
      text_ +=
          (text_.empty() ? "" : "\n") + here + ": " + rewards(game_, move.payoffs, reader_) + ".";
    }
  }

  const GameData& game_;
  std::size_t reader_;
  std::map<std::string_view, std::size_t> places_;
  std::string text_;
};

}  // namespace

std::string payoff_text(double payoff, std::string_view prefix) {
  // Fifteen digits: a scale of 0.1 leaves no binary noise.
  const double size = std::fabs(payoff);
  std::string text = fmt::format("{:.15g}", size);
  // Amounts of money are written as everywhere.
  if (prefix == "$" && size < 1e12 && std::fabs(size * 100 - std::round(size * 100)) < 1e-6)
    return agon::money_text({std::llround(payoff * 100)});
  return fmt::format("{}{}{}", payoff < 0 ? "-" : "", prefix, text);
}

std::string sentences(const GameData& game, std::size_t player, std::size_t from) {
  return is_tree(game) ? TreeSentences(game, player).take(from) : table_sentences(game, player);
}

}  // namespace classic
