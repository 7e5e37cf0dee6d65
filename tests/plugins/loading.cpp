// What is loaded, from where, and how it is found again.
#include <agon/error.hpp>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>

#include "catch.hpp"
#include "describe/value.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/search_path.hpp"

using namespace agon;
namespace fs = std::filesystem;

namespace {

const fs::path kGood = fs::path(AGON_TEST_PLUGINS) / "good";
const LoadOptions kTrusting{.isolation = {Isolate::never, {}}};
const fs::path kBad = fs::path(AGON_TEST_PLUGINS) / "bad";

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::not_found);
    return error.what();
  }
  FAIL("nothing was thrown");
  return {};
}

}  // namespace

TEST_CASE("A plugin brings a game, an agent and a command") {
  Catalogue catalogue(kTrusting);
  catalogue.load(kGood / "full.so");
  REQUIRE(catalogue.all<Game>().size() == 1);
  CHECK(catalogue.game("echo").id == "echo");
  CHECK(catalogue.find<Game>("echo"));
  CHECK_FALSE(catalogue.find<Game>("ech"));
  CHECK(catalogue.agent("always", "echo").game == "echo");
  CHECK(catalogue.find_agent("always", "echo"));
  CHECK_FALSE(catalogue.find_agent("always", "another"));
  REQUIRE(catalogue.all<PluginCommand>().size() == 1);
  CHECK(catalogue.all<PluginCommand>()[0]->id == "lines");
  CHECK(version_of_plugin(catalogue, "echo") == "2.1");
  REQUIRE(catalogue.plugins().size() == 1);
  const PluginEntry& entry = catalogue.plugins()[0];
  CHECK(entry.path == fs::canonical(kGood / "full.so").string());
  CHECK(entry.name == "full");
  CHECK(entry.status == PluginEntry::Status::loaded);
  CHECK(catalogue.plugin_of_game("echo") == &entry);
  catalogue.load(kGood / ".." / "good" / "full.so");  // the same file again
  CHECK(catalogue.plugins().size() == 1);
}

TEST_CASE("A plugin stays loaded when nobody holds it any more") {
  std::exception_ptr thrown;
  std::unique_ptr<Agent> agent;
  {
    Catalogue catalogue(kTrusting);
    catalogue.load(kGood / "full.so");
    try {
      (void)catalogue.all<PluginCommand>()[0]->run({});
    } catch (...) {
      thrown = std::current_exception();
    }
    const AgentCard& card = catalogue.agent("always", "echo");
    const Value params(*card.params);
    agent = card.make(params.get(), {});
  }
  REQUIRE(thrown != nullptr);
  CHECK_THROWS_WITH(std::rethrow_exception(thrown), "thrown by the plugin");
  CHECK_FALSE(agent->waits());
  agent.reset();
}

TEST_CASE("Names that two plugins share are refused, and both files are named") {
  Catalogue catalogue(kTrusting);
  catalogue.load(kGood / "full.so");
  const std::string first = fs::canonical(kGood / "full.so").string();
  const std::string game = message([&] { catalogue.load(kGood / "same_game.so"); });
  CHECK(game.find("there is a game named 'echo' already: " + first + " brings it") !=
        std::string::npos);
  CHECK(game.find((kGood / "same_game.so").string()) != std::string::npos);
  CHECK_FALSE(catalogue.find<Game>("also-here"));
  const std::string plugin = message([&] { catalogue.load(kGood / "same_plugin.so"); });
  CHECK(plugin.find("there is a plugin named 'full' already: " + first) != std::string::npos);
  CHECK(plugin.find((kGood / "same_plugin.so").string()) != std::string::npos);
  CHECK(catalogue.all<Game>().size() == 1);
}

TEST_CASE("What is found is loaded or listed with the reason, and it never stops a run") {
  Catalogue catalogue(kTrusting);
  catalogue.load(kGood / "full.so");
  catalogue.search_folder(kGood, "AGON_PLUGIN_PATH");
  // full.so is loaded already and passed over.
  REQUIRE(catalogue.plugins().size() == 9);
  CHECK(catalogue.plugins()[1].name == "breaks");
  CHECK(catalogue.plugins()[1].status == PluginEntry::Status::loaded);
  CHECK(catalogue.plugins()[2].name == "long_talk");
  CHECK(catalogue.plugins()[3].name == "paid");
  CHECK(catalogue.plugins()[3].status == PluginEntry::Status::loaded);
  CHECK(catalogue.plugins()[4].name == "prints");
  CHECK(catalogue.plugins()[5].name == "provider");
  CHECK(catalogue.plugins()[5].status == PluginEntry::Status::loaded);
  CHECK(catalogue.provider("acme").key_variable == "ACME_KEY");
  CHECK(catalogue.plugins()[6].status == PluginEntry::Status::refused);
  CHECK(catalogue.plugins()[6].reason.starts_with("there is a game named 'echo' already"));
  CHECK(catalogue.plugins()[6].name == "same-game");
  CHECK(catalogue.plugins()[7].status == PluginEntry::Status::shadowed);
  CHECK(catalogue.plugins()[7].reason ==
        "the plugin of the same name in " + catalogue.plugins()[0].path + " comes first");
  catalogue.search_folder(kBad, "AGON_PLUGIN_PATH");
  const auto files = plugin::plugin_files(kBad);
  REQUIRE(catalogue.plugins().size() == 9 + files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const PluginEntry& entry = catalogue.plugins()[9 + i];
    CHECK(entry.path == fs::canonical(files[i]).string());
    CHECK(entry.status == PluginEntry::Status::refused);
    CHECK_FALSE(entry.reason.empty());
  }
  CHECK(catalogue.all<Game>().size() == 4);
  catalogue.search_folder(kGood / "nowhere", "install prefix");
  CHECK(catalogue.plugins().size() == 9 + files.size());
}

