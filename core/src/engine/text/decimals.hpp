#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace agon::text {

/// True for 1, 2, 5, 10, 20 ...: what divides a power of ten.
[[nodiscard]] bool divides_power_of_ten(std::int64_t n);

/// How long the number is that begins there, "1,234.50"; without `thousands` it has no commas. 0:
/// there is none.
[[nodiscard]] std::size_t number_at(std::string_view text, std::size_t at, bool thousands);

/// A number in digits times `scale`, or divided by it (`back`): exactly, in decimals. As it stands
/// in texts: with thousands apart where it had them or was below 1,000, and no cents or two digits
/// of them at least; `plain`: as in JSON. A number of more than 18 digits stays as it is.
[[nodiscard]] AGON_API std::string scaled(std::string_view number, std::int64_t scale, bool back,
                                          bool plain);

}  // namespace agon::text
