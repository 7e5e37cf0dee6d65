#include "prepared_game.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "describe/read.hpp"
#include "json/parse.hpp"
#include "wire.hpp"

namespace agon::worker {
namespace {

/// Treatments of a suite are played in turn; where there are more, all are made again.
constexpr std::size_t kMostKept = 64;

template <class Map>
void make_room(Map& kept) {
  if (kept.size() >= kMostKept) kept.clear();
}

}  // namespace

PreparedGame::PreparedGame(const Game& game, std::string_view settings)
    : game_(game), settings_(*game.settings) {
  if (const auto problem = read_json(*game.settings, settings_.get(), settings, {}, Missing::keeps))
    throw Error(ErrorKind::invalid, problem->text(), "settings");
}

PreparedGame::~PreparedGame() {
  if (prepared_ != nullptr && game_.release) game_.release(prepared_);
}

const void* PreparedGame::prepared() {
  if (!is_prepared_ && game_.prepare) prepared_ = game_.prepare(settings_.get());
  is_prepared_ = true;
  return prepared_;
}

std::shared_ptr<PreparedGame> LoadedCatalogue::game(std::string_view id,
                                                    std::string_view settings) {
  std::pair<std::string, std::string> key(id, settings);
  if (const auto found = games_.find(key); found != games_.end()) return found->second;
  auto made = std::make_shared<PreparedGame>(catalogue_.game(id), settings);
  make_room(games_);
  return games_.emplace(std::move(key), std::move(made)).first->second;
}

std::shared_ptr<const Agent> LoadedCatalogue::agent(std::string_view game, std::string_view spec) {
  std::pair<std::string, std::string> key(game, spec);
  if (const auto found = agents_.find(key); found != agents_.end()) return found->second;
  const boost::json::value read = json::parse(spec, "agent");
  const boost::json::object& object = read.as_object();
  const AgentCard& card = catalogue_.agent(text_of(object, "agent"), game);
  Value params(*card.params);
  if (const boost::json::value* given = object.if_contains("params"))
    if (const auto problem = read_value(*card.params, params.get(), *given, Missing::keeps))
      throw Error(ErrorKind::invalid, problem->text(), "params");
  AgentServices services;
  services.game = game;
  std::shared_ptr<const Agent> made = card.make(params.get(), services);
  if (made == nullptr || made->waits())
    throw Error(ErrorKind::invalid,
                "the agent '" + std::string(card.id) +
                    "' takes its time, for threads or programs "
                    "of its own, and none are in the process of its plugin",
                "", "trust its plugin with --sandbox never");
  make_room(agents_);
  return agents_.emplace(std::move(key), std::move(made)).first->second;
}

}  // namespace agon::worker
