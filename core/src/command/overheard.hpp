#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace agon::command {

/// The end of what games print in the course of a run. From any thread.
class Overheard {
 public:
  /// `text` has no white space at its end.
  void hear(std::string_view text);
  /// The last 8 lines, at most 600 bytes; empty: nothing was printed.
  [[nodiscard]] std::string end() const;

 private:
  mutable std::mutex mutex_;
  std::string end_;
};

}  // namespace agon::command
