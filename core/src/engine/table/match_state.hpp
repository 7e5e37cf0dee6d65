#pragma once

#include <agon/agent.hpp>
#include <agon/error.hpp>
#include <agon/export.hpp>
#include <agon/table.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/record.hpp"
#include "table/mailbox.hpp"
#include "table/match.hpp"
#include "table/probes.hpp"

namespace agon {

class Skin;

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

/// A seat while its match is played.
struct PlayingSeat {
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

  /// From now on its substitute answers in the place of its agent, if there is one.
  void hand_over() {
    if (handed_over || substitute == nullptr) return;
    handed_over = true;
    agent = substitute;
  }
};
/// What a match that is played consists of, for those who play it: the table that its game meets,
/// and the asker that questions go through where they are not answered at once.
struct MatchState {
  explicit MatchState(const MatchSetup& from) : setup(from) {}

  /// True once it is to stop, from outside: it does at its next question.
  [[nodiscard]] bool is_stopped() const { return closed || setup.cancel.stop_requested(); }
  /// Throws Stop if it is to stop.
  void heed_cancel();
  [[noreturn]] void stop(End end, std::string problem);
  /// Refuses a record that has no room for so many bytes more. What a game says without end is a
  /// fault of the game; what agents that wait were shown and said is nobody's, and the match stops.
  void check_length(std::size_t more = 0);
  /// Stops a match that is too long for a record.
  [[noreturn]] void stop_as_too_long();

  [[nodiscard]] PlayingSeat& seat_of(const Question& q) {
    return seats[static_cast<std::size_t>(q.seat())];
  }
  /// True for a question of the suite's: nothing of it is left with its seat.
  [[nodiscard]] bool is_of_suite(const StageCard& stage) const {
    return setup.probes != nullptr && stage.probe && setup.probes->has(&stage);
  }
  /// Counts an attempt of a seat, but at a question of the suite's.
  void count(const StageCard& stage, int seat, Fault fault) {
    if (!is_of_suite(stage))
      ++result.faults[static_cast<std::size_t>(seat)][static_cast<std::size_t>(fault)];
  }
  /// What the seat reads.
  [[nodiscard]] const Language& language(int seat) const {
    return *seats[static_cast<std::size_t>(seat)].language;
  }
  /// In which a person at the seat is told everything; null: in the game's own words, or `agent`
  /// is none. Models are given it with their prompts.
  [[nodiscard]] std::shared_ptr<const Skin> skin(int seat, const Agent& agent) const;
  /// For tellings; `reader`: whom it is told.
  [[nodiscard]] Scene scene(int reader = -1) const {
    return {names, setup.settings, reader, reader < 0 ? Language::english() : language(reader)};
  }

  /// Lets the agent answer; what it throws is left in `crash`, but a fault of the machine stops the
  /// match.
  void call(const Agent& agent, Question& question) {
    try {
      agent.answer(question);
    } catch (...) {
      note_crash();
    }
  }

  const MatchSetup& setup;
  std::span<const std::string_view> names;  ///< of the seats
  std::vector<PlayingSeat> seats;
  std::optional<record::Recorder> recorder;
  std::shared_ptr<Mailbox> mailbox;  ///< null: nobody waits
  MatchResult result;
  std::string crash;  ///< why the last agent that answered at once gave no answer
  bool closed = false;

 private:
  /// Leaves the text of the exception in flight in `crash`.
  void note_crash();
};

/// What is on record of a match already, and the draws that were given.
class Playback {
 public:
  explicit Playback(const MatchSetup& setup);

  [[nodiscard]] bool has_answers() const { return !answers_.empty(); }
  /// Bit s: seat s waited.
  [[nodiscard]] std::uint32_t waiting() const { return history_.waiting; }
  /// Whether the match goes on from a record with whole views.
  [[nodiscard]] bool has_whole_views() const { return history_.has_whole_views; }
  /// Null if no answer to that question is on record.
  [[nodiscard]] const record::Entry* answer(std::uint32_t number) const {
    const auto found = answers_.find(number);
    return found == answers_.end() ? nullptr : found->second;
  }
  /// Puts the next number that is given at a place of chance in the place of `value`. False if none
  /// is.
  bool give(std::string_view name, std::span<const std::int64_t> at, const Type& type, void* value);

 private:
  record::History history_;
  std::unordered_map<std::uint32_t, const record::Entry*> answers_;
  record::Entry changed_;  ///< the answer that a cut puts in the place of the recorded one
  GivenDraws given_;       ///< what is left of them, last ones first
};

}  // namespace agon
