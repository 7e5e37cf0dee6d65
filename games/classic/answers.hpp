#pragma once

#include <agon/describe.hpp>
#include <string>
#include <string_view>

namespace classic {

/// The action that a player takes.
struct Choice {
  std::string action;
};
AGON_DESCRIBE(Choice, (action, "the action that you choose, by its name"))

/// One message of a negotiation.
struct Message {
  std::string text;
  bool halt = false;
};
AGON_DESCRIBE(Message, (text, "what you say to the others; may be empty"),
              (halt, "true if you want to halt the negotiation"))

/// True if the message asks to halt: by its flag, or because "halt negotiation" is all that it
/// says. The same words inside a sentence ask for nothing.
[[nodiscard]] bool asks_to_halt(const Message& message);

}  // namespace classic
