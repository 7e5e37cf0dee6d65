#include "allocation/allocation.hpp"

#include <agon/random.hpp>

namespace agon {

WholePlan::WholePlan(const Suite& suite) {
  std::vector<std::uint64_t> rounds;
  for (std::size_t i = 0; i < suite.scenarios.size(); ++i) {
    const Scenario& s = suite.scenarios[i];
    if (s.as_seated) {
      single_ = true;
      return;
    }
    orders_.emplace_back(
        *s.plan, combine(mix(suite.seed), i),
        suite.shard ? suite.shard->blocks(suite.first_units.at(i)) : design::BlockSteps{});
    rounds.push_back(orders_.back().rounds());
  }
  turns_ = design::riffled(rounds, mix(suite.seed));
}

std::vector<Allocation::Task> WholePlan::next(std::size_t most,
                                              const std::function<bool()>& /*is_over*/) {
  const std::lock_guard lock(mutex_);
  std::vector<Task> tasks;
  if (single_) {
    if (turn_++ == 0) tasks.push_back({0, 0});
    return tasks;
  }
  while (tasks.size() < most) {
    if (round_at_ < round_.size()) {
      tasks.push_back({round_scenario_, round_[round_at_++]});
      continue;
    }
    if (turn_ == turns_.size()) break;
    const design::OrderItem turn = turns_[turn_++];
    round_scenario_ = turn.list;
    round_ = orders_[turn.list].round(turn.item);
    round_at_ = 0;
  }
  return tasks;
}

std::vector<Allocation::Task> PlanInTurn::next(std::size_t most,
                                               const std::function<bool()>& /*is_over*/) {
  const std::lock_guard lock(mutex_);
  std::vector<Task> tasks;
  for (std::size_t passed = 0; tasks.size() < most && passed < next_.size(); ++turn_) {
    const std::size_t scenario = turn_ % next_.size();
    next_[scenario] = suite_.next_played(scenario, next_[scenario]);
    if (next_[scenario] == suite_.scenarios[scenario].plan->size()) {
      ++passed;
      continue;
    }
    passed = 0;
    tasks.push_back({scenario, next_[scenario]++});
  }
  return tasks;
}

}  // namespace agon
