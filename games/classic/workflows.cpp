#include <fmt/ranges.h>

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/plugin.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classic/game.hpp"
#include "classic/messages.hpp"
#include "classic/prepared.hpp"
#include "classic/settings.hpp"
#include "shared/theory/meta_strategy.hpp"

namespace classic {

/// The game as a player sees it, names as the players know them.
[[nodiscard]] GameData game_in(const View& view, std::vector<std::string> players);

/// One question of a workflow: a player, its actions, and what comes of each in words.
struct Step {
  std::string player;                ///< whose best action is asked for
  std::string situation;             ///< where it stands: "Alice chooses choice_1"
  std::vector<std::string> options;  ///< its actions
  std::vector<std::string> results;  ///< what comes of each, one line an action
};

/// What a workflow found out, line by line.
using Chain = std::vector<std::string>;

/// The best-response workflow for two players with a payoff table: for every action of the first
/// player the other's best reply, then the other way round. Source: Hua et al. 2024, section 4.
class BestResponses {
 public:
  explicit BestResponses(const GameData& game) : game_(game) {}
  /// One step an action of either player.
  [[nodiscard]] std::size_t size() const {
    return game_.actions[0].size() + game_.actions[1].size();
  }
  [[nodiscard]] Step step(std::size_t i) const;
  /// The line of the chain once option `best` was found for step `i`.
  [[nodiscard]] std::string line(std::size_t i, std::size_t best, std::string_view reason) const;

 private:
  /// The player whose action is supposed, and which it is.
  [[nodiscard]] std::pair<std::size_t, std::size_t> supposed(std::size_t i) const;
  /// "then Alice gets 3 and Bob gets 0".
  [[nodiscard]] std::string payoffs(std::size_t player, std::size_t action,
                                    std::size_t reply) const;

  const GameData& game_;
};

/// The backward-induction workflow: the deepest undecided nodes first, each with what was decided
/// behind it. Source: Hua et al. 2024, section 4.
class Inductions {
 public:
  explicit Inductions(const GameData& game);
  /// One step a node.
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] Step step(std::size_t i) const;
  /// Decides step `i`; steps are decided in order. Returns the line of the chain.
  std::string decide(std::size_t i, std::size_t best, std::string_view reason);

 private:
  struct Decided {
    std::size_t move = 0;
    std::string after;            ///< the moves that follow, in words; empty at an end
    std::vector<double> payoffs;  ///< what comes of it
  };
  [[nodiscard]] std::string payoffs(const std::vector<double>& values) const;

  const GameData& game_;
  std::vector<std::size_t> order_;
  std::vector<std::string> ways_;               ///< how each node is reached, in words
  std::vector<std::vector<std::size_t>> next_;  ///< by node and move: the node it leads to
  std::vector<Decided> decided_;                ///< by node
};

GameData game_in(const View& view, std::vector<std::string> players) {
  GameData game;
  game.players = std::move(players);
  game.actions.assign(view.actions.begin(), view.actions.end());
  game.payoffs.assign(view.payoffs.begin(), view.payoffs.end());
  game.nodes.assign(view.nodes.begin(), view.nodes.end());
  return game;
}

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

