#include "water-allocation/messages.hpp"

#include <algorithm>
#include <array>

namespace water_allocation {

using agon::money_text;

namespace {

std::string units(const agon::Scene& scene, int n) {
  return scene.language().counted(n, Line("{n} unit"), Line("{n} units"));
}

/// A table with these headings, in the language of the scene.
template <std::size_t N>
std::string table(const agon::Scene& scene, std::array<Line, N> headings,
                  const std::vector<std::vector<std::string>>& rows) {
  std::array<std::string_view, N> said;
  std::transform(headings.begin(), headings.end(), said.begin(),
                 [&](Line heading) { return scene.language().text(heading); });
  return agon::small_table(said, rows);
}

}  // namespace

std::string tell(const Town& town, const agon::Scene& scene) {
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
                    n.alive ? std::to_string(n.hp) : scene.say(Line("dead")),
                    n.alive ? std::to_string(n.no_drink) : "-"});
  return scene.say(Line("The town before the salary of day {day}:"),
                   {{"day", std::to_string(town.first_day)}}) +
         "\n" +
         table(scene,
               std::array{Line("name"), Line("money"), Line("health"),
                          Line("health lost first dry day")},
               rows);
}

std::string tell(const You&, const agon::Scene&) {
  return {};  // persona() says it before everything else
}

std::string tell(const Day& day, const agon::Scene& scene) {
  const agon::Language& language = scene.language();
  std::vector<std::string> served, ignored;
  std::vector<std::vector<std::string>> rows;
  for (const ResidentDay& r : day.residents) {
    if (r.won)
      served.emplace_back(r.name);
    else if (r.bid && *r.bid > r.balance)  // who got no water has paid nothing
      ignored.emplace_back(r.name);
    const bool alive = r.hp > 0;
    rows.push_back({std::string(r.name), r.bid ? money_text(*r.bid) : scene.say(Line("none")),
                    scene.say(r.won ? Line("yes") : Line("no")), money_text(r.balance),
                    alive ? std::to_string(r.hp) : scene.say(Line("dead")),
                    alive ? std::to_string(r.no_drink) : "-"});
  }
  std::string text =
      scene.say(day.supply == 1 ? Line("Day {day}: there was {water} of water.")
                                : Line("Day {day}: there were {water} of water."),
                {{"day", std::to_string(day.day)}, {"water", units(scene, day.supply)}});
  if (served.empty())
    text = language.then(text, scene.say(Line("Nobody got any.")));
  else
    text = language.then(
        text, scene.say(served.size() == 1
                            ? Line("{names} got water for {price}.")
                            : Line("{names} got water. The lowest winning bid was {price}; winners "
                                   "pay what they bid."),
                        {{"names", language.listed(served)}, {"price", money_text(*day.price)}}));
  if (!ignored.empty())
    text = language.then(
        text,
        scene.say(ignored.size() == 1 ? Line("Ignored as above the balance: the bid of {names}.")
                                      : Line("Ignored as above the balance: the bids of {names}."),
                  {{"names", language.listed(ignored)}}));
  text += "\n" + table(scene,
                       std::array{Line("name"), Line("bid"), Line("water"), Line("money"),
                                  Line("health"), Line("health lost next dry day")},
                       rows);
  for (const ResidentDay& r : day.residents)
    if (r.hp <= 0) text += "\n" + shared::drought::death_text(r.name, r.balance, language);
  return text;
}

std::string tell(const Morning& m, const agon::Scene& scene) {
  const auto figure = [](int n) { return std::to_string(n); };
  return scene.say(
             m.supply == 1
                 ? Line(
                       "It is the morning of day {day} of {days}. Today there is {water} of water.")
                 : Line("It is the morning of day {day} of {days}. Today there are {water} of "
                        "water."),
             {{"day", figure(m.day)},
              {"days", figure(m.day + m.days_left)},
              {"water", units(scene, m.supply)}}) +
         "\n" +
         scene.say(
             Line("You need {need} a day and earn {salary}; today's pay is in your balance of "
                  "{balance}. Your health is {health}. Without water today you lose {loss} "
                  "of it; with water you gain {gain}, up to {most}."),
             {{"need", units(scene, m.need)},
              {"salary", money_text(m.salary)},
              {"balance", money_text(m.balance)},
              {"health", figure(m.hp)},
              {"loss", figure(m.no_drink)},
              {"gain", figure(m.drink_hp)},
              {"most", figure(m.max_hp)}});
}

std::string persona(const Settings& settings, int seat, const agon::Language& language) {
  if (!settings.persona) return {};
  const Resident& r = settings.residents[static_cast<std::size_t>(seat)];
  // Lives that a suite gives to residents are told as they stand there.
  const auto own = [&](const std::string& words) { return std::string(language.own_text(words)); };
  std::string text = r.profession.empty()
                         ? language.say(Line("You are {name}."), {{"name", r.name}})
                         : language.say(Line("You are {name}, {profession}."),
                                        {{"name", r.name}, {"profession", own(r.profession)}});
  if (!r.personality.empty())
    text = language.then(text, language.say(Line("Your character: {personality}."),
                                            {{"personality", own(r.personality)}}));
  if (!r.background.empty())
    text = language.then(text, language.say(Line("Your life so far: {background}."),
                                            {{"background", own(r.background)}}));
  return text;
}

}  // namespace water_allocation
