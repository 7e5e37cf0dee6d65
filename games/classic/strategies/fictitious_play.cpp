#include "classic/strategies/fictitious_play.hpp"

#include "classic/answers.hpp"
#include "classic/prepared.hpp"
#include "classic/strategies/history.hpp"
#include "classic/views.hpp"

namespace classic {
namespace {

namespace theory = agon::theory;

/// What each action of `player` would have brought in the periods `seen`.
std::vector<double> worth(const View& view, const theory::MatrixGame& game, std::size_t player,
                          std::span<const PeriodPlayed> seen) {
  std::vector<double> sums(game.actions(player), 0);
  for (const PeriodPlayed& played : seen) {
    std::vector<std::size_t> actions = actions_in(view, played);
    for (actions[player] = 0; actions[player] < sums.size(); ++actions[player])
      sums[actions[player]] += game.payoff(game.index(actions), player);
  }
  return sums;
}

std::string why_not(const Settings& settings) {
  return is_tree(settings.game) ? "it plays games with a payoff table, and this is a tree" : "";
}

}  // namespace

void FictitiousPlay::answer(agon::Question& question) const {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe() || !view->nodes.empty()) return question.decline();
  const bool talks = question.stage() == "message";
  if (talks && params_.talk != Talk::announce) return say(question, params_.talk, {});
  const theory::MatrixGame game = matrix_of(view->actions, view->payoffs);
  const auto player = static_cast<std::size_t>(question.seat());
  const auto memory = static_cast<std::size_t>(params_.memory);
  const std::span<const PeriodPlayed> all = view->history;
  const auto seen = memory == 0 || memory >= all.size() ? all : all.last(memory);
  const std::vector<double> first = sums_over_all(game, player);
  const std::vector<double> sums = worth(*view, game, player, seen);
  std::size_t best = 0;
  for (std::size_t a = 1; a < sums.size(); ++a)
    if (std::pair(sums[a], first[a]) > std::pair(sums[best], first[best])) best = a;
  const std::string& action = view->options[best];
  if (talks) return say(question, params_.talk, action);
  if (auto* choice = question.answer<Choice>())
    choice->action = action;
  else
    question.decline();
}

agon::AgentCard FictitiousPlay::card() {
  agon::AgentCard card;
  card.id = "fictitious-play";
  card.game = "classic";
  card.doc =
      "Repeated play: replies best to what the others did in the periods before, as often as they "
      "did it; with memory=1 to what they did last.";
  card.source = "Brown 1951; with memory=1 Cournot 1838";
  card.check = agon::hook<&why_not>;
  return agon::agent<FictitiousPlay>(card);
}

}  // namespace classic
