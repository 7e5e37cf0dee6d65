#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "english-auction/tables/tables.hpp"
#include "shared/tables.hpp"

namespace english_auction {
namespace {

/// One arena: who met under which budget.
struct Arena6 {
  std::map<std::string, agon::Skill> skills;
  std::map<std::string, agon::Sample> profit, items;
  int matches = 0;
};

/// The paper's panel, where the arena is one of its four.
std::string panel(const std::string& budget, const std::string& field) {
  const bool four = field.find("rule-4") != std::string::npos;
  const bool five = field.find("rule-5") != std::string::npos;
  if (four == five || (budget != "10000" && budget != "20000")) return {};
  const char letter = budget == "10000" ? (four ? 'A' : 'B') : (four ? 'C' : 'D');
  return fmt::format("{}: ", letter);
}

/// A heading for a field of bidders, which is too long to be listed.
std::string heading(const std::string& budget, const std::string& field) {
  const std::string letter = panel(budget, field);
  return letter.empty() ? fmt::format("budget {}: {}", budget, field)
                        : fmt::format("{}budget {}, rule bidder with {} bids", letter, budget,
                                      field.find("rule-4") != std::string::npos ? 4 : 5);
}

}  // namespace

agon::PaperTable skills(const agon::PlayedMatches& matches) {
  std::map<std::pair<std::string, std::string>, Arena6> arenas;  // budget, field
  each_auction(matches, [&](const PlayedAuction& auction) {
    const auto seats = auction.match.seats();
    if (seats.size() != 6 || auction.settings.arena != Arena::twenty) return;
    std::set<std::string> names;
    for (const agon::PlayedSeat& seat : seats) names.emplace(seat.agent);
    if (names.size() != seats.size()) return;  // TrueSkill has no place for two of a kind
    Arena6& arena = arenas[{auction.budget(), shared::agents_of(auction.match)}];
    ++arena.matches;
    std::vector<agon::Skill> before;
    std::vector<double> profits;
    for (const agon::PlayedSeat& seat : seats) {
      const std::string agent(seat.agent);
      before.push_back(arena.skills[agent]);
      profits.push_back(auction.match.metric(seat, "profit"));
      arena.profit[agent].add(auction.block, profits.back() / 100);
      arena.items[agent].add(auction.block, auction.match.metric(seat, "items_won"));
    }
    const auto after = agon::trueskill(before, profits);
    for (std::size_t s = 0; s < seats.size(); ++s)
      arena.skills[std::string(seats[s].agent)] = after[s];
  });
  if (arenas.empty())
    throw agon::LacksData{"auctions of twenty items between six different bidders"};
  agon::PaperTable table;
  table.corner = "bidder";
  table.columns = {"TrueSkill mu", "sigma", "profit", "items won", "auctions"};
  using How = agon::TablePlot::How;
  table.units = {"TrueSkill", "TrueSkill", "dollars", "items", "auctions"};
  // The paper's panels, with sigma around mu; then what the ratings are of.
  table.plots = {{.how = How::bars, .columns = {0}, .deviations = {1}, .apart = true},
                 {.columns = {2}},
                 {.columns = {3}}};
  for (const auto& [key, arena] : arenas) {
    shared::add_heading(table, heading(key.first, key.second));
    std::vector<std::pair<std::string, agon::Skill>> order(arena.skills.begin(),
                                                           arena.skills.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.mu > b.second.mu; });
    for (const auto& [agent, skill] : order) {
      agon::TableRow row{"  " + agent, {}};
      row.cells.resize(table.columns.size());
      row.cells[0].ours.value = skill.mu;
      row.cells[1].ours.value = skill.sigma;
      row.cells[2] = {.ours = arena.profit.at(agent).mean(matches.level()), .decimals = 0};
      row.cells[3] = {.ours = arena.items.at(agent).mean(matches.level())};
      row.cells[4].ours.value = arena.matches;
      row.cells[4].decimals = 0;
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "TrueSkill of the final profits, everyone for themselves, equal profits a draw; mu 25, sigma "
      "25/3, beta 25/6, tau 25/300, chance of a draw 0.1, as the paper gives none. Auctions are "
      "rated in the order of the archive, and other orders give other last digits; sigma says how "
      "far ratings have settled, and is no interval. agon report has TrueSkill averaged over "
      "orders.",
      "The paper's figure has bars without printed numbers. Its panels A to D are two budgets and "
      "two rule bidders; the text names D as 20,000 and 5 bids, and A to C are inferred."};
  return table;
}

namespace {

agon::PaperTable rank_table(const agon::PlayedMatches& matches, bool learners_only) {
  struct Rows {
    std::map<std::string, std::vector<agon::Sample>> ranks;  // agent, by position
    std::set<std::string> learners;
  };
  std::map<std::string, Rows> groups;  // by scenario and field
  std::size_t most = 0;
  each_auction(matches, [&](const PlayedAuction& auction) {
    const auto seats = auction.match.seats();
    if (seats.size() != 7) return;
    std::set<std::string> learners;
    for (std::size_t s = 0; s < seats.size(); ++s)
      if (auction.bidders[s].learning) learners.emplace(seats[s].agent);
    if (learners_only && learners.empty()) return;
    Rows& rows =
        groups[fmt::format("{}: {}", auction.match.scenario(), shared::agents_of(auction.match))];
    rows.learners.insert(learners.begin(), learners.end());
    const auto position = static_cast<std::size_t>(auction.match.position());
    most = std::max(most, position + 1);
    for (const agon::PlayedSeat& seat : seats) {
      auto& ranks = rows.ranks[std::string(seat.agent)];
      if (ranks.size() <= position) ranks.resize(position + 1);
      // Equal profits share the mean of their places.
      double rank = 1;
      for (const agon::PlayedSeat& other : seats) {
        const double ahead =
            auction.match.metric(other, "profit") - auction.match.metric(seat, "profit");
        rank += ahead > 0 ? 1 : ahead == 0 && &other != &seat ? 0.5 : 0;
      }
      ranks[position].add(auction.block, rank);
    }
  });
  if (groups.empty())
    throw agon::LacksData{learners_only ? "auctions of seven bidders of which one learns"
                                        : "auctions of seven bidders"};
  agon::PaperTable table;
  table.corner = "mean rank by profit";
  table.curves = {.x = "match", .y = "mean rank"};
  table.units = {"rank"};
  for (std::size_t i = 0; i < most; ++i) table.columns.push_back(fmt::format("match {}", i + 1));
  for (auto& [name, rows] : groups) {
    // The scenario's name; all seven names would be too long.
    std::string words = name.substr(0, name.find(": "));
    for (const std::string& learner : rows.learners) words += ": '" + learner + "' learns";
    shared::add_heading(table, words);
    for (auto& [agent, samples] : rows.ranks) {
      samples.resize(most);
      agon::TableRow row{"  " + agent, {}};
      for (const agon::Sample& sample : samples)
        row.cells.push_back({.ours = sample.mean(matches.level())});
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "Mean rank by final profit in the first, second, ... auction of a sequence: 1 is "
      "best of 7, and equal profits share the mean of their places. n: sequences.",
      "The paper's figures have curves without printed numbers. Its five people are the agents "
      "human-1 to human-5, each with a curve of its own; who played in their places is told "
      "below."};
  return table;
}

}  // namespace

agon::PaperTable ranks(const agon::PlayedMatches& matches) {
  return rank_table(matches, false);
}

agon::PaperTable learner_ranks(const agon::PlayedMatches& matches) {
  return rank_table(matches, true);
}

agon::PaperTable desire_prices(const agon::PlayedMatches& matches) {
  using Prices = std::array<std::vector<double>, 2>;              // profit, items
  std::map<std::pair<std::size_t, std::string>, Prices> budgets;  // by length first: 5000 < 10000
  each_auction(matches, [&](const PlayedAuction& auction) {
    std::set<Desire> desires;
    for (const Bidder& bidder : auction.bidders) desires.insert(bidder.desire);
    if (desires != std::set<Desire>{Desire::profit, Desire::items}) return;
    const std::string budget = auction.budget();
    Prices& prices = budgets[{budget.size(), budget}];
    for (const HammerFall& fall : sales(auction)) {
      if (fall.winner < 0) continue;
      const Desire desire = auction.bidders[static_cast<std::size_t>(fall.winner)].desire;
      prices[desire == Desire::profit ? 0 : 1].push_back(fall.price);
    }
  });
  if (budgets.empty())
    throw agon::LacksData{"auctions of bidders after profit against bidders after items"};
  agon::PaperTable table;
  table.corner = "winning bid";
  table.columns = {"profit: wins", "profit: density", "items: wins", "items: density"};
  table.units = {"items", "per 1000 dollars", "items", "per 1000 dollars"};
  table.plots = {{.how = agon::TablePlot::How::bars, .columns = {0, 2}, .apart = true}};
  for (const auto& [key, prices] : budgets) {
    double high = 0;
    for (const auto& list : prices)
      for (const double price : list) high = std::max(high, price);
    // Parts of 500 dollars, or of a multiple if these were more than 40.
    constexpr double kMostParts = 40;
    const double width = 500 * std::max(1.0, std::ceil(high / (500 * kMostParts)));
    const int parts = std::max(1, static_cast<int>(std::floor(high / width)) + 1);
    std::vector<double> centres;
    for (int i = 0; i < parts; ++i) centres.push_back((i + 0.5) * width);
    std::array<std::vector<double>, 2> counts, curves;
    for (std::size_t d = 0; d < prices.size(); ++d) {
      counts[d] = agon::histogram(prices[d], 0, parts * width, parts);
      curves[d] = agon::density(prices[d], centres);
    }
    shared::add_heading(table, "budget " + key.second);
    for (std::size_t i = 0; i < centres.size(); ++i) {
      agon::TableRow row{
          fmt::format("  {:.0f} to {:.0f}", centres[i] - width / 2, centres[i] + width / 2), {}};
      for (std::size_t d = 0; d < prices.size(); ++d) {
        agon::TableCell wins{.decimals = 0}, curve{.decimals = 4};
        wins.ours.value = counts[d][i];
        curve.ours.value = curves[d][i] * 1000;
        row.cells.push_back(wins);
        row.cells.push_back(curve);
      }
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "Items won for a price within the part (its lower end counts, its upper one does not), by "
      "what the winner was after; density: Gaussian kernel with Scott's bandwidth, per 1000 "
      "dollars, in the middle of the part.",
      "The paper's figure has histograms and curves without printed numbers."};
  return table;
}

}  // namespace english_auction
