#pragma once

#include <agon/model/model_parts.hpp>

namespace bargaining {

/// A model agent that is told to bargain as Adversary does.
[[nodiscard]] agon::PartCard adversary_persona_card();

}  // namespace bargaining
