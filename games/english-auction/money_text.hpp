#pragma once

#include <agon/money.hpp>
#include <string>

namespace english_auction {

/// An amount as people write it: $1500, -$20, $12.50.
[[nodiscard]] std::string money_text(agon::Money amount);

}  // namespace english_auction
