#include "ebay/game.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>
#include <agon/telling.hpp>

#include "ebay/play.hpp"
#include "ebay/strategies.hpp"
#include "shared/roster.hpp"

namespace ebay {

namespace {

std::string worth(const Settings& s) {
  if (!s.value_list.empty())
    return "What the item is worth differs from bidder to bidder, and each knows only its own "
           "value.";
  return fmt::format(
      "What the item is worth to a bidder is a whole number of dollars from {} to {}, every number "
      "equally likely and drawn for each bidder by itself. Each knows only its own value.",
      agon::with_thousands(s.values[0]), agon::with_thousands(s.values[1]));
}

std::string closing(const Settings& s) {
  if (!s.soft_close) return fmt::format("The auction ends after day {}.", s.days);
  if (s.close_rule == CloseRule::new_leader)
    return fmt::format(
        "The auction is to end after day {}. If on the last day a bid makes somebody the leader "
        "who was not, there is one day more, and so on until a last day passes without that; day "
        "{} is the last in any case.",
        s.days, s.max_days);
  return fmt::format(
      "The auction is to end after day {}. When the day before the last is over and anybody has "
      "bid in the auction, or since the end was last put off, there is one day more, and so on; "
      "day "
      "{} is the last in any case. A bid on the last day puts off nothing.",
      s.days, s.max_days);
}

std::string reserve(const Settings& s) {
  if (!s.reserve) return "There is no reserve price.";
  return s.reserve_test == ReserveTest::highest_bid
             ? "The seller has set a secret reserve: if no maximum is above it, the item is not "
               "sold."
             : "The seller has set a secret reserve: if the final price is below it, the item is "
               "not sold.";
}

/// What comes of an auction in which nobody bids.
std::string_view unsold(const Settings& s) {
  if (s.no_bids == NoBids::no_sale)
    return s.reserve ? " If nobody bids, it is not sold either."
                     : " If nobody bids, it is not sold.";
  if (s.reserve && s.reserve_test == ReserveTest::highest_bid)
    return " If nobody bids, it is not sold.";
  return s.reserve
             ? " If nobody bids and the starting price meets the reserve, the one first in the "
               "list of bidders gets it at that price."
             : " If nobody bids, the one first in the list of bidders gets it at the starting "
               "price.";
}

}  // namespace

Facts facts(const Settings& s) {
  Facts f;
  f.days = s.days;
  f.bidders = static_cast<int>(s.bidders.size());
  f.worth = worth(s);
  f.closing = closing(s);
  f.reserve = reserve(s);
  f.objective =
      "Your profit is the value of the item to you less the price if you win it, and nothing if "
      "you do not. The aim is the highest profit.";
  f.rivals = f.bidders - 1;
  f.lowest_value = s.values[0];
  f.highest_value = s.values[1];
  f.start_price = s.start_price;
  f.soft_close = s.soft_close;
  f.close_rule = s.close_rule;
  f.has_reserve = s.reserve.has_value();
  return f;
}

std::string rules_text(const Settings& s) {
  std::string text = fmt::format(
      "A used telephone with 256 GB of memory is sold in an online auction that runs over {} days. "
      "There are {} bidders. {}\n\n"
      "1. Each day every bidder has one turn, in an order that is drawn anew every day and told in "
      "the morning; on what is to be the last day it is not told.\n"
      "2. At your turn you either bid or hold. A bid is the most you are willing to pay, up to {}: "
      "a proxy bids for you, no higher than it must. You may raise your maximum later, never lower "
      "it, and nobody else is shown it.\n"
      "3. The price is {} above the second highest maximum, but never above the highest. As long "
      "as fewer than two have bid it is {}. After each turn everybody is shown the price, and "
      "nobody is shown who leads.\n"
      "4. {}\n"
      "5. Then the bidder with the highest maximum wins and pays the price. ",
      s.days, s.bidders.size(), worth(s), agon::money_text(s.highest_bid), agon::money_text(s.step),
      agon::money_text(s.start_price), closing(s));
  text += s.tie == TieRule::random ? "If several have it, one of them is drawn."
                                   : "If several have it, the one first in the list of bidders "
                                     "wins.";
  text += "\n6. " + reserve(s);
  text += unsold(s);
  text += "\n\n" + facts(s).objective;
  return text;
}

namespace {

/// Why the list does not name each seat once; empty if it does.
std::string check_seats(const std::string& where, const std::vector<int>& seats, std::size_t n) {
  std::vector<bool> named(n);
  for (const int seat : seats) {
    if (seat < 0 || static_cast<std::size_t>(seat) >= n)
      return fmt::format("{} names seat {}, but seats go from 0 to {}", where, seat, n - 1);
    if (named[static_cast<std::size_t>(seat)])
      return fmt::format("{} names seat {} twice", where, seat);
    named[static_cast<std::size_t>(seat)] = true;
  }
  if (seats.size() != n)
    return fmt::format("{} has {} entries for {} bidders", where, seats.size(), n);
  return {};
}

}  // namespace

std::vector<std::string> three_bidders() {
  return {"Bidder Andy", "Bidder Betty", "Bidder Charles"};
}

std::string check(const Settings& s) {
  const std::size_t n = s.bidders.size();
  if (std::string why = shared::check_names("bidders", s.bidders); !why.empty()) return why;
  if (s.values[0] > s.values[1])
    return fmt::format("values says at least {} and at most {}: turn the two round", s.values[0],
                       s.values[1]);
  if (!s.value_list.empty() && s.value_list.size() != n)
    return fmt::format("value_list has {} entries for {} bidders", s.value_list.size(), n);
  if (s.soft_close && s.max_days < s.days)
    return fmt::format("max_days is {}, below days, {}", s.max_days, s.days);
  if (s.highest_bid < s.start_price)
    return fmt::format("highest_bid is below start_price: nobody could bid");
  for (std::size_t i = 0; i < s.orders.size(); ++i) {
    std::string why = check_seats(fmt::format("orders[{}]", i), s.orders[i], n);
    if (!why.empty()) return why;
  }
  return s.tie_order.empty() ? "" : check_seats("tie_order", s.tie_order, n);
}

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Ten days, no soft close, no reserve; of bidders that tie one is drawn, and nothing is "
            "sold if nobody bids. Bids up to 200 dollars."},
    {.name = "paper",
     .doc = "The paper's first treatment; soft_close true is the second, a reserve of 40, 50 or 60 "
            "the third, both the fourth. Bids up to 1000 dollars; an answer that cannot be read is "
            "asked for three times in all, then it is a hold.",
     .settings = R"({"highest_bid": 1000})",
     .reasks = 2},
    {.name = "published-code",
     .doc = "As the published program runs: any bid puts a soft close off, the reserve is held "
            "against the price shown, and the first bidder of the list wins ties and auctions "
            "without bids.",
     .settings = R"({"highest_bid": 1000, "close_rule": "any_bid", "reserve_test": "price",
                     "tie": "first_seat", "no_bids": "first_seat"})",
     .reasks = 2},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return shared::seats_named(settings.bidders);
}

}  // namespace

