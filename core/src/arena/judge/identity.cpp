#include "judge/identity.hpp"

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "archive/stored_settings.hpp"
#include "json/parse.hpp"
#include "run/archived_game.hpp"

namespace agon::judge {

Identities::Identities(const archive::Archive& archive, const Catalogue& catalogue)
    : archive_(archive),
      catalogue_(catalogue),
      games_(archive.games()),
      scenarios_(archive.scenarios()),
      agents_(archive.agents()) {}

const Identities::Stage& Identities::stage_of(std::int64_t number) {
  const auto [found, added] = stages_.try_emplace(number);
  if (!added) return found->second;
  const archive::ScenarioRow& scenario = archive_.row(scenarios_, number);
  const Game* game = nullptr;
  try {
    game = &archived_game(catalogue_, archive_, archive_.row(games_, scenario.game));
  } catch (const Error& error) {
    missing_.insert(error.what());
    return found->second;
  }
  if (game->card.persona_for == nullptr) return found->second;
  try {
    found->second.settings =
        archive::read_stored_settings(*game, archive_, scenario.settings).settings;
    found->second.game = game;
  } catch (const Error&) {
    // Without its settings the game cannot say what it told its seats.
  }
  return found->second;
}

bool Identities::by_agent(std::int64_t number) {
  const auto [found, added] = known_.try_emplace(number, false);
  if (!added) return found->second;
  const boost::json::value spec = json::parse(archive_.row(agents_, number).spec, "spec");
  const boost::json::value* part = nullptr;
  if (const auto* params = spec.is_object() ? spec.get_object().if_contains("params") : nullptr;
      params != nullptr && params->is_object())
    part = params->get_object().if_contains("persona");
  found->second = part != nullptr && !(part->is_string() && part->get_string() == "none");
  return found->second;
}

bool Identities::operator()(const archive::MatchRow& match, int seat) {
  if (by_agent(match.seats.at(static_cast<std::size_t>(seat)).agent)) return true;
  const Stage& stage = stage_of(match.key.scenario);
  return stage.game != nullptr &&
         !stage.game->card.persona_for(stage.settings->get(), seat, Language::english()).empty();
}

}  // namespace agon::judge
