#pragma once

#include <agon/export.hpp>
#include <agon/fault.hpp>
#include <agon/limits.hpp>
#include <agon/random.hpp>
#include <agon/stage.hpp>
#include <optional>
#include <string>

namespace agon {

/// How an answer came to be.
struct Given {
  int rejected_attempts = 0;  ///< see rejected()
  int illegal_attempts = 0;   ///< see illegal()
  bool was_forced = false;    ///< see forced()

  /// How many attempts were turned down before this answer stood.
  [[nodiscard]] int rejected() const { return rejected_attempts; }
  /// How many of them could be read, but were against the rules or outside of the limits. The rest
  /// could not be read, came too late or not at all.
  [[nodiscard]] int illegal() const { return illegal_attempts; }
  /// True if the game's fallback was played because no attempt was legal.
  [[nodiscard]] bool forced() const { return was_forced; }
};

/// Reads like T, and knows how it came.
template <class T>
struct Answer : T, Given {};

/// A question as an inline agent sees it: valid until the agent returns, and only what its seat may
/// know. Everything here is data of the moment; there is no way from it to the game's state.
class AGON_API Question {
 public:
  Question() {}  // NOLINT: leaves to the table what the table sets
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  /// Who is asked, from 0.
  [[nodiscard]] int seat() const { return seat_; }
  /// The name of the stage.
  [[nodiscard]] std::string_view stage() const { return stage_->name; }
  /// True if the answer has no effect on play.
  [[nodiscard]] bool is_probe() const { return stage_->probe; }
  /// 0-based count of questions in this match, in program order.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  /// 0 the first time, 1 when asked again, ...
  [[nodiscard]] int attempt() const { return static_cast<int>(attempt_); }
  /// Why the last attempt was turned down; empty at the first.
  [[nodiscard]] std::string_view complaint() const { return complaint_; }
  /// The description of the answer.
  [[nodiscard]] const Type& answer_type() const { return *stage_->answer; }
  /// The limits of the moment on the answer.
  [[nodiscard]] std::span<const LimitData> limits() const { return limits_; }

  /// The place to write the answer, if this question asks for a T described in the same library;
  /// else null. It holds the game's fallback until written.
  template <class T>
  [[nodiscard]] T* answer() {
    if (stage_->answer != &type_of<T>()) return nullptr;
    drawn_ = false;  // what is written after a draw must be checked
    return static_cast<T*>(answer_);
  }
  /// What this seat may see now, typed; null if the view is of another type or library.
  template <class V>
  [[nodiscard]] const V* view() {
    return view_type() == &type_of<V>() ? static_cast<const V*>(view()) : nullptr;
  }
  /// Null if nothing is shown.
  [[nodiscard]] const Type* view_type() const {
    return build_view_ == nullptr ? nullptr : stage_->view;
  }
  /// The untyped view, built at the first call; null if there is none.
  [[nodiscard]] const void* view() {
    if (view_ == nullptr && build_view_ != nullptr) view_ = build_view_(asking_);
    return view_;
  }

  /// Dice of this very question: keyed by block, repeat, agent, seat, question and attempt. Probes
  /// asked before make no difference to them.
  [[nodiscard]] Dice dice() const { return Dice(dice_key_, dice_place_, attempt_); }

  /// What this seat's agent last asked to be handed back; empty at first.
  [[nodiscard]] std::string_view memo() const { return memo_; }
  /// Hands `text` back with this seat's next question. It is recorded.
  void remember(std::string text) { words().memo = std::move(text), remembers_ = true; }
  /// A private reason for the answer: recorded, shown to no other seat.
  void think(std::string text) { words().thought = std::move(text); }
  /// Declines a probe; for other questions, leaves the game's fallback standing.
  void decline() { declined_ = true; }
  /// Gives the answer as JSON text instead of writing answer<T>(); the table reads and checks it.
  void answer_json(std::string text) { words().json = std::move(text), by_json_ = true; }
  /// Writes a uniform draw over the distinct legal answers where they are finite, the alternatives
  /// of a variant weighted by their size; else uniform over the limits (texts: short words).
  void draw() { draw_(*this); }

 private:
  friend class AnyTable;
  friend class Asker;
  friend class MatchTable;
  friend class RelayTable;
  friend class UntypedQuestion;
  friend class UntypedTable;

  /// What few answers have beside themselves: made only when needed, questions are made often.
  struct Words {
    std::string thought;
    std::string memo;
    std::string json;
  };
  /// draw() where a check of the game narrows what is legal.
  static void draw_checked(Question& question);
  Words& words() {
    if (!words_) words_.emplace();
    return *words_;
  }

  // What has no initial value here is always set by the table that asks.
  const StageCard* stage_;
  void* answer_;
  const void* fallback_ = nullptr;
  const void* view_ = nullptr;
  const void* (*build_view_)(void*) = nullptr;
  std::string (*check_)(void*, const void*) = nullptr;
  void* asking_;  ///< what view and check are parts of
  void (*draw_)(Question& question);
  bool (*is_legal_)(const Type& type, const void* answer, std::span<const LimitData> limits);
  std::span<const LimitData> limits_{};
  std::string_view complaint_{};
  std::string_view memo_{};
  std::optional<Words> words_{};
  std::uint64_t dice_key_;
  std::uint32_t number_;
  std::uint32_t dice_place_;  ///< count of the questions before that are no probes
  std::uint32_t attempt_ = 0;
  int seat_;
  bool declined_ = false;
  bool drawn_ = false;
  bool remembers_ = false;
  bool by_json_ = false;
};

}  // namespace agon
