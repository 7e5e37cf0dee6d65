#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "bargaining/game.hpp"
#include "bargaining/play.hpp"
#include "bargaining/tables/tables.hpp"
#include "shared/tables.hpp"

// How offers come nearer: the game's own table.

namespace bargaining {

agon::PaperTable offer_ladders(const agon::PlayedMatches& matches) {
  shared::MeanCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const double list = match.metric("list_price");
    if (match.seats().size() != 2 || !(list > 0)) return;
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const auto most = static_cast<std::size_t>(std::max(0.0, match.metric("turns")));
    for (std::size_t turn = 0; turn < most; ++turn) {
      curves.add_theory(heading, "budget", turn, match.metric("budget") / list);
      curves.add_theory(heading, "cost", turn, match.metric("cost") / list);
    }
    agon::each_said<kSaying>(match, [&](const Saying& said) {
      const auto add = [&](std::size_t seat, const char* role, agon::Money price) {
        curves.add(heading, std::string(match.seats()[seat].agent) + role,
                   static_cast<std::size_t>(said.turn) - 1, block,
                   static_cast<double>(price.cents) / list);
      };
      if (const auto* bid = std::get_if<Buy>(&said.action)) add(0, " as buyer", bid->price);
      if (const auto* ask = std::get_if<Sell>(&said.action)) add(1, " as seller", ask->price);
    });
  });
  if (curves.empty()) throw agon::LacksData{"recorded matches with offers"};
  return curves.table({.x = "turn", .y = "offer over list price"}, {.decimals = 2}, matches.level(),
                      {"Mean of the offers that were made in a turn, as a share of the list price; "
                       "budget and cost are the means of the matches that came to this turn. Who "
                       "has a deal makes no more offers. n: offers."});
}

namespace {

/// Sessions of mutual interest of one buyer and one seller, under one budget.
struct Met {
  agon::Sample deal, part, part_of_deal, beats;
};

}  // namespace

agon::PaperTable buyers_by_sellers(const agon::PlayedMatches& matches) {
  // In the order in which they first sat down, which is the suite's.
  std::vector<std::string> buyers, sellers;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  std::map<std::pair<std::string, std::string>, Met> all;
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    const std::string seller =
        pair.seller + (pair.factor == "0.8" ? "" : ", B " + pair.factor + " L");
    note(buyers, pair.buyer);
    note(sellers, seller);
    if (match.metric("mutual") != 1) return;
    Met& met = all[{pair.buyer, seller}];
    const std::string product = product_of(match);
    const double part = match.metric(match.seats()[0], "snp");
    const bool deal = match.metric("deal") == 1;
    met.deal.add(product, deal);
    met.part.add(product, part);
    if (!deal) return;
    met.part_of_deal.add(product, part);
    met.beats.add(product, part > 0.5 + 1e-9 ? 1 : 0);
  });
  if (all.empty()) throw agon::LacksData{"sessions in which the cost is within the budget"};

  agon::PaperTable table;
  table.corner = "sellers: buyers";
  table.columns = buyers;
  const double level = matches.level();
  for (const std::string& seller : sellers) {
    table.rows.push_back({seller, std::vector<agon::TableCell>(buyers.size())});
    const auto row = [&](std::string label, const auto& figure_of) {
      agon::TableRow made{"  " + std::move(label), {}};
      for (const std::string& buyer : buyers) {
        const auto met = all.find({buyer, seller});
        const agon::Figure figure = met == all.end() ? agon::Figure{} : figure_of(met->second);
        made.cells.push_back(met == all.end()  ? agon::TableCell{}
                             : !(figure.n > 0) ? agon::TableCell{.text = "no deal"}
                                               : shared::cell(figure, 3));
      }
      table.rows.push_back(std::move(made));
    };
    row("deals", [&](const Met& met) { return met.deal.share(level); });
    row("buyer's part, a session", [&](const Met& met) { return met.part.mean(level); });
    row("buyer's part, a deal", [&](const Met& met) { return met.part_of_deal.mean(level); });
    row("deals in which it beats the seller",
        [&](const Met& met) { return met.beats.share(level); });
  }
  table.notes = {
      "Sessions in which the cost is within the budget. Part: of what lies between cost and "
      "budget, "
      "(B - D) / (B - C); a session without a deal has 0, and above a half the buyer did better "
      "than the seller. n: sessions, or deals."};
  return table;
}

