#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace agon::command {

/// The folder that `--svg` names. Files are written beside their places and moved there together,
/// so that a full disk or an interruption leaves the plots that were there before. What an earlier
/// report put there and this one does not have is removed; a list in the folder says what that is,
/// and nothing else is touched.
class PlotFolder {
 public:
  /// Makes the folder if there is none. Throws Error (failure) if that, or writing, is not
  /// possible.
  explicit PlotFolder(std::string path);
  /// Removes what was written, unless it was kept.
  ~PlotFolder();
  PlotFolder(const PlotFolder&) = delete;
  PlotFolder& operator=(const PlotFolder&) = delete;

  void add(const std::string& name, const std::string& content);
  /// Moves everything into place.
  void keep();

 private:
  [[nodiscard]] std::set<std::string> listed() const;
  void list(const std::set<std::string>& names) const;
  void move(const std::string& name) const;

  std::filesystem::path folder_;
  std::filesystem::path part_;  ///< in it, where files wait
  bool made_ = false;           ///< the folder is ours, and nothing is in it yet
  std::set<std::string> names_{};
};

}  // namespace agon::command
