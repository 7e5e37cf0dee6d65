#pragma once

#include <sys/types.h>

#include <agon/export.hpp>
#include <agon/process.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace agon {

/// A bound on the memory of processes together. A thread looks at what each has, and ends the one
/// that has the most when all have more than the bound. The less is left, the sooner it looks
/// again. Where the system does not show the memory of processes, nothing is bounded.
class AGON_API MemoryWatch {
 public:
  /// One process that is looked at.
  struct Watched;

  /// Throws Error where there is no thread for it.
  explicit MemoryWatch(std::int64_t most_mib);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  /// Looks at a child of this process from here on, for as long as what is returned lives. The
  /// child must not have been waited for.
  [[nodiscard]] std::shared_ptr<Watched> add(pid_t child);
  /// Why the process was ended, as the end of a sentence; empty: it was not ended by this.
  [[nodiscard]] std::string why_ended(const Watched& one) const;

  /// When to look again: before as much could be written as is left, but neither all the time nor
  /// seldom.
  [[nodiscard]] static std::chrono::microseconds next_look(std::int64_t bytes_left);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A process that is looked at.
class WatchedProcess : public Process {
 public:
  /// `watch` may be null: then it is not.
  WatchedProcess(const std::vector<std::string>& words, const std::string& folder,
                 std::vector<std::string> environment, std::shared_ptr<MemoryWatch> watch)
      : Process(words, folder, std::move(environment)),
        watch_(std::move(watch)),
        watched_(watch_ == nullptr ? nullptr : watch_->add(id())) {}

  /// See MemoryWatch.
  [[nodiscard]] std::string why_ended() const {
    return watched_ == nullptr ? std::string() : watch_->why_ended(*watched_);
  }

 private:
  std::shared_ptr<MemoryWatch> watch_;
  std::shared_ptr<MemoryWatch::Watched> watched_;
};

}  // namespace agon