namespace {

/// The parts of the histogram; what lies outside is in the first and the last.
constexpr double kLow = -2, kHigh = 2, kWidth = 0.25;
constexpr auto kParts = static_cast<std::size_t>((kHigh - kLow) / kWidth);

/// The buyer's normalised profits over the deals of one kind of session.
struct ProfitSamples {
  std::vector<double> all;
  agon::Sample mean, beats;
};

/// Of a deal the two sides' normalised profits add up to 1 with mutual interest and to -1 in
/// conflict: half of it is where neither did better.
constexpr std::array<double, 2> kHalf{0.5, -0.5};

std::string part_label(std::size_t part) {
  const double low = kLow + static_cast<double>(part) * kWidth;
  if (part == 0) return fmt::format("  under {:.2f}", low + kWidth);
  if (part + 1 == kParts) return fmt::format("  {:.2f} and more", low);
  return fmt::format("  {:.2f} to {:.2f}", low, low + kWidth);
}

}  // namespace

agon::PaperTable normalised_profits(const agon::PlayedMatches& matches) {
  std::map<Pair, std::array<ProfitSamples, 2>> all;  // mutual interest, conflict
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    auto& kinds = all[pair];
    if (match.metric("deal") != 1) return;
    const std::size_t kind = match.metric("mutual") == 1 ? 0 : 1;
    const double profit = match.metric(match.seats()[0], "snp");
    ProfitSamples& profits = kinds[kind];
    const std::string product = product_of(match);
    profits.all.push_back(std::clamp(profit, kLow, kHigh));
    profits.mean.add(product, profit);
    // Who gets half to the last digit but rounding beats nobody.
    profits.beats.add(product, profit > kHalf[kind] + 1e-9 ? 1 : 0);
  });
  agon::PaperTable table;
  std::vector<Pair> pairs;
  for (const auto& [pair, kinds] : all) pairs.push_back(pair);
  name_columns(table, pairs);
  const auto row = [&](std::string label, const auto& cell_of) {
    agon::TableRow made{std::move(label), {}};
    for (const auto& [pair, kinds] : all) made.cells.push_back(cell_of(kinds));
    table.rows.push_back(std::move(made));
  };
  constexpr std::array<const char*, 2> kKinds{"deals with mutual interest, half line at 0.5",
                                              "deals in conflict, half line at -0.5"};
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    table.rows.push_back({kKinds[kind], std::vector<agon::TableCell>(table.columns.size())});
    for (std::size_t part = 0; part < kParts; ++part)
      row(part_label(part), [&](const std::array<ProfitSamples, 2>& kinds) {
        const auto parts = agon::histogram(kinds[kind].all, kLow, kHigh, static_cast<int>(kParts));
        return shared::number(parts[part], 0);
      });
  }
  constexpr std::array<const char*, 2> kNames{"mutual interest", "conflict"};
  const auto summary = [&](const std::string& label, const auto& figure_of) {
    for (std::size_t kind = 0; kind < kNames.size(); ++kind)
      row(fmt::format("{}, {}", label, kNames[kind]), [&](const auto& kinds) {
        const ProfitSamples& profits = kinds[kind];
        return profits.all.empty() ? agon::TableCell{.text = "no deal"}
                                   : shared::cell(figure_of(profits), 3);
      });
  };
  const double level = matches.level();
  summary("buyers who beat the seller",
          [&](const ProfitSamples& profits) { return profits.beats.share(level); });
  summary("buyer's mean", [&](const ProfitSamples& profits) { return profits.mean.mean(level); });
  table.notes = {
      "Deals by the buyer's normalised profit, (B - D) / |B - C|; a part holds its lower end. The "
      "seller's is 1 minus it with mutual interest, and -1 minus it in conflict, so that above the "
      "half line the buyer did better than the seller. n: deals.",
      "The paper's figure is a plot without printed numbers; its caption says that the mean of a "
      "Mixtral buyer against a ChatGPT seller is slightly below 0."};
  return table;
}

}  // namespace bargaining
