#include <fmt/format.h>
#include <sys/stat.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "command/command.hpp"
#include "command/output.hpp"
#include "json/write.hpp"
#include "plugin/card.hpp"
#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// Words of a template and what stands for them in the copy. Where one begins with another, the
/// longer comes first.
using Wording = std::vector<std::pair<std::string, std::string>>;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream)
    throw Error(ErrorKind::failure, "a template of Agon cannot be read", file.string(),
                "reinstall Agon");
  return text;
}

void write(const fs::path& file, const std::string& text, fs::perms permissions) {
  OutFile out(file.string());
  out.stream() << text;
  out.keep();
  fs::permissions(file, permissions & fs::perms::owner_exec, fs::perm_options::add);
}

/// `text` with every word exchanged, in one go: what was put in is not looked at again.
std::string reworded(const std::string& text, const Wording& wording) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto word = std::find_if(wording.begin(), wording.end(), [&](const auto& pair) {
      return text.compare(at, pair.first.size(), pair.first) == 0;
    });
    if (word == wording.end()) {
      out += text[at++];
    } else {
      out += word->second;
      at += word->first.size();
    }
  }
  return out;
}

/// Makes `folder` with all files of `source`, texts and file names reworded; returns their paths,
/// in order of their names. Throws Error (failure) if the folder already exists, or
/// if it cannot be written; nothing is left behind then.
std::vector<std::string> copy_template(const fs::path& source, const fs::path& folder,
                                       const Wording& wording) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entries(source, error); !error && entries != fs::directory_iterator();
       entries.increment(error))
    if (entries->is_regular_file()) files.push_back(entries->path());
  if (files.empty())
    throw Error(ErrorKind::not_found, "a template of Agon is missing", source.string(),
                "reinstall Agon");
  std::sort(files.begin(), files.end());
  if (::mkdir(folder.c_str(), 0777) != 0) {
    if (errno == EEXIST)
      throw Error(ErrorKind::failure, "the folder already exists", folder.string(),
                  "choose another name, or another folder with --directory FOLDER");
    refuse_to_write(folder.string(), errno);
  }
  std::vector<std::string> made;
  try {
    for (const fs::path& file : files) {
      const fs::path copy = folder / reworded(file.filename().string(), wording);
      write(copy, reworded(content_of(file), wording), fs::status(file).permissions());
      made.push_back(copy.string());
    }
  } catch (...) {
    fs::remove_all(folder, error);
    throw;
  }
  return made;
}

/// What is to be made.
struct ScaffoldOptions {
  std::string what;        ///< "game" or "agent"
  bool cpp = false;        ///< else in Python
  std::string name;        ///< of the game or agent: "my-game"
  std::string identifier;  ///< of files and the namespace: "my_game"
  /// That the agent's suite plays; null for a game.
  const Game* game = nullptr;
  bool for_one_game = false;  ///< the agent plays `game` alone
  /// Of the plugin of `game`, where it is none that is found without being named.
  std::string plugin;
};

void check_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), fits) || name.front() < 'a' ||
      name.back() == '-' || name.find("--") != std::string::npos)
    throw Error(ErrorKind::usage,
                "invalid name '" + text::printable(name) +
                    "': use a-z, 0-9 and single hyphens, starting with a letter",
                "", "for example my-game; use --directory FOLDER to choose the folder");
}

/// Two plugins with one name cannot both be loaded, nor can two games or agents.
void check_free(const Catalogue& catalogue, const ScaffoldOptions& wanted) {
  const auto refuse = [&](const std::string& what, const std::string& where) {
    throw Error(ErrorKind::failure, what + " '" + wanted.name + "' already exists", where,
                "choose another name");
  };
  if (wanted.what == "game" && catalogue.find<Game>(wanted.name)) {
    const PluginEntry* plugin = catalogue.plugin_of_game(wanted.name);
    refuse("game", plugin == nullptr ? "" : plugin->path);
  }
  if (wanted.what == "agent")
    for (const AgentCard* agent : catalogue.all<AgentCard>())
      if (agent->id == wanted.name) refuse("agent", "");
  for (const PluginEntry& plugin : catalogue.plugins())
    if (plugin.name == wanted.name) refuse("plugin", plugin.path);
}

