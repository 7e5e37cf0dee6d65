#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/play.hpp"
#include "deal-or-no-deal/points.hpp"
#include "deal-or-no-deal/tables/tables.hpp"
#include "shared/tables.hpp"

// What both sides got of what they could get, beside the frontier: the game's own table.

namespace deal_or_no_deal {
namespace {

/// Shares are shown in tenths.
constexpr int kParts = 10;
/// More pairs cannot be told apart.
constexpr std::size_t kMostPairs = 6;

/// What either side can have at most, by how much the other has: points it is worth to both.
using Frontier = std::array<std::map<std::int64_t, std::int64_t>, 2>;

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
struct AgentPair {
  std::map<std::pair<int, int>, int> points;
  int matches = 0;
};

/// How many items there are, and what they are worth by seat.
using Dealt = std::array<Amounts, 3>;

/// What is on the table, as the match's record has it; empty: it has none.
Dealt instance_of(const agon::PlayedMatch& match) {
  Dealt instance;
  agon::each_said<kInstance>(match, [&](const InstanceDealt& dealt) {
    const std::array lists{&dealt.counts, &dealt.values[0], &dealt.values[1]};
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (std::any_of(lists[i]->begin(), lists[i]->end(),
                      [](int n) { return n < 0 || n > kMaxValue; }))
        throw agon::Error(agon::ErrorKind::failure, "a match was dealt what cannot be", "record");
      instance[i] = amounts(*lists[i]);
    }
  });
  return instance;
}

std::map<std::string, AgentPair> collect_pairs(const agon::PlayedMatches& matches) {
  std::map<std::string, AgentPair> pairs;
  std::map<Dealt, Frontier> known;
  matches.each([&](const agon::PlayedMatch& match) {
    if (match.seats().size() != 2) return;
    // The first by name is on the x axis.
    const std::size_t first = match.seats()[1].agent < match.seats()[0].agent ? 1 : 0;
    const agon::PlayedSeat& one = match.seats()[first];
    const agon::PlayedSeat& other = match.seats()[1 - first];
    const double own = match.metric(one, "value"), whole = match.metric(one, "maximum");
    const Dealt instance = instance_of(match);
    if (instance[0].empty() || !(own >= 0) || !(whole > 0)) return;
    auto found = known.find(instance);
    if (found == known.end())
      found = known.emplace(instance, frontier_of(instance[0], {instance[1], instance[2]})).first;
    const std::int64_t left = most_of(found->second, 1 - first, std::llround(own));
    AgentPair& pair = pairs[fmt::format("{} with {}", one.agent, other.agent)];
    const auto tenths = [](double share) { return static_cast<int>(std::lround(share * kParts)); };
    // Where nothing is left at best, nothing is wasted.
    const double part = left > 0 ? match.metric(other, "value") / static_cast<double>(left) : 1;
    ++pair.points[{tenths(own / whole), tenths(part)}];
    ++pair.matches;
  });
  if (pairs.empty()) throw agon::LacksData{"recorded matches"};
  return pairs;
}

}  // namespace

agon::PaperTable splits_and_frontier(const agon::PlayedMatches& matches) {
  const std::map<std::string, AgentPair> pairs = collect_pairs(matches);
  agon::PaperTable table;
  table.corner = "who, and with what shares";
  table.columns = {"first: share of all", "second: share of what is left at best", "matches"};
  table.points = true;
  table.units = {"share of all", "share of what is left", "matches"};
  const auto point = [&](double x, double y, double count, bool theory) {
    agon::TableRow& row = table.rows.emplace_back();
    row.label = fmt::format("  {:.1f} and {:.1f}", x, y);
    row.theory = theory;
    row.cells = {shared::number(x, 1), shared::number(y, 1),
                 theory ? agon::TableCell{} : shared::number(count, 0)};
  };
  std::vector<const std::pair<const std::string, AgentPair>*> order;
  for (const auto& entry : pairs) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->second.matches > b->second.matches;
  });
  if (order.size() > kMostPairs) order.resize(kMostPairs);
  for (const auto* entry : order) {
    shared::add_heading(table, entry->first);
    for (const auto& [place, count] : entry->second.points)
      point(place.first / 10.0, place.second / 10.0, count, false);
  }
  shared::add_heading(table, "Pareto frontier");
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

