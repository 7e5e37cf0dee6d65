#pragma once

#include <agon/telling.hpp>

#include "ebay/answers.hpp"

namespace ebay {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Worth& worth, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Morning& morning, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PriceLine& line, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Extended& extended, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Close& close, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Hidden& hidden, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Desk& desk, const agon::Scene& scene);
///@}

}  // namespace ebay
