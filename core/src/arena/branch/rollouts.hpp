#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "replay/replay.hpp"
#include "table/match_table.hpp"

namespace agon::branch {

/// A recorded answer that had an effect on play.
struct RecordedDecision {
  std::uint32_t question = 0;
  int seat = 0;
  std::string stage{};
  std::string answer{};  ///< JSON, as it was played
  bool forced = false;   ///< by the fallback, not by the seat's agent
};

/// Answers that a question may have.
struct AnswerChoices {
  std::vector<std::string> answers{};  ///< JSON
  bool all = false;                    ///< there are no others
};

/// Goes on from any question of a recorded match, as often as wanted, without a record: on its
/// chance, with a given answer there and agents that answer at once from then on. These see the
/// recorded questions before, too, so that they remember what they would. For one thread.
class Rollouts {
 public:
  /// `after`: who plays on, by seat. All must outlive it. Throws Error for an imported match, whose
  /// chance is its log's, and for a damaged record.
  AGON_API Rollouts(Replayer& replayer, const archive::Archive& archive,
                    const archive::MatchRow& match, std::vector<const AgentInGame*> after);
  AGON_API ~Rollouts();

  /// In the order of the match; without probes.
  [[nodiscard]] const std::vector<RecordedDecision>& decisions() const { return decisions_; }
  /// All legal answers to a question if there are at most `most`, else so many drawn ones. What the
  /// game's own check turns down is among them.
  [[nodiscard]] AGON_API AnswerChoices choices(std::uint32_t question, std::size_t most);
  /// What the agent that plays on would answer.
  [[nodiscard]] AGON_API std::string answer_of_reference(std::uint32_t question);
  /// Scores of all seats if that question has this answer: normalised ones where a seat has a
  /// scale. `repeat`: picks the dice of who plays on. Nothing if the answer is not legal, or the
  /// game breaks.
  [[nodiscard]] AGON_API std::optional<std::vector<double>> play(std::uint32_t question,
                                                                 const std::string& answer,
                                                                 std::uint64_t repeat);

 private:
  struct Script;
  class Follower;

  [[nodiscard]] const MatchResult& run(std::uint64_t repeat);

  std::vector<RecordedDecision> decisions_;
  std::vector<const AgentInGame*> after_;
  std::unique_ptr<Script> script_;
  std::vector<std::unique_ptr<Follower>> followers_;
  MatchSetup setup_;
  std::unique_ptr<MatchTable> table_;
  std::vector<std::uint64_t> dice_;
};

}  // namespace agon::branch
