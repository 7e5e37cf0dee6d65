#include "open_game.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "describe/schema.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/plugin_file.hpp"
#include "plugin/search_path.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// A game by its name, or by the file of a plugin that is loaded.
const Game& game_called(const Catalogue& catalogue, const std::string& name) {
  const std::optional<GameFile> file = game_file(name, "");
  return file ? catalogue.game(*file) : catalogue.game(name);
}

Settings read_settings(const Game& game, const std::string& preset, const std::string& settings) {
  bj::value given = settings.empty() ? bj::object() : json::parse(settings, "settings");
  if (!given.is_object())
    throw Error(ErrorKind::invalid, "settings are a JSON object", "settings",
                R"(write {"rounds": 3}, say)");
  DataFolders folders;
  folders.shipped = {plugin::shipped_file("data").string()};
  return Settings::read(game, preset, given.as_object(), ErrorPlace("settings"), folders);
}

}  // namespace

OpenGame::OpenGame(const Catalogue& catalogue, const std::string& id, const std::string& preset,
                   const std::string& settings)
    : catalogue_(catalogue),
      game_(game_called(catalogue, id)),
      settings_(read_settings(game_, preset, settings)) {}

std::size_t OpenGame::entries(int asked) const {
  constexpr int kLeast = 3;
  if (asked < 0 || asked > kMostEntries)
    throw Error(ErrorKind::invalid,
                "a view shows 0 to " + std::to_string(kMostEntries) + " entries of a list, not " +
                    std::to_string(asked),
                "entries", "0 stands for as many as there are seats");
  return static_cast<std::size_t>(asked > 0 ? asked : std::max(seats(), kLeast));
}

std::string OpenGame::describe(int asked) const {
  const GameCard& card = game_.card;
  bj::array seats, stages;
  for (const SeatCard& seat : settings_.seating())
    seats.push_back({{"name", seat.name}, {"role", seat.role}});
  const FlatStages flat(game_, entries(asked));
  for (const FlatStages::FlatStage& stage : flat.all()) {
    const std::optional<std::int64_t> actions = stage.answer.actions();
    stages.push_back({{"name", stage.card->name},
                      {"doc", stage.card->doc},
                      {"probe", stage.card->probe},
                      {"answer", answer_schema(*stage.card->answer)},
                      {"view", stage.view ? stage.view->columns() : bj::array()},
                      {"places", stage.answer.columns()},
                      {"actions", actions ? bj::value(*actions) : bj::value(nullptr)}});
  }
  const bj::object all{{"id", game_.id},
                       {"title", card.title},
                       {"rules", settings_.rules()},
                       {"preset", settings_.preset()},
                       {"settings", json::parse(settings_.brief(), "settings")},
                       {"seats", std::move(seats)},
                       {"score",
                        {{"doc", card.score},
                         {"decimals", card.score_decimals},
                         {"min", card.score_range.min},
                         {"max", card.score_range.max}}},
                       {"stages", std::move(stages)}};
  return json::write(all);
}

FlatStages::FlatStages(const Game& game, std::size_t entries) {
  for (const StageCard& card : game.stages) {
    FlatStage stage{&card, std::nullopt, FlatType(*card.answer, entries)};
    if (card.view != nullptr) stage.view.emplace(*card.view, entries);
    view_width_ = std::max(view_width_, stage.view ? stage.view->width() : 0);
    places_ = std::max(places_, stage.answer.width());
    stages_.push_back(std::move(stage));
  }
}

int FlatStages::index(const Question& question) const {
  for (std::size_t i = 0; i < stages_.size(); ++i)
    if (stages_[i].card->name == question.stage()) return static_cast<int>(i);
  return -1;
}

}  // namespace agon
