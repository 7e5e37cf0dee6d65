// Each plugin that must not be loaded, and what the person is told.
#include <unistd.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/version.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "catch.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/plugin_file.hpp"

using namespace agon;
namespace fs = std::filesystem;

namespace {

fs::path bad(const std::string& name) {
  return fs::path(AGON_TEST_PLUGINS) / "bad" / (name + ".so");
}

/// The error with which a plugin is refused. It names the file, counts as "not found", and leaves
/// nothing behind.
Error refusal(const fs::path& file, Isolate when) {
  Catalogue catalogue({.isolation = {when, {}}});
  try {
    catalogue.load(file);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::not_found);
    CHECK(error.where() == file.string());
    CHECK(catalogue.all<Game>().empty());
    CHECK(catalogue.all<AgentCard>().empty());
    CHECK(catalogue.plugins().empty());
    return error;
  }
  FAIL("the plugin was not refused: " << file);
  throw std::logic_error("not reached");
}

/// The same, whether the plugin is loaded here or in a process of its own.
Error refusal(const fs::path& file) {
  Error here = refusal(file, Isolate::never);
  const Error there = refusal(file, Isolate::automatic);
  CHECK(here.problem() == there.problem());
  CHECK(here.hint() == there.hint());
  return here;
}

std::string problem(const std::string& name) {
  return refusal(bad(name)).problem();
}

