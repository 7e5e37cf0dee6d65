#pragma once

#include <agon/agent.hpp>
#include <agon/error.hpp>
#include <agon/export.hpp>
#include <agon/learning.hpp>
#include <agon/table.hpp>
#include <agon/waiting.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "record/record.hpp"
#include "table/contract.hpp"
#include "table/match.hpp"

namespace agon {

/// Where replies of waiting agents arrive. It outlives the match as long as somebody may still
/// answer, so that a late answer touches nothing that is gone.
class Mailbox {
 public:
  using Clock = std::chrono::steady_clock;
  struct Letter {
    std::uint32_t number = 0;
    int attempt = 0;
    Reply reply;
  };

  /// From now on replies to this question and attempt are wanted.
  void expect(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    expected_.push_back({number, attempt, Clock::now()});
  }
  /// It waits for its turn until begin(), if it is wanted.
  void hold(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    for (AwaitedReply& e : expected_)
      if (e.number == number && e.attempt == attempt) e.begun = Clock::time_point::max();
  }
  void begin(std::uint32_t number, int attempt) {
    {
      const std::lock_guard lock(mutex_);
      for (AwaitedReply& e : expected_)
        if (e.number == number && e.attempt == attempt) e.begun = Clock::now();
      began_ = true;
    }
    arrived_.notify_one();
  }
  /// When it was put; as far off as can be while it waits for its turn.
  [[nodiscard]] Clock::time_point begun(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    for (const AwaitedReply& e : expected_)
      if (e.number == number && e.attempt == attempt) return e.begun;
    return Clock::now();
  }
  /// Replies to it are no longer wanted.
  void give_up(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    forget(number, attempt);
  }
  void deliver(std::uint32_t number, int attempt, Reply reply) {
    {
      const std::lock_guard lock(mutex_);
      if (!forget(number, attempt)) return;
      letters_.push_back({number, attempt, std::move(reply)});
    }
    arrived_.notify_one();
  }
  [[nodiscard]] bool wanted(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    for (const auto& e : expected_)
      if (e.number == number && e.attempt == attempt) return true;
    return false;
  }
  /// All letters there are. Sleeps until there is one or a question is put, until `until`, or until
  /// it is to stop.
  std::vector<Letter> collect(Clock::time_point until, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    arrived_.wait_until(lock, stop, until, [this] { return !letters_.empty() || began_; });
    began_ = false;
    return std::exchange(letters_, {});
  }
  /// Nobody waits for anything any more.
  void close() {
    const std::lock_guard lock(mutex_);
    expected_.clear();
    letters_.clear();
  }

 private:
  struct AwaitedReply {
    std::uint32_t number;
    int attempt;
    Clock::time_point begun;
  };
  bool forget(std::uint32_t number, int attempt) {
    for (auto e = expected_.begin(); e != expected_.end(); ++e) {
      if (e->number == number && e->attempt == attempt) {
        expected_.erase(e);
        return true;
      }
    }
    return false;
  }

  std::mutex mutex_;
  Condition arrived_;
  std::vector<AwaitedReply> expected_;
  std::vector<Letter> letters_;
  bool began_ = false;  ///< a question was put since somebody looked
};

/// The one table that games meet. Where answers come from varies: agents that answer at once,
/// agents that wait, a record, or a record first and agents then; numbering, checking, asking
/// again, chance and recording are the same for all.
class AGON_API MatchTable final : public AnyTable {
 public:
  explicit MatchTable(const MatchSetup& setup);
  ~MatchTable();

  /// Plays the match that was set up. Once.
  MatchResult run();

  /// Plays it again under other random numbers, without recording: nothing is allocated. All agents
  /// must answer at once. What came of it is valid until the next time.
  const MatchResult& play_next(std::uint64_t stream_key, std::span<const std::uint64_t> dice_keys);

  /// True once it is to stop, from outside: it does at its next question, or here.
  [[nodiscard]] bool is_stopped() const { return closed_ || setup_.cancel.stop_requested(); }
  /// Throws Stop if it is to stop.
  void heed_cancel();

