#include "clock-auction/telling.hpp"

#include <fmt/format.h>

#include <array>

namespace clock_auction {

namespace {

std::string_view currency(const agon::Scene& scene) {
  return auction_values::currency_name(scene.settings<Settings>().currency);
}

/// "1 dollar", "5 dollars".
std::string amount(int n, const agon::Scene& scene) {
  return auction_values::amount_text(n, scene.settings<Settings>().currency);
}

std::string names(std::span<const std::string_view> bidders) {
  return agon::listed(std::vector<std::string>(bidders.begin(), bidders.end()));
}

/// The calls of a round that are over: only those at which somebody left are worth a word.
std::string calls_text(std::span<const Called> calls, std::string_view currency) {
  if (calls.empty()) return {};
  std::vector<std::string> left;
  for (const Called& c : calls)
    if (c.left > 0)
      left.push_back(
          fmt::format("{} left at {}", agon::counted(c.left, "bidder", "bidders"), c.price));
  const std::string span = fmt::format("At the calls of this round, from {} to {} {},",
                                       calls.front().price, calls.back().price, currency);
  return left.empty() ? span + " nobody left." : span + " " + agon::listed(left) + ".";
}

std::string rounds_text(std::span<const PastRound> history) {
  std::vector<std::vector<std::string>> rows;
  for (const PastRound& p : history)
    rows.push_back({std::to_string(p.round), std::to_string(p.value),
                    p.exit ? std::to_string(*p.exit) : "-", p.won ? "yes" : "no",
                    p.price ? std::to_string(*p.price) : "unsold", std::to_string(p.profit)});
  constexpr std::array<std::string_view, 6> headings{"round", "your value", "you left at",
                                                     "won",   "sold for",   "your profit"};
  return agon::small_table(headings, rows);
}

std::string rivals_text(std::span<const std::string_view> opponents, int value,
                        const agon::Scene& scene) {
  return fmt::format("You bid against {}. The item is worth {} to you.", names(opponents),
                     amount(value, scene));
}

}  // namespace

std::string tell(const PastRound& p, const agon::Scene& scene) {
  std::string text =
      fmt::format("Round {}: the item was worth {} to you. ", p.round, amount(p.value, scene));
  if (p.exit) text += fmt::format("You left at {}. ", *p.exit);
  if (p.won)
    text += fmt::format("You got the item for {} and {}.", *p.price,
                        auction_values::gain_text(p.profit));
  else if (p.price)
    text += fmt::format("It was sold to another bidder for {}.", *p.price);
  else
    text += "It was not sold.";
  const Settings& settings = scene.settings<Settings>();
  if (settings.rounds > 1 && settings.history)
    text += fmt::format(" Your profit of all rounds so far is {}.", p.total);
  return text;
}

std::string tell(const ValuesDrawn& drawn, const agon::Scene& scene) {
  std::string text =
      fmt::format("Round {}: the item is worth, in {}: {}.", drawn.round, currency(scene),
                  auction_values::by_bidder(scene.seats(), drawn.values));
  if (drawn.common) text += fmt::format(" The part that all share is {}.", *drawn.common);
  return text;
}

std::string tell(const CallOver& call, const agon::Scene& scene) {
  return fmt::format("Round {}: at {} {} left.", call.round, amount(call.price, scene),
                     call.left == 0 ? "nobody" : agon::counted(call.left, "bidder", "bidders"));
}

std::string tell(const Sold& sold, const agon::Scene& scene) {
  std::string text = sold.winner ? fmt::format("Round {}: {} gets the item for {}.", sold.round,
                                               *sold.winner, amount(*sold.price, scene))
                                 : fmt::format("Round {}: the item is not sold.", sold.round);
  if (sold.tied > 1) text += fmt::format(" One of {} was drawn.", sold.tied);
  std::vector<std::string> exits;
  for (std::size_t i = 0; i < sold.exits.size(); ++i)
    if (sold.exits[i]) exits.push_back(fmt::format("{} at {}", scene.seats()[i], *sold.exits[i]));
  if (!exits.empty()) text += " Left: " + agon::listed(exits) + ".";
  return text;
}

std::string tell(const StayView& v, const agon::Scene& scene) {
  std::string text = scene.settings<Settings>().history && v.rounds > 1
                         ? fmt::format("This is round {} of {}. ", v.round, v.rounds)
                         : "";
  text += rivals_text(v.opponents, v.value, scene);
  if (const std::string calls = calls_text(v.transcript, currency(scene)); !calls.empty())
    text += "\n" + calls;
  return text + fmt::format("\nThe price is {} now; at the next call it will be {}.",
                            amount(v.price, scene), v.next_price);
}

std::string tell(const TakeView& v, const agon::Scene& scene) {
  std::string text = rivals_text(v.opponents, v.value, scene);
  text += v.price == v.start_price
              ? fmt::format("\nThe price begins at {}.", amount(v.price, scene))
              : fmt::format(
                    "\nThe price began at {}. It is {} now, and nobody has taken the "
                    "item yet.",
                    amount(v.start_price, scene), v.price);
  return text + (v.next_price ? fmt::format(" At the next call it will be {}.", *v.next_price)
                              : std::string(" This is the last call."));
}

std::string tell(const PlanView& v, const agon::Scene& scene) {
  std::string text;
  if (!v.history.empty())
    text = fmt::format("The rounds before, in {}:\n{}\nYour profit so far is {}.\n",
                       currency(scene), rounds_text(v.history), amount(v.total, scene));
  return text + fmt::format(
                    "Round {} of {} is about to begin. You will learn what the item is "
                    "worth to you only after you have made your plan.",
                    v.round, v.rounds);
}

std::string tell(const ReflectView& v, const agon::Scene& scene) {
  std::string text = tell(v.last, scene);
  if (const std::string calls = calls_text(v.transcript, currency(scene)); !calls.empty())
    text += "\n" + calls;
  return text;
}

}  // namespace clock_auction
