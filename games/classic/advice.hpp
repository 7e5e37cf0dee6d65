#pragma once

#include <string_view>

namespace classic {

/// What model agents are told last before an action, by its number in the paper (section 6.5, in
/// our own words); empty for 0. The published code numbers them 1, 2, 6, 3, 4, 5.
[[nodiscard]] std::string_view advice_text(int number);

}  // namespace classic
