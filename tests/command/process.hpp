#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace command_test {

using Words = std::vector<std::string>;

/// How a child is started, beside its arguments.
struct Start {
  std::string in{};      ///< what it reads on standard input
  bool hold_in = false;  ///< standard input stays open after `in`, until close_in()
  std::string folder{};  ///< working directory; empty: the test's own
  /// Set over the inherited one, in which nothing is ever trusted and nothing is remembered.
  std::vector<std::pair<std::string, std::string>> environment{};
  std::uint64_t most_file_bytes = 0;  ///< no file grows above this (RLIMIT_FSIZE); 0: no limit
  std::uint64_t most_threads = 0;     ///< of all processes of `user` (RLIMIT_NPROC); 0: no limit
  std::uint64_t most_files = 0;       ///< open at a time (RLIMIT_NOFILE); 0: no limit
  uid_t user = 0;                     ///< run as this user; 0: as the test
  bool ignores_children = false;      ///< SIGCHLD is ignored, as some supervisors leave it
};

/// How a child ended.
struct Ended {
  int code = -1;  ///< exit status; 128 + signal if one ended it
  std::string out;
  std::string err;
};

/// A running `agon`, its streams in pipes. The destructor kills and reaps what still runs.
class Child {
 public:
  explicit Child(const Words& arguments, const Start& start = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const;
  /// From now on none of its files grows above this.
  void limit_files(std::uint64_t bytes) const;
  /// Reads what there is, and sleeps 2 ms at most. False once the child has ended.
  bool step();
  /// Steps until `ready` says so. False if the child ended first, or did not get there in
  /// three minutes.
  bool until(const std::function<bool()>& ready);
  /// Types more into standard input, which must be held.
  void type(std::string_view text);
  void close_in();
  /// Waits for the end and returns it.
  Ended end();
  [[nodiscard]] const std::string& out() const { return ended_.out; }
  [[nodiscard]] const std::string& err() const { return ended_.err; }

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string to_write_;
  bool hold_ = false;
  Ended ended_;
};

/// `agon` at a pseudo-terminal: what is typed is echoed, and both its streams come out of one.
class Terminal {
 public:
  explicit Terminal(const Words& arguments, const Start& start = {});
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Waits until `text` has been shown since the last call. False if the child ended or three
  /// minutes went by first.
  bool sees(std::string_view text);
  void type(std::string_view text) const;
  /// Waits for the end; returns the exit code as in Ended.
  int end();
  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  bool step();
  pid_t pid_ = -1;
  int terminal_ = -1;
  std::size_t seen_ = 0;
  std::string shown_;
  int code_ = -1;
};

/// Runs `agon` to its end.
Ended agon(const Words& arguments, const Start& start = {});

/// The command under test: AGON_COMMAND in the environment, else the one of this build.
std::string command_path();

}  // namespace command_test