/// "my-game" is "my_game", "ultimatum" is "ultimatum_game": no word that C++ or Python keeps for
/// itself, and no module of theirs.
std::string identifier_of(const std::string& name, const std::string& what) {
  std::string identifier = name.ends_with("-" + what) ? name : name + "-" + what;
  std::replace(identifier.begin(), identifier.end(), '-', '_');
  return identifier;
}

std::string title_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

/// A line for each stage, to be filled in.
std::string stages_of(const Game& game, bool cpp) {
  std::string lines;
  for (const StageCard& stage : game.stages) {
    if (stage.probe) continue;
    const std::string doc = text::printable(stage.doc);
    if (cpp)
      lines +=
          fmt::format("    // {}\n    if (question.stage() == \"{}\") return question.draw();\n",
                      doc, stage.name);
    else
      lines +=
          fmt::format("    if question.stage == \"{}\":  # {}\n        return question.draw()\n",
                      stage.name, doc);
  }
  return lines;
}

/// How what plays the game of a plugin that has to be named says so: by its file, and the game
/// behind it where there are several.
Wording by_file(const ScaffoldOptions& wanted, const Catalogue& catalogue) {
  if (wanted.plugin.empty()) return {};
  const auto& games = catalogue.all<Game>();
  const bool is_alone = std::none_of(games.begin(), games.end(), [&](const Game* other) {
    const PluginEntry* entry = catalogue.plugin_of_game(other->id);
    return other != wanted.game && entry != nullptr && entry->path == wanted.plugin;
  });
  const std::string game(wanted.game->id);
  const std::string file = is_alone ? wanted.plugin : wanted.plugin + ":" + game;
  const std::string plugin = " --plugin " + text::shell_word(wanted.plugin);
  const std::string checked = wanted.for_one_game ? "--game " + text::shell_word(file) + " " : "";
  return {{"play the-game", "play " + text::shell_word(file)},
          {"describe the-game", "describe " + game + plugin},
          {"check-agent python3", "check-agent " + checked + "python3"},
          {"\"game\": \"the-game\"", "\"game\": " + json::write(boost::json::string(file))},
          {"replay \"$out/cautious.agon\"", "replay \"$out/" + wanted.name + ".agon\"" + plugin},
          {"suite.json --plugin", "suite.json --trust --plugin"},
          {"suite.json\" --plugin", "suite.json\" --trust --plugin"}};
}

Wording wording_of(const ScaffoldOptions& wanted, const std::string& package,
                   const Catalogue& catalogue) {
  const std::string word = wanted.what == "game" ? "ultimatum" : "cautious";
  Wording wording = by_file(wanted, catalogue);
  wording.insert(wording.end(), {{word + "_" + wanted.what, wanted.identifier},
                                 {word, wanted.name},
                                 {title_of(word), title_of(wanted.name)}});
  if (wanted.cpp)
    wording.emplace_back(" -DCMAKE_PREFIX_PATH=\"$HOME/agon\"",
                         package.empty() ? "" : " " + text::shell_word(package));
  if (wanted.game == nullptr) return wording;
  const std::string game(wanted.game->id);
  wording.emplace_back("the-game", game);
  if (!wanted.for_one_game) return wording;
  // Who plays one game alone need not answer the stages that check-agent makes up.
  wording.emplace_back("check-agent python3", "check-agent --game " + game + " python3");
  const std::string stages = stages_of(*wanted.game, wanted.cpp);
  if (wanted.cpp) {
    wording.insert(wording.begin(),
                   {".id = \"" + word + "\",",
                    ".id = \"" + wanted.name + "\",\n      .game = \"" + game + "\","});
    wording.emplace_back(
        "    // By stage: if (question.stage() == \"bid\") return "
        "question.answer_json(R\"({\"bid\": 5})\");\n",
        "    // An answer of your own: return question.answer_json(R\"({...})\");\n" + stages);
  } else {
    wording.emplace_back("    # By stage: if question.stage == \"bid\": return {\"bid\": 5}\n",
                         "    # An answer of your own: return {...}\n" + stages);
  }
  return wording;
}