TEST_CASE("A look-up that fails says what is near, how to list, and what was refused") {
  Catalogue catalogue(kTrusting);
  catalogue.load(kGood / "full.so");
  CHECK(message([&] { (void)catalogue.game("ecko"); }) ==
        "unknown game 'ecko' (did you mean 'echo'?); 'agon list' shows all games");
  CHECK(message([&] { (void)catalogue.agent("allways", "echo"); }) ==
        "unknown agent 'allways' for the game 'echo' (did you mean 'always'?); 'agon list' "
        "shows all agents");
  CHECK(message([&] { (void)catalogue.agent("always", "chess"); }) ==
        "the agent 'always' plays echo and not 'chess'; 'agon list' shows which agents play what");
  CHECK(message([&] { (void)catalogue.importer("line"); }) ==
        "unknown importer 'line'; 'agon list' shows all importers");
  catalogue.search_folder(kGood, "AGON_PLUGIN_PATH");
  const std::string refused = message([&] { (void)catalogue.game("also-here"); });
  CHECK(refused.find("1 plugin was refused: " + fs::canonical(kGood / "same_game.so").string() +
                     " (there is a game named 'echo' already") != std::string::npos);
  Catalogue none(kTrusting);
  none.search_folder(kGood / "nowhere", "install prefix");
  CHECK(message([&] {
          (void)none.game("echo");
        }).find("no plugin was found in " + (kGood / "nowhere").string()) != std::string::npos);
}

TEST_CASE("A folder that is asked for must hold plugins, all of them good") {
  Catalogue catalogue(kTrusting);
  CHECK(message([&] { catalogue.load_folder(kGood / "nowhere"); }).find("cannot be read") !=
        std::string::npos);
  CHECK(message([&] {
          catalogue.load_folder(AGON_TEST_PLUGINS);
        }).find("no plugin found in this folder") != std::string::npos);
  CHECK(message([&] {
          catalogue.load_folder(kBad);
        }).find((kBad / plugin::plugin_files(kBad).front().filename()).string()) !=
        std::string::npos);
}

TEST_CASE("Plugins are looked for in order: AGON_PLUGIN_PATH, beside the command, prefix") {
  const auto places = plugin::search_places("/one::/two/../two:/one:", fs::path("/somewhere/bin"));
  REQUIRE(places.size() == 4);
  CHECK(places[0].folder == "/one");
  CHECK(places[0].what == "AGON_PLUGIN_PATH");
  CHECK(places[1].folder == "/two");
  CHECK(places[2].folder == "/somewhere/lib/agon/plugins");
  CHECK(places[2].what == "beside the command");
  CHECK(places[3].what == "install prefix");
  CHECK(plugin::search_places("", "/somewhere/bin").size() == 2);
}

TEST_CASE("What is named comes before what is found") {
  REQUIRE(::setenv("AGON_PLUGIN_PATH", kGood.c_str(), 1) == 0);
  Catalogue catalogue(kTrusting);
  const std::vector<std::string> given{(kGood / "same_plugin.so").string()};
  catalogue.load_all(given);
  REQUIRE(::unsetenv("AGON_PLUGIN_PATH") == 0);
  const auto entry = [&](const char* file) {
    const auto found = std::find_if(
        catalogue.plugins().begin(), catalogue.plugins().end(),
        [&](const PluginEntry& e) { return e.path == fs::canonical(kGood / file).string(); });
    REQUIRE(found != catalogue.plugins().end());
    return *found;
  };
  CHECK(entry("same_plugin.so").place == "--plugin");
  CHECK(entry("same_plugin.so").status == PluginEntry::Status::loaded);
  CHECK(entry("full.so").name == "full");
  CHECK(entry("full.so").status == PluginEntry::Status::shadowed);
  CHECK(entry("full.so").claims_taken_name);
  CHECK(entry("full.so").place == "AGON_PLUGIN_PATH");
  CHECK(catalogue.find<Game>("another"));
  CHECK(catalogue.find<Game>("also-here"));
  const std::vector<std::string> wrong{(kBad / "empty.so").string()};
  Catalogue strict(kTrusting);
  CHECK_THROWS_AS(strict.load_all(wrong), Error);
}
