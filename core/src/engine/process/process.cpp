#include <fcntl.h>
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
#include "process/streams.hpp"

namespace agon {
namespace {

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
    : streams_(std::make_unique<ProcessStreams>()), stop_(stop) {
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
  streams_->connect(in.take(1), out.take(0), err.take(0));
}

Process::~Process() {
  kill();
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
  streams_->close();
}

Process::Got Process::wait_for(const std::function<bool()>& there, Clock::time_point until,
                               std::chrono::milliseconds patience,
                               const std::function<bool()>& stop) {
  Clock::time_point given_up = Clock::time_point::max();
  // Mostly there is room for it: then nothing but the answer is waited for.
  if (streams_->is_sending()) streams_->write_some();
  bool over = ended_;
  while (!there()) {
    if (!streams_->is_out_open()) return Got::end;
    if (stop && stop()) return Got::stopped;
    const Clock::time_point now = Clock::now();
    if (now >= until) return Got::time_up;
    if (now >= given_up) return Got::deaf;
    const std::size_t before = streams_->said().size();
    streams_->pump(over ? now : std::min(until, given_up));
    if (streams_->is_out_open() && streams_->said().size() == before) {
      // A child of the program may hold the pipe open for ever: the program's end is the end. What
      // it wrote before is there by now, and read in one more round.
      if (over) streams_->close_out();
      look();
      over = ended_;
    }
    if (!streams_->is_in_open() && given_up == Clock::time_point::max()) given_up = now + patience;
  }
  return Got::line;
}

Process::Got Process::read(std::string& line, Clock::time_point until,
                           std::chrono::milliseconds patience, const std::function<bool()>& stop) {
  line.clear();
  UnreadText& said = streams_->said();
  bool found = false;
  const auto there = [&] { return (found = said.take_line(line)) || said.size() > longest_line_; };
  const Got got = wait_for(there, until, patience, stop);
  if (got == Got::line) return found && line.size() <= longest_line_ ? got : Got::too_long;
  if (got != Got::end || said.size() == 0) return got;
  said.take(line, said.size());
  return Got::part;
}

Process::Got Process::read_bytes(std::string& bytes, std::size_t n, Clock::time_point until,
                                 std::chrono::milliseconds patience,
                                 const std::function<bool()>& stop) {
  bytes.clear();
  UnreadText& said = streams_->said();
  const Got got = wait_for([&] { return said.size() >= n; }, until, patience, stop);
  if (got == Got::line) said.take(bytes, n);
  if (got == Got::end) said.take(bytes, said.size());
  return got;
}

Process::Got Process::peek() {
  if (streams_->is_out_open()) streams_->pump(Clock::now());
  if (streams_->said().size() != 0) return Got::line;
  return streams_->is_out_open() ? Got::time_up : Got::end;
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
    const auto tick = std::chrono::milliseconds(streams_->is_any_open() ? 5 : 2);
    streams_->pump(std::min(until, Clock::now() + tick));
    streams_->said().clear();
  }
  streams_->drain_complaints();
  reap();
  return true;
}

bool Process::quit(std::string_view last, Clock::time_point until) {
  if (reaped_) return true;
  send(last);
  // As much of it as the pipe takes; then the end of file says the same.
  while (streams_->is_sending() && Clock::now() < hurried(until)) {
    look();
    if (ended_) break;
    streams_->pump(until);
    streams_->said().clear();
  }
  streams_->close_in();
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
  const std::string& complaints = streams_->complaints();
  const std::size_t end = complaints.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  std::string_view text = std::string_view(complaints).substr(0, end + 1);
  if (text.size() > kMost) {
    text.remove_prefix(text.size() - kMost);
    const std::size_t line = text.find('\n');
    if (line != std::string_view::npos) text.remove_prefix(line + 1);
  }
  return "; on standard error it said: " + printable(text, true);
}

void Process::send(std::string_view text) {
  streams_->send(text);
}

const std::string& Process::complaints() const {
  return streams_->complaints();
}

std::uint64_t Process::complained() const {
  return streams_->complained();
}

void Process::forget_complaints() {
  streams_->forget_complaints();
}

std::chrono::nanoseconds Process::processor_time() const {
  clockid_t clock{};
  timespec used{};
  if (reaped_ || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0)
    return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace agon
