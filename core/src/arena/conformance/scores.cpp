// Scores, their zero and one, and ranks mean what the card says they do.
#include <fmt/format.h>

#include <cmath>

#include "conformance/checks.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
namespace {

/// How far sums of doubles may end beside what they stand for, relative to their size.
constexpr double kRounding = 1e-9;

double slack(double a, double b) {
  return kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

bool has_pie(const SeatOutcome& seat) {
  return std::isfinite(seat.disagreement) && std::isfinite(seat.ideal);
}

/// What is wrong with one outcome, empty if nothing is.
std::string problem_of(const Outcome& outcome) {
  const int seats = outcome.seats();
  for (int i = 0; i < seats; ++i) {
    bool others_take_part = has_pie(outcome[i]);
    for (int j = 0; j < seats; ++j)
      if (j != i)
        others_take_part =
            others_take_part && has_pie(outcome[j]) && outcome[j].score >= outcome[j].disagreement;
    if (others_take_part &&
        outcome[i].score > outcome[i].ideal + slack(outcome[i].score, outcome[i].ideal))
      return fmt::format(
          "seat {} scored {}, above its ideal of {}, while nobody was below the disagreement point",
          i, outcome[i].score, outcome[i].ideal);
    for (int j = 0; j < seats; ++j)
      if (outcome[i].score > outcome[j].score && outcome[i].rank > outcome[j].rank)
        return fmt::format("seat {} scored {} and is ranked {}, seat {} scored {} and is ranked {}",
                           i, outcome[i].score, outcome[i].rank, j, outcome[j].score,
                           outcome[j].rank);
  }
  return {};
}

/// Where two matches with the same chance differ in what no agent may change; empty if nowhere.
std::string other_anchors(const Outcome& a, const Outcome& b) {
  for (int i = 0; i < std::min(a.seats(), b.seats()); ++i)
    for (const auto& [what, x, y] :
         {std::tuple{"disagreement point", a[i].disagreement, b[i].disagreement},
          std::tuple{"ideal", a[i].ideal, b[i].ideal}})
      if (std::isfinite(x) != std::isfinite(y) ||
          (std::isfinite(x) && std::abs(x - y) > slack(x, y)))
        return fmt::format("the {} of seat {} is {} when one plays and {} when another does", what,
                           i, x, y);
  return {};
}

}  // namespace

Finding check_scores(const Subject& subject) {
  Finding finding{.check = "scores", .tried = ""};
  std::size_t outcomes = 0, pairs = 0;
  const Played* first = nullptr;
  std::map<std::pair<std::size_t, std::uint64_t>, const Played*> same_chance;
  for (const auto& played : subject.sample()) {
    if (played->result.end != End::finished) continue;
    ++outcomes;
    if (std::string problem = problem_of(played->result.outcome); !problem.empty())
      if (first == nullptr || played->result.questions < first->result.questions) {
        first = played.get();
        finding.problem = std::move(problem);
        finding.mend =
            "ranks follow scores; the ideal is the best that the seat can get with everybody else "
            "at the disagreement "
            "point or above: work it out from settings and chance";
      }
  }
  for (const Played* played : subject.finished(4)) {
    // The same chance with other agents.
    const auto again = subject.play({played->casting.situation, played->casting.seed,
                                     seated({"default"}, played->casting.agents.size())});
    if (again->result.end != End::finished) continue;
    ++pairs;
    if (std::string problem = other_anchors(played->result.outcome, again->result.outcome);
        first == nullptr && !problem.empty()) {
      first = played;
      finding.problem = std::move(problem) + "; the other: " + subject.command(again->casting);
      finding.mend =
          "disagreement point and ideal follow from settings and chance, never from who plays";
    }
  }
  finding.tried = fmt::format("{}, {} with the same chance and other agents",
                              text::counted(outcomes, "outcome"), pairs);
  if (first == nullptr) return finding;
  finding.verdict = Verdict::fail;
  finding.command = subject.command(first->casting);
  return finding;
}

}  // namespace agon::conformance
