#pragma once

#include <agon/game.hpp>
#include <agon/type.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "describe/read.hpp"
#include "describe/value.hpp"

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

/// What the arena says, read. It is of our own making: what does not fit is a bug of Agon's, and
/// throws Error.
namespace agon::worker {

/// The text of a member.
std::string_view text_of(const boost::json::object& message, std::string_view name);
/// The whole number of a member.
std::int64_t number_of(const boost::json::object& message, std::string_view name);
/// False where it is left out.
bool truth_of(const boost::json::object& message, std::string_view name);
/// The names of the seats.
std::vector<std::string> names_of(const boost::json::object& message);
/// A key of chance, which is a text: it has more digits than numbers of JSON may have.
std::uint64_t key_of(const boost::json::value& text);
/// Reads a whole value of that type. `parts`: takes what it borrows; null: it must borrow nothing.
void read_into(const Type& type, void* object, const boost::json::value& json,
               BorrowedParts* parts = nullptr);
Value value_of(const Type& type, const boost::json::value& json);
/// The same of a view or an event, which borrow.
ReadValue view_of(const Type& type, const boost::json::value& json);

/// The message that says how a match of the game came out.
[[nodiscard]] std::string outcome_json(const GameCard& card, const Outcome& outcome);

}  // namespace agon::worker
