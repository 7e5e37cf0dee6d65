#include "command/plot_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "command/out_file.hpp"

namespace agon::command {
namespace {

namespace fs = std::filesystem;

/// Names of the files that a report made, a line each.
constexpr const char* kList = ".agon-plots";

void write(const fs::path& path, const std::string& content) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (file) file << content;
  file.close();
  if (!file) refuse_to_write(path.string(), errno);
}

}  // namespace

PlotFolder::PlotFolder(std::string path) : folder_(std::move(path)) {
  std::error_code failed;
  made_ = fs::create_directories(folder_, failed);
  if (!failed && !fs::is_directory(folder_, failed))
    failed = std::make_error_code(std::errc::not_a_directory);
  part_ = folder_ / (std::string(kList) + "-" + std::to_string(::getpid()));
  if (!failed) fs::create_directory(part_, failed);
  if (failed) refuse_to_write(folder_.string(), failed.value());
}

PlotFolder::~PlotFolder() {
  std::error_code none;
  fs::remove_all(part_, none);
  if (made_) fs::remove(folder_, none);  // while it is empty
}

void PlotFolder::add(const std::string& name, const std::string& content) {
  write(part_ / name, content);
  names_.insert(name);
}

void PlotFolder::keep() {
  const std::set<std::string> before = listed();
  std::set<std::string> all = before;
  all.insert(names_.begin(), names_.end());
  // First a list of both: an end by force between here and below leaves no file that nobody knows.
  list(all);
  made_ = false;
  for (const std::string& name : names_) move(name);
  std::error_code none;
  for (const std::string& name : before)
    if (!names_.contains(name)) fs::remove(folder_ / name, none);
  list(names_);
}

std::set<std::string> PlotFolder::listed() const {
  std::set<std::string> names;
  std::ifstream file(folder_ / kList);
  for (std::string name; std::getline(file, name);)
    // Whatever somebody wrote into the list: nothing but a plot of this folder is removed.
    if (name.ends_with(".svg") && name.find('/') == std::string::npos) names.insert(name);
  return names;
}

void PlotFolder::list(const std::set<std::string>& names) const {
  std::string lines;
  for (const std::string& name : names) lines += name + "\n";
  write(part_ / kList, lines);
  move(kList);
}

void PlotFolder::move(const std::string& name) const {
  std::error_code failed;
  fs::rename(part_ / name, folder_ / name, failed);
  if (failed) refuse_to_write((folder_ / name).string(), failed.value());
}

}  // namespace agon::command
