#include "water-allocation/strategies/fixed.hpp"

#include "water-allocation/answers.hpp"

namespace water_allocation {

void Fixed::answer(agon::Question& question) const {
  const auto* morning = question.view<Morning>();
  auto* bid = question.answer<Bid>();
  if (morning == nullptr || bid == nullptr) return question.decline();
  bid->bid = std::min(params_.bid, morning->balance);
}

}  // namespace water_allocation