agon::Game game() {
  return agon::game<&play>(
      "ebay",
      {
          .title = "Online auction with proxy bidding",
          .seats = {2, kMaxBidders},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source =
              "Shah, Zhu, Jiang, Wang, Dayi, Horton, Parkes: Learning from Synthetic Labs: "
              "Language Models as Auction Participants, arXiv:2507.09083, the eBay experiments",
          .score = "profit in dollars: value less price for the buyer, else 0",
          .disagreement = "0: not buying",
          .ideal = "value less the start price (less the reserve, where the price has to "
                   "reach it): nobody else bids",
          // No sale is below the start price (or a reserve that prices are held to); losses have no
          // end, since a value may be hardly above it.
          .score_range = agon::at_most(1),
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = kPresets,
          .score_decimals = 2,
          .version = 3,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .reference = "sniper",
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Truthful>(
      {.id = "truthful",
       .game = "ebay",
       .doc = "Tells its proxy its value at its first turn and holds from then on: weakly "
              "dominant but for the last step of the price."}));
  registry.add(agon::agent<Sniper>(
      {.id = "sniper",
       .game = "ebay",
       .doc = "Holds until what is to be the last day and then tells its proxy its value."}));
  registry.add(agon::agent<Incremental>(
      {.id = "incremental",
       .game = "ebay",
       .doc = "Goes a little above the price whenever it may have been outbid, up to its value: "
              "bids as if there were no proxy."}));
  add_tables(registry);
}

}  // namespace ebay
