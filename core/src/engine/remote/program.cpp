#include "remote/program.hpp"

#include <utility>

#include "isolation/lock_support.hpp"
#include "isolation/locked_program.hpp"
#include "plugin/plugin_file.hpp"
#include "plugin/search_path.hpp"
#include "process/environment.hpp"

namespace agon::remote {
namespace {

namespace fs = std::filesystem;

/// Serves the file that follows. The folder that Python looks into first is the game's own: what is
/// called agon.py there is not the module.
constexpr std::string_view kServe =
    "import sys; here = sys.path.pop(0); import agon; sys.path.insert(0, here); agon.main()";

/// The module that games in Python are written with.
std::string python_module() {
  return fs::weakly_canonical(plugin::program_folder() / ".." / "share" / "agon" / "python")
      .string();
}

}  // namespace

Launch launch_of(const fs::path& file, const Isolation& isolation) {
  Launch launch;
  launch.file = file.string();
  launch.folder = file.parent_path().string();
  launch.limits = isolation.limits;
  launch.environment = {"LANG=C.UTF-8"};
  launch.words = {launch.file};
  std::vector<std::string> readable{launch.folder};
  if (plugin::is_python_file(file)) {
    launch.words = {"python3", "-B", "-c", std::string(kServe), launch.file};
    readable.push_back(python_module());
    launch.environment.push_back("PYTHONPATH=" + readable.back());
    // The order of a set must be no hidden chance.
    launch.environment.emplace_back("PYTHONHASHSEED=0");
  }
  if (isolation.when == Isolate::never) {
    // What chooses a Python may be a script, which looks for its own in these.
    for (std::string& variable : kept_environment({"PATH", "HOME"}))
      launch.environment.push_back(std::move(variable));
  } else {
    launch.words = locked_program(std::move(launch.words), readable, launch.limits);
    launch.filters = filters_of_locked(false);
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
  launch.filters = filters_of_locked(true);
  return launch;
}

}  // namespace agon::remote
