#include "run/archived_game.hpp"

#include <agon/error.hpp>

#include "archive/plugin_of_run.hpp"
#include "describe/read.hpp"
#include "plugin/search_path.hpp"
#include "text/shell.hpp"
#include "text/utf8.hpp"

namespace agon {

const Game& archived_game(const Catalogue& catalogue, const archive::Archive& archive,
                          const archive::GameRow& row) {
  const PluginEntry* own = catalogue.plugin_of_game(row.name);
  if (catalogue.has_game(row.name) && (own == nullptr || !plugin::comes_with_agon(own->path)))
    return catalogue.game(row.name);
  std::string file = "FILE";
  bool is_ours = false, is_others = false;  // whose game of that name runs had
  for (const archive::RunRow& run : archive.runs())
    if (const auto plugins = read_recorded<std::vector<archive::PluginOfRun>>(run.plugins))
      for (const archive::PluginOfRun& plugin : *plugins) {
        const bool brings = plugin.games && plugin.games->contains(row.name);
        if (brings) (plugin.shipped.value_or(true) ? is_ours : is_others) = true;
        if (plugin.name == row.plugin && (own == nullptr || brings))
          file = text::shell_word(text::printable(plugin.path));
      }
  if (own != nullptr) {
    if (is_ours || !is_others) return catalogue.game(row.name);
    throw Error(ErrorKind::not_found,
                "the game '" + text::printable(row.name) +
                    "' of this archive is not Agon's own; "
                    "the plugin '" +
                    text::printable(row.plugin) + "' supplied it when it was played",
                archive.path().string(), "add --replace " + file);
  }
  throw Error(ErrorKind::not_found,
              "there is no game '" + text::printable(row.name) + "'; the plugin '" +
                  text::printable(row.plugin) + "' brought it when it was played",
              archive.path().string(), "add --plugin " + file);
}

}  // namespace agon
