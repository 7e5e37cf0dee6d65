#pragma once

#include <agon/model/provider.hpp>

namespace agon::llm {

/// OpenAI's chat completions, which most endpoints speak.
[[nodiscard]] const WireFormat& openai_wire();

/// Completions of plain text, as OpenAI had them first: the dialogue is one text that the model
/// goes on with.
[[nodiscard]] const WireFormat& completions_wire();

/// Anthropic's messages.
[[nodiscard]] const WireFormat& anthropic_wire();

}  // namespace agon::llm