struct WorkflowParams {
  int tries = 3;
  int most_steps = 200;
  bool think = true;
  std::optional<bool> each_period{};
};
AGON_DESCRIBE(WorkflowParams,
              (tries, "how often a step is asked for until its answer can be read",
               agon::range(1, 10)),
              (most_steps, "a game that takes more steps than this is answered directly",
               agon::range(1, 10'000), agon::unit("steps")),
              (think, "the model writes down its reasons before it answers with the strategy",
               agon::source("Hua et al. 2024: free text before the answer")),
              (each_period,
               "repeated play: reasons in every period, back from the last one where their number "
               "is known, and about what the others did; null or false: once, about a single "
               "period",
               agon::left_out,
               agon::source("no published form: the games of Hua et al. 2024 are "
                            "played once")))

/// What is asked for in a step.
struct StepAnswer {
  std::string action;
  std::string reason;
};
AGON_DESCRIBE(StepAnswer, (action, "the best action"),
              (reason, "why, in a sentence", agon::length(0, 2000)))

/// What is asked for in a step about several periods.
struct PeriodFinding {
  std::string finding;
};
AGON_DESCRIBE(PeriodFinding,
              (finding, "what you found out, in a sentence or two", agon::length(1, 2000)))

/// What is asked for in the end.
struct StrategyAnswer {
  std::string strategy;
};
AGON_DESCRIBE(StrategyAnswer,
              (strategy, "the strategy, in a sentence or two", agon::length(1, 2000)))

namespace {

constexpr std::string_view kBestReplyPrompt = "part-best-reply";
constexpr std::string_view kInductionPrompt = "part-backward-step";
constexpr std::string_view kSummaryPrompt = "part-strategy-summary";
constexpr std::string_view kStrategyPrompt = "part-strategy";
constexpr std::string_view kPeriodsLeftPrompt = "part-periods-left";
constexpr std::string_view kPeriodsSeenPrompt = "part-periods-seen";
constexpr std::string_view kPeriodSummaryPrompt = "part-period-summary";
constexpr std::string_view kPeriodStrategyPrompt = "part-period-strategy";
constexpr std::string_view kStepNames[] = {"player", "situation", "results", "options"};
constexpr std::string_view kSummaryNames[] = {"steps"};
constexpr std::string_view kStrategyNames[] = {"strategy", "steps"};
constexpr std::string_view kPeriodsLeftNames[] = {"period", "left", "steps"};
constexpr std::string_view kPeriodsSeenNames[] = {"period", "seen"};
constexpr std::string_view kPeriodSummaryNames[] = {"period", "steps"};
constexpr std::string_view kPeriodStrategyNames[] = {"period", "strategy", "steps"};

/// The notes that keep what was worked out before play.
constexpr std::string_view kStrategyNote = "workflow-strategy";
constexpr std::string_view kStepsNote = "workflow-steps";
/// Repeated play: what was found out about a single period, and the period of the strategy.
constexpr std::string_view kChainNote = "workflow-single-period";
constexpr std::string_view kPeriodNote = "workflow-period";

/// Most periods that are told one by one.
constexpr std::size_t kMostPeriodsTold = 20;

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  return fmt::format("{}", fmt::join(texts, between));
}

bool is_repeated(const agon::OwnedQuestion& question) {
  return question.facts_json != "null" &&
         !agon::read_back<Facts>(question.facts_json)->phase.empty();
}

/// "Alice chose choice_1, Bob chose choice_2".
std::string moves_text(const GameData& game, const std::vector<std::string_view>& actions) {
  std::string text;
  const TreeNode* node = is_tree(game) ? &game.nodes.front() : nullptr;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    std::size_t mover = i;
    if (node != nullptr) {
      mover = static_cast<std::size_t>(node->player);
      const auto move = std::find_if(node->moves.begin(), node->moves.end(),
                                     [&](const TreeMove& m) { return m.label == actions[i]; });
      const auto next = std::find_if(game.nodes.begin(), game.nodes.end(),
                                     [&](const TreeNode& n) { return n.name == move->to; });
      // The last move leads to no node.
      if (next != game.nodes.end()) node = &*next;
    }
    text += fmt::format("{}{} chose {}", i == 0 ? "" : ", ", game.players[mover], actions[i]);
  }
  return text;
}

/// How often each player of a payoff table took each action, a line a player.
std::string counts_text(const GameData& game, std::span<const PeriodPlayed> periods) {
  std::string text;
  for (std::size_t p = 0; p < game.actions.size(); ++p) {
    std::vector<std::string> counts;
    for (const std::string& action : game.actions[p]) {
      const auto times =
          std::count_if(periods.begin(), periods.end(),
                        [&](const PeriodPlayed& played) { return played.actions[p] == action; });
      if (times > 0) counts.push_back(fmt::format("{} in {}", action, times));
    }
    text += fmt::format("Of the first {} periods, {} chose {}.\n", periods.size(), game.players[p],
                        joined(counts, ", "));
  }
  return text;
}

/// What all did: the last periods one by one, and of a payoff table how often before.
std::string seen_text(const GameData& game, std::span<const PeriodPlayed> history) {
  const std::size_t before = history.size() - std::min(history.size(), kMostPeriodsTold);
  std::string text;
  if (before > 0 && !is_tree(game)) text = counts_text(game, history.first(before));
  if (before > 0 && is_tree(game)) text = fmt::format("The last {} periods:\n", kMostPeriodsTold);
  for (const PeriodPlayed& played : history.subspan(before))
    text += fmt::format("Period {}: {}; {}.\n", played.period, moves_text(game, played.actions),
                        what_all_get(game, {played.payoffs.begin(), played.payoffs.end()}));
  text.pop_back();
  return text;
}

std::string left_text(int left) {
  return left == 1 ? "This period is the last one."
                   : fmt::format("{} periods are left, this one included.", left);
}

agon::ModelRequest request_for(agon::ModelTurn& turn, std::string_view purpose,
                               std::string_view asked) {
  agon::ModelRequest request;
  request.purpose = purpose;
  request.messages = turn.opening();
  request.append_user(asked);
  return request;
}

/// Asks until something can be read; the last answer if nothing could.
template <class T>
agon::ModelAnswer ask_until_read(agon::ModelTurn& turn, T& told, const agon::ModelRequest& request,
                                 int tries, std::span<const agon::LimitData> limits = {}) {
  agon::ModelAnswer answer;
  for (int i = 0; i < tries; ++i) {
    answer = turn.ask_for(agon::type_of<T>(), request, limits);
    if (answer.json.empty()) continue;
    agon::read_json(told, answer.json, agon::Missing::is_wrong);
    break;
  }
  return answer;
}

/// Which games a part works on; the others it answers directly.
enum class Works : std::uint8_t { tables, trees, both };

/// Works out a strategy before the seat's first move, a call a step, and puts it before every later
/// question. With `each_period` that is the beginning of repeated play: in every period it reasons
/// back from the last one, where that is known, and about what the others did.
template <Works works>
class Workflow final : public agon::Reasoning {
 public:
  using Params = WorkflowParams;
  explicit Workflow(const Params& params) : params_(params) {}
  static Params with_thinking(bool think) {
    Params params;
    params.think = think;
    return params;
  }

  [[nodiscard]] std::vector<agon::PromptUse> prompts() const override {
    std::vector<agon::PromptUse> uses{{kSummaryPrompt, kSummaryNames},
                                      {kStrategyPrompt, kStrategyNames}};
    if (works != Works::trees) uses.push_back({kBestReplyPrompt, kStepNames});
    if (works != Works::tables) uses.push_back({kInductionPrompt, kStepNames});
    if (params_.each_period.value_or(false))
      uses.insert(uses.end(), {{kPeriodsLeftPrompt, kPeriodsLeftNames},
                               {kPeriodsSeenPrompt, kPeriodsSeenNames},
                               {kPeriodSummaryPrompt, kPeriodSummaryNames},
                               {kPeriodStrategyPrompt, kPeriodStrategyNames}});
    return uses;
  }

  [[nodiscard]] agon::ModelAnswer answer(agon::ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    if (params_.each_period.value_or(false) && is_repeated(turn.question()))
      return answer_in_period(turn);
    if (turn.note(kStrategyNote).empty()) {
      const GameData game =
          game_in(*agon::read_back<View>(turn.question().view_json), turn.question().seat_names);
      if (!fits(game)) return turn.ask_for_answer(turn.task(), "answer", thinking());
      if (agon::ModelAnswer failed = work_out(turn, game); failed.fault != agon::Fault::ok)
        return failed;
    }
    const agon::PromptName names[] = {{"strategy", turn.note(kStrategyNote)},
                                      {"steps", turn.note(kStepsNote)}};
    return turn.ask_for_answer(turn.render(kStrategyPrompt, names) + "\n\n" + turn.task(), "answer",
                               thinking());
  }

 private:
  [[nodiscard]] agon::Thinking thinking() const {
    return params_.think ? agon::Thinking::first : agon::Thinking::none;
  }

  [[nodiscard]] bool fits(const GameData& game) const {
    const auto most = static_cast<std::size_t>(params_.most_steps);
    if (is_tree(game)) return works != Works::tables && game.nodes.size() <= most;
    return works != Works::trees && game.players.size() == 2 &&
           game.actions[0].size() + game.actions[1].size() <= most;
  }

  [[nodiscard]] agon::ModelAnswer answer_in_period(agon::ModelTurn& turn) const {
    const auto view = agon::read_back<View>(turn.question().view_json);
    const std::string period = fmt::format("{}", view->period);
    if (turn.note(kPeriodNote) != period) {
      const GameData game = game_in(*view, turn.question().seat_names);
      if (!fits(game)) return turn.ask_for_answer(turn.task(), "answer", thinking());
      if (agon::ModelAnswer failed = work_out_period(turn, game, *view);
          failed.fault != agon::Fault::ok)
        return failed;
      turn.write_note(kPeriodNote, period);
    }
    const agon::PromptName names[] = {{"period", period},
                                      {"strategy", turn.note(kStrategyNote)},
                                      {"steps", turn.note(kStepsNote)}};
    return turn.ask_for_answer(turn.render(kPeriodStrategyPrompt, names) + "\n\n" + turn.task(),
                               "answer", thinking());
  }

  /// Takes all steps and sums them up into notes. An answer with a problem: a step could not be
  /// read, and the question is to be asked again.
  [[nodiscard]] agon::ModelAnswer work_out(agon::ModelTurn& turn, const GameData& game) const {
    Chain chain;
    if (agon::ModelAnswer failed = take_steps(turn, game, chain); failed.fault != agon::Fault::ok)
      return failed;
    const std::string steps = joined(chain, "\n");
    const agon::PromptName names[] = {{"steps", steps}};
    return sum_up(turn, game, turn.render(kSummaryPrompt, names), steps);
  }

  /// The same for a period: what a single one is like is found out before the first.
  [[nodiscard]] agon::ModelAnswer work_out_period(agon::ModelTurn& turn, const GameData& game,
                                                  const View& view) const {
    if (turn.note(kChainNote).empty()) {
      Chain chain;
      if (agon::ModelAnswer failed = take_steps(turn, game, chain); failed.fault != agon::Fault::ok)
        return failed;
      turn.write_note(kChainNote, joined(chain, "\n"));
    }
    std::string steps = turn.note(kChainNote);
    const std::string period = fmt::format("{}", view.period);
    const auto find = [&](const std::string& prompt, std::string_view heading) {
      PeriodFinding told;
      agon::ModelAnswer answer =
          ask_until_read(turn, told, request_for(turn, "period", prompt), params_.tries);
      if (answer.json.empty()) return answer;
      steps += fmt::format("\n{}: {}", heading, agon::printable(told.finding));
      return agon::ModelAnswer();
    };
    if (view.periods_left) {
      const agon::PromptName names[] = {
          {"period", period}, {"left", left_text(*view.periods_left)}, {"steps", steps}};
      if (agon::ModelAnswer failed =
              find(turn.render(kPeriodsLeftPrompt, names), "Back from the last period to this one");
          failed.fault != agon::Fault::ok)
        return failed;
    } else {
      steps += "\nHow many periods are left is not known: another one may follow.";
    }
    if (!view.history.empty()) {
      const agon::PromptName names[] = {{"period", period},
                                        {"seen", seen_text(game, view.history)}};
      if (agon::ModelAnswer failed =
              find(turn.render(kPeriodsSeenPrompt, names), "From what was done so far");
          failed.fault != agon::Fault::ok)
        return failed;
    }
    const agon::PromptName names[] = {{"period", period}, {"steps", steps}};
    return sum_up(turn, game, turn.render(kPeriodSummaryPrompt, names), steps);
  }

  /// Reasons about a single period, a call a step.
  [[nodiscard]] agon::ModelAnswer take_steps(agon::ModelTurn& turn, const GameData& game,
                                             Chain& chain) const {
    agon::ModelAnswer answer;
    const auto take = [&](std::string_view prompt, auto& steps, auto put_down) {
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step step = steps.step(i);
        StepAnswer told;
        answer = ask_step(turn, prompt, step, told);
        if (answer.json.empty()) return false;
        const auto best = std::find(step.options.begin(), step.options.end(), told.action);
        const auto place = static_cast<std::size_t>(best - step.options.begin());
        chain.push_back(put_down(i, place, agon::printable(told.reason)));
      }
      return true;
    };
    bool done = false;
    if (is_tree(game)) {
      Inductions steps(game);
      done = take(kInductionPrompt, steps, [&](std::size_t i, std::size_t best, auto reason) {
        return steps.decide(i, best, reason);
      });
    } else {
      const BestResponses steps(game);
      done = take(kBestReplyPrompt, steps, [&](std::size_t i, std::size_t best, auto reason) {
        return steps.line(i, best, reason);
      });
    }
    return done ? agon::ModelAnswer() : answer;
  }

  /// Asks for the strategy, and keeps it.
  [[nodiscard]] agon::ModelAnswer sum_up(agon::ModelTurn& turn, const GameData& game,
                                         const std::string& prompt,
                                         const std::string& steps) const {
    StrategyAnswer summed;
    agon::ModelAnswer answer =
        ask_until_read(turn, summed, request_for(turn, "strategy", prompt), params_.tries);
    if (answer.json.empty()) return answer;
    turn.write_note(kStrategyNote, agon::printable(summed.strategy));
    // In a tree the chain goes on into later prompts, with a payoff table the strategy alone does.
    if (is_tree(game)) turn.write_note(kStepsNote, steps);
    return {};
  }

  [[nodiscard]] agon::ModelAnswer ask_step(agon::ModelTurn& turn, std::string_view prompt,
                                           const Step& step, StepAnswer& told) const {
    const agon::PromptName names[] = {{"player", step.player},
                                      {"situation", step.situation},
                                      {"results", joined(step.results, "\n")},
                                      {"options", joined(step.options, ", ")}};
    const std::vector<std::string_view> options(step.options.begin(), step.options.end());
    const agon::LimitData limits[] = {agon::one_of(&StepAnswer::action, options).data};
    return ask_until_read(turn, told, request_for(turn, "step", turn.render(prompt, names)),
                          params_.tries, limits);
  }

  Params params_;
};

