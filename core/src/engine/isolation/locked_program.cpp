#include "isolation/locked_program.hpp"

#include "plugin/search_path.hpp"

namespace agon {

std::vector<std::string> worker_words(const ProcessLimits& limits) {
  return {(plugin::program_folder() / "agon-worker").string(), "plugin", "--memory",
          std::to_string(limits.memory)};
}

std::vector<std::string> locked_program(std::vector<std::string> words,
                                        const std::vector<std::string>& readable,
                                        const ProcessLimits& limits) {
  std::vector<std::string> locked = worker_words(limits);
  locked[1] = "program";
  for (const std::string& path : readable) locked.insert(locked.end(), {"--read", path});
  locked.emplace_back("--");
  locked.insert(locked.end(), words.begin(), words.end());
  return locked;
}

}  // namespace agon