/// What CMake is told, so that it finds the package of this Agon; empty: it looks there by itself.
std::string package_option() {
  const fs::path prefix = plugin::program_folder().parent_path();
  const fs::path installed = prefix / "lib" / "cmake" / "agon";
  std::error_code none;
  if (fs::exists(installed / "agon-config.cmake", none))
    return prefix == "/usr" || prefix == "/usr/local" ? ""
                                                      : "-DCMAKE_PREFIX_PATH=" + prefix.string();
  if (fs::exists(prefix / "cmake" / "agon-config.cmake", none))
    return "-DAgon_DIR=" + (prefix / "cmake").string();
  throw Error(ErrorKind::not_found, "the C++ development files of Agon are not installed",
              installed.string(), "install the package agon-dev, or use --language python");
}

/// True if a shell finds this very program by the name `agon`.
bool is_found_by_name() {
  try {
    std::error_code none;
    return fs::canonical(find_program("agon"), none).parent_path() == plugin::program_folder();
  } catch (const Error&) {
    return false;
  }
}

/// A value of a variable of the shell with `front` before what it holds already.
std::string export_line(const std::string& variable, const std::string& front) {
  return fmt::format("export {0}={1}\"${{{0}:+:${0}}}\"", variable, text::shell_word(front));
}

/// What is to be typed: what a shell has to know first, and the indented lines of the README.
std::vector<std::string> commands_of(const fs::path& folder) {
  std::vector<std::string> lines;
  if (!is_found_by_name()) lines.push_back(export_line("PATH", plugin::program_folder().string()));
  const std::string at = folder.string();
  lines.push_back("cd " + text::shell_word(at.starts_with('-') ? "./" + at : at));
  std::ifstream readme(folder / "README.md");
  for (std::string line; std::getline(readme, line);)
    if (line.starts_with("    ")) lines.push_back(line.substr(4));
  return lines;
}

ScaffoldOptions wanted_by(Invocation& call, const std::string& what) {
  ScaffoldOptions wanted;
  wanted.what = what;
  wanted.name = call.argument("NAME");
  wanted.cpp = chosen_word(call, "language", "python|cpp") == 1;
  check_name(wanted.name);
  wanted.identifier = identifier_of(wanted.name, what);
  const std::vector<std::string> games = call.texts("game");
  if (what == "game" && !games.empty())
    throw Error(ErrorKind::usage, "--game requires agon new suite or agon new agent");
  if (games.size() > 1)
    throw Error(ErrorKind::usage, "an agent takes at most one game", "--game", "use --game once");
  wanted.for_one_game = !games.empty();
  if (wanted.for_one_game) {
    wanted.game = &call.game(games.front());
  } else if (what == "agent") {
    if (call.catalogue().all<Game>().empty())
      throw Error(ErrorKind::not_found, "no game is loaded", "", "see 'agon list plugins'");
    wanted.game = call.catalogue().all<Game>().front();
  }
  if (wanted.game != nullptr)
    if (const PluginEntry* plugin = call.catalogue().plugin_of_game(wanted.game->id);
        plugin != nullptr && plugin->place.starts_with("--"))
      wanted.plugin = plugin->path;
  return wanted;
}

/// `agon new game NAME` and `agon new agent NAME`: a folder that builds, tests itself and plays,
/// and on standard output the commands that do so. Returns the exit code.
int make_new_folder(Invocation& call, const std::string& what) {
  const ScaffoldOptions wanted = wanted_by(call, what);
  const Catalogue& catalogue = call.catalogue();
  check_free(catalogue, wanted);
  const std::string package = wanted.cpp ? package_option() : "";
  const fs::path folder = fs::path(call.text("directory")) / wanted.name;
  const fs::path source =
      plugin::shipped_file("templates") / (what + (wanted.cpp ? "-cpp" : "-python"));
  const std::vector<std::string> files =
      copy_template(source, folder, wording_of(wanted, package, catalogue));
  const std::vector<std::string> commands = commands_of(folder);
  if (call.json()) {
    using List = boost::json::array;
    print_json(boost::json::object{{what, wanted.name},
                                   {"folder", folder.string()},
                                   {"files", List(files.begin(), files.end())},
                                   {"commands", List(commands.begin(), commands.end())}});
    return 0;
  }
  if (!call.quiet())
    text::say("made the {} {} in {}; build, try and play it with:\n", what, wanted.name,
              text::shell_word(folder.string()));
  for (const std::string& line : commands) print_line(line);
  return 0;
}

