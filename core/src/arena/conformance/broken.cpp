#include "conformance/broken.hpp"

namespace agon::conformance {

std::vector<std::string_view> conserved_metrics(const Game& game) {
  std::vector<std::string_view> names;
  if (const Type* metrics = game.card.match_metrics; metrics != nullptr)
    for (const Field& field : metrics->fields)
      if (field.min == field.max) names.push_back(field.name);
  return names;
}

Broken broken_by(const Game& game, const MatchResult& result) {
  if (result.end != End::game_fault) return Broken::nothing;
  const auto begins = [&](std::string_view with) { return result.problem.starts_with(with); };
  if (result.problem.find("the game's own fallback is illegal") != std::string::npos)
    return Broken::fallback;
  for (const std::string_view what : {"the score of seat ", "the disagreement point of seat ",
                                      "the ideal of seat ", "the rank of seat "})
    if (begins(what)) return Broken::score;
  for (const std::string_view name : conserved_metrics(game))
    if (begins("the metric '" + std::string(name) + "' of the match")) return Broken::books;
  return Broken::play;
}

bool has_no_end(ProcessEnd end) {
  return end == ProcessEnd::silent || end == ProcessEnd::busy;
}

}  // namespace agon::conformance
