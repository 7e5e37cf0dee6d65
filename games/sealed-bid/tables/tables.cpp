#include "sealed-bid/tables/tables.hpp"

#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <map>

#include "sealed-bid/play.hpp"
#include "sealed-bid/settings.hpp"
#include "shared/auction-values/tables.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {

void add_tables(agon::Registry& registry) {
  shared::add_paper_tables(
      registry, "sealed-bid",
      {
          {"llm-auctions/formats", "bids and revenue by payment, independent values",
           "Shah et al., arXiv:2507.09083, figures of section 3",
           "papers/llm-auctions/formats.json", &formats},
          {"llm-auctions/robustness", "the same with other bidders, rounds, money or no plans",
           "Shah et al., arXiv:2507.09083, appendix", "papers/llm-auctions/robustness.json",
           &robustness},
          {"llm-auctions/interventions", "the second price under seven ways to tell it",
           "Shah et al., arXiv:2507.09083, table of interventions",
           "papers/llm-auctions/interventions.json", &interventions},
          {"llm-auctions/common-values", "the winner's curse with 2 to 6 bidders",
           "Shah et al., arXiv:2507.09083 v1, common values",
           "papers/llm-auctions/common-values.json", &common_values},
          {"experiments/plan-bid-reflect-by-field",
           "planning and reflecting against weak and strong fields",
           "of no figure: an experiment after arXiv:2507.09083",
           "experiments/plan-bid-reflect-by-field.json", &by_field},
          {"llm-auctions/revenue", "revenue and efficiency of clocks and sealed bids",
           "worked out from the logs of arXiv:2507.09083", "papers/llm-auctions/table-1.json",
           &revenues, false, "clock-auction"},
      });
  registry.add(shared::own_table("sealed-bid/bids", "bids by value, and the equilibrium",
                                 "sealed-bid", &bids_by_value));
}

void Sums::add(const agon::PlayedMatch& match) {
  const std::string block = shared::block_of(match);
  const double rounds = match.metric("rounds");
  revenue.add(block, match.metric("revenue_sum"), rounds);
  efficiency.add(block, match.metric("efficient"), rounds);
  lost_money.add(block, match.metric("losses"), rounds);
  winner_profit.add(block, match.metric("bidder_profit"), rounds);
  for (const agon::PlayedSeat& seat : match.seats()) {
    const auto metric = [&](const char* name) { return match.metric(seat, name); };
    n += rounds;
    bids += metric("bid_sum");
    bid_squares += metric("bid_squares");
    squares_above += metric("squares_above");
    squares_below += metric("squares_below");
    profit.add(block, metric("profit"), rounds);
    exact.add(block, metric("exact_bids"), rounds);
    near.add(block, metric("near_bids"), rounds);
    above.add(block, metric("overbids"), rounds);
    below.add(block, metric("underbids"), rounds);
    error.add(block, metric("error_sum"), rounds);
    smad.add(block, metric("benchmark_error_sum"), metric("benchmark_sum"));
    over_estimate.add(block, metric("bid_sum") - metric("value_sum"), rounds);
    should_be.add(block, metric("benchmark_sum") - metric("value_sum"), rounds);
  }
}

agon::Figure Sums::off_equilibrium(double level) const {
  agon::Figure figure = smad.mean(level);
  figure.n = agon::kNothing;  // of money, which says nothing
  return figure;
}

double Sums::r_squared() const {
  const double spread = n * bid_squares - bids * bids;
  return spread > 0 ? 1 - n * (squares_above + squares_below) / spread : agon::kNothing;
}

double Sums::share_above() const {
  const double all = squares_above + squares_below;
  return all > 0 ? squares_above / all : agon::kNothing;
}

std::pair<std::string, std::string> row_key(const std::string& label) {
  const std::size_t colon = label.find(": ");
  return {label.substr(0, colon), label.substr(colon + 2)};
}

std::string short_name(Payment payment) {
  return std::string(auction_values::format_name(shared::name_of(payment)));
}

}  // namespace sealed_bid

// What is bid, by what the bidder sees, beside the equilibrium: the game's own table.

