#include "isolation/locked_program.hpp"

#include "isolation/interpreter.hpp"
#include "plugin/search_path.hpp"

namespace agon {
namespace {

std::vector<std::string> worker(const std::string& mode, const ProcessLimits& limits) {
  return {(plugin::program_folder() / ".." / "lib" / "agon" / "agon-worker").string(), mode,
          "--memory", std::to_string(limits.memory)};
}

}  // namespace

std::vector<std::string> worker_words(const ProcessLimits& limits) {
  return worker("plugin", limits);
}

std::vector<std::string> locked_program(std::vector<std::string> words,
                                        const std::vector<std::string>& readable,
                                        const ProcessLimits& limits) {
  std::vector<std::string> locked = worker("program", limits);
  const auto let_read = [&](const std::string& path) {
    locked.insert(locked.end(), {"--read", path});
  };
  if (is_python_interpreter(words.front())) {
    const Interpreter python = ask_python(words.front());
    words.front() = python.program;
    for (const std::string& path : python.readable) let_read(path);
  } else {
    words.front() = find_program(words.front());
    let_read(words.front());
  }
  for (const std::string& path : readable) let_read(path);
  locked.emplace_back("--");
  locked.insert(locked.end(), words.begin(), words.end());
  return locked;
}

}  // namespace agon
