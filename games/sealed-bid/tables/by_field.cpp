// A bidder among rivals of one kind: what planning before a bid and reflecting after it are worth
// against weak fields and strong ones.

#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <algorithm>
#include <map>

#include "sealed-bid/tables/sums.hpp"
#include "sealed-bid/tables/tables.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {

namespace {

/// A factor or label of a seat's agent; empty: it has none of that name.
std::string factor(const agon::PlayedSeat& seat, std::string_view name) {
  if (seat.factors.empty()) return {};
  const agon::JsonDocument factors(std::string(seat.factors), "factors");
  const auto level = factors.root().find(name);
  if (!level || level->kind() != agon::JsonNode::Kind::text) return {};
  return std::string(level->text());
}

/// "bidder, plan-bid-reflect": how an agent goes about a round, where factors made it; else its
/// name.
std::string architecture(const agon::PlayedSeat& seat) {
  const std::string planning = factor(seat, "planning"), learning = factor(seat, "learning");
  if (planning.empty() || learning.empty()) return std::string(seat.agent);
  return fmt::format("{}, {}bid{}", seat.base, planning == "none" ? "" : "plan-",
                     learning == "none" ? "" : "-reflect");
}

/// The one seat that is not of the field; null: there is no field.
const agon::PlayedSeat* outsider(std::span<const agon::PlayedSeat> seats) {
  if (seats.size() < 3) return nullptr;
  for (const agon::PlayedSeat& one : seats) {
    const agon::PlayedSeat& other = &one == &seats[0] ? seats[1] : seats[0];
    if (one.agent == other.agent) continue;
    if (std::all_of(seats.begin(), seats.end(), [&](const agon::PlayedSeat& s) {
          return &s == &one || s.agent == other.agent;
        }))
      return &one;
  }
  return nullptr;
}

struct PerRound {
  double profit = 0, rounds = 0;
};
/// By block.
using Blocks = std::map<std::string, PerRound>;

constexpr std::string_view kWith = ", plan-bid-reflect", kWithout = ", bid";

}  // namespace

agon::PaperTable by_field(const agon::PlayedMatches& matches) {
  std::map<std::string, std::map<std::string, std::map<std::string, Blocks>>> all;
  std::map<std::string, PerRound> shares;  // of a field: bids and values, for the order of columns
  matches.each([&](const agon::PlayedMatch& match) {
    const std::optional<Settings> settings = settings_of(match);
    const agon::PlayedSeat* one = outsider(match.seats());
    if (!settings || one == nullptr) return;
    const agon::PlayedSeat& rival = one == &match.seats()[0] ? match.seats()[1] : match.seats()[0];
    std::string field = factor(rival, "field");
    if (field.empty()) field = rival.agent;
    shares[field].profit += match.metric(rival, "bid_sum");
    shares[field].rounds += match.metric(rival, "value_sum");
    PerRound& sum = all[std::string(shared::name_of(settings->payment))][architecture(*one)][field]
                       [shared::block_of(match)];
    sum.profit += match.metric(*one, "profit");
    sum.rounds += match.metric(*one, "rounds");
  });
  if (all.empty())
    throw agon::LacksData{"matches of sealed bids in which one agent meets a field of another"};
  std::vector<std::string> fields;
  for (const auto& [field, share] : shares) fields.push_back(field);
  std::sort(fields.begin(), fields.end(), [&](const std::string& a, const std::string& b) {
    return shares[a].profit * shares[b].rounds < shares[b].profit * shares[a].rounds;
  });
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidder";
  for (const std::string& field : fields) table.columns.push_back("against " + field);
  for (const auto& [payment, rows] : all) {
    std::string heading = payment;
    std::replace(heading.begin(), heading.end(), '_', ' ');
    table.rows.push_back({heading, std::vector<agon::TableCell>(fields.size())});
    for (const auto& [name, played] : rows) {
      agon::TableRow row{"  " + name, {}};
      for (const std::string& field : fields) {
        agon::Sample profit;
        if (const auto at = played.find(field); at != played.end())
          for (const auto& [block, sum] : at->second) profit.add(block, sum.profit, sum.rounds);
        row.cells.push_back(shared::cell(profit.mean(level), 2));
      }
      table.rows.push_back(std::move(row));
      if (!name.ends_with(kWith)) continue;
      // The same values with the same rivals, without planning and reflecting.
      const std::string base = name.substr(0, name.size() - kWith.size());
      const auto without = rows.find(base + std::string(kWithout));
      if (without == rows.end()) continue;
      agon::TableRow worth{"    planning and reflecting bring", {}};
      for (const std::string& field : fields) {
        agon::Sample change;
        const auto a = played.find(field), b = without->second.find(field);
        if (a != played.end() && b != without->second.end())
          for (const auto& [block, sum] : a->second)
            if (const auto same = b->second.find(block); same != b->second.end())
              change.add(block,
                         sum.profit / sum.rounds - same->second.profit / same->second.rounds);
        worth.cells.push_back(shared::cell(change.mean(level), 2));
      }
      table.rows.push_back(std::move(worth));
    }
  }
  table.notes = {
      "Profit a round, in whole money. One bidder meets rivals that are all one agent; columns are "
      "in the order of how much of their values these bid, the weakest first. A field is named by "
      "its label `field`, else by its agent.",
      "\"Planning and reflecting bring\": plan-bid-reflect less bid, block by block, with the same "
      "values."};
  return table;
}

}  // namespace sealed_bid
