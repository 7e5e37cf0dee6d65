#include "classic/workflows/workflow.hpp"

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <algorithm>

#include "classic/workflows/steps.hpp"
#include "classic/workflows/view_reading.hpp"
#include "shared/meta_strategy.hpp"

namespace classic {

struct WorkflowParams {
  int tries = 3;
  int most_steps = 200;
  bool think = true;
};
AGON_DESCRIBE(WorkflowParams,
              (tries, "how often a step is asked for until its answer can be read",
               agon::range(1, 10)),
              (most_steps, "a game that takes more steps than this is answered directly",
               agon::range(1, 10'000), agon::unit("steps")),
              (think, "the model writes down its reasons before it answers with the strategy",
               agon::source("Hua et al. 2024: free text before the answer")))

/// What is asked for in a step.
struct StepAnswer {
  std::string action;
  std::string reason;
};
AGON_DESCRIBE(StepAnswer, (action, "the best action"),
              (reason, "why, in a sentence", agon::length(0, 2000)))

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
constexpr std::string_view kStepNames[] = {"player", "situation", "results", "options"};
constexpr std::string_view kSummaryNames[] = {"steps"};
constexpr std::string_view kStrategyNames[] = {"strategy", "steps"};

/// The notes that keep what was worked out before play.
constexpr std::string_view kStrategyNote = "workflow-strategy";
constexpr std::string_view kStepsNote = "workflow-steps";

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string text;
  for (const std::string& t : texts) text += (text.empty() ? "" : std::string(between)) + t;
  return text;
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
/// question.
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
    return uses;
  }

  [[nodiscard]] agon::ModelAnswer answer(agon::ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    if (turn.note(kStrategyNote).empty()) {
      const GameData game = game_in(turn.question().view_json, turn.question().seat_names);
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

  /// Takes all steps and sums them up into notes. An answer with a problem: a step could not be
  /// read, and the question is to be asked again.
  [[nodiscard]] agon::ModelAnswer work_out(agon::ModelTurn& turn, const GameData& game) const {
    Chain chain;
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
    if (!done) return answer;
    const agon::PromptName names[] = {{"steps", joined(chain, "\n")}};
    StrategyAnswer summed;
    answer = ask_until_read(turn, summed,
                            request_for(turn, "strategy", turn.render(kSummaryPrompt, names)),
                            params_.tries);
    if (answer.json.empty()) return answer;
    turn.write_note(kStrategyNote, agon::printable(summed.strategy));
    // In a tree the chain goes on into later prompts, with a payoff table the strategy alone does.
    if (is_tree(game)) turn.write_note(kStepsNote, joined(chain, "\n"));
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

constexpr agon::PartOverlap kStrategyOverlaps[] = {
    {agon::PartKind::planning, "static", "both make a strategy before the first move"},
    {agon::PartKind::planning, "adaptive", "both make a strategy before the first move"}};

}  // namespace

agon::PartCard best_response_workflow_card() {
  return agon::part<Workflow<Works::tables>>(
      {.id = "best-response-workflow",
       .game = "classic",
       .doc = "Two players with a payoff table: before its first move it asks for the best reply "
              "to every action of either player, a call each, sums the answers up into a strategy, "
              "and keeps that before its eyes from then on. Other games are answered directly.",
       .source = "Hua et al. 2024, section 4",
       .overlaps = kStrategyOverlaps});
}

agon::PartCard backward_induction_workflow_card() {
  return agon::part<Workflow<Works::trees>>(
      {.id = "backward-induction-workflow",
       .game = "classic",
       .doc = "Trees: before its first move it asks for the best choice at every node, the deepest "
              "first, a call each, sums the answers up into a strategy, and keeps both before its "
              "eyes from then on. Payoff tables are answered directly.",
       .source = "Hua et al. 2024, section 4",
       .overlaps = kStrategyOverlaps});
}

agon::PartCard workflow_card() {
  return agon::part<Workflow<Works::both>>(
      {.id = "workflow",
       .game = "classic",
       .doc = "The best-response workflow with a payoff table, the backward-induction workflow in "
              "a tree: one name for a suite with both.",
       .source = "Hua et al. 2024, section 4",
       .overlaps = kStrategyOverlaps});
}

agon::PartCard meta_strategy_card() {
  return agon::part<shared::MetaStrategy<Workflow<Works::both>>>(
      {.id = "meta-strategy",
       .game = "classic",
       .doc = "Chooses at its first question whether to use the part 'workflow', by an equilibrium "
              "of the game of that choice that it is given, and else answers directly.",
       .source = "Hua et al. 2024, table 19, for Deal or No Deal",
       .overlaps = kStrategyOverlaps});
}

}  // namespace classic
