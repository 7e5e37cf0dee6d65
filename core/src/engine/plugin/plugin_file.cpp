#include "plugin/plugin_file.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

namespace agon::plugin {

namespace fs = std::filesystem;

bool is_python_file(const fs::path& file) {
  return file.extension() == ".py";
}

bool is_program(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  return is_python_file(file) || (file.extension() != ".so" && access(file.c_str(), X_OK) == 0);
}

bool brings_game(const fs::path& file) {
  std::error_code error;
  if (!is_python_file(file) || !fs::is_regular_file(file, error)) return false;
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.find("agon.game(") != std::string::npos;
}

}  // namespace agon::plugin