namespace {

/// The longest list of instances that a match was dealt from, people's results going first.
std::vector<Row> richest_list(const agon::PlayedMatches& matches) {
  std::vector<Row> best;
  const auto humans = [](const std::vector<Row>& rows) {
    return std::count_if(rows.begin(), rows.end(),
                         [](const Row& row) { return row.human.has_value(); });
  };
  std::string seen;
  matches.each([&](const agon::PlayedMatch& match) {
    if (match.scenario() == seen) return;  // one list a scenario
    seen = match.scenario();
    auto rows = listed_rows(match);
    if (std::pair(humans(rows), rows.size()) > std::pair(humans(best), best.size()))
      best = std::move(rows);
  });
  return best;
}

/// How a published negotiation of people ended.
struct PublishedEnding {
  bool agreed = false, envy_free = false, pareto_optimal = false;
};
/// By the number of the instance that it was over.
using Endings = std::map<std::size_t, PublishedEnding>;

/// Of each instance its first dialogue among the published ones that were imported.
Endings published_endings(const agon::PlayedMatches& matches) {
  Endings endings;
  matches.each([&](const agon::PlayedMatch& match) {
    const double instance = match.metric("instance");
    if (!(instance >= 0) || match.seats().empty() ||
        match.seats().front().agent != "published: people")
      return;
    endings.try_emplace(
        static_cast<std::size_t>(instance),
        PublishedEnding{match.metric("agreement") > 0, match.metric("envy_free") > 0,
                        match.metric("pareto_optimal") > 0});
  });
  return endings;
}

HumanSummary summarise(const Endings& endings, const std::vector<std::size_t>& points) {
  HumanSummary summary;
  for (const std::size_t point : points) {
    const auto at = endings.find(point);
    if (at == endings.end()) continue;
    const PublishedEnding& ending = at->second;
    ++summary.points;
    summary.agreed += ending.agreed ? 1 : 0;
    summary.envy_free += ending.envy_free ? 1 : 0;
    summary.pareto_optimal += ending.pareto_optimal ? 1 : 0;
    summary.fair += ending.envy_free && ending.pareto_optimal ? 1 : 0;
  }
  return summary;
}

}  // namespace

agon::PaperTable table_9(const agon::PlayedMatches& matches) {
  const std::vector<Row> rows = richest_list(matches);
  if (rows.empty()) throw agon::LacksData{"matches over a list of instances"};
  const Selection selection = select_points(rows);
  const bool listed =
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.human.has_value(); });
  const Endings imported = listed ? Endings{} : published_endings(matches);
  const bool known = listed || !imported.empty();
  agon::PaperTable made;
  made.corner = "sides' values at most so far apart";
  made.rows = {{"points", {}},
               {"agreement", {}},
               {"envy-free", {}},
               {"Pareto-optimal", {}},
               {"envy-free and Pareto-optimal", {}}};
  const shared::PublishedTable& printed = published("game-theory/table-9");
  made.columns = printed.columns();
  made.units = {"share"};
  made.rows.front().unit = "instances";
  // Over the distance, with the number of instances apart.
  made.curves = {.x = "values at most so far apart", .y = "share of dialogues"};
  for (const std::string& distance : made.columns) made.curves->at.push_back(std::stod(distance));
  for (const std::string& distance : made.columns) {
    const auto points = hard_points(rows, selection, std::stoi(distance), rows.size());
    made.rows[0].cells.push_back(
        {.ours = {.value = static_cast<double>(points.size())}, .decimals = 0});
    const HumanSummary humans =
        listed ? summarise_humans(rows, points) : summarise(imported, points);
    const auto add_share = [&](std::size_t row, std::size_t part) {
      agon::TableCell& share = made.rows[row].cells.emplace_back(agon::TableCell{.decimals = 4});
      if (!known || humans.points == 0) return;
      share.ours.n = static_cast<double>(humans.points);
      share.ours.value = static_cast<double>(part) / share.ours.n;
    };
    add_share(1, humans.agreed);
    add_share(2, humans.envy_free);
    add_share(3, humans.pareto_optimal);
    add_share(4, humans.fair);
  }
  printed.fill(made);
  made.notes = {
      fmt::format("{} instances were looked at; left out: {} that repeat another, {} with even "
                  "counts of everything, {} in which what both want most is not worth more than "
                  "the rest; {} are left. Each column holds those before it.",
                  selection.looked_at, selection.repeated, selection.halvable, selection.covered,
                  selection.kept.size()),
      "A dialogue without an agreement counts as neither envy-free nor Pareto-optimal. The paper "
      "cuts some last digits off instead of rounding them."};
  if (!imported.empty())
    made.notes.emplace_back(
        "From the published dialogues as they were imported, each once, and of each instance the "
        "first. The paper takes every second line of test.txt, which has most dialogues twice: the "
        "scenario's comment says how to have its numbers.");
  if (!known) {
    made.notes.emplace_back(
        "No human dialogues come with these instances: import the published test.txt, see the "
        "scenario's comment.");
  }
  return made;
}

}  // namespace deal_or_no_deal
