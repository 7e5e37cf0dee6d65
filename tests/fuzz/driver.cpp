#include "driver.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace agon::fuzz {
namespace {

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::runtime_error("'" + text + "' is no number");
  return value;
}

Drive read(int argc, char** argv) {
  Drive asked;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) throw std::runtime_error("'" + option + "' is given without a value");
    const std::string value = argv[i + 1];
    if (option == "--count")
      asked.count = number(value);
    else if (option == "--seed")
      asked.key = number(value);
    else if (option == "--first")
      asked.first = number(value);
    else if (option == "--jobs")
      asked.jobs = std::clamp<std::uint64_t>(number(value), 1, 64);
    else if (option == "--keep")
      asked.keep = value;
    else
      throw std::runtime_error("there is no option '" + option + "'");
  }
  return asked;
}

}  // namespace

std::uint64_t Drive::share_out(const std::function<std::uint64_t(const Share&)>& work) const {
  // Findings are counted by exit codes, which end at 255.
  constexpr std::uint64_t most_told = 100;
  if (jobs == 1) return work({key, 0, first, first + count, 1});
  std::vector<pid_t> workers;
  std::fflush(nullptr);
  for (std::uint64_t place = 0; place < jobs; ++place) {
    const pid_t pid = fork();
    if (pid == 0) {
      const std::uint64_t findings = work({key, place, first + place, first + count, jobs});
      std::fflush(nullptr);
      std::_Exit(static_cast<int>(std::min(findings, most_told)));
    }
    workers.push_back(pid);
  }
  std::uint64_t findings = 0;
  for (const pid_t pid : workers) {
    int status = 0;
    waitpid(pid, &status, 0);
    findings += WIFEXITED(status) ? static_cast<std::uint64_t>(WEXITSTATUS(status)) : 1;
  }
  return findings;
}

int drive(int argc, char** argv, const char* name,
          const std::function<bool(const Drive&)>& run) try {
  Drive asked = read(argc, argv);
  std::signal(SIGPIPE, SIG_IGN);
  std::string folder = (std::filesystem::temp_directory_path() / "agon-fuzz-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  asked.folder = folder;
  const bool fine = run(asked);
  std::filesystem::remove_all(asked.folder);
  return fine ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", name, error.what());
  return 2;
}

}  // namespace agon::fuzz
