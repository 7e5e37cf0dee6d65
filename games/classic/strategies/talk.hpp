#pragma once

#include <agon/agent.hpp>
#include <string_view>

namespace classic {

/// What a strategy does in a negotiation: words change nothing for it.
enum class Talk : std::uint8_t { halt, silent, announce };
AGON_DESCRIBE_ENUM(Talk, (halt, "halts it at once"), (silent, "sends empty messages"),
                   (announce, "says what it will choose, where it knows"))

/// Answers a question for a message; `action` is what the player means to choose, empty if it does
/// not know or will draw it.
void say(agon::Question& question, Talk talk, std::string_view action);

}  // namespace classic
