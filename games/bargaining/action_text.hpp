#pragma once

#include <string>
#include <string_view>

#include "bargaining/answers.hpp"

namespace bargaining {

/// The text form of an action on so many of one product, such as "[BUY] $10 (1x apple_1)" or
/// "[QUIT]": a price without needless zeros and without commas (Xia et al. 2024, published code).
[[nodiscard]] std::string action_text(const Action& action, std::string_view codename,
                                      int quantity = 1);

}  // namespace bargaining
