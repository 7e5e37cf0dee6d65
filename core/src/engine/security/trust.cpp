#include "security/trust.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/telling.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace fs = std::filesystem;

fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path.empty() ? fs::path(".") : path, error);
  fs::path found = fs::weakly_canonical(whole, error);
  if (error) found = whole.lexically_normal();
  // "folder/" is "folder".
  return found.has_filename() || found == found.root_path() ? found : found.parent_path();
}

bool is_below(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

std::string text_of(const Access& access) {
  std::string text;
  switch (access.kind) {
    case AccessKind::command:
      text = "starts " + text::shell_line(access.command) + " in " + access.folder;
      if (!access.variables.empty()) text += " with the values of " + listed(access.variables);
      break;
    case AccessKind::host:
      if (access.variables.empty())
        text = "sends questions to " + access.target;
      else
        text = "sends questions and the value of " + listed(access.variables) + " to " +
               access.target + (access.target.starts_with("http:") ? ", unencrypted" : "");
      break;
    case AccessKind::file:
      text = "reads " + access.target;
      break;
  }
  return text::printable(text);
}

std::string text_of(const AskedFor& asked) {
  std::string text = text_of(asked.access);
  constexpr std::size_t kShown = 3;
  const std::size_t n = asked.agents.size();
  if (n > 0) text += n == 1 ? ", for agent " : ", for agents ";
  for (std::size_t i = 0; i < std::min(n, kShown); ++i)
    text += (i == 0 ? "" : ", ") + text::shorten(text::printable(asked.agents[i]), 60);
  if (n > kShown) text += " and " + std::to_string(n - kShown) + " more";
  if (!asked.where.empty()) text += ": " + text::printable(asked.where);
  return text;
}

Accesses::Accesses(const fs::path& folder, const std::vector<std::string>& shipped)
    : folder_(resolved(folder)), free_{folder_} {
  for (const std::string& root : shipped) {
    free_.push_back(resolved(root));
    std::error_code error;
    for (fs::directory_iterator at(root, error), end; !error && at != end; at.increment(error))
      free_.push_back(resolved(at->path()));
  }
}

bool Accesses::add(Access access, const std::string& where, const std::string& agent) {
  if (access.kind == AccessKind::command)
    access.folder = access.folder.empty() ? folder_.string() : resolved(access.folder).string();
  const std::string what = text_of(access);
  const hash::Digest digest = hash::sha256(folder_.string() + '\0' + write_json(access));
  const auto known = static_cast<std::size_t>(std::find(digests_.begin(), digests_.end(), digest) -
                                              digests_.begin());
  if (known == digests_.size()) {
    digests_.push_back(digest);
    all_.push_back({std::move(access), where, {}});
  }
  AskedFor& asked = all_[known];
  if (!agent.empty() &&
      std::find(asked.agents.begin(), asked.agents.end(), agent) == asked.agents.end())
    asked.agents.push_back(agent);
  const bool is_trusted = trusted_.contains(digest);
  if (refuses_ && !is_trusted)
    throw Error(ErrorKind::preflight, "this " + what + ", and nobody was asked about it", where,
                "a file was changed while it was read: begin again");
  return is_trusted;
}

bool Accesses::may_read(const fs::path& path, const std::string& where) {
  const fs::path file = resolved(path);
  if (std::any_of(free_.begin(), free_.end(),
                  [&](const fs::path& folder) { return is_below(folder, file); }))
    return true;
  if (add({.kind = AccessKind::file, .target = file.string()}, where, {}) || reads_all_)
    return true;
  left_out_ = true;
  return false;
}

bool Accesses::may_read_in(const fs::path& folder, const fs::path& file, const std::string& where) {
  return is_below(resolved(folder), resolved(file)) || may_read(file, where);
}

bool Accesses::may_start(const fs::path& program, const std::string& where) {
  const fs::path file = resolved(program);
  if (add({.command = {file.string()}, .folder = file.parent_path().string()}, where, {}))
    return true;
  left_out_ = true;
  return false;
}

void Accesses::trust() {
  trusted_.insert(digests_.begin(), digests_.end());
  left_out_ = false;
}

bool Accesses::all_trusted() const {
  return std::all_of(digests_.begin(), digests_.end(),
                     [&](const hash::Digest& digest) { return trusted_.contains(digest); });
}

namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// A file that is closed in the end, and its lock given up.
class LockedFile {
 public:
  explicit LockedFile(const fs::path& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600)) {}
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  ~LockedFile() {
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

std::string not_ours(const LockedFile& file, const fs::path& path) {
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
  const LockedFile in(file_, O_RDONLY);
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
  const LockedFile out(file_, O_RDWR | O_APPEND | O_CREAT);
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
