#pragma once

#include <agon/analysis/game_theory.hpp>
#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/learning.hpp>
#include <agon/model/model_parts.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "shared/learnt_choice.hpp"
#include "shared/theory/equilibrium.hpp"

namespace shared {

/// Parameters of `meta-strategy`.
struct MetaStrategyParams {
  std::vector<std::vector<double>> payoffs;
  bool think = true;
  std::optional<double> learns{};
};
AGON_DESCRIBE(MetaStrategyParams,
              (payoffs,
               "the game of whether to use the workflow, as 'agon report --metagame workflow "
               "--asymmetric' estimates it: what seats 0 and 1 get if both use it, if seat 0 "
               "alone does, if seat 1 alone does, and if neither does",
               agon::length(4, 4), agon::source("Hua et al. 2024, table 19")),
              (think, "the model thinks before it answers, with the workflow and without it"),
              (learns,
               "in a sequence of matches: chooses by what either choice brought so far, with Exp3; "
               "this share of the matches is drawn evenly, the rest by the weights; null: by the "
               "equilibrium in every match",
               agon::range(0.01, 1), agon::left_out,
               agon::source("Auer, Cesa-Bianchi, Freund and Schapire 2002")))

/// Chooses at a seat's first question whether to use a workflow, by an equilibrium of the estimated
/// game of that choice; then reasons by it, or answers at once, to the end of the match. One that
/// learns draws the choice by what either brought in the matches of the sequence before; what it
/// has learnt is what it takes along (agon/learning.hpp), and so stands in the record.
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
        game_({2, 2}, flat(params.payoffs)),
        learns_(params.learns) {}

  [[nodiscard]] std::vector<agon::PromptUse> prompts() const override {
    return workflow_.prompts();
  }

  [[nodiscard]] agon::ModelAnswer answer(agon::ModelTurn& turn) const override {
    if (learns_ && turn.question().stage == agon::kTakeAlong.name)
      return {.json = agon::write_json(agon::Learnings{learnt_now(turn).text(*learns_)})};
    if (uses(turn)) return workflow_.answer(turn);
    return turn.ask_for_answer(turn.task(), "answer",
                               turn.question().probe ? agon::Thinking::none : thinking_);
  }

  /// A belief that the workflow works out is told only where it is certain to be used.
  [[nodiscard]] bool answers_probe(const agon::OwnedQuestion& probe) const override {
    if (learns_) return probe.stage == agon::kTakeAlong.name;
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
      const bool use = learns_
                           ? turn.dice().unit() < learnt_before(turn.question()).chance(*learns_)
                           : choose(turn.question().seat, turn.dice()).action == kUse;
      note = use ? "use" : "not";
      turn.write_note(kNote, note);
    }
    return note == "use";
  }

  /// What the matches of the sequence before this one taught.
  static LearntChoice learnt_before(const agon::OwnedQuestion& question) {
    for (const agon::Delivery& told : question.history)
      if (told.what == agon::Delivery::What::event && told.name == agon::kTakenAlong.name)
        return LearntChoice::read(agon::read_back<agon::TakenAlong>(told.json)->learnings);
    return {};
  }

  /// The same with the match that is over.
  [[nodiscard]] LearntChoice learnt_now(agon::ModelTurn& turn) const {
    const agon::OwnedQuestion& question = turn.question();
    LearntChoice learnt = learnt_before(question);
    const auto over = agon::read_back<agon::MatchOver>(question.view_json);
    const std::optional<double> score = number_in(over->score);
    const std::string chosen = turn.note(kNote);
    if (!score || chosen.empty()) return learnt;
    double least = game_.payoff(0, own(question)), most = least;
    for (std::size_t cell = 1; cell < game_.profiles(); ++cell) {
      least = std::min(least, game_.payoff(cell, own(question)));
      most = std::max(most, game_.payoff(cell, own(question)));
    }
    const double gain = most > least ? (*score - least) / (most - least) : 0.5;
    learnt.add(chosen == "use", *score, std::clamp(gain, 0.0, 1.0), *learns_);
    return learnt;
  }

  static std::size_t own(const agon::OwnedQuestion& question) {
    return static_cast<std::size_t>(question.seat);
  }

  Workflow workflow_;
  agon::Thinking thinking_;
  agon::theory::MatrixGame game_;
  std::optional<double> learns_;
};

}  // namespace shared
