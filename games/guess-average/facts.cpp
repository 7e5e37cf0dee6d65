#include "guess-average/facts.hpp"

#include <fmt/format.h>

#include "guess-average/sentences.hpp"

namespace guess_average {

namespace {

/// Whether a player can lose all health before the last round.
bool can_be_out(const Settings& s) {
  return s.start_hp < s.rounds;
}

/// 80 percent as 0.8.
std::string share(int percent) {
  const std::string decimals = percent % 10 == 0 ? fmt::format("{}", percent % 100 / 10)
                                                 : fmt::format("{:02}", percent % 100);
  return fmt::format("{}.{}", percent / 100, decimals);
}

}  // namespace

Facts facts(const Settings& s) {
  Facts f;
  f.rounds = s.rounds;
  f.players = static_cast<int>(s.players.size());
  f.lowest = s.lowest;
  f.highest = s.highest;
  f.share = share(s.percent);
  f.start_hp = s.start_hp;
  return f;
}

std::string rules_text(const Settings& s, const agon::Language& language) {
  const auto figure = [](auto n) { return std::to_string(n); };
  std::string text =
      language.say(Line("{players} players play {rounds} rounds, and your aim is to win as many of "
                        "them as you can. Everybody starts with {health}."),
                   {{"players", figure(s.players.size())},
                    {"rounds", figure(s.rounds)},
                    {"health", language.counted(s.start_hp, Line("{n} health point"),
                                                Line("{n} health points"))}}) +
      "\n\n" + language.say(Line("Each round:")) + "\n" +
      language.say(Line("1. All players choose a whole number from {lowest} to {highest}, at the "
                        "same time and without talking."),
                   {{"lowest", figure(s.lowest)}, {"highest", figure(s.highest)}}) +
      "\n" +
      language.say(Line("2. The target is {share} times the average of all numbers chosen, your "
                        "own included, rounded to two decimals."),
                   {{"share", share(s.percent)}});
  for (const Line line :
       {Line("3. The number nearest to the target wins the round, for everybody who chose it. If a "
             "lower and a higher number are equally near, the lower one wins. If all chose the "
             "same number, nobody wins."),
        Line("4. Who does not win loses 1 health point; at 0 a player is out."),
        Line("5. All are told all numbers, the average, the target, who won, and everybody's "
             "health.")})
    text += "\n" + language.say(line);
  if (can_be_out(s))
    text += "\n\n" + language.say(Line("A player who is left alone wins the rounds that remain."));
  return text;
}

}  // namespace guess_average
