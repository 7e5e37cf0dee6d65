#include "plugin/plugin_file.hpp"

#include <dlfcn.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <agon/analysis/kit.hpp>
#include <agon/error.hpp>
#include <agon/model/kit.hpp>
#include <agon/plugin.hpp>
#include <algorithm>
#include <array>
#include <boost/dll/library_info.hpp>
#include <boost/dll/shared_library.hpp>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::plugin {

namespace fs = std::filesystem;

bool is_python_file(const fs::path& file) {
  return file.extension() == ".py";
}

bool is_program(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  return is_python_file(file) || (file.extension() != ".so" && access(file.c_str(), X_OK) == 0);
}

bool brings_game(const fs::path& file) {
  std::error_code error;
  if (!is_python_file(file) || !fs::is_regular_file(file, error)) return false;
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.find("agon.game(") != text.npos || text.find("agon.importer(") != text.npos;
}

}  // namespace agon::plugin

namespace agon {

std::optional<GameFile> game_file(std::string_view name, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::size_t colon = name.rfind(':');
  std::string_view file = name, id;
  if (colon != std::string_view::npos && name.find('/', colon) == std::string_view::npos &&
      !fs::is_regular_file(folder / fs::path(name), error)) {
    file = name.substr(0, colon);
    id = name.substr(colon + 1);
  }
  if (file.find('/') == std::string_view::npos && !file.ends_with(".py") && !file.ends_with(".so"))
    return std::nullopt;
  const fs::path whole = fs::absolute(folder / fs::path(file));
  const fs::path found = fs::weakly_canonical(whole, error);
  return GameFile{error ? whole : found, std::string(id)};
}

}  // namespace agon

