#pragma once

#include <agon/json_writer.hpp>
#include <agon/question.hpp>
#include <agon/sdk_version.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "describe/value.hpp"

namespace agon::remote {

/// The arena's first message to a game's process, without its line break.
inline constexpr std::string_view kHello =
    R"({"type":"hello","protocol":1,"arena":"agon","version":")" AGON_SDK_VERSION_TEXT R"("})";

/// Most bytes of a text, and of a value that is kept for later: of a card, a reply, an answer's
/// words, what a seat takes along.
inline constexpr std::size_t kLongestText = std::size_t{1} << 20;

/// A message is not what the protocol says: a sentence without a final stop.
class BadMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One message of a game's process. What is asked of it is what must be there: anything else throws
/// BadMessage.
class Message {
 public:
  /// The message that a line is.
  static Message read(std::string_view line);

  [[nodiscard]] std::string_view type() const { return type_; }

  /// The member; null where there is none, or it is null.
  [[nodiscard]] const boost::json::value* find(std::string_view name) const;
  [[nodiscard]] const boost::json::value& need(std::string_view name) const;
  [[nodiscard]] std::string_view text(std::string_view name) const;
  [[nodiscard]] std::int64_t whole(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] const boost::json::array& list(std::string_view name) const;
  /// A text of at most kLongestText bytes that is kept.
  [[nodiscard]] std::string words(std::string_view name) const;
  /// A text in one line: of at most as many columns as names on a card.
  [[nodiscard]] std::string_view name(std::string_view member) const;
  /// False where it is left out.
  [[nodiscard]] bool truth(std::string_view name) const;
  /// A whole number in 0..n-1.
  [[nodiscard]] int below(std::string_view name, std::size_t n) const;

  /// A member that is an object, or an element of a list, as a message of that type.
  static Message part(const boost::json::value& object, std::string_view what);

 private:
  boost::json::object members_;
  std::string type_;
};

/// The whole number that an element of a list must be.
[[nodiscard]] std::int64_t whole_of(const boost::json::value& value, std::string_view what);

/// Reads a whole value that a process says; `what` it is, for messages. Throws BadMessage.
void read_said(Value& value, const boost::json::value& said, const std::string& what);

/// Adds to an object what an agent is given of a question, beside what its game asks.
void put_dealt(JsonWriter& out, const Question& question);

/// Gives what an agent elsewhere said as the answer. Throws BadMessage for what is none, and what
/// the agent threw.
void read_answer(Question& question, const Message& answered);

}  // namespace agon::remote
