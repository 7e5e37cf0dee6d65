#pragma once

#include <agon/model/provider.hpp>

namespace agon::llm {

/// OpenAI's chat completions, which most endpoints speak.
[[nodiscard]] const WireFormat& openai_wire();

/// Anthropic's messages.
[[nodiscard]] const WireFormat& anthropic_wire();

}  // namespace agon::llm
