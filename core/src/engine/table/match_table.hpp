#pragma once

#include <agon/export.hpp>
#include <agon/table.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "record/record.hpp"
#include "table/contract.hpp"
#include "table/mailbox.hpp"
#include "table/match.hpp"

namespace agon {

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
  const MatchResult& play_again(std::uint64_t stream_key, std::span<const std::uint64_t> dice_keys);

  /// True once it is to stop, from outside: it does at its next question, or here.
  [[nodiscard]] bool is_stopped() const { return closed_ || setup_.cancel.stop_requested(); }
  /// Throws Stop if it is to stop.
  void heed_cancel();

  /// Questions asked so far in the current match, probes that were declined unseen included.
  [[nodiscard]] std::uint64_t questions() const { return next_question_; }

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
    SeatHistory heard;  ///< only of seats that wait
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

}  // namespace agon
