#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace agon::archive {

/// Who writes an archive, as the file beside it says.
struct OwnerNote {
  std::string host;
  std::string machine;  ///< of one start of one system: its locks (RunLock) hold within it
  std::int64_t process = 0;
  std::int64_t started = 0;
  std::int64_t beat = 0;
};
AGON_DESCRIBE(OwnerNote, (host, "its name"), (machine, "id of the system, new at each boot"),
              (process, "that writes"), (started, "when it began, by its clock"),
              (beat, "rises as long as it writes"))

/// How an OwnerToken is kept, and who hears of it.
struct OwnerOptions {
  std::chrono::milliseconds beat{5'000};       ///< how often the owner shows that it is there
  std::chrono::milliseconds patience{60'000};  ///< without a sign for so long, it is gone
  std::string machine{};                       ///< empty: this one
  /// Called once, by a thread, if another machine took over, or may do so because the sign of this
  /// owner cannot be written: nothing more may be written to the archive, nor may its log be moved.
  std::function<void()> on_lost{};
  /// True: who waits for the sign of another owner gives up, with an Error.
  std::function<bool()> is_stopped{};
};

/// Keeps writers on other machines away from an archive, where locks do not reach: on many network
/// file systems a lock is known to one machine alone. The owner writes its name beside the archive,
/// `NAME.owner`, and a number that rises. No clocks are compared, as they may differ: an owner is
/// there as long as its number rises within the patience of who watches. Within a machine a lock
/// (flock) on that file tells, which goes with the process, however that ends.
class AGON_API OwnerToken {
 public:
  /// Takes the token. One of a run that ended without giving it back is taken over: at once if it
  /// was on this machine, else after `patience`. Throws Error (failure) if its owner is still
  /// there, and if nothing can be written beside the archive.
  explicit OwnerToken(const std::filesystem::path& archive, OwnerOptions options = {});
  /// Gives it back.
  ~OwnerToken();
  OwnerToken(const OwnerToken&) = delete;
  OwnerToken& operator=(const OwnerToken&) = delete;

 private:
  /// A file that is open, and locked if the file system can.
  struct LockedNote {
    int number = -1;
    void close();
    ~LockedNote() { close(); }
  };

  [[nodiscard]] bool create();
  /// False if it was given back meanwhile.
  [[nodiscard]] bool take_over();
  void lock();
  void wait_for_silence(const std::string& text, const OwnerNote& other);
  [[nodiscard]] bool overwrite();
  void lose(const std::string& why);
  [[nodiscard]] bool is_own() const;
  void keep_beating();

  const std::filesystem::path archive_;
  const std::filesystem::path path_;
  const OwnerOptions options_;
  OwnerNote note_;
  LockedNote file_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool ending_ = false;
  std::thread thread_;
};

/// Who writes an archive on another machine, as far as its note says: it may have ended without
/// giving it back. None if nobody does, or somebody on this machine.
[[nodiscard]] AGON_API std::optional<OwnerNote> owner_elsewhere(
    const std::filesystem::path& archive);
/// "process 7 on node7"
[[nodiscard]] AGON_API std::string words_of(const OwnerNote& note);

/// The kind of network file system that a folder is on, such as "nfs"; empty: a local one, or not
/// known.
[[nodiscard]] AGON_API std::string network_file_system(const std::filesystem::path& folder);

}  // namespace agon::archive
