#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace agon {

/// How far a match has come, in plain bytes that may lie in a mapped file: to be read by whoever
/// comes when the process has gone down in the middle of it. Written by the thread that plays.
class MatchTrace {
 public:
  /// Whose code runs.
  enum class Doing : std::uint32_t {
    nothing,  ///< no match is played
    playing,  ///< the game, or an agent that answers at once
    waiting,  ///< nobody's: an answer is waited for
  };

  void begin() {
    stage_.fill('\0');
    ++turns_;
    doing_ = Doing::playing;
  }
  void end() { doing_ = Doing::nothing; }
  void waits(bool is_waiting) {
    if (!is_waiting) ++turns_;
    doing_ = is_waiting ? Doing::waiting : Doing::playing;
  }
  /// A question of this stage is put.
  void asks(std::string_view stage) {
    const std::size_t n = std::min(stage.size(), stage_.size() - 1);
    std::copy_n(stage.data(), n, stage_.data());
    stage_[n] = '\0';
  }

  [[nodiscard]] Doing doing() const { return doing_; }
  /// How often code of a game or an agent began to run.
  [[nodiscard]] std::uint32_t turns() const { return turns_; }
  /// Of the last question, perhaps cut short; empty: none was put.
  [[nodiscard]] std::string_view stage() const {
    return {stage_.data(), static_cast<std::size_t>(std::find(stage_.begin(), stage_.end(), '\0') -
                                                    stage_.begin())};
  }

 private:
  static_assert(std::atomic<Doing>::is_always_lock_free);
  std::atomic<Doing> doing_{Doing::nothing};
  std::atomic<std::uint32_t> turns_{0};
  std::array<char, 60> stage_{};
};

}  // namespace agon
