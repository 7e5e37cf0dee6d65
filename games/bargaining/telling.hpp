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

/// A message in a sentence: "The buyer offers to pay $50 and says: ...".
[[nodiscard]] std::string message_text(Side side, const Action& action, std::string_view talk,
                                       const agon::Scene& scene);
/// The product as both sides know it.
[[nodiscard]] std::string goods_text(const Goods& goods);

}  // namespace bargaining
