#pragma once

#include <agon/table.hpp>

#include "ebay/telling.hpp"

/// What the game asks and says.
namespace ebay {

inline constexpr agon::Stage<"bid", Turn, Desk> kBid{
    "Bid or hold: raise the most that your proxy may pay, or leave it as it is.",
    "one bidder after another, each once a day", &tell};

inline constexpr agon::PrivateEvent<"private", Worth> kWorth{"what the item is worth to the seat",
                                                             &tell};
inline constexpr agon::Event<"day", Morning> kMorning{"a day begins", &tell};
inline constexpr agon::Event<"price", PriceLine> kPrice{"the price after one bidder's turn", &tell};
inline constexpr agon::Event<"extended", Extended> kExtended{"the end is put off", &tell};
inline constexpr agon::Event<"close", Close> kClose{"the auction is over", &tell};
inline constexpr agon::Note<"hidden", Hidden> kHidden{"values and highest bids of all", &tell};

using Table = agon::Table<kBid, kWorth, kMorning, kPrice, kExtended, kClose, kHidden>;

}  // namespace ebay
