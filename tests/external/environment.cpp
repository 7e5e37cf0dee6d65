#include <stdlib.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "catch.hpp"
#include "external/worker.hpp"

using agon::external::child_environment;

namespace {

/// What the child has of PYTHONPATH where the arena has `own` of it; null: it has none.
std::vector<std::string> python_paths(const char* own) {
  own == nullptr ? unsetenv("PYTHONPATH") : setenv("PYTHONPATH", own, 1);
  std::vector<std::string> found;
  for (const std::string& entry : child_environment({}))
    if (entry.starts_with("PYTHONPATH=")) found.push_back(entry);
  return found;
}

}  // namespace

TEST_CASE("programs find the Python module behind what is the user's own") {
  const char* before = std::getenv("PYTHONPATH");
  const std::string kept = before == nullptr ? "" : before;
  const auto alone = python_paths(nullptr);
  const auto behind = python_paths("/own:/more");
  before == nullptr ? unsetenv("PYTHONPATH") : setenv("PYTHONPATH", kept.c_str(), 1);

  REQUIRE(alone.size() == 1);
  const std::string folder = alone[0].substr(alone[0].find('=') + 1);
  CHECK(folder.ends_with("/share/agon/python"));
  CHECK(behind == std::vector<std::string>{"PYTHONPATH=/own:/more:" + folder});
}
