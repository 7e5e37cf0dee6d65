#include "process/streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <agon/process.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <span>

#include "task/coroutine_pool.hpp"

namespace agon {
namespace {

/// What a program may have said before anybody reads it: a batch of matches fits in.
constexpr int kRoom = 1 << 18;

constexpr std::size_t kComplaints = 4096;
// A coroutine sleeps longer: there may be thousands, and the end of a program closes its pipes.
constexpr auto kTick = std::chrono::milliseconds(50);
constexpr auto kTickOfCoroutine = std::chrono::milliseconds(200);

/// Writing to a program that is gone is an error to report, not a way to die: this thread takes no
/// SIGPIPE for as long as this stands, and none is left over.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;
  ~NoSigpipe() {
    const timespec now{};
    if (!was_pending_)
      while (sigtimedwait(&pipe_, nullptr, &now) == -1 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

void close_end(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// Reads some of what is there. False once the other end is closed.
bool drain(int fd, const std::function<void(std::string_view)>& take) {
  std::array<char, 65536> block;
  for (;;) {
    const ssize_t n = ::read(fd, block.data(), block.size());
    if (n > 0) {
      // One block at a time: a program that never stops talking must not keep us here.
      take({block.data(), static_cast<std::size_t>(n)});
      return true;
    }
    if (n == 0) return false;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK;
  }
}

}  // namespace

bool UnreadText::take_line(std::string& line) {
  const std::size_t end = bytes_.find('\n', scanned_);
  if (end == std::string::npos) {
    scanned_ = bytes_.size();
    return false;
  }
  line.assign(bytes_, taken_, end - taken_);
  taken_ = scanned_ = end + 1;
  drop_taken();
  return true;
}

void UnreadText::take(std::string& bytes, std::size_t n) {
  bytes.assign(bytes_, taken_, n);
  taken_ = scanned_ = taken_ + n;
  drop_taken();
}

void UnreadText::clear() {
  bytes_.clear();
  taken_ = scanned_ = 0;
}

/// Once in a while: else each line would move all that follows it.
void UnreadText::drop_taken() {
  if (taken_ != bytes_.size() && taken_ <= Process::kLongestLine) return;
  bytes_.erase(0, taken_);
  taken_ = scanned_ = 0;
}

ProcessStreams::~ProcessStreams() {
  for (int* end : {&in_, &out_, &err_}) close_end(*end);
}

void ProcessStreams::connect(int in, int out, int err) {
  in_ = in;
  out_ = out;
  err_ = err;
  for (const int fd : {in_, out_, err_}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  // Where it is not granted, both sides wait for each other more often.
  fcntl(out_, F_SETPIPE_SZ, kRoom);
}

void ProcessStreams::close() {
  close_in();
  drain_complaints();
  close_out();
  close_end(err_);
}

void ProcessStreams::close_in() {
  close_end(in_);
}

void ProcessStreams::close_out() {
  close_end(out_);
}

void ProcessStreams::drain_complaints() {
  if (err_ < 0) return;
  const auto keep = [this](std::string_view bytes) {
    complaints_ += bytes;
    complained_ += bytes.size();
    if (complaints_.size() > kComplaints) complaints_.erase(0, complaints_.size() - kComplaints);
  };
  if (!drain(err_, keep)) close_end(err_);
}

void ProcessStreams::forget_complaints() {
  drain_complaints();
  complaints_.clear();
  complained_ = 0;
}

void ProcessStreams::write_some() {
  const NoSigpipe guard;
  while (written_ < to_write_.size()) {
    const ssize_t n = ::write(in_, to_write_.data() + written_, to_write_.size() - written_);
    if (n > 0) {
      written_ += static_cast<std::size_t>(n);
    } else if (n == -1 && errno == EINTR) {
      continue;
    } else if (n == -1 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return;
    } else {
      close_end(in_);
      return;
    }
  }
  to_write_.clear();
  written_ = 0;
}

void ProcessStreams::pump(Clock::time_point until) {
  std::array<pollfd, 3> fds{};
  nfds_t n = 0;
  const auto watch = [&](int fd, short events) {
    if (fd >= 0) fds[n++] = {fd, events, 0};
  };
  // Errors of the writing end (nobody reads any more) are told even if no event is asked for.
  watch(in_, written_ < to_write_.size() ? POLLOUT : 0);
  watch(out_, POLLIN);
  watch(err_, POLLIN);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  const auto wait = std::clamp<std::chrono::milliseconds>(
      left, std::chrono::milliseconds(0), is_on_coroutine() ? kTickOfCoroutine : kTick);
  if (!poll_descriptors(std::span(fds.data(), n), wait)) return;
  for (nfds_t i = 0; i < n; ++i) {
    if (fds[i].revents == 0) continue;
    if (fds[i].fd == out_) {
      if (!drain(out_, [this](std::string_view bytes) { said_.add(bytes); })) close_end(out_);
    } else if (fds[i].fd == err_) {
      drain_complaints();
    } else if ((fds[i].revents & (POLLERR | POLLNVAL)) != 0) {
      close_end(in_);
    } else if (fds[i].fd == in_) {
      write_some();
    }
  }
}

}  // namespace agon
