#include "conformance/checks.hpp"

#include <algorithm>
#include <array>

namespace agon::conformance {

std::vector<std::string_view> conserved_metrics(const Game& game) {
  std::vector<std::string_view> names;
  if (const Type* metrics = game.card.match_metrics; metrics != nullptr)
    for (const Field& field : metrics->fields)
      if (field.min == field.max) names.push_back(field.name);
  return names;
}

Breach broken_by(const Game& game, const MatchResult& result) {
  if (result.end != End::game_fault) return Breach::nothing;
  const auto begins = [&](std::string_view with) { return result.problem.starts_with(with); };
  if (result.problem.find("the game's own fallback is illegal") != std::string::npos)
    return Breach::fallback;
  for (const std::string_view what : {"the score of seat ", "the disagreement point of seat ",
                                      "the ideal of seat ", "the rank of seat "})
    if (begins(what)) return Breach::score;
  for (const std::string_view name : conserved_metrics(game))
    if (begins("the metric '" + std::string(name) + "' of the match")) return Breach::books;
  return Breach::play;
}

bool has_no_end(ProcessEnd end) {
  return end == ProcessEnd::silent || end == ProcessEnd::busy;
}

std::span<const Check> checks() {
  static constexpr std::array all{
      Check{"plays", "every preset and every setting comes to the end of its matches", &check_plays,
            Needs::nothing},
      Check{"card", "the card says of everything what it means", &check_card, Needs::nothing},
      Check{"scores", "scores, their zero and one, and ranks fit each other", &check_scores},
      Check{"conservation", "what the game says is conserved is conserved", &check_conservation,
            Needs::matches},
      Check{"fallbacks", "the game's own fallback is legal", &check_fallbacks, Needs::matches},
      Check{"limits", "limits are exact at their edges", &check_limits, Needs::matches},
      Check{"reading", "what cannot be read never becomes a move", &check_reading},
      Check{"order", "nothing is left of one match in the next", &check_order},
      Check{"replay", "played from its record, a match is the same", &check_replay},
      Check{"resume", "cut after any question and taken up again, a match is the same",
            &check_resume},
      Check{"jobs", "matches that are played at the same time do not touch", &check_jobs},
      Check{"process", "another process and a worker play the same match", &check_process},
      Check{"probes", "answers to probes have no effect on play", &check_probes},
      Check{"privacy", "what one seat alone is told stays its own", &check_privacy},
      Check{"luck", "who plays leaves the luck of a match as it was", &check_luck},
      Check{"symmetry", "no seat is favoured where all are alike", &check_symmetry},
      Check{"reached", "every stage, probe and event is met in play", &check_reached,
            Needs::matches},
      Check{"texts", "what players read is written for them", &check_texts},
      Check{"history", "what a seat is told grows in bounds", &check_history},
      Check{"skins", "what is told in other words maps back", &check_skins},
  };
  return all;
}

namespace {

bool breaks_always(const GameUnderTest& subject) {
  return std::all_of(subject.sample().begin(), subject.sample().end(), [&](const auto& played) {
    return broken_by(subject.game(), played->result) == Breach::play;
  });
}

}  // namespace

CheckResult find(const Check& check, const GameUnderTest& subject) {
  CheckResult finding{.check = std::string(check.name), .tried = "0 matches"};
  try {
    if (check.needs != Needs::nothing && subject.is_endless()) {
      finding.skip("the game does not come to an end");
    } else if (check.needs != Needs::nothing && breaks_always(subject)) {
      finding.skip("the game breaks in every match (see 'plays')");
    } else {
      finding = check.run(subject);
      finding.check = check.name;
      if (check.needs == Needs::finished && finding.verdict != Verdict::fail &&
          subject.finished(1).empty())
        finding.skip("no match of any preset came to its end (see 'plays')");
    }
  } catch (const Endless& endless) {
    finding.tried = "stopped at the second match without an end";
    finding.fail("the game does not come to an end: " + endless.problem, endless.command,
                 "every loop of play() needs an end that it reaches whatever seats answer");
  }
  return finding;
}

}  // namespace agon::conformance
