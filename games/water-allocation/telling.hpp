#pragma once

#include <agon/telling.hpp>

#include "water-allocation/answers.hpp"

namespace water_allocation {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Town& town, const agon::Scene& scene);
[[nodiscard]] std::string tell(const You& you, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Day& day, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Morning& morning, const agon::Scene& scene);
///@}

/// Who the seat plays, in sentences; empty where personas are off.
[[nodiscard]] std::string persona(const Settings& settings, int seat,
                                  const agon::Language& language);

}  // namespace water_allocation
