#pragma once

#include "table/match.hpp"

namespace agon::conformance {

/// What a game broke, as far as one check has that for its business.
enum class Broken : std::uint8_t {
  nothing,   ///< the match did not end by a fault of the game
  fallback,  ///< the game's own fallback is illegal
  score,     ///< scores, anchors or ranks are not as the card says
  metric,    ///< likewise metrics
  play,      ///< anything else
};

/// What it was, by what the table says of it (table/contract.cpp).
[[nodiscard]] Broken broken_by(const MatchResult& result);

}  // namespace agon::conformance
