#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "plugin/card.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/plugin_file.hpp"
#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "remote/channel.hpp"
#include "remote/remote_plugin.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {

namespace {

namespace fs = std::filesystem;

/// What a plugin registers, before any of it is checked: so that a plugin that is refused half-way
/// leaves nothing behind, and cannot catch what the checks say.
class Registrations final : public Registry {
 public:
  void add(const Game& game) override { cards.emplace_back(game); }
  void add(const AgentCard& agent) override { cards.emplace_back(agent); }
  void add(const PartCard& part) override { cards.emplace_back(part); }
  void add(const ProviderCard& provider) override { cards.emplace_back(provider); }
  void add(const PluginCommand& command) override { cards.emplace_back(command); }
  void add(const TableCard& table) override { cards.emplace_back(table); }

  /// Calls `each` with every card, in order of registration.
  template <class Each>
  void visit(const Each& each) const {
    for (const auto& card : cards) std::visit(each, card);
  }

  std::vector<
      std::variant<Game, AgentCard, Importer, PartCard, ProviderCard, PluginCommand, TableCard>>
      cards;
};

/// A name that a plugin claims is another plugin's.
class NameTaken : public Error {
 public:
  using Error::Error;
};

constexpr const char* kReplaces = "--replace";

/// Of a plugin that is not loaded because of another one.
std::string replaced_by(const PluginEntry& other) {
  return other.path + " takes its place, as --replace asks";
}

/// How to have a plugin's own instead of what another one brings.
std::string how_to_replace(const PluginEntry& other, const std::string& file) {
  return plugin::comes_with_agon(other.path)
             ? "; to have it in the place of Agon's own: --replace " + text::shell_word(file)
             : "";
}

std::string full_path(const fs::path& file) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(file, error);
  return (error ? file : full).string();
}

/// Widens the limits for as long as it lives: importers read logs, which are larger than matches.
class WideLimits {
 public:
  explicit WideLimits(ProcessLimits& limits) : limits_(limits), before_(limits) {
    limits.silence = limits.processor = 3600;
    limits.memory = std::max(limits.memory, 4096);
    limits.output = 1024;
  }
  WideLimits(const WideLimits&) = delete;
  WideLimits& operator=(const WideLimits&) = delete;
  ~WideLimits() { limits_ = before_; }

 private:
  ProcessLimits& limits_;
  ProcessLimits before_;
};

/// What a card is called in messages, with its article.
std::string kind_of(const Game&) {
  return "a game";
}
std::string kind_of(const AgentCard&) {
  return "an agent";
}
std::string kind_of(const Importer&) {
  return "an importer";
}
std::string kind_of(const PartCard& card) {
  return "a " + std::string(name_of(card.kind)) + " part";
}
std::string kind_of(const ProviderCard&) {
  return "a provider";
}
std::string kind_of(const PluginCommand&) {
  return "a command";
}
std::string kind_of(const TableCard&) {
  return "a table";
}

/// Whether those who name one of two cards could mean the other.
template <class Card>
bool clash(const Card& a, const Card& b) {
  return a.id == b.id;
}
/// An empty game stands for any.
bool meet_in_a_game(std::string_view a, std::string_view b) {
  return a == b || a.empty() || b.empty();
}
bool clash(const AgentCard& a, const AgentCard& b) {
  return a.id == b.id && meet_in_a_game(a.game, b.game);
}
bool clash(const PartCard& a, const PartCard& b) {
  return a.kind == b.kind && a.id == b.id && meet_in_a_game(a.game, b.game);
}

/// Throws Error where one of the cards has the name. `file`: whose card it is.
template <class Card>
void require_free(const plugin::Shelf<Card>& shelf, const Card& card, const std::string& file) {
  for (const auto& [key, held] : shelf) {
    const Card& other = held.card;
    if (!clash(card, other)) continue;
    std::string whose;
    if constexpr (std::is_same_v<Card, AgentCard>)
      whose = other.game.empty() ? " that plays any game"
                                 : " of the game '" + text::printable(other.game) + "'";
    const std::string named = kind_of(card) + " named '" + text::printable(card.id) + "'" + whose;
    const PluginEntry* entry = held.plugin;
    const std::string problem = "there is " + named + " already";
    if (entry == nullptr)
      throw Error(ErrorKind::invalid, problem, "", "give one of the two another name");
    if (entry->place == kReplaces)
      throw NameTaken(ErrorKind::invalid, replaced_by(*entry) + ": both bring " + named);
    throw NameTaken(ErrorKind::invalid, problem + ": " + entry->path + " brings it", "",
                    "give one of the two another name" + how_to_replace(*entry, file));
  }
}

