#pragma once

#include <agon/model/model_parts.hpp>

namespace classic {

/// Best replies for payoff tables of two players; other games are answered directly.
[[nodiscard]] agon::PartCard best_response_workflow_card();
/// Backward induction for trees; payoff tables are answered directly.
[[nodiscard]] agon::PartCard backward_induction_workflow_card();
/// The one of the two that fits the game.
[[nodiscard]] agon::PartCard workflow_card();
/// One that chooses whether to use `workflow`, by the game of that choice.
[[nodiscard]] agon::PartCard meta_strategy_card();

}  // namespace classic
