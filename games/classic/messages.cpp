#include "classic/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "classic/prepared.hpp"

namespace classic {

bool asks_to_halt(const Message& message) {
  if (message.halt) return true;
  constexpr std::string_view blanks = " \t\r\n";
  constexpr std::string_view words = "halt negotiation";
  std::string_view text = message.text;
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return false;
  text = text.substr(begin, text.find_last_not_of(" \t\r\n.") + 1 - begin);
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(text.begin(), text.end(), words.begin(), words.end(),
                    [&](char a, char b) { return lower(a) == b; });
}

std::string_view advice_text(int number) {
  static constexpr std::array<std::string_view, 7> texts{
      "",
      "Please go through what the others said, ask yourself whether it can be trusted, and then "
      "decide on your action.",
      "Please go through what the others said, and then decide on your action.",
      "Look at what the others said and at whether they can be relied on. Then choose.",
      "You can choose your action whatever was said in the negotiation.",
      "You should choose your action whatever was said in the negotiation.",
      "You must choose your action whatever was said in the negotiation."};
  return texts.at(static_cast<std::size_t>(number));
}

namespace {

int seat_of(const agon::Scene& scene, std::string_view player) {
  const auto seats = scene.seats();
  return static_cast<int>(std::find(seats.begin(), seats.end(), player) - seats.begin());
}

/// What all chose, and what they get, with the words that follow each amount. In a tree the moves
/// were told one by one.
std::string outcome(std::span<const std::string_view> actions, std::span<const double> payoffs,
                    const agon::Scene& scene, std::string_view after) {
  const GameData& game = scene.settings<Settings>().game;
  std::string text;
  if (!is_tree(game))
    for (std::size_t i = 0; i < actions.size(); ++i)
      text += fmt::format(" {} {}.", scene.does(static_cast<int>(i), "chose", "chose"), actions[i]);
  for (std::size_t i = 0; i < payoffs.size(); ++i)
    text += fmt::format(" {} {}{}.", scene.does(static_cast<int>(i), "gets", "get"),
                        payoff_text(payoffs[i], game.prefix), after);
  return text;
}

/// "This is period 3 of 10.": nothing of a game that is played once.
std::string period_line(const View& view, const agon::Scene& scene) {
  if (scene.settings<Settings>().periods == 1) return {};
  if (!view.periods_left) return fmt::format("This is period {}.\n\n", view.period);
  return fmt::format("This is period {} of {}.\n\n", view.period,
                     view.period + *view.periods_left - 1);
}

/// What can still come of the game, once somebody has moved in a tree.
std::string outcomes_left(const View& view, const agon::Scene& scene) {
  GameData game;
  game.players.assign(scene.seats().begin(), scene.seats().end());
  game.prefix = scene.settings<Settings>().game.prefix;
  game.nodes.assign(view.nodes.begin(), view.nodes.end());
  return sentences(game, static_cast<std::size_t>(scene.reader()),
                   static_cast<std::size_t>(view.at));
}

}  // namespace

std::string tell(const MessageSent& m, const agon::Scene& scene) {
  const int seat = seat_of(scene, m.player);
  const std::string halts = " the negotiation.";
  if (m.text.empty())
    return m.halt ? scene.does(seat, "halts", "halt") + halts
                  : scene.does(seat, "says", "say") + " nothing.";
  const std::string text = scene.does(seat, "says", "say") + ": " + agon::speech(m.text);
  if (!m.halt) return text;
  return text + (scene.is_reader(seat) ? " and halt" : " and halts") + halts;
}

std::string tell(const TalkEnded& ended, const agon::Scene&) {
  return ended.why == TalkEnd::halted ? "The negotiation is over, because a player halted it."
                                      : "The negotiation is over: that was the last round.";
}

std::string tell(const Moved& moved, const agon::Scene& scene) {
  return scene.does(seat_of(scene, moved.player), "chose", "chose") + " " +
         std::string(moved.action) + ".";
}

std::string tell(const PeriodPlayed& period, const agon::Scene& scene) {
  return fmt::format("Period {} is over.", period.period) +
         outcome(period.actions, period.payoffs, scene, {});
}

std::string tell(const Ended& ended, const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  if (settings.periods == 1)
    return "The game is over." + outcome(ended.actions, ended.payoffs, scene, {});
  if (settings.payoff == Counted::total)
    return "The game is over." + outcome({}, ended.payoffs, scene, " in all");
  std::vector<double> rounded;
  for (const double mean : ended.payoffs) rounded.push_back(std::round(mean * 100) / 100);
  return "The game is over." + outcome({}, rounded, scene, " a period on average");
}

std::string tell(const View& view, const agon::Scene& scene) {
  const std::string_view game =
      scene.settings<Settings>().periods == 1 ? "the game" : "this period";
  const bool whole = view.at == 0 || scene.reader() < 0;
  std::string text = period_line(view, scene) +
                     fmt::format("All that can {}come of {}:\n{}", whole ? "" : "still ", game,
                                 whole ? std::string(view.game) : outcomes_left(view, scene));
  const std::string options = fmt::format("{}", fmt::join(view.options, ", "));
  if (view.round == 0)
    return text + fmt::format("\n\nThe actions that you can choose from: {}.", options);
  std::string of;
  if (!view.nodes.empty()) {
    const int mover = view.nodes[static_cast<std::size_t>(view.at)].player;
    of = scene.is_reader(mover) ? " before your move"
                                : " before " + std::string(scene.name(mover)) + "'s move";
  }
  text += fmt::format("\n\nThis is round {} of {} of the negotiation{}.", view.round,
                      view.round + view.rounds_left - 1, of);
  if (!view.options.empty())
    text += fmt::format(" After it you choose from these actions: {}.", options);
  return text;
}

}  // namespace classic
