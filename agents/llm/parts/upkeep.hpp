#pragma once

#include <agon/model/model_parts.hpp>

namespace agon::llm {

/// When a text that an agent keeps for itself is written anew.
enum class Upkeep : std::uint8_t {
  once,           ///< before the first move
  every_phase,    ///< before the first move, and after each phase
  after_a_phase,  ///< after each phase
};

/// A text that the model writes for itself in games that do not ask for one: the note `note`, by
/// the prompt file `prompt`, which follows the prompt of the stage with the text as it was under
/// the note's name. Made only for moves; probes see what there is.
[[nodiscard]] std::string kept_text(ModelTurn& turn, std::string_view note, std::string_view prompt,
                                    Upkeep when);

}  // namespace agon::llm
