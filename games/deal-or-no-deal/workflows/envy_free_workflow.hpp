#pragma once

#include <agon/model/model_parts.hpp>

namespace deal_or_no_deal {

/// The workflow of the published code (Hua et al. 2024, section 5.4) around a model that
/// negotiates: it drafts a message, is told what its proposal means in the light of what the other
/// side has turned down, and rewrites it until it is content.
[[nodiscard]] agon::PartCard envy_free_workflow_card();
/// One that chooses whether to use it, by the game of that choice.
[[nodiscard]] agon::PartCard meta_strategy_card();

}  // namespace deal_or_no_deal
