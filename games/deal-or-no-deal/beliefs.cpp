#include "deal-or-no-deal/beliefs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "deal-or-no-deal/rules.hpp"
#include "deal-or-no-deal/valuations.hpp"

namespace deal_or_no_deal {

std::string problem_of(const BeliefReport& report, const Amounts& counts, int total_value) {
  std::map<Amounts, std::size_t> seen;
  bool any_possible = false;
  for (std::size_t i = 0; i < report.candidates.size(); ++i) {
    const Candidate& candidate = report.candidates[i];
    if (candidate.values.size() != counts.size()) {
      return fmt::format("candidate {} has {} values for {} item types", i + 1,
                         candidate.values.size(), counts.size());
    }
    const auto everything = worth(candidate.values, counts);
    if (everything != total_value) {
      return fmt::format("by candidate {} everything is worth {} instead of {}", i + 1, everything,
                         total_value);
    }
    const auto [place, is_new] = seen.try_emplace(amounts(candidate.values), i + 1);
    if (!is_new) return fmt::format("candidate {} repeats candidate {}", i + 1, place->second);
    any_possible = any_possible || candidate.probability > 0;
  }
  return any_possible ? "" : "no candidate has a probability above 0";
}

BeliefJudged judge_belief(const BeliefReport& report, const Amounts& counts, const Amounts& own,
                          const Amounts& truth, int total_value) {
  std::vector<Amounts> estimate;
  for (const Candidate& candidate : report.candidates) {
    if (candidate.probability > 0) estimate.push_back(amounts(candidate.values));
  }
  const auto prior = valuations(counts, total_value);
  const auto alike = indistinguishable(counts, own, truth, prior);
  const EstimateQuality plain = judge_estimate(estimate, {&truth, 1}, prior.size());
  const EstimateQuality lenient = judge_estimate(estimate, alike, prior.size());
  BeliefJudged judged;
  judged.size = static_cast<int>(estimate.size());
  judged.prior = static_cast<int>(prior.size());
  judged.hits_alike = static_cast<int>(
      std::count_if(estimate.begin(), estimate.end(), [&](const Amounts& candidate) {
        return std::find(alike.begin(), alike.end(), candidate) != alike.end();
      }));
  judged.precision = plain.precision;
  judged.recall = plain.recall;
  judged.reduction = plain.reduction;
  judged.precision_alike = lenient.precision;
  judged.recall_alike = lenient.recall;
  return judged;
}

std::optional<double> BeliefBook::held(int seat, const ItemCounts& values) const {
  if (reports(seat) == 0) return std::nullopt;
  double all = 0, these = 0;
  for (const Candidate& c : last_reports_[static_cast<std::size_t>(seat)].candidates) {
    all += c.probability;
    if (amounts(c.values) == amounts(values)) these += c.probability;
  }
  return these / all;
}

void BeliefBook::enter(Table table, int round, int seat, const BeliefReport& report) {
  const auto own = static_cast<std::size_t>(swapped_ ? 1 - seat : seat);
  BeliefJudged judged =
      judge_belief(report, game_.counts, game_.values[own], game_.values[1 - own], total_value_);
  judged.round = round;
  judged.seat = seat;
  table.note(kBeliefJudged, judged);
  ++reports_[static_cast<std::size_t>(seat)];
  last_[static_cast<std::size_t>(seat)] = judged;
  last_reports_[static_cast<std::size_t>(seat)] = report;
}

}  // namespace deal_or_no_deal
