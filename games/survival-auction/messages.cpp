#include "survival-auction/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace survival_auction {

using agon::money_text;

std::string tell(const Day& day, const agon::Scene&) {
  agon::Money highest{};
  std::vector<std::string> bidders;
  std::vector<std::vector<std::string>> rows;
  for (const ResidentDay& r : day.residents) {
    if (r.bid > highest) bidders.clear();
    highest = std::max(highest, r.bid);
    if (r.bid == highest) bidders.emplace_back(r.name);
    const bool alive = r.hp > 0;
    rows.push_back({std::string(r.name), money_text(r.bid), r.won ? "yes" : "no",
                    money_text(r.balance), alive ? std::to_string(r.hp) : "dead",
                    alive ? std::to_string(r.no_drink) : "-"});
  }
  std::string text = fmt::format("Day {}: ", day.day);
  if (day.winner)
    text += fmt::format("{} got the water for {}.", *day.winner, money_text(highest));
  else if (bidders.size() > 1)
    text += fmt::format("nobody got the water, because {} bid the most, {}, together.",
                        agon::listed(bidders), money_text(highest));
  else
    text += fmt::format("nobody got the water, because {} could not pay the highest bid, {}.",
                        agon::listed(bidders), money_text(highest));
  constexpr std::array<std::string_view, 6> headings{"name",  "bid",    "water",
                                                     "money", "health", "health lost next dry day"};
  text += "\n" + agon::small_table(headings, rows);
  for (const ResidentDay& r : day.residents)
    if (r.hp <= 0) text += "\n" + shared::drought::death_text(r.name, r.balance);
  return text;
}

std::string tell(const Morning& m, const agon::Scene&) {
  // How everybody else stands was told with the last day.
  return fmt::format(
      "It is the morning of day {} of {}, and everybody has been paid {}. You have a balance "
      "of {} and a health of {}: without water today you lose {} of it, with water you gain {}, up "
      "to {}.",
      m.day, m.day + m.days_left, money_text(m.salary), money_text(m.balance), m.hp, m.no_drink,
      m.drink_hp, m.max_hp);
}

}  // namespace survival_auction
