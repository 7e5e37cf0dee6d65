#include "plugin/catalogue.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/value.hpp>

#include "describe/read.hpp"
#include "describe/value.hpp"
#include "plugin/card.hpp"
#include "plugin/plugin_file.hpp"
#include "plugin/search_path.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {

AGON_DESCRIBE_ENUM(PartKind, (persona, "who it is"), (memory, "what it is shown of the past"),
                   (learning, "what it takes to rounds and matches to come"),
                   (planning, "what it thinks of ahead"), (beliefs, "what it takes to be so"),
                   (reasoning, "how it comes to an answer"), (form, "how it writes one"),
                   (tools, "what it may call before it answers"))

namespace {

using PartKey = std::tuple<PartKind, std::string, std::string>;

std::string in_quotes(std::string_view name) {
  return "'" + text::printable(name) + "'";
}

/// How to have all that a plugin brings.
std::string trusting(const PluginEntry& entry) {
  return plugin::comes_with_agon(entry.path) ? "it comes with Agon: --sandbox auto"
                                             : "if you trust it: --sandbox never";
}

template <class Card>
std::vector<std::string> ids_of(const std::vector<const Card*>& cards) {
  std::vector<std::string> out;
  for (const Card* card : cards) out.emplace_back(card->id);
  return out;
}

/// How to list `what`, and what was refused or where nothing was found.
std::string hint(const Catalogue& catalogue, const std::string& what) {
  std::string out = "'agon list' shows all " + what;
  // Plugins are mostly refused together, for one reason: it is said once.
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  std::size_t count = 0;
  bool any = false;
  for (const PluginEntry& entry : catalogue.plugins()) {
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
    out += text::joined_first(paths, kShown);
    out += " (" + reason + ")";
  }
  if (reasons.size() > kShown)
    out += "; and for " + std::to_string(reasons.size() - kShown) + " other reasons";
  const std::string one = " " + what.substr(0, what.size() - 1);
  for (const PluginEntry& entry : catalogue.plugins()) {
    if (entry.status != PluginEntry::Status::loaded) continue;
    std::vector<std::string> kept_out = entry.left_out;
    std::erase_if(kept_out, [&](const std::string& text) {
      return !text.ends_with(one) && !text.ends_with(what);
    });
    if (kept_out.empty()) continue;
    out += "; " + entry.path + " also brings " + text::joined(kept_out) +
           ", not from a process of its own; " + trusting(entry);
  }
  if (!any && count == 0 && !catalogue.searched().empty())
    out += "; no plugin was found in " + text::joined(catalogue.searched());
  return out;
}

/// The card of that name; `what` kind, for messages: "game".
template <class Card>
const Card& known(const Catalogue& catalogue, std::string_view id, const std::string& what) {
  if (const auto* found = catalogue.find<Card>(id)) return found->card;
  throw Error(ErrorKind::not_found,
              "unknown " + what + " " + in_quotes(id) +
                  text::did_you_mean(id, ids_of(catalogue.all<Card>())),
              "", hint(catalogue, what + "s"));
}

/// The card of that kind that a file brings.
template <class Card>
const Card& card_of(const Catalogue& catalogue, const GameFile& file, const std::string& what) {
  const std::string path = file.file.string();
  const Card* found = nullptr;
  std::vector<std::string> known;
  for (const Card* card : catalogue.all<Card>()) {
    const PluginEntry* entry = catalogue.find<Card>(plugin::key_of(*card))->plugin;
    if (entry == nullptr || entry->path != path) continue;
    known.emplace_back(card->id);
    if (file.id.empty() || file.id == card->id) found = card;
  }
  const auto refuse = [&](std::string problem, std::string hint) {
    throw Error(ErrorKind::not_found, std::move(problem), path, std::move(hint));
  };
  if (known.empty())
    refuse(catalogue.knows_file(path) ? "the plugin brings no " + what
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

}  // namespace

std::string_view name_of(PartKind kind) {
  return name_of<PartKind>(kind);
}

bool Catalogue::knows_file(const std::string& path) const {
  return std::any_of(plugins_.begin(), plugins_.end(), [&](const PluginEntry& entry) {
    return entry.path == path && entry.status == PluginEntry::Status::loaded;
  });
}

std::vector<const AgentCard*> Catalogue::agents_of(std::string_view game) const {
  std::vector<const AgentCard*> out = all<AgentCard>();
  std::erase_if(out, [&](const AgentCard* c) { return !c->game.empty() && c->game != game; });
  std::sort(out.begin(), out.end(),
            [](const AgentCard* a, const AgentCard* b) { return a->id < b->id; });
  return out;
}

const plugin::Registered<AgentCard>* Catalogue::find_agent(std::string_view id,
                                                           std::string_view game) const {
  using AgentKey = std::pair<std::string, std::string>;
  const auto* own = find<AgentCard>(AgentKey(game, id));
  return own != nullptr ? own : find<AgentCard>(AgentKey("", id));
}

const Game& Catalogue::game(std::string_view id) const {
  return known<Game>(*this, id, "game");
}
const Game& Catalogue::game(const GameFile& file) const {
  return card_of<Game>(*this, file, "game");
}
const Importer& Catalogue::importer(std::string_view id) const {
  return known<Importer>(*this, id, "importer");
}
const Importer& Catalogue::importer(const GameFile& file) const {
  return card_of<Importer>(*this, file, "importer");
}
const ProviderCard& Catalogue::provider(std::string_view id) const {
  return known<ProviderCard>(*this, id, "provider");
}

const AgentCard& Catalogue::agent(std::string_view id, std::string_view game) const {
  if (const auto* found = find_agent(id, game)) return found->card;
  std::string plays;
  for (const AgentCard* card : all<AgentCard>())
    if (card->id == id) plays += (plays.empty() ? "" : ", ") + std::string(card->game);
  if (!plays.empty())
    throw Error(ErrorKind::not_found,
                "the agent " + in_quotes(id) + " plays " + plays + " and not " + in_quotes(game),
                "", "'agon list' shows which agents play what");
  throw Error(ErrorKind::not_found,
              "unknown agent " + in_quotes(id) + " for the game " + in_quotes(game) +
                  text::did_you_mean(id, ids_of(agents_of(game))),
              "", hint(*this, "agents"));
}

const TableCard& Catalogue::table(std::string_view id) const {
  if (const auto* found = find<TableCard>(id)) return found->card;
  const std::vector<std::string> known = ids_of(all<TableCard>());
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
    if (const auto* found = find<PartCard>(PartKey(kind, id, of))) return found->card;
  const std::string what(name_of(kind));
  std::vector<std::string> known;
  std::string plays;
  for (const PartCard* card : all<PartCard>()) {
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
              hint(*this, "components"));
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

const PluginEntry* Catalogue::plugin_of_game(std::string_view id) const {
  const auto* found = find<Game>(id);
  return found == nullptr ? nullptr : found->plugin;
}

std::string version_of_plugin(const Catalogue& catalogue, std::string_view game) {
  const PluginEntry* entry = catalogue.plugin_of_game(game);
  return entry == nullptr ? "" : entry->version;
}

}  // namespace agon
