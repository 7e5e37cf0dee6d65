#pragma once

#include <agon/telling.hpp>

#include "classic/events.hpp"

namespace classic {

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const MessageSent& message, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TalkEnded& ended, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Moved& moved, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PeriodPlayed& period, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Ended& ended, const agon::Scene& scene);
[[nodiscard]] std::string tell(const View& view, const agon::Scene& scene);
///@}

}  // namespace classic
