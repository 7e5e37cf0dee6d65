#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace agon::worker {

/// What is said to the arena and heard from it: one JSON object a line, and blocks of bytes that a
/// line announces. What is said waits until something is to be heard, so that many messages are one
/// call of the system.
class Wire {
 public:
  Wire() = default;
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
  /// True if a message has come that was not heard yet.
  [[nodiscard]] bool has_more() const;

 private:
  void fill();

  std::string in_;
  std::size_t taken_ = 0;  ///< of in_
  std::string out_;
};

/// The text of a member; throws Error for a message without it.
std::string_view text_of(const boost::json::object& message, std::string_view name);
/// The whole number of a member; likewise.
std::int64_t number_of(const boost::json::object& message, std::string_view name);

}  // namespace agon::worker
