#include "clock-auction/settings.hpp"

#include <fmt/format.h>

namespace clock_auction {

auction_values::Source source(const Settings& settings) {
  return auction_values::source_of(settings);
}

int ceiling(const Settings& settings) {
  return settings.ceiling.value_or(auction_values::seen_range(source(settings))[1]);
}

std::string check(const Settings& settings) {
  if (settings.values == auction_values::ValueModel::common)
    return "values are common, which the clock has no rules for: set them to independent or "
           "affiliated, or play sealed-bid";
  std::string reason = auction_values::check(source(settings), settings.bidders, settings.rounds);
  if (!reason.empty()) return reason;
  const int top = ceiling(settings);
  if (settings.start > top)
    return fmt::format("start is {}, above {}, where the clock {} (ceiling)", settings.start, top,
                       settings.clock == Clock::dutch ? "begins to fall" : "stops");
  if ((top - settings.start) / settings.step > 100'000)
    return fmt::format("from {} to {} in steps of {} are more than 100000 prices: make step larger",
                       settings.start, top, settings.step);
  return {};
}

}  // namespace clock_auction
