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

// How offers come nearer, what each buyer gets of each seller, and how profits are spread.

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
  agon::PaperTable table =
      curves.table({.x = "turn", .y = "offer over list price"}, {.decimals = 2}, matches.level(),
                   {"Mean of the offers that were made in a turn, as a share of the list price; "
                    "budget and cost are the means of the matches that came to this turn. Who "
                    "has a deal makes no more offers. n: offers."});
  table.units = {"share"};
  return table;
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
    shared::add_heading(table, seller);
    const auto row = [&](std::string label, const char* unit, const auto& figure_of) {
      agon::TableRow made{.label = "  " + std::move(label), .cells = {}, .unit = unit};
      for (const std::string& buyer : buyers) {
        const auto met = all.find({buyer, seller});
        const agon::Figure figure = met == all.end() ? agon::Figure{} : figure_of(met->second);
        made.cells.push_back(met == all.end()  ? agon::TableCell{}
                             : !(figure.n > 0) ? agon::TableCell{.text = "no deal"}
                                               : shared::cell(figure, 3));
      }
      table.rows.push_back(std::move(made));
    };
    row("deals", "share", [&](const Met& met) { return met.deal.share(level); });
    row("buyer's part, a session", "part of what there is",
        [&](const Met& met) { return met.part.mean(level); });
    row("buyer's part, a deal", "part of what there is",
        [&](const Met& met) { return met.part_of_deal.mean(level); });
    row("deals in which it beats the seller", "share",
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

/// The sides' normalised profits of the sessions of one buyer and one seller under one budget.
struct ProfitSamples {
  std::array<std::vector<double>, 2> parts;                  ///< by side, within the histogram
  std::array<std::array<agon::Sample, kInterests>, 2> mean;  ///< by side, then by interests
  std::array<agon::Sample, 2> beats;  ///< deals with mutual interest, in conflict
};

/// Of a deal the two sides' normalised profits add up to 1 with mutual interest and to -1 in
/// conflict: half of it is where neither did better.
constexpr std::array<double, 2> kHalf{0.5, -0.5};

void add_profits(ProfitSamples& samples, const agon::PlayedMatch& match) {
  const std::string product = product_of(match);
  const std::size_t kind = match.metric("mutual") == 1 ? 0 : 1;
  for (const std::size_t side : {0U, 1U}) {
    const double profit = match.metric(match.seats()[side], "snp");
    samples.parts[side].push_back(std::clamp(profit, kLow, kHigh));
    for (const std::size_t sessions : {kind, std::size_t{2}})
      samples.mean[side][sessions].add(product, profit);
    // Who gets half to the last digit but rounding beats nobody.
    if (side == 0 && match.metric("deal") == 1)
      samples.beats[kind].add(product, profit > kHalf[kind] + 1e-9 ? 1 : 0);
  }
}

std::string part_label(std::size_t part) {
  const double low = kLow + static_cast<double>(part) * kWidth;
  if (part == 0) return fmt::format("  under {:.2f}", low + kWidth);
  if (part + 1 == kParts) return fmt::format("  {:.2f} and more", low);
  return fmt::format("  {:.2f} to {:.2f}", low, low + kWidth);
}

}  // namespace

agon::PaperTable normalised_profits(const agon::PlayedMatches& matches) {
  std::map<Pair, ProfitSamples> all;
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    add_profits(all[pair], match);
  });
  agon::PaperTable table;
  std::vector<Pair> pairs;
  for (const auto& [pair, samples] : all) pairs.push_back(pair);
  name_columns(table, pairs);
  const auto row = [&](std::string label, const char* unit, bool plotted, const auto& cell_of) {
    agon::TableRow made{.label = std::move(label), .cells = {}, .unit = unit, .plotted = plotted};
    for (const auto& [pair, samples] : all) made.cells.push_back(cell_of(samples));
    table.rows.push_back(std::move(made));
  };
  constexpr std::array<const char*, 2> kSides{"buyer", "seller"};
  for (const std::size_t side : {0U, 1U}) {
    shared::add_heading(table, fmt::format("sessions by the {}'s normalised profit", kSides[side]));
    for (std::size_t part = 0; part < kParts; ++part)
      row(part_label(part), "sessions", true, [&](const ProfitSamples& samples) {
        const auto parts =
            agon::histogram(samples.parts[side], kLow, kHigh, static_cast<int>(kParts));
        return shared::number(parts[part], 0);
      });
  }
  const double level = matches.level();
  for (const std::size_t side : {0U, 1U})
    for (std::size_t sessions = 0; sessions < kInterests; ++sessions)
      row(fmt::format("{}'s mean, {}{}", kSides[side], kInterestNames[sessions],
                      sessions + 1 == kInterests ? " sessions" : ""),
          "normalised profit", false, [&](const ProfitSamples& samples) {
            return shared::cell(samples.mean[side][sessions].mean(level), 3);
          });
  for (const std::size_t kind : {0U, 1U})
    row(fmt::format("buyers who beat the seller, {}", kInterestNames[kind]), "share of deals",
        false, [&](const ProfitSamples& samples) {
          return samples.beats[kind].empty() ? agon::TableCell{.text = "no deal"}
                                             : shared::cell(samples.beats[kind].share(level), 3);
        });
  // The published mean is that of a buyer against the paper's reference.
  if (table.corner == "buyers against reference") published("bargaining/figure-5").fill(table);
  table.plots = {{.how = agon::TablePlot::How::bars, .apart = true}};
  table.notes = {
      "All sessions by the normalised profits (B - D) / |B - C| of the buyer and (D - C) / |B - C| "
      "of the seller; without a deal both are 0. A part holds its lower end. Of a deal they add up "
      "to 1 with mutual interest and to -1 in conflict, so that who is above the half line, at 0.5 "
      "or at -0.5, did better than the other. n: sessions; of who beats the seller, deals.",
      "The paper's figure has no printed numbers; its caption says that the mean of a Mixtral "
      "buyer against a ChatGPT seller is slightly below 0. Published: its sum of normalised "
      "profits, -63.19 (plot_pic.ipynb of the paper's repository), over 930 sessions."};
  return table;
}

}  // namespace bargaining
