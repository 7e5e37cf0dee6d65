#pragma once

#include <agon/telling.hpp>

#include "english-auction/events.hpp"

namespace english_auction {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Opening& opening, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PrivateFacts& facts, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TrueValues& values, const agon::Scene& scene);
[[nodiscard]] std::string tell(const LotOpened& lot, const agon::Scene& scene);
[[nodiscard]] std::string tell(const RoundClosed& round, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PriceCut& cut, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Sale& sale, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PrivateValues& values, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Talked& talked, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ReserveSet& set, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ReserveUnmet& unmet, const agon::Scene& scene);
[[nodiscard]] std::string tell(const OwnValue& own, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ForcedWithdrawal& forced, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BeliefChecked& checked, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Engagement& engagement, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Report& report, const agon::Scene& scene);
[[nodiscard]] std::string tell(const AuctionLog& log, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BidView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PlanView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TalkView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PutUpView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BeliefView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const LearnView& view, const agon::Scene& scene);
///@}

}  // namespace english_auction
