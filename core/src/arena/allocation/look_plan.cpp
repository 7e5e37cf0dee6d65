#include "allocation/look_plan.hpp"

#include <agon/random.hpp>

#include "design/order.hpp"

namespace agon {
namespace {

/// The first of a scenario's blocks that belongs to a look.
std::uint64_t first_place(std::uint64_t look, std::uint64_t blocks, std::uint64_t looks) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(look) * blocks / looks);
}

}  // namespace

LookPlan::LookPlan(const Suite& suite) : suite_(suite), size_(most_looks(suite)) {
  for (std::size_t i = 0; i < suite.scenarios.size(); ++i) {
    const Scenario& s = suite.scenarios[i];
    const design::ExecutionOrder& order =
        orders_.emplace_back(*s.plan, combine(mix(suite.seed), i));
    std::vector<std::uint32_t>& look_of = looks_.emplace_back(s.blocks);
    for (std::uint64_t look = 0; look < size_; ++look)
      for (std::uint64_t place = first_place(look, s.blocks, size_);
           place < first_place(look + 1, s.blocks, size_); ++place)
        look_of[order.block_at(place)] = static_cast<std::uint32_t>(look);
  }
}

std::vector<Allocation::Task> LookPlan::tasks(std::uint64_t look) const {
  std::vector<std::vector<std::uint64_t>> lists;
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    const std::uint64_t blocks = suite_.scenarios[i].blocks;
    std::vector<std::uint64_t>& list = lists.emplace_back();
    for (std::uint64_t place = first_place(look, blocks, size_);
         place < first_place(look + 1, blocks, size_); ++place) {
      const std::vector<std::uint64_t> part = orders_[i].block(place);
      list.insert(list.end(), part.begin(), part.end());
    }
    sizes.push_back(list.size());
  }
  std::vector<Allocation::Task> tasks;
  for (const design::Turn& turn : design::riffled(sizes, combine(mix(suite_.seed), look)))
    tasks.push_back({turn.list, lists[turn.list][turn.item]});
  return tasks;
}

std::uint64_t LookPlan::look_of(const Allocation::Task& task) const {
  const design::MatchPlan& plan = *suite_.scenarios[task.scenario].plan;
  return looks_[task.scenario][task.match / (plan.repeats() * plan.round_size())];
}

}  // namespace agon
