#pragma once

#include <agon/export.hpp>
#include <chrono>
#include <cstdint>
#include <string>

namespace agon {

/// How far a run has come, on standard error: on a terminal one line that is rewritten, elsewhere a
/// line every ten seconds; nothing in the first half second.
class AGON_API Progress {
 public:
  Progress(std::uint64_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of the total, of which `before` were finished before this run began.
  void show(std::uint64_t done, std::uint64_t before, std::uint64_t troubled);
  /// Takes the line away, for other output.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t total_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace agon
