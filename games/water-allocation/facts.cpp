#include "water-allocation/facts.hpp"

#include <agon/telling.hpp>
#include <algorithm>

#include "water-allocation/sentences.hpp"

namespace water_allocation {

namespace {

std::string units(const agon::Language& language, int n) {
  return language.counted(n, Line("{n} unit"), Line("{n} units"));
}

std::string health(const agon::Language& language, int n) {
  return language.counted(n, Line("{n} health point"), Line("{n} health points"));
}

std::string list_of_residents(const Settings& s, const agon::Language& language) {
  std::string text;
  for (const Resident& r : s.residents)
    text += language.say(Line("- {name}: needs {need} a day, earns {salary} a day"),
                         {{"name", r.name},
                          {"need", units(language, r.need)},
                          {"salary", agon::money_text(r.salary)}}) +
            "\n";
  return text;
}

std::string start(const Settings& s, const agon::Language& language) {
  bool as_usual = s.first_day == 1;
  for (const Resident& r : s.residents)
    as_usual = as_usual && !r.hp && r.no_drink == 1 && r.balance.cents == 0;
  if (as_usual)
    return language.say(Line("Everybody starts with no money and {health}."),
                        {{"health", health(language, s.start_hp)}});
  return language.say(
      Line("The game is taken up on day {day}; money and health stand as announced."),
      {{"day", std::to_string(s.first_day)}});
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

std::string rules_text(const Settings& s, const agon::Language& language) {
  const auto figure = [](int n) { return std::to_string(n); };
  std::string text =
      language.say(
          Line("A drought has come over your town, and there is not enough water for all. Each day "
               "the day's water is sold by auction. Your aim is to be alive after day {days}."),
          {{"days", figure(s.days)}}) +
      "\n\n" + language.say(Line("The residents:")) + "\n" + list_of_residents(s, language) + "\n" +
      language.then(
          start(s, language),
          language.say(Line("Health never rises above {health}; who falls to 0 or less is dead and "
                            "out of the game, and the money is lost."),
                       {{"health", figure(s.max_hp)}})) +
      "\n\n" + language.say(Line("Each day:")) + "\n" +
      language.say(Line("1. Every living resident is paid the daily salary.")) + "\n" +
      language.say(Line("2. The day's supply is announced: a whole number from {least} to {most} "
                        "units, every number equally likely."),
                   {{"least", figure(s.supply[0])}, {"most", figure(s.supply[1])}}) +
      "\n" +
      language.say(Line("3. All living residents bid at the same time, in secret and once. You may "
                        "also make no bid. Cents are allowed.")) +
      "\n   " +
      language.say(s.over_balance == OverBalance::ignored
                       ? Line("A bid above your balance is ignored: you get no water that day.")
                       : Line("You cannot bid more than your balance.")) +
      "\n" +
      language.say(Line("4. Water goes to the highest bid first. A resident gets the whole daily "
                        "need or nothing: who needs more than is left is passed over, and the next "
                        "lower bid is looked at, until no bidder's need fits. Of equal bids the "
                        "one with the lower need comes first.")) +
      "\n" +
      language.say(Line("5. Who gets water pays the own bid and gains {health}. Who gets none pays "
                        "nothing and loses health: 1 point on the first day without water, 2 on "
                        "the second in a row, 3 on the third and so on. A day with water sets this "
                        "count back."),
                   {{"health", health(language, s.drink_hp)}});
  text += "\n" +
          language.say(
              Line("6. All are told all bids, who got water, and everybody's money and health.")) +
          "\n\n" +
          language.say(Line("A bid of 0 is a bid: it can win water that nobody else takes. Unsold "
                            "water cannot be kept. Money is worth nothing after the last day."));
  return text;
}

}  // namespace water_allocation
