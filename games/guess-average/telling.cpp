#include "guess-average/telling.hpp"

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

std::string tell(const Round& round, const agon::Scene&) {
  std::vector<std::string> winners;
  std::vector<std::vector<std::string>> rows;
  for (const Choice& c : round.choices) {
    if (c.won) winners.emplace_back(c.name);
    rows.push_back(
        {std::string(c.name), std::to_string(c.number), c.hp > 0 ? std::to_string(c.hp) : "out"});
  }
  std::string text = fmt::format("Round {}: the average was {}, the target {}. ", round.round,
                                 figure(round.mean), figure(round.target));
  if (round.winning_number)
    text += fmt::format("{} won with {}.", agon::listed(winners), *round.winning_number);
  else
    text += "All chose the same number, and nobody won.";
  constexpr std::array<std::string_view, 3> headings{"name", "number", "health"};
  text += "\n" + agon::small_table(headings, rows);
  std::vector<std::string> out;
  for (const Choice& c : round.choices)
    if (c.hp <= 0) out.emplace_back(c.name);
  if (!out.empty())
    text +=
        fmt::format("\n{} {} out of the game.", agon::listed(out), out.size() == 1 ? "is" : "are");
  return text;
}

std::string tell(const Out&, const agon::Scene&) {
  return {};  // it is told with the round, which ends with that event
}

std::string tell(const Turn& turn, const agon::Scene&) {
  std::string text = fmt::format("This is round {} of {}. You are {}, and your health is {}.",
                                 turn.round, turn.round + turn.rounds_left, turn.name, turn.hp);
  // Everybody's health was told with the last round.
  std::vector<std::string> left;
  for (const Player& p : turn.players)
    if (p.alive) left.emplace_back(p.name);
  if (left.size() < turn.players.size())
    text += fmt::format(" Still in the game: {}.", agon::listed(left));
  return text;
}

}  // namespace guess_average
