// Where no legal answer comes, the game's own fallback is legal.
#include <fmt/format.h>

#include "conformance/broken.hpp"
#include "conformance/checks.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

Finding check_fallbacks(const Subject& subject) {
  /// From which on no more settings are tried.
  constexpr std::uint64_t kManyQuestions = 50'000;
  Finding finding{.check = "fallbacks", .tried = ""};
  std::uint64_t forced = 0, matches = 0;
  const Played* shortest = nullptr;
  std::vector<std::unique_ptr<Played>> all;
  const auto look = [&](const Played& played) {
    ++matches;
    for (const record::Entry& entry : played.history.entries)
      forced += entry.what == record::Entry::What::question && !entry.probe ? 1 : 0;
    if (broken_by(subject.game(), played.result) == Broken::fallback &&
        (shortest == nullptr || played.result.questions < shortest->result.questions))
      shortest = &played;
  };
  // One seat says nothing, all others play at random: so fallbacks are asked of many positions.
  for (std::size_t s = 0; s < subject.situations().size(); ++s)
    for (std::size_t seat = 0; seat < subject.seats(s); ++seat) {
      if (s >= subject.presets() && (seat > 0 || forced > kManyQuestions)) continue;
      std::vector<std::string> agents = seated({"random", "edge"}, subject.seats(s));
      agents[seat] = "default";
      all.push_back(subject.play({s, subject.effort().seed + seat, std::move(agents)}));
      look(*all.back());
    }
  for (const auto& played : subject.sample()) look(*played);
  finding.tried = fmt::format("{}, {}", text::counted(matches, "match", "matches"),
                              text::counted(forced, "question"));
  if (shortest == nullptr) return finding;
  finding.verdict = Verdict::fail;
  finding.problem = shortest->result.problem;
  finding.command = subject.command(shortest->casting);
  finding.mend = fmt::format("give the question {} that its own limits and check let pass",
                             subject.wording("an agon::fallback", "a fallback=..."));
  return finding;
}

}  // namespace agon::conformance
