#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "archive/rows.hpp"
#include "design/plan.hpp"
#include "suite/suite.hpp"

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

/// All of a suite, or of its shard: all scenarios advance at the same rate.
class WholePlan : public Allocation {
 public:
  explicit WholePlan(const Suite& suite);

  [[nodiscard]] std::vector<Task> next(std::size_t most,
                                       const std::function<bool()>& is_over) override;

 private:
  std::mutex mutex_;
  bool single_ = false;  // one match, as it is seated
  std::vector<design::ExecutionOrder> orders_;
  std::vector<design::OrderItem> turns_;
  std::size_t turn_ = 0;
  std::vector<std::uint64_t> round_;  // of the turn that is handed out
  std::size_t round_at_ = 0;
  std::size_t round_scenario_ = 0;
};

/// All of a suite, or of its shard: a match of each scenario in turn, in the order of the plan.
/// Where people sit at the tables, those who come first find tables of all scenarios. Where nobody
/// waits for an answer and only results are stored, time of day is the same to all agents, and
/// results that are stored in the order of their blocks are read in one go.
class PlanInTurn : public Allocation {
 public:
  explicit PlanInTurn(const Suite& suite) : suite_(suite), next_(suite.scenarios.size()) {}

  [[nodiscard]] std::vector<Task> next(std::size_t most,
                                       const std::function<bool()>& is_over) override;

 private:
  const Suite& suite_;
  std::mutex mutex_;
  std::vector<std::uint64_t> next_;  // of each scenario
  std::size_t turn_ = 0;
};

}  // namespace agon
