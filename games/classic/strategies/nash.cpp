#include "classic/strategies/nash.hpp"

#include "classic/answers.hpp"
#include "classic/prepared.hpp"
#include "shared/equilibrium.hpp"

namespace classic {
namespace {

namespace theory = agon::theory;

std::string_view node_choice(const View& view) {
  const theory::TreeSolution solution = theory::backward_induction(tree_of(view.nodes));
  const auto at = static_cast<std::size_t>(view.at);
  return view.nodes[at].moves[solution.choice[at]].label;
}

}  // namespace

void Nash::answer(agon::Question& question) const {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe()) return question.decline();
  const bool talks = question.stage() == "message";
  if (talks && params_.talk != Talk::announce) return say(question, params_.talk, {});
  if (view->options.empty()) return say(question, params_.talk, {});
  std::string_view action;
  bool drawn = false;
  if (!view->nodes.empty()) {
    action = node_choice(*view);
  } else {
    const auto player = static_cast<std::size_t>(question.seat());
    const auto decision = shared::equilibrium_action(matrix_of(view->actions, view->payoffs),
                                                     player, question.dice());
    action = view->options[decision.action];
    drawn = decision.drawn;
  }
  if (talks) return say(question, params_.talk, drawn ? std::string_view() : action);
  if (auto* choice = question.answer<Choice>())
    choice->action = action;
  else
    question.decline();
}

agon::AgentCard Nash::card() {
  agon::AgentCard card;
  card.id = "nash";
  card.game = "classic";
  card.doc =
      "Plays its part of an equilibrium: the Pareto-best pure one with the lowest cell; where "
      "there is none, the mixed one of two players with at most 12 actions each; else its safest "
      "action. In trees it plays by backward induction.";
  card.source = "Nash 1951; Kuhn 1953; the exact form of the workflows of Hua et al. 2024";
  return agon::agent<Nash>(card);
}

agon::AgentCard Nash::backward_induction_card() {
  agon::AgentCard card;
  card.id = "backward-induction";
  card.game = "classic";
  card.doc =
      "In trees: the move that is best if everybody after it moves for their own best, ties to the "
      "first. With a payoff table it plays like nash.";
  card.source = "Kuhn 1953; the exact form of the workflow of Hua et al. 2024, section 4";
  return agon::agent<Nash>(card);
}

}  // namespace classic
