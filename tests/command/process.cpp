#include "command/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace command_test {
namespace {

using Clock = std::chrono::steady_clock;

/// Far above what any step takes, even under a sanitizer on a busy machine: it only keeps a child
/// that hangs from hanging the tests.
constexpr std::chrono::minutes kPatience(3);

void check(bool fine, const char* what) {
  if (!fine) throw std::runtime_error(std::string(what) + " failed in the test's own helper");
}

int exit_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// In the child: everything of `start`, then the command.
[[noreturn]] void become(const std::string& command, const Words& arguments, const Start& start) {
  if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) _exit(126);
  // What the person who runs the tests has trusted is neither looked at nor changed.
  setenv("XDG_STATE_HOME", "/dev/null/nowhere", 1);
  for (const auto& [name, value] : start.environment) setenv(name.c_str(), value.c_str(), 1);
  if (start.most_file_bytes > 0) {
    const rlimit limit{start.most_file_bytes, start.most_file_bytes};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
  }
  if (start.most_threads > 0) {
    const rlimit limit{start.most_threads, start.most_threads};
    if (setrlimit(RLIMIT_NPROC, &limit) != 0) _exit(126);
  }
  if (start.most_files > 0) {
    const rlimit limit{start.most_files, start.most_files};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) _exit(126);
  }
  if (start.user != 0 && setuid(start.user) != 0) _exit(126);
  // A test runner may ignore signals that the command is to meet as a shell would start it.
  for (const int s : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) std::signal(s, SIG_DFL);
  if (start.ignores_children) std::signal(SIGCHLD, SIG_IGN);
  std::vector<char*> words{const_cast<char*>("agon")};
  for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
  words.push_back(nullptr);
  execv(command.c_str(), words.data());
  _exit(127);
}

/// Appends what can be read now; closes at the end. A terminal ends with EIO.
void drain(int& fd, std::string& text) {
  std::array<char, 65536> bytes;
  while (fd >= 0) {
    const ssize_t n = read(fd, bytes.data(), bytes.size());
    if (n > 0) {
      text.append(bytes.data(), static_cast<std::size_t>(n));
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    close(fd);
    fd = -1;
  }
}

void nonblocking(int fd) {
  check(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0, "fcntl");
}

}  // namespace

std::string command_path() {
  const char* given = std::getenv("AGON_COMMAND");
  return std::filesystem::absolute(given != nullptr && *given != '\0' ? given : AGON_TEST_COMMAND);
}

Child::Child(const Words& arguments, const Start& start)
    : to_write_(start.in), hold_(start.hold_in) {
  std::signal(SIGPIPE, SIG_IGN);  // a child may end before it has read everything
  std::array<int, 2> in, out, err;
  check(pipe2(in.data(), O_CLOEXEC) == 0 && pipe2(out.data(), O_CLOEXEC) == 0 &&
            pipe2(err.data(), O_CLOEXEC) == 0,
        "pipe");
  const std::string command = command_path();
  pid_ = fork();
  check(pid_ >= 0, "fork");
  if (pid_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    become(command, arguments, start);
  }
  close(in[0]), close(out[1]), close(err[1]);
  in_ = in[1], out_ = out[0], err_ = err[0];
  for (const int fd : {in_, out_, err_}) nonblocking(fd);
}

Child::~Child() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (const int fd : {in_, out_, err_})
    if (fd >= 0) close(fd);
}

void Child::send(int signal) const {
  if (pid_ > 0) kill(pid_, signal);
}

void Child::limit_files(std::uint64_t bytes) const {
  const rlimit limit{bytes, bytes};
  REQUIRE(prlimit(pid_, RLIMIT_FSIZE, &limit, nullptr) == 0);
}

void Child::type(std::string_view text) {
  to_write_ += text;
}

void Child::close_in() {
  hold_ = false;
}

bool Child::step() {
  if (in_ >= 0 && !to_write_.empty()) {
    const ssize_t n = write(in_, to_write_.data(), to_write_.size());
    if (n > 0) to_write_.erase(0, static_cast<std::size_t>(n));
    if (n < 0 && errno != EAGAIN && errno != EINTR) to_write_.clear();
  }
  if (in_ >= 0 && to_write_.empty() && !hold_) close(in_), in_ = -1;
  std::array<pollfd, 2> wait{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
  poll(wait.data(), wait.size(), 2);
  drain(out_, ended_.out);
  drain(err_, ended_.err);
  if (pid_ <= 0) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = -1;
    drain(out_, ended_.out);
    drain(err_, ended_.err);
    ended_.code = exit_code(status);
  }
  return pid_ > 0;
}

bool Child::until(const std::function<bool()>& ready) {
  const Clock::time_point stop = Clock::now() + kPatience;
  while (!ready())
    if (!step() || Clock::now() > stop) return ready();
  return true;
}

Ended Child::end() {
  close_in();
  const Clock::time_point stop = Clock::now() + kPatience;
  while (step())
    if (Clock::now() > stop) {
      ended_.err += "\n(killed by the test: it did not end)";
      send(SIGKILL);
    }
  return ended_;
}

Ended agon(const Words& arguments, const Start& start) {
  return Child(arguments, start).end();
}

Terminal::Terminal(const Words& arguments, const Start& start) {
  winsize size{};
  size.ws_col = 200;
  size.ws_row = 50;
  const std::string command = command_path();
  pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
  check(pid_ >= 0, "forkpty");
  if (pid_ == 0) become(command, arguments, start);
  nonblocking(terminal_);
}

Terminal::~Terminal() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (terminal_ >= 0) close(terminal_);
}

bool Terminal::step() {
  pollfd wait{terminal_, POLLIN, 0};
  poll(&wait, 1, 2);
  drain(terminal_, shown_);
  if (pid_ <= 0) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = -1;
    drain(terminal_, shown_);
    code_ = exit_code(status);
  }
  return pid_ > 0;
}

bool Terminal::sees(std::string_view text) {
  const Clock::time_point stop = Clock::now() + kPatience;
  for (;;) {
    const std::size_t at = shown_.find(text, seen_);
    if (at != std::string::npos) {
      seen_ = at + text.size();
      return true;
    }
    const std::size_t before = shown_.size();
    if ((!step() && shown_.size() == before) || Clock::now() > stop) return false;
  }
}

void Terminal::type(std::string_view text) const {
  check(write(terminal_, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "write");
}

int Terminal::end() {
  const Clock::time_point stop = Clock::now() + kPatience;
  while (step())
    if (Clock::now() > stop) kill(pid_, SIGKILL);
  return code_;
}

}  // namespace command_test
