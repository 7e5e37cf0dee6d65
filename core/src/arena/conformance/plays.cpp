// Every preset plays, and so does it with settings at their edges, whoever plays: agents that
// answer at once, and those that wait, to which the game tells all in words.
#include <fmt/format.h>

#include <agon/error.hpp>

#include "conformance/broken.hpp"
#include "conformance/checks.hpp"
#include "conformance/watch.hpp"
#include "text/counted.hpp"
#include "text/shell.hpp"

namespace agon::conformance {
namespace {

/// What broke, in matches that are of the same kind.
struct Faults {
  std::uint64_t matches = 0;
  std::uint64_t shortest = ~std::uint64_t{0};  ///< questions of the shortest
  std::string problem;                         ///< of that
  Casting casting;                             ///< likewise

  void add(std::uint64_t questions, const std::string& what, const Casting& whose) {
    ++matches;
    if (questions >= shortest) return;
    shortest = questions;
    problem = what;
    casting = whose;
  }
};

/// What the game throws as it says who a seat is; empty if nothing.
std::string problem_of_personas(const Subject& subject, std::size_t situation) {
  const GameCard& card = subject.game().card;
  if (card.persona_for == nullptr) return {};
  try {
    for (std::size_t i = 0; i < subject.seats(situation); ++i)
      (void)card.persona_for(subject.situations()[situation].settings->get(), static_cast<int>(i),
                             Language::english());
  } catch (const Error& error) {
    return error.problem();
  } catch (const std::exception& error) {
    return std::string("the game threw: ") + error.what();
  }
  return {};
}

/// Matches that came to their end, played again with seats that wait and answer the same.
struct Waited {
  std::size_t matches = 0;
  Faults faults;
};

Waited play_waiting(const Subject& subject) {
  /// Of each preset.
  constexpr std::size_t kMatches = 7;
  /// From which on no more changed settings are tried.
  constexpr std::uint64_t kManyQuestions = 20'000;
  Waited waited;
  std::vector<std::size_t> played_of(subject.situations().size());
  std::uint64_t questions = 0;
  for (const auto& played : subject.sample()) {
    const std::size_t s = played->casting.situation;
    if (played->result.end != End::finished) continue;
    if (s >= subject.presets() && questions > kManyQuestions) continue;
    if (++played_of[s] > (s < subject.presets() ? kMatches : 1)) continue;
    Watching how{.script = script_of(subject.game(), played->history)};
    how.every_telling = true;
    const auto watched = watch(subject, played->casting, how);
    ++waited.matches;
    questions += watched->result.questions;
    const std::string problem =
        watched->broken.empty() ? problem_of_personas(subject, s) : watched->broken;
    if (!problem.empty()) waited.faults.add(watched->result.questions, problem, played->casting);
  }
  return waited;
}

}  // namespace

Finding check_plays(const Subject& subject) {
  std::uint64_t questions = 0, cut = 0;
  Faults faults;
  for (const auto& played : subject.sample()) {
    questions += played->result.questions;
    cut += played->result.end == End::stopped ? 1 : 0;
    if (broken_by(subject.game(), played->result) == Broken::play)
      faults.add(played->result.questions, played->result.problem, played->casting);
  }
  const Waited waited = play_waiting(subject);
  Finding finding{
      .check = "plays",
      .tried = fmt::format(
          "{} of {}, {}{}, {}; {} with seats that wait",
          text::counted(subject.sample().size(), "match", "matches"),
          text::counted(subject.presets(), "preset"),
          text::counted(subject.situations().size() - subject.presets(), "changed setting"),
          cut == 0 ? "" : fmt::format(" ({} cut short)", cut), text::counted(questions, "question"),
          waited.matches)};
  if (faults.matches != 0) {
    finding.verdict = Verdict::fail;
    finding.problem =
        fmt::format("the game broke in {}: {}", text::counted(faults.matches, "match", "matches"),
                    faults.problem);
    finding.command = subject.command(faults.casting);
    finding.mend = "a match must come to its end whatever its seats answer within their limits";
  } else if (waited.faults.matches != 0) {
    finding.verdict = Verdict::fail;
    finding.problem = fmt::format("{}, the game broke in {}: {}", kWhenSeatsWait,
                                  text::counted(waited.faults.matches, "match", "matches"),
                                  waited.faults.problem);
    finding.command = subject.check_command("plays");
    finding.mend =
        "what tells events and views, says who a seat is or whether an answer ends the match has "
        "to do so for every event, view, seat and answer there can be";
  } else if (!subject.broken_settings().empty()) {
    const BrokenSettings& broken = subject.broken_settings().front();
    finding.verdict = Verdict::fail;
    finding.problem = fmt::format(
        "the game broke before any match with {}: {}",
        text::counted(subject.broken_settings().size(), "changed setting"), broken.problem);
    finding.command = text::shell_line(subject.command_words(broken.preset, broken.set));
    finding.mend =
        "settings that make no sense are turned down by a check, or a range of their member";
  }
  return finding;
}

}  // namespace agon::conformance
