#include "classic/workflows/view_reading.hpp"

#include <agon/conversion.hpp>
#include <agon/json_reader.hpp>

namespace classic {

GameData game_in(const std::string& view_json, std::vector<std::string> players) {
  const agon::JsonDocument document(view_json, "view");
  const agon::JsonNode view = document.root();
  const auto read = [&](auto& member, std::string_view name) {
    if (const auto problem = agon::read_json(member, view[name].write(), agon::Missing::keeps))
      view[name].fail(problem->text(), "play it with the version of the game that asks");
  };
  GameData game;
  game.players = std::move(players);
  read(game.actions, "actions");
  read(game.payoffs, "payoffs");
  read(game.nodes, "nodes");
  return game;
}

}  // namespace classic
