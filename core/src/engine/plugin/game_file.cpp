#include "plugin/game_file.hpp"

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
