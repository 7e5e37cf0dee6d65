#include "wire.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <boost/json/value.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "json/parse.hpp"

namespace agon::worker {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10;

[[noreturn]] void gone() {
  _exit(0);
}

[[noreturn]] void fail() {
  throw Error(ErrorKind::failure,
              "cannot set up its streams: " + std::generic_category().message(errno));
}

/// A descriptor of the same stream, above the standard ones.
int another(int fd) {
  const int made = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (made < 0) fail();
  return made;
}

}  // namespace

Wire::Wire() : from_(another(STDIN_FILENO)), to_(another(STDOUT_FILENO)) {
  std::array<int, 2> empty{};
  if (pipe2(empty.data(), O_CLOEXEC) != 0 || dup2(empty[0], STDIN_FILENO) < 0 ||
      dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    fail();
  for (const int fd : empty) close(fd);
  // What a game prints is there when it breaks, and when its match is over.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

void Wire::fill() {
  if (taken_ > kBlock) {
    in_.erase(0, taken_);
    taken_ = 0;
  }
  std::array<char, kBlock> block;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
  ssize_t n = 0;
  do n = read(from_, block.data(), block.size());
  while (n < 0 && errno == EINTR);
  if (n <= 0) gone();
  in_.append(block.data(), static_cast<std::size_t>(n));
}

boost::json::object Wire::hear() {
  std::size_t end = in_.find('\n', taken_);
  if (end == std::string::npos) flush();
  while (end == std::string::npos) {
    const std::size_t unread = in_.size() - taken_;
    fill();
    end = in_.find('\n', taken_ + unread);
  }
  const std::string_view line = std::string_view(in_).substr(taken_, end - taken_);
  boost::json::value message = json::parse(line, "the arena");
  taken_ = end + 1;
  if (!message.is_object())
    throw Error(ErrorKind::invalid, "what the arena says is no JSON object");
  return std::move(message.get_object());
}

std::string Wire::hear_bytes(std::size_t n) {
  while (in_.size() - taken_ < n) fill();
  std::string bytes = in_.substr(taken_, n);
  taken_ += n;
  return bytes;
}

void Wire::say(std::string_view message) {
  out_ += message;
  out_ += '\n';
  if (out_.size() > kBlock) flush();
}

void Wire::say_bytes(std::string_view bytes) {
  out_ += bytes;
  if (out_.size() > kBlock) flush();
}

void Wire::flush() {
  for (std::string_view rest = out_; !rest.empty();) {
    const ssize_t n = write(to_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) gone();
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  out_.clear();
}

}  // namespace agon::worker
