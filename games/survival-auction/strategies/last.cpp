#include "survival-auction/strategies/last.hpp"

#include "survival-auction/answers.hpp"

namespace survival_auction {

void Last::answer(agon::Question& question) const {
  const auto* morning = question.view<Morning>();
  auto* answer = question.answer<Bid>();
  if (morning == nullptr || answer == nullptr) return question.decline();
  agon::Money bid{
      static_cast<std::int64_t>(static_cast<double>(morning->balance.cents) * params_.first)};
  if (!morning->history.empty()) {
    agon::Money highest{};
    for (const ResidentDay& line : morning->history.back().residents)
      if (line.name != morning->name) highest = std::max(highest, line.bid);
    bid = highest + params_.raise;
  }
  answer->bid = std::min(bid, morning->balance);
}

}  // namespace survival_auction
