#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "command/command.hpp"
#include "command/output.hpp"
#include "describe/value.hpp"
#include "text/layout.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {

AGON_DESCRIBE_ENUM(PluginEntry::Status, (loaded, "what it brings can be used"),
                   (shadowed, "another of its name comes first"), (refused, "see the reason"))

}  // namespace agon

namespace agon::command {
namespace {

namespace bj = boost::json;

/// As tables have a member: a text, words, or the least and the most seats.
std::string plain(const bj::value& value) {
  if (value.is_string()) return std::string(value.as_string());
  const bj::array& list = value.as_array();
  if (list.empty() || list[0].is_string())
    return text::joined(list, " ", [](const bj::value& word) { return plain(word); });
  const std::string least = std::to_string(list[0].as_int64());
  return list[0] == list[1] ? least : least + " to " + std::to_string(list[1].as_int64());
}
std::string or_any(const bj::value& game) {
  return game.as_string().empty() ? "any" : plain(game);
}
std::string first_sentence(const bj::value& doc) {
  const std::string all = plain(doc);
  return text::printable(all.substr(0, all.find(". ")));
}

/// A column of a table for people.
struct ListColumn {
  const char* header;
  const char* member;
  std::string (*cell)(const bj::value& member) = &plain;
  std::size_t limit = 0;  ///< in characters; 0: none
};

/// One kind of what is at hand: rows as `--json` has them, and what people are shown of each.
struct Listing {
  const char* name;
  const char* title;
  bj::array (*rows)(const Catalogue&);
  std::vector<ListColumn> columns;
};

bj::array games(const Catalogue& catalogue) {
  bj::array rows;
  for (const Game* g : catalogue.all<Game>())
    rows.push_back(bj::object{{"id", bj::string(g->id)},
                              {"title", bj::string(g->card.title)},
                              {"seats", bj::array{g->card.seats.min, g->card.seats.max}},
                              {"version", g->card.version}});
  return rows;
}
bj::array agents(const Catalogue& catalogue) {
  bj::array rows;
  for (const AgentCard* a : catalogue.all<AgentCard>())
    rows.push_back(bj::object{
        {"id", bj::string(a->id)}, {"game", bj::string(a->game)}, {"doc", bj::string(a->doc)}});
  return rows;
}
bj::array components(const Catalogue& catalogue) {
  bj::array rows;
  for (const PartCard* p : catalogue.all<PartCard>())
    rows.push_back(bj::object{{"id", bj::string(p->id)},
                              {"kind", bj::string(name_of(p->kind))},
                              {"game", bj::string(p->game)},
                              {"doc", bj::string(p->doc)}});
  return rows;
}
bj::array providers(const Catalogue& catalogue) {
  bj::array rows;
  for (const ProviderCard* p : catalogue.all<ProviderCard>())
    rows.push_back(bj::object{{"id", bj::string(p->id)},
                              {"url", bj::string(p->base_url)},
                              {"key", bj::string(p->key_variable)},
                              {"doc", bj::string(p->doc)}});
  return rows;
}
bj::array importers(const Catalogue& catalogue) {
  bj::array rows;
  for (const Importer* i : catalogue.all<Importer>())
    rows.push_back(bj::object{{"id", i->id},
                              {"doc", i->doc},
                              {"imports", bj::string(name_of(i->imports))},
                              {"source", i->source},
                              {"licence", i->licence}});
  return rows;
}
bj::array plugins(const Catalogue& catalogue) {
  bj::array rows;
  for (const PluginEntry& p : catalogue.plugins()) {
    const char* sandbox = p.status != PluginEntry::Status::loaded ? ""
                          : p.isolated                            ? "sandboxed"
                                                                  : "in-process";
    rows.push_back(bj::object{{"name", p.name},
                              {"version", p.version},
                              {"language", p.language},
                              {"sandbox", sandbox},
                              {"sdk_modules", bj::array(p.kits.begin(), p.kits.end())},
                              {"left_out", bj::array(p.left_out.begin(), p.left_out.end())},
                              {"path", p.path},
                              {"place", p.place},
                              {"status", bj::string(name_of(p.status))},
                              {"reason", p.reason}});
  }
  return rows;
}

const std::vector<Listing>& listings() {
  static const std::vector<Listing> all{
      {"games", "Games", &games, {{"game", "id"}, {"seats", "seats"}, {"title", "title"}}},
      {"agents",
       "Agents",
       &agents,
       {{"game", "game", &or_any}, {"agent", "id"}, {"what it does", "doc", &first_sentence, 80}}},
      {"components",
       "Components of model agents",
       &components,
       {{"kind", "kind"},
        {"component", "id"},
        {"game", "game", &or_any},
        {"what it does", "doc", &first_sentence, 80}}},
      {"providers",
       "Providers of models",
       &providers,
       {{"provider", "id"},
        {"URL", "url"},
        {"key from", "key"},
        {"who it is", "doc", &first_sentence, 80}}},
      {"importers",
       "Importers",
       &importers,
       {{"importer", "id"}, {"what it reads", "doc", &first_sentence, 90}}},
      {"plugins",
       "Plugins",
       &plugins,
       {{"plugin", "name"},
        {"version", "version"},
        {"language", "language"},
        {"runs", "sandbox"},
        {"SDK modules", "sdk_modules"},
        {"status", "status"},
        {"from", "place"},
        {"file", "path"}}}};
  return all;
}

/// What a table cannot hold: why plugins were refused, or what of them is left out.
void print_remarks(const Catalogue& catalogue) {
  for (const PluginEntry& p : catalogue.plugins())
    if (!p.reason.empty())
      print_line("  " + text::printable(p.path + ": " + p.reason));
    else if (!p.left_out.empty())
      print_line(fmt::format("  {}: also brings {}, for those who trust it: --sandbox never",
                             text::printable(p.path), text::joined(p.left_out, ", ")));
  if (!catalogue.plugins().empty()) return;
  print_line("  none; looked in");
  for (const std::string& place : catalogue.searched()) print_line("    " + place);
}

void print_listing(const Listing& listing, const bj::array& rows) {
  std::vector<text::Column> heads;
  for (const ListColumn& column : listing.columns)
    heads.push_back({column.header, text::Align::left, column.limit});
  text::TextTable table(std::move(heads));
  for (const bj::value& row : rows) {
    std::vector<std::string> cells;
    for (const ListColumn& column : listing.columns)
      cells.push_back(column.cell(row.at(column.member)));
    table.add(std::move(cells));
  }
  print_line(heading(listing.title));
  print(table.str(2));
}

int list(Invocation& call) {
  std::string only = call.argument("WHAT");
  if (only == "parts") {
    text::say("warning: list parts is now list components\n");
    only = "components";
  }
  std::vector<std::string> names;
  for (const Listing& listing : listings()) names.emplace_back(listing.name);
  if (!only.empty() && std::find(names.begin(), names.end(), only) == names.end())
    throw Error(ErrorKind::usage,
                "invalid value '" + only + "' for WHAT; expected one of " + text::joined(names));
  const auto wanted = [&](std::string_view what) { return only.empty() || only == what; };
  const Catalogue& catalogue =
      wanted("importers") || wanted("plugins") ? call.catalogue_with_importers() : call.catalogue();
  bj::object all;
  bool is_first = true;
  for (const Listing& listing : listings()) {
    if (!wanted(listing.name)) continue;
    bj::array rows = listing.rows(catalogue);
    if (call.json()) {
      all[listing.name] = std::move(rows);
      continue;
    }
    if (!std::exchange(is_first, false)) print_line("");
    print_listing(listing, rows);
    if (listing.rows == &plugins) print_remarks(catalogue);
  }
  if (call.json()) print_json(std::move(all));
  return 0;
}

}  // namespace

Command list_command() {
  return {{"list",
           "list games, agents, components, providers, importers and plugins",
           "",
           {{"WHAT", "games, agents, components, providers, importers or plugins (default: all)",
             false, "games|agents|components|providers|importers|plugins"}}},
          &list};
}

}  // namespace agon::command
