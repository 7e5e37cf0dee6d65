#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace agon::worker {

/// What is said to the arena and heard from it: one JSON object a line, and blocks of bytes that a
/// line announces. What is said waits until something is to be heard, so that many messages are one
/// call of the system.
///
/// It goes over the streams that the process was started with. A plugin's standard streams are
/// others: what it prints goes to standard error, and there is nothing to read.
class Wire {
 public:
  /// Takes the streams over: before any code of a plugin runs. Throws Error if that fails.
  Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// The next message. Ends the process if there will be none: the arena is gone.
  boost::json::object hear();
  /// The `n` bytes that follow the last message.
  std::string hear_bytes(std::size_t n);
  /// A message, without its line break.
  void say(std::string_view message);
  /// Bytes as they are, after a message that says how many.
  void say_bytes(std::string_view bytes);
  /// Sends what was said.
  void flush();

 private:
  void fill();

  int from_, to_;
  std::string in_;
  std::size_t taken_ = 0;  ///< of in_
  std::string out_;
};

}  // namespace agon::worker
