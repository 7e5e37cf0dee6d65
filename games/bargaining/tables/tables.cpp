#include "bargaining/tables/tables.hpp"

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bargaining/game.hpp"
#include "bargaining/play.hpp"
#include "shared/tables.hpp"

namespace bargaining {

namespace {

/// What one side got, by interests.
struct SideSums {
  std::array<double, kInterests> profit{}, normalised{};
  std::array<agon::Sample, kInterests> share;
};

/// All sessions of one buyer, one seller and one budget factor.
struct Bargains {
  agon::Sample valid, deal, deal_if_valid, deal_mutual, deal_conflict;
  std::array<SideSums, 2> sides;  ///< buyer, seller
};

void add_session(const agon::PlayedMatch& match, Bargains& bargains) {
  const std::string product = product_of(match);
  const auto add = [&](agon::Sample& sample, const char* metric) {
    sample.add(product, match.metric(metric));
  };
  add(bargains.valid, "valid");
  add(bargains.deal, "deal");
  add(bargains.deal_if_valid, "deal_if_valid");
  add(bargains.deal_mutual, "deal_mutual");
  add(bargains.deal_conflict, "deal_conflict");
  const bool closed = match.metric("deal") == 1;
  const std::size_t interest = match.metric("mutual") == 1 ? 0 : 1;
  for (std::size_t side = 0; side < 2; ++side) {
    const agon::PlayedSeat& seat = match.seats()[side];
    SideSums& sums = bargains.sides[side];
    for (const std::size_t i : {interest, kInterests - 1}) {
      const double normalised = match.metric(seat, "snp");
      sums.profit[i] += match.metric(seat, "profit") / 100;
      sums.normalised[i] += normalised;
      if (closed) sums.share[i].add(product, normalised);
    }
  }
}

agon::PaperTable bargains_table(const agon::PlayedMatches& matches) {
  std::map<Pair, Bargains> all;
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    add_session(match, all[pair]);
  });
  agon::PaperTable table;
  std::vector<Pair> pairs;
  for (const auto& [pair, bargains] : all) pairs.push_back(pair);
  name_columns(table, pairs);
  const double level = matches.level();
  const char* unit = "share";
  const auto row = [&](const std::string& label, int decimals, const auto& figure_of) {
    agon::TableRow& made =
        table.rows.emplace_back(agon::TableRow{.label = label, .cells = {}, .unit = unit});
    for (const auto& [key, bargains] : all)
      made.cells.push_back({.ours = figure_of(bargains), .decimals = decimals});
  };
  row("valid rate", 3, [&](const Bargains& b) { return b.valid.share(level); });
  row("deal rate, of all sessions", 3, [&](const Bargains& b) { return b.deal.share(level); });
  row("deal rate, of valid sessions", 3,
      [&](const Bargains& b) { return b.deal_if_valid.share(level); });
  row("  mutual interest", 3, [&](const Bargains& b) { return b.deal_mutual.share(level); });
  row("  conflict", 3, [&](const Bargains& b) { return b.deal_conflict.share(level); });
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string who = side == 0 ? "buyer" : "seller";
    unit = "dollars";
    shared::add_heading(table, who + ": sum of profits, dollars");
    for (std::size_t i = 0; i < kInterests; ++i)
      row(std::string("  ") + kInterestNames[i], 2,
          [&](const Bargains& b) { return agon::Figure{.value = b.sides[side].profit[i]}; });
    unit = "SNP";
    shared::add_heading(table, who + ": SNP, sum of normalised profits");
    for (std::size_t i = 0; i < kInterests; ++i)
      row(std::string("  ") + kInterestNames[i], 2,
          [&](const Bargains& b) { return agon::Figure{.value = b.sides[side].normalised[i]}; });
    unit = "normalised profit a deal";
    shared::add_heading(table, who + ": share, normalised profit a deal");
    for (std::size_t i = 0; i < kInterests; ++i)
      row(std::string("  ") + kInterestNames[i], 3,
          [&](const Bargains& b) { return b.sides[side].share[i].mean(level); });
  }
  table.notes = {
      "Mutual interest: the cost is within the budget; conflict: it is above, and no deal is best. "
      "A session with a wrong action is not valid, stays among all sessions, and is no deal. n: "
      "sessions, or deals. The deal rates of mutual interest and conflict are of valid sessions.",
      "Normalised profit: profit over |B - C|. In every deal both sides' add up to 1 with mutual "
      "interest, and to -1 in conflict."};
  return table;
}

}  // namespace

