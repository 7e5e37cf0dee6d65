#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/process.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "process/children.hpp"

namespace agon {
namespace {

/// What a program may have said before anybody reads it: a batch of matches fits in.
constexpr int kRoom = 1 << 18;

constexpr std::size_t kComplaints = 4096;
constexpr auto kTick = std::chrono::milliseconds(50);

std::string text_of(int error) {
  return std::generic_category().message(error);
}

/// Both ends closed on exec, and above the standard streams, so that moving them there in the child
/// never meets another of them.
struct Pipe {
  std::array<int, 2> end{-1, -1};
  Pipe() {
    if (pipe2(end.data(), O_CLOEXEC) != 0)
      throw Error(ErrorKind::failure, "cannot make a pipe: " + text_of(errno), "",
                  "too many files may be open; see 'ulimit -n', or play fewer matches at a time");
    for (int& fd : end) {
      if (fd > STDERR_FILENO) continue;
      const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      ::close(fd);
      fd = higher;
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int fd : end)
      if (fd >= 0) ::close(fd);
  }
  int take(std::size_t which) { return std::exchange(end[which], -1); }
};

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

/// posix_spawn's own objects.
struct Spawning {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  Spawning() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;
  ~Spawning() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
};

}  // namespace

Process::Process(const std::vector<std::string>& words, const std::string& folder,
                 std::vector<std::string> environment, const std::atomic<bool>* stop)
    : stop_(stop) {
  std::error_code none;
  if (!folder.empty() && !std::filesystem::is_directory(folder, none))
    throw Error(ErrorKind::not_found, "there is no folder to start the program in", folder);
  Pipe in, out, err;
  Spawning s;
  posix_spawn_file_actions_adddup2(&s.actions, in.end[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&s.actions, out.end[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&s.actions, err.end[1], STDERR_FILENO);
  // The program does not get what the arena has open, archives above all.
  posix_spawn_file_actions_addclosefrom_np(&s.actions, STDERR_FILENO + 1);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&s.actions, folder.c_str());
  sigset_t nothing, everything;
  sigemptyset(&nothing);
  sigfillset(&everything);
  posix_spawnattr_setsigmask(&s.attributes, &nothing);
  posix_spawnattr_setsigdefault(&s.attributes, &everything);
  posix_spawnattr_setpgroup(&s.attributes, 0);
  posix_spawnattr_setflags(&s.attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> copy = words;
  std::vector<char*> argv;
  for (std::string& word : copy) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> envp;
  for (std::string& entry : environment) envp.push_back(entry.data());
  envp.push_back(nullptr);
  const int error =
      posix_spawnp(&pid_, argv[0], &s.actions, &s.attributes, argv.data(), envp.data());
  if (error != 0) {
    const char* hint = error == EACCES ? "make it executable: chmod +x"
                       : error == EAGAIN
                           ? "too many processes may be running; see 'ulimit -u', or play fewer "
                             "matches at a time"
                           : "";
    throw Error(ErrorKind::not_found, "cannot start '" + words.front() + "': " + text_of(error),
                folder, hint);
  }
  GroupWatch::get().add(pid_);
  in_ = in.take(1);
  out_ = out.take(0);
  err_ = err.take(0);
  for (const int fd : {in_, out_, err_}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  // Where it is not granted, both sides wait for each other more often.
  fcntl(out_, F_SETPIPE_SZ, kRoom);
}

Process::~Process() {
  kill();
}

void Process::close(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

void Process::look() {
  if (ended_) return;
  siginfo_t info{};
  // It stays a zombie until reap(), so that its group's number cannot be given to another.
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid == pid_)
    ended_ = true;
}

void Process::reap() {
  if (reaped_) return;
  // Its children first: they share the group, which lives as long as the zombie does.
  ::kill(-pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) == -1 && errno == EINTR) {
  }
  GroupWatch::get().remove(pid_);
  ended_ = reaped_ = true;
}

void Process::kill() {
  reap();
  close(in_);
  if (err_ >= 0) drain_err();
  close(out_);
  close(err_);
}

bool Process::drain(int fd, const std::function<void(std::string_view)>& take) {
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

void Process::drain_out() {
  if (!drain(out_, [this](std::string_view bytes) { buffer_ += bytes; })) close(out_);
}

void Process::drain_err() {
  const auto keep = [this](std::string_view bytes) {
    complaints_ += bytes;
    complained_ += bytes.size();
    if (complaints_.size() > kComplaints) complaints_.erase(0, complaints_.size() - kComplaints);
  };
  if (!drain(err_, keep)) close(err_);
}

void Process::write_some() {
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
      close(in_);
      return;
    }
  }
  to_write_.clear();
  written_ = 0;
}

bool Process::take_line(std::string& line) {
  const std::size_t end = buffer_.find('\n', scanned_);
  if (end == std::string::npos) {
    scanned_ = buffer_.size();
    return false;
  }
  line.assign(buffer_, taken_, end - taken_);
  taken_ = scanned_ = end + 1;
  drop_taken();
  return true;
}

void Process::pump(Clock::time_point until) {
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
  const auto wait =
      std::clamp<std::chrono::milliseconds>(left, std::chrono::milliseconds(0), kTick);
  if (poll(fds.data(), n, static_cast<int>(wait.count())) <= 0) return;
  for (nfds_t i = 0; i < n; ++i) {
    if (fds[i].revents == 0) continue;
    if (fds[i].fd == out_)
      drain_out();
    else if (fds[i].fd == err_)
      drain_err();
    else if ((fds[i].revents & (POLLERR | POLLNVAL)) != 0)
      close(in_);
    else if (fds[i].fd == in_)
      write_some();
  }
}

Process::Got Process::wait_for(const std::function<bool()>& there, Clock::time_point until,
                               std::chrono::milliseconds patience,
                               const std::function<bool()>& stop) {
  Clock::time_point given_up = Clock::time_point::max();
  // Mostly there is room for it: then nothing but the answer is waited for.
  if (in_ >= 0 && written_ < to_write_.size()) write_some();
  bool over = ended_;
  while (!there()) {
    if (out_ < 0) return Got::end;
    if (stop && stop()) return Got::stopped;
    const Clock::time_point now = Clock::now();
    if (now >= until) return Got::time_up;
    if (now >= given_up) return Got::deaf;
    const std::size_t before = buffer_.size();
    pump(over ? now : std::min(until, given_up));
    if (out_ >= 0 && buffer_.size() == before) {
      // A child of the program may hold the pipe open for ever: the program's end is the end. What
      // it wrote before is there by now, and read in one more round.
      if (over) close(out_);
      look();
      over = ended_;
    }
    if (in_ < 0 && given_up == Clock::time_point::max()) given_up = now + patience;
  }
  return Got::line;
}

Process::Got Process::read(std::string& line, Clock::time_point until,
                           std::chrono::milliseconds patience, const std::function<bool()>& stop) {
  line.clear();
  bool found = false;
  const auto there = [&] {
    return (found = take_line(line)) || buffer_.size() - taken_ > longest_line_;
  };
  const Got got = wait_for(there, until, patience, stop);
  if (got == Got::line) return found && line.size() <= longest_line_ ? got : Got::too_long;
  if (got != Got::end || buffer_.size() == taken_) return got;
  take_rest(line);
  return Got::part;
}

Process::Got Process::read_bytes(std::string& bytes, std::size_t n, Clock::time_point until,
                                 std::chrono::milliseconds patience,
                                 const std::function<bool()>& stop) {
  bytes.clear();
  const Got got = wait_for([&] { return buffer_.size() - taken_ >= n; }, until, patience, stop);
  if (got == Got::end) take_rest(bytes);
  if (got != Got::line) return got;
  bytes.assign(buffer_, taken_, n);
  taken_ = scanned_ = taken_ + n;
  drop_taken();
  return got;
}

Process::Got Process::peek() {
  if (out_ >= 0) pump(Clock::now());
  if (buffer_.size() != taken_) return Got::line;
  return out_ < 0 ? Got::end : Got::time_up;
}

void Process::take_rest(std::string& text) {
  text = buffer_.substr(taken_);
  buffer_.clear();
  taken_ = scanned_ = 0;
}

void Process::drop_taken() {
  if (taken_ != buffer_.size() && taken_ <= kLongestLine) return;
  buffer_.erase(0, taken_);
  taken_ = scanned_ = 0;
}

Process::Clock::time_point Process::hurried(Clock::time_point until) {
  constexpr auto kLast = std::chrono::milliseconds(500);
  if (stop_ != nullptr && *stop_ && last_ == Clock::time_point::max()) last_ = Clock::now() + kLast;
  return std::min(until, last_);
}

bool Process::wait(Clock::time_point until) {
  for (;;) {
    look();
    if (ended_) break;
    if (Clock::now() >= hurried(until)) return false;
    const bool quiet = out_ < 0 && err_ < 0 && in_ < 0;
    const auto tick = std::chrono::milliseconds(quiet ? 2 : 5);
    pump(std::min(until, Clock::now() + tick));
    buffer_.clear();
    taken_ = scanned_ = 0;
  }
  if (err_ >= 0) drain_err();
  reap();
  return true;
}

bool Process::quit(std::string_view last, Clock::time_point until) {
  if (reaped_) return true;
  send(last);
  // As much of it as the pipe takes; then the end of file says the same.
  while (in_ >= 0 && written_ < to_write_.size() && Clock::now() < hurried(until)) {
    look();
    if (ended_) break;
    pump(until);
    buffer_.clear();
    taken_ = scanned_ = 0;
  }
  close(in_);
  const bool by_itself = wait(until);
  kill();
  return by_itself;
}

std::string Process::fate() const {
  if (!reaped_) return "it is still running";
  if (WIFEXITED(status_)) return "it exited with status " + std::to_string(WEXITSTATUS(status_));
  return "it was ended by signal " + std::to_string(WTERMSIG(status_));
}

int Process::ended_by() const {
  return reaped_ && WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
}

std::string Process::last_words() const {
  constexpr std::size_t kMost = 400;
  const std::size_t end = complaints_.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  std::string_view text = std::string_view(complaints_).substr(0, end + 1);
  if (text.size() > kMost) {
    text.remove_prefix(text.size() - kMost);
    const std::size_t line = text.find('\n');
    if (line != std::string_view::npos) text.remove_prefix(line + 1);
  }
  return "; on standard error it said: " + printable(text, true);
}

void Process::forget_complaints() {
  if (err_ >= 0) drain_err();
  complaints_.clear();
  complained_ = 0;
}

std::chrono::nanoseconds Process::processor_time() const {
  clockid_t clock{};
  timespec used{};
  if (reaped_ || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0)
    return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace agon
