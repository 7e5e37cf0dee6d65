// Cut after any question and taken up again, a match comes out the same.
#include <fmt/format.h>

#include "conformance/checks.hpp"
#include "conformance/difference.hpp"
#include "conformance/watch.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

Finding check_resume(const Subject& subject) {
  /// Long matches are cut at some of their questions only.
  constexpr std::size_t kCuts = 15;
  Finding finding{.check = "resume", .tried = ""};
  std::size_t matches = 0, cuts = 0;
  for (const Played* played : subject.finished(3)) {
    Watching how{.script = script_of(subject.game(), played->history)};
    const auto whole = watch(subject, played->casting, how);
    ++matches;
    const std::size_t step = 1 + whole->cuts.size() / kCuts;
    for (std::size_t i = 0; i < whole->cuts.size(); i += step) {
      how.past = std::string_view(whole->result.record).substr(0, whole->cuts[i]);
      const auto resumed = watch(subject, played->casting, how);
      if (resumed->result.end == End::stopped) continue;
      ++cuts;
      if (resumed->result.record == whole->result.record || finding.verdict == Verdict::fail)
        continue;
      finding.verdict = Verdict::fail;
      finding.problem = fmt::format(
          "cut after {} and taken up again, a match comes out otherwise: {}",
          text::counted(i + 1, "answer"),
          resumed->result.problem.empty() ? first_difference(whole->result, resumed->result)
                                          : resumed->result.problem);
      finding.command = subject.check_command("resume");
      finding.mend =
          "let a match follow from settings, chance and answers alone: nothing outside play() "
          "remembers where it was";
    }
  }
  finding.tried = fmt::format("{}, cut {}", text::counted(matches, "match", "matches"),
                              text::counted(cuts, "time"));
  return finding;
}

}  // namespace agon::conformance
