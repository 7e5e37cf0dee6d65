#pragma once

#include <agon/model/model_parts.hpp>

namespace bargaining {

/// OG-Narrator (Xia et al. 2024, section 5): as the buyer, the offer generator decides on action
/// and price, and the model only finds the words for them.
[[nodiscard]] agon::PartCard narrator_card();

/// A model agent that is told to bargain as Adversary does.
[[nodiscard]] agon::PartCard adversary_persona_card();

}  // namespace bargaining
