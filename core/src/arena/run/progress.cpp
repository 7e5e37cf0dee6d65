#include "run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

bool is_terminal() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string duration(double seconds) {
  const auto s = static_cast<std::uint64_t>(seconds);
  if (s < 100) return fmt::format("{} s", s);
  if (s < 6000) return fmt::format("{} min", s / 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace

Progress::Progress(std::uint64_t total, bool quiet)
    : total_(total), quiet_(quiet), terminal_(is_terminal()) {
  next_ = start_ + (terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(10'000));
}

Progress::~Progress() {
  clear();
}

void Progress::clear() {
  if (drawn_) text::say("\r\x1b[K");
  drawn_ = false;
}

void Progress::show(std::uint64_t done, std::uint64_t before, std::uint64_t troubled) {
  const Clock::time_point now = Clock::now();
  if (quiet_ || now < next_) return;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done - before) / seconds;
  std::string line = fmt::format(
      "{} of {} matches ({:.0f}%), {:.0f} a second", done, total_,
      total_ == 0 ? 100.0 : 100.0 * static_cast<double>(done) / static_cast<double>(total_), rate);
  if (rate > 0) line += ", " + duration(static_cast<double>(total_ - done) / rate) + " left";
  if (troubled > 0) line += fmt::format(", {} with trouble", troubled);
  if (terminal_) {
    text::say("\r{}\x1b[K", text::shorten(line, terminal_width() - 1));
    drawn_ = true;
    next_ = now + std::chrono::milliseconds(100);
  } else {
    text::say("{}\n", line);
    next_ = now + std::chrono::seconds(10);
  }
  std::fflush(stderr);
}

}  // namespace agon
