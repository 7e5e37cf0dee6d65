#pragma once

#include <string>

#include "english-auction/events.hpp"

namespace english_auction {

/// Turns the events of an auction, in the order in which they happened, into a history for people
/// (and for learning bidders). It allocates nothing before the first event.
class BiddingLog {
 public:
  void add(const LotOpened& event);
  void add(const RoundClosed& event);
  void add(const PriceCut& event);
  void add(const Talked& event);
  void add(const Sale& event);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A bidder's personal report as text.
[[nodiscard]] std::string report_text(const Report& report);

}  // namespace english_auction
