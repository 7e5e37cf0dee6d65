#include "archive/open_file.hpp"

#include <agon/error.hpp>
#include <string>
#include <system_error>

namespace agon::archive {

std::filesystem::path resolve(const std::filesystem::path& path, bool must_exist) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::none) {
    throw Error(ErrorKind::failure, "the archive cannot be reached: " + code.message(),
                path.string(), "check the permissions of its folder");
  }
  if (fs::is_directory(status)) {
    throw Error(ErrorKind::failure, "this is a folder, not an archive", path.string(),
                "name a file in it, such as " + (path / "run.agon").string());
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(ErrorKind::failure, "an archive must be an ordinary file", path.string(),
                "name another file");
  }
  if (!fs::exists(status)) {
    if (must_exist) {
      throw Error(ErrorKind::not_found, "there is no such archive", path.string(),
                  "check the name; `agon run SUITE --out FILE` writes one");
    }
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (path.filename().empty() || !fs::is_directory(folder, code)) {
      throw Error(ErrorKind::not_found, "there is no folder for the archive", folder.string(),
                  "make the folder, or choose another place with --out");
    }
    return fs::canonical(folder) / path.filename();
  }
  return fs::canonical(path);
}

}  // namespace agon::archive
