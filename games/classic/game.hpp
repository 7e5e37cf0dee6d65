#pragma once

#include <agon/game.hpp>
#include <string>

#include "classic/settings.hpp"

namespace classic {

/// What everybody may know of the settings, for prompts.
struct Facts {
  std::string kind;
  std::string players;
  std::string talk;
  std::string halting;
  std::string quoting;
  std::string objective;
  std::string phase;
};
AGON_DESCRIBE(Facts, (kind, "whether all choose at once or one after another"),
              (players, "who plays"), (talk, "when there are negotiations; empty: never"),
              (halting, "how to halt a negotiation; empty: nobody can, or there is none"),
              (quoting, "how words of others are shown; empty: there are none"),
              (objective, "what counts in the end"),
              (phase, "repeated play: the event that ends a period; else empty", agon::phase_event,
               agon::unit("period")))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// What players are told of the rules; the outcomes stand in their views.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// The game as it is registered.
[[nodiscard]] agon::Game game();

/// Adds the parts of a model agent that are for this game alone.
void add_workflows(agon::Registry& registry);

/// What the plugin brings.
void enter(agon::Registry& registry);

}  // namespace classic
