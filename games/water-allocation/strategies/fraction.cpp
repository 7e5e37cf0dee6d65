#include "water-allocation/strategies/fraction.hpp"

#include "water-allocation/answers.hpp"

namespace water_allocation {

void Fraction::answer(agon::Question& question) const {
  const auto* morning = question.view<Morning>();
  auto* bid = question.answer<Bid>();
  if (morning == nullptr || bid == nullptr) return question.decline();
  const double share = static_cast<double>(morning->balance.cents) * params_.fraction;
  bid->bid = agon::Money{static_cast<std::int64_t>(share)};
}

}  // namespace water_allocation
