#pragma once

#include <agon/telling.hpp>

#include "guess-average/answers.hpp"

namespace guess_average {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Round& round, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Out& out, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Turn& turn, const agon::Scene& scene);
///@}

}  // namespace guess_average
