#pragma once

#include <agon/model/model_parts.hpp>

namespace agon::llm {

/// Asks the model for a text that is not the answer, after all that it has been told; empty if
/// nothing usable came back.
[[nodiscard]] std::string write_aside(ModelTurn& turn, std::string_view purpose,
                                      std::string_view asked);

}  // namespace agon::llm
