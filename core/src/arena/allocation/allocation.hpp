#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "archive/rows.hpp"

namespace agon {

/// Says which matches of a suite come next. Its functions may be called from any number of threads.
class Allocation {
 public:
  /// A match of the plan, or a sequence of them.
  struct Task {
    std::size_t scenario = 0;  ///< of the suite
    std::uint64_t match = 0;   ///< of its plan

    friend auto operator<=>(const Task&, const Task&) = default;
  };

  Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  virtual ~Allocation() = default;

  /// The next tasks, at most so many; none when there are no more, or none before others that
  /// failed are played. Waits for what is in flight where what comes next depends on it, unless it
  /// is over.
  [[nodiscard]] virtual std::vector<Task> next(std::size_t most,
                                               const std::function<bool()>& is_over) = 0;

  /// Whether it has to know how matches ended.
  [[nodiscard]] virtual bool watches() const { return false; }
  /// A match of a task ended; called for those of earlier runs too.
  virtual void played(const Task& /*task*/, archive::MatchRow /*match*/) {}
  /// No more is to come of a task now. `complete`: it was played, or never will be; else it may be
  /// taken up again.
  virtual void ended(const Task& /*task*/, bool /*complete*/) {}
};

}  // namespace agon
