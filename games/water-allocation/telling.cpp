#include "water-allocation/telling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace water_allocation {

using agon::counted;
using agon::money_text;

std::string tell(const Town& town, const agon::Scene&) {
  // Where all start alike the rules say so.
  const Neighbour& first = town.residents[0];
  const bool alike =
      std::all_of(town.residents.begin(), town.residents.end(), [&](const Neighbour& n) {
        return n.balance == first.balance && n.hp == first.hp && n.no_drink == first.no_drink;
      });
  if (alike && town.first_day == 1) return {};
  std::vector<std::vector<std::string>> rows;
  for (const Neighbour& n : town.residents)
    rows.push_back({std::string(n.name), money_text(n.balance),
                    n.alive ? std::to_string(n.hp) : "dead",
                    n.alive ? std::to_string(n.no_drink) : "-"});
  constexpr std::array<std::string_view, 4> headings{"name", "money", "health",
                                                     "health lost first dry day"};
  return fmt::format("The town before the salary of day {}:\n{}", town.first_day,
                     agon::small_table(headings, rows));
}

std::string tell(const You&, const agon::Scene&) {
  return {};  // persona() says it before everything else
}

std::string tell(const Day& day, const agon::Scene&) {
  std::vector<std::string> served, ignored;
  std::vector<std::vector<std::string>> rows;
  for (const ResidentDay& r : day.residents) {
    if (r.won)
      served.emplace_back(r.name);
    else if (r.bid && *r.bid > r.balance)  // who got no water has paid nothing
      ignored.emplace_back(r.name);
    const bool alive = r.hp > 0;
    rows.push_back({std::string(r.name), r.bid ? money_text(*r.bid) : "none", r.won ? "yes" : "no",
                    money_text(r.balance), alive ? std::to_string(r.hp) : "dead",
                    alive ? std::to_string(r.no_drink) : "-"});
  }
  std::string text =
      fmt::format("Day {}: there {} {} of water. ", day.day, day.supply == 1 ? "was" : "were",
                  counted(day.supply, "unit", "units"));
  if (served.empty())
    text += "Nobody got any.";
  else if (served.size() == 1)
    text += fmt::format("{} got water for {}.", served[0], money_text(*day.price));
  else
    text += fmt::format("{} got water. The lowest winning bid was {}; winners pay what they bid.",
                        agon::listed(served), money_text(*day.price));
  if (!ignored.empty())
    text += fmt::format(" Ignored as above the balance: the bid{} of {}.",
                        ignored.size() == 1 ? "" : "s", agon::listed(ignored));
  constexpr std::array<std::string_view, 6> headings{"name",  "bid",    "water",
                                                     "money", "health", "health lost next dry day"};
  text += "\n" + agon::small_table(headings, rows);
  for (const ResidentDay& r : day.residents)
    if (r.hp <= 0) text += "\n" + shared::drought::death_text(r.name, r.balance);
  return text;
}

std::string tell(const Morning& m, const agon::Scene&) {
  return fmt::format(
      "It is the morning of day {} of {}. Today there {} {} of water.\n"
      "You need {} a day and earn {}; today's pay is in your balance of {}. Your "
      "health "
      "is {}. Without water today you lose {} of it; with water you gain {}, up to {}.",
      m.day, m.day + m.days_left, m.supply == 1 ? "is" : "are", counted(m.supply, "unit", "units"),
      counted(m.need, "unit", "units"), money_text(m.salary), money_text(m.balance), m.hp,
      m.no_drink, m.drink_hp, m.max_hp);
}

std::string persona(const Settings& settings, int seat) {
  if (!settings.persona) return {};
  const Resident& r = settings.residents[static_cast<std::size_t>(seat)];
  std::string text = "You are " + r.name;
  if (!r.profession.empty()) text += ", " + r.profession;
  text += ".";
  if (!r.personality.empty()) text += " Your character: " + r.personality + ".";
  if (!r.background.empty()) text += " Your life so far: " + r.background + ".";
  return text;
}

}  // namespace water_allocation
