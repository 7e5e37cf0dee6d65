#pragma once

#include <agon/json_writer.hpp>
#include <agon/model/model_parts.hpp>
#include <boost/json/array.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "remote/message.hpp"

namespace agon::remote {

/// Messages of a dialogue as a process says them. Throws BadMessage.
[[nodiscard]] std::vector<ChatMessage> read_messages(const boost::json::array& list);

/// What a process asks of the turn while it works for a part.
class TurnService {
 public:
  /// `note`: what the part's notes are kept under; `doing`: what it was asked for. All must outlive
  /// this.
  TurnService(ModelTurn& turn, std::string_view note, std::string_view doing)
      : turn_(turn), note_(note), doing_(doing) {}

  /// The reply to such a message. Throws BadMessage for what is none, and what the turn throws.
  [[nodiscard]] std::string reply(const Message& message) const;

 private:
  void put_value(JsonWriter& out, const Message& message) const;
  /// Throws BadMessage for what is made of what is being asked for.
  void refuse_circles(std::string_view what) const;
  /// Places of the history: all of it where the message names none.
  [[nodiscard]] std::pair<std::size_t, std::size_t> span_of(const Message& message) const;
  [[nodiscard]] std::string rendered(const Message& message) const;
  /// What was told and the seat's own moves, each with its place and when it was.
  void put_past(JsonWriter& out) const;
  void put_note(JsonWriter& out, const Message& message) const;
  void put_call(JsonWriter& out, const Message& message) const;
  void put_vectors(JsonWriter& out, const Message& message) const;
  void put_answer(JsonWriter& out, const Message& message) const;

  ModelTurn& turn_;
  std::string_view note_, doing_;
};

}  // namespace agon::remote
