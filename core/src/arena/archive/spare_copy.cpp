#include "archive/spare_copy.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "archive/sqlite.hpp"

namespace agon::archive {
namespace {

// Of SQLite's log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
constexpr std::int64_t kLogHeader = 32;
constexpr std::int64_t kFrameHeader = 24;

std::uint32_t big_endian(std::span<const char, 4> bytes) {
  std::uint32_t number = 0;
  for (const char c : bytes) number = number << 8U | static_cast<unsigned char>(c);
  return number;
}

/// SQLite's own handle: closing another one would drop its locks.
sqlite3_file* file_of(Connection& db, int which) {
  sqlite3_file* file = nullptr;
  const int code = sqlite3_file_control(db.get(), "main", which, &file);
  return code == SQLITE_OK && file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

bool read_all(sqlite3_file* file, std::span<char> into, std::int64_t at) {
  return file != nullptr &&
         file->pMethods->xRead(file, into.data(), static_cast<int>(into.size()), at) == SQLITE_OK;
}

bool write_all(int file, std::span<const char> bytes, std::int64_t at) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(file, bytes.data(), bytes.size(), at);
    if (n == -1 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    at += n;
  }
  return true;
}

/// In the folder of the archive, where there is room for it.
int file_without_name(const std::filesystem::path& archive) {
  const std::string folder = archive.parent_path().string();
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = archive.string() + ".spare-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

bool is_as(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

SpareCopy::SpareCopy(Connection& archive)
    : db_(archive), page_(static_cast<int>(archive.integer("pragma page_size"))) {
  // Of an earlier run, and of the making of the tables.
  int done = 0;
  sqlite3_wal_checkpoint_v2(db_.get(), "main", SQLITE_CHECKPOINT_PASSIVE, &frames_, &done);
  frames_ = whole_frames_ = std::max(frames_, 0);
  sqlite3_wal_hook(db_.get(), &noted, this);
  look();
  copy_ = file_without_name(db_.path());
  sqlite3_file* const file = file_of(db_, SQLITE_FCNTL_FILE_POINTER);
  std::vector<char> block(std::size_t{1} << 20U);
  for (std::int64_t at = 0; copy_ >= 0 && at < last_.st_size;) {
    const auto size =
        std::min<std::int64_t>(last_.st_size - at, static_cast<std::int64_t>(block.size()));
    const auto part = std::span(block).first(static_cast<std::size_t>(size));
    if (!read_all(file, part, at) || !write_all(copy_, part, at)) drop_copy();
    at += size;
  }
}

SpareCopy::~SpareCopy() {
  sqlite3_wal_hook(db_.get(), nullptr, nullptr);
  drop_copy();
}

void SpareCopy::drop_copy() {
  if (copy_ >= 0) close(copy_);
  copy_ = -1;
}

int SpareCopy::noted(void* self, sqlite3*, const char*, int frames) {
  auto& spare = *static_cast<SpareCopy*>(self);
  spare.frames_ = frames;
  if (frames < spare.moved_frames_) spare.moved_frames_ = 0;  // the log began anew
  return SQLITE_OK;
}

void SpareCopy::look() {
  last_ = {};
  stat(db_.path().c_str(), &last_);
}

bool SpareCopy::looks_whole() const {
  const std::lock_guard lock(mutex_);
  struct stat now {};
  return stat(db_.path().c_str(), &now) == 0 && is_as(now, last_);
}

bool SpareCopy::is_whole() {
  if (looks_whole()) return true;
  const std::lock_guard lock(mutex_);
  struct stat now {};
  if (stat(db_.path().c_str(), &now) != 0 || now.st_dev != last_.st_dev ||
      now.st_ino != last_.st_ino || now.st_size < last_.st_size)
    return false;
  if (copy_ >= 0 && !has_same_pages()) return false;
  // Somebody touched it, or another program moved the log into it: the next transaction may begin
  // the log anew.
  if (copy_ >= 0 && !copy_log(copy_, frames_)) drop_copy();
  last_ = now;
  return true;
}

bool SpareCopy::has_same_pages() {
  std::map<std::uint32_t, int> in_log;
  if (!find_pages(frames_, in_log)) return false;
  sqlite3_file* const file = file_of(db_, SQLITE_FCNTL_FILE_POINTER);
  std::vector<char> page(static_cast<std::size_t>(page_)), copied(page.size());
  const std::int64_t pages = last_.st_size / page_;
  for (std::int64_t i = 0; i < pages; ++i) {
    // What the log has counts more than what the file has.
    if (in_log.contains(static_cast<std::uint32_t>(i + 1))) continue;
    if (pread(copy_, copied.data(), copied.size(), i * page_) != page_) continue;
    if (!read_all(file, page, i * page_) || page != copied) return false;
  }
  return true;
}

bool SpareCopy::find_pages(int frames, std::map<std::uint32_t, int>& last) {
  sqlite3_file* const log = file_of(db_, SQLITE_FCNTL_JOURNAL_POINTER);
  std::array<char, kFrameHeader> head{};
  for (int i = 0; i < frames; ++i) {
    if (!read_all(log, head, kLogHeader + i * (kFrameHeader + page_))) return false;
    last[big_endian(std::span(head).first<4>())] = i;
  }
  return true;
}

bool SpareCopy::copy_log(int to, int frames) {
  if (frames == 0) return true;
  std::map<std::uint32_t, int> last;
  if (!find_pages(frames, last)) return false;
  sqlite3_file* const log = file_of(db_, SQLITE_FCNTL_JOURNAL_POINTER);
  std::vector<char> page(static_cast<std::size_t>(page_));
  for (const auto& [number, frame] : last) {
    const std::int64_t at = kLogHeader + frame * (kFrameHeader + page_) + kFrameHeader;
    if (!read_all(log, page, at) ||
        !write_all(to, page, (static_cast<std::int64_t>(number) - 1) * page_))
      return false;
  }
  // The last frame ends a transaction, and says how many pages there were then.
  std::array<char, kFrameHeader> head{};
  if (!read_all(log, head, kLogHeader + (frames - 1) * (kFrameHeader + page_))) return false;
  const std::int64_t pages = big_endian(std::span(head).subspan<4, 4>());
  return pages > 0 && ftruncate(to, pages * page_) == 0;
}

bool SpareCopy::checkpoint() {
  if (!is_whole()) return false;
  const std::lock_guard lock(mutex_);
  if (copy_ >= 0 && !copy_log(copy_, frames_)) drop_copy();
  if (copy_ >= 0) whole_frames_ = 0;  // the copy has them
  moved_frames_ = frames_;
  int frames = 0, done = 0;
  const int code =
      sqlite3_wal_checkpoint_v2(db_.get(), "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &done);
  struct stat copied {};
  const std::int64_t before = last_.st_size;
  look();
  if (last_.st_size < before) return false;
  if (code == SQLITE_OK && done == frames && copy_ >= 0 && fstat(copy_, &copied) == 0 &&
      last_.st_size != copied.st_size)
    return false;
  if (code != SQLITE_OK && code != SQLITE_BUSY) db_.fail(code);
  return true;
}

bool SpareCopy::write_to(const std::filesystem::path& path) {
  if (copy_ < 0) return false;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool fine = file >= 0;
  std::vector<char> block(std::size_t{1} << 20U);
  for (std::int64_t at = 0; fine;) {
    const ssize_t n = pread(copy_, block.data(), block.size(), at);
    if (n == 0) break;
    fine = n > 0 && write_all(file, std::span(block).first(static_cast<std::size_t>(n)), at);
    at += n;
  }
  fine = fine && copy_log(file, whole_frames_) && fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) close(file);
  if (!fine && reason != 0)
    throw std::filesystem::filesystem_error("", path,
                                            std::error_code(reason, std::generic_category()));
  return fine;
}

}  // namespace agon::archive