/// How a library's games are kept apart; nothing if its code is trusted.
std::optional<remote::Launch> launch_apart(const PluginEntry& entry, const Isolation& isolation) {
  const bool is_ours = plugin::comes_with_agon(entry.path);
  if (isolation.when == Isolate::never || (is_ours && isolation.when != Isolate::always))
    return std::nullopt;
  return remote::launch_library(entry.path, isolation);
}

}  // namespace

/// What a catalogue does to load a plugin.
class Catalogue::Loading {
 public:
  explicit Loading(Catalogue& into) : into_(into) {}

  /// Loads the file of an entry and lists it. Throws Error and changes nothing but the entry. With
  /// `may_shadow`, a plugin whose name is taken is listed as shadowed; without, that is an error.
  void load_entry(PluginEntry& entry, bool may_shadow);
  /// What a file of the search order brings; where it is refused, that is listed.
  void search_file(const std::filesystem::path& file, const std::string& place);
  template <class Card>
  void add_linked_in(const Card& card);

 private:
  /// load_entry() for a plugin in processes of its own. False, and nothing is changed, if it is to
  /// be loaded after all.
  bool start_entry(PluginEntry& entry, remote::Launch launch, bool may_shadow);
  /// False if a plugin of that name is there already, and the entry is shadowed by it.
  bool is_first(PluginEntry& entry, bool may_shadow);
  /// The cards that `enter` adds to the registry that it is given, checked.
  Registrations cards_of(const std::function<void(Registry&)>& enter,
                         std::span<const Importer> importers, const std::string& file) const;
  /// Lists the entry and puts its cards on their shelves.
  void put(const Registrations& cards, const PluginEntry& entry,
           const remote::RemotePlugin* process);
  template <class Card>
  [[nodiscard]] plugin::Shelf<Card>& shelf() const {
    return std::get<plugin::Shelf<Card>>(into_.shelves_);
  }

  Catalogue& into_;
};

void Catalogue::Loading::load_entry(PluginEntry& entry, bool may_shadow) {
  if (!into_.options_.trusts_others) plugin::require_own_file(entry.path, plugin::program_file());
  if (plugin::is_program(entry.path)) {
    start_entry(entry, remote::launch_of(entry.path, into_.options_.isolation), may_shadow);
    return;
  }
  if (const auto launch = launch_apart(entry, into_.options_.isolation))
    if (start_entry(entry, *launch, may_shadow)) return;
  plugin::OpenLibrary library = plugin::open_library(entry.path);
  entry.kits = std::move(library.kits);
  entry.name = text::printable(library.plugin.name);
  entry.version = text::printable(library.plugin.version);
  if (!is_first(entry, may_shadow)) return;
  put(cards_of(library.plugin.enter, {}, entry.path), entry, nullptr);
}

