#include "archive/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>

#include "text/utf8.hpp"

namespace agon::archive {
namespace {

// True if `path` still names the open file: its last holder may have removed it.
bool same_file(int file, const std::filesystem::path& path) {
  struct stat open {};
  struct stat named {};
  return fstat(file, &open) == 0 && stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

std::string holder(int file) {
  std::array<char, 64> text{};
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  if (size <= 0) return "another process";
  return text::printable(std::string_view(text.data(), static_cast<std::size_t>(size)));
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& archive) : path_(archive) {
  path_ += ".lock";
  for (;;) {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0) {
      throw Error(ErrorKind::failure,
                  "no run can write here: " + std::generic_category().message(errno),
                  path_.string(), "choose a folder that you may write, with --out");
    }
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      const std::string who = holder(file_);
      close(file_);
      if (reason == EWOULDBLOCK) {
        throw Error(ErrorKind::failure, "another run is writing this archive (" + who + ")",
                    archive.string(), "wait for it to end, or choose another file with --out");
      }
      throw Error(ErrorKind::failure,
                  "the archive cannot be locked: " + std::generic_category().message(reason),
                  archive.string(), "keep archives on a local disk");
    }
    if (same_file(file_, path_)) break;
    close(file_);
  }
  const std::string who = "process " + std::to_string(getpid());
  // The name is for the message only; the lock holds without it, even on a full disk.
  if (ftruncate(file_, 0) == 0 && pwrite(file_, who.data(), who.size(), 0) < 0) errno = 0;
}

RunLock::~RunLock() {
  unlink(path_.c_str());  // before the lock goes, so that nobody's new file is removed
  close(file_);
}

}  // namespace agon::archive
