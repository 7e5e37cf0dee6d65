#include "guess-average/messages.hpp"

#include <fmt/format.h>

#include <array>

namespace guess_average {

namespace {

/// An average or a target: at most two decimals.
std::string figure(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string tell(const Round& round, const agon::Scene& scene) {
  std::vector<std::string> winners;
  std::vector<std::vector<std::string>> rows;
  for (const Choice& c : round.choices) {
    if (c.won) winners.emplace_back(c.name);
    rows.push_back({std::string(c.name), std::to_string(c.number),
                    c.hp > 0 ? std::to_string(c.hp) : scene.say(Line("out"))});
  }
  const agon::Language& language = scene.language();
  std::string text = language.then(
      scene.say(Line("Round {round}: the average was {mean}, the target {target}."),
                {{"round", std::to_string(round.round)},
                 {"mean", figure(round.mean)},
                 {"target", figure(round.target)}}),
      round.winning_number ? scene.say(Line("{names} won with {number}."),
                                       {{"names", language.listed(winners)},
                                        {"number", std::to_string(*round.winning_number)}})
                           : scene.say(Line("All chose the same number, and nobody won.")));
  const std::array<std::string_view, 3> headings{
      language.text(Line("name")), language.text(Line("number")), language.text(Line("health"))};
  text += "\n" + agon::small_table(headings, rows);
  std::vector<std::string> out;
  for (const Choice& c : round.choices)
    if (c.hp <= 0) out.emplace_back(c.name);
  if (!out.empty())
    text += "\n" + scene.say(out.size() == 1 ? Line("{names} is out of the game.")
                                             : Line("{names} are out of the game."),
                             {{"names", language.listed(out)}});
  return text;
}

std::string tell(const Out&, const agon::Scene&) {
  return {};  // it is told with the round, which ends with that event
}

std::string tell(const Turn& turn, const agon::Scene& scene) {
  std::string text = scene.say(
      Line("This is round {round} of {rounds}. You are {name}, and your health is {health}."),
      {{"round", std::to_string(turn.round)},
       {"rounds", std::to_string(turn.round + turn.rounds_left)},
       {"name", std::string(turn.name)},
       {"health", std::to_string(turn.hp)}});
  // Everybody's health was told with the last round.
  std::vector<std::string> left;
  for (const Player& p : turn.players)
    if (p.alive) left.emplace_back(p.name);
  if (left.size() < turn.players.size())
    text = scene.language().then(text, scene.say(Line("Still in the game: {names}."),
                                                 {{"names", scene.language().listed(left)}}));
  return text;
}

}  // namespace guess_average
