#include "classic/strategies/reciprocity.hpp"

#include <algorithm>

#include "classic/answers.hpp"
#include "classic/cooperation.hpp"
#include "classic/prepared.hpp"
#include "classic/strategies/history.hpp"

namespace classic {
namespace {

/// What a player of the repeated game knows of what was played.
struct Past {
  const agon::theory::MatrixGame& game;
  const Cooperation& cooperation;
  std::size_t player;

  [[nodiscard]] bool others_cooperated(std::size_t cell) const {
    const std::vector<std::size_t> actions = game.profile(cell);
    for (std::size_t p = 0; p < actions.size(); ++p)
      if (p != player && !cooperation.counts[p][actions[p]]) return false;
    return true;
  }
  /// True if the player got what cooperation of all gives it, or more.
  [[nodiscard]] bool won(std::size_t cell) const {
    return game.payoff(cell, player) >= game.payoff(game.index(cooperation.action), player);
  }
};

template <Reciprocity rule>
std::size_t choose(const View& view, std::size_t player) {
  const agon::theory::MatrixGame game = matrix_of(view.actions, view.payoffs);
  std::vector<std::size_t> together;
  for (const int place : view.focal) together.push_back(static_cast<std::size_t>(place) - 1);
  const Cooperation cooperation = cooperation_by(game, std::move(together));
  const std::size_t cooperate = cooperation.action[player];
  const std::size_t punish = cooperation.punish[player];
  if (view.history.empty()) return cooperate;
  const Past past{game, cooperation, player};
  const std::size_t last = game.index(actions_in(view, view.history.back()));
  if constexpr (rule == Reciprocity::tit_for_tat) {
    return past.others_cooperated(last) ? cooperate : punish;
  } else if constexpr (rule == Reciprocity::grim) {
    const bool always =
        std::all_of(view.history.begin(), view.history.end(), [&](const PeriodPlayed& played) {
          return past.others_cooperated(game.index(actions_in(view, played)));
        });
    return always ? cooperate : punish;
  } else {
    const std::size_t own = game.profile(last)[player];
    if (past.won(last)) return own;
    return own == cooperate ? punish : cooperate;
  }
}

agon::AgentCard card_of(Reciprocity rule) {
  agon::AgentCard card;
  card.game = "classic";
  card.check = agon::hook<&why_no_cooperation>;
  switch (rule) {
    case Reciprocity::grim:
      card.id = "grim";
      card.doc =
          "Repeated play: cooperates until somebody else does not, and punishes from then on. What "
          "cooperation is follows from the payoffs, or from the game's data.";
      card.source = "Friedman 1971";
      break;
    case Reciprocity::tit_for_tat:
      card.id = "tit-for-tat";
      card.doc =
          "Repeated play: cooperates first, and then if all others did in the period before; else "
          "it punishes. What cooperation is follows from the payoffs, or from the game's data.";
      card.source = "Axelrod 1984";
      break;
    case Reciprocity::win_stay_lose_shift:
      card.id = "win-stay-lose-shift";
      card.doc =
          "Repeated play: cooperates first; does the same again where it got what cooperation of "
          "all gives it, or more, and else shifts between cooperating and punishing.";
      card.source = "Nowak, Sigmund 1993";
      break;
  }
  return card;
}

}  // namespace

template <Reciprocity rule>
void Reciprocal<rule>::answer(agon::Question& question) const {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe() || view->focal.empty()) return question.decline();
  const bool talks = question.stage() == "message";
  if (talks && params_.talk != Talk::announce) return say(question, params_.talk, {});
  const std::string& action =
      view->options[choose<rule>(*view, static_cast<std::size_t>(question.seat()))];
  if (talks) return say(question, params_.talk, action);
  if (auto* choice = question.answer<Choice>())
    choice->action = action;
  else
    question.decline();
}

template <Reciprocity rule>
agon::AgentCard Reciprocal<rule>::card() {
  return agon::agent<Reciprocal>(card_of(rule));
}

template class Reciprocal<Reciprocity::grim>;
template class Reciprocal<Reciprocity::tit_for_tat>;
template class Reciprocal<Reciprocity::win_stay_lose_shift>;

}  // namespace classic