constexpr std::string_view kStrategyPurposes[] = {"step", "period", "strategy"};

constexpr agon::PartOverlap kStrategyOverlaps[] = {
    {agon::PartKind::planning, "static", "both make a strategy before the first move"},
    {agon::PartKind::planning, "adaptive", "both make a strategy before the first move"}};

}  // namespace

void add_workflows(agon::Registry& registry) {
  // Best replies for payoff tables of two players; other games are answered directly.
  registry.add(agon::part<Workflow<Works::tables>>(
      {.id = "best-response-workflow",
       .game = "classic",
       .doc = "Two players with a payoff table: before its first move it asks for the best reply "
              "to every action of either player, a call each, sums the answers up into a strategy, "
              "and keeps that before its eyes from then on. In repeated play it goes on in every "
              "period from what is known of those to come and those before. Other games are "
              "answered directly.",
       .source = "Hua et al. 2024, section 4",
       .overlaps = kStrategyOverlaps,
       .purposes = kStrategyPurposes}));
  // Backward induction for trees; payoff tables are answered directly.
  registry.add(agon::part<Workflow<Works::trees>>(
      {.id = "backward-induction-workflow",
       .game = "classic",
       .doc = "Trees: before its first move it asks for the best choice at every node, the deepest "
              "first, a call each, sums the answers up into a strategy, and keeps both before its "
              "eyes from then on. Payoff tables are answered directly.",
       .source = "Hua et al. 2024, section 4",
       .overlaps = kStrategyOverlaps,
       .purposes = kStrategyPurposes}));
  // The one of the two that fits the game.
  registry.add(agon::part<Workflow<Works::both>>(
      {.id = "workflow",
       .game = "classic",
       .doc = "The best-response workflow with a payoff table, the backward-induction workflow in "
              "a tree: one name for a suite with both.",
       .source = "Hua et al. 2024, section 4",
       .overlaps = kStrategyOverlaps,
       .purposes = kStrategyPurposes}));
  // One that chooses whether to use `workflow`, by the game of that choice.
  registry.add(agon::part<shared::MetaStrategy<Workflow<Works::both>>>(
      {.id = "meta-strategy",
       .game = "classic",
       .doc = "Chooses at its first question whether to use the part 'workflow', by an equilibrium "
              "of the game of that choice that it is given, and else answers directly.",
       .source = "Hua et al. 2024, table 19, for Deal or No Deal",
       .overlaps = kStrategyOverlaps,
       .purposes = kStrategyPurposes}));
}

}  // namespace classic
