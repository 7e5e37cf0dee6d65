#pragma once

#include <agon/agent.hpp>
#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/provider.hpp>
#include <agon/plugin_command.hpp>
#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "plugin/importer.hpp"
#include "plugin/plugin_file.hpp"
#include "process/isolation.hpp"

namespace agon {

class MemoryWatch;

namespace remote {
class RemotePlugin;
}  // namespace remote

/// "memory", as specs and messages name it.
[[nodiscard]] AGON_API std::string_view name_of(PartKind kind);

/// What came of one plugin file: for `agon list`.
struct PluginEntry {
  enum class Status : std::uint8_t {
    loaded,
    shadowed,  ///< a plugin of the same name was loaded before
    refused,
  };
  std::string path;    ///< full path of the file
  std::string place;   ///< which part of the search order it is from, or the option that names it
  std::string name{};  ///< as it calls itself; empty if it was refused before it could say so
  std::string version{};  ///< likewise
  Status status = Status::loaded;
  std::string reason{};             ///< why it is shadowed or refused
  std::vector<std::string> kits{};  ///< that it uses, beside that for games and agents
  std::string language = "c++";     ///< that it is written in, "python 3.11"
  /// It claims a name that another plugin brings, and so is not loaded.
  bool claims_taken_name = false;
  /// It is locked in. A program that is not has a process of its own all the same.
  bool isolated = false;
  /// What it brings beside games and agents, and what is of no use there: "2 parts".
  std::vector<std::string> left_out{};
};

namespace plugin {

/// Who brought a card.
struct Supplier {
  const PluginEntry* plugin = nullptr;            ///< null: it was linked in
  const remote::RemotePlugin* process = nullptr;  ///< null: the plugin has no processes of its own
};

/// What cards of a kind are ordered and found by: the id, behind the game or the kind of part.
template <class Card>
std::string key_of(const Card& card) {
  return std::string(card.id);
}
inline std::pair<std::string, std::string> key_of(const AgentCard& card) {
  return {std::string(card.game), std::string(card.id)};
}
inline std::tuple<PartKind, std::string, std::string> key_of(const PartCard& card) {
  return {card.kind, std::string(card.id), std::string(card.game)};
}

/// A card and who brought it.
template <class Card>
struct Registered : Supplier {
  Card card;
};

/// Cards of one kind, by their keys.
template <class Card>
using Shelf =
    std::map<decltype(key_of(std::declval<const Card&>())), Registered<Card>, std::less<>>;

}  // namespace plugin

/// A part of model agents is there, and plays other games than the one it is wanted for.
class PartElsewhere : public Error {
 public:
  using Error::Error;
};

/// How plugins are loaded.
struct LoadOptions {
  /// How their code is kept apart.
  Isolation isolation{};
  /// Games in processes of their own are not waited for once this is true, where the settings of a
  /// match are still to be read. It must outlive the catalogue.
  const std::atomic<bool>* stop = nullptr;
  /// What games in processes of their own print goes there, as remote::Launch has it.
  std::function<void(std::string_view)> overhear{};
  /// Plugins that others can write are loaded too; else they are refused.
  bool trusts_others = false;
};

/// All games, agents, parts, providers, importers, commands and tables at hand, and the plugins
/// they came from. Filled once, before any match; afterwards it is only read, from any thread. What
/// it hands out lives as long as it does.
class AGON_API Catalogue final : public Registry, public PartSource {
 public:
  explicit Catalogue(LoadOptions options = {});
  ~Catalogue();

  /// Loads what is needed for one command. First what comes with Agon, so that nobody else takes
  /// its names: the plugins beside the program, and the install prefix. Then what is named in
  /// `given` (plugin files, or folders of them): a failure there is thrown. Then AGON_PLUGIN_PATH.
  /// What is found, not named, and refused is listed with its reason, and the others are loaded.
  /// `replacing`: like `given`, and loaded before everything else, so that it has its names where
  /// Agon's own plugins bring the same; those are refused then.
  void load_all(std::span<const std::string> given = {},
                std::span<const std::string> replacing = {});

  /// Loads one plugin file. Throws Error (not_found) with the reason, and adds nothing then. A file
  /// that is loaded already is left alone.
  void load(const std::filesystem::path& file);
  /// Loads every plugin of a folder, in order of file names. Throws as load() does, and for a
  /// folder without plugins.
  void load_folder(const std::filesystem::path& folder);
  /// Loads what a folder of the search order has; refusals are listed, not thrown. A folder that
  /// does not exist is passed over.
  void search_folder(const std::filesystem::path& folder, const std::string& place);

