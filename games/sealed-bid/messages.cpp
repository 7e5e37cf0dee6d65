#include "sealed-bid/messages.hpp"

#include <fmt/format.h>

namespace sealed_bid {

namespace {

std::string_view currency_name(const agon::Scene& scene) {
  return auction_values::currency_name(scene.settings<Settings>().currency);
}

/// "1 dollar", "5 dollars".
std::string amount(int n, const agon::Scene& scene) {
  return auction_values::amount_text(n, scene.settings<Settings>().currency);
}

/// Whether bidders know no more of the item's worth than an estimate each.
bool sees_estimates(const agon::Scene& scene) {
  return scene.settings<Settings>().values == auction_values::ValueModel::common;
}

/// "87, 41 and 36"
std::string bids_text(std::span<const int> bids) {
  std::vector<std::string> texts;
  for (const int bid : bids) texts.push_back(agon::with_thousands(bid));
  return agon::listed(texts);
}

/// What came of the own bid.
std::string own_result(const PastRound& p, const agon::Scene& scene) {
  const std::string bid = amount(p.bid, scene);
  if (p.won && p.paid == p.bid) return fmt::format("You bid {}, got the item and paid that.", bid);
  if (p.won)
    return fmt::format("You bid {}, got the item and paid {}.", bid, amount(p.paid, scene));
  if (p.paid != 0) return fmt::format("You bid {}, paid that and did not get the item.", bid);
  return fmt::format("You bid {} and did not get the item.", bid);
}

/// One table of all rounds that are over.
std::string rounds_text(std::span<const PastRound> history) {
  const bool common = history.front().common_value.has_value();
  std::vector<std::string_view> headings{"round"};
  if (common)
    headings.insert(headings.end(), {"your estimate", "worth"});
  else
    headings.emplace_back("your value");
  headings.insert(headings.end(), {"your bid", "you got it", "you paid", "your profit",
                                   "all bids, highest first", "winner paid", "winner's profit"});
  std::vector<std::vector<std::string>> rows;
  for (const PastRound& p : history) {
    std::vector<std::string> row{std::to_string(p.round), agon::with_thousands(p.value)};
    if (common) row.push_back(agon::with_thousands(*p.common_value));
    row.insert(row.end(),
               {agon::with_thousands(p.bid), p.won ? "yes" : "no", agon::with_thousands(p.paid),
                agon::with_thousands(p.profit), bids_text(p.bids), agon::with_thousands(p.price),
                agon::with_thousands(p.winner_profit)});
    rows.push_back(std::move(row));
  }
  return agon::small_table(headings, rows);
}

}  // namespace

std::string tell(const PastRound& p, const agon::Scene& scene) {
  const auction_values::Currency currency = scene.settings<Settings>().currency;
  std::string text =
      p.common_value ? fmt::format(
                           "Round {}: by your estimate the item was worth {}, and it turned out to "
                           "be worth {}. ",
                           p.round, amount(p.value, scene), amount(*p.common_value, scene))
                     : fmt::format("Round {}: the item was worth {} to you. ", p.round,
                                   amount(p.value, scene));
  text += own_result(p, scene);
  if (p.won && p.better_bid)
    text +=
        fmt::format(" A bid of {} would have won as well, for less.", amount(*p.better_bid, scene));
  text += fmt::format(" All bids, highest first: {}.", bids_text(p.bids));
  if (!p.won)
    text += fmt::format(" The winner paid {} and {}.", amount(p.price, scene),
                        auction_values::gain_text(p.winner_profit, currency));
  text += fmt::format(" You {} in this round", auction_values::gain_text(p.profit, currency));
  if (scene.settings<Settings>().rounds > 1)
    text += fmt::format(", and your profit of all rounds so far is {}", amount(p.total, scene));
  return text + ".";
}

std::string tell(const ValuesDrawn& drawn, const agon::Scene& scene) {
  std::string text =
      fmt::format("Round {}: what each bidder sees, in {}: {}.", drawn.round, currency_name(scene),
                  auction_values::by_bidder(scene.seats(), drawn.values));
  if (drawn.common)
    text += fmt::format(
        " {} is {}.", sees_estimates(scene) ? "What the item is worth" : "The part that all share",
        amount(*drawn.common, scene));
  return text;
}

std::string tell(const Sold& sold, const agon::Scene& scene) {
  std::string text =
      fmt::format("Round {}: {} gets the item and pays {}. The bids: {}.", sold.round, sold.winner,
                  amount(sold.price, scene), auction_values::by_bidder(scene.seats(), sold.bids));
  if (sold.tied > 1) text += fmt::format(" {} had bid the most, and one was drawn.", sold.tied);
  return text;
}

std::string tell(const BidView& view, const agon::Scene& scene) {
  const std::string round =
      view.rounds > 1 ? fmt::format("This is round {} of {}. ", view.round, view.rounds) : "";
  return round + fmt::format("{} {}.",
                             view.values == auction_values::ValueModel::common
                                 ? "By your estimate the item is worth"
                                 : "To you the item is worth",
                             amount(view.value, scene));
}

std::string tell(const PlanView& view, const agon::Scene& scene) {
  std::string text;
  if (!view.history.empty())
    text = fmt::format("All rounds so far, in {}:\n{}\nYour profit up to now is {}.\n",
                       currency_name(scene), rounds_text(view.history), amount(view.total, scene));
  if (view.rounds > 1)
    text += fmt::format("Round {} of {} is about to begin. ", view.round, view.rounds);
  return text + fmt::format("You will get {} only after you have made your plan.",
                            sees_estimates(scene) ? "your estimate of what the item is worth"
                                                  : "to know what the item is worth to you");
}

std::string tell(const ReflectView& view, const agon::Scene& scene) {
  return tell(view.last, scene);
}

}  // namespace sealed_bid
