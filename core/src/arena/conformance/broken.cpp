#include "conformance/broken.hpp"

namespace agon::conformance {

Broken broken_by(const MatchResult& result) {
  if (result.end != End::game_fault) return Broken::nothing;
  const auto begins = [&](std::string_view with) { return result.problem.starts_with(with); };
  if (result.problem.find("the game's own fallback is illegal") != std::string::npos)
    return Broken::fallback;
  for (const std::string_view what : {"the score of seat ", "the disagreement point of seat ",
                                      "the ideal of seat ", "the rank of seat "})
    if (begins(what)) return Broken::score;
  return begins("the metric '") ? Broken::metric : Broken::play;
}

}  // namespace agon::conformance
