#pragma once

#include <agon/telling.hpp>

#include "survival-auction/answers.hpp"

namespace survival_auction {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Day& day, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Morning& morning, const agon::Scene& scene);
///@}

}  // namespace survival_auction
