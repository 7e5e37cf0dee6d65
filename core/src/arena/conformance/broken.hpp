#pragma once

#include <string_view>
#include <vector>

#include "table/match.hpp"

namespace agon::conformance {

/// What a game broke, as far as one check has that for its business.
enum class Broken : std::uint8_t {
  nothing,   ///< the match did not end by a fault of the game
  fallback,  ///< the game's own fallback is illegal
  score,     ///< scores, anchors or ranks are not as the card says
  books,     ///< a metric that is bounded by one number has another
  play,      ///< anything else
};

/// The metrics of a match whose bounds are one number: what the game says is conserved.
[[nodiscard]] std::vector<std::string_view> conserved_metrics(const Game& game);

/// What it was, by what the table says of it (table/contract.cpp).
[[nodiscard]] Broken broken_by(const Game& game, const MatchResult& result);

/// True if a match or what comes before it ended because the game was silent, or at work, for too
/// long. Where it plays in this process, nobody can tell.
[[nodiscard]] bool has_no_end(ProcessEnd end);

}  // namespace agon::conformance
