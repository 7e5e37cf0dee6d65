#include "learner/learner_matches.hpp"

#include <agon/error.hpp>
#include <exception>
#include <utility>

namespace agon::serve {

class LearnerMatches::Learner final : public WaitingAgent {
 public:
  Learner(LearnerMatches& matches, std::uint64_t match) : matches_(matches), match_(match) {}

  void ask(OwnedQuestion question, Completion done) const override {
    // A learner takes as long as it takes; who serves it limits that.
    done.hold();
    matches_.asked(match_, std::move(question), std::move(done));
  }
  void match_ended(MatchEnding ending) const override { ending_ = std::move(ending); }
  /// Of a learner nothing is asked that has no effect on play.
  [[nodiscard]] bool answers_probes() const override { return false; }

  [[nodiscard]] MatchEnding take_ending() const { return std::move(ending_); }

 private:
  LearnerMatches& matches_;
  const std::uint64_t match_;
  mutable MatchEnding ending_;  ///< touched by its match alone
};

LearnerMatches::~LearnerMatches() {
  end();
}

void LearnerMatches::begin(LearnerSeat::Drawn match, Told told) {
  const std::lock_guard lock(mutex_);
  // Before anything else changes: where no work can be begun, the next request may try again.
  if (!is_started_) {
    has_ended_ = false;
    try {
      work_.run([this] { run(); });
    } catch (...) {
      has_ended_ = true;
      throw;
    }
    is_started_ = true;
  }
  told_ = std::move(told);
  done_.reset();
  next_ = std::move(match);
  ++number_;
  is_over_ = false;
  stop_.request_stop();
  changed_.notify_all();
}

void LearnerMatches::answer(std::string json, Told told) {
  std::optional<Completion> done;
  {
    const std::lock_guard lock(mutex_);
    if (number_ == 0)
      throw Error(ErrorKind::usage, "no episode was begun", "step", "send a reset first");
    if (is_over_)
      throw Error(ErrorKind::usage, "the episode is over", "step", "send a reset to begin another");
    if (!done_)
      throw Error(ErrorKind::usage, "the last request has no answer yet", "step",
                  "wait for it before the next step");
    done = std::exchange(done_, std::nullopt);
    told_ = std::move(told);
  }
  (*done)({.json = std::move(json)});
}

void LearnerMatches::end() {
  const std::lock_guard lock(mutex_);
  ends_ = true;
  told_ = nullptr;
  stop_.request_stop();
  changed_.notify_all();
}

bool LearnerMatches::is_busy() const {
  const std::lock_guard lock(mutex_);
  return told_ != nullptr;
}

bool LearnerMatches::is_over() const {
  const std::lock_guard lock(mutex_);
  return is_over_;
}

void LearnerMatches::run() {
  for (;;) {
    LearnerSeat::Drawn match;
    std::uint64_t number = 0;
    std::stop_token stop;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ends_ || next_; });
      if (ends_) break;
      match = std::move(*next_);
      next_.reset();
      number = number_;
      stop_ = std::stop_source();
      stop = stop_.get_token();
    }
    play(std::move(match), number, stop);
  }
  has_ended_ = true;
}

void LearnerMatches::play(LearnerSeat::Drawn match, std::uint64_t number,
                          const std::stop_token& stop) {
  LearnerTurn turn;
  try {
    const Learner learner(*this, number);
    match.setup.seats[static_cast<std::size_t>(match.seat)].agent = &learner;
    match.setup.cancel = stop;
    MatchResult result = play_match(match.setup);
    turn.ending = learner.take_ending();
    turn.outcome = result.outcome;
    if (result.end != End::finished)
      turn.problem = result.problem.empty() ? "the match was stopped" : result.problem;
  } catch (const std::exception& error) {
    turn.problem = error.what();
  }
  ended(number, turn);
}

void LearnerMatches::asked(std::uint64_t match, OwnedQuestion question, Completion done) {
  Told told;
  {
    const std::lock_guard lock(mutex_);
    if (match != number_ || ends_) return;
    done_ = std::move(done);
    told = std::exchange(told_, nullptr);
  }
  if (told) told({.question = std::make_shared<const OwnedQuestion>(std::move(question))});
}

void LearnerMatches::ended(std::uint64_t match, const LearnerTurn& turn) {
  Told told;
  {
    const std::lock_guard lock(mutex_);
    if (match != number_) return;
    is_over_ = true;
    done_.reset();
    told = std::exchange(told_, nullptr);
  }
  if (told) told(turn);
}

}  // namespace agon::serve
