#include "water-allocation/facts.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>
#include <algorithm>

namespace water_allocation {

namespace {

std::string list_of_residents(const Settings& s) {
  std::string text;
  for (const Resident& r : s.residents)
    text += fmt::format("- {}: needs {} a day, earns {} a day\n", r.name,
                        agon::counted(r.need, "unit", "units"), agon::money_text(r.salary));
  return text;
}

std::string start(const Settings& s) {
  bool as_usual = s.first_day == 1;
  for (const Resident& r : s.residents)
    as_usual = as_usual && !r.hp && r.no_drink == 1 && r.balance.cents == 0;
  if (as_usual)
    return fmt::format("Everybody starts with no money and {} health point{}.", s.start_hp,
                       s.start_hp == 1 ? "" : "s");
  return fmt::format("The game is taken up on day {}; money and health stand as announced.",
                     s.first_day);
}

}  // namespace

Facts facts(const Settings& s) {
  Facts facts;
  facts.days = s.days;
  facts.least_supply = s.supply[0];
  facts.most_supply = s.supply[1];
  if (!s.supply_list.empty()) {
    const auto [least, most] = std::minmax_element(s.supply_list.begin(), s.supply_list.end());
    facts.least_supply = *least;
    facts.most_supply = *most;
  }
  for (const Resident& r : s.residents) facts.need += r.need;
  facts.max_hp = s.max_hp;
  facts.drink_hp = s.drink_hp;
  return facts;
}

std::string rules_text(const Settings& s) {
  std::string text = fmt::format(
      "A drought has come over your town, and there is not enough water for all. Each day the "
      "day's water is sold by auction. Your aim is to be alive after day {}.\n\n"
      "The residents:\n{}\n"
      "{} Health never rises above {}; who falls to 0 or less is dead and out of the game, and the "
      "money is lost.\n\n"
      "Each day:\n"
      "1. Every living resident is paid the daily salary.\n"
      "2. The day's supply is announced: a whole number from {} to {} units, every number equally "
      "likely.\n"
      "3. All living residents bid at the same time, in secret and once. You may also make no bid. "
      "Cents are allowed.\n",
      s.days, list_of_residents(s), start(s), s.max_hp, s.supply[0], s.supply[1]);
  text += s.over_balance == OverBalance::ignored
              ? "   A bid above your balance is ignored: you get no water that day.\n"
              : "   You cannot bid more than your balance.\n";
  text += fmt::format(
      "4. Water goes to the highest bid first. A resident gets the whole daily need or nothing: "
      "who needs more than is left is passed over, and the next lower bid is looked at, until no "
      "bidder's need fits. Of equal bids the one with the lower need comes first.\n"
      "5. Who gets water pays the own bid and gains {} health point{}. Who gets none pays nothing "
      "and loses health: 1 point on the first day without water, 2 on the second in a row, 3 on "
      "the third and so on. A day with water sets this count back.\n"
      "6. All are told all bids, who got water, and everybody's money and health.\n\n"
      "A bid of 0 is a bid: it can win water that nobody else takes. Unsold water cannot be kept. "
      "Money is worth nothing after the last day.",
      s.drink_hp, s.drink_hp == 1 ? "" : "s");
  return text;
}

}  // namespace water_allocation
