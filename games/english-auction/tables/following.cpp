#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "english-auction/tables/auction.hpp"
#include "english-auction/tables/tables.hpp"

namespace english_auction {
namespace {

constexpr const char* kTwoOfAKind = "auctions between two bidders of one kind";

/// The paper's table 1: initial plan and bids, initial plan and wins, current plan and bids,
/// current plan and wins.
struct PrintedRho {
  const char* model;
  std::array<double, 4> rho;
};
constexpr PrintedRho kPrintedRho[] = {{"PaLM-2", {.0574, .0269, .0084, .0477}},
                                      {"Claude-1.2", {.2378, .1152, .4628, .3700}},
                                      {"Claude-2", {.3110, .2456, .6254, .5405}},
                                      {"GPT-3.5", {.1254, .0833, .4069, .3124}},
                                      {"GPT-4", {.1570, .1717, .6221, .3797}}};

/// Pairs of an agent: a priority with the bids for the item, and with winning it.
struct Pairs {
  std::vector<double> priority, bids, wins;
};
struct Follower {
  Pairs initial, current;
};

void add_pair(Pairs& pairs, const agon::JsonNode& priority, double bids, double won) {
  if (priority.kind() == agon::JsonNode::Kind::null) return;
  pairs.priority.push_back(priority.number());
  pairs.bids.push_back(bids);
  pairs.wins.push_back(won);
}

/// Agents that made plans, in the auctions that `counts`; where a line-up is about one agent, only
/// that one.
template <class Counts>
std::map<std::string, Follower> followers(const agon::PlayedMatches& matches, Counts counts) {
  std::map<std::string, Follower> agents;
  each_auction(matches, [&](const PlayedAuction& auction) {
    if (!counts(auction)) return;
    for (const agon::PlayedEntry& entry : auction.match.entries()) {
      if (entry.what != agon::PlayedEntry::What::event || entry.name != "engagement") continue;
      const agon::JsonDocument document(entry.json, "record");
      const agon::JsonNode note = document.root();
      const auto bidder = static_cast<std::size_t>(auction.seat_of(note["bidder"].text()));
      const std::string_view agent = auction.match.seats()[bidder].agent;
      const std::string_view focal = auction.match.focal();
      if (!focal.empty() && agent != focal) continue;
      Follower& follower = agents[std::string(agent)];
      const double bids = note["bids"].number();
      const double won = note["won"].truth() ? 1 : 0;
      add_pair(follower.initial, note["initial_priority"], bids, won);
      add_pair(follower.current, note["current_priority"], bids, won);
    }
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
  for (const auto& [agent, follower] : agents) {
    agon::TableRow rho{agent, {}}, p{"  p", {}};
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
  for (const PrintedRho& printed : kPrintedRho) agents[printed.model];
  agon::PaperTable table = correlations(agents);
  for (agon::TableRow& row : table.rows)
    for (const PrintedRho& printed : kPrintedRho)
      for (std::size_t c = 0; row.label == printed.model && c < row.cells.size(); ++c)
        row.cells[c].published = printed.rho[c];
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

}  // namespace english_auction
