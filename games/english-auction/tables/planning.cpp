#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "english-auction/play.hpp"
#include "english-auction/tables/tables.hpp"
#include "shared/tables.hpp"

namespace english_auction {
namespace {

constexpr const char* kThreePlannings =
    "auctions of three bidders that plan not at all, once and adaptively";
constexpr std::array<Planning, 3> kPlannings{Planning::none, Planning::once, Planning::adaptive};

std::size_t place(Planning planning) {
  return static_cast<std::size_t>(planning);
}

}  // namespace

agon::PaperTable planning_profits(const agon::PlayedMatches& matches) {
  struct Gains {
    std::array<agon::Sample, 3> profit, items;
  };
  std::map<std::pair<std::string, std::string>, Gains> rows;  // agent, budget
  each_auction(matches, [&](const PlayedAuction& auction) {
    // Auctions with items at fixed places are those of figures 4, 8 and 9.
    if (!auction.has_all_plannings() || !auction.fixed_places().empty()) return;
    for (std::size_t s = 0; s < auction.bidders.size(); ++s) {
      const agon::PlayedSeat& seat = auction.match.seats()[s];
      Gains& row = rows[{std::string(seat.agent), auction.budget()}];
      const std::size_t p = place(auction.bidders[s].planning);
      row.profit[p].add(auction.block, auction.match.metric(seat, "profit") / 100);
      row.items[p].add(auction.block, auction.match.metric(seat, "items_won"));
    }
  });
  if (rows.empty())
    throw agon::LacksData{std::string(kThreePlannings) + ", with items in a drawn order"};
  agon::PaperTable table;
  table.corner = "bidder, budget";
  for (const char* what : {"profit", "items"})
    for (const Planning planning : kPlannings)
      table.columns.push_back(fmt::format("{}, {}", what, name_of(planning)));
  using How = agon::TablePlot::How;
  table.units = {"dollars", "dollars", "dollars", "items", "items", "items"};
  table.plots = {{.how = How::bars, .columns = {0, 1, 2}, .title = "profit"},
                 {.how = How::bars, .columns = {3, 4, 5}, .title = "items"}};
  for (const auto& [key, samples] : rows) {
    agon::TableRow row{key.first + ", " + key.second, {}};
    for (const agon::Sample& sample : samples.profit)
      row.cells.push_back({.ours = sample.mean(matches.level()), .decimals = 0});
    for (const agon::Sample& sample : samples.items)
      row.cells.push_back({.ours = sample.mean(matches.level())});
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Mean profit in dollars and mean number of items won, by how the seat is asked to "
      "plan: not at all, once (static), or after every item too (adaptive).",
      "The paper's figure has bars without printed numbers; it shows profits only."};
  return table;
}

agon::PaperTable budgets_left(const agon::PlayedMatches& matches) {
  using ByPlanning = std::array<std::vector<agon::Sample>, 3>;  // by item
  // Agent, budget by length first (5000 < 10000), order of the items.
  std::map<std::tuple<std::string, std::size_t, std::string, std::string>, ByPlanning> curves;
  std::size_t most = 0;
  each_auction(matches, [&](const PlayedAuction& auction) {
    const std::string order = auction.fixed_places();
    if (order.empty() || !auction.has_all_plannings() || !auction.one_agent()) return;
    const std::string budget = auction.budget();
    ByPlanning& left =
        curves[{std::string(auction.match.seats()[0].agent), budget.size(), budget, order}];
    const auto all = sales(auction);
    most = std::max(most, all.size());
    for (std::size_t s = 0; s < auction.bidders.size(); ++s) {
      const Bidder& bidder = auction.bidders[s];
      auto& items = left[place(bidder.planning)];
      if (items.size() < all.size()) items.resize(all.size());
      double money = static_cast<double>(bidder.budget.cents) / 100;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].winner == static_cast<int>(s)) money -= all[i].price;
        items[i].add(auction.block, money);
      }
    }
  });
  if (curves.empty())
    throw agon::LacksData{std::string(kThreePlannings) + ", with items at fixed places"};
  agon::PaperTable table;
  table.corner = "money left";
  table.curves = {.x = "item", .y = "money left", .unit = "dollars"};
  for (std::size_t i = 0; i < most; ++i) table.columns.push_back(fmt::format("item {}", i + 1));
  for (auto& [key, left] : curves) {
    const auto& [agent, length, budget, order] = key;
    shared::add_heading(table, fmt::format("{}, {}: {}", agent, budget, order));
    for (const Planning planning : kPlannings) {
      auto& samples = left[place(planning)];
      samples.resize(most);
      agon::TableRow row{"  " + std::string(name_of(planning)), {}};
      for (const agon::Sample& sample : samples)
        row.cells.push_back({.ours = sample.mean(matches.level()), .decimals = 0});
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "Mean money left, in dollars, after the item with this number was sold or not, for each "
      "order in which the expensive items come: their names and places stand in the heading. The "
      "other items come in a random order in each auction.",
      "The paper's figure has curves without printed numbers."};
  return table;
}

