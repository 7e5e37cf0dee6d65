#pragma once

#include <agon/telling.hpp>

#include "clock-auction/events.hpp"

namespace clock_auction {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const PastRound& past, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ValuesDrawn& drawn, const agon::Scene& scene);
[[nodiscard]] std::string tell(const CallOver& call, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Sold& sold, const agon::Scene& scene);
[[nodiscard]] std::string tell(const StayView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TakeView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PlanView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ReflectView& view, const agon::Scene& scene);
///@}

}  // namespace clock_auction
