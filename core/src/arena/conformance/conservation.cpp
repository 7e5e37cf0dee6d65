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
  std::vector<std::string> conserved;
  if (const Type* metrics = subject.game().card.match_metrics; metrics != nullptr)
    for (const Field& field : metrics->fields)
      if (field.min == field.max) conserved.emplace_back(field.name);
  std::size_t matches = 0;
  const Played* shortest = nullptr;
  std::string metric;
  for (const auto& played : subject.sample()) {
    ++matches;
    if (broken_by(played->result) != Broken::metric) continue;
    for (const std::string& name : conserved)
      if (played->result.problem.find("the metric '" + name + "' of the match") !=
              std::string::npos &&
          (shortest == nullptr || played->result.questions < shortest->result.questions))
        shortest = played.get(), metric = name;
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
  finding.mend = "find where '" + metric + "' is made or lost between what is paid and received";
  return finding;
}

}  // namespace agon::conformance
