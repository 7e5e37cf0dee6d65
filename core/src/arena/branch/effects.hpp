#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "stats/branch_effects.hpp"

namespace agon::branch {

/// A branch beside its parent.
struct BranchEffect {
  std::string game;
  std::string agent;   ///< that the parent has at the seat
  std::string others;  ///< the parent's agents at the other seats
  std::string role;
  std::string stage;
  std::int64_t question = 0;
  archive::BranchChange change = archive::BranchChange::agent;
  std::string text;             ///< of the change
  std::size_t cluster = 0;      ///< the parent's block: its parents share their chance
  std::int64_t number = 0;      ///< running number of the branch
  double change_of_score = 0;   ///< of the seat, to the parent's; normalised where it has a scale
  double change_of_others = 0;  ///< mean of the other seats'
};

/// The branches of an archive that were changed and are finished, repeats of a cut averaged.
[[nodiscard]] AGON_API std::vector<BranchEffect> branch_effects(const archive::Archive& archive);

/// What answers would have brought against the others' own agents, by their values
/// (DecisionRow::others); the answer that was given has 0. The stage names the question, too.
[[nodiscard]] AGON_API std::vector<BranchEffect> tried_answers(const archive::Archive& archive);

/// What a change does to the seat's score: a mean over cuts; clusters are the parents' blocks.
struct SwapEffect {
  std::string game;
  std::string agent;  ///< that is replaced; empty: all of them
  std::string stage;  ///< empty: all of them
  archive::BranchChange change = archive::BranchChange::agent;
  std::string text;  ///< "agent" and so on: what takes over
  std::size_t cuts = 0;
  stats::Estimate effect{};
};
/// By game, change and agent; then all agents together where there are several; then by stage.
/// Changes of answers are no swaps, and left out.
[[nodiscard]] AGON_API std::vector<SwapEffect> swap_effects(
    const std::vector<BranchEffect>& branches, const stats::IntervalOptions& options);

/// The best of several changes as a reply to the other seats' agents.
struct BestReply {
  std::string game;
  std::string others;  ///< to whose play it is the reply
  std::string role;
  archive::BranchChange change = archive::BranchChange::agent;
  std::string stage;  ///< of the answer; of agents empty
  std::string text;   ///< the best one; empty: nothing looked better than what was played
  std::size_t tried = 0;
  stats::Estimate gain{};  ///< over what was played, on blocks that had no part in the choice
};
/// A lower bound of what others' play gives away, by game, others, role and kind of change. The
/// best is chosen on half of the blocks and its gain estimated on the other half, and the other way
/// round; only blocks in which everything was tried count.
[[nodiscard]] AGON_API std::vector<BestReply> best_replies(
    const std::vector<BranchEffect>& branches, const stats::IntervalOptions& options);

/// What others do after an answer was forced, period by period.
struct ImpulseResponse {
  std::string game;
  std::string text;          ///< the answer
  std::string stage;         ///< of it, and of what is compared
  std::int64_t period = 0;   ///< after it; 0: the same
  stats::Estimate differ{};  ///< share of the others' answers that are not the parent's
  stats::Estimate moved{};   ///< change of the first number in them; absent without numbers
  /// Change of what the seat and each of the others got in the period; absent where no event has
  /// the period's "payoffs" by seat.
  stats::Estimate own_paid{};
  stats::Estimate others_paid{};
};
/// By game, stage, answer and period, with the effect on the others' scores at the end.
struct ImpulseScores {
  std::string game;
  std::string text;
  std::string stage;
  stats::Estimate own{};
  stats::Estimate others{};
};
struct Impulses {
  std::vector<ImpulseResponse> responses;
  std::vector<ImpulseScores> scores;
};
/// Of answers at stages that are asked more than once, from records. A period is one answer of each
/// seat at the stage.
[[nodiscard]] AGON_API Impulses impulse_responses(const archive::Archive& archive,
                                                  const std::vector<BranchEffect>& branches,
                                                  const stats::IntervalOptions& options);

/// A decision whose best alternative is better, and by how much.
struct DecisionLoss {
  archive::MatchId match;
  std::int64_t number = 0;  ///< running number of the match
  std::string game;
  std::string agent;
  std::string stage;
  std::string reference;
  std::int64_t question = 0;
  std::int64_t seat = 0;
  std::size_t answers = 0;
  bool complete = false;   ///< all legal answers were valued
  std::string chosen;      ///< JSON
  std::string best;        ///< JSON; the chosen one where nothing looked better
  stats::Estimate loss{};  ///< best less chosen, on the repeats that had no part in the choice

  [[nodiscard]] bool is_blunder() const { return loss.interval && loss.interval->low > 0; }
};
/// Blunders first, by size of the loss; then the rest.
[[nodiscard]] AGON_API std::vector<DecisionLoss> decision_losses(
    const archive::Archive& archive, const stats::IntervalOptions& options);

/// The answers of a question that looked best and worst on half of the repeats, and what the other
/// half says of them.
struct PreferredAnswer {
  const archive::DecisionRow* chosen = nullptr;
  const archive::DecisionRow* rejected = nullptr;
  double chosen_value = 0;
  double rejected_value = 0;
  stats::Estimate difference{};
};
/// Those whose interval leaves out 0, in the order of the rows, which outlive them.
[[nodiscard]] AGON_API std::vector<PreferredAnswer> preferred_answers(
    const std::vector<archive::DecisionRow>& rows, const stats::IntervalOptions& options);

}  // namespace agon::branch
