#include "suite/game_files.hpp"

#include <algorithm>

#include "describe/file_text.hpp"
#include "plugin/game_file.hpp"
#include "suite/suite_file.hpp"

namespace agon {

std::vector<NamedGameFile> game_files(const std::string& text, const std::string& file) {
  const FileText reader(text, file, "see 'agon describe suite'");
  const auto said = reader.read<suite_file::Suite>();
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::vector<NamedGameFile> files;
  for (std::size_t i = 0; i < said.scenarios.size(); ++i) {
    const auto named = game_file(said.scenarios[i].game, folder);
    if (!named || std::any_of(files.begin(), files.end(), [&](const NamedGameFile& known) {
          return known.file == named->file;
        }))
      continue;
    files.push_back({named->file, reader.where((json::Path() / "scenarios")[i] / "game")});
  }
  return files;
}

}  // namespace agon
