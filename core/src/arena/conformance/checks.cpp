#include "conformance/checks.hpp"

#include <array>

namespace agon::conformance {

std::span<const Check> checks() {
  static constexpr std::array all{
      Check{"card", "the card says of everything what it means", &check_card, false},
      Check{"plays", "every preset and every setting comes to the end of its matches", &check_plays,
            false},
      Check{"scores", "scores, their zero and one, and ranks fit each other", &check_scores},
      Check{"conservation", "what the game says is conserved is conserved", &check_conservation,
            false},
      Check{"fallbacks", "the game's own fallback is legal", &check_fallbacks, false},
      Check{"limits", "limits are exact at their edges", &check_limits, false},
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
      Check{"reached", "every stage, probe and event is met in play", &check_reached, false},
      Check{"texts", "what players read is written for them", &check_texts},
      Check{"history", "what a seat is told grows in bounds", &check_history},
  };
  return all;
}

Finding find(const Check& check, const Subject& subject) {
  Finding finding = check.run(subject);
  if (!check.looks_at_finished || finding.verdict == Verdict::fail || !subject.finished(1).empty())
    return finding;
  finding.verdict = Verdict::skipped;
  finding.problem = "no match of any preset came to its end (see 'plays')";
  return finding;
}

}  // namespace agon::conformance