  /// Questions asked so far in the current match, probes that were declined unseen included.
  [[nodiscard]] std::uint64_t questions() const { return next_question_; }
  /// How often the fallback was played for a seat, in the current match.
  [[nodiscard]] std::uint32_t fallbacks(int seat) const {
    return result_.forced[static_cast<std::size_t>(seat)];
  }
  /// What a seat that listens was told in it.
  [[nodiscard]] const SeatHistory& heard(int seat) const {
    return seats_of_[static_cast<std::size_t>(seat)].heard;
  }

 private:
  struct Seat {
    const Agent* agent = nullptr;
    std::uint64_t dice_key = 0;
    bool waits = false;
    std::string memo;
    const Agent* stand_in = nullptr;
    std::string stand_in_memo;
    const Agent* substitute = nullptr;
    bool handed_over = false;  ///< to the substitute
    const Language* language = &Language::english();
    bool listens = false;
    SeatHistory heard;  ///< only of seats that listen
    std::size_t unseen_from = 0;
  };
  using Clock = std::chrono::steady_clock;
  struct Pending;

  Given put(Question& question) override;
  void put_all(std::span<Question> questions, std::span<Given> given) override;
  void say(std::uint32_t audience, const EventCard& card, const void* event) override;
  void drawn(std::string_view name, std::span<const std::int64_t> at, bool first, const Type& type,
             void* value) override;
  std::int64_t next_in_turn(std::string_view name, std::int64_t n) override;
  bool bring(int seat, const Type& type, void* value) override;
  void take_along(int seat, const Type& type, const void* value) override;

  /// Lets the game play, and leaves in result_ what came of it.
  void play_through();
  /// Reminds seats of what they took along from the match before (agon/learning.hpp).
  void remind();
  /// Asks seats what they take along to the next match, where one follows.
  void take_learnings(const Outcome& outcome);
  [[nodiscard]] std::string score_in_words(int seat, double score) const;
  /// What a seat was told since it was asked last.
  [[nodiscard]] std::string last_told(int seat) const;
  /// What the seat reads.
  [[nodiscard]] const Language& language(int seat) const {
    return *seats_of_[static_cast<std::size_t>(seat)].language;
  }
  /// For tellings; `reader`: whom it is told.
  [[nodiscard]] Scene scene(int reader = -1) const;
  void open(Question& question);
  /// Refuses a record that grows without end.
  void check_length() const;
  /// Throws GameFault where a limit would be ignored. Not asked where nothing is recorded and
  /// agents answer legally at once, which is what random play spends its time on.
  static void check_limits(const Question& q);
  /// Asks an agent that answers at once, without keeping more than its answer. False if the long
  /// way must be taken, because the answer is not legal or more has to be recorded.
  bool ask_directly(Question& question);
  /// Counts and records what ask_directly() brought.
  void note_directly(const Question& question);
  /// The long way: checks, asks again, waits, plays back. The first `asked` questions went through
  /// ask_directly() already, and the last of them needs more than that.
  void resolve(std::span<Question> questions, std::span<Given> given, std::size_t asked);
  void play_back(Pending& pending, const record::Entry& entry);
  /// Lets the agent answer; what it throws is left in crash_, but a fault of
  /// the machine stops the match.
  void call(const Agent& agent, Question& question) {
    try {
      agent.answer(question);
    } catch (...) {
      note_crash();
    }
  }
  /// Leaves the text of the exception in flight in crash_.
  void note_crash();
  /// The draws that were given, to the match or to the one on record, last ones first.
  [[nodiscard]] GivenDraws given_draws() const;
  /// `asked`: the first attempt has been made already.
  void ask_inline(Pending& pending, bool asked);
  /// The question for an agent that may take its time, without a ledger.
  [[nodiscard]] OwnedQuestion owned(const Pending& pending);
  /// When a reply to a question that is put at that moment is too late.
  [[nodiscard]] Clock::time_point due(Clock::time_point begun) const;
  void send(Pending& pending);
  void wait_for(std::span<Pending> pending);
  std::vector<Mailbox::Letter> collect(Clock::time_point until);
  void receive(Pending& pending, Reply reply);
  /// What the seat's stand-in answers; nothing if there is none, or it has no answer here.
  std::optional<record::Attempt> ask_stand_in(Question& question);
  /// Reads and checks what an attempt said; notes its class. True if the question is settled.
  bool judge(Pending& pending, record::Attempt attempt);
  void settle_by_force(Pending& pending);
  /// From now on the seat's substitute answers in the place of its agent, if there is one.
  void hand_over(Seat& seat);
  void close_entry(Pending& pending);
  /// Tells the seat's agent, if it waits, how the match ended.
  void tell_ending(int seat) const;
  /// Tells waiting agents, once, that nothing more is wanted of them.
  void leave();
  /// Closes the entries of all that are settled, and makes them durable if one of them must be.
  void close_entries(std::span<Pending> pending);
  /// Throws what the game's view or check throws, after an agent broke that may have met it.
  static void blame_view_or_check(Question& question);
  /// Ends the match as a fault of the game, unless it was stopped before.
  void blame_game(std::string problem);
  [[noreturn]] void stop(End end, std::string problem);

