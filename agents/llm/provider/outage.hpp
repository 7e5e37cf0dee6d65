#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

#include "llm/model_spec.hpp"
#include "llm/provider/clock.hpp"

namespace agon::llm {

/// Whether an endpoint is out: too many of its replies fail. Calls then wait; one at a time goes
/// through to look whether it is over, after a second at first, then after ever longer pauses.
class Outage {
 public:
  /// From which share of failing calls on, of how many at least, in how long; as many in a row are
  /// enough in any case, whatever came in before. The longest pause between looks; after how long
  /// nobody waits any more.
  struct Rule {
    double share = 0.5;
    int calls = 20;
    Clock::Time::duration window = std::chrono::seconds(60);
    Clock::Time::duration pause = std::chrono::seconds(30);
    Clock::Time::duration stop = std::chrono::seconds(900);
  };
  static Rule rule_of(const ModelSpec& spec);
  static constexpr std::chrono::seconds kFirstPause{1};

  enum class Leave : std::uint8_t {
    send,
    look,  ///< as the one that finds out whether it is over
    no,    ///< it is not over, and the deadline, the rule's stop or a wish to stop has come
  };
  /// Waits while the endpoint is out.
  Leave admit(Clock& clock, Clock::Time deadline, const StopFlag& stop, const Rule& rule);

  /// The endpoint gave a reply that makes sense. True if it had been out.
  bool answered(Clock::Time now);
  /// It gave none. True if it is out from now on.
  bool failed(std::string problem, Clock::Time now, const Rule& rule);

  [[nodiscard]] bool is_on() const;
  [[nodiscard]] bool has_lasted(Clock::Time now, Clock::Time::duration time) const;
  /// How it failed last.
  [[nodiscard]] std::string problem() const;

 private:
  /// Replies within a second.
  struct Second {
    Clock::Time begin;
    int answered = 0;
    int failed = 0;
  };
  Second& second_of(Clock::Time now);

  mutable std::mutex mutex_;
  std::condition_variable over_;
  std::deque<Second> seconds_;
  std::string problem_;
  int in_a_row_ = 0;  ///< that failed
  bool is_on_ = false;
  Clock::Time since_{};
  Clock::Time next_look_{};
  Clock::Time::duration pause_{};
};

}  // namespace agon::llm
