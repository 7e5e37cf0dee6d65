#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "command/command.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"

namespace agon {

AGON_DESCRIBE_ENUM(PluginEntry::Status, (loaded, "what it brings can be used"),
                   (shadowed, "another of its name comes first"), (refused, "see the reason"))

}  // namespace agon

namespace agon::command {
namespace {

namespace bj = boost::json;

std::string players(const Game& game) {
  const Seats& s = game.card.seats;
  return s.min == s.max ? std::to_string(s.min)
                        : std::to_string(s.min) + " to " + std::to_string(s.max);
}

/// The first sentence.
std::string title_of(std::string_view doc) {
  return std::string(doc.substr(0, doc.find(". ")));
}

/// Whether the plugin is locked in, or could do whatever this process can; nothing where none of it
/// runs.
std::string_view posture(const PluginEntry& plugin) {
  if (plugin.status != PluginEntry::Status::loaded) return "";
  return plugin.isolated ? "isolated" : "trusted";
}

int list(Invocation& call) {
  const std::string only = call.argument("WHAT");
  const auto wanted = [&](std::string_view what) { return only.empty() || only == what; };
  if (!only.empty() && only != "games" && only != "agents" && only != "parts" &&
      only != "providers" && only != "importers" && only != "plugins")
    throw Error(ErrorKind::usage,
                "invalid value '" + only +
                    "' for WHAT; expected games, agents, parts, providers, importers or plugins");
  const Catalogue& catalogue =
      wanted("importers") || wanted("plugins") ? call.catalogue_with_importers() : call.catalogue();
  if (call.json()) {
    bj::object all;
    bj::array games, agents, parts, providers, importers, plugins;
    for (const Game* g : catalogue.games())
      games.push_back(bj::object{{"id", bj::string(g->id)},
                                 {"title", bj::string(g->card.title)},
                                 {"seats", bj::array{g->card.seats.min, g->card.seats.max}},
                                 {"version", g->card.version}});
    for (const AgentCard* a : catalogue.agents())
      agents.push_back(bj::object{
          {"id", bj::string(a->id)}, {"game", bj::string(a->game)}, {"doc", bj::string(a->doc)}});
    for (const PartCard* p : catalogue.parts())
      parts.push_back(bj::object{{"id", bj::string(p->id)},
                                 {"kind", bj::string(name_of(p->kind))},
                                 {"game", bj::string(p->game)},
                                 {"doc", bj::string(p->doc)}});
    for (const ProviderCard* p : catalogue.providers())
      providers.push_back(bj::object{{"id", bj::string(p->id)},
                                     {"url", bj::string(p->base_url)},
                                     {"key", bj::string(p->key_variable)},
                                     {"doc", bj::string(p->doc)}});
    for (const Importer* i : catalogue.importers())
      importers.push_back(bj::object{{"id", i->id},
                                     {"doc", i->doc},
                                     {"imports", bj::string(name_of(i->imports))},
                                     {"source", i->source},
                                     {"licence", i->licence}});
    for (const PluginEntry& p : catalogue.plugins())
      plugins.push_back(bj::object{{"name", p.name},
                                   {"version", p.version},
                                   {"language", p.language},
                                   {"posture", bj::string(posture(p))},
                                   {"kits", bj::array(p.kits.begin(), p.kits.end())},
                                   {"left_out", bj::array(p.left_out.begin(), p.left_out.end())},
                                   {"path", p.path},
                                   {"place", p.place},
                                   {"status", bj::string(name_of(p.status))},
                                   {"reason", p.reason}});
    if (wanted("games")) all["games"] = std::move(games);
    if (wanted("agents")) all["agents"] = std::move(agents);
    if (wanted("parts")) all["parts"] = std::move(parts);
    if (wanted("providers")) all["providers"] = std::move(providers);
    if (wanted("importers")) all["importers"] = std::move(importers);
    if (wanted("plugins")) all["plugins"] = std::move(plugins);
    print_line(json::write_pretty(bj::value(std::move(all))));
    return 0;
  }
  if (wanted("games")) {
    print_line(heading("Games"));
    text::Table table({{"game"}, {"seats"}, {"title"}});
    for (const Game* g : catalogue.games())
      table.add({std::string(g->id), players(*g), std::string(g->card.title)});
    print(table.str(2));
  }
  if (wanted("agents")) {
    print_line("\n" + heading("Agents"));
    text::Table table({{"game"}, {"agent"}, {"what it does", text::Align::left, 80}});
    for (const AgentCard* a : catalogue.agents())
      table.add(
          {a->game.empty() ? "any" : std::string(a->game), std::string(a->id), title_of(a->doc)});
    print(table.str(2));
  }
  if (wanted("parts")) {
    print_line("\n" + heading("Parts of model agents"));
    text::Table table({{"kind"}, {"part"}, {"game"}, {"what it does", text::Align::left, 80}});
    for (const PartCard* p : catalogue.parts())
      table.add({std::string(name_of(p->kind)), std::string(p->id),
                 p->game.empty() ? "any" : std::string(p->game), title_of(p->doc)});
    print(table.str(2));
  }
  if (wanted("providers")) {
    print_line("\n" + heading("Providers of models"));
    text::Table table({{"provider"}, {"URL"}, {"key from"}, {"who it is", text::Align::left, 80}});
    for (const ProviderCard* p : catalogue.providers())
      table.add({std::string(p->id), std::string(p->base_url), std::string(p->key_variable),
                 title_of(p->doc)});
    print(table.str(2));
  }
  if (wanted("importers")) {
    print_line("\n" + heading("Importers"));
    text::Table table({{"importer"}, {"what it reads", text::Align::left, 90}});
    for (const Importer* i : catalogue.importers()) table.add({i->id, text::printable(i->doc)});
    print(table.str(2));
  }
  if (wanted("plugins")) {
    print_line("\n" + heading("Plugins"));
    text::Table table({{"plugin"},
                       {"version"},
                       {"language"},
                       {"posture"},
                       {"kits"},
                       {"status"},
                       {"from"},
                       {"file"}});
    for (const PluginEntry& p : catalogue.plugins())
      table.add({p.name, p.version, p.language, std::string(posture(p)),
                 fmt::format("{}", fmt::join(p.kits, " ")), std::string(name_of(p.status)), p.place,
                 p.path});
    print(table.str(2));
    for (const PluginEntry& p : catalogue.plugins())
      if (!p.reason.empty())
        print_line("  " + text::printable(p.path + ": " + p.reason));
      else if (!p.left_out.empty())
        print_line(fmt::format("  {}: also brings {}, for those who trust it: --sandbox never",
                               text::printable(p.path), fmt::join(p.left_out, ", ")));
    if (catalogue.plugins().empty()) {
      print_line("  none; looked in");
      for (const std::string& place : catalogue.searched()) print_line("    " + place);
    }
  }
  return 0;
}

}  // namespace

Command list_command() {
  return {{"list",
           "list games, agents, parts, providers, importers and plugins",
           "",
           {{"WHAT", "games, agents, parts, providers, importers or plugins (default: all)", false,
             "games|agents|parts|providers|importers|plugins"}}},
          &list};
}

}  // namespace agon::command
