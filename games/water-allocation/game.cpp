#include "water-allocation/game.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>
#include <agon/telling.hpp>
#include <algorithm>

#include "water-allocation/messages.hpp"
#include "water-allocation/play.hpp"
#include "water-allocation/strategies.hpp"
#include "water-allocation/tables/tables.hpp"

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

std::vector<Resident> five_residents() {
  const auto resident = [](const char* name, int need, int salary, const char* profession,
                           const char* personality, const char* background) {
    Resident r;
    r.name = name, r.need = need, r.salary = agon::major(salary);
    r.profession = profession, r.personality = personality, r.background = background;
    return r;
  };
  return {
      resident("Alex", 8, 70, "out of work",
               "slow with figures and slow with people, quickly irritated, keeps away from others",
               "grew up in a poor neighbourhood, dropped out of school very young and has never "
               "held a steady job"),
      resident("Bob", 9, 75, "teacher at a secondary school",
               "of ordinary intelligence, good with feelings, full of understanding for others",
               "comes from a family that sticks together and teaches because he wants to do some "
               "good"),
      resident("Cindy", 10, 100, "psychologist",
               "clever and warm in equal measure: puts herself in other people's place and thinks "
               "things through",
               "answered calls at a crisis line as a volunteer before she became a therapist"),
      resident("David", 11, 120, "mathematician",
               "brilliant, looks for the best possible solution, afraid of company",
               "a child of a small town who lived among books and puzzles and took a doctorate in "
               "mathematics"),
      resident("Eric", 12, 120, "head of marketing",
               "brighter than most and sure of his feelings, charming, reads people and sways them",
               "raised in a big city, studied business and has led campaigns that everybody "
               "remembers"),
  };
}

std::string check(const Settings& s) {
  if (s.first_day > s.days)
    return fmt::format("first_day is {}, but the last day is {} (days)", s.first_day, s.days);
  if (s.supply[0] > s.supply[1])
    return fmt::format("supply says at least {} and at most {}: turn the two round", s.supply[0],
                       s.supply[1]);
  const auto days = static_cast<std::size_t>(s.days - s.first_day) + 1;
  if (!s.supply_list.empty() && s.supply_list.size() != days)
    return fmt::format("supply_list has {} entries for {} days (from first_day to days)",
                       s.supply_list.size(), days);
  for (std::size_t i = 0; i < s.supply_list.size(); ++i)
    if (s.supply_list[i] < s.supply[0] || s.supply_list[i] > s.supply[1])
      return fmt::format(
          "supply_list[{}] is {}, outside of the {} to {} that residents are told (supply)", i,
          s.supply_list[i], s.supply[0], s.supply[1]);
  if (s.start_hp > s.max_hp)
    return fmt::format("start_hp is {}, above max_hp, {}", s.start_hp, s.max_hp);
  bool anybody = false;
  for (std::size_t i = 0; i < s.residents.size(); ++i) {
    const Resident& r = s.residents[i];
    if (r.hp.value_or(s.start_hp) > s.max_hp)
      return fmt::format("residents[{}].hp is {}, above max_hp, {}", i, *r.hp, s.max_hp);
    anybody = anybody || r.hp.value_or(s.start_hp) > 0;
    for (std::size_t j = 0; j < i; ++j)
      if (s.residents[j].name == r.name)
        return fmt::format("residents[{}] and residents[{}] are both called {}", j, i, r.name);
  }
  return anybody ? "" : "every resident is dead (hp 0) before the first day";
}

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Scarce water, 10 to 20 units a day. A bid above the balance is against the rules and "
            "asked for again, so that forms, schemas and random bids keep to what can be paid."},
    {.name = "paper",
     .doc = "The paper's setting 1 (supply [15, 25] is setting 2, [20, 30] is 3, persona true 4 to "
            "6). A bid above the balance is ignored; an answer that cannot be read is asked for "
            "three times in all, then it is no bid.",
     .settings = R"({"supply": [10, 20], "over_balance": "ignored"})",
     .reasks = 2},
    {.name = "published-code",
     .doc = "As the published program runs by itself: its supply never reaches the upper end, 20.",
     .settings = R"({"supply": [10, 19], "over_balance": "ignored"})",
     .reasks = 2},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  std::vector<agon::SeatCard> seats;
  for (const Resident& r : settings.residents) seats.push_back({.name = r.name});
  return seats;
}

}  // namespace

agon::Game game() {
  return agon::game<&play, &prepare>(
      "water-allocation", {
                              .title = "Water Allocation Challenge",
                              .seats = {2, kMaxResidents},
                              .rules_for = agon::hook<&rules_text>,
                              .seating = agon::hook<&seating>,
                              .check = agon::hook<&check>,
                              .source = "Mao et al., Alympics: LLM Agents Meet Game Theory, "
                                        "arXiv 2311.03220, the water allocation challenge",
                              .score = "days survived: days at whose end the resident is alive",
                              .disagreement = "0 days",
                              .ideal = "all days of the match (20)",
                              // Days out of all days.
                              .score_range = agon::range(0, 1),
                              .seat_metrics = &agon::type_of<SeatMetrics>(),
                              .match_metrics = &agon::type_of<MatchMetrics>(),
                              .presets = kPresets,
                              .facts = &agon::type_of<Facts>(),
                              .facts_for = agon::facts<&facts>,
                              .reference = "survivor",
                              .persona_for = agon::seat_hook<&persona>,
                              .sentences = kSentences,
                          });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Fixed>(
      {.id = "fixed",
       .game = "water-allocation",
       .doc = "Bids the same amount every day, or all its money if that is less."}));
  registry.add(agon::agent<Fraction>({.id = "fraction",
                                      .game = "water-allocation",
                                      .doc = "Bids a fixed share of its money every day."}));
  registry.add(agon::agent<Survivor>(
      {.id = "survivor",
       .game = "water-allocation",
       .doc = "Bids by how urgently it needs water and by what its rivals can and are likely to "
              "bid: all it takes when its life hangs on it, up to its share of future money "
              "otherwise, and nothing once it can live to the end without water."}));
  add_tables(registry);
}

}  // namespace water_allocation
