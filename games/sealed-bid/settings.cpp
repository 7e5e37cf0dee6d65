#include "sealed-bid/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sealed_bid {

auction_values::Source source(const Settings& settings) {
  return auction_values::source_of(settings);
}

auction_values::Contest contest(Payment payment, const auction_values::Source& source,
                                int bidders) {
  using agon::theory::SealedBid;
  auction_values::Contest contest{SealedBid::first_price, source.model, source.common, source.own,
                                  bidders};
  if (payment == Payment::second_price) contest.format = SealedBid::second_price;
  if (payment == Payment::third_price) contest.format = SealedBid::third_price;
  if (payment == Payment::all_pay) contest.format = SealedBid::all_pay;
  return contest;
}

int highest_bid(const Settings& settings) {
  return settings.highest_bid.value_or(reasonable_bid(settings));
}

int reasonable_bid(const Settings& settings) {
  const int value = std::max(0, auction_values::seen_range(source(settings))[1]);
  if (settings.payment != Payment::third_price) return value;
  // (n - 1) / (n - 2) times the value, rounded up.
  const int fewer = settings.bidders - 2;
  return value + (value + fewer - 1) / fewer;
}

std::string check(const Settings& settings) {
  if (settings.payment == Payment::third_price && settings.bidders < 3)
    return fmt::format(
        "payment is third_price, but {} bidders make no third bid: set bidders to 3 or more",
        settings.bidders);
  const bool is_about_second_price =
      settings.intervention == Intervention::menu || settings.intervention == Intervention::proxy ||
      settings.intervention == Intervention::direct || settings.intervention == Intervention::wrong;
  if (is_about_second_price && settings.payment != Payment::second_price)
    return "intervention describes the second price: set payment to second_price, or intervention "
           "to none, nash or risk";
  return auction_values::check(source(settings), settings.bidders, settings.rounds);
}

}  // namespace sealed_bid
