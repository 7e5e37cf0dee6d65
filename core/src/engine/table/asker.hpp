#pragma once

#include <agon/agent.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "record/record.hpp"
#include "table/match_state.hpp"

namespace agon {

/// The long way of a question: answers from wherever they come are checked, asked for again and
/// recorded. MatchTable takes it for what an agent does not answer at once, legally and without
/// more to record than the answer.
class Asker {
 public:
  Asker(MatchState& state, const Playback& playback) : state_(state), playback_(playback) {}

  /// Settles questions that are asked at the same time. The first `asked` were put to agents that
  /// answer at once already, and the last of them needs more than that.
  void resolve(std::span<Question> questions, std::span<Given> given, std::size_t asked);

 private:
  using Clock = std::chrono::steady_clock;
  /// A question between being asked and being settled.
  struct Pending {
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

  /// Takes the answer from the record, or asks the agent. True if it is waited for.
  bool put(Pending& pending, bool asked);
  /// Whether that is a probe that is declined unseen: it leaves no entry, whatever its agent is.
  [[nodiscard]] bool is_unseen(const Question& question) const;
  /// How much questions may add to a record that is nearly full, before anything is paid for them.
  [[nodiscard]] std::size_t bytes_shown(std::span<Question> questions) const;
  void play_back(Pending& pending, const record::Entry& entry);
  /// `asked`: the first attempt has been made already.
  void ask_inline(Pending& pending, bool asked);
  /// Throws what the game's view or check throws, after an agent broke that may have met it.
  static void blame_view_or_check(Question& question);
  /// Reads what an attempt said into the question's answer; why it is not legal, if it is not.
  [[nodiscard]] std::optional<Problem> problem_of(Question& question,
                                                  const record::Attempt& attempt) const;
  /// Reads and checks what an attempt said; notes its class. True if the question is settled.
  bool judge(Pending& pending, record::Attempt attempt);
  /// After an attempt that was turned down: true if the fallback was played, as no other is asked
  /// for.
  bool is_given_up(Pending& pending);
  void settle_by_force(Pending& pending);
  /// Adds a question and its answer to what its seat has heard.
  void remember(Pending& pending);
  void close_entry(Pending& pending);
  /// Closes the entries of all that are settled, and makes them durable if one of them must be.
  void close_entries(std::span<Pending> pending);

  /// The question for an agent that may take its time, without a ledger.
  [[nodiscard]] OwnedQuestion owned(const Pending& pending);
  /// When a reply to a question that is put at that moment is too late.
  [[nodiscard]] Clock::time_point due(Clock::time_point begun) const;
  void send(Pending& pending);
  void wait_for(std::span<Pending> pending);
  void receive(Pending& pending, Reply reply);
  void keep_timing(const Pending& pending, const Reply& reply);
  /// What the seat's stand-in answers; nothing if there is none, or it has no answer here.
  std::optional<record::Attempt> ask_stand_in(Question& question);

  MatchState& state_;
  const Playback& playback_;
};

}  // namespace agon
