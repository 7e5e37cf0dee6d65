#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <algorithm>
#include <map>

#include "sealed-bid/tables/tables.hpp"
#include "shared/auction-values/tables.hpp"
#include "shared/tables.hpp"

// Sealed bids with independent values: the payments in the published loop, and everything that was
// varied as a check.

namespace sealed_bid {
namespace {

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
    const auto played = shared::settings_of<Settings>(match);
    if (!played || played->intervention != Intervention::none) return;
    if (played->values != auction_values::ValueModel::independent) return;
    const std::string differs = variant(*played);
    if (!variants && !differs.empty()) return;
    rows[{auction_values::bidders_of(match), short_name(played->payment) + differs}].add(match);
  });
  return rows;
}

agon::PaperTable made_of(Rows rows, double level) {
  const shared::PublishedTable& printed = published("llm-auctions/formats");
  for (const std::string& row : printed.rows()) rows[row_key(row)];
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"revenue",   "efficiency", "bid = value (%)", "within 1 (%)",
                   "below (%)", "above (%)",  "mean |b - v|",    "SMAD (%)"};
  table.units = {"currency", "share",   "percent",  "percent",
                 "percent",  "percent", "currency", "percent of the equilibrium bid"};
  for (const auto& [key, sums] : rows) {
    const auto& [agent, label] = key;
    table.rows.push_back(
        {agent + ": " + label,
         {shared::cell(sums.revenue.mean(level), 1), shared::cell(sums.efficiency.share(level), 2),
          shared::percent(sums.exact.share(level), 1), shared::percent(sums.near.share(level), 1),
          shared::percent(sums.below.share(level), 1), shared::percent(sums.above.share(level), 1),
          shared::cell(sums.error.mean(level), 2),
          shared::percent(sums.off_equilibrium(level), 1)}});
  }
  printed.fill(table);
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
  agon::PaperTable table = made_of(std::move(rows), matches.level());
  using How = agon::TablePlot::How;
  table.plots = {{.how = How::bars, .columns = {0}, .title = "revenue"},
                 {.how = How::bars, .columns = {1}, .title = "efficiency"},
                 {.how = How::bars, .columns = {2, 3, 4, 5}, .title = "bids beside values"},
                 {.how = How::dots, .columns = {6}, .title = "distance from the value"},
                 {.how = How::dots, .columns = {7}, .title = "distance from the equilibrium"}};
  return table;
}

agon::PaperTable robustness(const agon::PlayedMatches& matches) {
  Rows rows = collect_formats(matches, true);
  if (rows.empty()) throw agon::LacksData{"matches of sealed bids with independent values"};
  return made_of(std::move(rows), matches.level());
}

}  // namespace sealed_bid

// The second price under seven ways to tell it.

namespace sealed_bid {
agon::PaperTable interventions(const agon::PlayedMatches& matches) {
  std::map<std::pair<std::string, Intervention>, Sums> all;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto played = shared::settings_of<Settings>(match);
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
  const shared::PublishedTable& printed = published("llm-auctions/interventions");
  for (const std::string& agent : printed.agents())
    for (const agon::Enumerator& e : agon::type_of<Intervention>().enumerators)
      all[{agent, static_cast<Intervention>(e.value)}];
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"R2", "SS above", "SS below", "share above", "bids", "|b - v| less none's"};
  table.units = {"R2", "squares", "squares", "share", "bids", "currency"};
  table.plots = {{.columns = {0}, .title = "R2"},
                 {.how = agon::TablePlot::How::bars, .columns = {1, 2}, .title = "sums of squares"},
                 {.columns = {3}, .title = "share above"},
                 {.columns = {5}, .title = "distance from the value, less that of none"}};
  for (const auto& entry : all) {
    const auto& [agent, intervention] = entry.first;
    const Sums& sums = entry.second;
    const auto none = all.find({agent, Intervention::none});
    const bool is_compared = none != all.end() && intervention != Intervention::none;
    const auto ours = [&](double value) { return sums.n > 0 ? value : agon::kNothing; };
    table.rows.push_back(
        {fmt::format("{}: {}", agent, shared::name_of(intervention)),
         {shared::number(ours(sums.r_squared()), 4), shared::number(ours(sums.squares_above), 0),
          shared::number(ours(sums.squares_below), 0), shared::number(ours(sums.share_above()), 4),
          shared::number(ours(sums.n), 0),
          is_compared ? shared::cell(sums.error.minus(none->second.error, level), 2)
                      : agon::TableCell{}}});
  }
  printed.fill(table);
  table.notes = {
      "R2: 1 - sum (b - v)^2 / sum (b - mean b)^2: against the spread of the bids, not of the "
      "values. SS: sums of (b - v)^2 over bids above and below the value; share above: of these "
      "sums, not of the bids. All seven published rows follow from the logs by these definitions.",
      "|b - v| less none's: how much farther from the value bids are than without intervention, "
      "draw by draw with the same values; n: draws. It is not in the paper.",
  };
  return table;
}

}  // namespace sealed_bid

