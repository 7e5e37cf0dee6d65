#pragma once

#include <agon/model/model_parts.hpp>

namespace agon::llm {

/// What the model said, as a text of its own to be kept: empty if it said nothing or refused, and
/// up to its last whole sentence if it was cut off.
[[nodiscard]] std::string kept_words(const ModelCall& call);

/// Asks the model for a text of its own to be kept; for JSON or code once more. Empty if nothing
/// usable came back.
[[nodiscard]] std::string write_words(ModelTurn& turn, ModelRequest request);

/// A paragraph under a heading in the language of the seat, as it follows a prompt; empty without
/// text.
[[nodiscard]] std::string under(const ModelTurn& turn, std::string_view heading,
                                const std::string& text);

/// Asks the model for a text that is not the answer, after all that it has been told; empty if
/// nothing usable came back.
[[nodiscard]] std::string write_aside(ModelTurn& turn, std::string_view purpose,
                                      std::string_view asked);

}  // namespace agon::llm
