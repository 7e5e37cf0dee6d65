// Sealed bids with independent values: the payments in the published loop, and everything that was
// varied as a check.

#include <fmt/format.h>

#include <map>

#include "sealed-bid/tables/sums.hpp"
#include "sealed-bid/tables/tables.hpp"
#include "shared/auction-values/tables.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {
namespace {

using agon::kNothing;

/// What is published of one row: the paper's figure, and what its logs give.
struct PublishedFormat {
  const char* agent;
  const char* label;
  double revenue = kNothing, efficiency = kNothing;
  double exact = kNothing, near = kNothing, below = kNothing;  ///< percent
};
constexpr PublishedFormat kPublishedFormats[] = {
    {.agent = "gpt-4o",
     .label = "SPSB",
     .revenue = 48.2,
     .efficiency = .92,
     .near = 37.78,
     .below = 60},
    {.agent = "gpt-4o", .label = "FPSB", .revenue = 70.9, .efficiency = .93},
    {.agent = "gpt-4-0613",
     .label = "SPSB",
     .revenue = 40.1,
     .efficiency = .69,
     .exact = 21.8,
     .near = 25.8},
    {.agent = "gpt-4-0613", .label = "FPSB", .revenue = 58.6, .efficiency = .83},
};

/// What a match differs in from the published loop with three bidders; empty: in nothing.
std::string variant(const Settings& played) {
  std::string text;
  if (played.bidders != 3) text += fmt::format(", {} bidders", played.bidders);
  if (played.rounds == 1)
    text += ", one shot";
  else if (!played.plan && !played.reflect)
    text += ", out of the box";
  else if (!played.plan || !played.reflect)
    text += played.plan ? ", without lessons" : ", without plans";
  if (played.currency != auction_values::Currency::dollars)
    text += fmt::format(", {}", auction_values::currency_name(played.currency));
  return text;
}

using Rows = std::map<std::pair<std::string, std::string>, Sums>;

Rows collect_formats(const agon::PlayedMatches& matches, bool variants) {
  Rows rows;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::optional<Settings> played = settings_of(match);
    if (!played || played->intervention != Intervention::none) return;
    if (played->values != auction_values::ValueModel::independent) return;
    const std::string differs = variant(*played);
    if (!variants && !differs.empty()) return;
    rows[{auction_values::bidders_of(match), short_name(played->payment) + differs}].add(match);
  });
  return rows;
}

agon::PaperTable made_of(Rows rows, double level) {
  for (const PublishedFormat& p : kPublishedFormats) rows[{p.agent, p.label}];
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"revenue",   "efficiency", "bid = value (%)", "within 1 (%)",
                   "below (%)", "above (%)",  "mean |b - v|",    "SMAD (%)"};
  for (const auto& [key, sums] : rows) {
    const auto& [agent, label] = key;
    PublishedFormat published{.agent = "", .label = ""};
    for (const PublishedFormat& p : kPublishedFormats)
      if (agent == p.agent && label == p.label) published = p;
    table.rows.push_back(
        {agent + ": " + label,
         {shared::cell(sums.revenue.mean(level), 1, published.revenue),
          shared::cell(sums.efficiency.share(level), 2, published.efficiency),
          shared::percent(sums.exact.share(level), 1, published.exact),
          shared::percent(sums.near.share(level), 1, published.near),
          shared::percent(sums.below.share(level), 1, published.below),
          shared::percent(sums.above.share(level), 1), shared::cell(sums.error.mean(level), 2),
          shared::percent(sums.off_equilibrium(level), 1)}});
  }
  table.notes = {
      "Revenue: what all bidders paid a round. SMAD: mean distance from the equilibrium bid, in "
      "percent of the mean equilibrium bid.",
      "Published for gpt-4o: the shares of SPSB are those of the paper's figure; revenue and "
      "efficiency, and all of gpt-4-0613, are worked out from the published logs, which do not "
      "give the figure's shares: they belong to another set of runs.",
  };
  return table;
}

}  // namespace

agon::PaperTable formats(const agon::PlayedMatches& matches) {
  Rows rows = collect_formats(matches, false);
  if (rows.empty())
    throw agon::LacksData{
        "matches of three sealed bidders with independent values, plans, lessons and several "
        "rounds"};
  return made_of(std::move(rows), matches.level());
}

agon::PaperTable robustness(const agon::PlayedMatches& matches) {
  Rows rows = collect_formats(matches, true);
  if (rows.empty()) throw agon::LacksData{"matches of sealed bids with independent values"};
  return made_of(std::move(rows), matches.level());
}

}  // namespace sealed_bid
