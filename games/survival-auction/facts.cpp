#include "survival-auction/facts.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>

namespace survival_auction {

using agon::money_text;

Facts facts(const Settings& s) {
  Facts f;
  f.days = s.days;
  f.residents = static_cast<int>(s.residents.size());
  f.salary = money_text(s.salary);
  f.max_hp = s.max_hp;
  f.drink_hp = s.drink_hp;
  return f;
}

std::string rules_text(const Settings& s) {
  std::string text = fmt::format(
      "A drought has come over your town. Each day there is water for one of its {} residents, and "
      "it is sold by auction. Your aim is to be alive after day {}.\n\n"
      "Everybody starts with {} health point{} and no money. Health never rises above {}; who "
      "falls "
      "to 0 or less is dead and out of the game, and the money is lost.\n\n"
      "Each day:\n"
      "1. Every living resident is paid {}.\n"
      "2. All living residents bid at the same time, in secret and once. Cents are allowed. ",
      s.residents.size(), s.days, s.start_hp, s.start_hp == 1 ? "" : "s", s.max_hp,
      money_text(s.salary));
  text += s.over_balance == OverBalance::refused
              ? "You cannot bid more than you have.\n"
              : "A bid above what you have cannot win; if it is the highest, nobody gets water.\n";
  text += fmt::format(
      "3. The highest bid gets the water. If it was made by {}, nobody gets "
      "water: no lower bid is looked at.\n"
      "4. Who gets the water pays the own bid and gains {} health point{}. All others pay nothing "
      "and lose health: 1 point on the first day without water, 2 on the second in a row, 3 on the "
      "third and so on. A day with water sets this count back.\n"
      "5. All are told all bids, who got the water, and everybody's money and health.\n\n"
      "Who does not want the water bids 0. Even so the last one alive gets it.",
      s.over_balance == OverBalance::refused ? "several" : "several who can pay it", s.drink_hp,
      s.drink_hp == 1 ? "" : "s");
  return text;
}

}  // namespace survival_auction