bool Catalogue::Loading::start_entry(PluginEntry& entry, remote::Launch launch, bool may_shadow) {
  const LoadOptions& options = into_.options_;
  launch.stop = options.stop;
  launch.overhear = options.overhear;
  if (options.isolation.when != Isolate::never) {
    if (into_.memory_ == nullptr)
      into_.memory_ = std::make_shared<MemoryWatch>(total_memory_of(options.isolation.limits));
    launch.memory = into_.memory_;
  }
  std::vector<std::string> kits;
  if (launch.is_worker) kits = plugin::check_library(entry.path);
  auto plugin = std::make_unique<remote::RemotePlugin>(launch);
  const remote::PluginCards& brought = plugin->cards();
  // What comes with Agon and plays no games is kept apart from nothing: models, people, programs.
  if (launch.is_worker && brought.games.empty() && plugin::comes_with_agon(entry.path))
    return false;
  entry.kits = std::move(kits);
  entry.name = brought.name;
  entry.version = brought.version;
  entry.language = brought.language;
  entry.isolated = options.isolation.when != Isolate::never;
  entry.left_out = brought.left_out;
  if (!is_first(entry, may_shadow)) return true;
  const auto enter = [&](Registry& registry) {
    for (const Game& game : brought.games) registry.add(game);
    for (const AgentCard& agent : brought.agents) registry.add(agent);
    for (const PartCard& part : brought.parts) registry.add(part);
    for (const auto& [card, wire] : brought.providers) {
      ProviderCard provider = card;
      // Not shows_schema: a model in a process need not be shown what its function gets.
      const ProviderCard& format = into_.provider(wire);
      provider.wire = format.wire;
      provider.takes = format.takes;
      provider.sends_lean = format.sends_lean;
      registry.add(provider);
    }
  };
  Registrations cards;
  if (entry.left_out.empty() || !brought.games.empty() || !brought.agents.empty())
    cards = cards_of(enter, brought.importers, entry.path);
  put(cards, entry, plugin.get());
  into_.started_.push_back(std::move(plugin));
  return true;
}

bool Catalogue::Loading::is_first(PluginEntry& entry, bool may_shadow) {
  for (const PluginEntry& other : into_.plugins_) {
    if (other.status != PluginEntry::Status::loaded || other.name != entry.name) continue;
    if (!may_shadow)
      throw NameTaken(ErrorKind::not_found,
                      "there is a plugin named '" + entry.name + "' already: " + other.path,
                      entry.path,
                      "load one of the two, or give one another name" +
                          std::string(entry.language == "c++" ? " in AGON_PLUGIN" : "") +
                          how_to_replace(other, entry.path));
    entry.claims_taken_name =
        !plugin::comes_with_agon(entry.path) || !plugin::comes_with_agon(other.path);
    entry.status = PluginEntry::Status::shadowed;
    entry.reason = other.place == kReplaces
                       ? replaced_by(other)
                       : "the plugin of the same name in " + other.path + " comes first";
    into_.plugins_.push_back(entry);
    return false;
  }
  return true;
}

Registrations Catalogue::Loading::cards_of(const std::function<void(Registry&)>& enter,
                                           std::span<const Importer> importers,
                                           const std::string& file) const {
  Registrations batch;
  const auto refuse = [&](std::string problem, std::string hint = {}) {
    throw Error(ErrorKind::not_found, std::move(problem), file, std::move(hint));
  };
  try {
    enter(batch);
  } catch (const std::exception& thrown) {
    refuse("the plugin failed while it registered what it brings: " +
           text::printable(thrown.what()));
  } catch (...) {
    refuse(
        "the plugin failed while it registered what it brings: it threw something that is no "
        "std::exception");
  }
  for (const Importer& importer : importers) batch.cards.emplace_back(importer);
  if (batch.cards.empty())
    refuse(
        "the plugin brings no game, no agent, no part, no provider, no importer, no command and no "
        "table",
        "call registry.add() in the function that AGON_PLUGIN names");
  try {
    Catalogue own_cards;  // finds names that the plugin uses twice
    const Loading own(own_cards);
    batch.visit([&](const auto& card) {
      plugin::check_card(card);
      using Card = std::remove_cvref_t<decltype(card)>;
      require_free(own.shelf<Card>(), card, file);
      require_free(shelf<Card>(), card, file);
      own.shelf<Card>().emplace(plugin::key_of(card), plugin::Registered<Card>{{}, card});
    });
  } catch (const NameTaken& taken) {
    throw NameTaken(ErrorKind::not_found, taken.problem(), file, taken.hint());
  } catch (const Error& error) {
    std::string problem = error.problem();
    if (!error.where().empty()) problem = error.where() + ": " + problem;
    refuse(std::move(problem), error.hint());
  } catch (const std::exception& thrown) {
    refuse("the plugin failed while its cards were checked: " + text::printable(thrown.what()));
  } catch (...) {
    refuse(
        "the plugin failed while its cards were checked: it threw something that is no "
        "std::exception");
  }
  return batch;
}

