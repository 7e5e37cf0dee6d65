#pragma once

#include <agon/model/model_parts.hpp>
#include <string>

namespace agon::llm {

/// Notes that a move is made now; probes in between do not count.
void mark_move(ModelTurn& turn);

/// Whether a move was marked.
[[nodiscard]] bool has_moved(const ModelTurn& turn);

/// What was told since the marked move, also with the questions in between: what came of it.
[[nodiscard]] std::string told_since_move(const ModelTurn& turn);

}  // namespace agon::llm
