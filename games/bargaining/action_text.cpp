#include "bargaining/action_text.hpp"

#include <fmt/format.h>

namespace bargaining {
namespace {

std::string price_text(agon::Money price) {
  const auto whole = price.cents / 100, rest = price.cents % 100;
  if (rest == 0) return fmt::format("{}", whole);
  if (rest % 10 == 0) return fmt::format("{}.{}", whole, rest / 10);
  return fmt::format("{}.{:02}", whole, rest);
}

}  // namespace

std::string action_text(const Action& action, std::string_view codename, int quantity) {
  const auto priced = [&](std::string_view word, agon::Money price) {
    return fmt::format("[{}] ${} ({}x {})", word, price_text(price), quantity, codename);
  };
  if (const auto* buy = std::get_if<Buy>(&action)) return priced("BUY", buy->price);
  if (const auto* sell = std::get_if<Sell>(&action)) return priced("SELL", sell->price);
  if (const auto* deal = std::get_if<Deal>(&action)) return priced("DEAL", deal->price);
  return std::holds_alternative<Reject>(action) ? "[REJECT]" : "[QUIT]";
}

}  // namespace bargaining
