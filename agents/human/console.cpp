#include "human/console.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "human/wrap.hpp"

namespace agon::agents {
namespace {

constexpr int kLook = 50;  // milliseconds
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kColumns = 80;
/// Wider lines are hard to read, and a narrower terminal is none.
constexpr std::size_t kMostColumns = 100, kLeastColumns = 20;

}  // namespace

Console::Console(int in, int out) : in_(in), out_(out) {
  terminal_ = isatty(in) == 1 && isatty(out) == 1;
  const char* plain = std::getenv("NO_COLOR");
  colour_ = terminal_ && (plain == nullptr || *plain == '\0');
}

void Console::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(out_, text.data(), text.size());
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && errno == EAGAIN) {
      pollfd wait{out_, POLLOUT, 0};
      poll(&wait, 1, kLook);
    } else if (n >= 0 || errno != EINTR) {
      return;  // nobody is there to read it
    }
  }
}

void Console::show(std::string_view text) {
  std::size_t columns = kColumns;
  if (winsize size{};
      terminal_ && ioctl(out_, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeastColumns)
    columns = std::min<std::size_t>(size.ws_col, kMostColumns);
  write(wrapped(text, columns));
}

std::string Console::bold(std::string_view text) const {
  return colour_ ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::string Console::dim(std::string_view text) const {
  return colour_ ? "\x1b[2m" + std::string(text) + "\x1b[0m" : std::string(text);
}

Console::Got Console::read_line(std::string& line, const std::function<bool()>& stop) {
  for (;;) {
    const std::size_t at = buffer_.find('\n');
    if (at != std::string::npos) {
      line.assign(buffer_, 0, at);
      buffer_.erase(0, at + 1);
      if (line.ends_with('\r')) line.pop_back();
      return Got::line;
    }
    if (ended_) {
      if (buffer_.empty()) return Got::end;
      line = std::exchange(buffer_, {});
      return Got::line;
    }
    if (stop()) return Got::stopped;
    pollfd wait{in_, POLLIN, 0};
    const int ready = poll(&wait, 1, kLook);
    if (ready < 0 && errno != EINTR) ended_ = true;
    if (ready <= 0) continue;
    std::array<char, 4096> bytes;
    const ssize_t n = ::read(in_, bytes.data(), bytes.size());
    if (n > 0)
      buffer_.append(bytes.data(), static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
      ended_ = true;
    if (buffer_.size() > kLongestLine && buffer_.find('\n') == std::string::npos) {
      buffer_.clear();
      ended_ = true;
    }
  }
}

void Console::drop_typed() {
  if (!terminal_) return;
  tcflush(in_, TCIFLUSH);
  buffer_.clear();
}

}  // namespace agon::agents
