#pragma once

#include <agon/model/model_parts.hpp>

namespace agon::llm {

/// The JSON Schema of a question's answer under its limits, with a first member `thought` if one is
/// asked for and the answer has room for it.
[[nodiscard]] std::string answer_schema(const OwnedQuestion& question, Thinking thinking);
/// The same under other limits.
[[nodiscard]] std::string answer_schema(const OwnedQuestion& question, Thinking thinking,
                                        std::span<const LimitData> limits);

}  // namespace agon::llm
