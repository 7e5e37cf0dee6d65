#include "shared/tables.hpp"

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ebay/game.hpp"

namespace ebay {
namespace {

/// What one auction contributes to the tables. Money in dollars.
struct PlayedAuction {
  std::string block;  ///< what shares its random numbers
  double price = 0;
  double revenue = 0;
  double sold = 0;
  double efficient = agon::kNothing;  ///< 0 or 1; undefined without a sale
  double surplus_share = agon::kNothing;
  double final_bid_day = agon::kNothing;  ///< undefined without a bid
  double days = 0;
  double last_day_share = agon::kNothing;
};

/// The auctions of one treatment between the same agents.
struct Group {
  int number = 0;       ///< treatment, 1 to 4
  double reserve = 0;   ///< dollars; 0: none
  std::string bidders;  ///< the agent, or all that took part
  std::vector<PlayedAuction> auctions;
  /// "T3 r=40", with the bidders if the table has several.
  [[nodiscard]] std::string label(bool with_bidders) const;
};

PlayedAuction auction_of(const agon::PlayedMatch& match) {
  PlayedAuction a;
  a.block = shared::block_of(match);
  a.price = match.metric("price") / 100;
  a.revenue = match.metric("revenue") / 100;
  a.sold = match.metric("sold");
  a.efficient = match.metric("efficient");
  a.surplus_share = match.metric("surplus_share");
  a.final_bid_day = match.metric("final_bid_day");
  a.days = match.metric("days");
  a.last_day_share = match.metric("last_day_share");
  return a;
}

std::string Group::label(bool with_bidders) const {
  std::string text = fmt::format("T{}", number);
  if (reserve > 0) text += fmt::format(" r={:g}", reserve);
  return with_bidders ? text + " " + bidders : text;
}

/// The groups of an archive by treatment, reserve and bidders. Takes the auctions of three bidders
/// over ten days; throws LacksData if there are none.
std::vector<Group> groups_of(const agon::PlayedMatches& matches) {
  std::map<std::tuple<int, std::int64_t, std::string>, Group> groups;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto settings = shared::settings_of<Settings>(match);
    if (!settings || settings->days != 10 || settings->bidders.size() != 3) return;
    const agon::Money reserve = settings->reserve.value_or(agon::Money{});
    const int number = 1 + (settings->soft_close ? 1 : 0) + (settings->reserve ? 2 : 0);
    const std::string bidders = shared::agents_of(match);
    Group& group = groups[{number, reserve.cents, bidders}];
    group.number = number;
    group.reserve = static_cast<double>(reserve.cents) / 100;
    group.bidders = bidders;
    group.auctions.push_back(auction_of(match));
  });
  if (groups.empty()) throw agon::LacksData{"auctions of three bidders over ten days"};
  std::vector<Group> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  return sorted;
}

/// True if they are not all between the same bidders.
bool differ_in_bidders(const std::vector<Group>& groups) {
  for (const Group& group : groups)
    if (group.bidders != groups.front().bidders) return true;
  return false;
}

/// A value of each auction: a member, or what a function says.
template <class Value>
agon::Sample sample(const Group& group, Value value) {
  agon::Sample values;
  for (const PlayedAuction& auction : group.auctions)
    values.add(auction.block, std::invoke(value, auction));
  return values;
}

/// A row of the table: a value of each auction.
struct Measure {
  const char* label;
  const char* unit;
  double PlayedAuction::*value;
  bool share;
};

constexpr std::array<Measure, 8> kMeasures{{
    {"price at the close, $", "dollars", &PlayedAuction::price, false},
    {"revenue, $", "dollars", &PlayedAuction::revenue, false},
    {"sold", "share", &PlayedAuction::sold, true},
    {"sold to a highest value", "share", &PlayedAuction::efficient, true},
    {"share of the surplus", "share", &PlayedAuction::surplus_share, false},
    {"day of the final winning bid", "days", &PlayedAuction::final_bid_day, false},
    {"days, with extensions", "days", &PlayedAuction::days, false},
    {"last day's share of the raises", "share", &PlayedAuction::last_day_share, false},
}};

agon::PaperTable revenue(const agon::PlayedMatches& matches) {
  const std::vector<Group> groups = groups_of(matches);
  agon::PaperTable table;
  table.corner = "mean of";
  table.plots = {{.how = agon::TablePlot::How::bars}};
  for (const Group& group : groups) table.columns.push_back(group.label(differ_in_bidders(groups)));
  for (const Measure& measure : kMeasures) {
    agon::TableRow row{.label = measure.label, .cells = {}, .unit = measure.unit};
    for (const Group& group : groups) {
      const agon::Sample values = sample(group, measure.value);
      row.cells.push_back(
          {.ours = measure.share ? values.share(matches.level()) : values.mean(matches.level())});
    }
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "The paper calls the final price revenue, also where the reserve was not met; the row "
      "'revenue' counts such auctions as 0.",
      "T1 proxy bidding, T2 with soft close, T3 with a hidden reserve r, T4 with both.",
  };
  return table;
}

std::vector<double> values(const Group& group, double PlayedAuction::*value) {
  std::vector<double> all;
  for (const PlayedAuction& a : group.auctions)
    if (!std::isnan(a.*value)) all.push_back(a.*value);
  return all;
}

