#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace agon {

/// What a program wrote and nobody has read yet, to be taken line by line or as bytes.
class UnreadText {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  /// In bytes.
  [[nodiscard]] std::size_t size() const { return bytes_.size() - taken_; }
  /// Takes the next line, without its line break. False: its end has not come yet.
  bool take_line(std::string& line);
  /// Takes the next `n` bytes; at most size().
  void take(std::string& bytes, std::size_t n);
  void clear();

 private:
  void drop_taken();

  std::string bytes_;
  std::size_t taken_ = 0;    ///< of bytes_, and handed out
  std::size_t scanned_ = 0;  ///< of bytes_, without a line break
};

/// Our ends of the pipes to the standard streams of a program.
class ProcessStreams {
 public:
  using Clock = std::chrono::steady_clock;

  ProcessStreams() = default;
  ~ProcessStreams();
  ProcessStreams(const ProcessStreams&) = delete;
  ProcessStreams& operator=(const ProcessStreams&) = delete;

  /// Takes the ends over.
  void connect(int in, int out, int err);
  /// Closes all, once what stands in standard error was read.
  void close();
  [[nodiscard]] bool is_any_open() const { return in_ >= 0 || out_ >= 0 || err_ >= 0; }
  /// Moves bytes until something happened or `until` is reached; at most 50 ms, on a
  /// coroutine 200 ms, in which others have its thread.
  void pump(Clock::time_point until);

  /// Puts text on its way to standard input.
  void send(std::string_view text) { to_write_ += text; }
  /// True while some of it is not written yet, and can be.
  [[nodiscard]] bool is_sending() const { return in_ >= 0 && written_ < to_write_.size(); }
  /// As much of it as the pipe takes.
  void write_some();
  [[nodiscard]] bool is_in_open() const { return in_ >= 0; }
  void close_in();

  /// What came from standard output.
  [[nodiscard]] UnreadText& said() { return said_; }
  [[nodiscard]] bool is_out_open() const { return out_ >= 0; }
  void close_out();

  /// The end of what came from standard error, and how many bytes came.
  [[nodiscard]] const std::string& complaints() const { return complaints_; }
  [[nodiscard]] std::uint64_t complained() const { return complained_; }
  /// Reads some of what is there.
  void drain_complaints();
  void forget_complaints();

 private:
  int in_ = -1, out_ = -1, err_ = -1;
  std::string to_write_;
  std::size_t written_ = 0;
  UnreadText said_;
  std::string complaints_;
  std::uint64_t complained_ = 0;
};

}  // namespace agon
