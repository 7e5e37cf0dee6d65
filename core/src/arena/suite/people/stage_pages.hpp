#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/path.hpp"

namespace agon {

class Accesses;
class Catalogue;
class FileText;
struct Game;

/// Pages of HTML in which people answer, by stage: `<root>/<game>/STAGE.html` and `pages/<game>`
/// beside the game's plugin, over these what the scenario says, `own`: files from `beside`, an
/// empty name for the ordinary form. `path`: of the scenario. Throws Error with its place for a
/// stage that the game does not have, and a file that is not there, too large or no UTF-8. What
/// `accesses` (null: all may be read) does not let read is left out.
[[nodiscard]] std::map<std::string, std::string> load_stage_pages(
    const Catalogue& catalogue, const Game& game, const std::vector<std::string>& roots,
    const std::optional<std::map<std::string, std::string>>& own, const std::string& beside,
    const FileText& suite, const json::Path& path, Accesses* accesses);

}  // namespace agon
