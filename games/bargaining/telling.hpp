#pragma once

#include <agon/telling.hpp>

#include "bargaining/events.hpp"

namespace bargaining {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Listing& listing, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BuyerFacts& facts, const agon::Scene& scene);
[[nodiscard]] std::string tell(const SellerFacts& facts, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Truth& truth, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Saying& saying, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Ending& ending, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BuyerView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const SellerView& view, const agon::Scene& scene);
///@}

}  // namespace bargaining
