#pragma once

#include "survival-auction/telling.hpp"

/// What the game asks and says.
namespace survival_auction {

inline constexpr agon::Stage<"bid", Bid, Morning> kBid{"Bid for today's water, sealed.",
                                                       "every living resident, all at once", &tell};

inline constexpr agon::Event<"day", Day> kDay{"a day is over", &tell};
using shared::drought::kDeath;

using Table = agon::Table<kBid, kDay, kDeath>;

}  // namespace survival_auction