  const MatchSetup& setup_;
  std::vector<Seat> seats_of_;
  std::optional<record::Recorder> recorder_;
  std::shared_ptr<Mailbox> mailbox_;
  std::unordered_map<std::uint32_t, const record::Entry*> past_;
  record::History history_;
  std::unordered_set<std::uint64_t> drawn_at_;  ///< places of chance, each used once
  GivenDraws given_;                            ///< what is left of them
  MatchResult result_;
  std::string_view stage_;       ///< of the last question
  std::size_t told_bytes_ = 0;   ///< of setup_.tellings
  std::uint32_t next_move_ = 0;  ///< place of the dice of the next question that is no probe
  std::string crash_;            ///< why the last agent that answered at once gave no answer
  bool direct_ = false;          ///< nothing to play back, nobody to wait for, no costly answers
  bool closed_ = false;
};

/// The game broke a rule of the seam: charged to the game.
struct GameFault {
  std::string problem;
  ProcessEnd process_end = ProcessEnd::other;
};

/// The machine could not do its part, as when no further process can be started: charged to nobody,
/// and the match is left unfinished.
class MachineFault : public Error {
 public:
  explicit MachineFault(const Error& error) : Error(error) {}
};

/// "WHAT at stage 'bid' (question 7, seat 1)".
[[nodiscard]] inline std::string at_stage(const Question& q, const std::string& what) {
  return what + " at stage '" + std::string(q.stage()) + "' (question " +
         std::to_string(q.number()) + ", seat " + std::to_string(q.seat()) + ")";
}

/// A question between being asked and being settled.
struct MatchTable::Pending {
  Question* question = nullptr;
  Given* given = nullptr;
  record::Asked asked;
  Clock::time_point sent{};  ///< to an agent that waits
  Clock::time_point deadline = Clock::time_point::max();
  int attempt = 0;
  int index = 0;                     ///< among the seats that are asked at once
  int count = 1;                     ///< how many these are
  std::string said;                  ///< the last attempt in a model's own words
  std::shared_ptr<const void> kept;  ///< Reply::kept of the last attempt
  bool settled = false;
  bool in_record = true;  ///< false: a probe declined at once leaves no trace
  bool costly = false;    ///< answered by somebody whose time or money it cost
};

/// What a seat carries over where its game carries nothing: the arena's own, told apart from what
/// games carry by the name of its only member.
struct LearningsMemo {
  TakenAlong taken_along;
};
AGON_DESCRIBE(LearningsMemo, (taken_along, "what is told before the next match"))

/// Empty for what a game carried.
std::optional<TakenAlong> read_learnings(std::string_view json);

}  // namespace agon
