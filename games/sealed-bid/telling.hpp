#pragma once

#include <agon/telling.hpp>

#include "sealed-bid/views.hpp"

namespace sealed_bid {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const PastRound& past, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ValuesDrawn& drawn, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Sold& sold, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BidView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PlanView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ReflectView& view, const agon::Scene& scene);
///@}

}  // namespace sealed_bid
