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

/// What either side can have at most, by how much the other has: points it is worth to both.
using Frontier = std::array<std::map<std::int64_t, std::int64_t>, 2>;

Amounts amounts_of(const agon::JsonNode& list) {
  Amounts amounts;
  for (std::size_t i = 0; i < list.size(); ++i)
    amounts.push_back(static_cast<int>(list[i].whole(0, kMaxValue)));
  return amounts;
}

Frontier frontier_of(const Amounts& counts, const std::array<Amounts, 2>& values) {
  Frontier most;
  for (const Split& split : all_splits(counts))
    for (std::size_t side = 0; side < 2; ++side) {
      const std::int64_t own = worth(split.parts[side], values[side]);
      std::int64_t& best =
          most[side].try_emplace(worth(split.parts[1 - side], values[1 - side]), 0).first->second;
      best = std::max(best, own);
    }
  return most;
}

/// The most that `side` can have where the other has at least `others`.
std::int64_t most_of(const Frontier& frontier, std::size_t side, std::int64_t others) {
  std::int64_t most = 0;
  for (auto at = frontier[side].lower_bound(others); at != frontier[side].end(); ++at)
    most = std::max(most, at->second);
  return most;
}

/// Matches of one pair of agents, by the tenths that the first has of all and the second of what
/// the frontier leaves it.
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
  std::map<std::string, Frontier> known;
  matches.each([&](const agon::PlayedMatch& match) {
    if (match.seats().size() != 2) return;
    // Whoever comes first by name is on the x axis.
    const std::size_t first = match.seats()[1].agent < match.seats()[0].agent ? 1 : 0;
    const agon::PlayedSeat& one = match.seats()[first];
    const agon::PlayedSeat& other = match.seats()[1 - first];
    const double own = match.metric(one, "value"), whole = match.metric(one, "maximum");
    const std::string instance = instance_of(match);
    if (instance.empty() || !(own >= 0) || !(whole > 0)) return;
    auto found = known.find(instance);
    if (found == known.end()) {
      const agon::JsonDocument document(instance, "record");
      const agon::JsonNode dealt = document.root();
      found = known
                  .emplace(instance, frontier_of(amounts_of(dealt["counts"]),
                                                 {amounts_of(dealt["values"][std::size_t{0}]),
                                                  amounts_of(dealt["values"][std::size_t{1}])}))
                  .first;
    }
    const std::int64_t left = most_of(found->second, 1 - first, std::llround(own));
    Pair& pair = pairs[fmt::format("{} with {}", one.agent, other.agent)];
    const auto tenths = [](double share) { return static_cast<int>(std::lround(share * kParts)); };
    // Where nothing is left at best, nothing is wasted.
    const double part = left > 0 ? match.metric(other, "value") / static_cast<double>(left) : 1;
    ++pair.points[{tenths(own / whole), tenths(part)}];
    ++pair.matches;
  });
  if (pairs.empty()) throw agon::LacksData{"recorded matches"};
  agon::PaperTable table;
  table.corner = "who, and with what shares";
  table.columns = {"first: share of all", "second: share of what is left at best", "matches"};
  table.points = true;
  const auto heading = [&](const std::string& label) {
    table.rows.push_back({label, std::vector<agon::TableCell>(table.columns.size())});
  };
  const auto point = [&](double x, double y, double count, bool theory) {
    agon::TableRow& row = table.rows.emplace_back();
    row.label = fmt::format("  {:.1f} and {:.1f}", x, y);
    row.theory = theory;
    row.cells = {shared::number(x, 1), shared::number(y, 1),
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
  heading("Pareto frontier");
  for (const double x : {0.0, 1.0}) point(x, 1, 0, true);
  table.notes = {
      "First: what it got of what all items together are worth to it. Second: what it got of the "
      "most that it could have had without the first having less. Both to the nearest tenth; first "
      "is who comes first in the alphabet, or on the first seat. What lies below the frontier is "
      "wasted; without a deal both have 0. n: matches."};
  if (pairs.size() > order.size())
    table.notes.push_back(
        fmt::format("Of {} pairs the {} with the most matches.", pairs.size(), order.size()));
  return table;
}

}  // namespace deal_or_no_deal
