// A match follows from settings, chance and answers alone: played from its record it comes out the
// same. A game with dice or a clock of its own does not.
#include <fmt/format.h>

#include "conformance/checks.hpp"
#include "conformance/difference.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

Finding check_replay(const Subject& subject) {
  Finding finding{.check = "replay", .tried = ""};
  std::size_t matches = 0;
  for (const Played* played : subject.finished(12)) {
    MatchSetup setup = subject.setup(played->casting);
    for (SeatSetup& seat : setup.seats) seat.agent = nullptr;
    setup.past = played->result.record;
    setup.strict_replay = true;
    const MatchResult again = play_match(setup);
    ++matches;
    subject.heed(again, subject.command(played->casting));
    if (again.record == played->result.record && again.end == End::finished) continue;
    if (finding.verdict == Verdict::fail) continue;
    finding.verdict = Verdict::fail;
    finding.problem =
        "played from its record, a match comes out otherwise: " +
        (again.problem.empty() ? first_difference(played->result, again) : again.problem);
    finding.command = subject.check_command("replay");
    finding.mend =
        "let all chance come from table.chance(): no dice, clock or address of its own, and "
        "nothing "
        "that is left of the match before";
  }
  finding.tried = text::counted(matches, "match", "matches");
  return finding;
}

}  // namespace agon::conformance
