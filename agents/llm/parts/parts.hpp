#pragma once

#include <agon/model/model_parts.hpp>
#include <agon/plugin.hpp>

namespace agon::llm {

/// For parts without parameters.
struct NoParams {};
AGON_DESCRIBE(NoParams)

// A kind of part a file; llm/plugin.cpp registers them all.
[[nodiscard]] PartCard no_persona_card();
[[nodiscard]] PartCard text_persona_card();
[[nodiscard]] PartCard personality_card();
[[nodiscard]] PartCard stance_card();
[[nodiscard]] PartCard resident_card();
[[nodiscard]] PartCard whole_memory_card();
[[nodiscard]] PartCard window_memory_card();
[[nodiscard]] PartCard notebook_card();
[[nodiscard]] PartCard no_memory_card();
[[nodiscard]] PartCard retrieval_card();
[[nodiscard]] PartCard no_learning_card();
[[nodiscard]] PartCard learning_card();
[[nodiscard]] PartCard no_planning_card();
[[nodiscard]] PartCard static_planning_card();
[[nodiscard]] PartCard adaptive_planning_card();
[[nodiscard]] PartCard no_beliefs_card();
[[nodiscard]] PartCard beliefs_card();
[[nodiscard]] PartCard corrected_beliefs_card();
[[nodiscard]] PartCard direct_card();
[[nodiscard]] PartCard chain_of_thought_card();
[[nodiscard]] PartCard free_text_card();
[[nodiscard]] PartCard plan_bid_reflect_card();
[[nodiscard]] PartCard reflect_card();
[[nodiscard]] PartCard refine_card();
[[nodiscard]] PartCard predict_then_act_card();
[[nodiscard]] PartCard k_level_card();
[[nodiscard]] PartCard solo_performance_card();
[[nodiscard]] PartCard schema_form_card();
[[nodiscard]] PartCard tags_form_card();
[[nodiscard]] PartCard no_tools_card();
[[nodiscard]] PartCard calculator_card();
[[nodiscard]] PartCard own_moves_card();
[[nodiscard]] PartCard calculator_and_own_moves_card();

/// Adds all parts of this library.
void add_parts(Registry& registry);

}  // namespace agon::llm
