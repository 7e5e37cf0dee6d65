#include "classic/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "classic/messages.hpp"
#include "classic/prepared.hpp"
#include "shared/theory/equilibrium.hpp"

namespace classic {

namespace theory = agon::theory;

void say(agon::Question& question, Talk talk, std::string_view action) {
  auto* message = question.answer<Message>();
  if (message == nullptr) return question.decline();
  *message = {};
  message->halt = talk == Talk::halt;
  if (talk == Talk::announce && !action.empty())
    message->text = fmt::format("I will choose {}.", action);
}

void say_or_take(agon::Question& question, Talk talk, std::string_view action) {
  if (question.stage() == "message") return say(question, talk, action);
  if (auto* choice = question.answer<Choice>())
    choice->action = action;
  else
    question.decline();
}

std::optional<Cooperation> cooperation_in(const View& view, const theory::MatrixGame& game) {
  if (view.focal.empty()) return std::nullopt;
  std::vector<std::size_t> together;
  for (const int place : view.focal) together.push_back(static_cast<std::size_t>(place) - 1);
  return cooperation_by(game, std::move(together));
}

std::vector<std::size_t> actions_in(const View& view, const PeriodPlayed& played) {
  std::vector<std::size_t> actions;
  for (std::size_t p = 0; p < view.actions.size(); ++p) {
    const auto& own = view.actions[p];
    const auto found = std::find(own.begin(), own.end(), played.actions[p]);
    actions.push_back(static_cast<std::size_t>(found - own.begin()));
  }
  return actions;
}

std::vector<double> sums_over_all(const theory::MatrixGame& game, std::size_t player) {
  std::vector<double> sums(game.actions(player), 0);
  for (std::size_t cell = 0; cell < game.profiles(); ++cell)
    sums[cell / game.stride(player) % game.actions(player)] += game.payoff(cell, player);
  return sums;
}

namespace {

std::string_view node_choice(const View& view) {
  const theory::TreeSolution solution = theory::backward_induction(tree_of(view.nodes));
  const auto at = static_cast<std::size_t>(view.at);
  return view.nodes[at].moves[solution.choice[at]].label;
}

}  // namespace

void answer_nash(const NashParams& params, agon::Question& question) {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe()) return question.decline();
  const bool talks = question.stage() == "message";
  if (talks && params.talk != Talk::announce) return say(question, params.talk, {});
  if (view->options.empty()) return say(question, params.talk, {});
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
  say_or_take(question, params.talk, drawn && talks ? std::string_view() : action);
}

namespace {

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

void answer_level_k(const LevelKParams& params, agon::Question& question) {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe()) return question.decline();
  const bool talks = question.stage() == "message";
  const bool draws = params.k == 0 && params.level_0 == LevelZero::uniform;
  if (view->options.empty() || (talks && (draws || params.talk != Talk::announce)))
    return say(question, params.talk, {});
  if (draws) return question.draw();
  std::size_t action = 0;
  if (view->nodes.empty()) {
    const theory::MatrixGame game = matrix_of(view->actions, view->payoffs);
    action = table_level(game, params.k, params.level_0)[static_cast<std::size_t>(question.seat())];
  } else {
    action = tree_level(tree_of(view->nodes), params.k,
                        params.level_0)[static_cast<std::size_t>(view->at)];
  }
  say_or_take(question, params.talk, view->options[action]);
}

std::vector<double> sums_over_seen(const View& view, const theory::MatrixGame& game,
                                   std::size_t player, std::span<const PeriodPlayed> seen) {
  std::vector<double> sums(game.actions(player), 0);
  for (const PeriodPlayed& played : seen) {
    std::vector<std::size_t> actions = actions_in(view, played);
    for (actions[player] = 0; actions[player] < sums.size(); ++actions[player])
      sums[actions[player]] += game.payoff(game.index(actions), player);
  }
  return sums;
}

namespace {

std::string why_not(const Settings& settings) {
  return is_tree(settings.game) ? "it plays games with a payoff table, and this is a tree" : "";
}

}  // namespace

void answer_fictitious(const FictitiousPlayParams& params, agon::Question& question) {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe() || !view->nodes.empty()) return question.decline();
  const bool talks = question.stage() == "message";
  if (talks && params.talk != Talk::announce) return say(question, params.talk, {});
  const theory::MatrixGame game = matrix_of(view->actions, view->payoffs);
  const auto player = static_cast<std::size_t>(question.seat());
  const auto memory = static_cast<std::size_t>(params.memory);
  const std::span<const PeriodPlayed> all = view->history;
  const auto seen = memory == 0 || memory >= all.size() ? all : all.last(memory);
  const std::vector<double> first = sums_over_all(game, player);
  const std::vector<double> sums = sums_over_seen(*view, game, player, seen);
  std::size_t best = 0;
  for (std::size_t a = 1; a < sums.size(); ++a)
    if (std::pair(sums[a], first[a]) > std::pair(sums[best], first[best])) best = a;
  const std::string& action = view->options[best];
  say_or_take(question, params.talk, action);
}

namespace {

bool others_cooperated(std::size_t cell, const theory::MatrixGame& game,
                       const Cooperation& cooperation, std::size_t player) {
  const std::vector<std::size_t> actions = game.profile(cell);
  for (std::size_t p = 0; p < actions.size(); ++p)
    if (p != player && !cooperation.counts[p][actions[p]]) return false;
  return true;
}

}  // namespace

