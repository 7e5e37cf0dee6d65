#pragma once

#include <string_view>

namespace agon::llm {

/// What a model is told of a refusal.
inline constexpr const char* kRefused = "a refusal is no answer";

/// True for words that say no more than that the model will not answer. A move in prose, as "I
/// can't pay more than 5.", is none.
[[nodiscard]] bool is_refusal(std::string_view text);

/// Whether words beside an object refuse to answer, whatever else they say.
[[nodiscard]] bool has_refusal(std::string_view words);

}  // namespace agon::llm
