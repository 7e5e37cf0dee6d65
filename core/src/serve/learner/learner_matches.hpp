#pragma once

#include <agon/agent.hpp>
#include <agon/waiting.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "learner/learner_seat.hpp"
#include "table/match.hpp"

namespace agon::serve {

/// What a learner is told after it began or answered.
struct LearnerTurn {
  std::shared_ptr<const OwnedQuestion> question{};  ///< null: the match is over
  std::string problem{};                            ///< why it has no result; empty: it has one
  MatchEnding ending{};                             ///< for the learner's seat, once it is over
  Outcome outcome{};                                ///< likewise
};

/// Matches of one learner, one after the other, in the background. Its functions return at once and
/// may be called from any thread.
class LearnerMatches {
 public:
  /// Called once, from where the matches are played.
  using Told = std::function<void(const LearnerTurn&)>;

  LearnerMatches() = default;
  LearnerMatches(const LearnerMatches&) = delete;
  LearnerMatches& operator=(const LearnerMatches&) = delete;
  /// Waits until has_ended().
  ~LearnerMatches();

  /// Begins a match; one that is played is stopped, and what was not told of it yet never is.
  void begin(LearnerSeat::Drawn match, Told told);
  /// Answers the open question. Throws Error (usage) if there is none.
  void answer(std::string json, Told told);
  /// Ends the match, and begins no other. What was not told yet never is.
  void end();

  /// True if it is awaited what the match says next.
  [[nodiscard]] bool is_busy() const;
  /// True if no match is played.
  [[nodiscard]] bool is_over() const;
  /// True after end() once nothing is played any more, and before a match was begun.
  [[nodiscard]] bool has_ended() const { return has_ended_; }

 private:
  /// Sits at the learner's seat of one match.
  class Learner;

  void run();
  void play(LearnerSeat::Drawn match, std::uint64_t number, const std::stop_token& stop);
  void asked(std::uint64_t match, OwnedQuestion question, Completion done);
  void ended(std::uint64_t match, const LearnerTurn& turn);

  mutable std::mutex mutex_;
  Condition changed_;
  std::optional<LearnerSeat::Drawn> next_;
  std::stop_source stop_;
  std::uint64_t number_ = 0;  ///< of the match that was begun last
  bool is_over_ = true;
  bool is_started_ = false;
  bool ends_ = false;
  Told told_;
  std::optional<Completion> done_;  ///< of the open question
  std::atomic<bool> has_ended_{true};
  BackgroundWork work_;
};

}  // namespace agon::serve