Situation situation_after(const Situation& before, std::size_t cell, const theory::MatrixGame& game,
                          const Cooperation& cooperation, std::size_t player) {
  return {cell, before.provoked || !others_cooperated(cell, game, cooperation, player)};
}

std::size_t reciprocal_action(Reciprocity rule, const Situation& now,
                              const theory::MatrixGame& game, const Cooperation& cooperation,
                              std::size_t player) {
  const std::size_t cooperate = cooperation.action[player];
  const std::size_t punish = cooperation.punish[player];
  if (!now.last) return cooperate;
  switch (rule) {
    case Reciprocity::grim:
      return now.provoked ? punish : cooperate;
    case Reciprocity::tit_for_tat:
      return others_cooperated(*now.last, game, cooperation, player) ? cooperate : punish;
    case Reciprocity::win_stay_lose_shift:
      break;
  }
  // It won if it got what cooperation of all gives it, or more.
  const std::size_t own = game.profile(*now.last)[player];
  const bool won =
      game.payoff(*now.last, player) >= game.payoff(game.index(cooperation.action), player);
  if (won) return own;
  return own == cooperate ? punish : cooperate;
}

namespace {

std::size_t choose(Reciprocity rule, const View& view, std::size_t player) {
  const theory::MatrixGame game = matrix_of(view.actions, view.payoffs);
  const Cooperation cooperation = *cooperation_in(view, game);
  Situation now;
  // Only grim looks further back than to the last period.
  std::span<const PeriodPlayed> seen = view.history;
  if (rule != Reciprocity::grim && !seen.empty()) seen = seen.last(1);
  for (const PeriodPlayed& played : seen)
    now = situation_after(now, game.index(actions_in(view, played)), game, cooperation, player);
  return reciprocal_action(rule, now, game, cooperation, player);
}

}  // namespace

void answer_reciprocal(Reciprocity rule, const ReciprocityParams& params,
                       agon::Question& question) {
  const View* view = question.view<View>();
  if (view == nullptr || question.is_probe() || view->focal.empty()) return question.decline();
  const bool talks = question.stage() == "message";
  if (talks && params.talk != Talk::announce) return say(question, params.talk, {});
  const std::string& action =
      view->options[choose(rule, *view, static_cast<std::size_t>(question.seat()))];
  say_or_take(question, params.talk, action);
}

namespace {

void add_reciprocal(agon::Registry& registry) {
  registry.add(agon::agent<Reciprocal<Reciprocity::grim>>(
      {.id = "grim",
       .game = "classic",
       .doc = "Repeated play: cooperates until somebody else does not, and punishes from then on. "
              "What cooperation is follows from the payoffs, or from the game's data.",
       .source = "Friedman 1971",
       .check = agon::hook<&why_no_cooperation>}));
  registry.add(agon::agent<Reciprocal<Reciprocity::tit_for_tat>>(
      {.id = "tit-for-tat",
       .game = "classic",
       .doc =
           "Repeated play: cooperates first, and then if all others did in the period before; else "
           "it punishes. What cooperation is follows from the payoffs, or from the game's data.",
       .source = "Axelrod 1984",
       .check = agon::hook<&why_no_cooperation>}));
  registry.add(agon::agent<Reciprocal<Reciprocity::win_stay_lose_shift>>(
      {.id = "win-stay-lose-shift",
       .game = "classic",
       .doc = "Repeated play: cooperates first; does the same again where it got what cooperation "
              "of all gives it, or more, and else shifts between cooperating and punishing.",
       .source = "Nowak, Sigmund 1993",
       .check = agon::hook<&why_no_cooperation>}));
}

}  // namespace

void add_strategies(agon::Registry& registry) {
  registry.add(agon::agent<Nash>(
      {.id = "nash",
       .game = "classic",
       .doc = "Plays its part of an equilibrium: the Pareto-best pure one with the lowest cell; "
              "where there is none, the mixed one of two players with at most 12 actions each; "
              "else its safest action. In trees it plays by backward induction.",
       .source = "Nash 1951; Kuhn 1953; the exact form of the workflows of Hua et al. 2024"}));
  registry.add(agon::agent<Nash>(
      {.id = "backward-induction",
       .game = "classic",
       .doc = "In trees: the move that is best if everybody after it moves for their own best, "
              "ties to the first. With a payoff table it plays like nash.",
       .source = "Kuhn 1953; the exact form of the workflow of Hua et al. 2024, section 4"}));
  registry.add(agon::agent<LevelK>(
      {.id = "k-level",
       .game = "classic",
       .doc = "Replies best to others of level k - 1, who reply best to others of level k - 2, "
              "down to level 0, who think of nobody. Ties go to the first action.",
       .source = "Stahl, Wilson 1995; Nagel 1995"}));
  add_reciprocal(registry);
  registry.add(agon::agent<FictitiousPlay>(
      {.id = "fictitious-play",
       .game = "classic",
       .doc = "Repeated play: replies best to what the others did in the periods before, as often "
              "as they did it; with memory=1 to what they did last.",
       .source = "Brown 1951; with memory=1 Cournot 1838",
       .check = agon::hook<&why_not>}));
  registry.add(foresight_card());
}

}  // namespace classic