// A bidder among rivals of one kind: what planning before a bid and reflecting after it are worth
// against weak fields and strong ones.

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

/// Profits by bidder and the field that it meets.
using Bidders = std::map<std::string, std::map<std::string, agon::Sample>>;

/// Profits by payment, and by field the sums of bids and of values.
struct FieldPlay {
  std::map<std::string, Bidders> profits;
  std::map<std::string, PerRound> shares;
};

constexpr std::string_view kWith = ", plan-bid-reflect", kWithout = ", bid";

FieldPlay collect_field_play(const agon::PlayedMatches& matches) {
  FieldPlay all;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto settings = shared::settings_of<Settings>(match);
    const agon::PlayedSeat* one = outsider(match.seats());
    if (!settings || one == nullptr) return;
    const agon::PlayedSeat& rival = one == &match.seats()[0] ? match.seats()[1] : match.seats()[0];
    std::string field = factor(rival, "field");
    if (field.empty()) field = rival.agent;
    all.shares[field].profit += match.metric(rival, "bid_sum");
    all.shares[field].rounds += match.metric(rival, "value_sum");
    all.profits[std::string(shared::name_of(settings->payment))][architecture(*one)][field].add(
        shared::block_of(match), match.metric(*one, "profit"), match.metric(*one, "rounds"));
  });
  if (all.profits.empty())
    throw agon::LacksData{"matches of sealed bids in which one agent meets a field of another"};
  return all;
}

/// Fields by the share of their values that they bid, the lowest first.
std::vector<std::string> fields_of(std::map<std::string, PerRound> shares) {
  std::vector<std::string> fields;
  for (const auto& [field, share] : shares) fields.push_back(field);
  std::sort(fields.begin(), fields.end(), [&](const std::string& a, const std::string& b) {
    return shares[a].profit * shares[b].rounds < shares[b].profit * shares[a].rounds;
  });
  return fields;
}

/// What planning and reflecting bring to a bidder that does both: the same values with the same
/// rivals, minus what it gets without. Nothing where that was not played.
std::optional<agon::TableRow> worth_of_planning(const Bidders& bidders, const std::string& name,
                                                const std::vector<std::string>& fields,
                                                double level) {
  if (!name.ends_with(kWith)) return std::nullopt;
  const std::string base = name.substr(0, name.size() - kWith.size());
  const auto with = bidders.find(name), without = bidders.find(base + std::string(kWithout));
  if (without == bidders.end()) return std::nullopt;
  agon::TableRow worth{"    planning and reflecting bring", {}};
  for (const std::string& field : fields) {
    const auto a = with->second.find(field), b = without->second.find(field);
    worth.cells.push_back(a == with->second.end() || b == without->second.end()
                              ? agon::TableCell{}
                              : shared::cell(a->second.minus(b->second, level), 2));
  }
  return worth;
}

}  // namespace

agon::PaperTable by_field(const agon::PlayedMatches& matches) {
  const FieldPlay all = collect_field_play(matches);
  const std::vector<std::string> fields = fields_of(all.shares);
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidder";
  table.units = {"currency"};
  for (const std::string& field : fields) table.columns.push_back("against " + field);
  for (const auto& [payment, bidders] : all.profits) {
    std::string heading = payment;
    std::replace(heading.begin(), heading.end(), '_', ' ');
    shared::add_heading(table, heading);
    for (const auto& [name, played] : bidders) {
      agon::TableRow row{"  " + name, {}};
      for (const std::string& field : fields) {
        const auto at = played.find(field);
        row.cells.push_back(at == played.end() ? agon::TableCell{}
                                               : shared::cell(at->second.mean(level), 2));
      }
      table.rows.push_back(std::move(row));
      if (auto worth = worth_of_planning(bidders, name, fields, level))
        table.rows.push_back(std::move(*worth));
    }
  }
  table.notes = {
      "Profit a round, in whole money. One bidder meets rivals that are all one agent; columns are "
      "in the order of how much of their values these bid, the weakest first. A field is named by "
      "its label `field`, else by its agent.",
      "\"Planning and reflecting bring\": plan-bid-reflect minus bid, block by block, with the "
      "same "
      "values."};
  return table;
}

}  // namespace sealed_bid
