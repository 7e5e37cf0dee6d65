// What a game says is conserved is conserved. It says so by a metric of the match whose bounds are
// one number: `(surplus, "money paid less money received", agon::range(0, 0))`. The arena holds
// every match to it; here it is tried and told.
#include <fmt/format.h>

#include "conformance/broken.hpp"
#include "conformance/checks.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

Finding check_conservation(const Subject& subject) {
  Finding finding{.check = "conservation", .tried = ""};
  const std::vector<std::string_view> conserved = conserved_metrics(subject.game());
  std::size_t matches = 0;
  const Played* shortest = nullptr;
  for (const auto& played : subject.sample()) {
    ++matches;
    if (broken_by(subject.game(), played->result) == Broken::books &&
        (shortest == nullptr || played->result.questions < shortest->result.questions))
      shortest = played.get();
  }
  finding.tried = fmt::format("{}, {}", text::counted(conserved.size(), "conserved metric"),
                              text::counted(matches, "match", "matches"));
  if (conserved.empty()) {
    finding.verdict = Verdict::skipped;
    finding.problem = "no metric of the match has bounds that are one number";
    return finding;
  }
  if (shortest == nullptr) return finding;
  finding.verdict = Verdict::fail;
  finding.problem = shortest->result.problem;
  finding.command = subject.command(shortest->casting);
  finding.mend = "find where it is made or lost between what one pays and another receives";
  return finding;
}

}  // namespace agon::conformance
