#include "classic/strategies/level_k.hpp"

#include <algorithm>

#include "classic/answers.hpp"
#include "classic/prepared.hpp"
#include "classic/strategies/history.hpp"
#include "classic/views.hpp"

namespace classic {
namespace {

namespace theory = agon::theory;

/// The best action of `player` if everybody else takes each action equally often.
std::size_t reply_to_anything(const theory::MatrixGame& game, std::size_t player) {
  const std::vector<double> sums = sums_over_all(game, player);
  return static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

/// What every player does at level k >= 1, or at level 0 of `first`.
std::vector<std::size_t> table_level(const theory::MatrixGame& game, int k, LevelZero zero) {
  std::vector<std::size_t> actions(game.players(), 0);
  for (int level = 1; level <= k; ++level) {
    std::vector<std::size_t> next(game.players());
    const std::size_t cell = game.index(actions);
    for (std::size_t p = 0; p < game.players(); ++p)
      next[p] = level == 1 && zero == LevelZero::uniform
                    ? reply_to_anything(game, p)
                    : theory::best_replies(game, p, cell).front();
    actions = std::move(next);
  }
  return actions;
}

/// What the mover of every node does at level k >= 1, or at level 0 of `first`.
std::vector<std::size_t> tree_level(const theory::TreeGame& tree, int k, LevelZero zero) {
  std::vector<std::size_t> choices(tree.nodes().size(), 0);
  std::vector<double> value(tree.nodes().size());
  for (int level = 1; level <= k; ++level) {
    std::vector<std::size_t> next(choices.size(), 0);
    for (std::size_t player = 0; player < tree.players(); ++player) {
      for (auto n = tree.order().rbegin(); n != tree.order().rend(); ++n) {
        const theory::TreeNode& node = tree.nodes()[*n];
        if (node.children.empty()) {
          value[*n] = node.payoffs[player];
        } else if (node.player == player) {
          std::size_t best = 0;
          for (std::size_t m = 1; m < node.children.size(); ++m)
            if (value[node.children[m]] > value[node.children[best]]) best = m;
          next[*n] = best;
          value[*n] = value[node.children[best]];
        } else if (level == 1 && zero == LevelZero::uniform) {
          double sum = 0;
          for (const std::size_t child : node.children) sum += value[child];
          value[*n] = sum / static_cast<double>(node.children.size());
        } else {
          value[*n] = value[node.children[choices[*n]]];
        }
      }
    }
    choices = std::move(next);
  }
  return choices;
}

}  // namespace

void LevelK::answer(agon::Question& question) const {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe()) return question.decline();
  const bool talks = question.stage() == "message";
  const bool draws = params_.k == 0 && params_.level_0 == LevelZero::uniform;
  if (view->options.empty() || (talks && (draws || params_.talk != Talk::announce)))
    return say(question, params_.talk, {});
  if (draws) return question.draw();
  std::size_t action = 0;
  if (view->nodes.empty()) {
    const theory::MatrixGame game = matrix_of(view->actions, view->payoffs);
    action =
        table_level(game, params_.k, params_.level_0)[static_cast<std::size_t>(question.seat())];
  } else {
    action = tree_level(tree_of(view->nodes), params_.k,
                        params_.level_0)[static_cast<std::size_t>(view->at)];
  }
  if (talks) return say(question, params_.talk, view->options[action]);
  if (auto* choice = question.answer<Choice>())
    choice->action = view->options[action];
  else
    question.decline();
}

agon::AgentCard LevelK::card() {
  agon::AgentCard card;
  card.id = "k-level";
  card.game = "classic";
  card.doc =
      "Replies best to others of level k - 1, who reply best to others of level k - 2, down to "
      "level 0, who think of nobody. Ties go to the first action.";
  card.source = "Stahl, Wilson 1995; Nagel 1995";
  return agon::agent<LevelK>(card);
}

}  // namespace classic
