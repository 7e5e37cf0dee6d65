#include "command/file_watch.hpp"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace agon::command {
namespace {

namespace fs = std::filesystem;

/// How often it is looked whether somebody wants to stop.
constexpr int kLookMilliseconds = 100;
/// Several files are saved, or one in several steps, within this.
constexpr int kSettleMilliseconds = 50;

bool has_events(int inotify, int milliseconds) {
  pollfd asked{inotify, POLLIN, 0};
  return ::poll(&asked, 1, milliseconds) > 0;
}

}  // namespace

FileWatch::FileWatch(const std::vector<fs::path>& paths)
    : inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (inotify_ < 0)
    throw Error(ErrorKind::failure, std::string("cannot watch files: ") + std::strerror(errno), "",
                "play without --watch");
  try {
    for (const fs::path& path : paths) {
      const fs::path whole = fs::absolute(path);
      if (fs::is_directory(whole))
        watch(whole, "", {".so", ".py"});
      else if (!fs::exists(whole))
        throw Error(ErrorKind::not_found, "there is no such file to watch", path.string());
      else if (whole.extension() == ".py")
        watch(whole.parent_path(), "", {".py"});
      else
        watch(whole.parent_path(), whole.filename().string(), {});
    }
  } catch (...) {
    ::close(inotify_);
    throw;
  }
}

FileWatch::~FileWatch() {
  ::close(inotify_);
}

void FileWatch::watch(const fs::path& folder, const std::string& name,
                      const std::set<std::string>& endings) {
  const int id = ::inotify_add_watch(inotify_, folder.c_str(),
                                     IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF);
  if (id < 0)
    throw Error(ErrorKind::failure, std::string("cannot watch the folder: ") + std::strerror(errno),
                folder.string(), "play without --watch");
  Watched& watched = watched_[id];
  watched.folder = folder;
  if (!name.empty()) watched.names.insert(name);
  watched.endings.insert(endings.begin(), endings.end());
}

void FileWatch::read_events(std::set<std::string>& changed) const {
  alignas(inotify_event) std::array<char, 16 * 1024> buffer;
  for (ssize_t size = 0; (size = ::read(inotify_, buffer.data(), buffer.size())) > 0;) {
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += sizeof(inotify_event) + event->len;
      const auto found = watched_.find(event->wd);
      if (found == watched_.end()) continue;
      const Watched& watched = found->second;
      if ((event->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0)
        throw Error(ErrorKind::failure, "the folder that is watched is gone",
                    watched.folder.string(), "make it again, and begin again");
      if (event->len == 0) continue;
      const std::string name(event->name);
      if (watched.names.contains(name) ||
          watched.endings.contains(fs::path(name).extension().string()))
        changed.insert(name);
    }
  }
}

std::set<std::string> FileWatch::wait(const std::atomic<bool>& stop) {
  std::set<std::string> changed;
  while (!stop && changed.empty())
    if (has_events(inotify_, kLookMilliseconds)) read_events(changed);
  while (!stop && has_events(inotify_, kSettleMilliseconds)) read_events(changed);
  if (stop) changed.clear();
  return changed;
}

}  // namespace agon::command
