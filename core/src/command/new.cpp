#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>

#include "command/command.hpp"
#include "command/new_folder.hpp"
#include "command/out_file.hpp"
#include "json/write.hpp"
#include "plugin/short_form.hpp"
#include "text/say.hpp"
#include "text/shell.hpp"

namespace agon::command {
namespace {

namespace po = boost::program_options;

/// The one that the game's card names; else a strategy of the game itself that plays every role,
/// if there is one; else the first for any game. As JSON.
std::string reference_for(const Catalogue& catalogue, const Game& game) {
  if (!game.card.reference.empty()) {
    const plugin::ShortForm form =
        plugin::parse_short(game.card.reference, "the reference of " + std::string(game.id));
    if (form.params.empty()) return json::write(boost::json::string(form.id));
    return json::write(boost::json::object{{form.id, form.params}});
  }
  for (const AgentCard* a : catalogue.agents(game.id))
    if (!a->game.empty() && a->roles.empty()) return json::write(boost::json::string(a->id));
  return json::write(boost::json::string("default"));
}

/// The member by which editors find the schema that ships, if it does; with a line break.
std::string schema_member() {
  const std::filesystem::path schema =
      std::filesystem::path(shipped_folders("schema").front()) / "suite.schema.json";
  std::error_code none;
  if (!std::filesystem::exists(schema, none)) return {};
  return "  \"$schema\": " + json::write(boost::json::string("file://" + schema.string())) + ",\n";
}

std::string suite_text(const Catalogue& catalogue, const std::vector<const Game*>& games,
                       const std::string& name) {
  std::string references, scenarios;
  for (const Game* g : games) {
    references += fmt::format("{}      \"{}\": {}", references.empty() ? "" : ",\n", g->id,
                              reference_for(catalogue, *g));
    scenarios += fmt::format("{}    {{ \"game\": \"{}\" }}", scenarios.empty() ? "" : ",\n", g->id);
  }
  return fmt::format(R"(// A benchmark for agon. Play it with:  agon run {0}.json
// Keys are explained by:  agon describe suite;  settings of a game by:  agon describe GAME
{{
{3}  "suite": "{0}",
  "seed": 1,  // of chance: the same seed deals the same matches
  "agents": {{
    "floor": "random",
    "reference": {{ "rule": {{
{1}
    }} }}
  }},
  // Each focal agent plays among copies of the field agent, on every seat, on the same blocks.
  "design": {{ "focal": ["floor", "reference"], "field": "reference", "seats": "all", "blocks": 20 }},
  "scenarios": [
{2}
  ],
  "report": {{ "against": "reference", "level": 0.95 }}
}}
)",
                     name, references, scenarios, schema_member());
}

int make_suite(Invocation& call) {
  for (const char* option : {"language", "in"})
    if (call.has(option))
      throw Error(ErrorKind::usage, fmt::format("--{} is for games and agents", option), "",
                  "a suite's NAME may have a folder in front");
  const Catalogue& catalogue = call.catalogue();
  std::string name = call.argument("NAME");
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  std::vector<const Game*> games;
  for (const std::string& id : call.texts("game")) games.push_back(&catalogue.game(id));
  if (games.empty()) games = catalogue.games();
  if (games.empty())
    throw Error(ErrorKind::not_found, "no game is at hand", "", "see 'agon list plugins'");
  const std::string path = name + ".json";
  std::error_code none;
  if (std::filesystem::exists(path, none))
    throw Error(ErrorKind::failure, "there is such a file already", path,
                "choose another name, or remove it");
  OutFile file(path);
  file.stream() << suite_text(catalogue, games, std::filesystem::path(name).filename().string());
  file.keep();
  if (call.json()) print_line(json::write_pretty(boost::json::object{{"suite", path}}));
  if (call.quiet())
    text::say("wrote {}\n", path);
  else
    text::say("wrote {0}; play it with: agon run {1} --report\n", path, text::shell_word(path));
  return 0;
}

int make_new(Invocation& call) {
  const std::string what = call.argument("WHAT");
  if (what == "suite") return make_suite(call);
  if (what == "game" || what == "agent") return make_new_folder(call, what);
  throw Error(ErrorKind::usage, "there is nothing to make called '" + what + "'", "",
              "write: agon new suite NAME, agon new game NAME or agon new agent NAME");
}

}  // namespace

Command new_command() {
  Command c{{"new",
             "a suite, a game or an agent to start from",
             "",
             {{"WHAT", "suite, game or agent", true, "suite|game|agent"},
              {"NAME", "of the file, with or without .json; of the game or agent"}}},
            &make_new};
  // clang-format off
  c.synopsis.options.add_options()
      ("game", po::value<std::vector<std::string>>()->value_name("GAME")->composing(), "of a suite: a scenario of this game; may be repeated; default: all. Of an agent: the one game it plays; default: any")
      ("language", po::value<std::string>()->value_name("python|cpp"), "what a game or an agent is written in; default: python")
      ("in", po::value<std::string>()->value_name("FOLDER"), "where the folder of a game or an agent is made; default: here");
  // clang-format on
  c.synopsis.details =
      "Example\n"
      "  agon new game my-game --language python\n";
  return c;
}

}  // namespace agon::command
