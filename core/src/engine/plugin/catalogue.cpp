#include "plugin/catalogue.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <ranges>
#include <type_traits>
#include <variant>

#include "describe/read.hpp"
#include "describe/value.hpp"
#include "plugin/card.hpp"
#include "plugin/plugin_file.hpp"
#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "remote/channel.hpp"
#include "remote/remote_plugin.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {

AGON_DESCRIBE_ENUM(PartKind, (persona, "who it is"), (memory, "what it is shown of the past"),
                   (learning, "what it takes to rounds and matches to come"),
                   (planning, "what it thinks of ahead"), (beliefs, "what it takes to be so"),
                   (reasoning, "how it comes to an answer"), (form, "how it writes one"),
                   (tools, "what it may call before it answers"))

namespace {

namespace fs = std::filesystem;

using AgentKey = plugin::Shelf<AgentCard>::Key;
using PartKey = plugin::Shelf<PartCard>::Key;

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

std::string in_quotes(std::string_view name) {
  return "'" + text::printable(name) + "'";
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

/// How to have all that a plugin brings.
std::string trusting(const PluginEntry& entry) {
  return plugin::comes_with_agon(entry.path) ? "it comes with Agon: --sandbox auto"
                                             : "if you trust it: --sandbox never";
}

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

}  // namespace

std::string_view name_of(PartKind kind) {
  return name_of<PartKind>(kind);
}

Catalogue::Catalogue() = default;
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
  if (!knows_file(entry.path)) load_entry(entry, false);
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
  for (const fs::path& file : files) search_file(file, place);
}

void Catalogue::search_file(const fs::path& file, const std::string& place) {
  PluginEntry entry{full_path(file), place};
  if (knows_file(entry.path)) return;
  try {
    load_entry(entry, true);
  } catch (const Error& refused) {
    entry.claims_taken_name = dynamic_cast<const NameTaken*>(&refused) != nullptr;
    entry.status = PluginEntry::Status::refused;
    entry.reason = refused.problem();
    if (!refused.hint().empty()) entry.reason += "; " + refused.hint();
    plugins_.push_back(std::move(entry));
  }
}

void Catalogue::load_importers() {
  const WideLimits wide(isolation_.limits);
  search_file(plugin::shipped_file("importers/importers.py"), "beside the command");
}

void Catalogue::load_importers(const fs::path& file) {
  const WideLimits wide(isolation_.limits);
  load(file);
}

void Catalogue::load_entry(PluginEntry& entry, bool may_shadow) {
  if (!trusts_others_) plugin::require_own_file(entry.path, plugin::program_file());
  if (plugin::is_program(entry.path)) {
    start_entry(entry, remote::launch_of(entry.path, isolation_), may_shadow);
    return;
  }
  if (const auto launch = launch_apart(entry))
    if (start_entry(entry, *launch, may_shadow)) return;
  plugin::OpenLibrary library = plugin::open_library(entry.path);
  entry.kits = std::move(library.kits);
  entry.name = text::printable(library.plugin.name);
  entry.version = text::printable(library.plugin.version);
  if (!is_first(entry, may_shadow)) return;
  register_cards(library.plugin.enter, {}, entry.path);
  plugins_.push_back(entry);
}

std::optional<remote::Launch> Catalogue::launch_apart(const PluginEntry& entry) const {
  const bool is_ours = plugin::comes_with_agon(entry.path);
  if (isolation_.when == Isolate::never || (is_ours && isolation_.when != Isolate::always))
    return std::nullopt;
  return remote::launch_library(entry.path, isolation_);
}

bool Catalogue::start_entry(PluginEntry& entry, remote::Launch launch, bool may_shadow) {
  launch.stop = stop_;
  launch.overhear = overhear_;
  if (isolation_.when != Isolate::never) launch.memory = memory_watch();
  std::vector<std::string> kits;
  if (launch.is_worker) kits = plugin::check_library(entry.path);
  auto plugin = std::make_unique<remote::RemotePlugin>(launch);
  // What comes with Agon and plays no games is kept apart from nothing: models, people, programs.
  if (launch.is_worker && plugin->games().empty() && plugin::comes_with_agon(entry.path))
    return false;
  entry.kits = std::move(kits);
  entry.name = plugin->name();
  entry.version = plugin->version();
  entry.language = plugin->language();
  entry.isolated = isolation_.when != Isolate::never;
  entry.left_out = plugin->left_out();
  if (!is_first(entry, may_shadow)) return true;
  const auto enter = [&](Registry& registry) {
    for (const Game& game : plugin->games()) registry.add(game);
    for (const AgentCard& agent : plugin->agents()) registry.add(agent);
  };
  if (entry.left_out.empty() || !plugin->games().empty() || !plugin->agents().empty())
    register_cards(enter, plugin->importers(), entry.path);
  plugins_.push_back(entry);
  started_.emplace(plugins_.size() - 1, std::move(plugin));
  return true;
}