  /// Loads the importers that come with Agon, in a process of their own; or those of `file` alone,
  /// as load() does. Logs are large: their limits are wide.
  void load_importers();
  void load_importers(const std::filesystem::path& file);

  /// Adds what is linked in rather than loaded. The texts of a card must outlive the catalogue.
  /// Throws Error (invalid) for a card that makes no sense and for a name that is taken.
  void add(const Game& game) override;
  void add(const AgentCard& agent) override;
  void add(const PartCard& part) override;
  void add(const ProviderCard& provider) override;
  void add(const PluginCommand& command) override;
  void add(const TableCard& table) override;

  /// The cards of a kind, by name: agents by game before that (those for any game first), parts by
  /// kind.
  template <class Card>
  [[nodiscard]] std::vector<const Card*> all() const {
    std::vector<const Card*> out;
    for (const auto& [key, held] : shelf<Card>()) out.push_back(&held.card);
    return out;
  }
  /// The agents that can play the game, by name.
  [[nodiscard]] std::vector<const AgentCard*> agents_of(std::string_view game) const;
  /// In the order in which they were met.
  [[nodiscard]] const std::deque<PluginEntry>& plugins() const { return plugins_; }
  /// Where load_all() looked, in order.
  [[nodiscard]] const std::vector<std::string>& searched() const { return searched_; }

  /// True if the plugin of this full path is loaded.
  [[nodiscard]] bool knows_file(const std::string& path) const;
  /// The card with this key, and who brought it; null if there is none.
  template <class Card, class Key>
  [[nodiscard]] const plugin::Registered<Card>* find(const Key& key) const {
    const auto found = shelf<Card>().find(key);
    return found == shelf<Card>().end() ? nullptr : &found->second;
  }
  /// The agent of that name that plays the game; null if there is none.
  [[nodiscard]] const plugin::Registered<AgentCard>* find_agent(std::string_view id,
                                                                std::string_view game) const;

  /// Throws Error (not_found) with the nearest name, how to list the names, and what was refused.
  [[nodiscard]] const Game& game(std::string_view id) const;
  /// The game of a file that was loaded. Throws Error (not_found) if it was not, or if the file
  /// brings several and none of them is named.
  [[nodiscard]] const Game& game(const GameFile& file) const;
  /// The agent of that name that plays the game: the game's own, or one for any game.
  [[nodiscard]] const AgentCard& agent(std::string_view id, std::string_view game) const;
  [[nodiscard]] const Importer& importer(std::string_view id) const;
  /// That of a file that was loaded, as game() has it.
  [[nodiscard]] const Importer& importer(const GameFile& file) const;
  [[nodiscard]] const TableCard& table(std::string_view id) const;
  [[nodiscard]] const ProviderCard& provider(std::string_view id) const override;
  /// The part of that kind and name: the game's own, or one for any game.
  [[nodiscard]] const PartCard& part_card(PartKind kind, std::string_view id,
                                          std::string_view game) const override;
  [[nodiscard]] std::shared_ptr<const void> part(PartKind kind, std::string_view spec,
                                                 std::string_view game) const override;

  /// The plugin that brought a game; null if it was linked in or is not there.
  [[nodiscard]] const PluginEntry* plugin_of_game(std::string_view id) const;

 private:
  class Loading;

  template <class Card>
  [[nodiscard]] const plugin::Shelf<Card>& shelf() const {
    return std::get<plugin::Shelf<Card>>(shelves_);
  }

  LoadOptions options_;
  std::tuple<plugin::Shelf<Game>, plugin::Shelf<AgentCard>, plugin::Shelf<Importer>,
             plugin::Shelf<PartCard>, plugin::Shelf<ProviderCard>, plugin::Shelf<PluginCommand>,
             plugin::Shelf<TableCard>>
      shelves_;
  std::deque<PluginEntry> plugins_;
  std::vector<std::string> searched_;
  std::vector<std::unique_ptr<remote::RemotePlugin>> started_;
  std::shared_ptr<MemoryWatch> memory_;  ///< of what is started; null: nothing was yet
};

/// Version of the plugin that brought the game; empty if it was linked in.
[[nodiscard]] AGON_API std::string version_of_plugin(const Catalogue& catalogue,
                                                     std::string_view game);

}  // namespace agon
