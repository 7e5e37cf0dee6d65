#include "plugin/writers.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <optional>
#include <string>

#include "text/shell.hpp"
#include "text/utf8.hpp"

namespace agon::plugin {
namespace {

namespace fs = std::filesystem;

/// Plugins are loaded from one thread, before there are others: the C library's own buffers do.
std::string user_name(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry == nullptr ? "user " + std::to_string(user) : entry->pw_name;
}

/// Somebody else who is in a group; nothing if there is none.
std::optional<std::string> other_member(gid_t group) {
  const std::string me = user_name(geteuid());
  if (const struct group* entry = getgrgid(group); entry != nullptr)
    for (char** member = entry->gr_mem; *member != nullptr; ++member)
      if (*member != me && std::string(*member) != "root") return *member;
  std::optional<std::string> found;
  setpwent();
  while (const passwd* entry = getpwent())
    if (entry->pw_gid == group && entry->pw_uid != geteuid() && entry->pw_uid != 0) {
      found = entry->pw_name;
      break;
    }
  endpwent();
  return found;
}

struct Writer {
  std::string who;
  std::string mend;
};

/// Somebody else who can write what is at `path`.
std::optional<Writer> other_writer(const fs::path& path, uid_t program_owner) {
  struct stat s {};
  if (stat(path.c_str(), &s) != 0) return std::nullopt;  // whoever opens it says why
  const std::string name = text::shell_word(path.string());
  if (s.st_uid != 0 && s.st_uid != geteuid() && s.st_uid != program_owner)
    return Writer{"it belongs to " + user_name(s.st_uid),
                  "copy the plugin to a folder of yours, if you trust it"};
  // In a sticky folder only owners can rename and remove.
  if (S_ISDIR(s.st_mode) && (s.st_mode & S_ISVTX) != 0) return std::nullopt;
  if ((s.st_mode & S_IWOTH) != 0) return Writer{"everybody can write it", "chmod go-w " + name};
  if ((s.st_mode & S_IWGRP) != 0)
    if (const auto member = other_member(s.st_gid))
      return Writer{*member + " can write it, as a member of its group", "chmod g-w " + name};
  return std::nullopt;
}

}  // namespace

void require_own_file(const fs::path& file, const fs::path& program) {
  struct stat s {};
  const uid_t owner = stat(program.c_str(), &s) == 0 ? s.st_uid : geteuid();
  const auto refuse = [&](const std::string& problem, const std::string& mend) {
    throw Error(ErrorKind::not_found, text::printable(problem), text::printable(file.string()),
                text::printable(mend) + "; --trust loads it all the same");
  };
  if (const auto writer = other_writer(file, owner))
    refuse("others may have changed the plugin: " + writer->who, writer->mend);
  if (const auto writer = other_writer(file.parent_path(), owner))
    refuse("others may have put the plugin there: of its folder, " + writer->who, writer->mend);
}

}  // namespace agon::plugin
