#include "archive/database/owner.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "archive/database/file.hpp"
#include "archive/rows.hpp"
#include "describe/read.hpp"
#include "json/write.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::archive {
namespace {

using Clock = std::chrono::steady_clock;

std::string text_of_file(const std::filesystem::path& path) {
  // Opened each time: then a network file system asks its server whether it changed.
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

/// A container's host name may be that of another one; what its kernel says of itself is not.
std::string machine_id() {
  std::string id = text_of_file("/proc/sys/kernel/random/boot_id");
  while (id.ends_with('\n')) id.pop_back();
  return id.empty() ? host_name() : id;
}

OwnerNote read_note(const std::string& text) {
  OwnerNote note = read_recorded<OwnerNote>(text).value_or(OwnerNote{});
  if (note.host.empty()) note.host = "an unknown machine";
  return note;
}

std::filesystem::path note_path(const std::filesystem::path& archive) {
  return archive.string() + ".owner";
}

[[noreturn]] void refuse_owner(const std::filesystem::path& archive, const OwnerNote& other) {
  throw Error(ErrorKind::failure, "another run is writing this archive (" + words_of(other) + ")",
              archive.string(), "wait for it to end; if it was killed, try again in a minute");
}

/// Writes a text over the one that a file has, in place: another name for it would be seen late on
/// other machines.
bool write_text(int file, const std::string& text) {
  const bool written =
      pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) &&
      ftruncate(file, static_cast<off_t>(text.size())) == 0;
  return fsync(file) == 0 && written;
}

[[noreturn]] void refuse_place(const std::filesystem::path& note, int reason) {
  throw Error(ErrorKind::failure,
              "no run can write here: " + std::generic_category().message(reason), note.string(),
              "choose a folder with room that you may write, with --work");
}

}  // namespace

std::string words_of(const OwnerNote& note) {
  return "process " + std::to_string(note.process) + " on " + text::printable(note.host);
}

std::optional<OwnerNote> owner_elsewhere(const std::filesystem::path& archive) {
  std::error_code none;
  const std::filesystem::path path = note_path(archive);
  if (!std::filesystem::exists(path, none)) return std::nullopt;
  OwnerNote note = read_note(text_of_file(path));
  if (note.machine == machine_id()) return std::nullopt;
  return note;
}

OwnerToken::OwnerToken(const std::filesystem::path& archive, OwnerOptions options)
    : archive_(archive),
      path_(note_path(archive)),
      options_(std::move(options)),
      note_{host_name(), options_.machine.empty() ? machine_id() : options_.machine, getpid(),
            now(), 0} {
  while (!create() && !take_over()) {
  }
  thread_ = std::thread([this] { keep_beating(); });
}

OwnerToken::~OwnerToken() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ended_.notify_all();
  thread_.join();
  std::error_code none;
  if (is_own()) std::filesystem::remove(path_, none);
}

void OwnerToken::LockedNote::close() {
  if (number >= 0) ::close(number);
  number = -1;
}

bool OwnerToken::create() {
  file_.close();
  file_.number = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_.number < 0 && errno == EEXIST) return false;
  if (file_.number < 0) refuse_place(path_, errno);
  lock();
  if (!write_text(file_.number, write_json(note_))) refuse_place(path_, errno);
  return true;
}

void OwnerToken::lock() {
  if (!options_.machine.empty()) return;  // locks do not reach other machines
  // Where there are no such locks, the note alone tells.
  if (flock(file_.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    refuse_owner(archive_, read_note(text_of_file(path_)));
}

bool OwnerToken::take_over() {
  file_.close();
  file_.number = open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file_.number < 0 && errno == ENOENT) return false;
  if (file_.number < 0) refuse_place(path_, errno);
  lock();
  const auto is_in_place = [&] {
    struct stat named {
    }, held{};
    return stat(path_.c_str(), &named) == 0 && fstat(file_.number, &held) == 0 &&
           named.st_dev == held.st_dev && named.st_ino == held.st_ino;
  };
  if (!is_in_place()) return false;
  const std::string text = text_of_file(path_);
  const OwnerNote other = read_note(text);
  const bool is_near = other.machine == note_.machine;
  if (is_near) {
    const RunLock lock(archive_);  // throws if a run of this machine holds it
  } else {
    wait_for_silence(text, other);
  }
  if (!is_in_place()) return false;
  if (!overwrite()) refuse_place(path_, errno);
  if (is_near) return true;
  // Another one may have waited too: the last to write has it.
  std::this_thread::sleep_for(std::min(options_.beat, options_.patience / 10));
  if (!is_own()) refuse_owner(archive_, other);
  return true;
}

void OwnerToken::wait_for_silence(const std::string& text, const OwnerNote& other) {
  text::say("{} was last written by {}: waiting up to {} s for a sign of it\n",
            text::printable(archive_.string()), words_of(other),
            std::chrono::duration_cast<std::chrono::seconds>(options_.patience).count());
  const auto until = Clock::now() + options_.patience;
  while (Clock::now() < until) {
    if (options_.is_stopped && options_.is_stopped())
      throw Error(ErrorKind::failure, "stopped while it waited for another run", archive_.string());
    std::this_thread::sleep_for(std::min(options_.beat / 5, std::chrono::milliseconds(200)));
    const std::string now_there = text_of_file(path_);
    if (now_there == text) continue;
    std::error_code none;
    if (!std::filesystem::exists(path_, none)) return;  // given back
    refuse_owner(archive_, other);
  }
}

bool OwnerToken::overwrite() {
  const int file = open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  const bool written = write_text(file, write_json(note_));
  const int reason = errno;
  close(file);
  errno = reason;
  return written;
}

bool OwnerToken::is_own() const {
  const auto there = read_recorded<OwnerNote>(text_of_file(path_));
  return there && there->machine == note_.machine && there->process == note_.process &&
         there->started == note_.started;
}

void OwnerToken::lose(const std::string& why) {
  text::say("{} {}: this run stops\n", text::printable(archive_.string()), why);
  if (options_.on_lost) options_.on_lost();
}

void OwnerToken::keep_beating() {
  std::unique_lock lock(mutex_);
  auto last = Clock::now();
  while (!ended_.wait_for(lock, options_.beat, [&] { return ending_; })) {
    if (!is_own()) return lose("was taken over by another run");
    ++note_.beat;
    if (overwrite())
      last = Clock::now();
    else if (Clock::now() - last > options_.patience / 2)  // others soon take it for gone
      return lose("has an owner that cannot write " + path_.filename().string());
  }
}

std::string network_file_system(const std::filesystem::path& folder) {
  static constexpr std::array<std::pair<unsigned long, std::string_view>, 9> kKnown{
      {{0x6969, "nfs"},
       {0xFF534D42, "cifs"},
       {0xFE534D42, "smb2"},
       {0x517B, "smb"},
       {0x0BD00BD0, "lustre"},
       {0x47504653, "gpfs"},
       {0x00C36400, "ceph"},
       {0x19830326, "beegfs"},
       {0x5346414F, "afs"}}};
  struct statfs found {};
  if (statfs(folder.c_str(), &found) != 0) return {};
  const auto type = static_cast<unsigned long>(found.f_type) & 0xFFFFFFFFUL;
  const auto* known =
      std::find_if(kKnown.begin(), kKnown.end(), [&](const auto& k) { return k.first == type; });
  return known == kKnown.end() ? std::string() : std::string(known->second);
}

}  // namespace agon::archive
