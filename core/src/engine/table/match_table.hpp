#pragma once

#include <agon/export.hpp>
#include <agon/table.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "table/asker.hpp"
#include "table/match.hpp"
#include "table/match_state.hpp"
#include "table/probe_asker.hpp"

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
  const MatchResult& play_next(std::uint64_t stream_key, std::span<const std::uint64_t> dice_keys);

  /// True once it is to stop, from outside: it does at its next question, or here.
  [[nodiscard]] bool is_stopped() const { return state_.is_stopped(); }
  /// Throws Stop if it is to stop.
  void heed_cancel() { state_.heed_cancel(); }

  /// Questions asked so far in the current match, probes that were declined unseen included.
  [[nodiscard]] std::uint64_t questions() const { return next_question_; }
  /// How often the fallback was played for a seat, in the current match.
  [[nodiscard]] std::uint32_t fallbacks(int seat) const {
    return state_.result.forced[static_cast<std::size_t>(seat)];
  }
  /// What a seat that listens was told in it.
  [[nodiscard]] const SeatHistory& heard(int seat) const {
    return state_.seats[static_cast<std::size_t>(seat)].heard;
  }

 private:
  Given put(Question& question) override;
  void put_all(std::span<Question> questions, std::span<Given> given) override;
  void say(std::uint32_t audience, const EventCard& card, const void* event) override;
  void drawn(std::string_view name, std::span<const std::int64_t> at, bool first, const Type& type,
             void* value) override;
  std::int64_t next_in_turn(std::string_view name, std::int64_t n) override;
  bool bring(int seat, const Type& type, void* value) override;
  void take_along(int seat, const Type& type, const void* value) override;

  /// Lets the game play, and leaves what came of it in the result.
  void play_through();
  void open(Question& question);
  /// Asks an agent that answers at once, without keeping more than its answer. False if the long
  /// way must be taken, because the answer is not legal or more has to be recorded.
  bool ask_directly(Question& question);
  /// Counts and records what ask_directly() brought.
  void note_directly(const Question& question);
  /// Opens the questions that are not open, and lets the asker settle all. The first `asked` went
  /// through ask_directly() already, and the last of them needs more than that.
  void resolve(std::span<Question> questions, std::span<Given> given, std::size_t asked);
  /// Tells the seat's agent, if it waits, how the match ended.
  void tell_ending(int seat) const;
  /// Tells waiting agents, once, that nothing more is wanted of them.
  void leave();
  /// Ends the match as a fault of the game, unless it was stopped before.
  void blame_game(std::string problem);

  MatchState state_;
  Playback playback_;
  Asker asker_;
  ProbeAsker probes_;
  std::unordered_set<std::uint64_t> drawn_at_;  ///< places of chance, each used once
  std::string_view stage_;                      ///< of the last question
  std::size_t told_bytes_ = 0;                  ///< of MatchSetup::tellings
  std::uint32_t next_move_ = 0;  ///< place of the dice of the next question that is no probe
  bool direct_ = false;          ///< nothing to play back, nobody to wait for, no costly answers
};

}  // namespace agon
