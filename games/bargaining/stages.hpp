#pragma once

#include <agon/table.hpp>

#include "bargaining/telling.hpp"

/// What the game asks and says.
namespace bargaining {

inline constexpr agon::Stage<"buy", Message, BuyerView> kBuy{
    "Your message as the buyer: some talk and one action. buy makes an offer, reject makes none, "
    "deal takes an earlier offer of the seller at its price, quit walks away. Try to pay as "
    "little as you can; never pay more than your budget.",
    "buyer", &tell, &ends_match};
inline constexpr agon::Stage<"sell", Message, SellerView> kSell{
    "Your message as the seller: some talk and one action. sell makes an offer, reject makes "
    "none, deal takes an earlier offer of the buyer at its price, quit walks away. Try to get as "
    "much as you can; never sell below your cost.",
    "seller", &tell, &ends_match};

inline constexpr agon::Event<"listing", Listing> kListing{"what is bargained over", &tell};
inline constexpr agon::PrivateEvent<"private", BuyerFacts> kBuyerFacts{"what the buyer may spend",
                                                                       &tell};
inline constexpr agon::PrivateEvent<"private", SellerFacts> kSellerFacts{
    "what the product costs the seller", &tell};
inline constexpr agon::Note<"truth", Truth> kTruth{"budget, cost and where they come from", &tell};
inline constexpr agon::Event<"message", Saying> kSaying{"a side has spoken", &tell};
inline constexpr agon::Event<"end", Ending> kEnding{"the bargaining is over", &tell};

using Table =
    agon::Table<kBuy, kSell, kListing, kBuyerFacts, kSellerFacts, kTruth, kSaying, kEnding>;

}  // namespace bargaining