namespace sealed_bid {

agon::PaperTable bids_by_value(const agon::PlayedMatches& matches) {
  shared::ValueCurves curves;
  shared::KnownSettings<Settings> known;
  matches.each([&](const agon::PlayedMatch& match) {
    const Settings* settings = known.of(match);
    if (settings == nullptr) return;
    const auction_values::Contest contest_of =
        contest(settings->payment, auction_values::source_of(*settings), settings->bidders);
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    auction_values::PerBidder seen;
    agon::each_said<kValues, kSold>(
        match,
        agon::Overloaded{
            [&](const ValuesDrawn& drawn) { seen = drawn.values; },
            [&](const Sold& sold) {
              const std::size_t bidders =
                  std::min({sold.bids.size(), seen.size(), match.seats().size()});
              for (std::size_t s = 0; s < bidders; ++s)
                curves.add(
                    heading, std::string(match.seats()[s].agent), block, seen[s], sold.bids[s],
                    auction_values::equilibrium_bid(contest_of, seen[s]).value_or(agon::kNothing));
            }});
  });
  return curves.table(
      {.x = "value", .y = "bid", .unit = "currency"}, 1, matches.level(), "equilibrium",
      "recorded rounds with bids",
      {"Mean bid by what the bidder saw: its value, or its estimate of a common value. "
       "Equilibrium: "
       "the mean of the symmetric equilibrium's bids at the same values, where one is known. n: "
       "bids."});
}

}  // namespace sealed_bid

// Revenue and efficiency of clocks and sealed bids with three bidders.

namespace sealed_bid {
namespace {

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
  const shared::PublishedTable& printed = published("llm-auctions/revenue");
  for (const std::string& row : printed.rows()) all[row_key(row)];
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"revenue", "efficiency", "second value"};
  table.units = {"currency", "share", "currency"};
  for (const auto& [key, takings] : all) {
    const auto& [agent, label] = key;
    table.rows.push_back({agent + ": " + label,
                          {shared::cell(takings.revenue.mean(level), 2),
                           shared::cell(takings.efficiency.share(level), 2),
                           shared::cell(takings.second_value.mean(level), 2)}});
  }
  printed.fill(table);
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

// A common value: what winning costs as bidders get more.

namespace sealed_bid {

agon::PaperTable common_values(const agon::PlayedMatches& matches) {
  std::map<std::pair<std::string, int>, Sums> all;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto played = shared::settings_of<Settings>(match);
    if (!played || played->payment != Payment::second_price ||
        played->values != auction_values::ValueModel::common)
      return;
    all[{auction_values::bidders_of(match), played->bidders}].add(match);
  });
  if (all.empty()) throw agon::LacksData{"matches of the second price with a common value"};
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"winner's profit",        "won at a loss (%)", "bid - estimate",
                   "equilibrium - estimate", "SMAD (%)",          "revenue"};
  table.units = {"currency", "percent", "currency", "currency", "percent of the equilibrium bid",
                 "currency"};
  table.plots = {
      {.how = agon::TablePlot::How::bars, .columns = {0}, .title = "profit of the winner"},
      {.columns = {1}, .title = "won at a loss"},
      {.columns = {2, 3}, .title = "bids beside estimates"},
      {.columns = {4}, .title = "distance from the equilibrium"},
      {.columns = {5}, .title = "revenue"}};
  for (const auto& [key, sums] : all)
    table.rows.push_back({key.first + ": " + std::to_string(key.second),
                          {shared::cell(sums.winner_profit.mean(level), 2),
                           shared::percent(sums.lost_money.share(level), 1),
                           shared::cell(sums.over_estimate.mean(level), 2),
                           shared::cell(sums.should_be.mean(level), 2),
                           shared::percent(sums.off_equilibrium(level), 1),
                           shared::cell(sums.revenue.mean(level), 1)}});
  table.notes = {
      "The published figures of this experiment are drawn and not printed as numbers. Winner's "
      "curse: bids near the estimate lose money, the more bidders the more; the equilibrium bids "
      "what the item is worth on average if the highest rival sees the same.",
  };
  return table;
}

}  // namespace sealed_bid
