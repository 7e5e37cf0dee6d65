#include "plugin/library.hpp"

#include <dlfcn.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/dll/library_info.hpp>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "plugin/abi_tag.hpp"
#include "text/utf8.hpp"

namespace agon::plugin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRebuild =
    "rebuild the plugin against this agon: find_package(Agon) with CMAKE_PREFIX_PATH set to where "
    "it is installed, and agon_add_plugin()";

[[noreturn]] void refuse(const fs::path& file, std::string problem, std::string mend = {}) {
  throw Error(ErrorKind::not_found, std::move(problem), text::printable(file.string()),
              std::move(mend));
}

void require_elf(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    refuse(file, "there is no such plugin file", "'agon list' shows where plugins are looked for");
  if (!fs::is_regular_file(status)) refuse(file, "this is not a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, "the plugin file cannot be read", "look at its permissions");
  char start[4] = {};
  in.read(start, sizeof start);
  if (in.gcount() != sizeof start || std::memcmp(start,
                                                 "\x7f"
                                                 "ELF",
                                                 sizeof start) != 0)
    refuse(file, "this is not a shared library");
}

std::vector<std::string> read_symbols(const fs::path& file) {
  try {
    boost::dll::library_info info(file);
    return info.symbols();
  } catch (const std::exception&) {
    // Its messages speak of streams; all that can go wrong here is a file that ends too early or
    // whose tables point elsewhere.
    refuse(file, "the file is damaged or cut short: its symbols cannot be read",
           "build or copy it again");
  }
}

/// The tag and the entry, from the file alone: no code of the plugin has run yet. Returns the names
/// of the kits that it uses.
std::vector<std::string> check_symbols(const fs::path& file) {
  std::vector<std::string> tags, kits;
  bool has_entry = false;
  for (const std::string& symbol : read_symbols(file)) {
    if (symbol.starts_with(kTagPrefix)) tags.push_back(symbol);
    if (symbol.starts_with(kKitPrefix)) kits.push_back(symbol.substr(kKitPrefix.size()));
    if (symbol == "agon_plugin") has_entry = true;
  }
  if (!has_entry)
    refuse(file, "this is a shared library, but not a plugin: it exports no 'agon_plugin'",
           "end one of its sources with AGON_PLUGIN or AGON_GAME, and build it with "
           "agon_add_plugin()");
  if (tags.empty())
    refuse(file, "the plugin has no ABI tag, so it cannot be told whether it fits this agon",
           kRebuild);
  if (tags.size() > 1)
    refuse(file, "the plugin has " + std::to_string(tags.size()) + " ABI tags",
           "use AGON_PLUGIN or AGON_GAME once in a library");
  std::vector<TagDifference> differ = differences(tags.front(), own_tag());
  std::sort(kits.begin(), kits.end());
  kits.erase(std::unique(kits.begin(), kits.end()), kits.end());
  for (std::string& kit : kits) {
    if (std::string problem = problem_of_kit(kit, own_kits()); !problem.empty())
      differ.push_back({std::move(problem), "against the headers of this agon"});
    kit = text::printable(kit_name(kit));
  }
  if (differ.empty()) return kits;
  std::string problem = "the plugin was built for another agon (";
  std::string how = "rebuild it";
  for (std::size_t i = 0; i < differ.size(); ++i) {
    problem += (i == 0 ? "" : "; ") + differ[i].what;
    if (how.find(differ[i].mend) == std::string::npos)
      how += (i == 0 ? " " : ", ") + differ[i].mend;
  }
  refuse(file, problem + ")",
         how +
             ": find_package(Agon) with CMAKE_PREFIX_PATH set to where this agon is installed, "
             "and agon_add_plugin()");
}

/// What the dynamic linker said, without the path that it puts in front.
std::string linker_message(const fs::path& file) {
  const char* said = ::dlerror();
  std::string message = said == nullptr ? "no reason given" : said;
  const std::string front = file.string() + ": ";
  if (message.starts_with(front)) message.erase(0, front.size());
  return text::printable(message);
}

/// Loads for good: the library is never closed, and nobody has to keep its handle.
void* load_forever(const fs::path& file) {
  // A name without a slash would be looked up elsewhere.
  const fs::path whole = fs::absolute(file);
  if (void* library = ::dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const std::string message = linker_message(whole);
  const std::string_view undefined = "undefined symbol: ";
  if (const std::size_t at = message.find(undefined); at != std::string::npos)
    refuse(file,
           "the plugin needs the symbol '" + message.substr(at + undefined.size()) +
               "', which neither agon nor the libraries it is linked to have",
           "link the library that has it; agon_add_plugin() finds this when the plugin is built");
  refuse(file, "the dynamic linker cannot load the plugin: " + message);
}

}  // namespace

std::vector<std::string> check_library(const fs::path& file) {
  require_elf(file);
  return check_symbols(file);
}

OpenLibrary open_library(const fs::path& file) {
  std::vector<std::string> kits = check_library(file);
  const auto* plugin = static_cast<const Plugin*>(::dlsym(load_forever(file), "agon_plugin"));
  if (plugin == nullptr)
    refuse(file, "'agon_plugin' is listed in the file and cannot be reached", kRebuild);
  // In this order: each member is trusted only when those before it are right.
  if (plugin->magic != kPluginMagic)
    refuse(file, "'agon_plugin' is not what AGON_PLUGIN makes: its magic number is wrong",
           "end one of its sources with AGON_PLUGIN or AGON_GAME");
  if (plugin->size != sizeof(Plugin))
    refuse(file,
           "the plugin's entry has " + std::to_string(plugin->size) + " bytes, this agon expects " +
               std::to_string(sizeof(Plugin)),
           kRebuild);
  if (plugin->sdk_version != AGON_SDK_VERSION) {
    const auto version = [](std::uint32_t v) {
      return std::to_string(v / 1000) + "." + std::to_string(v % 1000);
    };
    refuse(file,
           "the plugin is made for SDK " + version(plugin->sdk_version) + ", this agon has " +
               version(AGON_SDK_VERSION),
           kRebuild);
  }
  if (plugin->name == nullptr || plugin->name[0] == '\0' || plugin->version == nullptr ||
      plugin->version[0] == '\0')
    refuse(file, "the plugin has no name or no version", "AGON_PLUGIN takes both");
  if (plugin->enter == nullptr)
    refuse(file, "the plugin has no function that registers its games and agents",
           "AGON_PLUGIN takes a function void(agon::Registry&)");
  return {*plugin, std::move(kits)};
}

}  // namespace agon::plugin
