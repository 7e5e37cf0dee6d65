#include "english-auction/tables/tables.hpp"

#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "english-auction/play.hpp"
#include "english-auction/settings.hpp"
#include "shared/tables.hpp"

namespace english_auction {

void add_tables(agon::Registry& registry) {
  shared::add_paper_tables(
      registry, "english-auction",
      {
          {"aucarena/table-1", "whether bids follow plans: rank correlations of priorities",
           "Chen et al. 2023, table 1", "papers/aucarena/figure-2.json", &plan_following, true},
          {"aucarena/plans", "whether bids follow plans, in auctions of any bidders",
           "after Chen et al. 2023, section 4", "papers/aucarena/figure-2.json", &plans_of_all,
           true},
          {"aucarena/figure-2", "corrected failure rates of bids and beliefs",
           "Chen et al. 2023, figure 2", "papers/aucarena/figure-2.json", &failure_rates},
          {"aucarena/figure-3", "profit by planning strategy", "Chen et al. 2023, figure 3",
           "papers/aucarena/figure-3.json", &planning_profits},
          {"aucarena/figure-4", "priorities over the auction, budget 10,000",
           "Chen et al. 2023, figure 4", "papers/aucarena/figure-4.json", &priorities_10k, true},
          {"aucarena/figure-5", "TrueSkill of models and a rule bidder",
           "Chen et al. 2023, figure 5", "papers/aucarena/figure-5.json", &skills},
          {"aucarena/figure-6", "rank by profit, match by match", "Chen et al. 2023, figure 6",
           "papers/aucarena/figure-6.json", &ranks},
          {"aucarena/figure-7", "winning bids by desire: histogram and density",
           "Chen et al. 2023, figure 7", "papers/aucarena/figure-7.json", &desire_prices, true},
          {"aucarena/figure-8", "priorities over the auction, budget 20,000",
           "Chen et al. 2023, figure 8", "papers/aucarena/figure-8.json", &priorities_20k, true},
          {"aucarena/figure-9",
           "money left after each item, by order of items and planning strategy",
           "Chen et al. 2023, figure 9", "papers/aucarena/figure-4.json", &budgets_left, true},
          {"experiments/shill-and-collusion",
           "what shilling, spite and talk cost buyers and bring the seller",
           "of no figure: experiments that Chen et al. 2023 name as the next ones",
           "experiments/shill-and-collusion.json", &laboratory},
          {"aucarena/figure-10", "rank by profit, match by match, of bidders that learn",
           "Chen et al. 2023, figure 10", "papers/aucarena/figure-10.json", &learner_ranks},
      });
  registry.add(shared::own_table("english-auction/price-paths", "how prices rise, round by round",
                                 "english-auction", &price_paths));
  registry.add(shared::own_table("english-auction/hammer-prices",
                                 "what winners pay of what items are worth, item by item",
                                 "english-auction", &hammer_prices));
}

std::string PlayedAuction::budget() const {
  const auto [low, high] =
      std::minmax_element(bidders.begin(), bidders.end(),
                          [](const Bidder& a, const Bidder& b) { return a.budget < b.budget; });
  const auto dollars = [](agon::Money m) {
    return fmt::format("{:g}", static_cast<double>(m.cents) / 100);
  };
  return low->budget == high->budget ? dollars(low->budget)
                                     : dollars(low->budget) + "-" + dollars(high->budget);
}

bool PlayedAuction::one_agent() const {
  const auto seats = match.seats();
  return std::all_of(seats.begin(), seats.end(),
                     [&](const agon::PlayedSeat& s) { return s.agent == seats[0].agent; });
}

bool PlayedAuction::has_all_plannings() const {
  std::set<Planning> seen;
  for (const Bidder& bidder : bidders) seen.insert(bidder.planning);
  return bidders.size() == 3 && seen.size() == 3;
}

std::string PlayedAuction::fixed_places() const {
  std::string places;
  for (std::size_t i = 0; i < settings.order.size(); ++i)
    if (settings.order[i] != "*")
      places += fmt::format("{}{} {}", places.empty() ? "" : ", ", settings.order[i], i + 1);
  return places;
}

int PlayedAuction::seat_of(std::string_view bidder) const {
  for (std::size_t s = 0; s < bidders.size(); ++s)
    if (bidders[s].name == bidder) return static_cast<int>(s);
  return -1;
}

void each_auction(const agon::PlayedMatches& matches,
                  const std::function<void(const PlayedAuction&)>& each) {
  // Matches of a scenario come one after the other and share their settings.
  std::string last;
  Settings settings;
  matches.each([&](const agon::PlayedMatch& match) {
    if (last != match.settings()) {
      settings = Settings();
      if (const auto problem = agon::read_json(settings, match.settings(), agon::Missing::keeps))
        throw agon::Error(agon::ErrorKind::invalid,
                          "the settings of a match cannot be read: " + problem->text(), {},
                          "make the table with the version of the game that played the matches");
      last = match.settings();
    }
    if (settings.seller) return;  // no paper's auction has one
    std::vector<Bidder> bidders = bidders_at_seats(settings);
    if (bidders.size() != match.seats().size())
      throw agon::Error(agon::ErrorKind::invalid,
                        fmt::format("a match has {} seats, and its settings {} bidders",
                                    match.seats().size(), bidders.size()),
                        {}, "take a copy of the archive from before it was changed");
    each({match, settings, std::move(bidders), shared::block_of(match)});
  });
}

std::string_view name_of(Planning planning) {
  return planning == Planning::none ? "none" : planning == Planning::once ? "static" : "adaptive";
}

std::vector<HammerFall> sales(const PlayedAuction& auction) {
  std::vector<HammerFall> all;
  agon::each_said<kHammer>(auction.match, [&](const Sale& sale) {
    HammerFall& fall = all.emplace_back();
    if (!sale.winner) return;
    fall.winner = auction.seat_of(*sale.winner);
    fall.price = agon::to_double(sale.price.value());
  });
  return all;
}

}  // namespace english_auction

