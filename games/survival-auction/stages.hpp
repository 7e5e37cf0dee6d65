#pragma once

#include <agon/table.hpp>

#include "survival-auction/answers.hpp"

/// What the game asks and says.
namespace survival_auction {

inline constexpr agon::Stage<"bid", Bid, Morning> kBid{"Bid for today's water, sealed.",
                                                       "every living resident, all at once"};

inline constexpr agon::Event<"day", Day> kDay{"a day is over"};
inline constexpr agon::Event<"death", Death> kDeath{"a resident has died"};

using Table = agon::Table<kBid, kDay, kDeath>;

}  // namespace survival_auction
