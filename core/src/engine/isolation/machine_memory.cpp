#include "isolation/machine_memory.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace agon {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// The number that a text begins with; unlimited if there is none ("max").
std::int64_t number_in(std::string_view text) {
  std::int64_t number = kUnlimited;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::int64_t total_of_system(const fs::path& root) {
  std::ifstream file(root / "proc/meminfo");
  constexpr std::string_view kName = "MemTotal:";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kName)) return number_in(line.substr(kName.size())) << 10;
  return 0;
}

/// The least that the group's file and those of the groups above it say, in bytes. In a container
/// the group may be named as it is outside; then the top of what is there speaks.
std::int64_t least_of_groups(const fs::path& top, const fs::path& group, const char* name) {
  std::int64_t least = kUnlimited;
  for (fs::path at = group.relative_path();; at = at.parent_path()) {
    std::string line;
    if (std::ifstream file(top / at / name); std::getline(file, line))
      least = std::min(least, number_in(line));
    if (at.empty()) return least;
  }
}

}  // namespace

std::int64_t memory_of_machine(const fs::path& root) {
  std::int64_t bytes = total_of_system(root);
  if (bytes == 0) return 0;
  // "0::/user.slice" of version 2, "4:cpu,memory:/user.slice" of version 1.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1), top = root / "sys/fs/cgroup";
    if (kinds == ",,")
      bytes = std::min(bytes, least_of_groups(top, group, "memory.max"));
    else if (kinds.find(",memory,") != std::string::npos)
      bytes = std::min(bytes, least_of_groups(top / "memory", group, "memory.limit_in_bytes"));
  }
  return bytes >> 20;
}

std::int64_t total_memory_of(const ProcessLimits& limits) {
  if (limits.total_memory) return *limits.total_memory;
  return std::max<std::int64_t>(memory_of_machine() / 2, limits.memory);
}

}  // namespace agon
