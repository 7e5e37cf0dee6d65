#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "design/order.hpp"
#include "design/plan.hpp"
#include "suite/suite.hpp"

namespace agon {

/// The order in which a run plays a suite: all scenarios advance at the same rate. Hands out what
/// is to be played next, to any number of threads.
class MatchOrder {
 public:
  /// A match of the plan, or a sequence of them.
  struct Task {
    std::size_t scenario = 0;  ///< of the suite
    std::uint64_t match = 0;   ///< of its plan
  };

  explicit MatchOrder(const Suite& suite);

  /// The next tasks, at most so many; none when there are no more.
  [[nodiscard]] std::vector<Task> next(std::size_t most);

 private:
  std::mutex mutex_;
  bool single_ = false;  // one match, as it is seated
  std::vector<design::ExecutionOrder> orders_;
  std::vector<design::Turn> turns_;
  std::size_t turn_ = 0;
  std::vector<std::uint64_t> round_;  // of the turn that is handed out
  std::size_t round_at_ = 0;
  std::size_t round_scenario_ = 0;
};

}  // namespace agon