/// The one that the game's card names; else a strategy of the game itself that plays every role,
/// if there is one; else the first for any game. As JSON.
std::string reference_for(const Catalogue& catalogue, const Game& game) {
  if (!game.card.reference.empty()) {
    const plugin::ShortForm form =
        plugin::parse_short(game.card.reference, "the reference of " + std::string(game.id));
    if (form.params.empty()) return json::write(boost::json::string(form.id));
    return json::write(boost::json::object{{form.id, form.params}});
  }
  for (const AgentCard* a : catalogue.agents_of(game.id))
    if (!a->game.empty() && a->roles.empty()) return json::write(boost::json::string(a->id));
  return json::write(boost::json::string("default"));
}

/// The member by which editors find the schema that ships, if it does; with a line break.
std::string schema_member() {
  const std::filesystem::path schema = plugin::shipped_file("schema/suite.schema.json");
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
  "design": {{ "focal": ["floor", "reference"], "background": "reference", "seat_rotation": "all", "blocks": 20 }},
  "scenarios": [
{2}
  ],
  "report": {{ "reference": "reference", "level": 0.95 }}
}}
)",
                     name, references, scenarios, schema_member());
}

int make_suite(Invocation& call) {
  for (const char* option : {"language", "directory"})
    if (call.has(option))
      throw Error(ErrorKind::usage,
                  fmt::format("--{} requires agon new game or agon new agent", option), "",
                  "for a suite, put the folder into NAME");
  const Catalogue& catalogue = call.catalogue();
  std::string name = call.argument("NAME");
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  std::vector<const Game*> games;
  for (const std::string& id : call.texts("game")) games.push_back(&catalogue.game(id));
  // Without names, those in which agents meet.
  if (games.empty())
    for (const Game* game : catalogue.all<Game>())
      if (game->card.seats.max > 1) games.push_back(game);
  if (games.empty())
    throw Error(ErrorKind::not_found, "no game is loaded", "", "see 'agon list plugins'");
  const std::string path = name + ".json";
  std::error_code none;
  if (std::filesystem::exists(path, none))
    throw Error(ErrorKind::failure, "the file already exists", path,
                "choose another name, or remove the file");
  OutFile file(path);
  file.stream() << suite_text(catalogue, games, std::filesystem::path(name).filename().string());
  file.keep();
  if (call.json()) print_json(boost::json::object{{"suite", path}});
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
  throw Error(ErrorKind::usage,
              "invalid value '" + what + "' for WHAT; expected suite, game or agent", "",
              "for example: agon new game my-game");
}

}  // namespace

Command new_command() {
  Command c{{"new",
             "create a suite, a game or an agent to start from",
             "",
             {{"WHAT", "suite, game or agent", true, "suite|game|agent"},
              {"NAME", "name of the suite file, game or agent; .json may be omitted"}}},
            &make_new};
  // clang-format off
  c.synopsis.options.add_options()
      ("game", po::value<std::vector<std::string>>()->value_name("GAME")->composing(), "for a suite: add a scenario of this game (default: all) (repeatable); for an agent: the game that it plays (default: any)")
      ("language", po::value<std::string>()->value_name("python|cpp"), "language of the game or agent (default: python)")
      ("directory", po::value<std::string>()->value_name("FOLDER"), "parent folder of the game or agent (default: the current folder)");
  // clang-format on
  c.synopsis.details =
      "Example\n"
      "  agon new game my-game --language python\n";
  return c;
}

}  // namespace agon::command
