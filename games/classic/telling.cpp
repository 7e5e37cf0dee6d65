#include "classic/telling.hpp"

#include <fmt/format.h>

#include "classic/prepared.hpp"

namespace classic {

std::string tell(const MessageSent& m, const agon::Scene&) {
  std::vector<std::string> deeds;
  if (!m.text.empty()) deeds.push_back("says: " + agon::speech(m.text));
  if (m.halt) deeds.emplace_back("wants to halt the negotiation");
  if (deeds.empty()) deeds.emplace_back("says nothing");
  const bool speech_last = deeds.size() == 1 && !m.text.empty();
  return fmt::format("{} {}{}", m.player, agon::listed(deeds), speech_last ? "" : ".");
}

std::string tell(const TalkEnded& ended, const agon::Scene&) {
  return ended.why == TalkEnd::halted ? "The negotiation is over, because a player halted it."
                                      : "The negotiation is over: that was the last round.";
}

std::string tell(const Moved& moved, const agon::Scene&) {
  return fmt::format("{} chose {}.", moved.player, moved.action);
}

std::string tell(const Ended& ended, const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  std::vector<std::string> words;
  if (!is_tree(settings.game))
    for (std::size_t i = 0; i < ended.actions.size(); ++i)
      words.push_back(fmt::format("{} chose {}", scene.seats()[i], ended.actions[i]));
  std::string text = "The game is over. ";
  if (!words.empty()) text += agon::listed(words) + ". ";
  words.clear();
  for (std::size_t i = 0; i < ended.payoffs.size(); ++i)
    words.push_back(fmt::format("{} gets {}", scene.seats()[i],
                                payoff_text(ended.payoffs[i], settings.game.prefix)));
  return text + agon::listed(words) + ".";
}

std::string tell(const View& view, const agon::Scene&) {
  std::string text = "All that can come of the game:\n" + std::string(view.game);
  if (!view.moves.empty()) {
    std::vector<std::string> moves;
    for (const Moved& m : view.moves)
      moves.push_back(fmt::format("{} chose {}", m.player, m.action));
    text += "\n\nSo far " + agon::listed(moves) + ".";
  }
  if (view.round > 0)
    text += fmt::format("\n\nThis is round {} of {} of a negotiation.", view.round,
                        view.round + view.rounds_left - 1);
  if (!view.options.empty())
    text += fmt::format("\n\nThe actions that you {} choose from{}: {}.",
                        view.round > 0 ? "will" : "can", view.round > 0 ? " after it" : "",
                        fmt::join(view.options, ", "));
  return text;
}

}  // namespace classic
