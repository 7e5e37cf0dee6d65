#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <vector>

#include "allocation/allocation.hpp"
#include "design/plan.hpp"
#include "suite/suite.hpp"

namespace agon {

/// The blocks of a suite in looks: the same share of every scenario's blocks. There are as many
/// looks as the scenario with the fewest has blocks, so that a look is one block of that and one or
/// more of each other. Blocks come in the order in which the whole plan would begin them.
class AGON_API LookPlan {
 public:
  explicit LookPlan(const Suite& suite);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The tasks of a look in the order of play, scenarios interleaved.
  [[nodiscard]] std::vector<Allocation::Task> tasks(std::uint64_t look) const;
  /// The look that a task belongs to.
  [[nodiscard]] std::uint64_t look_of(const Allocation::Task& task) const;

 private:
  const Suite& suite_;
  std::uint64_t size_;
  std::vector<design::ExecutionOrder> orders_;
  std::vector<std::vector<std::uint32_t>> looks_;  // by scenario and block
};

}  // namespace agon