// How prices rise, and what winners pay: the game's own tables.

namespace english_auction {
namespace {

/// The bidding for one item that was sold, in dollars.
struct Bidding {
  double start = 0;
  std::vector<double> rounds{};  ///< the leading bid after each
  double price = 0;
  double value = agon::kNothing;  ///< true value; not known where it is the winner's own
  std::string winner{};
};

/// The items of a match in the order of sale; unsold ones have no winner.
std::vector<Bidding> biddings_of(const agon::PlayedMatch& match) {
  std::vector<Bidding> items;
  const auto dollars = [](const std::optional<agon::Money>& amount) {
    return amount ? agon::to_double(*amount) : agon::kNothing;
  };
  agon::each_said<kLot, kRound, kHammer>(
      match, agon::Overloaded{
                 [&](const LotOpened& lot) { items.push_back({.start = dollars(lot.price)}); },
                 [&](const RoundClosed& round) {
                   if (!items.empty()) items.back().rounds.push_back(dollars(round.leading_bid));
                 },
                 [&](const Sale& sale) {
                   if (items.empty() || !sale.winner) return;
                   items.back().winner = *sale.winner;
                   items.back().price = dollars(sale.price);
                   items.back().value = dollars(sale.value);
                 }});
  return items;
}

std::string agent_of(const agon::PlayedMatch& match, std::string_view bidder) {
  for (const agon::PlayedSeat& seat : match.seats())
    if (seat.name == bidder) return std::string(seat.agent);
  return std::string(bidder);
}

}  // namespace

agon::PaperTable price_paths(const agon::PlayedMatches& matches) {
  struct Path {
    std::string heading, curve, block;
    std::vector<double> prices;  ///< over the start price: at the start, then after each round
  };
  std::vector<Path> paths;
  std::size_t longest = 0;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const std::string curve = shared::agents_of(match);
    for (const Bidding& lot : biddings_of(match)) {
      if (lot.winner.empty() || !(lot.start > 0)) continue;
      Path path{heading, curve, block, {1}};
      for (const double bid : lot.rounds)
        // Until somebody bids, the price is what the bidding starts at.
        path.prices.push_back(bid >= 0 ? bid / lot.start : path.prices.back());
      path.prices.back() = lot.price / lot.start;
      longest = std::max(longest, path.prices.size());
      paths.push_back(std::move(path));
    }
  });
  if (paths.empty()) throw agon::LacksData{"recorded auctions in which something was sold"};
  longest = std::min(longest, shared::MeanCurves::kMostPlaces);
  shared::MeanCurves curves;
  std::vector<double> at;
  std::vector<std::string> columns;
  for (std::size_t place = 0; place < longest; ++place) {
    at.push_back(static_cast<double>(place));
    columns.push_back(place == 0 ? "start" : std::to_string(place));
    for (const Path& path : paths)
      curves.add(path.heading, path.curve, place, path.block,
                 path.prices[std::min(place, path.prices.size() - 1)]);
  }
  return curves.table({.x = "round of bidding", .y = "price over start price", .at = std::move(at)},
                      {.decimals = 2, .columns = std::move(columns)}, matches.level(),
                      {"Mean of the leading bid over the item's start price, of items that were "
                       "sold; an item that is sold stays at its hammer price. n: items."});
}

