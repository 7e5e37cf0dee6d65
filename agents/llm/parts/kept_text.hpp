#pragma once

#include <agon/model/model_parts.hpp>

#include "llm/lines.hpp"

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

/// When a text that an agent keeps for itself is rewritten.
enum class Upkeep : std::uint8_t {
  once,           ///< before the first move
  every_phase,    ///< before the first move, and after each phase
  after_a_phase,  ///< after each phase
};

/// A text that the model writes for itself in games that do not ask for one.
struct KeptText {
  std::string_view note;   ///< where it is kept, and its name in prompts
  std::string_view title;  ///< what it is called where it is shown
  std::string_view first;  ///< the prompt file that asks for it
  std::string_view again;  ///< the one that asks for it again
};

inline constexpr KeptText kPlan{"plan", ModelLine("Your plan"), "part-plan", "part-plan-again"};

/// The text, rewritten where that is due: its prompt follows the prompt of the stage with the text
/// as it was. Made only for moves; probes see what there is.
[[nodiscard]] OwnText kept_text(ModelTurn& turn, const KeptText& kept, Upkeep when);

}  // namespace agon::llm
