#include "plugin/search_path.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <cstdlib>

#include "plugin/plugin_file.hpp"

#ifndef AGON_INSTALLED_PLUGINS
#define AGON_INSTALLED_PLUGINS "/usr/local/lib/agon/plugins"
#endif

namespace agon::plugin {

namespace fs = std::filesystem;

std::vector<SearchPlace> search_places(const std::string& path, const fs::path& program_folder) {
  std::vector<SearchPlace> places;
  const auto add = [&](const fs::path& folder, std::string what) {
    std::error_code error;
    fs::path full = fs::weakly_canonical(folder, error);
    if (error) full = folder;
    for (const SearchPlace& place : places)
      if (place.folder == full) return;
    places.push_back({std::move(full), std::move(what)});
  };
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    if (end > at) add(path.substr(at, end - at), "AGON_PLUGIN_PATH");
    at = end + 1;
  }
  add(program_folder / ".." / "lib" / "agon" / "plugins", "beside the command");
  add(AGON_INSTALLED_PLUGINS, "install prefix");
  return places;
}

std::string plugin_path_variable() {
  const char* value = std::getenv("AGON_PLUGIN_PATH");
  return value == nullptr ? "" : value;
}

fs::path program_file() {
  std::error_code error;
  const fs::path program = boost::dll::program_location(error);
  return error ? fs::path() : program;
}

fs::path program_folder() {
  const fs::path program = program_file(), folder = program.parent_path();
  if (program.filename() == "agon") return folder;  // the command, wherever it was copied to
  std::error_code error;
  const fs::path library = fs::weakly_canonical(boost::dll::this_line_location(error), error);
  const fs::path prefix = library.parent_path().parent_path();
  if (prefix.empty()) return folder.empty() ? fs::path(".") : folder;
  return folder == prefix / "lib" / "agon" ? folder : prefix / "bin";
}

fs::path shipped_file(std::string_view name) {
  return (program_folder() / ".." / "share" / "agon" / name).lexically_normal();
}

std::string scenario_file(std::string file) {
  std::error_code none;
  if (!file.starts_with("scenarios/") || fs::exists(file, none)) return file;
  const fs::path shipped = shipped_file(file);
  return fs::exists(shipped, none) ? shipped.string() : file;
}

bool comes_with_agon(const fs::path& file) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(file, error).parent_path();
  const std::vector<SearchPlace> places = search_places("", program_folder());
  return !error && std::any_of(places.begin(), places.end(),
                               [&](const SearchPlace& place) { return place.folder == folder; });
}

std::vector<fs::path> plugin_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error))
    if (entries->path().extension() == ".so" || brings_game(entries->path()))
      files.push_back(entries->path());
  if (error)
    throw Error(ErrorKind::not_found,
                "the folder of plugins cannot be read (" + error.message() + ")", folder.string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace agon::plugin
