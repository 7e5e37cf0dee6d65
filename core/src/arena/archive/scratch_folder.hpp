#pragma once

#include <agon/error.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace agon::archive {

/// A folder for archives that nobody keeps: a new one, removed in the end.
class ScratchFolder {
 public:
  /// `front`: what its name begins with. Throws Error (failure) where none can be made.
  explicit ScratchFolder(const std::string& front) {
    std::string name = (std::filesystem::temp_directory_path() / (front + "-XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::failure, "cannot make a folder", name,
                  "set TMPDIR to a folder that can be written");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace agon::archive
