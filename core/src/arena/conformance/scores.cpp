// Scores, their zero and one, and ranks mean what the card says they do.
#include <fmt/format.h>

#include <cmath>

#include "conformance/broken.hpp"
#include "conformance/checks.hpp"
#include "table/contract.hpp"
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

/// Why ranks are none, empty if they are: as many seats are better as the rank says.
std::string problem_of_ranks(const Outcome& outcome) {
  for (int i = 0; i < outcome.seats(); ++i) {
    int better = 0;
    for (int j = 0; j < outcome.seats(); ++j) better += outcome[j].rank < outcome[i].rank ? 1 : 0;
    if (outcome[i].rank != better + 1)
      return fmt::format("seat {} has rank {}, and {} seats have a better one", i, outcome[i].rank,
                         better);
  }
  return {};
}

/// Where a seat got more than the best that it could get, empty if none did.
std::string above_ideal(const Outcome& outcome) {
  for (int i = 0; i < outcome.seats(); ++i) {
    bool all_take_part = has_pie(outcome[i]);
    for (int j = 0; j < outcome.seats(); ++j)
      all_take_part = all_take_part && has_pie(outcome[j]) &&
                      (j == i || outcome[j].score >= outcome[j].disagreement);
    if (all_take_part &&
        outcome[i].score > outcome[i].ideal + slack(outcome[i].score, outcome[i].ideal))
      return fmt::format(
          "seat {} scored {}, above its ideal of {}, while nobody else was below the "
          "disagreement point",
          i, outcome[i].score, outcome[i].ideal);
  }
  return {};
}

/// Where two matches with the same chance differ in what no agent may change; empty if nowhere.
std::string other_anchors(const GameCard& card, const Outcome& a, const Outcome& b) {
  const auto stake = [&](const Outcome& outcome) {
    const auto& metrics = outcome.match_metrics();
    return stake_of(card, {metrics.begin(), metrics.end()});
  };
  if (const double x = stake(a), y = stake(b); std::abs(x - y) > slack(x, y))
    return fmt::format("the stake is {} when one plays and {} when another does", x, y);
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
  std::uint64_t shortest = ~std::uint64_t{0};
  const auto blame = [&](Verdict verdict, const Played& played, std::string problem,
                         std::string_view mend) {
    if (problem.empty() || (finding.verdict == Verdict::fail && verdict != Verdict::fail)) return;
    if (finding.verdict == verdict && played.result.questions >= shortest) return;
    shortest = played.result.questions;
    finding.verdict = verdict;
    finding.problem = std::move(problem);
    finding.command = subject.command(played.casting);
    finding.mend = mend;
  };
  for (const auto& played : subject.sample()) {
    if (broken_by(subject.game(), played->result) == Broken::score)
      blame(Verdict::fail, *played, played->result.problem, "mend what the outcome says");
    if (played->result.end != End::finished) continue;
    ++outcomes;
    blame(Verdict::fail, *played,
          problem_of_score_range(subject.game().card, played->result.outcome),
          "mend what the outcome says, or the score_range of the card");
    blame(Verdict::fail, *played, problem_of_ranks(played->result.outcome),
          "leave ranks out where they follow scores; seats that tie share the better rank");
    // A card without a range promises nothing.
    blame(Verdict::warning, *played, above_ideal(played->result.outcome),
          fmt::format("the ideal is the best that a seat can get with everybody else at the "
                      "disagreement point or above; where that is so, say `{}`",
                      subject.wording(".score_range = agon::at_most(1)", "score_range=(None, 1)")));
  }
  for (const Played* played : subject.finished(4)) {
    // The same chance with other agents.
    const auto again = subject.play({played->casting.situation, played->casting.seed,
                                     seated({"default"}, played->casting.agents.size())});
    if (again->result.end != End::finished) continue;
    ++pairs;
    std::string problem =
        other_anchors(subject.game().card, played->result.outcome, again->result.outcome);
    if (!problem.empty()) problem += "; the other: " + subject.command(again->casting);
    blame(Verdict::fail, *played, std::move(problem),
          "disagreement point, ideal and stake follow from settings and chance, never from who "
          "plays");
  }
  finding.tried = fmt::format("{}, {} with the same chance and other agents",
                              text::counted(outcomes, "outcome"), pairs);
  return finding;
}

}  // namespace agon::conformance