void Catalogue::isolate(const Isolation& isolation) {
  isolation_ = isolation;
  memory_.reset();
}

const std::shared_ptr<MemoryWatch>& Catalogue::memory_watch() {
  if (memory_ == nullptr)
    memory_ = std::make_shared<MemoryWatch>(total_memory_of(isolation_.limits));
  return memory_;
}

bool Catalogue::is_first(PluginEntry& entry, bool may_shadow) {
  for (const PluginEntry& other : plugins_) {
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
    plugins_.push_back(entry);
    return false;
  }
  return true;
}

void Catalogue::register_cards(const std::function<void(Registry&)>& enter,
                               std::span<const Importer> importers, const std::string& file) {
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
    Catalogue own;  // finds names that the plugin uses twice
    batch.visit([&](const auto& card) {
      plugin::check_card(card);
      own.require_free(card, file);
      require_free(card, file);
      own.shelf<std::remove_cvref_t<decltype(card)>>().put(card, kLinkedIn);
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
  batch.visit([&](const auto& card) {
    shelf<std::remove_cvref_t<decltype(card)>>().put(card, plugins_.size());
  });
}

bool Catalogue::knows_file(const std::string& path) const {
  return std::any_of(plugins_.begin(), plugins_.end(), [&](const PluginEntry& entry) {
    return entry.path == path && entry.status == PluginEntry::Status::loaded;
  });
}

template <class Card>
void Catalogue::require_free(const Card& card, const std::string& file) const {
  for (const auto& [key, held] : shelf<Card>()) {
    const Card& other = held.card;
    if (!clash(card, other)) continue;
    std::string whose;
    if constexpr (std::is_same_v<Card, AgentCard>)
      whose = other.game.empty() ? " that plays any game" : " of the game " + in_quotes(other.game);
    const PluginEntry* entry = plugin_at(held.plugin);
    const std::string problem =
        "there is " + kind_of(card) + " named " + in_quotes(card.id) + whose + " already";
    if (entry == nullptr)
      throw Error(ErrorKind::invalid, problem, "", "give one of the two another name");
    if (entry->place == kReplaces)
      throw NameTaken(ErrorKind::invalid, replaced_by(*entry) + ": both bring " + kind_of(card) +
                                              " named " + in_quotes(card.id) + whose);
    throw NameTaken(ErrorKind::invalid, problem + ": " + entry->path + " brings it", "",
                    "give one of the two another name" + how_to_replace(*entry, file));
  }
}

template <class Card>
void Catalogue::add_linked_in(const Card& card) {
  plugin::check_card(card);
  require_free(card, "");
  shelf<Card>().put(card, kLinkedIn);
}

void Catalogue::add(const Game& game) {
  add_linked_in(game);
}
void Catalogue::add(const AgentCard& agent) {
  add_linked_in(agent);
}
void Catalogue::add(const PartCard& part) {
  add_linked_in(part);
}
void Catalogue::add(const ProviderCard& provider) {
  add_linked_in(provider);
}
void Catalogue::add(const PluginCommand& command) {
  add_linked_in(command);
}
void Catalogue::add(const TableCard& table) {
  add_linked_in(table);
}

std::vector<const Game*> Catalogue::games() const {
  return shelf<Game>().cards();
}
std::vector<const AgentCard*> Catalogue::agents() const {
  return shelf<AgentCard>().cards();
}
std::vector<const Importer*> Catalogue::importers() const {
  return shelf<Importer>().cards();
}
std::vector<const PartCard*> Catalogue::parts() const {
  return shelf<PartCard>().cards();
}
std::vector<const ProviderCard*> Catalogue::providers() const {
  return shelf<ProviderCard>().cards();
}
std::vector<const PluginCommand*> Catalogue::commands() const {
  return shelf<PluginCommand>().cards();
}
std::vector<const TableCard*> Catalogue::tables() const {
  return shelf<TableCard>().cards();
}

std::vector<const AgentCard*> Catalogue::agents(std::string_view game) const {
  std::vector<const AgentCard*> out = agents();
  std::erase_if(out, [&](const AgentCard* c) { return !c->game.empty() && c->game != game; });
  std::sort(out.begin(), out.end(),
            [](const AgentCard* a, const AgentCard* b) { return a->id < b->id; });
  return out;
}

bool Catalogue::has_game(std::string_view id) const {
  return shelf<Game>().find(id) != nullptr;
}

bool Catalogue::has_agent(std::string_view id, std::string_view game) const {
  return shelf<AgentCard>().find(AgentKey(game, id)) != nullptr ||
         shelf<AgentCard>().find(AgentKey("", id)) != nullptr;
}

std::string Catalogue::hint(const std::string& what) const {
  std::string out = "'agon list' shows all " + what;
  // Plugins are mostly refused together, for one reason: it is said once.
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  std::size_t count = 0;
  bool any = false;
  for (const PluginEntry& entry : plugins_) {
    any = any || entry.status == PluginEntry::Status::loaded;
    if (entry.status != PluginEntry::Status::refused) continue;
    ++count;
    const auto same = std::find_if(reasons.begin(), reasons.end(),
                                   [&](const auto& r) { return r.first == entry.reason; });
    if (same == reasons.end())
      reasons.push_back({entry.reason, {entry.path}});
    else
      same->second.push_back(entry.path);
  }
  if (count > 0)
    out += "; " + std::to_string(count) + (count == 1 ? " plugin was" : " plugins were") +
           " refused: ";
  // Three of each are enough to see the pattern; 'agon list' has them all.
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < std::min(reasons.size(), kShown); ++i) {
    const auto& [reason, paths] = reasons[i];
    out += i == 0 ? "" : "; ";
    out += text::joined(paths | std::views::take(kShown));
    if (paths.size() > kShown) out += " and " + std::to_string(paths.size() - kShown) + " more";
    out += " (" + reason + ")";
  }
  if (reasons.size() > kShown)
    out += "; and for " + std::to_string(reasons.size() - kShown) + " other reasons";
  const std::string one = " " + what.substr(0, what.size() - 1);
  for (const PluginEntry& entry : plugins_) {
    if (entry.status != PluginEntry::Status::loaded) continue;
    std::vector<std::string> kept_out = entry.left_out;
    std::erase_if(kept_out, [&](const std::string& text) {
      return !text.ends_with(one) && !text.ends_with(what);
    });
    if (kept_out.empty()) continue;
    out += "; " + entry.path + " also brings " + text::joined(kept_out) +
           ", not from a process of its own; " + trusting(entry);
  }
  if (!any && count == 0 && !searched_.empty())
    out += "; no plugin was found in " + text::joined(searched_);
  return out;
}

const Game& Catalogue::game(std::string_view id) const {
  if (const auto* found = shelf<Game>().find(id)) return found->card;
  throw Error(ErrorKind::not_found,
              "unknown game " + in_quotes(id) + text::did_you_mean(id, shelf<Game>().ids()), "",
              hint("games"));
}

const Game& Catalogue::game(const GameFile& file) const {
  return card_of<Game>(file, "game");
}

const Importer& Catalogue::importer(const GameFile& file) const {
  return card_of<Importer>(file, "importer");
}

template <class Card>
const Card& Catalogue::card_of(const GameFile& file, const std::string& what) const {
  const std::string path = file.file.string();
  const Card* found = nullptr;
  std::vector<std::string> known;
  for (const auto& [key, held] : shelf<Card>()) {
    const PluginEntry* entry = plugin_at(held.plugin);
    if (entry == nullptr || entry->path != path) continue;
    known.emplace_back(held.card.id);
    if (file.id.empty() || file.id == held.card.id) found = &held.card;
  }
  const auto refuse = [&](std::string problem, std::string hint) {
    throw Error(ErrorKind::not_found, std::move(problem), path, std::move(hint));
  };
  if (known.empty())
    refuse(knows_file(path) ? "the plugin brings no " + what
                            : "the plugin of this " + what + " is not loaded",
           "load it with --plugin, and name its " + what);
  if (found == nullptr)
    refuse("the plugin brings no " + what + " " + in_quotes(std::string_view(file.id)) +
               text::did_you_mean(file.id, known),
           "name one of its " + what + "s");
  if (file.id.empty() && known.size() > 1)
    refuse("the plugin brings " + std::to_string(known.size()) + " " + what + "s",
           "name one behind the file: FILE:" + known.front() + ", FILE:" + known.back());
  return *found;
}

const AgentCard& Catalogue::agent(std::string_view id, std::string_view game) const {
  for (const std::string_view of : {game, std::string_view()})
    if (const auto* found = shelf<AgentCard>().find(AgentKey(of, id))) return found->card;
  std::string plays;
  for (const AgentCard* card : agents())
    if (card->id == id) plays += (plays.empty() ? "" : ", ") + std::string(card->game);
  if (!plays.empty())
    throw Error(ErrorKind::not_found,
                "the agent " + in_quotes(id) + " plays " + plays + " and not " + in_quotes(game),
                "", "'agon list' shows which agents play what");
  std::vector<std::string> known;
  for (const AgentCard* card : agents(game)) known.emplace_back(card->id);
  throw Error(ErrorKind::not_found,
              "unknown agent " + in_quotes(id) + " for the game " + in_quotes(game) +
                  text::did_you_mean(id, known),
              "", hint("agents"));
}

const Importer& Catalogue::importer(std::string_view id) const {
  if (const auto* found = shelf<Importer>().find(id)) return found->card;
  throw Error(ErrorKind::not_found,
              "unknown importer " + in_quotes(id) + text::did_you_mean(id, shelf<Importer>().ids()),
              "", hint("importers"));
}

const ProviderCard& Catalogue::provider(std::string_view id) const {
  if (const auto* found = shelf<ProviderCard>().find(id)) return found->card;
  throw Error(
      ErrorKind::not_found,
      "unknown provider " + in_quotes(id) + text::did_you_mean(id, shelf<ProviderCard>().ids()), "",
      hint("providers"));
}

const TableCard& Catalogue::table(std::string_view id) const {
  if (const auto* found = shelf<TableCard>().find(id)) return found->card;
  const std::vector<std::string> known = shelf<TableCard>().ids();
  std::string near = text::did_you_mean(id, known);
  std::string of_papers;  // where the paper was left out
  for (const std::string& name : known)
    if (std::string_view(name).substr(name.find('/') + 1) == id)
      of_papers += (of_papers.empty() ? "'" : " or '") + name + "'";
  if (!of_papers.empty()) near = " (did you mean " + of_papers + "?)";
  throw Error(ErrorKind::not_found, "unknown table " + in_quotes(id) + near, "",
              "'agon report --list-paper-tables' shows them");
}

const PartCard& Catalogue::part_card(PartKind kind, std::string_view id,
                                     std::string_view game) const {
  for (const std::string_view of : {game, std::string_view()})
    if (const auto* found = shelf<PartCard>().find(PartKey(kind, id, of))) return found->card;
  const std::string what(name_of(kind));
  std::vector<std::string> known;
  std::string plays;
  for (const PartCard* card : parts()) {
    if (card->kind != kind) continue;
    known.emplace_back(card->id);
    if (card->id == id) plays += (plays.empty() ? "" : ", ") + std::string(card->game);
  }
  if (!plays.empty())
    throw PartElsewhere(ErrorKind::not_found,
                        "the " + what + " part " + in_quotes(id) + " is for " + plays +
                            " and not for " + in_quotes(game),
                        "", "'agon list components' shows which components are for what");
  throw Error(ErrorKind::not_found,
              "unknown " + what + " part " + in_quotes(id) + text::did_you_mean(id, known), "",
              hint("components"));
}

std::shared_ptr<const void> Catalogue::part(PartKind kind, std::string_view spec,
                                            std::string_view game) const {
  const std::string where(name_of(kind));
  plugin::ShortForm form = plugin::parse_short(spec, where);
  const PartCard& card = part_card(kind, form.id, game);
  Value params(*card.params);
  auto problem = read_value(*card.params, params.get(), boost::json::value(std::move(form.params)),
                            Missing::keeps);
  if (!problem) problem = find_problem(*card.params, params.get());
  if (problem)
    throw Error(ErrorKind::invalid, "in '" + std::string(spec) + "': " + problem->text(), where,
                "see 'agon describe " + form.id + "'");
  try {
    return card.make(params.get());
  } catch (const Error& error) {
    throw Error(ErrorKind::invalid, error.problem(), where, error.hint());
  }
}

const PluginEntry* Catalogue::plugin_at(std::size_t plugin) const {
  return plugin < plugins_.size() ? &plugins_[plugin] : nullptr;
}

const PluginEntry* Catalogue::plugin_of_game(std::string_view id) const {
  const auto* found = shelf<Game>().find(id);
  return found == nullptr ? nullptr : plugin_at(found->plugin);
}

const remote::RemotePlugin* Catalogue::process_of_game(std::string_view id) const {
  const auto* found = shelf<Game>().find(id);
  const auto started = found == nullptr ? started_.end() : started_.find(found->plugin);
  return started == started_.end() ? nullptr : started->second.get();
}

const PluginEntry* Catalogue::plugin_of_agent(std::string_view id, std::string_view game) const {
  for (const std::string_view of : {game, std::string_view()})
    if (const auto* found = shelf<AgentCard>().find(AgentKey(of, id)))
      return plugin_at(found->plugin);
  return nullptr;
}

std::string Catalogue::version_of(std::string_view game) const {
  const PluginEntry* entry = plugin_of_game(game);
  return entry == nullptr ? "" : entry->version;
}

}  // namespace agon
