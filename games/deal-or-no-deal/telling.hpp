#pragma once

#include <agon/telling.hpp>

#include "deal-or-no-deal/events.hpp"

namespace deal_or_no_deal {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const PrivateValues& values, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Claimed& claimed, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ClaimView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const OfferMade& offer, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Agreed& agreed, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BrokenDown& broken, const agon::Scene& scene);
[[nodiscard]] std::string tell(const OutOfTurns& out, const agon::Scene& scene);
[[nodiscard]] std::string tell(const MessageSent& message, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TalkEnded& ended, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Presented& presented, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BeliefJudged& judged, const agon::Scene& scene);
[[nodiscard]] std::string tell(const OfferView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TalkView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BeliefView& view, const agon::Scene& scene);
///@}

/// So many of each item type: "1 book, 0 hats and 2 balls".
[[nodiscard]] std::string items_text(std::span<const int> part, std::span<const std::string> names);

}  // namespace deal_or_no_deal
