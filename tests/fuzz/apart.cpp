#include "apart.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace agon::fuzz {
namespace {

int temporary_file() {
  std::array<char, 32> name{"/tmp/agon-fuzz-XXXXXX"};
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) throw std::runtime_error("no temporary file");
  unlink(name.data());
  return file;
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> piece{};
  lseek(file, 0, SEEK_SET);
  for (ssize_t n = 0; (n = read(file, piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  return text;
}

// Its standard error, where the sanitizers report, and what `work` returns go into `told`.
[[noreturn]] void child(int told, double seconds, const Work& work) {
  const auto limit = static_cast<rlim_t>(std::ceil(seconds));
  const rlimit time{limit, limit + 5};
  setrlimit(RLIMIT_CPU, &time);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(told, STDERR_FILENO);
  const int said = temporary_file();
  dup2(said, STDOUT_FILENO);
  const std::string trouble = work([said] {
    std::fflush(stdout);
    std::string text = read_all(said);
    lseek(said, 0, SEEK_SET);
    if (ftruncate(said, 0) != 0) std::_Exit(1);
    return text;
  });
  std::fflush(stdout);
  if (trouble.empty()) std::_Exit(0);
  std::fprintf(stderr, "%s\n", trouble.c_str());
  std::fflush(stderr);
  std::_Exit(1);
}

}  // namespace

Came apart(double seconds, const Work& work) {
  const int told = temporary_file();
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("no new process");
  if (pid == 0) child(told, seconds, work);
  int status = 0;
  rusage used{};
  wait4(pid, &status, 0, &used);
  const auto in_seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  Came came;
  came.seconds = in_seconds(used.ru_utime) + in_seconds(used.ru_stime);
  came.kilobytes = used.ru_maxrss;
  if (WIFSIGNALED(status))
    came.trouble = std::string("ended by signal ") + strsignal(WTERMSIG(status)) + "\n";
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) came.trouble += read_all(told);
  close(told);
  if (came.trouble.empty() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
    came.trouble = "ended with code " + std::to_string(WEXITSTATUS(status));
  return came;
}

}  // namespace agon::fuzz
