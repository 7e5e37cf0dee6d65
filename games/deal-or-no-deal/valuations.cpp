#include "deal-or-no-deal/valuations.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>

#include "deal-or-no-deal/splits.hpp"

namespace deal_or_no_deal {
namespace {

/// Fills `valuation` from type `valuation.size()` on, so that the rest is worth exactly `rest`.
void extend(const Amounts& counts, int rest, Amounts valuation, std::vector<Amounts>& list) {
  const std::size_t type = valuation.size();
  if (type + 1 == counts.size()) {
    if (rest % counts[type] != 0) return;
    valuation.push_back(rest / counts[type]);
    list.push_back(valuation);
    if (list.size() > kMaxValuations) {
      throw agon::Error(agon::ErrorKind::invalid,
                        fmt::format("the items {} can be valued in more than {} ways", text(counts),
                                    kMaxValuations),
                        {}, "use fewer types or a smaller total value");
    }
    return;
  }
  for (int value = 0; value * counts[type] <= rest; ++value) {
    Amounts next = valuation;
    next.push_back(value);
    extend(counts, rest - value * counts[type], next, list);
  }
}

}  // namespace

std::vector<Amounts> valuations(const Amounts& counts, int total_value) {
  const bool countable = std::all_of(counts.begin(), counts.end(),
                                     [](int count) { return count >= 1 && count <= kMaxCount; });
  if (counts.empty() || !countable || total_value < 0 || total_value > kMaxValue) {
    throw agon::Error(
        agon::ErrorKind::invalid,
        fmt::format("the items {} cannot be valued at {} together", text(counts), total_value), {},
        "use counts from 1 and a total value from 0");
  }
  std::vector<Amounts> list;
  extend(counts, total_value, {}, list);
  return list;
}

std::vector<std::size_t> optimal_splits(const Amounts& counts, const Amounts& own,
                                        const Amounts& other) {
  const Instance game{{}, 0, counts, {own, other}};
  std::vector<std::size_t> best;
  std::int64_t best_joint = -1;
  std::size_t position = 0;
  for (const Split& split : all_splits(counts)) {
    if (envy_free(game, split)) {
      const auto both = scores(game, split);
      const auto joint = both[0] + both[1];
      if (joint > best_joint) best.clear();
      if (joint >= best_joint) best.push_back(position);
      best_joint = std::max(best_joint, joint);
    }
    ++position;
  }
  return best;
}

std::vector<Amounts> indistinguishable(const Amounts& counts, const Amounts& own,
                                       const Amounts& truth, std::span<const Amounts> candidates) {
  const auto wanted = optimal_splits(counts, own, truth);
  std::vector<Amounts> alike;
  for (const Amounts& candidate : candidates) {
    const auto found = optimal_splits(counts, own, candidate);
    if (!found.empty() && std::includes(wanted.begin(), wanted.end(), found.begin(), found.end())) {
      alike.push_back(candidate);
    }
  }
  return alike;
}

EstimateQuality judge_estimate(std::span<const Amounts> estimate,
                               std::span<const Amounts> acceptable, std::size_t prior_size) {
  std::size_t hits = 0;
  for (const Amounts& candidate : estimate) {
    if (std::find(acceptable.begin(), acceptable.end(), candidate) != acceptable.end()) ++hits;
  }
  const auto size = static_cast<double>(estimate.size());
  EstimateQuality quality;
  quality.precision = hits > 0 ? 1 : 0;
  quality.recall = estimate.empty() ? 0 : static_cast<double>(hits) / size;
  quality.reduction = 1 - size / static_cast<double>(prior_size);
  return quality;
}

}  // namespace deal_or_no_deal
