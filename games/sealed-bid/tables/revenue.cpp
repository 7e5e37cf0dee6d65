// Revenue and efficiency of clocks and sealed bids with three bidders.

#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <map>

#include "sealed-bid/tables/tables.hpp"
#include "shared/auction-values/tables.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {
namespace {

struct PublishedRevenue {
  const char* agent;
  const char* label;
  double revenue, efficiency;
};
constexpr PublishedRevenue kPublishedRevenues[] = {
    {"gpt-4o", "AC, affiliated", 20.2, 1.00},       {"gpt-4o", "AC-B, affiliated", 20.5, .99},
    {"gpt-4o", "SPSB, affiliated", 18.1, .84},      {"gpt-4o", "SPSB, independent", 48.2, .92},
    {"gpt-4o", "FPSB, independent", 70.9, .93},     {"gpt-4-0613", "SPSB, affiliated", 21.6, .44},
    {"gpt-4-0613", "SPSB, independent", 40.1, .69}, {"gpt-4-0613", "FPSB, independent", 58.6, .83},
};

struct Takings {
  agon::Sample revenue, efficiency, second_value;
};

}  // namespace

agon::PaperTable revenues(const agon::PlayedMatches& matches) {
  std::map<std::pair<std::string, std::string>, Takings> all;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto format = auction_values::format_of(match);
    if (!format) return;
    Takings& takings = all[{auction_values::bidders_of(match),
                            fmt::format("{}, {}", format->name, format->values)}];
    const std::string block = shared::block_of(match);
    const double rounds = match.metric("rounds");
    takings.revenue.add(block, match.metric("revenue_sum"), rounds);
    takings.efficiency.add(block, match.metric("efficient"), rounds);
    takings.second_value.add(block, match.metric("second_value_sum"), rounds);
  });
  if (all.empty())
    throw agon::LacksData{
        "matches of three bidders with a clock, or several rounds of sealed bids"};
  for (const PublishedRevenue& p : kPublishedRevenues) all[{p.agent, p.label}];
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"revenue", "efficiency", "second value"};
  for (const auto& [key, takings] : all) {
    const auto& [agent, label] = key;
    PublishedRevenue published{"", "", agon::kNothing, agon::kNothing};
    for (const PublishedRevenue& p : kPublishedRevenues)
      if (agent == p.agent && label == p.label) published = p;
    table.rows.push_back({agent + ": " + label,
                          {shared::cell(takings.revenue.mean(level), 2, published.revenue),
                           shared::cell(takings.efficiency.share(level), 2, published.efficiency),
                           shared::cell(takings.second_value.mean(level), 2)}});
  }
  table.notes = {
      "Efficiency: share of rounds won by a bidder with the highest value. "
      "Second value: the mean second highest value, which the second "
      "price and a rising clock bring with truthful bidders, and all formats in equilibrium with "
      "independent values.",
      "The paper prints neither; published numbers are worked out from its logs.",
  };
  return table;
}

}  // namespace sealed_bid
