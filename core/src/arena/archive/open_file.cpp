#include "archive/open_file.hpp"

#include <agon/error.hpp>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace agon::archive {
namespace {

// SQLite removes the log beside a file without content. Of an archive that was truncated or moved
// away that is all there is of its last matches.
void refuse_log_alone(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::path log = path;
  log += "-wal";
  const auto size = std::filesystem::file_size(log, code);
  if (code || size == 0) return;
  throw Error(ErrorKind::failure,
              "there is no archive here, but the log of one: " + log.string() +
                  " holds what a run wrote last before the archive was moved, removed or truncated",
              path.string(),
              "bring the archive back beside it, or move the log away to begin a new archive");
}

// SQLite takes a file of a few bytes for one without content, and would write over it. An archive
// that a crash cut short has its journal beside it, and is SQLite's to mend.
void refuse_foreign(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  using namespace std::string_view_literals;
  constexpr auto magic = "SQLite format 3\0"sv;
  std::error_code code;
  const auto size = fs::file_size(path, code);
  if (code || size == 0) return refuse_log_alone(path);
  for (const char* log : {"-journal", "-wal"})
    if (fs::exists(path.string() + log, code)) return;
  std::ifstream file(path, std::ios::binary);
  if (!file) return;  // who opens it says why
  std::array<char, magic.size()> head{};
  file.read(head.data(), head.size());
  const std::string_view found(head.data(), static_cast<std::size_t>(file.gcount()));
  if (found == magic) return;
  if (magic.starts_with(found)) {
    throw Error(ErrorKind::failure, "the archive is damaged or cut short", path.string(),
                "take a copy from before the damage, or another name for a new one");
  }
  throw Error(ErrorKind::failure,
              "this is not an Agon archive, but another file of " + std::to_string(size) +
                  (size == 1 ? " byte" : " bytes"),
              path.string(),
              "give the file that `agon run --out` wrote, or another name for a new one");
}

}  // namespace

std::filesystem::path resolve(const std::filesystem::path& path, bool must_exist) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::none) {
    throw Error(ErrorKind::failure, "the archive cannot be reached: " + code.message(),
                path.string(),
                code == std::errc::filename_too_long ? "choose a shorter name"
                                                     : "check the permissions of its folder");
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
    fs::path full = fs::canonical(folder) / path.filename();
    refuse_log_alone(full);
    return full;
  }
  refuse_foreign(path);
  return fs::canonical(path);
}

}  // namespace agon::archive