/// A file of this test's own, gone with it.
struct Scratch {
  explicit Scratch(const std::string& name)
      : folder(fs::temp_directory_path() / ("agon-plugins-" + std::to_string(::getpid()))),
        file(folder / name) {
    fs::create_directories(folder);
  }
  ~Scratch() { fs::remove_all(folder); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void write(std::string_view bytes) const {
    std::ofstream(file, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  }
  fs::path folder, file;
};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("A file that is no plugin is refused") {
  CHECK(problem("no_such_plugin") == "plugin file not found");
  CHECK(refusal(fs::path(AGON_TEST_PLUGINS) / "bad").problem() == "this is not a file");
  CHECK(problem("no_entry") ==
        "this is a shared library, but not a plugin: it exports no 'agon_plugin'");

  SECTION("text, and too little of it") {
    const Scratch text("text.so");
    text.write("#!/bin/sh\necho not a library\n");
    CHECK(refusal(text.file).problem() == "this is not a shared library");
    text.write(
        "\x7f"
        "E");
    CHECK(refusal(text.file).problem() == "this is not a shared library");
    text.write("");
    CHECK(refusal(text.file).problem() == "this is not a shared library");
  }
  SECTION("a plugin that was copied half") {
    const std::string whole = bytes_of(fs::path(AGON_TEST_PLUGINS) / "good" / "full.so");
    const Scratch half("half.so");
    for (const std::size_t size : {std::size_t{5}, std::size_t{64}, whole.size() / 2}) {
      half.write(std::string_view(whole).substr(0, size));
      CHECK(refusal(half.file).problem() ==
            "the file is damaged or cut short: its symbols cannot be read");
    }
  }
}

TEST_CASE("An entry that AGON_PLUGIN did not make is refused") {
  CHECK(problem("no_tag") ==
        "the plugin has no ABI tag, so it cannot be told whether it fits this agon");
  CHECK(problem("wrong_magic") ==
        "'agon_plugin' is not what AGON_PLUGIN makes: its magic number is wrong");
  CHECK(problem("other_size") == "the plugin's entry has " + std::to_string(sizeof(Plugin) - 8) +
                                     " bytes, this agon expects " + std::to_string(sizeof(Plugin)));
  const std::string version =
      std::to_string(AGON_SDK_VERSION / 1000) + "." + std::to_string(AGON_SDK_VERSION % 1000);
  const std::string next =
      std::to_string(AGON_SDK_VERSION / 1000) + "." + std::to_string(AGON_SDK_VERSION % 1000 + 2);
  CHECK(problem("other_version") ==
        "the plugin is made for SDK " + next + ", this agon has " + version);
  CHECK(problem("no_name") == "the plugin has no name or no version");
  CHECK(problem("no_enter") == "the plugin has no function that registers its games and agents");
}

TEST_CASE("A plugin of another build is refused before any of its code runs") {
  // It aborts the process as soon as its static objects are made.
  const Error headers = refusal(bad("other_headers"));
  CHECK(headers.problem().starts_with(
      "the plugin was built for another agon (SDK headers: the plugin has h000000000000, this "
      "agon has h"));
  CHECK(headers.hint().starts_with("rebuild it against the headers of this agon: find_package"));
  const Error kit = refusal(bad("other_kit"));
  CHECK(kit.problem().starts_with(
      "the plugin was built for another agon (headers of the kit 'analysis': the plugin has "
      "h000000000000, this agon has h"));
  CHECK(kit.hint().starts_with("rebuild it against the headers of this agon: find_package"));
#if AGON_TEST_HAS_SANITIZED
  // Its run-time library would end the process while it is loaded.
  const Error sanitized = refusal(bad("sanitized"));
  CHECK(sanitized.problem() ==
        "the plugin was built for another agon (sanitizer: the plugin has address, this agon has "
        "none)");
  CHECK(sanitized.hint().starts_with("rebuild it without a sanitizer: "));
#endif
  CHECK(problem("old_strings") ==
        "the plugin was built for another agon (C++11 strings (_GLIBCXX_USE_CXX11_ABI): the "
        "plugin has off, this agon has on)");
  const Error debug = refusal(bad("debug_mode"));
  CHECK(debug.problem() ==
        "the plugin was built for another agon (libstdc++ debug mode (_GLIBCXX_DEBUG): the plugin "
        "has on, this agon has off)");
  CHECK(debug.hint().starts_with("rebuild it without -D_GLIBCXX_DEBUG: "));
}

namespace {

/// The Boost that this is built with, as people write it.
std::string boost_version() {
  std::string version = BOOST_LIB_VERSION;  // "1_81", or "1_81_1"
  std::replace(version.begin(), version.end(), '_', '.');
  return std::count(version.begin(), version.end(), '.') == 1 ? version + ".0" : version;
}

}  // namespace

TEST_CASE("One message lists everything in which a plugin differs") {
  const Error all = refusal(bad("other_everything"));
  for (const std::string& part : std::vector<std::string>{
           "SDK headers: the plugin has h000000000000, this agon has h",
           "C++11 strings (_GLIBCXX_USE_CXX11_ABI): the plugin has off, this agon has on",
           "libstdc++ debug mode (_GLIBCXX_DEBUG): the plugin has on, this agon has off",
           "Boost: the plugin has 1.99.0, this agon has " + boost_version(),
           "sanitizer: the plugin has another, this agon has "})
    CHECK(all.problem().find(part) != std::string::npos);
  for (const std::string& part : std::vector<std::string>{
           "against the headers of this agon", "with -D_GLIBCXX_USE_CXX11_ABI=1",
           "without -D_GLIBCXX_DEBUG", "with Boost " + boost_version()})
    CHECK(all.hint().find(part) != std::string::npos);
}

TEST_CASE("ABI tags are compared part by part") {
  using plugin::differences;
  const std::string own = "agon_abi__sdk_h1__cxx11_1__debug_0";
  CHECK(differences(own, own).empty());
  CHECK(differences(plugin::own_tag(), plugin::own_tag()).empty());
  const auto less = differences("agon_abi__sdk_h1__cxx11_1", own);
  REQUIRE(less.size() == 1);
  CHECK(less[0].what ==
        "libstdc++ debug mode (_GLIBCXX_DEBUG): the plugin has nothing, this agon has off");
  const auto more = differences(own + "__weather_\x1b[2J", own);
  REQUIRE(more.size() == 1);
  CHECK(more[0].what == "weather: the plugin has \\x1b[2J, this agon has nothing");
  CHECK(differences("agon_abi__", own).size() == 3);
  CHECK(differences("", own).size() == 3);
}

TEST_CASE("Kits are compared by name and headers") {
  const std::string_view own[] = {"model__h1", "analysis__h2"};
  CHECK(plugin::problem_of_kit("analysis__h2", own).empty());
  CHECK(plugin::problem_of_kit("analysis__h1", own) ==
        "headers of the kit 'analysis': the plugin has h1, this agon has h2");
  CHECK(plugin::problem_of_kit("weather__h1", own) ==
        "the plugin uses the kit 'weather', which this agon does not have");
  CHECK(plugin::problem_of_kit("model", own) ==
        "headers of the kit 'model': the plugin has , this agon has h1");
  for (const std::string_view kit : plugin::own_kits())
    CHECK(plugin::problem_of_kit(kit, plugin::own_kits()).empty());
}

TEST_CASE("A plugin that fails while it registers is refused as a whole") {
  CHECK(problem("throws_exception") ==
        "the plugin failed while it registered what it brings: out of\\x1b[31m paint");
  CHECK(problem("throws_other") ==
        "the plugin failed while it registered what it brings: it threw something that is no "
        "std::exception");
  CHECK(problem("empty") ==
        "the plugin brings no game, no agent, no part, no provider, no importer, no command and no "
        "table");
  CHECK(problem("same_name_twice") == "there is a game named 'echo' already");
  CHECK(problem("bad_card") ==
        "game 'bad-card', rules: there is nothing for the placeholder {{nmber}} (did you mean "
        "'number'?)");
  CHECK(problem("throws_in_card") ==
        "the plugin failed while its cards were checked: no such chance");
}

TEST_CASE("A plugin that needs what nobody has is refused when it is loaded") {
  CHECK(problem("missing_symbol") ==
        "the plugin needs the symbol 'nobody_defines_this', which neither agon nor the libraries "
        "it is linked to have");
}
