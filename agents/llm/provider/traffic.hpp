#pragma once

#include <agon/random.hpp>
#include <agon/waiting.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "llm/model_spec.hpp"
#include "llm/provider/provider.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {

/// Whether somebody wants the process to end: then nothing is waited for any more.
class StopFlag {
 public:
  StopFlag() = default;
  explicit StopFlag(const std::atomic<bool>* flag) : flag_(flag) {}

  [[nodiscard]] bool asked() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }
  [[nodiscard]] const std::atomic<bool>* flag() const { return flag_; }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

/// What a call says that was not made, or not waited for, because of that.
inline constexpr const char* kStopped = "the run is being stopped";

/// Time as the retries and limits see it, so that tests need not wait.
class Clock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  [[nodiscard]] static Time::duration seconds(double n) {
    return std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(n));
  }

  [[nodiscard]] virtual Time now() const = 0;
  /// Milliseconds since 1970.
  [[nodiscard]] virtual std::int64_t milliseconds_since_1970() const = 0;
  /// Waits until then, until woken through `wake`, or until somebody wants to stop; may return
  /// early. `lock` is held before and after.
  virtual void wait(std::unique_lock<std::mutex>& lock, Condition& wake, Time until,
                    const StopFlag& stop) = 0;
  /// Waits until then, or until somebody wants to stop.
  void sleep_until(Time until, const StopFlag& stop = {});
};

/// Time as it passes.
class RealClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override;
  [[nodiscard]] std::int64_t milliseconds_since_1970() const override;
  void wait(std::unique_lock<std::mutex>& lock, Condition& wake, Time until,
            const StopFlag& stop) override;
};

/// Time that passes only by being waited for. One thread each.
class CountedClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] std::int64_t milliseconds_since_1970() const override;
  void wait(std::unique_lock<std::mutex>& lock, Condition& wake, Time until,
            const StopFlag& stop) override;

 private:
  Time begun_ = std::chrono::steady_clock::now();
  Time now_ = begun_;
};

/// How many calls may be in flight at one endpoint. It begins with a few and grows with each
/// success, doubling a round trip until the endpoint first says that it is too much, by one a round
/// trip from then on. Too much takes a fifth away, at most once in 15 seconds: the replies that
/// come in meanwhile speak of what has been sent before.
class Limiter {
 public:
  static constexpr int kFirst = 64;
  static constexpr double kShrink = 0.8;
  static constexpr std::chrono::seconds kDebounce{15};

  /// `first`: so many calls may be in flight at the beginning.
  explicit Limiter(int most, int first = kFirst);
  Limiter(const Limiter&) = delete;
  Limiter& operator=(const Limiter&) = delete;

  /// From now on `most` calls at most, unless fewer were allowed already. Those in flight stay.
  void bound(int most);

  /// Waits for leave to send; false when `deadline` or a wish to stop comes first, and at once
  /// where nothing may be sent before the deadline. Each leave is followed by one release().
  bool acquire(Clock& clock, Clock::Time deadline, const StopFlag& stop = {});
  void release();
  void succeeded();
  /// The endpoint said that it is too much.
  void rate_limited(Clock::Time now);
  /// Nothing is sent before then.
  void pause_until(Clock::Time time);

  /// For how long nothing may be sent, in seconds; 0 if something may.
  [[nodiscard]] double pause_left_s(const Clock& clock) const;
  [[nodiscard]] int limit() const;
  [[nodiscard]] int in_flight() const;

 private:
  mutable std::mutex mutex_;
  Condition wake_;
  double most_;
  double limit_;
  bool has_shrunk_ = false;
  int in_flight_ = 0;
  Clock::Time paused_until_ = Clock::Time::min();
  Clock::Time last_shrink_ = Clock::Time::min();
};

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
  Condition over_;
  std::deque<Second> seconds_;
  std::string problem_;
  int in_a_row_ = 0;  ///< that failed
  bool is_on_ = false;
  Clock::Time since_{};
  Clock::Time next_look_{};
  Clock::Time::duration pause_{};
};

/// What all agents of the process share that call one model of one endpoint with one key, however
/// differently they ask: an endpoint counts its calls by these, not by what is in them.
class Traffic {
 public:
  explicit Traffic(int most_in_flight, int first = Limiter::kFirst)
      : limiter(most_in_flight, first) {}

  Limiter limiter;
  Outage outage;
  std::atomic<std::int64_t> retries{0};
  /// It has answered a call, so the configuration is right: whatever it says later may pass.
  std::atomic<bool> has_answered{false};

  /// Nothing more can be sent: out of money, or the configuration is wrong.
  void stop(CallOutcome outcome);
  [[nodiscard]] std::optional<CallOutcome> stopped() const;

  /// The one of this process; made on first use, and never with more calls in flight than any of
  /// those who asked for it allows. Of the key it knows a hash only.
  static std::shared_ptr<Traffic> shared(const std::string& base_url, std::uint64_t key_hash,
                                         const std::string& model, int most_in_flight);

 private:
  mutable std::mutex mutex_;
  std::optional<CallOutcome> stopped_;
};

/// One call with all its tries: waits for the limiter, tries, waits as the endpoint wishes or ever
/// longer, and gives up at the number of tries, at the deadline, when it is hopeless or when
/// somebody wants to stop.
struct CallLoop {
  /// One try, until `deadline` at the latest. Fills the call.
  using Try = std::function<CallOutcome(ModelCall& call, Clock::Time deadline)>;

  const ModelSpec& spec;
  Traffic& traffic;
  Clock& clock;
  StopFlag stop{};
  std::function<void(const std::string&)> tell{};  ///< told when an outage begins or ends

  /// `call` holds what was asked for. Returns it with what came of it.
  [[nodiscard]] ModelResult run(ModelCall call, Clock::Time deadline, Dice dice,
                                const Try& try_once) const;
};

}  // namespace agon::llm
