#pragma once

#include <agon/agent.hpp>
#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/provider.hpp>
#include <agon/plugin_command.hpp>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "plugin/importer.hpp"
#include "plugin/plugin_file.hpp"
#include "process/isolation.hpp"

namespace agon::plugin {

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

/// Cards of one kind, each with the plugin that brought it.
template <class Card>
class Shelf {
 public:
  using Key = decltype(key_of(std::declval<const Card&>()));
  struct RegisteredCard {
    Card card;
    std::size_t plugin = 0;  ///< its number in the catalogue
  };

  void put(const Card& card, std::size_t plugin) {
    held_.emplace(key_of(card), RegisteredCard{card, plugin});
  }
  /// Null if there is none. `key`: whatever compares with a Key.
  template <class Like>
  [[nodiscard]] const RegisteredCard* find(const Like& key) const {
    const auto found = held_.find(key);
    return found == held_.end() ? nullptr : &found->second;
  }
  /// In order of their keys.
  [[nodiscard]] std::vector<const Card*> cards() const {
    std::vector<const Card*> out;
    for (const auto& [key, held] : held_) out.push_back(&held.card);
    return out;
  }
  /// The ids, in the same order.
  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> out;
    for (const auto& [key, held] : held_) out.emplace_back(held.card.id);
    return out;
  }
  [[nodiscard]] auto begin() const { return held_.begin(); }
  [[nodiscard]] auto end() const { return held_.end(); }

 private:
  std::map<Key, RegisteredCard, std::less<>> held_;
};

}  // namespace agon::plugin

namespace agon {

class MemoryWatch;

namespace remote {
class RemotePlugin;
struct Launch;
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

/// A part of model agents is there, and plays other games than the one it is wanted for.
class PartElsewhere : public Error {
 public:
  using Error::Error;
};

/// All games, agents, parts, providers, importers, commands and tables at hand, and the plugins
/// they came from. Filled once, before any match; afterwards it is only read, from any thread. What
/// it hands out lives as long as it does.
class AGON_API Catalogue final : public Registry, public PartSource {
 public:
  Catalogue();
  ~Catalogue();

  /// Loads what is needed for one command. First what comes with Agon, so that nobody else takes
  /// its names: the plugins beside the program, and the install prefix. Then what is named in
  /// `given` (plugin files, or folders of them): a failure there is thrown. Then AGON_PLUGIN_PATH.
  /// What is found, not named, and refused is listed with its reason, and the others are loaded.
  /// `replacing`: like `given`, and loaded before everything else, so that it has its names where
  /// Agon's own plugins bring the same; those are refused then.
  void load_all(std::span<const std::string> given = {},
                std::span<const std::string> replacing = {});

  /// How code of plugins is kept apart, from here on. Before this: as Isolation has it by itself.
  void isolate(const Isolation& isolation);

  /// Games in processes of their own are not waited for once `stop` is true, where the settings of
  /// a match are still to be read. For what is loaded from here on; `stop` must outlive this.
  void stop_at(const std::atomic<bool>& stop) { stop_ = &stop; }

  /// What games in processes of their own print goes there, as remote::Launch has it. For what is
  /// loaded from here on.
  void overhear(std::function<void(std::string_view)> told) { overhear_ = std::move(told); }

  /// Plugins that others can write are loaded too, from here on; else they are refused.
  void trust_files_of_others() { trusts_others_ = true; }

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

  /// By name.
  [[nodiscard]] std::vector<const Game*> games() const;
  /// By game (those for any game first), then by name.
  [[nodiscard]] std::vector<const AgentCard*> agents() const;
  /// Those that can play the game, by name.
  [[nodiscard]] std::vector<const AgentCard*> agents(std::string_view game) const;
  /// By name.
  [[nodiscard]] std::vector<const Importer*> importers() const;
  /// By kind, then by name.
  [[nodiscard]] std::vector<const PartCard*> parts() const;
  /// By name.
  [[nodiscard]] std::vector<const ProviderCard*> providers() const;
  /// By name.
  [[nodiscard]] std::vector<const PluginCommand*> commands() const;
  /// By id.
  [[nodiscard]] std::vector<const TableCard*> tables() const;
  /// In the order in which they were met.
  [[nodiscard]] const std::vector<PluginEntry>& plugins() const { return plugins_; }
  /// Where load_all() looked, in order.
  [[nodiscard]] const std::vector<std::string>& searched() const { return searched_; }

