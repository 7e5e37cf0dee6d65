#include "survival-auction/strategies/fraction.hpp"

#include "survival-auction/answers.hpp"

namespace survival_auction {

void Fraction::answer(agon::Question& question) const {
  const auto* morning = question.view<Morning>();
  auto* bid = question.answer<Bid>();
  if (morning == nullptr || bid == nullptr) return question.decline();
  const double share = static_cast<double>(morning->balance.cents) * params_.fraction;
  bid->bid = agon::Money{static_cast<std::int64_t>(share)};
}

}  // namespace survival_auction
