#include "command/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/secrets.hpp>
#include <array>
#include <boost/json/value.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <utility>

#include "command/command.hpp"
#include "json/write.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::command {

namespace {

[[noreturn]] void cannot_write() {
  // The reader has seen enough (`agon show | head`): nothing is wrong, and nobody is there to tell.
  constexpr int kBrokenPipe = 128 + SIGPIPE;
  if (errno == EPIPE) std::_Exit(kBrokenPipe);
  throw Error(ErrorKind::failure, std::string("cannot write: ") + std::strerror(errno),
              "standard output");
}

}  // namespace

void print(std::string_view text) {
  const std::string words = secrets::cut(std::string(text));
  if (text::Listener* listener = text::Listening::current(); listener != nullptr)
    return listener->print(words);
  if (std::fwrite(words.data(), 1, words.size(), stdout) != words.size()) cannot_write();
}

void flush() {
  if (text::Listening::current() != nullptr) return;
  if (std::fflush(stdout) != 0) cannot_write();
}

void print_line(std::string_view text) {
  print(text);
  print("\n");
}

void print_json(const boost::json::value& value) {
  print_line(json::write_pretty(value));
}

bool colours() {
  const char* term = std::getenv("TERM");
  const char* no = std::getenv("NO_COLOR");
  return text::Listening::current() == nullptr && isatty(STDOUT_FILENO) == 1 &&
         (no == nullptr || *no == '\0') && term != nullptr && std::string_view(term) != "dumb";
}

std::string hanging(std::string_view text, std::size_t columns) {
  std::string lines;
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines.append(columns, ' ');
  }
  return lines;
}

std::string as_one_message(std::string_view text) {
  return hanging(text::printable(text, text::Breaks::keep), 2);
}

std::string heading(std::string_view text) {
  return colours() ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

namespace {

constexpr std::size_t kMostBytes = 600;
constexpr int kMostLines = 8;

/// Where the last lines begin.
std::size_t last_lines(std::string_view text) {
  std::size_t at = text.size();
  for (int line = 0; line < kMostLines; ++line) {
    at = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    if (at == std::string_view::npos) return 0;
  }
  return at + 1;
}

}  // namespace

/// From any thread, and for as long as any game is there to print.
class Overheard::Tail {
 public:
  void hear(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (!text_.empty()) text_ += '\n';
    text_ += text;
    text_.erase(0, last_lines(text_));
    if (text_.size() > kMostBytes) text_.erase(0, text_.size() - kMostBytes);
  }
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

Overheard::Overheard(Invocation& call) : call_(call), tail_(std::make_shared<Tail>()) {
  call.overhear([tail = tail_](std::string_view text) { tail->hear(text); });
}

void Overheard::tell() const {
  const std::string last = tail_->text();
  if (!last.empty() && !call_.quiet())
    text::say("games printed, the last of it ('agon play' tells what one match prints):\n  {}\n",
              as_one_message(last));
}

namespace {

namespace fs = std::filesystem;

std::string hint_for(int reason) {
  switch (reason) {
    case ENOENT:
    case ENOTDIR:
      return "make its folder first, or choose another place";
    case EISDIR:
      return "name a file in it";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder that you may write";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "check the free space on the disk";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "";
  }
}

/// A file without a name in the folder of `path`: however this process ends, nothing is left of it.
/// Below 0 where the system or the folder has no such files.
int open_nameless(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

/// The name under which a file that is open can be opened or linked.
std::string name_of(int open_file) {
  return "/proc/self/fd/" + std::to_string(open_file);
}

}  // namespace

void refuse_to_write(const std::string& path, int reason) {
  const int known = reason == 0 ? EIO : reason;
  throw Error(ErrorKind::failure, std::string("cannot write: ") + std::strerror(known), path,
              hint_for(known));
}

bool is_archive(const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 15> magic{};
  file.read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) == "SQLite format 3";
}

OutFile::OutFile(std::string path) : path_(std::move(path)), target_(path_) {
  if (is_archive(path_))
    throw Error(ErrorKind::usage, "refusing to overwrite an archive", path_,
                "choose another --out file");
  std::error_code none;
  const fs::file_status status = fs::status(path_, none);
  if (fs::is_regular_file(status)) target_ = fs::canonical(path_, none).string();
  if (target_.empty()) target_ = path_;
  const bool beside = !fs::exists(status) || fs::is_regular_file(status);
  part_ = beside ? target_ + ".part" : target_;
  errno = 0;
  if (beside) nameless_ = open_nameless(target_);
  file_.open(nameless_ < 0 ? part_ : name_of(nameless_), std::ios::binary);
  if (file_) return;
  const int reason = errno;
  kept_ = true;  // there is nothing to remove
  if (nameless_ >= 0) ::close(nameless_);
  refuse_to_write(path_, reason);
}

OutFile::~OutFile() {
  std::error_code none;
  if (!kept_ && part_ != target_ && nameless_ < 0) fs::remove(part_, none);
  if (nameless_ >= 0) ::close(nameless_);
}

void OutFile::keep() {
  errno = 0;
  file_.close();
  if (!file_) refuse_to_write(path_, errno == 0 ? ENOSPC : errno);
  std::error_code error;
  if (nameless_ >= 0) {
    fs::remove(part_, error);  // of a run that ended between these two lines
    if (::linkat(AT_FDCWD, name_of(nameless_).c_str(), AT_FDCWD, part_.c_str(),
                 AT_SYMLINK_FOLLOW) != 0)
      refuse_to_write(path_, errno);
  }
  if (part_ != target_) fs::rename(part_, target_, error);
  if (error) refuse_to_write(path_, error.value());
  kept_ = true;
}

}  // namespace agon::command
