#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "allocation/allocation.hpp"
#include "design/order.hpp"
#include "design/plan.hpp"
#include "suite/suite.hpp"

namespace agon {

/// All of a suite: all scenarios advance at the same rate.
class WholePlan : public Allocation {
 public:
  explicit WholePlan(const Suite& suite);

  [[nodiscard]] std::vector<Task> next(std::size_t most,
                                       const std::function<bool()>& is_over) override;

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

/// All of a suite: a match of each scenario in turn, in the order of the plan. Where people sit at
/// the tables, those who come first find tables of all scenarios. Where nobody waits for an answer
/// and only results are stored, time of day is the same to all agents, and results that are stored
/// in the order of their blocks are read in one go.
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
