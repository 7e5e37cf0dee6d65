#include "english-auction/bidding_log.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>
#include <iterator>

namespace english_auction {

namespace {

template <class... A>
void line(std::string& text, fmt::format_string<A...> format, A&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<A>(arguments)...);
  text += '\n';
}

}  // namespace

void BiddingLog::add(const LotOpened& event) {
  if (!text_.empty()) text_ += '\n';
  line(text_, "{}. {}, starting at {}", event.number, event.item, money_text(event.price));
}

void BiddingLog::add(const RoundClosed& event) {
  line(text_, "  Round {}", event.round);
  for (const Move& move : event.moves)
    if (move.bid)
      line(text_, "    {} bids {}", move.bidder, money_text(*move.bid));
    else
      line(text_, "    {} withdraws", move.bidder);
  if (event.tied > 1)
    line(text_, "    {} leads at {}, one of {} equal bids", *event.leader,
         money_text(*event.leading_bid), event.tied);
  else if (event.leader)
    line(text_, "    {} leads at {}", *event.leader, money_text(*event.leading_bid));
}

void BiddingLog::add(const PriceCut& event) {
  line(text_, "  Nobody bids: {} is offered again at {}", event.item, money_text(event.price));
}

void BiddingLog::add(const Talked& event) {
  for (const Remark& remark : event.said)
    line(text_, "  {} says: {}", remark.bidder, agon::speech(remark.text));
}

void BiddingLog::add(const Sale& event) {
  if (event.winner)
    line(text_, "  Sold to {} for {}{}", *event.winner, money_text(*event.price),
         event.value ? "; it is worth " + money_text(*event.value) : "");
  else
    line(text_, "  Not sold");
}

std::string report_text(const Report& report) {
  std::string text;
  line(text, "{} started with {}, won {} {}, made a profit of {} and has {} left", report.bidder,
       money_text(report.budget), report.won.size(), report.won.size() == 1 ? "item" : "items",
       money_text(report.profit), money_text(report.left));
  for (const Sale& sale : report.won)
    line(text, "  {}: paid {}, worth {}", sale.item, money_text(*sale.price),
         money_text(*sale.value));
  return text;
}

}  // namespace english_auction
