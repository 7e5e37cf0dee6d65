#pragma once

#include "survival-auction/answers.hpp"

/// What the game asks and says.
namespace survival_auction {

inline constexpr agon::Stage<"bid", Bid, Morning> kBid{"Bid for today's water, sealed.",
                                                       "every living resident, all at once"};

inline constexpr agon::Event<"day", Day> kDay{"a day is over"};
using shared::drought::kDeath;

using Table = agon::Table<kBid, kDay, kDeath>;

}  // namespace survival_auction
