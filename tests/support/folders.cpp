#include "support/folders.hpp"

#include <cstdlib>

namespace agon::test {

std::filesystem::path source_folder() {
  return AGON_TEST_SOURCE;
}

std::filesystem::path published_data_folder() {
  if (const char* given = std::getenv("AGON_DATA")) return given;
  return source_folder().parent_path() / "shared" / "data";
}

}  // namespace agon::test