void add_tables(agon::Registry& registry) {
  shared::add_paper_tables(
      registry, "bargaining",
      {
          {"bargaining/experiment-a", "models as buyers: deals, profits, shares",
           "Xia et al. 2024, section 4", "papers/bargaining/experiment-a.json", &bargains_table},
          {"bargaining/experiment-b", "models as sellers: deals, profits, shares",
           "Xia et al. 2024, section 4", "papers/bargaining/experiment-b.json", &bargains_table},
          {"bargaining/experiment-c", "buyers with an offer generator: deals, profits, shares",
           "Xia et al. 2024, section 5", "papers/bargaining/experiment-c.json", &bargains_table},
          {"bargaining/experiment-d", "other budgets and ladders of offers: deals, profits, shares",
           "Xia et al. 2024, section 5", "papers/bargaining/experiment-d.json", &bargains_table},
          {"bargaining/models", "models as buyers and as sellers: deals, profits, shares",
           "Xia et al. 2024, section 4, and plot_pic.ipynb in its repository",
           "papers/bargaining/models.json", &models_by_side},
          {"bargaining/narrators", "what the offer generator changes, model by model",
           "Xia et al. 2024, abstract, section 5, and plot_pic.ipynb in its repository",
           "papers/bargaining/experiment-c.json", &narrators},
          {"bargaining/figure-2", "products by category", "Xia et al. 2024, figure 2, left",
           "papers/bargaining/experiment-a.json", &product_categories},
          {"bargaining/figure-2-prices", "products by price", "Xia et al. 2024, figure 2, right",
           "papers/bargaining/experiment-a.json", &price_classes},
          {"bargaining/figure-4", "list prices, costs, and cost over list price",
           "Xia et al. 2024, figure 4", "papers/bargaining/experiment-a.json", &product_prices},
          {"bargaining/figure-4-shares", "products by cost over list price",
           "Xia et al. 2024, figure 4", "papers/bargaining/experiment-a.json", &cost_shares},
          {"bargaining/figure-5", "normalised profits of all sessions, and buyers who beat sellers",
           "Xia et al. 2024, figure 5", "papers/bargaining/experiment-a.json", &normalised_profits},
          {"experiments/buyers-by-sellers", "what each buyer gets of each seller",
           "an experiment after Xia et al. 2024, section 5",
           "experiments/narrator-against-adversaries.json", &buyers_by_sellers},
      });
  registry.add(shared::own_table("bargaining/offers", "how offers come nearer, turn by turn",
                                 "bargaining", &offer_ladders));
}

void each_session(const agon::PlayedMatches& matches,
                  const std::function<void(const Pair&, const agon::PlayedMatch&)>& each) {
  // Settings hold all products; matches of a scenario come one after the other and share them.
  std::string settings, factor;
  bool any = false;
  matches.each([&](const agon::PlayedMatch& match) {
    if (match.seats().size() != 2) return;
    if (settings != match.settings()) {
      settings = match.settings();
      factor = agon::JsonDocument(settings, "settings").root()["factor"].number_text();
    }
    any = true;
    each({factor, std::string(match.seats()[0].agent), std::string(match.seats()[1].agent)}, match);
  });
  if (!any) throw agon::LacksData{"finished matches"};
}

std::string product_of(const agon::PlayedMatch& match) {
  return fmt::format("{:g}", match.metric("product"));
}

void name_columns(agon::PaperTable& table, const std::vector<Pair>& pairs) {
  std::set<std::string> buyers, sellers;
  for (const Pair& pair : pairs) {
    buyers.insert(pair.buyer);
    sellers.insert(pair.seller);
  }
  const bool one_seller = sellers.size() == 1;
  const bool one_buyer = !one_seller && buyers.size() == 1;
  table.corner = one_seller  ? "buyers against " + *sellers.begin()
                 : one_buyer ? "sellers against " + *buyers.begin()
                             : "buyer - seller";
  for (const Pair& pair : pairs)
    table.columns.push_back((one_seller  ? pair.buyer
                             : one_buyer ? pair.seller
                                         : pair.buyer + " - " + pair.seller) +
                            (pair.factor == "0.8" ? "" : ", B " + pair.factor + " L"));
}

}  // namespace bargaining
