#pragma once

#include <agon/model/model_parts.hpp>

#include "llm/lines.hpp"

namespace agon::llm {

/// When a text that an agent keeps for itself is written anew.
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
  std::string_view again;  ///< the one that asks for it anew
};

inline constexpr KeptText kPlan{"plan", ModelLine("Your plan"), "part-plan", "part-plan-again"};

/// The text, made anew where that is due: its prompt follows the prompt of the stage with the text
/// as it was. Made only for moves; probes see what there is.
[[nodiscard]] OwnText kept_text(ModelTurn& turn, const KeptText& kept, Upkeep when);

}  // namespace agon::llm
