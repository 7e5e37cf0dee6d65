#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace agon::report {

/// What one of the systems behind a model's name answered for an agent in a game.
struct HostUse {
  std::string agent{};
  std::string game{};
  std::string model{};     ///< ModelName::text()
  std::string host{};      ///< see host_of()
  std::int64_t calls = 0;  ///< that it answered
  double share = 0;        ///< of the agent's calls of this model in this game
  std::int64_t seats = 0;  ///< with a score, of which it answered a call
  /// Mean normalised score of these seats, each weighed by the share of its calls that the host
  /// answered; none: no seat has one.
  std::optional<double> score{};
};

/// The host that a router names in a reply, "provider:HOST" in the fingerprint; else the served
/// name and the fingerprint.
[[nodiscard]] AGON_API std::string host_of(const std::string& served_model,
                                           const std::string& fingerprint);

/// Which hosts answered, of finished matches, for each agent's model that a router serves or that
/// several hosts answered for; by agent, game, model and host.
[[nodiscard]] AGON_API std::vector<HostUse> hosts_used(const archive::Archive& archive);

}  // namespace agon::report
