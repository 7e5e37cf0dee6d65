#include "archive/database/rescue.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "archive/database/sqlite.hpp"

namespace agon::archive {
namespace {

// Of SQLite's log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
constexpr std::size_t kFrameHeader = 24;
constexpr std::uint32_t kMagic = 0x377F0682;  // its last bit: sums are of big-endian numbers

std::uint32_t big_endian(std::span<const char> bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const char c : bytes.subspan(at, 4)) number = number << 8U | static_cast<unsigned char>(c);
  return number;
}

/// Adds bytes to the sums of the log.
void add_to(std::array<std::uint32_t, 2>& sums, std::span<const char> bytes, bool is_big_endian) {
  const bool swap = is_big_endian != (std::endian::native == std::endian::big);
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::array<std::uint32_t, 2> pair{};
    std::memcpy(pair.data(), bytes.data() + at, 8);
    if (swap) pair = {__builtin_bswap32(pair[0]), __builtin_bswap32(pair[1])};
    sums[0] += pair[0] + sums[1];
    sums[1] += pair[1] + sums[0];
  }
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

/// What SQLite's index of the log says, which all who read the archive share and which changes to
/// the log do not reach: https://www.sqlite.org/walformat.html#the_wal_index_file_format
struct LogIndex {
  std::uint32_t frames = 0;
  std::uint32_t moved = 0;  // of these, into the file
};

/// Nothing if it cannot be read.
std::optional<LogIndex> index_of_log(Connection& db) {
  constexpr int kRegion = 32 * 1024;
  constexpr std::size_t kHeader = 48, kFrames = 16, kMoved = 2 * kHeader;
  sqlite3_file* const file = file_of(db, SQLITE_FCNTL_FILE_POINTER);
  volatile void* index = nullptr;
  if (file == nullptr || file->pMethods->iVersion < 2 ||
      file->pMethods->xShmMap(file, 0, kRegion, 0, &index) != SQLITE_OK || index == nullptr)
    return std::nullopt;
  // There are two headers; while they differ, somebody is writing them.
  std::array<char, kMoved + sizeof(LogIndex::moved)> bytes{};
  for (int tries = 0; tries < 1000; ++tries) {
    std::copy_n(static_cast<const volatile char*>(index), bytes.size(), bytes.begin());
    if (std::equal(bytes.begin(), bytes.begin() + kHeader, bytes.begin() + kHeader)) {
      LogIndex read;
      std::memcpy(&read.frames, bytes.data() + kFrames, sizeof read.frames);
      std::memcpy(&read.moved, bytes.data() + kMoved, sizeof read.moved);
      return read;
    }
    std::this_thread::yield();
  }
  return std::nullopt;
}

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool is_as(const struct stat& a, const struct stat& b) {
  return is_same_file(a, b) && a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

SpareCopy::SpareCopy(Connection& archive)
    : db_(archive),
      log_path_(archive.path().string() + "-wal"),
      page_(static_cast<int>(archive.integer("pragma page_size"))) {
  // Of an earlier run, and of the making of the tables.
  int done = 0;
  sqlite3_wal_checkpoint_v2(db_.get(), "main", SQLITE_CHECKPOINT_PASSIVE, &frames_, &done);
  frames_ = std::max(frames_, 0);
  sqlite3_wal_hook(db_.get(), &noted, this);
  copy_ = file_without_name(db_.path());
  take_file();
  take_frames();
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
  static_cast<SpareCopy*>(self)->frames_ = frames;
  return SQLITE_OK;
}

void SpareCopy::look() {
  last_ = {};
  stat(db_.path().c_str(), &last_);
}

void SpareCopy::take_file() {
  look();
  sqlite3_file* const file = file_of(db_, SQLITE_FCNTL_FILE_POINTER);
  std::vector<char> block(std::size_t{1} << 20U);
  for (std::int64_t at = 0; copy_ >= 0 && at < last_.st_size;) {
    const auto size =
        std::min<std::int64_t>(last_.st_size - at, static_cast<std::int64_t>(block.size()));
    const auto part = std::span(block).first(static_cast<std::size_t>(size));
    if (!read_all(file, part, at) || !write_all(copy_, part, at)) drop_copy();
    at += size;
  }
  if (copy_ >= 0 && ftruncate(copy_, last_.st_size) != 0) drop_copy();
}

bool SpareCopy::looks_whole() const {
  const std::lock_guard lock(mutex_);
  struct stat now {};
  return stat(db_.path().c_str(), &now) == 0 && is_as(now, last_);
}

bool SpareCopy::is_whole() {
  return has_all(true);
}

bool SpareCopy::has_all(bool as_it_looks) {
  if (is_file_whole() && is_log_whole(as_it_looks)) return true;
  return forget_moved_log() && is_file_whole();
}

bool SpareCopy::forget_moved_log() {
  const std::optional<LogIndex> index = index_of_log(db_);
  if (frames_ == 0 || !index || index->frames > 0) return false;
  frames_ = moved_frames_ = 0;
  checked_ = {};
  return true;
}

bool SpareCopy::is_file_in_place(struct stat& now) const {
  return stat(db_.path().c_str(), &now) == 0 && is_same_file(now, last_) &&
         now.st_size >= last_.st_size;
}

bool SpareCopy::is_file_whole() {
  if (looks_whole()) return true;
  const std::lock_guard lock(mutex_);
  struct stat now {};
  if (!is_file_in_place(now)) return false;
  // Somebody touched it, or another program moved the log into it.
  if (copy_ >= 0 && !has_same_pages(frames_)) return false;
  last_ = now;
  return true;
}

bool SpareCopy::is_log_whole(bool as_it_looks) {
  if (checked_.frames == 0) return true;
  struct stat now {};
  if (stat(log_path_.c_str(), &now) != 0 || !is_same_file(now, log_)) return false;
  if (as_it_looks && is_as(now, log_)) return true;
  Checked log;
  const bool has_header = begin_log(log);
  const bool is_same = has_header && log.header == checked_.header;
  // It is not needed where the file has it all: another program may have emptied it then, and a
  // transaction that failed may have begun it again.
  const auto is_needed = [&] { return copy_ >= 0 ? !has_same_pages(0) : !has_header || is_same; };
  if (!(is_same && check_log(log, checked_.frames)) && is_needed()) return false;
  log_ = now;
  return true;
}

bool SpareCopy::has_same_pages(int frames) {
  // What is both copied and moved: another program may have moved what is not copied yet.
  const std::optional<LogIndex> index = index_of_log(db_);
  Checked log;
  const bool is_same_log = begin_log(log) && log.header == checked_.header;
  const int from =
      index && is_same_log ? std::min(static_cast<int>(index->moved), checked_.frames) : 0;
  std::set<std::uint32_t> in_log;
  if (!each_frame(from, frames, [&](std::span<const char> frame) {
        in_log.insert(big_endian(frame, 0));
        return true;
      }))
    return false;
  sqlite3_file* const file = file_of(db_, SQLITE_FCNTL_FILE_POINTER);
  std::vector<char> page(static_cast<std::size_t>(page_)), copied(page.size());
  for (std::int64_t i = 0; pread(copy_, copied.data(), copied.size(), i * page_) == page_; ++i) {
    // What the log has counts more than what the file has.
    if (in_log.contains(static_cast<std::uint32_t>(i + 1))) continue;
    if (!read_all(file, page, i * page_) || page != copied) return false;
  }
  return true;
}

bool SpareCopy::begin_log(Checked& log) {
  log = {};
  if (!read_all(file_of(db_, SQLITE_FCNTL_JOURNAL_POINTER), log.header, 0)) return false;
  const std::uint32_t magic = big_endian(log.header, 0);
  add_to(log.sums, std::span(log.header).first<24>(), (magic & 1U) != 0);
  return (magic & ~1U) == kMagic && log.sums[0] == big_endian(log.header, 24) &&
         log.sums[1] == big_endian(log.header, 28);
}

template <class Take>
bool SpareCopy::each_frame(int from, int to, Take take) {
  constexpr int kAtOnce = 256;
  sqlite3_file* const log = file_of(db_, SQLITE_FCNTL_JOURNAL_POINTER);
  const std::size_t size = kFrameHeader + static_cast<std::size_t>(page_);
  std::vector<char> block(size * static_cast<std::size_t>(std::clamp(to - from, 0, kAtOnce)));
  while (from < to) {
    const auto n = static_cast<std::size_t>(std::min(to - from, kAtOnce));
    const auto at = static_cast<std::int64_t>(kLogHeader + static_cast<std::size_t>(from) * size);
    if (!read_all(log, std::span(block).first(n * size), at)) return false;
    for (std::size_t i = 0; i < n; ++i)
      if (!take(std::span<const char>(block).subspan(i * size, size))) return false;
    from += static_cast<int>(n);
  }
  return true;
}

bool SpareCopy::check_log(Checked& log, int frames) {
  const bool is_big_endian = (big_endian(log.header, 0) & 1U) != 0;
  const auto salts = std::span<const char>(log.header).subspan<16, 8>();
  return each_frame(log.frames, frames, [&](std::span<const char> frame) {
    add_to(log.sums, frame.first<8>(), is_big_endian);
    add_to(log.sums, frame.subspan(kFrameHeader), is_big_endian);
    ++log.frames;
    return std::ranges::equal(frame.subspan<8, 8>(), salts) &&
           log.sums[0] == big_endian(frame, 16) && log.sums[1] == big_endian(frame, 20);
  });
}

bool SpareCopy::copy_frames(int from, int to) {
  std::int64_t pages = 0;
  const bool copied = each_frame(from, to, [&](std::span<const char> frame) {
    pages = big_endian(frame, 4);
    return write_all(copy_, frame.subspan(kFrameHeader),
                     (static_cast<std::int64_t>(big_endian(frame, 0)) - 1) * page_);
  });
  // The last frame ends a transaction, and says how many pages there were then.
  return copied && pages > 0 && ftruncate(copy_, pages * page_) == 0;
}

bool SpareCopy::take_commit() {
  if (is_file_whole() && take_frames()) return true;
  // Between the commit and this look another program may have moved it into the file.
  struct stat now {};
  if (!forget_moved_log() || !is_file_in_place(now)) return false;
  const std::lock_guard lock(mutex_);
  take_file();
  return true;
}

bool SpareCopy::take_frames() {
  if (frames_ == 0) return true;
  // First: what is changed while it is checked is found by the next look.
  struct stat now {};
  Checked log;
  if (stat(log_path_.c_str(), &now) != 0 || !begin_log(log)) return false;
  if (log.header == checked_.header)
    log = checked_;
  else
    moved_frames_ = 0;  // the log began again
  const int from = log.frames;
  if (!check_log(log, frames_)) return false;
  if (copy_ >= 0 && from < frames_ && !copy_frames(from, frames_)) drop_copy();
  checked_ = log;
  log_ = now;
  return true;
}

bool SpareCopy::checkpoint() {
  if (!has_all(false)) return false;
  const std::lock_guard lock(mutex_);
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
  fine = fine && fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) close(file);
  if (!fine && reason != 0)
    throw std::filesystem::filesystem_error("", path,
                                            std::error_code(reason, std::generic_category()));
  return fine;
}

namespace {

namespace fs = std::filesystem;

/// The first of `NAME.rescued.agon`, `NAME.rescued-2.agon`, ... that is nobody's.
fs::path free_name(const fs::path& folder, const fs::path& archive) {
  const std::string stem =
      (archive.extension() == ".agon" ? archive.stem() : archive.filename()).string();
  fs::path path = folder / (stem + ".rescued.agon");
  std::error_code none;
  for (int n = 2; fs::exists(fs::symlink_status(path, none)); ++n)
    path = folder / (stem + ".rescued-" + std::to_string(n) + ".agon");
  return path;
}

/// Waits until the disk has a file, or what is in a folder.
void sync(const fs::path& path) {
  const int open_file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int reason = open_file < 0 || fsync(open_file) != 0 ? errno : 0;
  if (open_file >= 0) close(open_file);
  // A folder that the system does not sync, such as one of another machine, is as safe as it gets.
  if (reason != 0 && reason != EINVAL)
    throw fs::filesystem_error("fsync", path, std::error_code(reason, std::generic_category()));
}

}  // namespace

void remove_database(const fs::path& file) noexcept {
  std::error_code none;
  for (const char* side : {"", "-wal", "-shm", "-journal"}) fs::remove(file.string() + side, none);
}

PartFile::PartFile(fs::path to) : to_(std::move(to)) {
  std::random_device system;
  path_ = to_.string() + ".part-" + std::to_string(getpid()) + "-" + std::to_string(system());
}

void PartFile::move_into_place(bool replace) const {
  std::error_code none;
  if (const auto log = fs::file_size(path_.string() + "-wal", none); !none && log > 0)
    throw Error(ErrorKind::failure, "its log could not be moved into it", path_.string(),
                "check that the disk has room");
  sync(path_);
  // Not every file system can refuse a name that is taken.
  if (replace || renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, to_.c_str(), RENAME_NOREPLACE) != 0) {
    if (!replace && (errno == EEXIST || fs::exists(fs::symlink_status(to_, none))))
      throw fs::filesystem_error("rename", to_, std::make_error_code(std::errc::file_exists));
    fs::rename(path_, to_);
  }
  sync(to_.parent_path().empty() ? fs::path(".") : to_.parent_path());
}

