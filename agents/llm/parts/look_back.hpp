#pragma once

#include <agon/model/model_parts.hpp>
#include <string>

namespace agon::llm {

/// Memories that overlap with parts that write down what they learn.
inline constexpr PartOverlap kLessonOverlaps[] = {
    {PartKind::memory, "none", "what it has learnt carries on what the memory forgets"},
    {PartKind::memory, "window", "what it has learnt carries on what the memory forgets"},
    {PartKind::memory, "notebook", "both are the agent's own account of what happened"},
    {PartKind::learning, "on", "both write down what was learnt"},
};

/// Notes that a move is made now; probes in between do not count.
void mark_move(ModelTurn& turn);

/// Whether a move was marked.
[[nodiscard]] bool has_moved(const ModelTurn& turn);

/// What was told since the marked move, also with the questions in between: what came of it.
[[nodiscard]] std::string told_since_move(const ModelTurn& turn);

}  // namespace agon::llm
