#include "suite/caps.hpp"

#include <agon/error.hpp>
#include <charconv>
#include <cmath>

namespace agon {

std::int64_t read_cost(std::string_view text, const std::string& where) {
  std::string_view number = text;
  if (number.starts_with("$"))
    number.remove_prefix(1);
  else if (number.ends_with("USD"))
    number.remove_suffix(3);
  while (number.ends_with(' ')) number.remove_suffix(1);
  double value = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || !(value > 0 && value <= 1e8))
    throw Error(ErrorKind::usage, "'" + std::string(text) + "' is no amount of money above 0",
                where, "write dollars, such as \"25 USD\"");
  return std::llround(value * 1e9);
}

}  // namespace agon