  /// True if the plugin of this full path is loaded.
  [[nodiscard]] bool knows_file(const std::string& path) const;
  [[nodiscard]] bool has_game(std::string_view id) const;
  /// True if an agent of that name plays the game.
  [[nodiscard]] bool has_agent(std::string_view id, std::string_view game) const;

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
  /// The plugin in processes of its own that brings a game; null: the game is played in this one.
  [[nodiscard]] const remote::RemotePlugin* process_of_game(std::string_view id) const;
  /// The plugin that brought the agent of that name for a game; null if it was linked in.
  [[nodiscard]] const PluginEntry* plugin_of_agent(std::string_view id,
                                                   std::string_view game) const;
  /// Version of the plugin that brought the game; empty if it was linked in.
  [[nodiscard]] std::string version_of(std::string_view game) const;

 private:
  static constexpr std::size_t kLinkedIn = static_cast<std::size_t>(-1);

  /// Loads the file of an entry and lists it. Throws Error and changes nothing but the entry. With
  /// `may_shadow`, a plugin whose name is taken is listed as shadowed; without, that is an error.
  void load_entry(PluginEntry& entry, bool may_shadow);
  /// The same for a plugin in processes of its own. False, and nothing is changed, if it is to be
  /// loaded after all.
  bool start_entry(PluginEntry& entry, remote::Launch launch, bool may_shadow);
  /// What bounds the memory of all processes of plugins together.
  [[nodiscard]] const std::shared_ptr<MemoryWatch>& memory_watch();
  /// How a library's games are kept apart; nothing if its code is trusted.
  [[nodiscard]] std::optional<remote::Launch> launch_apart(const PluginEntry& entry) const;
  /// False if a plugin of that name is there already, and the entry is shadowed by it.
  bool is_first(PluginEntry& entry, bool may_shadow);
  /// What a file of the search order brings; where it is refused, that is listed.
  void search_file(const std::filesystem::path& file, const std::string& place);
  /// `enter` adds the cards to the registry that it is given.
  void register_cards(const std::function<void(Registry&)>& enter,
                      std::span<const Importer> importers, const std::string& file);
  /// The card of that kind that a file brings; `what` kind, for messages: "game".
  template <class Card>
  [[nodiscard]] const Card& card_of(const GameFile& file, const std::string& what) const;
  [[nodiscard]] const PluginEntry* plugin_at(std::size_t plugin) const;
  /// How to list `what`, and what was refused or where nothing was found.
  [[nodiscard]] std::string hint(const std::string& what) const;

  template <class Card>
  [[nodiscard]] plugin::Shelf<Card>& shelf() {
    return std::get<plugin::Shelf<Card>>(shelves_);
  }
  template <class Card>
  [[nodiscard]] const plugin::Shelf<Card>& shelf() const {
    return std::get<plugin::Shelf<Card>>(shelves_);
  }
  /// Throws Error where the name is taken. `file`: whose card it is.
  template <class Card>
  void require_free(const Card& card, const std::string& file) const;
  template <class Card>
  void add_linked_in(const Card& card);

  std::tuple<plugin::Shelf<Game>, plugin::Shelf<AgentCard>, plugin::Shelf<Importer>,
             plugin::Shelf<PartCard>, plugin::Shelf<ProviderCard>, plugin::Shelf<PluginCommand>,
             plugin::Shelf<TableCard>>
      shelves_;
  std::vector<PluginEntry> plugins_;
  std::vector<std::string> searched_;
  std::map<std::size_t, std::unique_ptr<remote::RemotePlugin>> started_;  ///< by plugin
  bool trusts_others_ = false;
  Isolation isolation_{};
  std::shared_ptr<MemoryWatch> memory_;  ///< of what is started; null: nothing was yet
  const std::atomic<bool>* stop_ = nullptr;
  std::function<void(std::string_view)> overhear_;
};

}  // namespace agon
