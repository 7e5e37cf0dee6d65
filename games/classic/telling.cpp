#include "classic/telling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "classic/prepared.hpp"

namespace classic {

namespace {

int seat_of(const agon::Scene& scene, std::string_view player) {
  const auto seats = scene.seats();
  return static_cast<int>(std::find(seats.begin(), seats.end(), player) - seats.begin());
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

std::string tell(const Ended& ended, const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  std::string text = "The game is over.";
  // In a tree the moves were told one by one.
  if (!is_tree(settings.game))
    for (std::size_t i = 0; i < ended.actions.size(); ++i)
      text += fmt::format(" {} {}.", scene.does(static_cast<int>(i), "chose", "chose"),
                          ended.actions[i]);
  for (std::size_t i = 0; i < ended.payoffs.size(); ++i)
    text += fmt::format(" {} {}.", scene.does(static_cast<int>(i), "gets", "get"),
                        payoff_text(ended.payoffs[i], settings.game.prefix));
  return text;
}

std::string tell(const View& view, const agon::Scene& scene) {
  std::string text = view.at == 0 || scene.reader() < 0
                         ? "All that can come of the game:\n" + std::string(view.game)
                         : "All that can still come of the game:\n" + outcomes_left(view, scene);
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
