// Nothing is left of one match in the next: the order in which matches are played makes no
// difference.
#include <fmt/format.h>

#include "conformance/checks.hpp"
#include "conformance/difference.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

Finding check_order(const Subject& subject) {
  Finding finding{.check = "order", .tried = ""};
  const std::vector<const Played*> matches = subject.finished(8);
  std::size_t again = 0;
  // In reverse, and then each right after itself.
  for (const int times : {1, 2})
    for (auto played = matches.rbegin(); played != matches.rend(); ++played)
      for (int i = 0; i < times; ++i) {
        const auto other = subject.play((*played)->casting);
        ++again;
        if (other->result.record == (*played)->result.record || finding.verdict == Verdict::fail)
          continue;
        finding.verdict = Verdict::fail;
        finding.problem =
            "played again, after others, a match comes out otherwise: " +
            (other->result.problem.empty() ? first_difference((*played)->result, other->result)
                                           : other->result.problem);
        finding.command = subject.check_command("order");
        finding.mend = subject.wording(
            "keep nothing between matches: no static or global that play() writes "
            "to; what all matches share is made of the settings by prepare()",
            "keep nothing between matches: no global, class variable or cache "
            "that play() writes to");
      }
  finding.tried = text::counted(matches.size(), "match", "matches") +
                  fmt::format(", played {} more times in other orders", again);
  return finding;
}

}  // namespace agon::conformance