agon::PaperTable treatment_tests(const agon::PlayedMatches& matches) {
  const std::vector<Group> groups = groups_of(matches);
  const bool with_bidders = differ_in_bidders(groups);
  agon::PaperTable table;
  table.corner = "treatments";
  table.columns = {"price: t",     "price: df",     "price: p",     "price: same draws",
                   "final bid: t", "final bid: df", "final bid: p", "final bid: same draws"};
  table.units = {"t", "df", "p", "dollars", "t", "df", "p", "days"};
  table.plots = {{.columns = {2, 6}, .title = "p"},
                 {.columns = {3}, .title = "difference of the prices"},
                 {.columns = {7}, .title = "difference of the days"}};
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      if (groups[i].bidders != groups[j].bidders) continue;
      agon::TableRow row{groups[i].label(with_bidders) + " - " + groups[j].label(false), {}};
      for (double PlayedAuction::*value : {&PlayedAuction::price, &PlayedAuction::final_bid_day}) {
        const std::vector<double> a = values(groups[i], value);
        const std::vector<double> b = values(groups[j], value);
        const agon::TTest test = agon::welch(a, b);
        const auto n = static_cast<double>(a.size() + b.size());
        row.cells.push_back({.ours = {.value = test.t, .n = n}, .decimals = 2});
        row.cells.push_back({.ours = {.value = test.degrees, .n = n}, .decimals = 1});
        row.cells.push_back({.ours = {.value = test.p, .n = n}, .decimals = 3});
        row.cells.push_back(shared::cell(
            sample(groups[i], value).minus(sample(groups[j], value), matches.level()), 2));
      }
      table.rows.push_back(std::move(row));
    }
  if (table.rows.empty()) throw agon::LacksData{"auctions of the same bidders in two treatments"};
  table.notes = {
      "Welch's tests of the final price and of the day of the final winning bid, two-sided, not "
      "adjusted for their number. The paper finds no pair significant.",
      "The tests take the values of an auction as independent of those of any other, as in the "
      "paper. Same draws: the mean difference, auction by auction, of those that had the same "
      "values and turns under both treatments; n: such pairs.",
  };
  return table;
}

agon::PaperTable final_bid(const agon::PlayedMatches& matches, bool added_up) {
  const std::vector<Group> groups = groups_of(matches);
  agon::PaperTable table;
  table.corner = "day";
  table.units = {"share"};
  if (added_up)
    table.curves = {.x = "day", .y = "share up to the day", .down = true};
  else
    table.plots = {{.how = agon::TablePlot::How::bars}};
  int last = 10;
  double without = 0;
  for (const Group& group : groups) {
    table.columns.push_back(group.label(differ_in_bidders(groups)));
    for (const PlayedAuction& a : group.auctions) {
      last = std::max(last, static_cast<int>(a.days));
      without += std::isnan(a.final_bid_day) ? 1 : 0;
    }
  }
  for (int day = 1; day <= last; ++day) {
    agon::TableRow row{std::to_string(day), {}};
    for (const Group& group : groups) {
      const auto value = [&](const PlayedAuction& a) {
        if (std::isnan(a.final_bid_day)) return agon::kNothing;
        return (added_up ? a.final_bid_day <= day : a.final_bid_day == day) ? 1.0 : 0.0;
      };
      row.cells.push_back({.ours = sample(group, value).share(matches.level())});
    }
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Final winning bid: the last day on which the bidder who led at the close raised the "
      "maximum, "
      "whether or not the item was sold.",
      "T1 proxy bidding, T2 with soft close, T3 with a hidden reserve r, T4 with both. The paper "
      "shows this as a figure, from which no numbers are taken here.",
  };
  if (without > 0)
    table.notes.push_back(std::to_string(static_cast<int>(without)) +
                          " auctions without any bid are left out.");
  return table;
}

agon::PaperTable final_bid_histogram(const agon::PlayedMatches& matches) {
  return final_bid(matches, false);
}

agon::PaperTable final_bid_distribution(const agon::PlayedMatches& matches) {
  return final_bid(matches, true);
}

/// The most that bidders told their proxy, by what the item is worth to them: the game's own table.
agon::PaperTable maxima_by_value(const agon::PlayedMatches& matches) {
  shared::ValueCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    for (const agon::PlayedSeat& seat : match.seats()) {
      if (!(match.metric(seat, "bids") > 0)) continue;
      const double value = match.metric(seat, "value") / 100;
      curves.add(heading, std::string(seat.agent), block, value,
                 match.metric(seat, "maximum") / 100, value);
    }
  });
  return curves.table(
      {.x = "value", .y = "last maximum", .unit = "dollars"}, 1, matches.level(),
      "the value itself", "finished matches in which somebody bid",
      {"Mean of the last maximum that bidders told their proxy, by value; who never "
       "bid is left out. To tell it the value is dominant. n: bidders."});
}

}  // namespace

void add_tables(agon::Registry& registry) {
  constexpr std::string_view scenario = "papers/llm-auctions/ebay.json";
  shared::add_paper_tables(
      registry, "ebay",
      {
          {"llm-auctions/ebay-final-bid", "day of the final winning bid, share of the auctions",
           "Shah et al., arXiv:2507.09083, eBay: histogram of the final winning bid", scenario,
           &final_bid_histogram},
          {"llm-auctions/ebay-final-bid-cdf", "the same, added up over the days",
           "Shah et al., arXiv:2507.09083, eBay: distribution of the final winning bid", scenario,
           &final_bid_distribution},
          {"llm-auctions/ebay-revenue", "price, revenue and efficiency by treatment",
           "Shah et al., arXiv:2507.09083, eBay: revenue", scenario, &revenue},
          {"llm-auctions/ebay-tests", "t-tests of every two treatments",
           "Shah et al., arXiv:2507.09083, eBay: pairwise tests", scenario, &treatment_tests},
      });
  registry.add(shared::own_table("ebay/maxima", "what bidders tell their proxy, by value", "ebay",
                                 &maxima_by_value, false));
}

}  // namespace ebay
