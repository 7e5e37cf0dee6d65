#include "ebay/messages.hpp"

#include <fmt/ranges.h>

#include <array>

namespace ebay {

using agon::money_text;

std::string tell(const Worth&, const agon::Scene&) {
  return {};  // it stands in every view
}

std::string tell(const Morning& m, const agon::Scene&) {
  std::string text =
      fmt::format("Day {} of {} begins at a price of {}.", m.day, m.days, money_text(m.price));
  text += m.order.empty() ? " The order of the turns is not told."
                          : fmt::format(" The order of the turns: {}.", fmt::join(m.order, ", "));
  return text;
}

std::string tell(const PriceLine& line, const agon::Scene&) {
  return fmt::format(
      "Day {}, after {}: the price is {}.", line.day,
      line.bidder ? "the turn of " + std::string(*line.bidder) : fmt::format("turn {}", line.turn),
      money_text(line.price));
}

std::string tell(const Extended& e, const agon::Scene&) {
  return fmt::format("Day {}: the end is put off; day {} is the last now.", e.day, e.days);
}

std::string tell(const Close& close, const agon::Scene&) {
  if (close.winner)
    return fmt::format("The auction is over after day {}: {} gets the item and pays {}.", close.day,
                       *close.winner, money_text(close.price));
  return fmt::format(
      "The auction is over after day {}: the item is not sold. The price stood at "
      "{}.",
      close.day, money_text(close.price));
}

std::string tell(const Hidden& hidden, const agon::Scene&) {
  std::vector<std::vector<std::string>> rows;
  for (const Truth& t : hidden.bidders)
    rows.push_back({std::string(t.name), money_text(t.value),
                    t.maximum.cents == 0 ? "never bid" : money_text(t.maximum)});
  constexpr std::array<std::string_view, 3> headings{"name", "value", "last maximum"};
  std::string text = hidden.leader ? fmt::format("{} led at the close. ", *hidden.leader)
                                   : "Nobody led at the close. ";
  if (hidden.reserve)
    text += fmt::format("The hidden reserve was {}. ", money_text(*hidden.reserve));
  return text + "What was hidden:\n" + agon::small_table(headings, rows);
}

std::string tell(const Desk& d, const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  const bool extendable = settings.soft_close && d.days < settings.max_days;
  // The order of the turns was told in the morning.
  std::string text = d.day == d.days
                         ? fmt::format("It is day {}, the last", d.day)
                         : fmt::format("It is day {}; the last is day {}", d.day, d.days);
  text += extendable ? " as things stand." : ".";
  text += fmt::format("\nThe item is worth {} to you. The price now is {}. ", money_text(d.value),
                      money_text(d.price));
  text += d.maximum.cents == 0
              ? fmt::format("You have not bid yet; a bid can be from {} to {}.",
                            money_text(d.lowest_bid), money_text(d.highest_bid))
              : fmt::format(
                    "The most you have told your proxy to pay is {}; a new bid cannot be "
                    "below that, nor above {}.",
                    money_text(d.maximum), money_text(d.highest_bid));
  if (d.lowest_bid < d.price) text += " With a bid below the price now you cannot lead.";
  return text;
}

}  // namespace ebay
