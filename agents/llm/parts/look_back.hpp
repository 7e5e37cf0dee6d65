#pragma once

#include <agon/model/model_parts.hpp>
#include <string>

namespace agon::llm {

/// Memories that overlap with parts that write down what they learn.
inline constexpr PartOverlap kLessonOverlaps[] = {
    {PartKind::memory, "none", "what it has learnt carries on what the memory forgets"},
    {PartKind::memory, "window", "what it has learnt carries on what the memory forgets"},
    {PartKind::memory, "retrieval", "what it has learnt carries on what the memory leaves out"},
    {PartKind::memory, "notebook", "both are the agent's own account of what happened"},
    {PartKind::learning, "on", "both write down what was learnt"},
};

/// Notes that a move is made now; probes in between do not count.
void mark_move(ModelTurn& turn);

/// Whether a move was marked.
[[nodiscard]] bool has_moved(const ModelTurn& turn);

}  // namespace agon::llm