namespace {

constexpr const char* kTwoOfAKind = "auctions between two bidders of one kind";

/// Pairs of an agent: a priority with the bids for the item, and with winning it.
struct Pairs {
  std::vector<double> priority, bids, wins;
};
struct Follower {
  Pairs initial, current;
};

void add_pair(Pairs& pairs, std::optional<int> priority, const Engagement& engagement) {
  if (!priority) return;
  pairs.priority.push_back(*priority);
  pairs.bids.push_back(engagement.bids);
  pairs.wins.push_back(engagement.won ? 1 : 0);
}

/// Agents that made plans, in the auctions that `counts`; where a line-up is about one agent, only
/// that one.
template <class Counts>
std::map<std::string, Follower> followers(const agon::PlayedMatches& matches, Counts counts) {
  std::map<std::string, Follower> agents;
  each_auction(matches, [&](const PlayedAuction& auction) {
    if (!counts(auction)) return;
    agon::each_said<kEngagement>(auction.match, [&](const Engagement& engagement) {
      const int bidder = auction.seat_of(engagement.bidder);
      if (bidder < 0) return;
      const std::string_view agent = auction.match.seats()[static_cast<std::size_t>(bidder)].agent;
      const std::string_view focal = auction.match.focal();
      if (!focal.empty() && agent != focal) return;
      Follower& follower = agents[std::string(agent)];
      add_pair(follower.initial, engagement.initial_priority, engagement);
      add_pair(follower.current, engagement.current_priority, engagement);
    });
  });
  std::erase_if(agents, [](const auto& a) {
    return a.second.initial.priority.empty() && a.second.current.priority.empty();
  });
  return agents;
}

agon::PaperTable correlations(const std::map<std::string, Follower>& agents) {
  agon::PaperTable table;
  table.corner = "bidder";
  table.columns = {"first plan, bids", "first plan, wins", "current plan, bids",
                   "current plan, wins"};
  table.units = {"correlation"};
  for (const auto& [agent, follower] : agents) {
    agon::TableRow rho{agent, {}};
    agon::TableRow p{.label = "  p", .cells = {}, .unit = "p", .plotted = false};
    const std::array<std::pair<const Pairs*, const std::vector<double>*>, 4> columns{
        {{&follower.initial, &follower.initial.bids},
         {&follower.initial, &follower.initial.wins},
         {&follower.current, &follower.current.bids},
         {&follower.current, &follower.current.wins}}};
    for (std::size_t c = 0; c < columns.size(); ++c) {
      agon::TableCell cell{.decimals = 4}, chance{.decimals = 4};
      if (!columns[c].first->priority.empty()) {
        const auto found = agon::rank_correlation(columns[c].first->priority, *columns[c].second);
        cell.ours = {.value = found.rho, .n = found.n};
        chance.ours.value = found.p;
      }
      rho.cells.push_back(cell);
      p.cells.push_back(chance);
    }
    table.rows.push_back(std::move(rho));
    const bool tested = std::any_of(p.cells.begin(), p.cells.end(), [](const agon::TableCell& c) {
      return !std::isnan(c.ours.value);
    });
    if (tested) table.rows.push_back(std::move(p));
  }
  table.notes = {
      "Spearman's rank correlation (average ranks) over pairs of bidder and item: the priority of "
      "the item with the number of legal bids for it, and with winning it (1 or 0). First plan: "
      "made before the first item; current plan: the one held when the item came up. n: pairs.",
      "p: two-sided, of no association, pairs taken as independent, as in the paper; items of one "
      "auction are not, so that it is too small. The paper underlines p under 0.001."};
  return table;
}

}  // namespace

agon::PaperTable plan_following(const agon::PlayedMatches& matches) {
  auto agents = followers(matches, [](const PlayedAuction& auction) {
    return auction.bidders.size() == 2 && auction.one_agent();
  });
  if (agents.empty()) throw agon::LacksData{std::string(kTwoOfAKind) + " that make plans"};
  const shared::PublishedTable& printed = published("aucarena/table-1");
  for (const std::string& model : printed.rows()) agents[model];
  agon::PaperTable table = correlations(agents);
  printed.fill(table);
  return table;
}

agon::PaperTable plans_of_all(const agon::PlayedMatches& matches) {
  const auto agents = followers(matches, [](const PlayedAuction&) { return true; });
  if (agents.empty()) throw agon::LacksData{"auctions between bidders that make plans"};
  return correlations(agents);
}

