#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace agon::command {

/// Waits for files to be written anew: by whoever writes into them, or puts another in their place.
class FileWatch {
 public:
  /// Watches files, and folders for their plugins and games in Python. Beside a file in Python all
  /// others in Python are watched too, as it may import them. Throws Error (not_found) for what is
  /// not there, (failure) if the system does not watch it.
  explicit FileWatch(const std::vector<std::filesystem::path>& paths);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// Sleeps until something was written and nothing has been for a moment: the names of the files;
  /// none once `stop` is set. What was written since the last call counts. Throws Error (failure)
  /// if a folder that is watched goes away.
  [[nodiscard]] std::set<std::string> wait(const std::atomic<bool>& stop);

 private:
  /// What counts in a folder.
  struct Watched {
    std::filesystem::path folder;
    std::set<std::string> names;    ///< of files
    std::set<std::string> endings;  ///< of all files that have one of these: ".py"
  };
  void watch(const std::filesystem::path& folder, const std::string& name,
             const std::set<std::string>& endings);
  void read_events(std::set<std::string>& changed) const;

  int inotify_ = -1;
  std::map<int, Watched> watched_;
};

}  // namespace agon::command
