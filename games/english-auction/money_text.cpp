#include "english-auction/money_text.hpp"

#include <fmt/format.h>

namespace english_auction {

std::string money_text(agon::Money amount) {
  const std::string_view sign = amount.cents < 0 ? "-" : "";
  const std::int64_t cents = amount.cents < 0 ? -amount.cents : amount.cents;
  if (cents % 100 == 0) return fmt::format("{}${}", sign, cents / 100);
  return fmt::format("{}${}.{:02}", sign, cents / 100, cents % 100);
}

}  // namespace english_auction
