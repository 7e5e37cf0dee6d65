// What desires and talk do to an auction: who gains, who pays, and whether bidders keep out of each
// other's way.

#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <map>
#include <tuple>

#include "english-auction/items.hpp"
#include "english-auction/tables/tables.hpp"
#include "shared/tables.hpp"

namespace english_auction {

namespace {

/// Figures of one treatment; `less_` are differences to the plain auction of the same block.
struct Treated {
  agon::Sample efficiency, competitive, gain, less_gain, surplus, less_surplus, uncontested, turns;
  double auctions = 0;
  bool is_plain = false;
};

/// Who bids: "3 buyers", "3 buyers and 1 shill", "3 buyers, 1 of them spiteful".
struct Company {
  std::int64_t buyers = 0, shills = 0, spiteful = 0;

  explicit Company(const Settings& settings) {
    for (const Bidder& b : bidders_at_seats(settings)) {
      if (b.desire == Desire::absent) continue;
      ++(b.desire == Desire::shill ? shills : buyers);
      spiteful += b.desire == Desire::spite ? 1 : 0;
    }
  }
  [[nodiscard]] bool is_plain() const { return shills + spiteful == 0; }
  [[nodiscard]] std::string text() const {
    std::string text = fmt::format("{} {}", buyers, buyers == 1 ? "buyer" : "buyers");
    if (spiteful > 0) text += fmt::format(", {} of them spiteful", spiteful);
    if (shills > 0) text += fmt::format(" and {} {}", shills, shills == 1 ? "shill" : "shills");
    return text;
  }
};

/// What else tells auctions apart, that are otherwise played for the same comparison.
std::string frame(const Settings& s, const agon::PlayedMatch& match) {
  std::string text = shared::agents_of(match);
  if (s.value_spread > 0) text += fmt::format("; values +-{}%", s.value_spread);
  if (!s.given_values.empty()) text += "; given values";
  if (s.warn) text += "; warned";
  if (s.seller) text += fmt::format("; reserve {}", shared::name_of(s.reserve));
  return text;
}

/// Money is in cents.
double dollars(double cents) {
  return cents / 100;
}

}  // namespace

agon::PaperTable laboratory(const agon::PlayedMatches& matches) {
  struct Auction {
    std::string frame, block, what;
    std::int64_t buyers;
    bool is_plain;
    double efficiency, competitive, gain, surplus, uncontested, turns;
  };
  std::vector<Auction> all;
  // The plain auctions: sums over those that share a block.
  struct Plain {
    double gain = 0, surplus = 0, n = 0;
  };
  std::map<std::tuple<std::string, std::string, std::int64_t>, Plain> plain;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto settings = shared::settings_of<Settings>(match);
    if (!settings) return;
    const Company company(*settings);
    Auction a{frame(*settings, match),
              shared::block_of(match),
              company.text() + (settings->talk > 0 ? ", talk" : ""),
              company.buyers,
              company.is_plain() && settings->talk == 0,
              match.metric("efficiency"),
              match.metric("revenue_to_competitive"),
              dollars(match.metric("seller_gain")),
              dollars(match.metric("surplus")),
              match.metric("uncontested_share"),
              match.metric("rotation") - match.metric("rotation_by_chance")};
    if (a.is_plain) {
      Plain& p = plain[{a.frame, a.block, a.buyers}];
      p.gain += a.gain;
      p.surplus += a.surplus;
      ++p.n;
    }
    all.push_back(std::move(a));
  });
  if (all.empty()) throw agon::LacksData{"auctions"};
  std::map<std::string, std::map<std::string, Treated>> frames;
  for (const Auction& a : all) {
    Treated& t = frames[a.frame][a.what];
    t.efficiency.add(a.block, a.efficiency);
    t.competitive.add(a.block, a.competitive);
    t.gain.add(a.block, a.gain);
    t.surplus.add(a.block, a.surplus);
    t.uncontested.add(a.block, a.uncontested);
    t.turns.add(a.block, a.turns);
    ++t.auctions;
    t.is_plain = a.is_plain;
    const auto at = plain.find({a.frame, a.block, a.buyers});
    if (at == plain.end()) continue;
    t.less_gain.add(a.block, a.gain - at->second.gain / at->second.n);
    t.less_surplus.add(a.block, a.surplus - at->second.surplus / at->second.n);
  }
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"auctions",       "efficiency",      "of competitive",
                   "seller's gain",  "seller's change", "buyers' gain",
                   "buyers' change", "uncontested",     "turns"};
  for (const auto& [name, treatments] : frames) {
    table.rows.push_back({name, std::vector<agon::TableCell>(table.columns.size())});
    for (const auto& [what, t] : treatments) {
      table.rows.push_back(
          {"  " + what,
           {shared::number(t.auctions, 0), shared::cell(t.efficiency.mean(level), 3),
            shared::cell(t.competitive.mean(level), 3), shared::cell(t.gain.mean(level), 0),
            t.is_plain ? agon::TableCell{.text = "-"} : shared::cell(t.less_gain.mean(level), 0),
            shared::cell(t.surplus.mean(level), 0),
            t.is_plain ? agon::TableCell{.text = "-"} : shared::cell(t.less_surplus.mean(level), 0),
            shared::cell(t.uncontested.mean(level), 2), shared::cell(t.turns.mean(level), 2)}});
    }
  }
  table.notes = {
      "Dollars an auction. Buyers are the bidders that are no shills; the seller gains what they "
      "pay, less what the items cost it. \"Of competitive\": revenue over what buyers pay who all "
      "go "
      "up to their own values.",
      "Change: less the auction of the same agents and the same values with as many buyers, all "
      "after profit, in which nobody talks.",
      "Uncontested: share of the items sold for which the winner alone made a bid. Turns: how much "
      "more often the winner changes from sale to sale than if the same sales came in any order; "
      "0: "
      "by chance."};
  return table;
}

}  // namespace english_auction
