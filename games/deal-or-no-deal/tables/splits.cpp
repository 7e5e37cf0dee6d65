// What both sides got of what they could get, beside the frontier: the game's own table.

#include "deal-or-no-deal/splits.hpp"

#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "deal-or-no-deal/tables/tables.hpp"
#include "shared/tables.hpp"

namespace deal_or_no_deal {
namespace {

/// Shares are shown in tenths.
constexpr int kParts = 10;
/// More pairs cannot be told apart.
constexpr std::size_t kMostPairs = 6;

/// By the tenths that one side has of all it could have: the most that the other side can have.
using Frontier = std::array<double, kParts + 1>;

Amounts amounts_of(const agon::JsonNode& list) {
  Amounts amounts;
  for (std::size_t i = 0; i < list.size(); ++i)
    amounts.push_back(static_cast<int>(list[i].whole(0, kMaxValue)));
  return amounts;
}

/// The most that seat 1 can have of its maximum where seat 0 has at least so many tenths of its
/// own, and the other way round.
std::array<Frontier, 2> frontiers(const Amounts& counts, const std::array<Amounts, 2>& values) {
  std::array<Frontier, 2> most{};
  const std::array<double, 2> whole{static_cast<double>(worth(counts, values[0])),
                                    static_cast<double>(worth(counts, values[1]))};
  if (!(whole[0] > 0) || !(whole[1] > 0)) return most;
  for (const Split& split : all_splits(counts)) {
    const std::array<double, 2> share{
        static_cast<double>(worth(split.parts[0], values[0])) / whole[0],
        static_cast<double>(worth(split.parts[1], values[1])) / whole[1]};
    for (std::size_t side = 0; side < 2; ++side)
      for (int tenths = 0; tenths <= static_cast<int>(share[side] * kParts + 1e-9); ++tenths) {
        double& best = most[side][static_cast<std::size_t>(tenths)];
        best = std::max(best, share[1 - side]);
      }
  }
  return most;
}

/// Matches of one pair of agents, by the tenths that the first and the second have.
struct Pair {
  std::map<std::pair<int, int>, int> points;
  int matches = 0;
};

/// What is on the table, as the match's record has it; empty: it has none.
std::string instance_of(const agon::PlayedMatch& match) {
  for (const agon::PlayedEntry& entry : match.entries())
    if (entry.what == agon::PlayedEntry::What::event && entry.name == "instance") return entry.json;
  return {};
}

}  // namespace

agon::PaperTable splits_and_frontier(const agon::PlayedMatches& matches) {
  std::map<std::string, Pair> pairs;
  std::map<std::string, std::array<Frontier, 2>> known;
  Frontier sum{};
  double instances = 0;
  matches.each([&](const agon::PlayedMatch& match) {
    if (match.seats().size() != 2) return;
    std::array<double, 2> share{};
    for (std::size_t s = 0; s < 2; ++s)
      share[s] =
          match.metric(match.seats()[s], "value") / match.metric(match.seats()[s], "maximum");
    const std::string instance = instance_of(match);
    if (instance.empty() || !std::isfinite(share[0]) || !std::isfinite(share[1])) return;
    auto found = known.find(instance);
    if (found == known.end()) {
      const agon::JsonDocument document(instance, "record");
      const agon::JsonNode dealt = document.root();
      found = known
                  .emplace(instance, frontiers(amounts_of(dealt["counts"]),
                                               {amounts_of(dealt["values"][std::size_t{0}]),
                                                amounts_of(dealt["values"][std::size_t{1}])}))
                  .first;
    }
    for (const Frontier& frontier : found->second) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += frontier[i];
      ++instances;
    }
    // Whoever comes first by name is on the x axis.
    const std::size_t first = match.seats()[1].agent < match.seats()[0].agent ? 1 : 0;
    Pair& pair = pairs[fmt::format("{} with {}", match.seats()[first].agent,
                                   match.seats()[1 - first].agent)];
    const auto tenths = [&](std::size_t s) {
      return static_cast<int>(std::lround(share[s] * kParts));
    };
    ++pair.points[{tenths(first), tenths(1 - first)}];
    ++pair.matches;
  });
  if (pairs.empty()) throw agon::LacksData{"recorded matches"};
  agon::PaperTable table;
  table.corner = "who, and with what shares";
  table.columns = {"share of the first", "share of the second", "matches"};
  table.points = true;
  const auto heading = [&](const std::string& label) {
    table.rows.push_back({label, std::vector<agon::TableCell>(table.columns.size())});
  };
  const auto point = [&](double x, double y, double count, bool theory) {
    agon::TableRow& row = table.rows.emplace_back();
    row.label = fmt::format("  {:.1f} and {:.{}f}", x, y, theory ? 2 : 1);
    row.theory = theory;
    row.cells = {shared::number(x, 1), shared::number(y, theory ? 2 : 1),
                 theory ? agon::TableCell{} : shared::number(count, 0)};
  };
  std::vector<const std::pair<const std::string, Pair>*> order;
  for (const auto& entry : pairs) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->second.matches > b->second.matches;
  });
  if (order.size() > kMostPairs) order.resize(kMostPairs);
  for (const auto* entry : order) {
    heading(entry->first);
    for (const auto& [place, count] : entry->second.points)
      point(place.first / 10.0, place.second / 10.0, count, false);
  }
  heading("Pareto frontier, mean of the instances played");
  for (std::size_t i = 0; i < sum.size(); ++i)
    point(static_cast<double>(i) / kParts, sum[i] / instances, 0, true);
  table.notes = {
      "What each side got, as a share of what all items together are worth to it, to the nearest "
      "tenth; first is who comes first in the alphabet. Without a deal both have 0.",
      "Frontier: how much the other side can have at most where one has at least so much, the mean "
      "over the instances of these matches, both ways round. A point above it comes of an instance "
      "in which the sides want other things more than is usual."};
  if (pairs.size() > order.size())
    table.notes.push_back(
        fmt::format("Of {} pairs the {} with the most matches.", pairs.size(), order.size()));
  return table;
}

}  // namespace deal_or_no_deal
