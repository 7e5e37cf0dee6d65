// The second price under seven ways to tell it.

#include <fmt/format.h>

#include <array>
#include <map>

#include "sealed-bid/tables/sums.hpp"
#include "sealed-bid/tables/tables.hpp"
#include "shared/auction-values/tables.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {
namespace {

struct PublishedIntervention {
  Intervention intervention;
  double r_squared, above, below, share_above;
};
constexpr std::array<PublishedIntervention, 7> kPublishedInterventions{{
    {Intervention::none, .4845, 7213, 78652, .084},
    {Intervention::menu, .5337, 11104, 57685, .1614},
    {Intervention::proxy, .2966, 177, 85488, .0021},
    {Intervention::nash, .8365, 1160, 24591, .045},
    {Intervention::direct, .9533, 2665, 5521, .3256},
    {Intervention::wrong, -.8258, 169, 141137, .0012},
    {Intervention::risk, .4004, 59, 89920, .0007},
}};
constexpr const char* kInterventionModel = "gpt-4o";
constexpr double kPublishedBids = 225;

}  // namespace

agon::PaperTable interventions(const agon::PlayedMatches& matches) {
  std::map<std::pair<std::string, Intervention>, Sums> all;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::optional<Settings> played = settings_of(match);
    if (!played || played->payment != Payment::second_price || played->bidders != 3 ||
        played->values != auction_values::ValueModel::independent || played->rounds == 1 ||
        !played->plan || !played->reflect || played->currency != auction_values::Currency::dollars)
      return;
    all[{auction_values::bidders_of(match), played->intervention}].add(match);
  });
  if (all.empty())
    throw agon::LacksData{
        "matches of three bidders with the second price, independent values, plans, lessons and "
        "several rounds"};
  for (const PublishedIntervention& p : kPublishedInterventions)
    all[{kInterventionModel, p.intervention}];
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"R2", "SS above", "SS below", "share above", "bids"};
  for (const auto& entry : all) {
    const auto& [agent, intervention] = entry.first;
    const Sums& sums = entry.second;
    const bool is_published = agent == kInterventionModel;
    const auto at = static_cast<std::size_t>(intervention);
    const PublishedIntervention none{intervention, agon::kNothing, agon::kNothing, agon::kNothing,
                                     agon::kNothing};
    const PublishedIntervention& p = is_published ? kPublishedInterventions[at] : none;
    const auto ours = [&](double value) { return sums.n > 0 ? value : agon::kNothing; };
    table.rows.push_back(
        {fmt::format("{}: {}", agent, shared::name_of(intervention)),
         {shared::number(ours(sums.r_squared()), 4, p.r_squared),
          shared::number(ours(sums.squares_above), 0, p.above),
          shared::number(ours(sums.squares_below), 0, p.below),
          shared::number(ours(sums.share_above()), 4, p.share_above),
          shared::number(ours(sums.n), 0, is_published ? kPublishedBids : agon::kNothing)}});
  }
  table.notes = {
      "R2: 1 - sum (b - v)^2 / sum (b - mean b)^2: against the spread of the bids, not of the "
      "values. SS: sums of (b - v)^2 over bids above and below the value; share above: of these "
      "sums, not of the bids. All seven published rows follow from the logs by these definitions.",
  };
  return table;
}

}  // namespace sealed_bid
