#include "command/out_file.hpp"

#include <agon/error.hpp>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

namespace agon::command {
namespace {

namespace fs = std::filesystem;

std::string mend_of(int reason) {
  switch (reason) {
    case ENOENT:
    case ENOTDIR:
      return "make its folder first, or choose another place";
    case EISDIR:
      return "name a file in it";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder that you may write";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "check the room on the disk";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "";
  }
}

}  // namespace

void refuse_to_write(const std::string& path, int reason) {
  const int known = reason == 0 ? EIO : reason;
  throw Error(ErrorKind::failure, std::string("cannot write: ") + std::strerror(known), path,
              mend_of(known));
}

bool is_archive(const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 15> magic{};
  file.read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) == "SQLite format 3";
}

OutFile::OutFile(std::string path) : path_(std::move(path)), target_(path_) {
  if (is_archive(path_))
    throw Error(ErrorKind::usage, "this is an archive, and nothing else is written over one", path_,
                "name another file");
  std::error_code none;
  const fs::file_status status = fs::status(path_, none);
  if (fs::is_regular_file(status)) target_ = fs::canonical(path_, none).string();
  if (target_.empty()) target_ = path_;
  const bool beside = !fs::exists(status) || fs::is_regular_file(status);
  part_ = beside ? target_ + ".part" : target_;
  errno = 0;
  file_.open(part_, std::ios::binary);
  if (file_) return;
  kept_ = true;  // there is nothing to remove
  refuse_to_write(path_, errno);
}

OutFile::~OutFile() {
  std::error_code none;
  if (!kept_ && part_ != target_) fs::remove(part_, none);
}

void OutFile::keep() {
  errno = 0;
  file_.close();
  if (!file_) refuse_to_write(path_, errno == 0 ? ENOSPC : errno);
  std::error_code error;
  if (part_ != target_) fs::rename(part_, target_, error);
  if (error) refuse_to_write(path_, error.value());
  kept_ = true;
}

}  // namespace agon::command
