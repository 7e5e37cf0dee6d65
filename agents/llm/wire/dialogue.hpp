#pragma once

#include <agon/model/model_call.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace agon::llm::wire {

/// What somebody says in turn: of messages one after the other the texts are one text.
struct Said {
  std::string role;
  std::vector<ChatMessage> blocks;  ///< as messages have them: texts, calls of tools, results
};

/// A dialogue as some formats want it: only users and the assistant speak, in turn, and a user
/// begins; what the system says goes first.
struct Dialogue {
  std::string system;
  std::vector<Said> turns;
  bool keeps_system = false;
  std::size_t stable_turns = 0;  ///< so many come again at the front of later requests
};

/// The messages of a request in turns. `stable`: so many of them, at the front, come again.
[[nodiscard]] Dialogue dialogue_of(std::span<const ChatMessage> messages, std::size_t stable = 0);

}  // namespace agon::llm::wire
