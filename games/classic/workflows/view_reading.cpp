#include "classic/workflows/view_reading.hpp"

#include <agon/json_reader.hpp>

namespace classic {
namespace {

std::vector<double> numbers_in(const agon::JsonNode& list) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < list.size(); ++i) numbers.push_back(list[i].number());
  return numbers;
}

}  // namespace

GameData game_in(const std::string& view_json, std::vector<std::string> players) {
  const agon::JsonDocument document(view_json, "view");
  const agon::JsonNode view = document.root();
  GameData game;
  game.players = std::move(players);
  const agon::JsonNode actions = view["actions"];
  for (std::size_t p = 0; p < actions.size(); ++p) {
    game.actions.emplace_back();
    for (std::size_t a = 0; a < actions[p].size(); ++a)
      game.actions.back().emplace_back(actions[p][a].text());
  }
  const agon::JsonNode payoffs = view["payoffs"];
  for (std::size_t c = 0; c < payoffs.size(); ++c) game.payoffs.push_back(numbers_in(payoffs[c]));
  const agon::JsonNode nodes = view["nodes"];
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    TreeNode node;
    node.name = nodes[n]["name"].text();
    node.player = static_cast<int>(nodes[n]["player"].whole(0, max_players - 1));
    const agon::JsonNode moves = nodes[n]["moves"];
    for (std::size_t m = 0; m < moves.size(); ++m)
      node.moves.push_back({std::string(moves[m]["label"].text()),
                            std::string(moves[m]["to"].text()), numbers_in(moves[m]["payoffs"])});
    game.nodes.push_back(std::move(node));
  }
  return game;
}

}  // namespace classic
