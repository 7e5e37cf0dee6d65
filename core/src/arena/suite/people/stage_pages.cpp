#include "suite/people/stage_pages.hpp"

#include <agon/error.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <filesystem>

#include "describe/file_text.hpp"
#include "json/parse.hpp"
#include "plugin/catalogue.hpp"
#include "security/trust.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace fs = std::filesystem;

/// Pictures in it are part of it; each person's browser gets all of it with the first question.
constexpr std::uintmax_t kLargestPage = 512U << 10U;

std::string read_page(const fs::path& file, const std::string& where) {
  std::error_code error;
  if (const std::uintmax_t size = fs::file_size(file, error); !error && size > kLargestPage)
    throw Error(ErrorKind::invalid,
                "the page '" + file.string() + "' has " + std::to_string(size >> 10U) +
                    " KiB, and at most 512 KiB are allowed",
                where, "make its pictures smaller, or leave them out");
  std::string text;
  try {
    text = json::read_file(file);
  } catch (const Error& failed) {
    throw Error(failed.kind(), failed.what(), where,
                "name a file from the suite's folder, or \"\" for the ordinary form");
  }
  if (!text::is_utf8(text))
    throw Error(ErrorKind::invalid, "the page '" + file.string() + "' is not valid UTF-8", where,
                "save it in that encoding");
  return text;
}

}  // namespace

std::map<std::string, std::string> load_stage_pages(
    const Catalogue& catalogue, const Game& game, const std::vector<std::string>& roots,
    const std::optional<std::map<std::string, std::string>>& own, const std::string& beside,
    const FileText& suite, const json::Path& path, Accesses* accesses) {
  std::vector<std::string> stages;
  for (const StageCard& stage : game.stages) stages.emplace_back(stage.name);
  std::vector<fs::path> folders;
  for (const std::string& root : roots) folders.push_back(fs::path(root) / game.id);
  if (const PluginEntry* plugin = catalogue.plugin_of_game(game.id))
    folders.push_back(fs::path(plugin->path).parent_path() / "pages" / game.id);
  std::map<std::string, std::string> pages;
  std::error_code error;
  for (const fs::path& folder : folders)
    for (const std::string& stage : stages) {
      const fs::path file = folder / (stage + ".html");
      const bool replaced = own && own->contains(stage);
      if (!replaced && fs::is_regular_file(file, error))
        pages[stage] = read_page(file, file.string());
    }
  if (!own) return pages;
  for (const auto& [stage, name] : *own) {
    const json::Path place = path / "pages" / stage;
    if (std::find(stages.begin(), stages.end(), stage) == stages.end())
      suite.fail("'" + std::string(game.id) + "' has no stage '" + stage + "'" +
                     text::did_you_mean(stage, stages),
                 place, "see 'agon describe " + std::string(game.id) + "'");
    if (name.empty()) continue;
    const fs::path file = fs::path(name).is_absolute() ? fs::path(name) : fs::path(beside) / name;
    const std::string where = suite.where(place);
    if (accesses == nullptr || accesses->may_read(file, where))
      pages[stage] = read_page(file, where);
  }
  return pages;
}

}  // namespace agon
