#pragma once

#include <agon/table.hpp>

#include "ebay/answers.hpp"

/// What the game asks and says.
namespace ebay {

inline constexpr agon::Stage<"bid", Turn, Desk> kBid{
    "Bid or hold: raise the most that your proxy may pay, or leave it as it is.",
    "one bidder after another, each once a day"};

inline constexpr agon::PrivateEvent<"private", Worth> kWorth{"what the item is worth to the seat"};
inline constexpr agon::Event<"day", Morning> kMorning{"a day begins"};
inline constexpr agon::Event<"price", PriceLine> kPrice{"the price after one bidder's turn"};
inline constexpr agon::Event<"extended", Extended> kExtended{"the end is put off"};
inline constexpr agon::Event<"close", Close> kClose{"the auction is over"};
inline constexpr agon::Note<"hidden", Hidden> kHidden{"values and highest bids of all"};

using Table = agon::Table<kBid, kWorth, kMorning, kPrice, kExtended, kClose, kHidden>;

}  // namespace ebay