namespace agon::plugin {
namespace {

namespace fs = std::filesystem;

/// Plugins are loaded from one thread, before there are others: the C library's own buffers do.
std::string user_name(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry == nullptr ? "user " + std::to_string(user) : entry->pw_name;
}

/// Somebody else who is in a group; nothing if there is none.
std::optional<std::string> other_member(gid_t group) {
  const std::string me = user_name(geteuid());
  if (const struct group* entry = getgrgid(group); entry != nullptr)
    for (char** member = entry->gr_mem; *member != nullptr; ++member)
      if (*member != me && std::string(*member) != "root") return *member;
  std::optional<std::string> found;
  setpwent();
  while (const passwd* entry = getpwent())
    if (entry->pw_gid == group && entry->pw_uid != geteuid() && entry->pw_uid != 0) {
      found = entry->pw_name;
      break;
    }
  endpwent();
  return found;
}

struct ForeignWriter {
  std::string who;
  std::string hint;
};

/// Somebody else who can write what is at `path`.
std::optional<ForeignWriter> other_writer(const fs::path& path, uid_t program_owner) {
  struct stat s {};
  if (stat(path.c_str(), &s) != 0) return std::nullopt;  // opening it says why
  const std::string name = text::shell_word(path.string());
  if (s.st_uid != 0 && s.st_uid != geteuid() && s.st_uid != program_owner)
    return ForeignWriter{"it belongs to " + user_name(s.st_uid),
                         "copy the plugin to a folder of yours, if you trust it"};
  // In a sticky folder only owners can rename and remove.
  if (S_ISDIR(s.st_mode) && (s.st_mode & S_ISVTX) != 0) return std::nullopt;
  if ((s.st_mode & S_IWOTH) != 0)
    return ForeignWriter{"everybody can write it", "chmod go-w " + name};
  if ((s.st_mode & S_IWGRP) != 0)
    if (const auto member = other_member(s.st_gid))
      return ForeignWriter{*member + " can write it, as a member of its group",
                           "chmod g-w " + name};
  return std::nullopt;
}

}  // namespace

void require_own_file(const fs::path& file, const fs::path& program) {
  struct stat s {};
  const uid_t owner = stat(program.c_str(), &s) == 0 ? s.st_uid : geteuid();
  const auto refuse = [&](const std::string& problem, const std::string& hint) {
    throw Error(ErrorKind::not_found, text::printable(problem), text::printable(file.string()),
                text::printable(hint) + "; --trust loads it all the same");
  };
  if (const auto writer = other_writer(file, owner))
    refuse("others may have changed the plugin: " + writer->who, writer->hint);
  if (const auto writer = other_writer(file.parent_path(), owner))
    refuse("others may have put the plugin there: of its folder, " + writer->who, writer->hint);
}

namespace {

using Component = std::pair<std::string_view, std::string_view>;

/// "agon_abi__sdk_h1__debug_0" as {sdk, h1}, {debug, 0}.
std::vector<Component> components(std::string_view tag) {
  std::vector<Component> out;
  if (!tag.starts_with(kTagPrefix)) return out;
  tag.remove_prefix(kTagPrefix.size());
  while (!tag.empty()) {
    const std::size_t end = tag.find("__");
    const std::string_view part = tag.substr(0, end);
    const std::size_t split = part.find('_');
    out.emplace_back(part.substr(0, split),
                     split == std::string_view::npos ? "" : part.substr(split + 1));
    tag.remove_prefix(end == std::string_view::npos ? tag.size() : end + 2);
  }
  return out;
}

const Component* find(const std::vector<Component>& in, std::string_view name) {
  for (const Component& c : in)
    if (c.first == name) return &c;
  return nullptr;
}

std::string title(std::string_view name) {
  if (name == "sdk") return "SDK headers";
  if (name == "cxx11") return "C++11 strings (_GLIBCXX_USE_CXX11_ABI)";
  if (name == "debug") return "libstdc++ debug mode (_GLIBCXX_DEBUG)";
  if (name == "boost") return "Boost";
  if (name == "sanitizer") return "sanitizer";
  return text::printable(name);
}

/// 108100 as 1.81.0.
std::string boost_version(std::string_view digits) {
  const auto n = text::number_in<int>(digits);
  if (!n) return text::printable(digits);
  return std::to_string(*n / 100000) + "." + std::to_string(*n / 100 % 1000) + "." +
         std::to_string(*n % 100);
}

std::string shown(std::string_view name, const Component* component) {
  if (component == nullptr) return "nothing";
  if (name == "boost") return boost_version(component->second);
  if (name == "cxx11" || name == "debug") {
    if (component->second == "1") return "on";
    if (component->second == "0") return "off";
  }
  return text::printable(component->second);
}

std::string hint(std::string_view name, const Component* ours) {
  if (name == "sdk" || ours == nullptr) return "against the headers of this agon";
  const std::string wanted(ours->second);
  if (name == "cxx11") return "with -D_GLIBCXX_USE_CXX11_ABI=" + wanted;
  if (name == "debug") return wanted == "0" ? "without -D_GLIBCXX_DEBUG" : "with -D_GLIBCXX_DEBUG";
  if (name == "boost") return "with Boost " + shown(name, ours);
  if (name == "sanitizer")
    return wanted == "none" ? "without a sanitizer" : "with -fsanitize=" + wanted;
  return "with " + title(name) + " = " + wanted;
}

}  // namespace

std::string_view own_tag() {
  return BOOST_PP_STRINGIZE(AGON_ABI_TAG);
}

std::span<const std::string_view> own_kits() {
  static constexpr std::array<std::string_view, 2> kits{AGON_KIT_model, AGON_KIT_analysis};
  return kits;
}

std::string_view kit_name(std::string_view kit) {
  return kit.substr(0, kit.find("__"));
}

std::string problem_of_kit(std::string_view kit, std::span<const std::string_view> own) {
  if (std::find(own.begin(), own.end(), kit) != own.end()) return {};
  const std::string_view name = kit_name(kit);
  const auto digest = [&](std::string_view of) {
    return text::printable(of.substr(std::min(of.size(), name.size() + 2)));
  };
  for (const std::string_view mine : own)
    if (kit_name(mine) == name)
      return "headers of the kit '" + text::printable(name) + "': the plugin has " + digest(kit) +
             ", this agon has " + digest(mine);
  return "the plugin uses the kit '" + text::printable(name) + "', which this agon does not have";
}

std::vector<TagDifference> differences(std::string_view plugin, std::string_view own) {
  const std::vector<Component> theirs = components(plugin);
  const std::vector<Component> ours = components(own);
  std::vector<TagDifference> out;
  const auto compare = [&](std::string_view name) {
    const Component* a = find(theirs, name);
    const Component* b = find(ours, name);
    if (a != nullptr && b != nullptr && a->second == b->second) return;
    out.push_back(
        {title(name) + ": the plugin has " + shown(name, a) + ", this agon has " + shown(name, b),
         hint(name, b)});
  };
  for (const Component& c : ours) compare(c.first);
  for (const Component& c : theirs)
    if (find(ours, c.first) == nullptr) compare(c.first);
  return out;
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kRebuild =
    "rebuild the plugin against this agon: find_package(Agon) with CMAKE_PREFIX_PATH set to where "
    "it is installed, and agon_add_plugin()";

[[noreturn]] void refuse(const fs::path& file, std::string problem, std::string hint = {}) {
  throw Error(ErrorKind::not_found, std::move(problem), text::printable(file.string()),
              std::move(hint));
}

void require_elf(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    refuse(file, "plugin file not found", "'agon list' shows the plugin folders");
  if (!fs::is_regular_file(status)) refuse(file, "this is not a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, "the plugin file cannot be read", "check its permissions");
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
    if (how.find(differ[i].hint) == std::string::npos)
      how += (i == 0 ? " " : ", ") + differ[i].hint;
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

/// Loads for good: nobody has to keep the library.
boost::dll::shared_library load_forever(const fs::path& file) {
  using boost::dll::load_mode::type;
  constexpr auto kMode = static_cast<type>(RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  // A name without a slash would be looked up elsewhere.
  const fs::path whole = fs::absolute(file);
  boost::dll::shared_library library;
  std::error_code failed;
  library.load(whole, failed, kMode);
  if (!failed) return library;
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
  const boost::dll::shared_library library = load_forever(file);
  if (!library.has("agon_plugin"))
    refuse(file, "'agon_plugin' is listed in the file and cannot be reached", kRebuild);
  const auto* plugin = &library.get<const Plugin>("agon_plugin");
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