agon::PaperTable hammer_prices(const agon::PlayedMatches& matches) {
  shared::MeanCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const std::vector<Bidding> lots = biddings_of(match);
    for (std::size_t l = 0; l < lots.size(); ++l)
      if (!lots[l].winner.empty() && lots[l].value > 0)
        curves.add(heading, agent_of(match, lots[l].winner), l, block,
                   lots[l].price / lots[l].value);
  });
  if (curves.empty())
    throw agon::LacksData{"recorded auctions in which something of a known value was sold"};
  return curves.table(
      {.x = "item, in the order of sale", .y = "hammer price over true value"}, {.decimals = 2},
      matches.level(),
      {"Mean of what winners paid over what the item is worth, by who won it; above "
       "1 the winner lost. n: items won. Items that are worth something else to "
       "everybody are left out."});
}

}  // namespace english_auction

// What desires and talk do to an auction: who gains, who pays, and whether bidders keep out of each
// other's way.

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

/// What an auction contributes.
struct LabAuction {
  std::string frame, block, what;
  std::int64_t buyers;
  bool is_plain;
  double efficiency, competitive, gain, surplus, uncontested, turns;
};

LabAuction auction_of(const agon::PlayedMatch& match, const Settings& settings) {
  const Company company(settings);
  return {frame(settings, match),
          shared::block_of(match),
          company.text() + (settings.talk > 0 ? ", talk" : ""),
          company.buyers,
          company.is_plain() && settings.talk == 0,
          match.metric("efficiency"),
          match.metric("revenue_to_competitive"),
          dollars(match.metric("seller_gain")),
          dollars(match.metric("surplus")),
          match.metric("uncontested_share"),
          match.metric("rotation") - match.metric("rotation_by_chance")};
}

/// By frame and company.
using Frames = std::map<std::string, std::map<std::string, Treated>>;

Frames collect_frames(const agon::PlayedMatches& matches) {
  std::vector<LabAuction> all;
  // The plain auctions: sums over those that share a block.
  struct Plain {
    double gain = 0, surplus = 0, n = 0;
  };
  std::map<std::tuple<std::string, std::string, std::int64_t>, Plain> plain;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto settings = shared::settings_of<Settings>(match);
    if (!settings) return;
    LabAuction a = auction_of(match, *settings);
    if (a.is_plain) {
      Plain& p = plain[{a.frame, a.block, a.buyers}];
      p.gain += a.gain;
      p.surplus += a.surplus;
      ++p.n;
    }
    all.push_back(std::move(a));
  });
  if (all.empty()) throw agon::LacksData{"auctions"};
  Frames frames;
  for (const LabAuction& a : all) {
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
  return frames;
}

}  // namespace

agon::PaperTable laboratory(const agon::PlayedMatches& matches) {
  const Frames frames = collect_frames(matches);
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"auctions",       "efficiency",      "of competitive",
                   "seller's gain",  "seller's change", "buyers' gain",
                   "buyers' change", "uncontested",     "turns"};
  table.units = {"auctions", "share",   "share", "dollars",         "dollars",
                 "dollars",  "dollars", "share", "share of changes"};
  table.plots = {{.columns = {1, 2, 3, 4, 5, 6, 7, 8}}};
  for (const auto& [name, treatments] : frames) {
    shared::add_heading(table, name);
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
      "Change: minus the auction of the same agents and the same values with as many buyers, all "
      "after profit, in which nobody talks.",
      "Uncontested: share of the items sold for which the winner alone made a bid. Turns: how much "
      "more often the winner changes from sale to sale than if the same sales came in any order; "
      "0: "
      "by chance."};
  return table;
}

}  // namespace english_auction
