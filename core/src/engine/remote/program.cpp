#include "remote/program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "isolation/locked_program.hpp"
#include "plugin/search_path.hpp"

namespace agon::remote {
namespace {

namespace fs = std::filesystem;

bool is_python(const fs::path& file) {
  return file.extension() == ".py";
}

/// The module that games in Python are written with.
std::string python_module() {
  return fs::weakly_canonical(plugin::program_folder() / ".." / "share" / "agon" / "python")
      .string();
}

void copy_variable(const char* name, std::vector<std::string>& to) {
  if (const char* value = std::getenv(name)) to.push_back(std::string(name) + "=" + value);
}

}  // namespace

bool is_program(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  return is_python(file) || (file.extension() != ".so" && access(file.c_str(), X_OK) == 0);
}

bool brings_game(const fs::path& file) {
  std::error_code error;
  if (!is_python(file) || !fs::is_regular_file(file, error)) return false;
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.find("agon.game(") != std::string::npos;
}

Launch launch_of(const fs::path& file, const Isolation& isolation) {
  Launch launch;
  launch.file = file.string();
  launch.folder = file.parent_path().string();
  launch.limits = isolation.limits;
  launch.environment = {"LANG=C.UTF-8"};
  launch.words = {launch.file};
  std::vector<std::string> readable{launch.folder};
  if (is_python(file)) {
    launch.words = {"python3", "-B", "-c", "import agon; agon.main()", launch.file};
    readable.push_back(python_module());
    launch.environment.push_back("PYTHONPATH=" + readable.back());
    // The order of a set must be no hidden chance.
    launch.environment.emplace_back("PYTHONHASHSEED=0");
  }
  if (isolation.when == Isolate::never) {
    // What chooses a Python may be a script, which looks for its own in these.
    copy_variable("PATH", launch.environment);
    copy_variable("HOME", launch.environment);
  } else {
    launch.words = locked_program(std::move(launch.words), readable, launch.limits);
  }
  return launch;
}

Launch launch_library(const fs::path& file, const Isolation& isolation) {
  Launch launch;
  launch.file = file.string();
  launch.words = worker_words(isolation.limits);
  launch.words.push_back(launch.file);
  launch.limits = isolation.limits;
  launch.is_worker = true;
  return launch;
}

}  // namespace agon::remote
