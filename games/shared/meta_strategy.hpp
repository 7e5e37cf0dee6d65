#pragma once

#include <agon/analysis/game_theory.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/model/model_parts.hpp>
#include <string>
#include <vector>

#include "shared/equilibrium.hpp"

namespace shared {

/// Parameters of `meta-strategy`.
struct MetaStrategyParams {
  std::vector<std::vector<double>> payoffs;
  bool think = true;
};
AGON_DESCRIBE(MetaStrategyParams,
              (payoffs,
               "the game of whether to use the workflow, as 'agon report --metagame workflow "
               "--asymmetric' estimates it: what seats 0 and 1 get if both use it, if seat 0 "
               "alone does, if seat 1 alone does, and if neither does",
               agon::length(4, 4), agon::source("Hua et al. 2024, table 19")),
              (think, "the model thinks before it answers, with the workflow and without it"))

/// Chooses at a seat's first question whether to use a workflow, by an equilibrium of the estimated
/// game of that choice; then reasons by it, or answers at once, to the end of the match.
/// `Workflow` is a part with a constructor from its parameters and a function
/// `static Params with_thinking(bool)`.
template <class Workflow>
class MetaStrategy final : public agon::Reasoning {
 public:
  using Params = MetaStrategyParams;

  /// Throws agon::Error for payoffs that are no such game.
  explicit MetaStrategy(const Params& params)
      : workflow_(Workflow::with_thinking(params.think)),
        thinking_(params.think ? agon::Thinking::first : agon::Thinking::none),
        game_({2, 2}, flat(params.payoffs)) {}

  [[nodiscard]] std::vector<agon::PromptUse> prompts() const override {
    return workflow_.prompts();
  }

  [[nodiscard]] agon::ModelAnswer answer(agon::ModelTurn& turn) const override {
    if (uses(turn)) return workflow_.answer(turn);
    return turn.ask_for_answer(turn.task(), "answer",
                               turn.question().probe ? agon::Thinking::none : thinking_);
  }

  /// A belief that the workflow works out is told only where it is certain to be used.
  [[nodiscard]] bool answers_probe(const agon::OwnedQuestion& probe) const override {
    const EquilibriumAction chosen = choose(probe.seat, agon::Dice(0));
    return chosen.action == kUse && !chosen.drawn && workflow_.answers_probe(probe);
  }

 private:
  static constexpr std::size_t kUse = 0;
  static constexpr std::string_view kNote = "meta-strategy";

  static std::vector<double> flat(const std::vector<std::vector<double>>& payoffs) {
    std::vector<double> all;
    for (const auto& cell : payoffs) all.insert(all.end(), cell.begin(), cell.end());
    if (payoffs.size() == 4 && all.size() == 8) {
      bool pairs = true;
      for (const auto& cell : payoffs) pairs = pairs && cell.size() == 2;
      if (pairs) return all;
    }
    throw agon::Error(agon::ErrorKind::invalid,
                      "the part 'meta-strategy' needs the estimated game of whether to use the "
                      "workflow: four pairs of payoffs",
                      "payoffs",
                      "write meta-strategy:payoffs=[[5.8,6.2],[4.9,6.6],[6.4,5.7],[5.6,5.6]], for "
                      "both use it, seat 0 alone, seat 1 alone, neither");
  }

  /// Rows and columns are "use" and "not".
  [[nodiscard]] EquilibriumAction choose(int seat, agon::Dice dice) const {
    return equilibrium_action(game_, static_cast<std::size_t>(seat), dice);
  }

  [[nodiscard]] bool uses(agon::ModelTurn& turn) const {
    std::string note = turn.note(kNote);
    if (note.empty()) {
      note = choose(turn.question().seat, turn.dice()).action == kUse ? "use" : "not";
      turn.write_note(kNote, note);
    }
    return note == "use";
  }

  Workflow workflow_;
  agon::Thinking thinking_;
  agon::theory::MatrixGame game_;
};

}  // namespace shared