agon::PaperTable failure_rates(const agon::PlayedMatches& matches) {
  struct Rates {
    agon::Sample bids, self, others;
  };
  std::map<std::pair<std::string, std::string>, Rates> rates;  // agent, budget
  each_auction(matches, [&](const PlayedAuction& auction) {
    if (auction.bidders.size() != 2 || !auction.one_agent()) return;
    for (const agon::PlayedSeat& seat : auction.match.seats()) {
      Rates& r = rates[{std::string(seat.agent), auction.budget()}];
      const auto metric = [&](const char* name) { return auction.match.metric(seat, name); };
      const auto add = [&](agon::Sample& sample, const char* above, const char* below) {
        if (metric(below) > 0) sample.add(auction.block, metric(above), metric(below));
      };
      add(r.bids, "failed_bids", "total_bids");
      add(r.self, "belief_self_errors", "belief_self_total");
      add(r.others, "belief_others_errors", "belief_others_total");
    }
  });
  if (rates.empty()) throw agon::LacksData{kTwoOfAKind};
  agon::PaperTable table;
  table.corner = "bidder, budget";
  table.columns = {"failed bids", "beliefs about itself", "beliefs about the other"};
  table.units = {"share"};
  table.plots = {{.how = agon::TablePlot::How::bars}};
  for (const auto& [key, r] : rates) {
    agon::TableRow row{key.first + ", " + key.second, {}};
    for (const agon::Sample* sample : {&r.bids, &r.self, &r.others})
      row.cells.push_back({.ours = sample->mean(matches.level()), .decimals = 3});
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Corrected Failure Rate (CFR): what failed over what failed and what was right. Bids: bids "
      "against the rules over "
      "answers to the question for a bid, those that could not be read too. Beliefs: wrong "
      "figures over figures given, in every checked account, also those asked for again. n: what "
      "is below the line.",
      "The paper's figure has bars without printed numbers."};
  return table;
}

namespace {

/// Mean priorities of one bidder and order: by item, then by plan.
using Heat = std::map<std::string, std::vector<agon::Sample>>;

void add_plans(const PlayedAuction& auction, int seat, Heat& heat, std::size_t& most) {
  std::size_t plan = 0;
  for (const agon::PlayedEntry& entry : auction.match.entries()) {
    if (entry.what != agon::PlayedEntry::What::answer || entry.seat != seat) continue;
    if (entry.name != kPlan.name && entry.name != kReplan.name) continue;
    // A plan is made before the first item, another after each; one that was declined is a gap.
    const std::size_t at = plan++;
    if (entry.declined || entry.forced) continue;
    const auto made = agon::read_back<Plan>(entry.json);
    for (const auto& [item, priority] : made->priorities) {
      auto& plans = heat[item];
      if (plans.size() <= at) plans.resize(at + 1);
      plans[at].add(auction.block, priority);
      most = std::max(most, at + 1);
    }
  }
}

agon::PaperTable heat_map(const agon::PlayedMatches& matches, const std::string& budget) {
  std::map<std::pair<std::string, std::string>, Heat> heats;  // agent, order
  std::size_t most = 0;
  each_auction(matches, [&](const PlayedAuction& auction) {
    const std::string places = auction.fixed_places();
    if (places.empty() || !auction.has_all_plannings() || auction.budget() != budget) return;
    for (std::size_t s = 0; s < auction.bidders.size(); ++s) {
      if (auction.bidders[s].planning != Planning::adaptive) continue;
      Heat& heat = heats[{std::string(auction.match.seats()[s].agent), places}];
      add_plans(auction, static_cast<int>(s), heat, most);
    }
  });
  std::erase_if(heats, [](const auto& h) { return h.second.empty(); });
  if (heats.empty())
    throw agon::LacksData{
        fmt::format("auctions with a budget of {}, items at fixed places, and bidders that plan "
                    "not at all, once and adaptively, with plans made",
                    budget)};
  agon::PaperTable table;
  table.corner = "item";
  table.curves = {.x = "plan", .y = "mean priority"};
  table.units = {"priority"};
  table.plots = {{.how = agon::TablePlot::How::heat_map, .apart = true}};
  for (std::size_t i = 0; i < most; ++i) table.columns.push_back(fmt::format("plan {}", i + 1));
  for (auto& [key, heat] : heats) {
    shared::add_heading(table, key.first + ": " + key.second);
    for (auto& [item, plans] : heat) {
      plans.resize(most);
      agon::TableRow row{"  " + item, {}};
      for (const agon::Sample& sample : plans) {
        agon::TableCell cell;
        cell.ours = sample.mean(matches.level());
        if (sample.empty()) cell.ours = {};
        row.cells.push_back(cell);
      }
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "Mean priority (1 to 3) of the items still to come in each plan of the bidder that plans "
      "adaptively: plan 1 is made before the first item, plan k after item k - 1. Items other than "
      "those at fixed places come in a random order in each auction. n: auctions.",
      "The paper's figure is a heat map without printed numbers."};
  return table;
}

}  // namespace

agon::PaperTable priorities_10k(const agon::PlayedMatches& matches) {
  return heat_map(matches, "10000");
}

agon::PaperTable priorities_20k(const agon::PlayedMatches& matches) {
  return heat_map(matches, "20000");
}

}  // namespace english_auction