namespace {

/// Copies what the open archive reads, which is all that there is unless the file was overwritten.
void back_up(Connection& archive, const fs::path& to) {
  Connection into(to, OpenMode::write);
  sqlite3_backup* backup = sqlite3_backup_init(into.get(), "main", archive.get(), "main");
  if (backup == nullptr) into.fail(sqlite3_errcode(into.get()));
  sqlite3_backup_step(backup, -1);
  if (const int code = sqlite3_backup_finish(backup); code != SQLITE_OK) into.fail(code);
}

/// Copies to a name of its own first: a copy is whole or not there.
void copy(Connection& archive, SpareCopy* spare, const fs::path& to) {
  const PartFile part(to);
  if (spare == nullptr || !spare->write_to(part.path())) back_up(archive, part.path());
  Archive::open(part.path()).check();
  part.move_into_place();
}

}  // namespace

fs::path rescue(Connection& archive, SpareCopy* spare, const fs::path& path) {
  std::error_code none;
  std::vector<fs::path> folders{path.parent_path(), fs::current_path(none),
                                fs::temp_directory_path(none)};
  std::string why;
  for (const fs::path& folder : folders) {
    if (folder.empty() || !fs::is_directory(folder, none)) continue;
    try {
      fs::path to = free_name(folder, path);
      copy(archive, spare, to);
      return to;
    } catch (const Error& error) {
      why = error.problem();
    } catch (const fs::filesystem_error& error) {
      why = error.code().message();
    }
  }
  throw Error(
      ErrorKind::failure,
      "the archive or its log was moved, removed, replaced or overwritten while a run wrote "
      "it, and what it held could not be saved" +
          (why.empty() ? "" : ": " + why),
      path.string(),
      "if it was moved, take the file from there, with the -wal file beside its old place");
}

void publish(const fs::path& archive, const fs::path& to) {
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    throw Error(ErrorKind::failure, "the finished archive could not be put here: " + why,
                to.string(), hint + "; it is complete in " + archive.string());
  };
  std::error_code none;
  if (fs::exists(fs::symlink_status(to, none))) refuse("there is a file", "move that away");
  try {
    static_cast<void>(
        resolve(to, false));  // throws for a log beside it, which would be read into it
    Connection from(archive, OpenMode::read);
    copy(from, nullptr, to);
  } catch (const Error& error) {
    refuse(error.problem(), "fix that and run the same command again");
  } catch (const fs::filesystem_error& error) {
    refuse(error.code().message(), "fix that and run the same command again");
  }
}

}  // namespace agon::archive
