#include "suite/prompts.hpp"

#include <agon/error.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <filesystem>

#include "hash/sha256.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "text/nearest.hpp"
#include "text/utf8.hpp"
#include "trust/accesses.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
namespace fs = std::filesystem;

/// A prompt is written by a person; more than this is some other file.
constexpr std::uintmax_t kMostBytes = 1U << 20U;

PromptSet::Text read_prompt(const fs::path& path) {
  std::error_code error;
  if (const std::uintmax_t size = fs::file_size(path, error); !error && size > kMostBytes)
    throw Error(ErrorKind::invalid, "a prompt is at most 1 MiB", path.string());
  PromptSet::Text text{json::read_file(path), path.string()};
  if (!text::is_utf8(text.text))
    throw Error(ErrorKind::invalid, "the file is not valid UTF-8", path.string(),
                "save it in that encoding");
  std::erase(text.text, '\r');  // what an editor elsewhere adds is no other prompt
  return text;
}

/// Names of the prompts in a folder and their files; empty without the folder.
std::map<std::string, fs::path> files_of(const fs::path& folder) {
  std::map<std::string, fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".txt" && entry.is_regular_file(error))
      files.emplace(entry.path().stem().string(), entry.path());
  return files;
}

std::string digest_of(const PromptSet& set) {
  return hash::hex(hash::sha256(prompts_document(set)));
}

void add_own(PromptSet& set, const Game& game, const OwnPrompts& own, const std::string& beside,
             const std::string& where, Accesses* accesses) {
  std::map<std::string, fs::path> files;
  const auto path_of = [&](std::string_view name) {
    const fs::path path(name);
    return path.is_absolute() ? path : fs::path(beside) / path;
  };
  if (const auto* given = std::get_if<std::string>(&own)) {
    const fs::path folder = path_of(*given);
    if (accesses != nullptr && !accesses->may_read(folder, where)) return;
    std::error_code error;
    if (!fs::is_directory(folder, error))
      throw Error(ErrorKind::not_found, "there is no folder '" + folder.string() + "'", where);
    files = files_of(folder);
    if (files.empty())
      throw Error(ErrorKind::not_found, "the folder '" + folder.string() + "' has no .txt file",
                  where);
    std::erase_if(files, [&](const auto& file) {
      return accesses != nullptr && !accesses->may_read_in(folder, file.second, where);
    });
  } else {
    for (const auto& [name, file] : std::get<std::map<std::string, std::string>>(own)) {
      const fs::path path = path_of(file);
      if (accesses == nullptr || accesses->may_read(path, where)) files.emplace(name, path);
    }
  }
  // A plugin's parts may have prompts of any name; nearly the name of a known one is a mistake.
  std::vector<std::string> known{"system"};
  for (const StageCard& stage : game.stages) known.emplace_back(stage.name);
  for (const auto& entry : set.texts) known.push_back(entry.first);
  for (const auto& [name, path] : files) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      if (const std::string near = text::nearest(name, known); !near.empty())
        throw Error(ErrorKind::invalid,
                    "nothing asks for the prompt '" + name + "' (did you mean '" + near + "'?)",
                    where);
    set.texts[name] = read_prompt(path);
  }
}

}  // namespace

std::shared_ptr<const PromptSet> load_prompts(const Catalogue& catalogue, const Game& game,
                                              const std::vector<std::string>& roots,
                                              const std::optional<OwnPrompts>& own,
                                              const std::string& beside, const std::string& where,
                                              Accesses* accesses) {
  auto set = std::make_shared<PromptSet>();
  const auto add = [&](const fs::path& folder) {
    for (const auto& [name, path] : files_of(folder)) set->texts[name] = read_prompt(path);
  };
  for (const std::string& root : roots) add(fs::path(root) / "any-game");
  for (const std::string& root : roots) add(fs::path(root) / game.id);
  if (const PluginEntry* plugin = catalogue.plugin_of_game(game.id))
    add(fs::path(plugin->path).parent_path() / "prompts" / game.id);
  if (own) add_own(*set, game, *own, beside, where, accesses);
  set->digest = digest_of(*set);
  return set;
}

std::string prompts_document(const PromptSet& prompts) {
  bj::object document;
  for (const auto& [name, text] : prompts.texts) document[name] = text.text;
  return json::write(bj::value(std::move(document)));
}

std::shared_ptr<const PromptSet> read_prompts_document(std::string_view text,
                                                       const std::string& place) {
  auto set = std::make_shared<PromptSet>();
  const bj::value document = json::parse(text, place);
  if (!document.is_object()) throw Error(ErrorKind::invalid, "these are no prompts", place);
  for (const auto& entry : document.get_object()) {
    if (!entry.value().is_string()) throw Error(ErrorKind::invalid, "these are no prompts", place);
    set->texts[std::string(entry.key())] = {
        std::string(entry.value().get_string()),
        place + " (recorded prompt '" + std::string(entry.key()) + "')"};
  }
  set->digest = digest_of(*set);
  return set;
}

}  // namespace agon
