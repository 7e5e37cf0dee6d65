#pragma once

#include "water-allocation/telling.hpp"

/// What the game asks and says.
namespace water_allocation {

inline constexpr agon::Stage<"bid", Bid, Morning> kBid{
    "Bid for today's water, sealed, or make no bid.", "every living resident, all at once", &tell};

inline constexpr agon::Event<"town", Town> kTown{"the town before the first salary", &tell};
inline constexpr agon::PrivateEvent<"private", You> kYou{"who the seat plays, with personas",
                                                         &tell};
inline constexpr agon::Event<"day", Day> kDay{"all that happened on a day", &tell};
using shared::drought::kDeath;

using Table = agon::Table<kBid, kTown, kYou, kDay, kDeath>;

}  // namespace water_allocation