void Catalogue::Loading::put(const Registrations& cards, const PluginEntry& entry,
                             const remote::RemotePlugin* process) {
  into_.plugins_.push_back(entry);
  cards.visit([&](const auto& card) {
    using Card = std::remove_cvref_t<decltype(card)>;
    shelf<Card>().emplace(plugin::key_of(card),
                          plugin::Registered<Card>{{&into_.plugins_.back(), process}, card});
  });
}

void Catalogue::Loading::search_file(const fs::path& file, const std::string& place) {
  PluginEntry entry{full_path(file), place};
  if (into_.knows_file(entry.path)) return;
  try {
    load_entry(entry, true);
  } catch (const Error& refused) {
    entry.claims_taken_name = dynamic_cast<const NameTaken*>(&refused) != nullptr;
    entry.status = PluginEntry::Status::refused;
    entry.reason = refused.problem();
    if (!refused.hint().empty()) entry.reason += "; " + refused.hint();
    into_.plugins_.push_back(std::move(entry));
  }
}

template <class Card>
void Catalogue::Loading::add_linked_in(const Card& card) {
  plugin::check_card(card);
  require_free(shelf<Card>(), card, "");
  shelf<Card>().emplace(plugin::key_of(card), plugin::Registered<Card>{{}, card});
}

Catalogue::Catalogue(LoadOptions options) : options_(std::move(options)) {}
Catalogue::~Catalogue() = default;

void Catalogue::load_all(std::span<const std::string> given,
                         std::span<const std::string> replacing) {
  const auto load_named = [&](std::span<const std::string> paths) {
    for (const std::string& path : paths) {
      std::error_code error;
      if (fs::is_directory(path, error))
        load_folder(path);
      else
        load(path);
    }
  };
  load_named(replacing);
  for (PluginEntry& entry : plugins_) entry.place = kReplaces;
  const std::vector<plugin::SearchPlace> own = plugin::search_places("", plugin::program_folder());
  for (const plugin::SearchPlace& place : own) search_folder(place.folder, place.what);
  load_named(given);
  for (const plugin::SearchPlace& place :
       plugin::search_places(plugin::plugin_path_variable(), plugin::program_folder()))
    if (std::none_of(own.begin(), own.end(),
                     [&](const auto& searched) { return searched.folder == place.folder; }))
      search_folder(place.folder, place.what);
}

void Catalogue::load(const fs::path& file) {
  PluginEntry entry{full_path(file), "--plugin"};
  if (!knows_file(entry.path)) Loading(*this).load_entry(entry, false);
}

void Catalogue::load_folder(const fs::path& folder) {
  const std::vector<fs::path> files = plugin::plugin_files(folder);
  if (files.empty())
    throw Error(ErrorKind::not_found, "no plugin found in this folder", folder.string(),
                "plugins are files that end in .so, and Python files that call agon.game() or "
                "agon.importer()");
  for (const fs::path& file : files) load(file);
}

void Catalogue::search_folder(const fs::path& folder, const std::string& place) {
  searched_.push_back(folder.string());
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  std::vector<fs::path> files;
  try {
    files = plugin::plugin_files(folder);
  } catch (const Error& failed) {
    plugins_.push_back(
        {folder.string(), place, "", "", PluginEntry::Status::refused, failed.problem()});
    return;
  }
  for (const fs::path& file : files) Loading(*this).search_file(file, place);
}

void Catalogue::load_importers() {
  const WideLimits wide(options_.isolation.limits);
  Loading(*this).search_file(plugin::shipped_file("importers/importers.py"), "beside the command");
}

void Catalogue::load_importers(const fs::path& file) {
  const WideLimits wide(options_.isolation.limits);
  load(file);
}

void Catalogue::add(const Game& game) {
  Loading(*this).add_linked_in(game);
}
void Catalogue::add(const AgentCard& agent) {
  Loading(*this).add_linked_in(agent);
}
void Catalogue::add(const PartCard& part) {
  Loading(*this).add_linked_in(part);
}
void Catalogue::add(const ProviderCard& provider) {
  Loading(*this).add_linked_in(provider);
}
void Catalogue::add(const PluginCommand& command) {
  Loading(*this).add_linked_in(command);
}
void Catalogue::add(const TableCard& table) {
  Loading(*this).add_linked_in(table);
}

}  // namespace agon
