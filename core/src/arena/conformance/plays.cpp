// Every preset plays, and so does it with settings at their edges, whoever plays.
#include <fmt/format.h>

#include "conformance/broken.hpp"
#include "conformance/checks.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

Finding check_plays(const Subject& subject) {
  std::uint64_t questions = 0, faults = 0, cut = 0;
  const Played* shortest = nullptr;
  for (const auto& played : subject.sample()) {
    questions += played->result.questions;
    cut += played->result.end == End::stopped ? 1 : 0;
    if (broken_by(subject.game(), played->result) != Broken::play) continue;
    ++faults;
    if (shortest == nullptr || played->result.questions < shortest->result.questions)
      shortest = played.get();
  }
  Finding finding{
      .check = "plays",
      .tried = fmt::format(
          "{} of {}, {}{}, {}", text::counted(subject.sample().size(), "match", "matches"),
          text::counted(subject.presets(), "preset"),
          text::counted(subject.situations().size() - subject.presets(), "changed setting"),
          cut == 0 ? "" : fmt::format(" ({} cut short)", cut),
          text::counted(questions, "question"))};
  if (shortest == nullptr) return finding;
  finding.verdict = Verdict::fail;
  finding.problem =
      fmt::format("the game broke in {}: {}", text::counted(faults, "match", "matches"),
                  shortest->result.problem);
  finding.command = subject.command(shortest->casting);
  finding.mend = "a match must come to its end whatever its seats answer within their limits";
  return finding;
}

}  // namespace agon::conformance
