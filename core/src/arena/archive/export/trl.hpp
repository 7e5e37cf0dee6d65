#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <iosfwd>

#include "archive/archive.hpp"
#include "archive/export/turns.hpp"

namespace agon::archive {

/// Layouts of the data sets that trainers of TRL (Hugging Face) read.
enum class TrlLayout : std::uint8_t {
  messages,           ///< the dialogue, what the model said included
  prompt_completion,  ///< the dialogue, and what the model said
  preference,         ///< the dialogue, and of two things said the one with the higher advantage
};

/// Writes the turns of models as JSON Lines, every row with the same members in the same order;
/// docs/training.md lists them. What was refused is left out. A pair is of one group and one
/// prompt: of all that was said there, what has the highest advantage and what has the lowest; so
/// there is one a prompt. Memory grows with the prompts of one block. Throws Error when the stream
/// fails.
AGON_API void export_trl(const Archive& archive, std::ostream& out, TurnReader& turns,
                         TrlLayout layout);

}  // namespace agon::archive
