#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "deal-or-no-deal/instances_filter.hpp"
#include "deal-or-no-deal/splits.hpp"
#include "deal-or-no-deal/tables/negotiations.hpp"
#include "deal-or-no-deal/tables/published.hpp"
#include "deal-or-no-deal/tables/tables.hpp"

namespace deal_or_no_deal {
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
struct Ending {
  bool agreed = false, envy_free = false, pareto_optimal = false;
};
/// By the number of the instance that it was over.
using Endings = std::map<std::size_t, Ending>;

/// Of each instance its first dialogue among the published ones that were imported.
Endings published_endings(const agon::PlayedMatches& matches) {
  Endings endings;
  matches.each([&](const agon::PlayedMatch& match) {
    const double instance = match.metric("instance");
    if (!(instance >= 0) || match.seats().empty() ||
        match.seats().front().agent != "published: people")
      return;
    endings.try_emplace(static_cast<std::size_t>(instance),
                        Ending{match.metric("agreement") > 0, match.metric("envy_free") > 0,
                               match.metric("pareto_optimal") > 0});
  });
  return endings;
}

HumanSummary summarise(const Endings& endings, const std::vector<std::size_t>& points) {
  HumanSummary summary;
  for (const std::size_t point : points) {
    const auto at = endings.find(point);
    if (at == endings.end()) continue;
    const Ending& ending = at->second;
    ++summary.points;
    summary.agreed += ending.agreed ? 1 : 0;
    summary.envy_free += ending.envy_free ? 1 : 0;
    summary.pareto_optimal += ending.pareto_optimal ? 1 : 0;
    summary.fair += ending.envy_free && ending.pareto_optimal ? 1 : 0;
  }
  return summary;
}

agon::PaperTable make_people(const agon::PlayedMatches& matches) {
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
  for (std::size_t column = 0; column < published::kTable9Points.size(); ++column) {
    const int distance = published::kTable9First + static_cast<int>(column);
    made.columns.push_back(std::to_string(distance));
    const auto points = hard_points(rows, selection, distance, rows.size());
    agon::Figure count;
    count.value = static_cast<double>(points.size());
    made.rows[0].cells.push_back(cell(count, published::kTable9Points[column], 0));
    const HumanSummary humans =
        listed ? summarise_humans(rows, points) : summarise(imported, points);
    const auto share = [&](std::size_t part) {
      agon::Figure figure;
      if (!known || humans.points == 0) return figure;
      figure.n = static_cast<double>(humans.points);
      figure.value = static_cast<double>(part) / figure.n;
      return figure;
    };
    made.rows[1].cells.push_back(cell(share(humans.agreed), published::kTable9Agreed[column], 4));
    made.rows[2].cells.push_back(
        cell(share(humans.envy_free), published::kTable9EnvyFree[column], 4));
    made.rows[3].cells.push_back(
        cell(share(humans.pareto_optimal), published::kTable9Pareto[column], 4));
    made.rows[4].cells.push_back(cell(share(humans.fair), published::kTable9Fair[column], 4));
  }
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

}  // namespace

agon::TableCard people_card() {
  agon::TableCard card;
  card.id = "game-theory/table-9";
  card.title = "how people fared in Deal or No Deal, by how hard the instance is";
  card.source = "Hua et al. 2024, table 9";
  card.scenario = "papers/game-theory/table-9.json";
  card.game = "deal-or-no-deal";
  card.make = &make_people;
  return card;
}

}  // namespace deal_or_no_deal
