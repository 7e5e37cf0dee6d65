#include "trust/remembered.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "text/utf8.hpp"

namespace agon {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// A file that is closed in the end, and its lock given up.
class Open {
 public:
  explicit Open(const fs::path& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600)) {}
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// Why what others may have written there is not to be believed; empty if only the user can.
std::string not_ours(const struct stat& s, mode_t kind, const fs::path& path) {
  const std::string name = text::printable(path.string());
  if ((s.st_mode & S_IFMT) != kind)
    return name + (kind == S_IFDIR ? " is not a folder" : " is not an ordinary file");
  if (s.st_uid != geteuid()) return name + " belongs to somebody else";
  if ((s.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "others can write " + name + ": chmod go-w " + name;
  return {};
}

std::string not_ours(const Open& file, const fs::path& path) {
  struct stat of_file {};
  struct stat of_folder {};
  if (fstat(file.get(), &of_file) != 0 || lstat(path.parent_path().c_str(), &of_folder) != 0)
    return text::printable(path.string()) + ": " + reason(errno);
  std::string why = not_ours(of_file, S_IFREG, path);
  return why.empty() ? not_ours(of_folder, S_IFDIR, path.parent_path()) : why;
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 65536> block;
  for (;;) {
    const ssize_t n = ::read(fd, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(n));
  }
}

/// Nothing for a line that is not one of ours.
std::optional<std::set<hash::Digest>> read_line(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::set<hash::Digest> digests;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) return digests;
    const std::size_t end = std::min(line.find(' '), line.size());
    const auto digest = hash::read_hex(line.substr(0, end));
    if (!digest) return std::nullopt;
    digests.insert(*digest);
    line.remove_prefix(end);
  }
}

/// A folder of the user's alone, with those above it. False if it cannot be made.
bool make_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return true;
  if (errno != ENOENT || folder == folder.parent_path()) return false;
  return make_folder(folder.parent_path()) &&
         (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST);
}

}  // namespace

Remembered Remembered::of_user() {
  const auto absolute = [](const char* variable) {
    const char* value = std::getenv(variable);
    const fs::path path(value == nullptr ? "" : value);
    return path.is_absolute() ? path : fs::path();
  };
  fs::path state = absolute("XDG_STATE_HOME");
  if (state.empty())
    if (const fs::path home = absolute("HOME"); !home.empty()) state = home / ".local" / "state";
  return Remembered(state.empty() ? fs::path() : state / "agon" / "trusted");
}

Remembered::Remembered(fs::path file) : file_(std::move(file)) {
  if (file_.empty()) return;
  const Open in(file_, O_RDONLY);
  if (in.get() < 0) {
    if (errno != ENOENT && errno != ENOTDIR)
      ignored_ = text::printable(file_.string()) + ": " + reason(errno);
    return;
  }
  ignored_ = not_ours(in, file_);
  if (!ignored_.empty()) return;
  const std::string text = read_all(in.get());
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (auto line = read_line(rest.substr(0, end)); line && !line->empty())
      lines_.push_back(std::move(*line));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

bool Remembered::has(std::span<const hash::Digest> asked) const {
  return std::any_of(lines_.begin(), lines_.end(), [&](const std::set<hash::Digest>& line) {
    return std::all_of(asked.begin(), asked.end(),
                       [&](const hash::Digest& digest) { return line.contains(digest); });
  });
}

std::string Remembered::add(std::span<const hash::Digest> asked, const std::string& folder) {
  if (file_.empty()) return "there is neither XDG_STATE_HOME nor HOME";
  if (!make_folder(file_.parent_path()))
    return text::printable(file_.parent_path().string()) + " cannot be made: " + reason(errno);
  const Open out(file_, O_RDWR | O_APPEND | O_CREAT);
  if (out.get() < 0)
    return text::printable(file_.string()) + " cannot be written: " + reason(errno);
  if (std::string why = not_ours(out, file_); !why.empty()) return why;
  std::string line;
  for (const hash::Digest& digest : asked) line += hash::hex(digest) + " ";
  line += "# " + text::printable(folder) + "\n";
  // One at a time: a line stays a line, also behind one that a full disk has cut.
  while (flock(out.get(), LOCK_EX) != 0)
    if (errno != EINTR) return text::printable(file_.string()) + ": " + reason(errno);
  const off_t size = lseek(out.get(), 0, SEEK_END);
  char last = '\n';
  if (size > 0 && pread(out.get(), &last, 1, size - 1) == 1 && last != '\n') line.insert(0, "\n");
  if (::write(out.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return text::printable(file_.string()) + " cannot be written: " + reason(errno);
  lines_.emplace_back(asked.begin(), asked.end());
  return {};
}

}  // namespace agon
