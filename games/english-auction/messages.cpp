#include "english-auction/messages.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>
#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "english-auction/settings.hpp"

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

void BiddingLog::add(const Conducted& event) {
  if (!event.words.empty()) line(text_, "  {} says: {}", kSellerName, agon::speech(event.words));
  if (event.step)
    line(text_, "  {} sets the least raise to {}", kSellerName, money_text(*event.step));
  if (event.closed) line(text_, "  {} ends the bidding", kSellerName);
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

namespace {

std::string names_text(std::span<const std::string_view> names) {
  return agon::listed(std::vector<std::string>(names.begin(), names.end()));
}

/// The aims that can be told as one of doing better than all others; empty: none of them.
std::string relative_text(Desire desire, std::span<const std::string_view> wanted) {
  switch (desire) {
    case Desire::profit:
      return "You want to end the auction with more profit than every other bidder: true value "
             "less price, over the items that each wins.";
    case Desire::items:
      return "You want to end the auction with more items than every other bidder, whatever they "
             "are worth.";
    case Desire::specific_items:
      return fmt::format(
          "You want to end the auction with more of these items than every other bidder: {}.",
          names_text(wanted));
    case Desire::spite:
    case Desire::shill:
    case Desire::absent:
      break;
  }
  return {};
}

std::string desire_text(Desire desire, std::span<const std::string_view> wanted,
                        std::optional<int> spite, const agon::Scene& scene) {
  if (scene.settings<Settings>().aim == Aim::relative)
    if (std::string text = relative_text(desire, wanted); !text.empty()) return text;
  switch (desire) {
    case Desire::profit:
      return "You want as much profit as possible: true value less price, over the items that you "
             "win.";
    case Desire::items:
      return "You want as many items as possible, whatever they are worth.";
    case Desire::specific_items:
      return fmt::format("You want as many as possible of these items: {}.", names_text(wanted));
    case Desire::spite:
      return fmt::format(
          "You want to do well beside your rivals: what counts is your own profit (true value less "
          "price, over the items that you win) less {}% of the mean profit of the other bidders. "
          "So what a rival pays more, or wins at a loss, is worth something to you.",
          spite.value_or(0));
    case Desire::shill:
      return fmt::format(
          "You work in secret for the seller: what counts is what the other bidders pay{}. An item "
          "that you win yourself goes back unsold and brings nothing. So you want them to pay "
          "high prices, and to win nothing.",
          scene.settings<Settings>().seller_cost > 0
              ? ", less what the items that they buy cost the seller"
              : "");
    case Desire::absent:
      break;
  }
  return {};
}

/// Items with what the bidder has for them; columns of which it has nothing are left out.
std::string lots_text(std::span<const Lot> lots) {
  const bool estimates = std::any_of(lots.begin(), lots.end(),
                                     [](const Lot& lot) { return lot.estimate.has_value(); });
  const bool priorities = std::any_of(lots.begin(), lots.end(),
                                      [](const Lot& lot) { return lot.priority.has_value(); });
  std::vector<std::string_view> headings{"item", "start price"};
  if (estimates) headings.emplace_back("your estimate");
  if (priorities) headings.emplace_back("your priority");
  std::vector<std::vector<std::string>> rows;
  for (const Lot& lot : lots) {
    std::vector<std::string> row{std::string(lot.item), money_text(lot.price)};
    if (estimates) row.push_back(lot.estimate ? money_text(*lot.estimate) : "-");
    if (priorities) row.push_back(lot.priority ? std::to_string(*lot.priority) : "-");
    rows.push_back(std::move(row));
  }
  return agon::small_table(headings, rows);
}

std::string tips_text(std::span<const std::string> tips, std::string_view heading) {
  if (tips.empty()) return {};
  std::string text(heading);
  for (const std::string& tip : tips) text += "\n- " + agon::speech(tip);
  return text + "\n";
}

bool has_private_values(const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  return settings.value_spread > 0 || !settings.given_values.empty();
}

/// Do bidders talk among themselves, with a seller at the table that does not hear it?
bool is_apart(const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  return settings.seller && !settings.seller_hears;
}

/// "Bidder 1 said "Hello"; you said "Hi"."
std::string remarks_text(std::span<const Remark> remarks, const agon::Scene& scene) {
  std::string text;
  for (const Remark& remark : remarks) {
    const bool own = scene.reader() >= 0 && remark.bidder == scene.name(scene.reader());
    text += fmt::format("{}{} said {}", text.empty() ? "" : "; ", own ? "you" : remark.bidder,
                        agon::speech(remark.text));
  }
  return text.empty() ? "nobody said anything." : text + ".";
}

/// What bidders know of the least price at which an item is sold; empty: nothing.
std::string reserve_text(const std::optional<agon::Money>& reserve, agon::Money start_price) {
  if (!reserve || *reserve <= start_price) return {};
  return fmt::format(" The seller does not sell it below {}.", money_text(*reserve));
}

/// An account of the bidders by what one of them said, item names too: those that are none of the
/// sale's stand in quotes.
std::string standings_text(std::span<const Standing> standings, const agon::Scene& scene) {
  const std::vector<Item> sale = items_for_sale(scene.settings<Settings>());
  std::string text;
  for (const Standing& s : standings) {
    std::vector<std::string> items;
    for (const Won& won : s.won) {
      const bool is_known = std::any_of(sale.begin(), sale.end(),
                                        [&](const Item& item) { return item.name == won.item; });
      items.push_back(fmt::format("{} for {}", is_known ? won.item : agon::speech(won.item),
                                  money_text(won.price)));
    }
    // Where values are private nobody knows what others made of their purchases.
    const bool has_profit =
        !has_private_values(scene) || scene.reader() < 0 || s.bidder == scene.name(scene.reader());
    text += fmt::format("\n- {}: {}won {}", s.bidder,
                        has_profit ? fmt::format("profit {}, ", money_text(s.profit)) : "",
                        items.empty() ? "nothing" : agon::listed(items));
  }
  return text;
}

/// What a bidder noted of the others, in quotes as any text of its own, on a new line.
std::string noted_text(std::string_view rivals) {
  if (rivals.empty()) return {};
  return fmt::format("\nWhat you noted of the other bidders: {}", agon::speech(rivals));
}

/// What the bidder itself made of the auction so far; empty if it was never asked.
template <class View>
std::string account_text(const View& v, const agon::Scene& scene) {
  if (!v.account_budget) return {};
  return fmt::format(
      "By your own last account you have {} left, and the bidders stand like this:{}{}\n",
      money_text(*v.account_budget), standings_text(v.account, scene), noted_text(v.rivals));
}

/// Where the bidder keeps an account of its own it is to live by that, as published.
bool shows_truth(const agon::Scene& scene, std::span<const Sale> sales) {
  return sales.empty() || !scene.settings<Settings>().own_account;
}

}  // namespace

std::string tell(const Opening&, const agon::Scene&) {
  return {};  // the items and all that a bidder knows of them stand in its views
}

std::string tell(const PrivateFacts&, const agon::Scene&) {
  return {};
}

std::string tell(const TrueValues& values, const agon::Scene&) {
  std::vector<std::string> items;
  for (const TrueValue& v : values.items)
    items.push_back(fmt::format("{} {}", v.item, money_text(v.value)));
  return "True values: " + agon::listed(items) + ".";
}

std::string tell(const LotOpened&, const agon::Scene&) {
  return {};  // every bid is asked for with it
}

std::string tell(const RoundClosed& r, const agon::Scene&) {
  std::vector<std::string> moves;
  for (const Move& m : r.moves)
    moves.push_back(m.bid ? fmt::format("{} bid {}", m.bidder, money_text(*m.bid))
                          : fmt::format("{} withdrew", m.bidder));
  std::string text = fmt::format("{}, round {}: {}.", r.item, r.round,
                                 moves.empty() ? "nobody was left to bid" : agon::listed(moves));
  if (!r.leader) return text + " Nobody leads.";
  if (r.tied > 1)
    return text + fmt::format(" {} bid the most, and {} was drawn to lead with {}.",
                              r.tied == 2 ? "Two" : std::to_string(r.tied), *r.leader,
                              money_text(*r.leading_bid));
  return text + fmt::format(" {} leads with {}.", *r.leader, money_text(*r.leading_bid));
}

std::string tell(const PriceCut& cut, const agon::Scene&) {
  return fmt::format("Nobody bid for {}; it is offered again at {}.", cut.item,
                     money_text(cut.price));
}

std::string tell(const Conducted& c, const agon::Scene& scene) {
  const bool own = scene.reader() >= 0 && scene.name(scene.reader()) == kSellerName;
  std::vector<std::string> said;
  if (!c.words.empty())
    said.push_back(fmt::format("{} {}", own ? "you say" : "says", agon::speech(c.words)));
  if (c.step)
    said.push_back(fmt::format("{} the least raise for {} to {}", own ? "you set" : "sets", c.item,
                               money_text(*c.step)));
  if (c.closed)
    said.push_back(fmt::format("{} the bidding for {}", own ? "you end" : "ends", c.item));
  return fmt::format("After round {} {}{}.", c.round, own ? "" : std::string(kSellerName) + " ",
                     agon::listed(said));
}

std::string tell(const Sale& sale, const agon::Scene& scene) {
  if (!sale.winner) return fmt::format("{} was not sold.", sale.item);
  std::string text =
      fmt::format("{} was sold to {} for {}.", sale.item, *sale.winner, money_text(*sale.price));
  if (sale.value)
    text += fmt::format(" Its true value{} is {}.", has_private_values(scene) ? " to you" : "",
                        money_text(*sale.value));
  return text;
}

std::string tell(const PrivateValues& values, const agon::Scene&) {
  std::vector<std::string> items;
  for (const TrueValue& v : values.items)
    items.push_back(fmt::format("{} {}", v.item, money_text(v.value)));
  return fmt::format("True values to {}: {}.", values.bidder, agon::listed(items));
}

std::string tell(const Talked& talked, const agon::Scene& scene) {
  const std::string which =
      talked.messages > 1 ? fmt::format(", message {} of {}", talked.message, talked.messages) : "";
  return fmt::format("{}Before the bidding for {}{}: {}",
                     is_apart(scene) ? "(to the bidders, not to the seller) " : "", talked.item,
                     which, remarks_text(talked.said, scene));
}

std::string tell(const ReserveSet&, const agon::Scene&) {
  return {};  // every bid is asked for with it
}

std::string tell(const ReserveUnmet& unmet, const agon::Scene&) {
  return fmt::format("The leading bid for {}, {} by {}, is less than the seller takes.", unmet.item,
                     money_text(unmet.bid), unmet.bidder);
}

std::string tell(const OwnValue& own, const agon::Scene&) {
  return fmt::format("{} turns out to be worth {} to you: a {} of {}.", own.item,
                     money_text(own.value), own.profit.cents < 0 ? "loss" : "profit",
                     money_text(agon::Money{std::abs(own.profit.cents)}));
}

std::string tell(const ForcedWithdrawal& f, const agon::Scene&) {
  return fmt::format("{} is withdrawn from the bidding for {} in round {}: {} turned down.",
                     f.bidder, f.item, f.round, agon::counted(f.attempts, "attempt", "attempts"));
}

std::string tell(const BeliefChecked& c, const agon::Scene&) {
  return fmt::format(
      "{}'s account after {}, check {}: {} of {} wrong on itself, {} of {} on the "
      "others.",
      c.bidder, c.item, c.check, c.self_errors, agon::counted(c.self_total, "figure", "figures"),
      c.others_errors, c.others_total);
}

std::string tell(const PricesChecked& c, const agon::Scene&) {
  return fmt::format(
      "{}'s account after {}, check {}: wrong in prices alone are {} on itself and {} on the "
      "others.",
      c.bidder, c.item, c.check, agon::counted(c.self_errors, "figure", "figures"),
      c.others_errors);
}

std::string tell(const Engagement& e, const agon::Scene&) {
  std::string text =
      fmt::format("{} made {} for {}{}", e.bidder, agon::counted(e.bids, "bid", "bids"), e.item,
                  e.won ? " and won it" : "");
  if (e.initial_priority)
    text += fmt::format("; its priority was {} at first and {} in the end", *e.initial_priority,
                        e.current_priority.value_or(*e.initial_priority));
  return text + ".";
}

std::string tell(const Report& report, const agon::Scene&) {
  std::string text = report_text(report);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string tell(const AuctionLog& log, const agon::Scene&) {
  return "The auction:\n" + log.text;
}

// Tips stand in none of these: who gave them has them in mind, or in its memory.
std::string tell(const BidView& v, const agon::Scene& scene) {
  std::string text = account_text(v, scene);
  text += fmt::format("Item {}, {}, is under the hammer at a start price of {}.", v.number, v.item,
                      money_text(v.start_price));
  if (v.estimate)
    text += fmt::format(" Your estimate of its true value is {}.", money_text(*v.estimate));
  if (v.priority)
    text += fmt::format(
        " Your priority for it is {}, from 1 (let it go unless it is very cheap) to 3 (you mean to "
        "win it).",
        *v.priority);
  text += reserve_text(v.reserve, v.start_price) + "\n";
  if (!v.later.empty()) text += "Still to come after it:\n" + lots_text(v.later) + "\n";
  text += fmt::format("This is round {} of the bidding for it. ", v.round);
  if (v.leader)
    text += fmt::format(
        "{} leads with {}. A raise is at least {} above that, so the lowest bid "
        "that counts now is {}.",
        *v.leader, money_text(*v.leading_bid), money_text(v.increment), money_text(v.minimum));
  else
    text +=
        fmt::format("Nobody has bid yet; the lowest bid that counts is {}.", money_text(v.minimum));
  if (shows_truth(scene, v.sales))
    text += fmt::format(" You have {} left{}.", money_text(v.budget),
                        v.later.empty() ? "" : ", for this item and for all that follow");
  text += "\n" + desire_text(v.desire, v.wanted, v.spite, scene);
  // The published agents read this when an item is opened, and not again.
  if (v.round == 1 && scene.settings<Settings>().opening_hint)
    text +=
        " It is common to open low and to raise in small steps, and to leave once the price "
        "comes near to what the item is worth.";
  return text;
}

std::string tell(const PlanView& v, const agon::Scene& scene) {
  std::string text = account_text(v, scene);
  const bool truth = shows_truth(scene, v.sales);
  if (truth && !v.sales.empty()) {
    text += "The items sold so far:";
    for (const Sale& sale : v.sales) text += "\n- " + tell(sale, scene);
    text += "\n";
  }
  if (v.sales.empty())
    text +=
        fmt::format("The auction is about to begin. You have {} to spend. ", money_text(v.budget));
  else if (truth)
    text += fmt::format("You have {} left. {} ", money_text(v.budget),
                        v.items_won == 0 ? "You have won nothing yet."
                                         : fmt::format("You have won {}, with a profit of {}.",
                                                       agon::counted(v.items_won, "item", "items"),
                                                       money_text(v.profit)));
  text += desire_text(v.desire, v.wanted, v.spite, scene);
  return text + fmt::format("\nThe items {}, in the order of sale:\n{}",
                            v.sales.empty() ? "to be sold" : "still to come", lots_text(v.items));
}

std::string tell(const TalkView& v, const agon::Scene& scene) {
  std::string text = fmt::format("Item {}, {}, is under the hammer at a start price of {}.",
                                 v.number, v.item, money_text(v.start_price));
  text += reserve_text(v.reserve, v.start_price);
  if (v.estimate)
    text += fmt::format(" Your estimate of its true value is {}.", money_text(*v.estimate));
  if (v.leader) text += fmt::format(" {} leads with {}.", *v.leader, money_text(*v.leading_bid));
  text += "\n";
  if (!v.later.empty()) text += "Still to come after it:\n" + lots_text(v.later) + "\n";
  if (shows_truth(scene, v.sales)) text += fmt::format("You have {} left. ", money_text(v.budget));
  text += desire_text(v.desire, v.wanted, v.spite, scene);
  text += "\nBefore the bidding goes on all bidders may send a message at the same time";
  if (v.messages > 1) text += fmt::format("; this is message {} of {}", v.message, v.messages);
  return text + ". The other bidders read it" +
         (scene.settings<Settings>().seller
              ? (scene.settings<Settings>().seller_hears ? ", and so does the seller."
                                                         : ", the seller does not.")
              : ".");
}

std::string tell(const PutUpView& v, const agon::Scene& scene) {
  std::string text;
  if (!v.sales.empty()) {
    text += "The items sold so far:";
    for (const Sale& sale : v.sales) text += "\n- " + tell(sale, scene);
    text += fmt::format("\nBidders have paid {}.\n", money_text(v.revenue));
  }
  text += fmt::format(
      "Item {} of {}, {}, is next. It is listed at {}; your estimate of what it is worth to "
      "bidders "
      "is {}. ",
      v.number, v.items, v.item, money_text(v.price), money_text(v.estimate));
  if (v.cost.cents > 0) text += fmt::format("To sell it costs you {}. ", money_text(v.cost));
  text += fmt::format("You may let the bidding start at {} to {}.", money_text(v.lowest),
                      money_text(v.highest));
  if (v.reserve != Reserve::none)
    text += fmt::format(
        " You may set a reserve, the least price at which you sell, of at most {}; bidders {}.",
        money_text(v.highest),
        v.reserve == Reserve::open ? "are told what it is" : "are not told what it is");
  if (!v.later.empty()) text += "\nStill to come after it:\n" + lots_text(v.later);
  return text;
}

std::string tell(const ConductView& v, const agon::Scene&) {
  std::string text = fmt::format(
      "Item {}, {}, is under the hammer; it started at {}. Round {} is over: {} leads with {}, and "
      "{} may still raise, by at least {}. Your estimate of what the item is worth to bidders is "
      "{}.",
      v.number, v.item, money_text(v.start_price), v.round, v.leader, money_text(v.leading_bid),
      agon::counted(v.bidders_left, "bidder", "bidders"), money_text(v.step),
      money_text(v.estimate));
  if (v.cost.cents > 0) text += fmt::format(" To sell it costs you {}.", money_text(v.cost));
  if (v.reserve)
    text += fmt::format(
        " Your reserve is {}{}.", money_text(*v.reserve),
        v.leading_bid < *v.reserve ? ": if the bidding ended now, the item would stay unsold" : "");
  text += "\nYou may let the bidding go on as it is";
  if (v.lowest < v.highest)
    text += fmt::format(", set the least raise for this item to {} to {}", money_text(v.lowest),
                        money_text(v.highest));
  text += ", or end the bidding now; and you may say something that all bidders hear.";
  if (v.revenue.cents > 0)
    text += fmt::format(" So far bidders have paid {} for earlier items.", money_text(v.revenue));
  if (!v.later.empty()) text += "\nStill to come after it:\n" + lots_text(v.later);
  return text;
}

std::string tell(const BeliefView& v, const agon::Scene& scene) {
  std::string text;
  text += "The bidding for the item just sold:";
  int round = 0;
  for (const Move& m : v.moves) {
    text += m.round == round ? ", " : fmt::format("\n- round {}: ", m.round);
    round = m.round;
    text += m.bid ? fmt::format("{} bid {}", m.bidder, money_text(*m.bid))
                  : fmt::format("{} withdrew", m.bidder);
  }
  text += "\n" + tell(v.sale, scene) + (v.won ? " So you won it." : "");
  text += fmt::format(
      "\nBefore this item, by your own account, you had {} left, and the bidders "
      "stood like this:{}",
      money_text(v.last_budget), standings_text(v.last_standings, scene));
  text += noted_text(v.rivals);
  if (!v.corrections.empty()) {
    text += "\nWhat was wrong in your last answer:";
    for (const std::string& c : v.corrections) text += "\n- " + c;
  }
  return text;
}

std::string tell(const LearnView& v, const agon::Scene&) {
  // The log is the game's own text, line by line.
  return "How your last auction went:\n" + std::string(v.log) + "\n" +
         tips_text(v.last_tips,
                   "The advice that you had for it (keep of it what has proved right):");
}

}  // namespace english_auction
