#include "run/archived_game.hpp"

#include <agon/error.hpp>

#include "archive/plugin_of_run.hpp"
#include "describe/read.hpp"
#include "text/shell.hpp"
#include "text/utf8.hpp"

namespace agon {

const Game& archived_game(const Catalogue& catalogue, const archive::Archive& archive,
                          const archive::GameRow& row) {
  if (catalogue.has_game(row.name)) return catalogue.game(row.name);
  std::string file = "FILE";
  for (const archive::RunRow& run : archive.runs())
    if (const auto plugins = read_recorded<std::vector<archive::PluginOfRun>>(run.plugins))
      for (const archive::PluginOfRun& plugin : *plugins)
        if (plugin.name == row.plugin) file = text::shell_word(text::printable(plugin.path));
  throw Error(ErrorKind::not_found,
              "there is no game '" + text::printable(row.name) + "'; the plugin '" +
                  text::printable(row.plugin) + "' brought it when it was played",
              archive.path().string(), "add --plugin " + file);
}

}  // namespace agon
