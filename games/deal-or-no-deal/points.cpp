#include "deal-or-no-deal/points.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace deal_or_no_deal {
namespace {

constexpr std::array<std::string_view, 4> kEndingNames{"agreed", "disagreed", "no-agreement",
                                                       "disconnected"};

std::size_t favourite(const Amounts& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

}  // namespace

std::optional<Ending> ending_of(std::string_view name) {
  const auto* const found = std::find(kEndingNames.begin(), kEndingNames.end(), name);
  if (found == kEndingNames.end()) return std::nullopt;
  return static_cast<Ending>(found - kEndingNames.begin());
}

int value_distance(const Instance& instance) {
  int distance = 0;
  for (std::size_t i = 0; i < instance.counts.size(); ++i) {
    const int difference = instance.values[0][i] - instance.values[1][i];
    distance += difference < 0 ? -difference : difference;
  }
  return distance;
}

bool covered(const Instance& instance) {
  const std::size_t first = favourite(instance.values[0]);
  if (first != favourite(instance.values[1])) return false;
  return std::all_of(instance.values.begin(), instance.values.end(), [&](const Amounts& values) {
    const auto others =
        worth(instance.counts, values) - std::int64_t{instance.counts[first]} * values[first];
    return values[first] <= others;
  });
}

bool halvable(const Instance& instance) {
  return std::all_of(instance.counts.begin(), instance.counts.end(),
                     [](int count) { return count % 2 == 0; });
}

Selection select_points(std::span<const Row> rows) {
  Selection selection;
  std::set<std::tuple<Amounts, Amounts, Amounts>> games;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].instance.line % 2 == 0) continue;
    const Instance& instance = rows[i].instance;
    ++selection.looked_at;
    const std::tuple game(instance.counts, instance.values[0], instance.values[1]);
    if (games.contains(game)) {
      ++selection.repeated;
    } else if (halvable(instance)) {
      ++selection.halvable;
    } else if (covered(instance)) {
      ++selection.covered;
    } else {
      games.insert(game);
      selection.kept.push_back(i);
    }
  }
  return selection;
}

std::vector<std::size_t> hard_points(std::span<const Row> rows, const Selection& selection,
                                     int distance, std::size_t how_many) {
  std::vector<std::size_t> points;
  for (const std::size_t position : selection.kept) {
    if (points.size() == how_many) break;
    if (value_distance(rows[position].instance) <= distance) points.push_back(position);
  }
  return points;
}

HumanSummary summarise_humans(std::span<const Row> rows, std::span<const std::size_t> positions) {
  HumanSummary summary;
  for (const std::size_t position : positions) {
    const Row& row = rows[position];
    if (!row.human) continue;
    ++summary.points;
    summary.messages += static_cast<std::size_t>(row.human->messages);
    if (!row.human->split) continue;
    const Split& split = *row.human->split;
    const bool fair_to_both = envy_free(row.instance, split);
    const bool optimal = pareto_optimal(row.instance, split);
    const auto both = scores(row.instance, split);
    ++summary.agreed;
    if (fair_to_both) ++summary.envy_free;
    if (optimal) ++summary.pareto_optimal;
    if (fair_to_both && optimal) ++summary.fair;
    for (std::size_t side = 0; side < 2; ++side) summary.scores[side] += both[side];
  }
  return summary;
}

}  // namespace deal_or_no_deal
