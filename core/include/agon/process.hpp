#pragma once

#include <sys/types.h>

#include <agon/export.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

class ProcessStreams;

/// A program in a process group of its own, its streams in pipes. One thread at a time uses it.
///
/// What it writes to standard error is kept, the end of it, for messages. Whatever happens, the
/// destructor leaves nothing of the group running.
class AGON_API Process {
 public:
  using Clock = std::chrono::steady_clock;
  /// The longest line that it may write, in bytes, unless longer ones are allowed.
  static constexpr std::size_t kLongestLine = std::size_t{16} << 20;

  /// Starts `words` (program and arguments; a program without '/' is looked up in PATH) in `folder`
  /// (empty: here), with this environment and no other: NAME=VALUE. Once `stop` is true, it has
  /// half a second to end wherever its end is waited for. Throws Error if that is not possible.
  Process(const std::vector<std::string>& words, const std::string& folder,
          std::vector<std::string> environment, const std::atomic<bool>* stop = nullptr);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Lines may be as long as this many bytes from here on; kLongestLine at least.
  void allow_lines_of(std::size_t bytes) { longest_line_ = std::max(kLongestLine, bytes); }
  [[nodiscard]] std::size_t longest_line() const { return longest_line_; }

  /// How reading a line came out.
  enum class Got : std::uint8_t {
    line,      ///< a whole line
    part,      ///< what follows the last line break, before the end
    end,       ///< nothing more will come
    too_long,  ///< a line that is longer than any may be
    deaf,      ///< it no longer reads, but says nothing either
    time_up,
    stopped,  ///< by `stop`
  };

  /// Puts text on its way; it is written while reading.
  void send(std::string_view text);
  /// Waits for the next line, without its line break. What has come by `until` counts as in time.
  /// `patience` is how long a program that closed a stream may take to end. `stop` is looked at
  /// every 50 ms, on a coroutine every 200 ms.
  Got read(std::string& line, Clock::time_point until, std::chrono::milliseconds patience,
           const std::function<bool()>& stop = {});
  /// Waits for `n` bytes that follow the last line read, whatever they are. What there is of them
  /// is in `bytes` if they do not come: never Got::part or Got::too_long.
  Got read_bytes(std::string& bytes, std::size_t n, Clock::time_point until,
                 std::chrono::milliseconds patience, const std::function<bool()>& stop = {});
  /// What read() would come to at once: Got::line if anything was said, Got::end, or Got::time_up
  /// while nothing was.
  [[nodiscard]] Got peek();
  /// Sends `last`, closes its standard input and waits for it to end; kills it at `until`. False if
  /// it had to be killed.
  bool quit(std::string_view last, Clock::time_point until);
  /// Kills the whole group. Nothing can be read any more.
  void kill();

  /// Waits until it has ended, at most until `until`.
  bool wait(Clock::time_point until);
  /// "it exited with status 3", "it was ended by signal 11", "it is still running".
  [[nodiscard]] std::string fate() const;
  /// The signal that ended it; 0: none did, or it is still running.
  [[nodiscard]] int ended_by() const;
  /// What it used of the processor so far, all its threads together; 0 once it has ended.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const;
  /// The end of what it wrote to standard error, at most 4 KiB.
  [[nodiscard]] const std::string& complaints() const;
  /// How many bytes it wrote there.
  [[nodiscard]] std::uint64_t complained() const;
  /// What it wrote there so far counts no more, nor is it quoted: what it does from here on is
  /// something else.
  void forget_complaints();
  /// The last lines of it, at most 400 bytes, as the end of a sentence: "; on standard error it
  /// said: ...". Empty if there are none.
  [[nodiscard]] std::string last_words() const;

  /// Its number, while it has one.
  [[nodiscard]] pid_t id() const { return pid_; }

 private:
  /// Waits until `there` says that enough has come, and how it came out otherwise.
  Got wait_for(const std::function<bool()>& there, Clock::time_point until,
               std::chrono::milliseconds patience, const std::function<bool()>& stop);
  void look();  ///< whether it has ended
  /// `until`, or what is left once somebody wants to stop.
  Clock::time_point hurried(Clock::time_point until);
  void reap();

  std::size_t longest_line_ = kLongestLine;
  pid_t pid_ = -1;
  std::unique_ptr<ProcessStreams> streams_;
  const std::atomic<bool>* stop_;
  Clock::time_point last_ = Clock::time_point::max();  ///< that it may live to
  bool ended_ = false;  ///< the program itself, not all that it started
  bool reaped_ = false;
  int status_ = 0;
};

}  // namespace agon
