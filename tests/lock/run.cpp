#include "lock/run.hpp"

#include <agon/process.hpp>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "catch.hpp"
#include "process/isolation.hpp"
#include "process/sanitized.hpp"

namespace lock_test {

void require_support() {
  const std::vector<std::string> gaps = agon::gaps_of(agon::lock_support_of_machine());
  if (!gaps.empty()) SKIP(gaps.front());
}

void require_lock() {
  if (agon::kSanitized) SKIP("a sanitizer makes calls and takes memory of its own");
  require_support();
}

Ended run(const std::vector<std::string>& words) {
  agon::Process process(words, "", {});
  Ended ended;
  const auto until = agon::Process::Clock::now() + std::chrono::minutes(5);
  std::string line;
  for (;;) {
    const auto got = process.read(line, until, std::chrono::minutes(5));
    if (got != agon::Process::Got::line && got != agon::Process::Got::part) break;
    if (!ended.out.empty()) ended.out += '\n';
    ended.out += line;
  }
  process.wait(until);
  ended.signal = process.ended_by();
  ended.fate = process.fate();
  process.kill();
  ended.err = process.complaints();
  return ended;
}

Ended act_as_plugin(const std::string& where, const std::string& what,
                    const std::string& argument) {
  return run({AGON_TEST_ACT, where, what, argument});
}

Ended act_as_program(const std::string& what, const std::string& argument,
                     const std::vector<std::string>& readable, int memory) {
  std::vector<std::string> words{
      AGON_TEST_WORKER, "program",     "--memory", std::to_string(memory),
      "--read",         AGON_TEST_ACT, "--read",   AGON_TEST_LIBRARIES};
  for (const std::string& path : readable) words.insert(words.end(), {"--read", path});
  words.insert(words.end(), {"--", AGON_TEST_ACT, "program", what, argument});
  return run(words);
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "agon_lock_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder: " + name);
  path_ = name;
}

Folder::~Folder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

std::string Folder::path(const std::string& name) const {
  return name.empty() ? path_.string() : (path_ / name).string();
}

std::string Folder::write(const std::string& name, std::string_view text) const {
  std::ofstream(path(name)) << text;
  return path(name);
}

std::string secret_file() {
  return "/etc/passwd";
}

}  // namespace lock_test
